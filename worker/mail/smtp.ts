/**
 * SMTP with a result for each recipient. Non-ASCII addresses are only sent to servers that support SMTPUTF8 (RFC 6531). A patch of
 * nodemailer (`patches/README.md`) sends the content only after 354, takes only a 250 to all of it for its acceptance, and adds
 * who was refused to the errors of mails.
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
  if (!inHeader.every(({ address }) => isSupported(address)))
    message.setHeader(
      'To',
      inHeader.filter(({ address }) => isSupported(address)),
    )
  const withUnsupported = ({ rejectedErrors = [] }: SmtpError) => ({ rejectedErrors: [...rejectedErrors, ...unsupported] })
  try {
    const sent = await promisified<SentMail>((done) => connection.send({ ...envelope, to }, message.createReadStream(), done))
    return { ...sent, ...withUnsupported(sent) }
  } catch (error) {
    throw Object.assign(error as SmtpError, withUnsupported(error as SmtpError))
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
    const connection = new SMTPConnection(this.options)
    const failed = promisified<never>((done) => connection.on('error', done))
    failed.catch(() => {})
    try {
      return await Promise.race([failed, this.#runSession(connection, mail)])
    } finally {
      connection.close()
    }
  }

  async #runSession(connection: SMTPConnection, mail: NodemailerMail): Promise<SentMail> {
    await promisified<void>((done) => connection.connect(done))
    // The last reply until now is that to EHLO.
    const supportsUtf8 = /^250[ -]SMTPUTF8\b/im.test(String(connection.lastServerResponse))
    const auth = this.getAuth()
    if (auth && connection.allowsAuth) await promisified<unknown>((done) => connection.login(auth, done))
    return sendOver(connection, supportsUtf8, mail)
  }
}

/** A mailer for one server. It never reads files or URLs for the content of a mail. */
export const createMailer = (options: SMTPTransport.Options) =>
  nodemailer.createTransport(new Transport(options), { disableFileAccess: true, disableUrlAccess: true })
