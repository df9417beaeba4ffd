/**
 * Parses a mail message (RFC 5322, MIME) for display: decoded headers, text and HTML. Attachments are ignored.
 */

interface Mail {
  /** By lower-case name, unfolded and decoded; the values of a repeated header are joined by commas. */
  headers: Record<string, string>
  text: string
  html: string | null
}

interface Part {
  headers: Record<string, string>
  /** Latin-1, one character per byte, so that boundaries can be searched as text. */
  body: string
}

interface HeaderValue {
  value: string
  parameters: Record<string, string>
}

// Deeper than mail programs nest, and too shallow for a hostile message to exhaust the stack.
const MAX_DEPTH = 20

/** Parses a whole message. Malformed parts are returned as they are. */
export function parseMail(message: Uint8Array): Mail {
  // SMTP adds a line break to the end of every message.
  const top = parsePart(Buffer.from(message).toString('latin1').replace(/\r\n$/, ''))
  const found: { text: string[]; html: string[] } = { text: [], html: [] }
  collect(top, found, 0)
  const headers = Object.fromEntries(Object.entries(top.headers).map(([name, value]) => [name, decodeWords(value)]))
  return { headers, text: found.text.join('\n'), html: found.html.length > 0 ? found.html.join('\n') : null }
}

function collect(part: Part, found: { text: string[]; html: string[] }, depth: number): void {
  const type = parseHeaderValue(part.headers['content-type'] ?? 'text/plain')
  if (type.value.startsWith('multipart/') && type.parameters.boundary && depth < MAX_DEPTH) {
    for (const inner of splitAt(type.parameters.boundary, part.body)) collect(parsePart(inner), found, depth + 1)
    return
  }
  if (parseHeaderValue(part.headers['content-disposition'] ?? '').value === 'attachment') return
  if (type.value === 'text/html') found.html.push(decodeBody(part, type))
  if (type.value === 'text/plain') found.text.push(unflow(decodeBody(part, type), type))
}

function parsePart(source: string): Part {
  const end = /\r?\n\r?\n/.exec(source)
  const head = source.startsWith('\r\n') || source.startsWith('\n') ? '' : source.slice(0, end?.index ?? source.length)
  const body = head === '' ? source.replace(/^\r?\n/, '') : end ? source.slice(end.index + end[0].length) : ''
  const headers: Record<string, string> = Object.create(null)
  for (const line of head.replace(/\r?\n(?=[ \t])/g, '').split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon < 1) continue
    const name = line.slice(0, colon).trim().toLowerCase()
    const value = line.slice(colon + 1).trim()
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value
  }
  return { headers, body }
}

function splitAt(boundary: string, body: string): string[] {
  const lines = new RegExp(`(?:^|\\r?\\n)--${RegExp.escape(boundary)}(--)?[ \\t]*(?=\\r?\\n|$)`, 'g')
  const parts: string[] = []
  let start: number | undefined
  for (const line of body.matchAll(lines)) {
    if (start !== undefined) parts.push(body.slice(start, line.index))
    start = line.index + line[0].length
    start += body.startsWith('\r\n', start) ? 2 : 1
    if (line[1]) return parts
  }
  // A truncated message has no closing boundary; its last part is returned as far as it goes.
  if (start !== undefined) parts.push(body.slice(start))
  return parts
}

function parseHeaderValue(header: string): HeaderValue {
  const [value = ''] = header.split(';', 1)
  const parameters: Record<string, string> = Object.create(null)
  for (const [, name = '', quoted, bare] of header.matchAll(/;\s*([\w!#$&+.^*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))/g)) {
    parameters[name.toLowerCase()] = quoted?.replace(/\\(.)/g, '$1') ?? bare ?? ''
  }
  return { value: value.trim().toLowerCase(), parameters }
}

function decodeBody(part: Part, type: HeaderValue): string {
  const encoding = (part.headers['content-transfer-encoding'] ?? '').trim().toLowerCase()
  const bytes =
    encoding === 'base64'
      ? Buffer.from(part.body, 'base64')
      : encoding === 'quoted-printable'
        ? quotedPrintable(part.body.replace(/[ \t]+(?=\r?\n)/g, '').replace(/=\r?\n/g, ''))
        : Buffer.from(part.body, 'latin1')
  return decode(bytes, type.parameters.charset).replace(/\r\n/g, '\n')
}

// RFC 3676: a line that ends with a space continues in the next line, and a leading space is removed.
function unflow(text: string, type: HeaderValue): string {
  if (type.parameters.format?.toLowerCase() !== 'flowed') return text
  return text
    .split('\n')
    .map((line) => (line.startsWith(' ') ? line.slice(1) : line))
    .reduce((whole, line, index, lines) => {
      const continues = index > 0 && lines[index - 1]?.endsWith(' ') && lines[index - 1] !== '-- '
      return index === 0 || continues ? whole + line : `${whole}\n${line}`
    }, '')
}

const WORD = /=\?([\w.:-]+)(?:\*[\w-]+)?\?([bq])\?([^?\s]*)\?=/i
const WORDS = new RegExp(`${WORD.source}(?:\\s+${WORD.source})*`, 'gi')

/** RFC 2047: `=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=` → `Grüße`. */
function decodeWords(header: string): string {
  const raw = decode(Buffer.from(header, 'latin1'), 'utf-8')
  return raw.replace(WORDS, (run) => {
    const pieces: { charset: string; bytes: Buffer }[] = []
    for (const [, charset = '', encoding = '', word = ''] of run.matchAll(new RegExp(WORD.source, 'gi'))) {
      const bytes = encoding.toLowerCase() === 'b' ? Buffer.from(word, 'base64') : quotedPrintable(word.replaceAll('_', ' '))
      // Some senders split a character over two words, so bytes are joined before they are decoded.
      const last = pieces.at(-1)
      if (last?.charset === charset.toLowerCase()) last.bytes = Buffer.concat([last.bytes, bytes])
      else pieces.push({ charset: charset.toLowerCase(), bytes })
    }
    return pieces.map(({ charset, bytes }) => decode(bytes, charset)).join('')
  })
}

function quotedPrintable(source: string): Buffer {
  const plain = source.replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(plain, 'latin1')
}

function decode(bytes: Uint8Array, charset = 'utf-8'): string {
  try {
    return new TextDecoder(charset as Bun.Encoding).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}
