/** Parses the head of an HTTP/1.1 response: its status line and headers. */

/** The response is not valid HTTP or not complete. */
export class HttpError extends Error {
  constructor(readonly code: string) {
    super(code)
  }
}

/** Header names are in lower case; the values of repeated headers are joined with commas. */
export type ResponseHead = { status: number; headers: Record<string, string> }

const STATUS_LINE = /^HTTP\/1\.[01] [1-9]\d\d(?: |$)/
const BEGINNING = /^HTTP\/1\.[01] [1-9]\d\d[ \r\n]/
/** The name of a header. */
export const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/

/** How many bytes show whether something is an HTTP response. */
export const BEGINNING_BYTES = 'HTTP/1.1 200 '.length

/** Whether a response can begin like this. A server of another protocol may never send the end of the head. */
export const mayBegin = (text: string): boolean => BEGINNING.test(text) || (text.length < BEGINNING_BYTES && !/[\r\n]/.test(text))

const CARRIAGE_RETURN = 0x0d

/** Lines end with CRLF; a bare LF is accepted as well (RFC 9112, section 2.2). @throws HttpError */
export function parseHead(text: string): ResponseHead & { isHttp11: boolean } {
  const endOfLine = (lineFeed: number) => (text.charCodeAt(lineFeed - 1) === CARRIAGE_RETURN ? lineFeed - 1 : lineFeed)
  let lineFeed = text.indexOf('\n')
  if (!STATUS_LINE.test(text.slice(0, endOfLine(lineFeed)))) throw new HttpError('InvalidHTTPStatusLine')
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
    if (colon === -1 || colon > end || !TOKEN.test(name)) throw new HttpError('InvalidHTTPHeader')
    last = name.toLowerCase()
    const value = text.slice(colon + 1, end).trim()
    const before = headers[last]
    headers[last] = before === undefined ? value : `${before}, ${value}`
  }
}
