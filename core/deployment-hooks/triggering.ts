/** Which of the hooks that listen to an event it triggers. */
import { envelopeOf, type NamedHook } from '../dispatches/bodies.ts'
import type { Event } from '../events/catalogue.ts'
import { type Gate, triggersIn } from '../gates.ts'
import type { NamedScope } from '../scopes.ts'
import { type Filter, failedCondition } from './filters.ts'

/** Whether the environment and the filter of a hook let an event pass. The event has no sequence yet. */
export function isTriggered(event: Event, scope: NamedScope, hook: NamedHook & { filter: Filter | null }): boolean {
  const { gate } = event.data as { gate?: Partial<Gate> }
  if (gate && !triggersIn(gate, hook.environment)) return false
  return !hook.filter || !failedCondition(hook.filter, envelopeOf(event, scope, hook, null))
}
