/** A real SMTP server on a local port, whose behavior a test chooses. */
import { createServer, type Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { parseMail } from '../../bin/support/mail-catcher.ts'

/** A mail as received. */
export interface Mail {
  from: string
  to: string[]
  headers: Record<string, string>
  text: string
  html: string | null
  raw: string
  secure: boolean
  user: string | null
}

export interface MailServer {
  port: number
  mails: Mail[]
  /** The number of connections so far. */
  connections: () => number
  stop(): Promise<void>
}

/** An error reply, given as a full line: `450 4.2.0 Come back later`. */
export const refusal = (answer: string): Error =>
  Object.assign(new Error(answer.slice(4)), { responseCode: Number(answer.slice(0, 3)) })

/** A new self-signed certificate for a name. Without a SAN, the name is only in its common name. */
export async function certificateFor(name: string, hasSan = true): Promise<{ key: string; cert: string }> {
  const made = Bun.spawn(
    [
      ...['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
      ...['-subj', `/CN=${name}`, ...(hasSan ? ['-addext', `subjectAltName=DNS:${name}`] : []), '-keyout', '-', '-out', '-'],
    ],
    { stdout: 'pipe', stderr: 'ignore' },
  )
  const pem = await new Response(made.stdout).text()
  const part = (label: string) => new RegExp(`-----BEGIN ${label}-----[\\s\\S]*?-----END ${label}-----`).exec(pem)?.[0] ?? ''
  return { key: part('PRIVATE KEY'), cert: part('CERTIFICATE') }
}

/** Starts an SMTP server. It offers STARTTLS if given a certificate, and AUTH if given `onAuth`. */
export async function mailServer(options: SMTPServerOptions = {}, { host = '127.0.0.1', port = 0 } = {}): Promise<MailServer> {
  const mails: Mail[] = []
  let connections = 0
  const disabled = [...(options.cert ? [] : ['STARTTLS']), ...(options.onAuth ? [] : ['AUTH'])]
  const server = new SMTPServer({
    disabledCommands: disabled,
    disableReverseLookup: true,
    authOptional: options.onAuth === undefined,
    allowInsecureAuth: true,
    closeTimeout: 500,
    ...options,
    onConnect(session, done) {
      connections += 1
      if (options.onConnect) options.onConnect.call(server, session, done)
      else done()
    },
    async onData(stream, session, done) {
      const chunks = await Array.fromAsync(stream as AsyncIterable<Buffer>).catch(() => null)
      // A client that disconnects within DATA, as a killed one does, has sent nothing.
      if (!chunks) return
      const raw = Buffer.concat(chunks).toString()
      if (options.onData) return options.onData.call(server, stream, session, done)
      const { headers, text, html } = await parseMail(Buffer.from(raw))
      mails.push({
        from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
        to: session.envelope.rcptTo.map(({ address }) => address),
        headers,
        text,
        html,
        raw,
        secure: session.secure,
        user: (session.user as string | undefined) ?? null,
      })
      done()
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  const address = server.server.address()
  return {
    port: address !== null && typeof address === 'object' ? address.port : 0,
    mails,
    connections: () => connections,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** A TCP server whose connections a test handles itself. */
export async function rawSmtpServer(greet: (socket: Socket) => void): Promise<{ port: number; stop(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    greet(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: address !== null && typeof address === 'object' ? address.port : 0,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
