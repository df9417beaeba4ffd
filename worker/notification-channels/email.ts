/** E-mail channels: one message through the channel's own mail server, to all of its addresses at once. */
import { connect, type Socket } from 'node:net'
import { type PeerCertificate, rootCertificates } from 'node:tls'
import nodemailer from 'nodemailer'
import { isOpened, literalAddress } from '../../core/addresses.ts'
import { monotonicMs } from '../../core/clock.ts'
import { config as settings } from '../../core/config.ts'
import type { EventMessage } from '../../core/event-messages/index.ts'
import type { Mask } from '../../core/masking.ts'
import type { OpenConfig } from '../../core/notification-channels.ts'
import { certificates, checkedAddress, TIMEOUT_MS, withinDeadline } from '../../core/outbound.ts'
import { Refused } from '../../core/outbound-errors.ts'
import { identityFault } from '../../core/tls-faults.ts'
import { OFFERED_AUTH } from '../mail/auth-plain.ts'
import type { DueMessage } from './look.ts'
import { mailOf } from './mail-form.ts'
import type { Tried } from './outcome.ts'
import { judgeRefusals, judgeSmtp } from './smtp-outcome.ts'

const IMPLICIT_TLS = 465

/** A connection to an address that was checked; nothing resolves the name again. */
function open(address: string, port: number, deadline: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port })
    // The whole conversation has one deadline, however slowly the server drips.
    deadline.addEventListener('abort', () => socket.destroy(deadline.reason), { once: true })
    socket.once('connect', () => {
      socket.removeListener('error', reject)
      resolve(socket)
    })
    socket.once('error', reject)
  })
}

interface Server {
  host: string
  address: string
  port: number
  socket: Socket
}

function transportTo({ host, address, port, socket }: Server, { smtp_user: user, smtp_password: pass }: OpenConfig) {
  const isName = literalAddress(host) === null
  const options = {
    host,
    port,
    connection: socket,
    secure: port === IMPLICIT_TLS,
    // A password goes in clear to nobody but a server of the operator's own.
    requireTLS: user !== undefined && !isOpened(address, settings.OUTBOUND_ALLOW),
    auth: user === undefined ? undefined : { user, pass },
    customAuth: OFFERED_AUTH,
    name: new URL(settings.PUBLIC_URL).hostname,
    tls: {
      ...(isName ? { servername: host } : {}),
      checkServerIdentity: (_: string, certificate: PeerCertificate) => identityFault(host, certificate),
      ...(certificates === undefined ? {} : { ca: [...rootCertificates, certificates] }),
    },
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  } as const
  return nodemailer.createTransport(options as Parameters<typeof nodemailer.createTransport>[0])
}

interface Sent {
  accepted?: (string | { address: string })[]
  rejectedErrors?: { recipient?: string; responseCode?: number; response?: string }[]
  response?: string
}

/**
 * Sends one mail. It never throws: whatever happens is judged.
 *
 * @param message what has been accepted of it before is not sent again
 * @param mask takes secrets out of what the server says
 */
export async function sendByMail(
  channel_id: string,
  config: OpenConfig,
  message: DueMessage,
  text: EventMessage,
  mask: Mask,
): Promise<Tried> {
  const begun = monotonicMs()
  const since = () => Math.round(monotonicMs() - begun)
  const { smtp_host: host = '', smtp_port: port = 587 } = config
  const deadline = AbortSignal.timeout(TIMEOUT_MS)
  let socket: Socket | undefined
  try {
    const address = await withinDeadline(checkedAddress(host), deadline)
    socket = await withinDeadline(open(address, port, deadline), deadline)
    const transport = transportTo({ host, address, port, socket }, config)
    const waiting = (config.to_addresses ?? []).filter((each) => !message.accepted.includes(each))
    const mail = mailOf(channel_id, config, message, text)
    const sent = (await withinDeadline(
      transport.sendMail({ ...mail, envelope: { from: config.from_address ?? '', to: waiting } }),
      deadline,
    )) as Sent
    const refused = sent.rejectedErrors ?? []
    const code = Number.parseInt(sent.response ?? '', 10)
    return {
      verdict: refused.length === 0 ? { kind: 'delivered' } : judgeRefusals(refused, waiting.length, mask),
      response_status: Number.isNaN(code) ? null : code,
      duration_ms: since(),
      accepted: (sent.accepted ?? []).map((each) => (typeof each === 'string' ? each : each.address)),
    }
  } catch (error) {
    const { verdict, response_status } = judgeSmtp(error instanceof Refused ? error.problem : error, deadline.aborted, mask)
    return { verdict, response_status, duration_ms: since() }
  } finally {
    socket?.destroy()
  }
}
