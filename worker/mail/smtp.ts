/**
 * SMTP with an outcome for each recipient. Two things that nodemailer leaves out: a reply of several lines counts by its
 * last one, and an address outside ASCII goes to no server that does not offer SMTPUTF8 (RFC 6531).
 */
import nodemailer from 'nodemailer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import SMTPTransport from 'nodemailer/lib/smtp-transport'

/** Why a recipient, or a whole mail, was refused; every field may be missing. */
export interface SmtpError {
  code?: string
  command?: string
  responseCode?: number
  response?: string
  message?: string
  /** Another try would be refused again. */
  permanent?: boolean
  recipient?: string
  /** Recipients that were refused before the mail failed or went to the others. */
  rejectedErrors?: SmtpError[]
}

/** What became of a mail that at least one recipient has. */
export interface Sent {
  accepted: string[]
  rejectedErrors?: SmtpError[]
  response: string
}

/** What of a connection is not public. */
interface Internals {
  _responseQueue: string[]
  _supportedExtensions: string[]
  _envelope?: { mailError?: SmtpError; rejectedErrors?: SmtpError[] }
  _processResponse(): void
}

const Base = SMTPConnection as unknown as new (options: SMTPConnection.Options) => SMTPConnection & Internals

/** The last line of a reply whose lines disagree about its code; else the reply as it is. */
function decisive(reply: string): string {
  const lines = reply.split('\n')
  const last = lines.at(-1) ?? ''
  return lines.every((line) => line.slice(0, 3) === last.slice(0, 3)) ? reply : last
}

class Connection extends Base {
  override _processResponse(): void {
    const [reply, ...rest] = this._responseQueue
    if (reply !== undefined) this._responseQueue = [decisive(reply), ...rest]
    super._processResponse()
  }

  get takesUtf8(): boolean {
    return this._supportedExtensions.includes('SMTPUTF8')
  }

  /** Recipients that were refused. Where the sender was, all commands sent along with it are, and that means nothing. */
  get refused(): SmtpError[] {
    return this._envelope?.mailError ? [] : (this._envelope?.rejectedErrors ?? [])
  }
}

const isAscii = (address: string): boolean => !/[^\p{ASCII}]/u.test(address)

const notAscii = (command: string, rest: SmtpError = {}): SmtpError =>
  Object.assign(new Error('The mail server takes no address outside ASCII: it does not offer SMTPUTF8'), {
    code: 'EENVELOPE',
    command,
    permanent: true,
    ...rest,
  })

type Mail = Parameters<SMTPTransport['send']>[0]

/** Turns a method that calls back into a promise. */
const called = <Result>(run: (done: (error: unknown, result?: Result) => void) => void): Promise<Result> =>
  new Promise((resolve, reject) => run((error, result) => (error ? reject(error) : resolve(result as Result))))

/** Sends over a connection that is made. Whom this server cannot be named is refused here. */
async function sendOver(connection: Connection, { message }: Mail): Promise<Sent> {
  const envelope = message.getEnvelope()
  const can = (address = ''): boolean => connection.takesUtf8 || isAscii(address)
  if (!can(envelope.from || undefined)) throw notAscii('MAIL FROM')
  const to = envelope.to.filter(can)
  const left = envelope.to.filter((each) => !can(each)).map((recipient) => notAscii('RCPT TO', { recipient }))
  if (to.length === 0) throw notAscii('RCPT TO', { rejectedErrors: left })
  const named = message.getAddresses().to ?? []
  if (!named.every(({ address }) => can(address)))
    message.setHeader(
      'To',
      named.filter(({ address }) => can(address)),
    )
  try {
    const sent = await called<Sent>((done) => connection.send({ ...envelope, to }, message.createReadStream(), done))
    return { ...sent, rejectedErrors: [...connection.refused, ...left] }
  } catch (error) {
    throw Object.assign(error as SmtpError, { rejectedErrors: [...connection.refused, ...left] })
  }
}

/** One connection for each mail. */
class Transport extends SMTPTransport {
  override send(mail: Mail, callback: Parameters<SMTPTransport['send']>[1]): void {
    this.#send(mail).then(
      (info) => callback(null, info as unknown as Parameters<typeof callback>[1]),
      (error) => callback(error),
    )
  }

  async #send(mail: Mail): Promise<Sent> {
    const connection = new Connection(this.options)
    const broken = called<never>((done) => connection.on('error', done))
    broken.catch(() => {})
    try {
      return await Promise.race([broken, this.#converse(connection, mail)])
    } finally {
      connection.close()
    }
  }

  async #converse(connection: Connection, mail: Mail): Promise<Sent> {
    await called<void>((done) => connection.connect(done))
    const auth = this.getAuth()
    if (auth && connection.allowsAuth) await called<unknown>((done) => connection.login(auth, done))
    return sendOver(connection, mail)
  }
}

/** A mailer to one server; it reads no files and no URLs, whatever a mail names. */
export const createMailer = (options: SMTPTransport.Options) =>
  nodemailer.createTransport(new Transport(options), { disableFileAccess: true, disableUrlAccess: true })
