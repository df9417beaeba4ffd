/** Patterns that subscriptions match events with: a name, `prefix.*`, or `*`. */
import { EVENTS, HOOK_EVENTS } from './catalogue.ts'

/** Requested for one receiver; no subscription gets them. */
const PRIVATE = new Set(['test.ping', 'manual.trigger'])

/** Every event that a subscription can be for. */
export const SUBSCRIBABLE: readonly string[] = Object.keys({ ...EVENTS, ...HOOK_EVENTS }).filter((name) => !PRIVATE.has(name))

/** The patterns that match an event: its name, `*` after each of its dots, and `*`. */
export const patternsOf = (name: string): string[] => [
  '*',
  name,
  ...[...name.matchAll(/\./g)].map(({ index }) => `${name.slice(0, index)}.*`),
]

/** Every pattern that matches some event. */
export const PATTERNS: ReadonlySet<string> = new Set(SUBSCRIBABLE.flatMap(patternsOf))
