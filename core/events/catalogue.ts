/** The catalogue of events, from the modules of their nouns. */
import { absolute, innermostPath } from '../tenants/links.ts'
import { type NamedScope, scopeOf } from '../tenants/scopes.ts'
import { budgetEvents } from './budgets.ts'
import { comparisonEvents } from './comparisons.ts'
import type { DataOf, Declaration, Holds } from './declaration.ts'
import { deliverableEvents } from './deliverables.ts'
import { deploymentEvents } from './deployments.ts'
import { destinationEvents, directEvents } from './destinations.ts'
import { environmentEvents } from './environments.ts'
import { executionEvents } from './executions.ts'
import { gateOutcomeEvents } from './gate-outcomes.ts'
import { gateEvents } from './gates.ts'
import { githubEvents } from './github.ts'
import { memberEvents } from './members.ts'
import { runtimeEvents } from './runtimes.ts'
import type { ReferenceIds, References } from './subjects.ts'

/** Events that can be subscribed to. */
export const EVENTS = {
  ...executionEvents,
  ...gateEvents,
  ...gateOutcomeEvents,
  ...deploymentEvents,
  ...environmentEvents,
  ...githubEvents,
  ...memberEvents,
  ...comparisonEvents,
  ...deliverableEvents,
  ...budgetEvents,
  ...runtimeEvents,
  ...destinationEvents,
}

export const DIRECT_EVENTS = directEvents

export const ALL_EVENTS = { ...EVENTS, ...DIRECT_EVENTS }

export type EventName = keyof typeof ALL_EVENTS

type HeldBy<Name extends EventName> = (typeof ALL_EVENTS)[Name]['data']

type EventData<Name extends EventName> = Name extends 'test.ping' ? Partial<DataOf<HeldBy<Name>>> : DataOf<HeldBy<Name>>

/** Of the data, what the code that emits the event gives; the rest is read by its references. */
export type GivenData<Name extends EventName> = Name extends EventName
  ? {
      [Key in keyof EventData<Name> as HeldBy<Name>[Key & keyof HeldBy<Name>] extends keyof ReferenceIds
        ? never
        : Key]: EventData<Name>[Key]
    }
  : never

export type ReferencesOf<Name extends EventName> = Name extends EventName
  ? Pick<References, ReferenceIds[HeldBy<Name>[keyof HeldBy<Name>] & keyof ReferenceIds]>
  : never

/** A declaration whose type of data is not known. An event of a newer version has none here. */
export const declarationOf = (name: string): Declaration<Holds> | undefined =>
  Object.hasOwn(ALL_EVENTS, name) ? (ALL_EVENTS[name as EventName] as unknown as Declaration<Holds>) : undefined

/** The event for each value of a hook's `trigger_on`. */
export const TRIGGERS = { workflow_done: 'workflow.completed', gate_approved: 'gate.approved' } as const satisfies Record<
  string,
  EventName
>

export type Trigger = keyof typeof TRIGGERS

/** Which deployment hooks receive an event, as a sentence; null if none does. */
export function hooksThatReceive(name: string): string | null {
  const trigger = Object.entries(TRIGGERS).find(([, event]) => event === name)?.[0]
  return trigger ? `Hooks with \`trigger_on: ${trigger}\`.` : (declarationOf(name)?.hooks ?? null)
}

export type HookEvent =
  | (typeof TRIGGERS)[Trigger]
  | { [Name in EventName]: (typeof ALL_EVENTS)[Name]['hooks'] extends string ? Name : never }[EventName]

export const HOOK_EVENTS = Object.keys(ALL_EVENTS).filter((name) => hooksThatReceive(name) !== null) as HookEvent[]

export interface Event {
  id: string
  name: string
  created_at: string
  data: Record<string, unknown>
}

/** The URL of the page that an event leads to, for its envelope; null if there is none. */
export function eventUrl({ name, data }: Pick<Event, 'name' | 'data'>, named: NamedScope): string | null {
  const { page } = declarationOf(name) ?? {}
  const scope = scopeOf(named)
  return absolute(page ? page(data, scope) : innermostPath(scope))
}

/** All events that can be subscribed to: direct events go to one destination only. */
export const SUBSCRIBABLE: readonly string[] = Object.keys(EVENTS)

/** The patterns that match an event: its name, `*` after each of its dots, and `*`. */
export const patternsOf = (name: string): string[] => [
  '*',
  name,
  ...[...name.matchAll(/\./g)].map(({ index }) => `${name.slice(0, index)}.*`),
]

export const PATTERNS: ReadonlySet<string> = new Set(SUBSCRIBABLE.flatMap(patternsOf))
