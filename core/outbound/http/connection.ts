/** A connection to one address, which sends one request at a time, and those that wait for the next one. */
import { connect, type Socket } from 'node:net'
import { connect as connectTls, type PeerCertificate, type SecureContext } from 'node:tls'
import { monotonicMs } from '../../platform/clock.ts'
import type { Deadline } from '../deadline.ts'
import { identityError } from '../errors.ts'
import type { Endpoint } from './endpoint.ts'
import { HttpError, type ResponseHead, TOKEN } from './head.ts'
import { ResponseReader } from './response.ts'

interface ConnectionTarget extends Pick<Endpoint, 'port' | 'identity' | 'server_name'> {
  /** A checked address; nothing is resolved here. */
  address: string
  context: SecureContext | undefined
}

export interface HttpResponse extends ResponseHead {
  body: Buffer
  /** Whether the body was longer than what was read. */
  isCut: boolean
  /** The error that ended the body early; null if it is complete or cut. */
  bodyError: unknown
  /** When the headers were complete, by the monotonic clock. */
  headAt: number
}

let nextRead: Promise<void> | null = null

/** Waits two turns of the event loop, after which all bytes that have arrived by now are read. Concurrent callers share them. */
function arrivedBytesRead(): Promise<void> {
  nextRead ??= new Promise((resolve) => {
    setImmediate(() => {
      nextRead = null
      setImmediate(resolve)
    })
  })
  return nextRead
}

interface RequestInFlight {
  reader: ResponseReader
  headAt: number
  deadline: Deadline
  resolve: (response: HttpResponse) => void
  reject: (error: unknown) => void
}

export class Connection {
  /** Whether anything was received that can be the response to the last request. */
  hasReceived = false
  #isUsable = true
  #isReused = false
  #request: RequestInFlight | null = null

  private constructor(
    private readonly socket: Socket,
    readonly address: string,
  ) {
    socket.setNoDelay(true)
    socket.on('data', (bytes: Buffer) => {
      if (!this.#request || this.#isEarly()) return this.close()
      this.hasReceived = true
      this.#read(this.#request, bytes)
    })
    socket.on('end', () => {
      this.#isUsable = false
      if (this.#request) this.#read(this.#request, null)
    })
    socket.on('close', () => this.#fail(new HttpError('ConnectionClosed')))
    socket.on('error', (error) => this.#fail(error))
  }

  /** Connects and, with TLS, checks the certificate. @throws a socket or TLS error, or DeadlineExpired */
  static open(target: ConnectionTarget, deadline: Deadline): Promise<Connection> {
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
              checkServerIdentity: (_: string, certificate: PeerCertificate) => identityError(identity, certificate),
            })
      const fail = (error: unknown) => {
        deadline.finish()
        socket.destroy()
        reject(error)
      }
      const onEarlyEnd = () => fail(new HttpError('ConnectionClosed'))
      socket.on('error', fail)
      socket.once('close', onEarlyEnd)
      socket.once(identity === null ? 'connect' : 'secureConnect', () => {
        deadline.finish()
        socket.off('close', onEarlyEnd)
        resolve(new Connection(socket, host))
        socket.off('error', fail)
      })
      deadline.begin(fail)
    })
  }

  /**
   * Whether what arrives now was sent before the server had the request: a reused connection may carry what no request had asked for.
   * On a new one, a server may refuse a request that it has not read to its end.
   */
  #isEarly(): boolean {
    return this.#isReused && !this.hasReceived && this.socket.writableLength > 0
  }

  get isOpen(): boolean {
    return this.#isUsable
  }

  /** Whether it can be used for another request. False after it received bytes that no request had asked for. */
  async isUsable(): Promise<boolean> {
    await arrivedBytesRead()
    return this.#isUsable
  }

  close(): void {
    this.#isUsable = false
    this.socket.destroy()
  }

  #fail(error: unknown): void {
    this.#isUsable = false
    if (this.#request) this.#finish(this.#request, error)
  }

  /** @throws errors before the headers are complete; later ones are in `bodyError` */
  send(text: string, maxBody: number, deadline: Deadline): Promise<HttpResponse> {
    this.hasReceived = false
    return new Promise((resolve, reject) => {
      const request = { reader: new ResponseReader(maxBody), headAt: 0, deadline, resolve, reject }
      this.#request = request
      if (!this.#isUsable) return this.#finish(request, new HttpError('ConnectionClosed'))
      deadline.begin((error) => this.#finish(request, error))
      // If the deadline has expired, `begin` has finished the request.
      if (this.#request) this.socket.write(text)
    })
  }

  /** @param bytes null for the end of the connection */
  #read(request: RequestInFlight, bytes: Buffer | null): void {
    const { reader } = request
    let error: unknown = null
    try {
      if (bytes) reader.push(bytes)
      else reader.end()
    } catch (thrown) {
      error = thrown
    }
    if (reader.head && request.headAt === 0) request.headAt = monotonicMs()
    if (error !== null || reader.isDone) this.#finish(request, error)
  }

  /** @param error null if the response is complete or cut */
  #finish({ reader, headAt, deadline, resolve, reject }: RequestInFlight, error: unknown): void {
    this.#request = null
    this.#isReused = true
    deadline.finish()
    if (error !== null || !reader.leavesConnectionUsable || this.socket.writableLength > 0) this.close()
    const { head, body, isCut } = reader
    if (head === null) reject(error)
    else resolve({ status: head.status, headers: head.headers, body, isCut, bodyError: error, headAt })
  }
}

const HEADER_VALUE = /^[\t\x20-\x7e]*$/

export type Method = 'GET' | 'POST' | 'PATCH'

/**
 * Formats a request, to be sent as UTF-8. Up to the body it is ASCII.
 *
 * @param headers must not contain those that are set here
 * @param method default: GET without a body, POST with one
 * @throws Error if a header contains characters that cannot be sent
 */
export function requestText(
  { path, host }: Pick<Endpoint, 'path' | 'host'>,
  headers: Record<string, string>,
  body: string | null,
  keepsAlive: boolean,
  method: Method = body === null ? 'GET' : 'POST',
): string {
  let given = ''
  let hasAccept = false
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (!TOKEN.test(name) || !HEADER_VALUE.test(value)) throw new Error(`The header ${name} cannot be sent`)
    hasAccept ||= name.length === 6 && name.toLowerCase() === 'accept'
    given += `${name}: ${value.trim()}\r\n`
  }
  const length = body === null ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`
  return (
    `${method} ${path} HTTP/1.1\r\n${hasAccept ? '' : 'Accept: */*\r\n'}${given}Host: ${host}\r\n` +
    // HTTP/1.1 connections are persistent by default.
    `Accept-Encoding: identity\r\n${length}${keepsAlive ? '' : 'Connection: close\r\n'}\r\n${body ?? ''}`
  )
}

/** A connection that the next request of the same owner to the same server can reuse. */
type IdleConnection = { key: string; connection: Connection; until: number }

/** Keeps a limited number of connections for a short time. The oldest is closed first. */
export class IdleConnections {
  /** Oldest first, in both collections. */
  readonly #idle = new Set<IdleConnection>()
  readonly #byKey = new Map<string, IdleConnection[]>()
  #isSweeping = false

  /** @param keepMs how long each is kept; servers should keep theirs for longer */
  constructor(
    private readonly limit: number,
    private readonly keepMs: number,
  ) {}

  get size(): number {
    return this.#idle.size
  }

  /** Takes the connection that was used last, because it is the most likely to be still open. */
  async take(key: string): Promise<Connection | null> {
    for (let idle = this.#byKey.get(key)?.at(-1); idle; idle = this.#byKey.get(key)?.at(-1)) {
      this.#remove(idle)
      if (await idle.connection.isUsable()) return idle.connection
      idle.connection.close()
    }
    return null
  }

  keep(key: string, connection: Connection): void {
    const [oldest] = this.#idle
    if (oldest && this.#idle.size >= this.limit) this.#drop(oldest)
    const idle: IdleConnection = { key, connection, until: monotonicMs() + this.keepMs }
    this.#idle.add(idle)
    const others = this.#byKey.get(key)
    if (others) others.push(idle)
    else this.#byKey.set(key, [idle])
    if (!this.#isSweeping) this.#sweepIn(this.keepMs)
  }

  /** One timer for all connections, because most are reused before they expire. It does not keep the process alive. */
  #sweepIn(ms: number): void {
    this.#isSweeping = true
    setTimeout(() => this.#sweep(), ms).unref()
  }

  #sweep(): void {
    this.#isSweeping = false
    const now = monotonicMs()
    for (const idle of this.#idle) if (idle.until <= now) this.#drop(idle)
    const [oldest] = this.#idle
    if (oldest) this.#sweepIn(oldest.until - now)
  }

  #drop(idle: IdleConnection): void {
    this.#remove(idle)
    idle.connection.close()
  }

  /** Only the first or the last connection of a key is ever removed. */
  #remove(idle: IdleConnection): void {
    this.#idle.delete(idle)
    const others = this.#byKey.get(idle.key) ?? []
    if (others.at(-1) === idle) others.pop()
    else others.shift()
    if (others.length === 0) this.#byKey.delete(idle.key)
  }
}
