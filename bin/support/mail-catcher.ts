/** A mail server for development: it accepts every message, forwards none, and shows them on a page. */
import { SMTPServer } from 'smtp-server'
import { canonicalAddress } from '../../core/values/email-addresses.ts'
import { parseMail } from './mime.ts'

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

export interface MailCatcher {
  /** Newest first. */
  messages: readonly CapturedMail[]
  smtpUrl: string
  webUrl: string
  stop(): Promise<void>
}

const MAX_MESSAGES = 500
const MAX_BYTES = 10 * 1024 * 1024

/** Listens for mail and for browsers, on loopback only, because the messages contain links to accounts. */
export async function startMailCatcher({ smtpPort, webPort }: { smtpPort: number; webPort: number }): Promise<MailCatcher> {
  const messages: CapturedMail[] = []
  const smtp = smtpServer((message) => {
    messages.unshift(message)
    messages.length = Math.min(messages.length, MAX_MESSAGES)
  })
  await new Promise<void>((resolve, reject) => {
    smtp.once('error', reject)
    smtp.listen(smtpPort, '127.0.0.1', resolve)
  })
  // A client that disconnects in the middle of a message must not end the process.
  smtp.removeAllListeners('error').on('error', () => {})
  const web = webServer(webPort, messages)

  return {
    messages,
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    webUrl: `http://localhost:${webPort}`,
    async stop() {
      await Promise.all([web.stop(true), new Promise<void>((resolve) => smtp.close(() => resolve()))])
    },
  }
}

function smtpServer(keep: (message: CapturedMail) => void): SMTPServer {
  return new SMTPServer({
    size: MAX_BYTES,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 1000,
    async onData(stream, session, done) {
      const chunks: Buffer[] = []
      let size = 0
      // The rest of a message that is too large is read and discarded: the sender reads the answer only after its end.
      try {
        for await (const chunk of stream as AsyncIterable<Buffer>) {
          size += chunk.length
          if (size <= MAX_BYTES) chunks.push(chunk)
        }
      } catch {
        return // the client disconnected
      }
      if (size > MAX_BYTES) {
        done(Object.assign(new Error(`The message is larger than ${MAX_BYTES} bytes`), { responseCode: 552 }))
        return
      }
      const { headers, text, html } = parseMail(Buffer.concat(chunks))
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

function webServer(port: number, messages: CapturedMail[]) {
  const page = Bun.file(new URL('./mail-page.html', import.meta.url))
  return Bun.serve({
    hostname: '127.0.0.1',
    port,
    async fetch(request) {
      const { pathname, hostname } = new URL(request.url)
      // DNS rebinding: the name of another site may resolve to loopback.
      if (!['localhost', '127.0.0.1'].includes(hostname)) return new Response('Use localhost\n', { status: 403 })
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        return new Response('Only GET is supported\n', { status: 405, headers: { allow: 'GET, HEAD' } })
      }
      if (pathname === '/messages') return listing(request, messages)
      if (pathname === '/') return withPolicy(await page.text())
      return new Response('Not found\n', { status: 404 })
    },
  })
}

// The page polls every second; without new messages the answer has no body.
function listing(request: Request, messages: CapturedMail[]): Response {
  const headers = { etag: `"${messages[0]?.id ?? 'none'}"`, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' }
  if (request.headers.get('if-none-match') === headers.etag) return new Response(null, { status: 304, headers })
  return Response.json(messages, { headers })
}

// The frame of a message inherits this policy: inline styles work, scripts and network requests do not.
function withPolicy(page: string): Response {
  const nonce = crypto.randomUUID()
  return new Response(page.replaceAll('{{nonce}}', nonce), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': [
        "default-src 'none'",
        `script-src 'nonce-${nonce}'`,
        "style-src 'unsafe-inline'",
        'img-src data:',
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  })
}
