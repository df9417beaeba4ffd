/** Why the approval of a gate has sent nothing, for the person who looks for it. */
import { hooksOf, isAtOnce } from '../../core/gate-effects.ts'
import type { Gate } from '../../core/gates.ts'
import type { Circumstances } from './effects.ts'

/** How long dispatches may take to appear. */
const USUAL_MS = 60_000

const LIST = new Intl.ListFormat('en', { type: 'conjunction' })
const listed = (texts: string[]): string => LIST.format([...new Set(texts)].map((text) => `“${text}”`))

/** In a sentence or two. Hooks are as they are now: one may have been added or changed since the approval. */
export function whyNothingSent(gate: Gate, circumstances: Circumstances): string {
  if (gate.triggers_hooks === false)
    return 'Another gate for the same environment was pending: the gate that is approved last triggers the hooks.'
  const { environment, decided_at } = gate
  const listening = circumstances.hooks.filter(isAtOnce)
  if (listening.length === 0) return 'No enabled hook of the project is called when a gate is approved.'
  const its = listening.filter((hook) => environment === null || hook.environment === environment)
  if (its.length === 0) {
    const others = listed(listening.map((hook) => hook.environment))
    return `No enabled hook for “${environment}” is called when a gate is approved. There are hooks for ${others}, but the gate is for “${environment}”.`
  }
  const due = hooksOf(gate, circumstances).filter(isAtOnce)
  if (due.length > 0) {
    const names = listed(due.map(({ name }) => name))
    return Date.parse(circumstances.now) - Date.parse(decided_at ?? '') < USUAL_MS
      ? `It is on its way to ${names}.`
      : `Hooks get approvals that are given while they are enabled and their filters match. Now ${names} would get it.`
  }
  const filtering = its.filter(({ filter }) => filter !== null)
  if (filtering.length === its.length) return `The filter of ${listed(its.map(({ name }) => name))} leaves it out.`
  return `The policy of the environment does not let it reach ${listed(its.map(({ name }) => name))}.`
}
