/** One connection to one address, over which requests go one after another. */
import { connect, type Socket } from 'node:net'
import { connect as connectTls, type PeerCertificate, type SecureContext } from 'node:tls'
import { monotonicMs } from '../../../core/platform/clock.ts'
import type { Deadline } from '../deadline.ts'
import { identityFault } from '../tls-errors.ts'
import type { Endpoint } from './endpoint.ts'
import { type AnswerHead, HttpFault } from './head.ts'
import { AnswerReader } from './response.ts'

/** Where a connection leads to. */
export interface Target extends Pick<Endpoint, 'port' | 'identity' | 'server_name'> {
  /** An address that was checked; nothing is resolved here. */
  address: string
  context: SecureContext | undefined
}

/** An answer, as far as it came. */
export interface HttpAnswer extends AnswerHead {
  body: Buffer
  /** More came than was wanted. */
  isCut: boolean
  /** What ended the body early; null where it is whole, or cut. */
  broken: unknown
  /** When the headers had come, by the monotonic clock. */
  headAt: number
}

let polled: Promise<void> | null = null

/** Two turns of the event loop: whatever has arrived by now is read after them. All callers of one turn share them. */
function nextPoll(): Promise<void> {
  polled ??= new Promise((resolve) => {
    setImmediate(() => {
      polled = null
      setImmediate(resolve)
    })
  })
  return polled
}

/** A request that was sent, and its answer as far as it has come. */
interface Exchange {
  reader: AnswerReader
  headAt: number
  deadline: Deadline
  resolve: (answer: HttpAnswer) => void
  reject: (error: unknown) => void
}

/** A connection that is open. */
export class Connection {
  /** Whether anything came since the last request. */
  hasHeard = false
  #isUsable = true
  #exchange: Exchange | null = null

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true)
    socket.on('data', (bytes: Buffer) => {
      this.hasHeard = true
      if (this.#exchange) this.#read(this.#exchange, bytes)
      else this.close()
    })
    socket.on('end', () => {
      this.#isUsable = false
      if (this.#exchange) this.#read(this.#exchange, null)
    })
    socket.on('close', () => this.#fail(new HttpFault('ConnectionClosed')))
    socket.on('error', (error) => this.#fail(error))
  }

  /**
   * Connects, and proves who is there where TLS is spoken.
   *
   * @throws the error of the socket, of TLS, or DeadlineExpired
   */
  static open(target: Target, deadline: Deadline): Promise<Connection> {
    const { address: host, port, identity, server_name, context } = target
    return new Promise((resolve, reject) => {
      const socket =
        identity === null
          ? connect({ host, port })
          : connectTls({
              host,
              port,
              ...(server_name === undefined ? {} : { servername: server_name }),
              ...(context === undefined ? {} : { secureContext: context }),
              rejectUnauthorized: true,
              checkServerIdentity: (_: string, certificate: PeerCertificate) => identityFault(identity, certificate),
            })
      const fail = (error: unknown) => {
        deadline.finish()
        socket.destroy()
        reject(error)
      }
      const onEarlyEnd = () => fail(new HttpFault('ConnectionClosed'))
      socket.on('error', fail)
      socket.once('close', onEarlyEnd)
      socket.once(identity === null ? 'connect' : 'secureConnect', () => {
        deadline.finish()
        socket.off('close', onEarlyEnd)
        resolve(new Connection(socket))
        socket.off('error', fail)
      })
      deadline.begin(fail)
    })
  }

  get isOpen(): boolean {
    return this.#isUsable
  }

  /** Whether another request may go over it; never once anything came that was not asked for. */
  async isUsable(): Promise<boolean> {
    await nextPoll()
    return this.#isUsable
  }

  close(): void {
    this.#isUsable = false
    this.socket.destroy()
  }

  #fail(error: unknown): void {
    this.#isUsable = false
    if (this.#exchange) this.#finish(this.#exchange, error)
  }

  /**
   * Sends one request and reads its answer.
   *
   * @param mostBody bytes of the body that are wanted
   * @throws what went wrong before all headers had come; later failures are returned in `broken`
   */
  exchange(request: string, mostBody: number, deadline: Deadline): Promise<HttpAnswer> {
    this.hasHeard = false
    return new Promise((resolve, reject) => {
      const exchange = { reader: new AnswerReader(mostBody), headAt: 0, deadline, resolve, reject }
      this.#exchange = exchange
      if (!this.#isUsable) return this.#finish(exchange, new HttpFault('ConnectionClosed'))
      deadline.begin((error) => this.#finish(exchange, error))
      // Where it has expired, nothing is left to send.
      if (this.#exchange) this.socket.write(request)
    })
  }

  /** @param bytes null for the end of the connection */
  #read(exchange: Exchange, bytes: Buffer | null): void {
    const { reader } = exchange
    let fault: unknown = null
    try {
      if (bytes) reader.push(bytes)
      else reader.end()
    } catch (error) {
      fault = error
    }
    if (reader.head && exchange.headAt === 0) exchange.headAt = monotonicMs()
    if (fault !== null || reader.isDone) this.#finish(exchange, fault)
  }

  /** @param broken what ended the answer early */
  #finish({ reader, headAt, deadline, resolve, reject }: Exchange, broken: unknown): void {
    this.#exchange = null
    deadline.finish()
    if (broken !== null || !reader.leavesConnectionUsable || this.socket.writableLength > 0) this.close()
    const { head, body, isCut } = reader
    if (head === null) reject(broken)
    else resolve({ status: head.status, headers: head.headers, body, isCut, broken, headAt })
  }
}
