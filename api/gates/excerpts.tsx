/** Texts of agents, as far as a gate's page has room for them. */
import type { Evidence } from '../../core/gates/gates.ts'
import { excerptOf } from '../pages/components/verbatim.tsx'

/** Checks, links and metrics that are shown; the API shows all. */
export const MAX_SHOWN = 12
/** What the checks, and the links, take of the page. */
const LIST_BYTES = 12_000
const MAX_DETAIL = 300

export const excerpt = (text: string): string =>
  text.length <= MAX_DETAIL ? text : `${[...text].slice(0, MAX_DETAIL).join('')}…`

/** The first of some items, as far as there is room for their texts; at least one. */
export function firstOf<Item>(items: Item[], textsOf: (item: Item) => (string | null)[]): Item[] {
  let bytes = 0
  return items.slice(0, MAX_SHOWN).filter((item, index) => {
    bytes += excerptOf(textsOf(item).join(''), Number.POSITIVE_INFINITY).bytes
    return index === 0 || bytes <= LIST_BYTES
  })
}

export const More = ({ count }: { count: number }) => (count > 0 ? <p class="hint">and {count} more</p> : null)

type Checks = Evidence['checks']

/** `41 checks passed`; null if there are none. */
export function countText(checks: Checks, state: Checks[number]['state']): string | null {
  const count = checks.filter((check) => check.state === state).length
  return count === 0 ? null : `${count} check${count === 1 ? '' : 's'} ${state}`
}
