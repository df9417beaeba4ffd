/** What a model may read of a track: without names, without what nobody sees, and no more than fits. */

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/**
 * What a name must not touch, or it is a part of another word. Scripts that put no spaces between words are left out:
 * next to their letters a name stands by itself.
 */
const LETTER =
  '[[\\p{L}\\p{M}\\p{N}]--[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}]]'

/** A pattern for a name as a whole word, however it is written: `claude-code`, `Claude Code`, `CLAUDE_CODE`. */
function patternOf(name: string): string {
  const parts = name.split(/[\s_.-]+/).filter((part) => part !== '')
  const pattern = parts.length === 0 ? escaped(name) : parts.map(escaped).join('[\\s_.\\-]*')
  return `(?<!${LETTER})${pattern}(?!${LETTER})`
}

/** A name, and what stands in its place. */
export type Alias = [name: string, alias: string]

/**
 * Takes names out of texts. The longest goes first, so that none is left in the middle of another; and all of them go
 * at once, so that what stands in for one is not taken for another.
 */
export function anonymiser(aliases: Alias[]): (text: string) => string {
  const named = aliases.filter(([name]) => name.trim() !== '').toSorted(([one], [two]) => two.length - one.length)
  const pattern = new RegExp(named.map(([name]) => `(${patternOf(name.trim())})`).join('|'), 'giv')
  return (text) =>
    text.replaceAll(pattern, (_, ...groups: unknown[]) => named[groups.findIndex((group) => group !== undefined)]?.[1] ?? '')
}

/** Control characters and what is invisible: words for a model that no person would find. */
const visible = (text: string): string => text.replaceAll(/[^\P{C}\n\t]/gu, '')

/**
 * Goes through a record, and gives back its texts cleaned and cut: all of them together have no more than so many
 * characters, those that come first being served first.
 */
export function prepared<Value>(value: Value, clean: (text: string) => string, characters: number): Value {
  let left = characters
  const cut = (text: string): string => {
    const whole = clean(visible(text))
    const kept = whole.slice(0, left).toWellFormed()
    left -= kept.length
    return kept.length === whole.length ? whole : `${kept} [cut off here]`
  }
  const walk = (node: unknown): unknown => {
    if (typeof node === 'string') return cut(node)
    if (Array.isArray(node)) return node.map(walk)
    if (typeof node !== 'object' || node === null) return node
    return Object.fromEntries(Object.entries(node).map(([key, field]) => [key, walk(field)]))
  }
  return walk(value) as Value
}
