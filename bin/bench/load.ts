/** Sends requests as fast as they are answered for some seconds, and prints how many were answered. Runs as a process. */

export interface LoadOrder {
  /** Used in turn. */
  urls: string[]
  method: 'GET' | 'POST'
  headers: Record<string, string>
  /** The `Authorization` of each URL, where they differ. */
  authorizations?: string[]
  body?: string
  /** Concurrent requests, each on a connection that is kept open. */
  inFlight: number
  seconds: number
  /** Every answer must have this status and contain this text. */
  status: number
  contains: string
}

export interface Load {
  requests: number
  seconds: number
}

const { urls, method, headers, authorizations, body, inFlight, seconds, status, contains }: LoadOrder = await Bun.stdin.json()
let requests = 0
const begun = performance.now()
const deadline = begun + seconds * 1000

async function send(first: number): Promise<void> {
  for (let turn = first; performance.now() < deadline; turn += inFlight) {
    const url = urls[turn % urls.length] ?? ''
    const Authorization = authorizations?.[turn % urls.length]
    const response = await fetch(url, { method, headers: Authorization ? { ...headers, Authorization } : headers, body })
    const text = await response.text()
    if (response.status !== status || !text.includes(contains)) {
      console.error(`${url} answered ${response.status}: ${text.slice(0, 500)}`)
      process.exit(1)
    }
    requests++
  }
}

await Promise.all(Array.from({ length: inFlight }, (_, index) => send(index)))
const load: Load = { requests, seconds: (performance.now() - begun) / 1000 }
console.log(JSON.stringify(load))
