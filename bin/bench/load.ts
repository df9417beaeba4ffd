/** A process that sends requests as fast as they are answered, for some seconds, and says how many that were. */

export interface LoadOrder {
  /** Taken in turns. */
  urls: string[]
  method: 'GET' | 'POST'
  headers: Record<string, string>
  /** Each `{fresh}` in the headers and here is another text in each request. */
  body?: string
  /** How many requests are under way at once, each on a connection that is kept. */
  inFlight: number
  seconds: number
  /** The status that every answer must have, and a text that must be in it. */
  status: number
  contains: string
}

export interface Load {
  requests: number
  seconds: number
}

const order: LoadOrder = await Bun.stdin.json()
const { urls, status, contains, seconds } = order
const request = { method: order.method, headers: order.headers, body: order.body }
const template = JSON.stringify(request)
const requestNow = () =>
  template.includes('{fresh}') ? JSON.parse(template.replaceAll('{fresh}', crypto.randomUUID())) : request
let requests = 0
const begun = performance.now()
const until = begun + seconds * 1000

async function send(first: number): Promise<void> {
  for (let turn = first; performance.now() < until; turn += order.inFlight) {
    const response = await fetch(urls[turn % urls.length] ?? '', requestNow())
    const text = await response.text()
    if (response.status !== status || !text.includes(contains)) {
      throw new Error(`${order.method} ${response.url} was answered ${response.status}: ${text.slice(0, 500)}`)
    }
    requests++
  }
}

await Promise.all(Array.from({ length: order.inFlight }, (_, index) => send(index)))
const load: Load = { requests, seconds: (performance.now() - begun) / 1000 }
console.log(JSON.stringify(load))
