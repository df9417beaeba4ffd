/** The event patterns of subscriptions: a name, `prefix.*`, or `*`. */
import { EVENTS } from './catalogue.ts'

/** All events that can be subscribed to: direct events go to one destination only. */
export const SUBSCRIBABLE: readonly string[] = Object.keys(EVENTS)

/** The patterns that match an event: its name, `*` after each of its dots, and `*`. */
export const patternsOf = (name: string): string[] => [
  '*',
  name,
  ...[...name.matchAll(/\./g)].map(({ index }) => `${name.slice(0, index)}.*`),
]

/** All patterns that match at least one event. */
export const PATTERNS: ReadonlySet<string> = new Set(SUBSCRIBABLE.flatMap(patternsOf))
