/** A local HTTP server that receives dispatches. */
import { PATIENCE_MS } from './patience.ts'

/** A received request. */
export interface Received {
  method: string
  path: string
  headers: Record<string, string>
  body: string
  at: number
}

type Answer = (request: Received, number: number) => Response | Promise<Response>

export class Receiver {
  readonly requests: Received[] = []
  inFlight = 0
  inFlightMax = 0
  /** Returns the response to a request; tests replace it. */
  answer: Answer = () => new Response('ok')
  #watchers = new Set<() => void>()
  readonly #server: Bun.Server<undefined>

  constructor(port = 0) {
    this.#server = Bun.serve({ port, hostname: '127.0.0.1', idleTimeout: 120, fetch: (request) => this.#receive(request) })
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`
  }

  async #receive(request: Request): Promise<Response> {
    this.inFlight += 1
    this.inFlightMax = Math.max(this.inFlightMax, this.inFlight)
    let left = false
    const leave = () => {
      if (!left) this.inFlight -= 1
      left = true
    }
    // A request that the sender aborted is no longer in flight.
    request.signal.addEventListener('abort', leave)
    try {
      const received = {
        method: request.method,
        path: new URL(request.url).pathname,
        headers: Object.fromEntries(request.headers),
        body: await request.text(),
        at: performance.now(),
      }
      this.requests.push(received)
      for (const watcher of this.#watchers) watcher()
      return await this.answer(received, this.requests.length)
    } finally {
      leave()
    }
  }

  /** Resolves with the requests that match, when there are enough of them. */
  waitFor(count: number, fits: (request: Received) => boolean = () => true): Promise<Received[]> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = this.requests.filter(fits)
        if (found.length < count) return
        this.#watchers.delete(look)
        clearTimeout(timer)
        resolve(found)
      }
      const timer = setTimeout(() => {
        this.#watchers.delete(look)
        reject(new Error(`${this.requests.filter(fits).length} of ${count} requests arrived within ${PATIENCE_MS} ms`))
      }, PATIENCE_MS)
      this.#watchers.add(look)
      look()
    })
  }

  /** Resolves with the first request of an event. */
  async event(name: string): Promise<Received> {
    const [first] = await this.waitFor(1, (request) => request.headers['x-signalbox-event'] === name)
    if (!first) throw new Error(`No ${name} came`)
    return first
  }

  stop(): Promise<void> {
    return this.#server.stop(true)
  }
}
