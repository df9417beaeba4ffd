/** Lines of processes, and how the terminal of `bun start` shows those of logs. */
import { onTerminal } from '../../cli/support/terminal.js'

/** Calls `use` for each line of a stream, including a last line without a line break. */
export async function forEachLine(stream: ReadableStream<Uint8Array>, use: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) use(line)
  }
  if (rest !== '') use(rest)
}

type Line = Record<'level' | 'time' | 'message', string> & Record<string, unknown>

function parsed(text: string): Line | null {
  try {
    return text.startsWith('{"level":') ? JSON.parse(text) : null
  } catch {
    return null
  }
}

const word = (value: unknown): string =>
  typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : (JSON.stringify(value) ?? '')

/** `GET /api/v1/users/me 200 4 ms`; a 5xx also has the `request_id`, by which other lines can be found. */
const request = ({ method, route = '(no such path)', status, ms, request_id }: Line): string =>
  `${method} ${route} ${status} ${ms} ms${Number(status) >= 500 ? ` request_id=${request_id}` : ''}`

/** Trace ids are for programs that join the lines of several processes. */
function other({ error, level, time: _time, message: what, trace_id: _trace, span_id: _span, ...fields }: Line): string {
  const text = [what, ...Object.entries(fields).map(([name, value]) => `${name}=${word(value)}`)].join(' ')
  if (typeof error !== 'object' || error === null) return text
  const { message, code, stack = '' } = error as { message?: string; code?: string; stack?: string }
  const about = `${text}: ${message}${code ? ` (${code})` : ''}`
  const frames = stack.split('\n').filter((frame) => /^ +at /.test(frame))
  return level === 'error' || level === 'fatal' ? [about, ...frames].join('\n') : about
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
