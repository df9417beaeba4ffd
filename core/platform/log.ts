/** One JSON line a fact, on stdout. */
import pino from 'pino'
import { config } from './config.ts'
import { factsOf } from './error-facts.ts'

/** What must not be told under these names, in a line or in what it holds. */
const HIDDEN = ['secret', 'password', 'token', 'authorization', 'headers']
const MASK = '[Redacted]'

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const masked = (value: object): Record<string, unknown> => ({
  ...value,
  ...Object.fromEntries(HIDDEN.filter((name) => name in value).map((name) => [name, MASK])),
})

/** A value as a line shows it: an error by its facts, an object without what is hidden. The same value where nothing changes. */
function shown(value: object, depth: number): object {
  if (value instanceof Error) return factsOf(value)
  let result: Record<string, unknown> = HIDDEN.some((name) => name in value) ? masked(value) : (value as Record<string, unknown>)
  if (depth === 0) return result
  for (const name in result) {
    const inner = result[name]
    if (!isObject(inner)) continue
    const better = shown(inner, depth - 1)
    if (better === inner) continue
    if (result === value) result = { ...result }
    result[name] = better
  }
  return result
}

/**
 * Makes errors readable, and is a last net for secrets, which should never be logged in the first place. Nearly all lines
 * are flat and pass with a look at their values; pino's own redaction took as long for a line as everything else.
 */
const net = (line: Record<string, unknown>): Record<string, unknown> => shown(line, 2) as Record<string, unknown>

export const log = pino({
  level: config.LOG_LEVEL,
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
  messageKey: 'message',
  formatters: { level: (label) => ({ level: label }), log: net },
})
