/** A mail server for development: it accepts every message, forwards none, and shows them on a page. */
import { once } from 'node:events'
import { escapeHTML } from 'bun'
import PostalMime, { decodeWords } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { canonicalAddress } from '../../core/values/email-addresses.ts'

/** A captured message, as `GET /messages` shows it. */
export interface CapturedMail {
  id: string
  from: string
  to: string[]
  subject: string
  text: string
  html: string | null
  headers: Record<string, string>
  received_at: string
}

export type MailCatcher = Awaited<ReturnType<typeof startMailCatcher>>

const MAX_MESSAGES = 500
const MAX_BYTES = 10 * 1024 * 1024

/** Listens for mail and for browsers, on loopback only, because the messages contain links to accounts. They are listed newest first. */
export async function startMailCatcher({ smtpPort, webPort }: { smtpPort: number; webPort: number }) {
  const messages: CapturedMail[] = []
  const smtp = smtpServer((message) => {
    messages.unshift(message)
    messages.length = Math.min(messages.length, MAX_MESSAGES)
  })
  // A client that disconnects in the middle of a message must not end the process.
  smtp.on('error', () => {})
  await once(smtp.listen(smtpPort, '127.0.0.1'), 'listening')
  const web = Bun.serve({ hostname: '127.0.0.1', port: webPort, fetch: (request) => answer(request, messages) })
  return {
    messages: messages as readonly CapturedMail[],
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    async stop() {
      await Promise.all([web.stop(true), new Promise<void>((resolve) => smtp.close(() => resolve()))])
    },
  }
}

/**
 * The decoded headers, by lower-case name, the text and the HTML of a message. One that cannot be parsed, such as one of 300 nested parts,
 * is returned as it is.
 */
export async function parseMail(message: Uint8Array): Promise<Pick<CapturedMail, 'headers' | 'text' | 'html'>> {
  try {
    const { headers, text = '', html = null } = await PostalMime.parse(message)
    const byName = Object.entries(Object.groupBy(headers, ({ key }) => key))
    return {
      headers: Object.fromEntries(
        byName.map(([name, same = []]) => [name, same.map(({ value }) => decodeWords(value)).join(', ')]),
      ),
      // SMTP adds a line break to the end of every message.
      text: text.replace(/\n$/, ''),
      html: html?.replace(/\n$/, '') ?? null,
    }
  } catch {
    return { headers: {}, text: new TextDecoder().decode(message), html: null }
  }
}

function smtpServer(keep: (message: CapturedMail) => void): SMTPServer {
  return new SMTPServer({
    size: MAX_BYTES,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 1000,
    async onData(stream, session, done) {
      const chunks = await Array.fromAsync(stream as AsyncIterable<Buffer>).catch(() => null)
      if (!chunks) return // the client disconnected
      if (stream.sizeExceeded)
        return done(Object.assign(new Error(`The message is larger than ${MAX_BYTES} bytes`), { responseCode: 552 }))
      const { headers, text, html } = await parseMail(Buffer.concat(chunks))
      keep({
        id: Bun.randomUUIDv7(),
        from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
        // The server decodes Punycode; the API shows the canonical form, by which tests look for mail.
        to: session.envelope.rcptTo.map(({ address }) => canonicalAddress(address) ?? address),
        subject: headers.subject ?? '',
        text,
        html,
        headers,
        received_at: new Date().toISOString(),
      })
      done()
    },
  })
}

function answer(request: Request, messages: CapturedMail[]): Response {
  const { pathname, hostname } = new URL(request.url)
  // DNS rebinding: the name of another site may resolve to loopback.
  if (!['localhost', '127.0.0.1'].includes(hostname)) return new Response('Use localhost\n', { status: 403 })
  const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' }
  if (pathname === '/messages') return Response.json(messages, { headers })
  const message = messages.find(({ id }) => pathname === `/${id}`)
  if (!message && pathname !== '/') return new Response('Not found\n', { status: 404 })
  // The frame of a message inherits this policy: inline styles work, scripts and network requests do not.
  const policy =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  return new Response(message ? mailPage(message) : listPage(messages), {
    headers: { ...headers, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
  })
}

const page = (body: string, refresh = ''): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${refresh}
<title>Captured mail · Signalbox</title>
<link rel="icon" href="data:,">
<style>
  :root { color-scheme: light dark; }
  body { max-width: 60rem; margin: 1rem auto; padding: 0 1rem; font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
  td { padding: 0.2rem 1rem 0.2rem 0; vertical-align: top; } pre { white-space: pre-wrap; }
  iframe { width: 100%; height: 60vh; border: 1px solid; }
</style>
${body}
</html>
`

const subjectOf = ({ subject }: CapturedMail): string => escapeHTML(subject || '(no subject)')
const toOf = ({ to }: CapturedMail): string => escapeHTML(to.join(', '))
const when = ({ received_at }: CapturedMail): string => `${received_at.slice(0, 19).replace('T', ' ')} UTC`

/** The messages, newest first. It loads itself again every two seconds. */
function listPage(messages: CapturedMail[]): string {
  const rows = messages.map(
    (mail) => `<tr><td><a href="/${mail.id}">${subjectOf(mail)}</a></td><td>${toOf(mail)}</td><td>${when(mail)}</td></tr>`,
  )
  const empty = '<p>Mail that Signalbox sends is shown here. There is none yet.</p>'
  const list = rows.length > 0 ? `<table>\n${rows.join('\n')}\n</table>` : empty
  return page(`<h1>Captured mail</h1>\n${list}`, '<meta http-equiv="refresh" content="2">')
}

// Only http(s) addresses become links; all other text stays text.
const linked = (text: string): string =>
  text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((piece, at) => (at % 2 ? `<a href="${escapeHTML(piece)}">${escapeHTML(piece)}</a>` : escapeHTML(piece)))
    .join('')

function mailPage(mail: CapturedMail): string {
  const { html, text, headers } = mail
  // The sandbox disables scripts, forms and access to this page; links open in a new tab.
  const frame = `<iframe title="The message as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox"
  srcdoc="${escapeHTML(`<base target="_blank">${html}`)}"></iframe>`
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return page(`<p><a href="/">All mail</a></p>
<h1>${subjectOf(mail)}</h1>
<p>To ${toOf(mail)}, ${when(mail)}</p>
${html === null ? '' : frame}
<pre>${linked(text)}</pre>
<details><summary>Headers</summary><pre>${escapeHTML(lines.join('\n'))}</pre></details>`)
}
