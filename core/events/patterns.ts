/** The event patterns of subscriptions: a name, `prefix.*`, or `*`. */
import { EVENTS, HOOK_EVENTS } from './catalogue.ts'

/** Events for one receiver, which cannot be subscribed to. */
const PRIVATE = new Set(['test.ping', 'manual.trigger'])

/** All events that can be subscribed to. */
export const SUBSCRIBABLE: readonly string[] = Object.keys({ ...EVENTS, ...HOOK_EVENTS }).filter((name) => !PRIVATE.has(name))

/** The patterns that match an event: its name, `*` after each of its dots, and `*`. */
export const patternsOf = (name: string): string[] => [
  '*',
  name,
  ...[...name.matchAll(/\./g)].map(({ index }) => `${name.slice(0, index)}.*`),
]

/** All patterns that match at least one event. */
export const PATTERNS: ReadonlySet<string> = new Set(SUBSCRIBABLE.flatMap(patternsOf))
