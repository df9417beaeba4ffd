/**
 * SMTP with a result for each recipient. Non-ASCII addresses are only sent to servers that support SMTPUTF8 (RFC 6531). A patch of
 * nodemailer (`patches/README.md`) sends the content only after 354, takes only a 250 to all of it for its acceptance, and adds
 * who was refused to the errors of mails.
 */
import nodemailer from 'nodemailer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import SMTPTransport from 'nodemailer/lib/smtp-transport'

interface AuthContext {
  auth: { credentials: { user: string; pass: string } }
  authMethods: string[]
  sendCommand: (command: string) => Promise<{ status: number }>
}

/**
 * Replaces nodemailer's AUTH PLAIN, which is also its fallback if it supports none of the server's methods: it would send the
 * password in clear text to a server that does not offer PLAIN.
 */
async function plain({ auth: { credentials }, authMethods, sendCommand }: AuthContext): Promise<void> {
  if (!authMethods.includes('PLAIN')) {
    throw new Error('The mail server offers no supported authentication method (PLAIN, LOGIN, CRAM-MD5)')
  }
  const { user, pass } = credentials
  const { status } = await sendCommand(`AUTH PLAIN ${Buffer.from(`\0${user}\0${pass}`).toString('base64')}`)
  if (status < 200 || status >= 300) throw new Error('Invalid login')
}

/** For nodemailer's option `customAuth`. */
export const OFFERED_AUTH = { PLAIN: plain } as const

/** Why a recipient or a whole mail was refused. Every field may be missing. */
export interface SmtpError {
  code?: string
  command?: string
  responseCode?: number
  response?: string
  message?: string
  /** Whether a retry would fail again. */
  permanent?: boolean
  recipient?: string
  rejectedErrors?: SmtpError[]
}

/** The result of a mail that at least one recipient got. */
export interface SentMail {
  accepted: string[]
  rejectedErrors?: SmtpError[]
  response: string
}

const isAscii = (address: string): boolean => !/[^\p{ASCII}]/u.test(address)

const utf8NotSupported = (command: string, rest: SmtpError = {}): SmtpError =>
  Object.assign(new Error('The mail server does not support non-ASCII addresses (SMTPUTF8)'), {
    code: 'EENVELOPE',
    command,
    permanent: true,
    ...rest,
  })

type NodemailerMail = Parameters<SMTPTransport['send']>[0]

const promisified = <Result>(run: (done: (error: unknown, result?: Result) => void) => void): Promise<Result> =>
  new Promise((resolve, reject) => run((error, result) => (error ? reject(error) : resolve(result as Result))))

/** Sends over an open connection. Refuses recipients whose addresses the server does not support. */
async function sendOver(connection: SMTPConnection, supportsUtf8: boolean, { message }: NodemailerMail): Promise<SentMail> {
  const envelope = message.getEnvelope()
  const isSupported = (address = ''): boolean => supportsUtf8 || isAscii(address)
  if (!isSupported(envelope.from || undefined)) throw utf8NotSupported('MAIL FROM')
  const to = envelope.to.filter(isSupported)
  const unsupported = envelope.to
    .filter((each) => !isSupported(each))
    .map((recipient) => utf8NotSupported('RCPT TO', { recipient }))
  if (to.length === 0) throw utf8NotSupported('RCPT TO', { rejectedErrors: unsupported })
  const inHeader = message.getAddresses().to ?? []
  const supported = inHeader.filter(({ address }) => isSupported(address))
  if (supported.length < inHeader.length) message.setHeader('To', supported)
  const withUnsupported = ({ rejectedErrors = [] }: SmtpError) => ({ rejectedErrors: [...rejectedErrors, ...unsupported] })
  try {
    const sent = await promisified<SentMail>((done) => connection.send({ ...envelope, to }, message.createReadStream(), done))
    return { ...sent, ...withUnsupported(sent) }
  } catch (error) {
    throw Object.assign(error as SmtpError, withUnsupported(error as SmtpError))
  }
}

interface Session {
  connection: SMTPConnection
  /** Rejected when the connection breaks. */
  failed: Promise<never>
}

/** Connects, greets and, if that is offered or required, starts TLS. Nothing of a mail is sent, and no password. */
export async function openSession(options: SMTPTransport.Options): Promise<Session> {
  const connection = new SMTPConnection(options)
  const failed = promisified<never>((done) => connection.on('error', done))
  failed.catch(() => {})
  try {
    await Promise.race([failed, promisified<void>((done) => connection.connect(done))])
    return { connection, failed }
  } catch (error) {
    connection.close()
    throw error
  }
}

/** Opens a connection for each mail, or sends one over a session that is open. */
class Transport extends SMTPTransport {
  constructor(
    options: SMTPTransport.Options,
    private readonly session?: Session,
  ) {
    super(options)
  }

  override send(mail: NodemailerMail, callback: Parameters<SMTPTransport['send']>[1]): void {
    this.#send(mail).then(
      (info) => callback(null, info as unknown as Parameters<typeof callback>[1]),
      (error) => callback(error),
    )
  }

  async #send(mail: NodemailerMail): Promise<SentMail> {
    const { connection, failed } = this.session ?? (await openSession(this.options))
    try {
      return await Promise.race([failed, this.#runSession(connection, mail)])
    } finally {
      connection.close()
    }
  }

  async #runSession(connection: SMTPConnection, mail: NodemailerMail): Promise<SentMail> {
    // The last reply until now is that to EHLO.
    const supportsUtf8 = /^250[ -]SMTPUTF8\b/im.test(String(connection.lastServerResponse))
    const auth = this.getAuth()
    if (auth && connection.allowsAuth) await promisified<unknown>((done) => connection.login(auth, done))
    return sendOver(connection, supportsUtf8, mail)
  }
}

/** A mailer for one server, or one session. It never reads files or URLs for the content of a mail. */
export const createMailer = (options: SMTPTransport.Options, session?: Session) =>
  nodemailer.createTransport(new Transport(options, session), { disableFileAccess: true, disableUrlAccess: true })
