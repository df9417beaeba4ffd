/**
 * SMTP with a result for each recipient. Adds three things to nodemailer: the code of a multi-line reply is that of its last line,
 * the content is sent only after 354, and non-ASCII addresses are only sent to servers that support SMTPUTF8 (RFC 6531).
 */
import nodemailer from 'nodemailer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import SMTPTransport from 'nodemailer/lib/smtp-transport'

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
  /** The refused recipients. */
  rejectedErrors?: SmtpError[]
}

/** The result of a mail that at least one recipient got. */
export interface SentMail {
  accepted: string[]
  rejectedErrors?: SmtpError[]
  response: string
}

/** Private fields of nodemailer's connection. */
interface ConnectionInternals {
  _responseQueue: string[]
  _supportedExtensions: string[]
  _envelope?: { mailError?: SmtpError; rejectedErrors?: SmtpError[] }
  _processResponse(): void
  _actionDATA(reply: string, done: DataDone): void
}

type DataDone = (error: unknown, result?: unknown) => void

const Base = SMTPConnection as unknown as new (options: SMTPConnection.Options) => SMTPConnection & ConnectionInternals

/** The last line of a reply if its lines have different codes; otherwise the whole reply. */
function normalizedReply(reply: string): string {
  const lines = reply.split('\n')
  const last = lines.at(-1) ?? ''
  return lines.every((line) => line.slice(0, 3) === last.slice(0, 3)) ? reply : last
}

/** The server and we do not agree on which command a reply is for: the reply to the content would be another one's. */
const notInStep = (reply: string): SmtpError =>
  Object.assign(new Error(`The mail server answered DATA with "${reply.trim()}" where only 354 may follow, alone.`), {
    code: 'EPROTOCOL',
    command: 'DATA',
    responseCode: Number.parseInt(reply, 10),
  })

class SmtpConnection extends Base {
  override _processResponse(): void {
    const [reply, ...rest] = this._responseQueue
    if (reply !== undefined) this._responseQueue = [normalizedReply(reply), ...rest]
    super._processResponse()
  }

  /** nodemailer takes any 2xx for 354. A reply that is there before the content was sent cannot be about the content. */
  override _actionDATA(reply: string, done: DataDone): void {
    const isInStep = reply.startsWith('354') && this._responseQueue.length === 0
    super._actionDATA(reply, (error, result) => (error || isInStep ? done(error, result) : done(notInStep(reply))))
  }

  get supportsUtf8(): boolean {
    return this._supportedExtensions.includes('SMTPUTF8')
  }

  /** The refused recipients. Empty if the sender was refused, because the server then refuses all pipelined commands. */
  get refused(): SmtpError[] {
    return this._envelope?.mailError ? [] : (this._envelope?.rejectedErrors ?? [])
  }
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

/** Converts a callback to a promise. */
const promisified = <Result>(run: (done: (error: unknown, result?: Result) => void) => void): Promise<Result> =>
  new Promise((resolve, reject) => run((error, result) => (error ? reject(error) : resolve(result as Result))))

/** Sends over an open connection. Refuses recipients whose addresses the server does not support. */
async function sendOver(connection: SmtpConnection, { message }: NodemailerMail): Promise<SentMail> {
  const envelope = message.getEnvelope()
  const isSupported = (address = ''): boolean => connection.supportsUtf8 || isAscii(address)
  if (!isSupported(envelope.from || undefined)) throw utf8NotSupported('MAIL FROM')
  const to = envelope.to.filter(isSupported)
  const unsupported = envelope.to
    .filter((each) => !isSupported(each))
    .map((recipient) => utf8NotSupported('RCPT TO', { recipient }))
  if (to.length === 0) throw utf8NotSupported('RCPT TO', { rejectedErrors: unsupported })
  const inHeader = message.getAddresses().to ?? []
  if (!inHeader.every(({ address }) => isSupported(address)))
    message.setHeader(
      'To',
      inHeader.filter(({ address }) => isSupported(address)),
    )
  try {
    const sent = await promisified<SentMail>((done) => connection.send({ ...envelope, to }, message.createReadStream(), done))
    return { ...sent, rejectedErrors: [...connection.refused, ...unsupported] }
  } catch (error) {
    throw Object.assign(error as SmtpError, { rejectedErrors: [...connection.refused, ...unsupported] })
  }
}

/** Opens a connection for each mail. */
class Transport extends SMTPTransport {
  override send(mail: NodemailerMail, callback: Parameters<SMTPTransport['send']>[1]): void {
    this.#send(mail).then(
      (info) => callback(null, info as unknown as Parameters<typeof callback>[1]),
      (error) => callback(error),
    )
  }

  async #send(mail: NodemailerMail): Promise<SentMail> {
    const connection = new SmtpConnection(this.options)
    const failed = promisified<never>((done) => connection.on('error', done))
    failed.catch(() => {})
    try {
      return await Promise.race([failed, this.#runSession(connection, mail)])
    } finally {
      connection.close()
    }
  }

  async #runSession(connection: SmtpConnection, mail: NodemailerMail): Promise<SentMail> {
    await promisified<void>((done) => connection.connect(done))
    const auth = this.getAuth()
    if (auth && connection.allowsAuth) await promisified<unknown>((done) => connection.login(auth, done))
    return sendOver(connection, mail)
  }
}

/** A mailer for one server. It never reads files or URLs for the content of a mail. */
export const createMailer = (options: SMTPTransport.Options) =>
  nodemailer.createTransport(new Transport(options), { disableFileAccess: true, disableUrlAccess: true })
