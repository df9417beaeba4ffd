/** Formats JSON log lines as text, for the terminal of `bun start`. */

import { onTerminal } from '../../cli/support/terminal.js'

interface Line {
  level: string
  time: string
  message: string
  [name: string]: unknown
}

/** Fields that are not shown: they are for programs that join the lines of several processes. */
const HIDDEN = new Set(['level', 'time', 'message', 'trace_id', 'span_id'])

function parsed(text: string): Line | null {
  if (!text.startsWith('{"level":')) return null
  try {
    return JSON.parse(text) as Line
  } catch {
    return null
  }
}

const word = (value: unknown): string =>
  typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : (JSON.stringify(value) ?? '')

const pairs = (fields: object): string[] =>
  Object.entries(fields)
    .filter(([name]) => !HIDDEN.has(name))
    .map(([name, value]) => `${name}=${word(value)}`)

/** `GET /api/v1/users/me 200 4 ms`; a 5xx also has the `request_id`, by which other lines can be found. */
function request({ method, route, status, ms, request_id }: Line): string {
  const id = Number(status) >= 500 ? ` request_id=${request_id}` : ''
  return `${method} ${route ?? '(no such path)'} ${status} ${ms} ms${id}`
}

function other({ error, ...line }: Line): string {
  const text = [line.message, ...pairs(line)].join(' ')
  if (typeof error !== 'object' || error === null) return text
  const { message, code, stack } = error as { message?: string; code?: string; stack?: string }
  const about = `${text}: ${message}${code ? ` (${code})` : ''}`
  const frames = (stack ?? '').split('\n').filter((frame) => /^ +at /.test(frame))
  return line.level === 'error' || line.level === 'fatal' ? [about, ...frames].join('\n') : about
}

/** Formats a log line with the local time of day. Any other text is returned as it is. */
export function readable(text: string): string {
  const line = parsed(text)
  if (!line) return text
  const time = new Date(line.time).toTimeString().slice(0, 8)
  const level = line.level === 'info' ? '' : `${line.level.toUpperCase()} `
  const shown = line.message === 'request' ? request(line) : other(line)
  return `${time} ${level}${shown.split('\n').map(onTerminal).join('\n')}`
}
