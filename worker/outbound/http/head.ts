/** The head of an answer of HTTP/1.1: its status line and headers. */

/** What arrived is no HTTP, or not all of it. */
export class HttpFault extends Error {
  constructor(readonly code: string) {
    super(code)
  }
}

/** Names of headers are in lower case; values of headers that are repeated are joined. */
export interface AnswerHead {
  status: number
  headers: Record<string, string>
}

const STATUS_LINE = /^HTTP\/1\.[01] [1-9]\d\d(?: |$)/
const BEGINNING = /^HTTP\/1\.[01] [1-9]\d\d[ \r\n]/
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/

/** So many bytes tell whether something is an answer. */
export const BEGINNING_BYTES = 'HTTP/1.1 200 '.length

/** Whether an answer may begin like this. What speaks another protocol may never send an empty line. */
export const mayBegin = (text: string): boolean => BEGINNING.test(text) || (text.length < BEGINNING_BYTES && !/[\r\n]/.test(text))

const CARRIAGE_RETURN = 0x0d

/**
 * Reads a head. Lines end with CRLF; a bare LF is recognised too (RFC 9112, section 2.2).
 *
 * @param text all of it, with the empty line at its end
 * @throws HttpFault
 */
export function parseHead(text: string): AnswerHead & { isHttp11: boolean } {
  const endOfLine = (lineFeed: number) => (text.charCodeAt(lineFeed - 1) === CARRIAGE_RETURN ? lineFeed - 1 : lineFeed)
  let lineFeed = text.indexOf('\n')
  if (!STATUS_LINE.test(text.slice(0, endOfLine(lineFeed)))) throw new HttpFault('InvalidHTTPStatusLine')
  // Without a prototype: a header may have any name.
  const headers: Record<string, string> = Object.create(null)
  let last: string | null = null
  for (;;) {
    const start = lineFeed + 1
    lineFeed = text.indexOf('\n', start)
    const end = endOfLine(lineFeed)
    if (end <= start) return { status: Number(text.slice(9, 12)), headers, isHttp11: text[7] === '1' }
    if (last !== null && (text[start] === ' ' || text[start] === '\t')) {
      headers[last] = `${headers[last]} ${text.slice(start, end).trim()}`
      continue
    }
    const colon = text.indexOf(':', start)
    const name = text.slice(start, colon)
    if (colon === -1 || colon > end || !TOKEN.test(name)) throw new HttpFault('InvalidHTTPHeader')
    last = name.toLowerCase()
    const value = text.slice(colon + 1, end).trim()
    const before = headers[last]
    headers[last] = before === undefined ? value : `${before}, ${value}`
  }
}
