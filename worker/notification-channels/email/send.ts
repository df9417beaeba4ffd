/** E-mail channels: one mail per message, through the channel's own mail server, to all of its addresses. */
import { connect, type Socket } from 'node:net'
import { type PeerCertificate, rootCertificates } from 'node:tls'
import type { EmailConfig } from '../../../core/notification-channels/email.ts'
import { addressesOf, certificates } from '../../../core/outbound/addresses.ts'
import { Deadline } from '../../../core/outbound/deadline.ts'
import { AddressError, identityError } from '../../../core/outbound/errors.ts'
import { openFirst } from '../../../core/outbound/open-first.ts'
import { isAllowedAddress, literalAddress } from '../../../core/outbound/requests.ts'
import { monotonicMs } from '../../../core/platform/clock.ts'
import { config as settings } from '../../../core/platform/config.ts'
import { bareName } from '../../../core/values/web-addresses.ts'
import { messageOf } from '../../event-messages/index.ts'
import { envelopeOf } from '../../event-messages/people.ts'
import { createMailer, OFFERED_AUTH, openSession, type SentMail, type SmtpError } from '../../mail/smtp.ts'
import { TIMEOUT_MS } from '../../outbound/outbound.ts'
import type { SendResult } from '../outcome.ts'
import type { DueMessage, OpenChannel, SendContext, Sender } from '../sender.ts'
import { mailboxesOf, mailOf } from './mail.ts'
import { classifyRecipients, classifySmtp, mailboxOf, refusedForGood } from './outcome.ts'

const IMPLICIT_TLS = 465

/** Connects to a checked address, so that the name is not resolved again. */
function connectTo(address: string, port: number, deadline: Deadline): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port })
    const fail = (error: Error) => {
      deadline.finish()
      socket.destroy()
      reject(error)
    }
    socket.once('error', fail)
    socket.once('connect', () => {
      deadline.finish()
      socket.removeListener('error', fail)
      resolve(socket)
    })
    deadline.begin(fail)
  })
}

/** Opens a session at a checked address: a server that does not greet, or whose TLS fails, is followed by the next one like one that is away. */
async function open(config: EmailConfig, address: string, deadline: Deadline) {
  const { smtp_host: host, smtp_port: port = 587, smtp_user: user, smtp_password: pass } = config
  const socket = await connectTo(address, port, deadline)
  const isName = literalAddress(host) === null
  const options = {
    host,
    port,
    connection: socket,
    secure: port === IMPLICIT_TLS,
    // Without TLS, a password is sent only to servers that the operator has allowed.
    requireTLS: user !== undefined && !isAllowedAddress(address, settings.OUTBOUND_ALLOW),
    auth: user === undefined ? undefined : { user, pass },
    customAuth: OFFERED_AUTH,
    name: new URL(settings.PUBLIC_URL).hostname,
    tls: {
      ...(isName ? { servername: bareName(host) } : {}),
      checkServerIdentity: (_: string, certificate: PeerCertificate) => identityError(bareName(host), certificate),
      ...(certificates === undefined ? {} : { ca: [...rootCertificates, certificates] }),
    },
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    logger: false,
  } as const
  try {
    const session = await deadline.wait(openSession(options))
    return { socket, mailer: createMailer(options, session) }
  } catch (error) {
    socket.destroy()
    throw error
  }
}

function codeOf(response: string): number | null {
  const code = Number.parseInt(response, 10)
  return Number.isNaN(code) ? null : code
}

/** Sends one mail to the recipients that have not got it yet and were not refused for good. */
async function sendByMail(
  { id: channel_id, config }: OpenChannel<'email'>,
  message: DueMessage,
  { mask }: SendContext,
): Promise<SendResult> {
  const text = messageOf(envelopeOf(message))
  const begun = monotonicMs()
  const since = () => Math.round(monotonicMs() - begun)
  const { smtp_host: host } = config
  // One deadline for the whole SMTP session, however slowly the server sends.
  const deadline = new Deadline(TIMEOUT_MS)
  const all = mailboxesOf(config.to_addresses)
  const reached = all.filter((each) => message.accepted.includes(each))
  const refusedBefore = Object.fromEntries(Object.entries(message.refused).filter(([each]) => all.includes(each)))
  const classify = (accepted: string[], refusedNow: SmtpError[]) =>
    classifyRecipients({ total: all.length, reached: reached.length + accepted.length, refusedBefore, refusedNow }, mask)
  let socket: Socket | undefined
  try {
    const remaining = all.filter((each) => !reached.includes(each) && !Object.hasOwn(refusedBefore, each))
    // The addresses of the channel may have changed since the last attempt.
    if (remaining.length === 0) return { classification: classify([], []), response_status: null, duration_ms: since() }
    const server = await openFirst(
      await addressesOf(host, literalAddress(host), deadline),
      deadline,
      (address, until) => open(config, address, until),
      (unneeded) => unneeded.socket.destroy(),
    )
    socket = server.socket
    const mail = mailOf(channel_id, config, message, text)
    const envelope = { from: config.from_address, to: remaining }
    const sent = (await deadline.wait(server.mailer.sendMail({ ...mail, envelope }))) as SentMail
    const { accepted, rejectedErrors = [], response } = sent
    return {
      classification: classify(accepted, rejectedErrors),
      response_status: codeOf(response),
      duration_ms: since(),
      accepted: accepted.map(mailboxOf),
      refused: refusedForGood(rejectedErrors),
    }
  } catch (error) {
    const cause = error instanceof AddressError ? error.reason : error
    const { classification, response_status } = classifySmtp(cause, deadline.hasExpired, mask)
    const { command, rejectedErrors = [] } = (error ?? {}) as SmtpError
    return {
      // The server refused all recipients.
      classification: command === 'RCPT TO' ? classify([], rejectedErrors) : classification,
      response_status,
      duration_ms: since(),
      refused: refusedForGood(rejectedErrors),
    }
  } finally {
    deadline.end()
    socket?.destroy()
  }
}

export const email: Sender<'email'> = { inFlight: 1, isForPeople: true, send: sendByMail }
