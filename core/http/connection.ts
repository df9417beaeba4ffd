/** One connection to one address, over which requests go one after another. */
import { connect, type Socket } from 'node:net'
import { connect as connectTls, type PeerCertificate, type SecureContext } from 'node:tls'
import { monotonicMs } from '../clock.ts'
import { identityFault } from '../tls-faults.ts'
import { type AnswerHead, AnswerReader, HttpFault } from './answer.ts'

/** Where a connection leads to. */
export interface Target {
  /** An address that was checked; nothing is resolved here. */
  address: string
  port: number
  /** The name, or the address, that the certificate must be for; null without TLS. */
  identity: string | null
  /** For SNI: the name; undefined where an address was asked for. */
  server_name: string | undefined
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

/** Two turns of the event loop: whatever has arrived by now is read after them. */
const nextPoll = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

/** A connection that is open. */
export class Connection {
  /** Whether anything came since the last request. */
  hasHeard = false
  #isUsable = true
  #onBytes: (bytes: Buffer) => void = () => this.close()
  #onEnd: (error: unknown) => void = () => {}

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true)
    socket.on('data', (bytes: Buffer) => {
      this.hasHeard = true
      this.#onBytes(bytes)
    })
    socket.on('end', () => this.#end(null))
    socket.on('close', () => this.#end(new HttpFault('ConnectionClosed')))
    socket.on('error', (error) => this.#end(error))
  }

  /**
   * Connects, and proves who is there where TLS is spoken.
   *
   * @throws the error of the socket, of TLS, or the reason of the deadline
   */
  static open(target: Target, deadline: AbortSignal): Promise<Connection> {
    const { address: host, port, identity, server_name, context } = target
    return new Promise((resolve, reject) => {
      if (deadline.aborted) return reject(deadline.reason)
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
        deadline.removeEventListener('abort', expire)
        socket.destroy()
        reject(error)
      }
      const expire = () => fail(deadline.reason)
      const onEarlyEnd = () => fail(new HttpFault('ConnectionClosed'))
      deadline.addEventListener('abort', expire, { once: true })
      socket.on('error', fail)
      socket.once('close', onEarlyEnd)
      socket.once(identity === null ? 'connect' : 'secureConnect', () => {
        deadline.removeEventListener('abort', expire)
        socket.off('close', onEarlyEnd)
        resolve(new Connection(socket))
      })
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

  #end(error: unknown): void {
    this.#isUsable = false
    this.#onEnd(error)
  }

  /**
   * Sends one request and reads its answer.
   *
   * @param mostBody bytes of the body that are wanted
   * @throws what went wrong before all headers had come; later failures are returned in `broken`
   */
  exchange(request: Buffer, mostBody: number, deadline: AbortSignal): Promise<HttpAnswer> {
    const reader = new AnswerReader(mostBody)
    this.hasHeard = false
    return new Promise((resolve, reject) => {
      let headAt = 0
      const finish = (broken: unknown) => {
        this.#onEnd = () => {}
        this.#onBytes = () => this.close()
        deadline.removeEventListener('abort', expire)
        if (broken !== null || !reader.leavesConnectionUsable || this.socket.writableLength > 0) this.close()
        const { head, body, isCut } = reader
        if (head === null) reject(broken)
        else resolve({ ...head, body, isCut, broken, headAt })
      }
      const expire = () => finish(deadline.reason)
      const attempt = (read: () => void) => {
        try {
          read()
        } catch (error) {
          finish(error)
          return
        } finally {
          if (reader.head !== null && headAt === 0) headAt = monotonicMs()
        }
        if (reader.isDone) finish(null)
      }
      this.#onBytes = (bytes) => attempt(() => reader.push(bytes))
      this.#onEnd = (error) => (error === null ? attempt(() => reader.end()) : finish(error))
      deadline.addEventListener('abort', expire, { once: true })
      if (deadline.aborted) return expire()
      if (!this.#isUsable) return finish(new HttpFault('ConnectionClosed'))
      this.socket.write(request)
    })
  }
}
