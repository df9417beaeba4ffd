/** The receiver of the scenario: it verifies both signatures, deploys what arrives, and reports how that went. */
import { githubFits, signingKey, standardFits } from '../../cli/listen/signatures.js'
import { Failure } from '../support/command.ts'

/** One request of a dispatch, or of a channel. */
export type Received = Awaited<ReturnType<typeof read>>

export interface Report {
  state: 'in_progress' | 'succeeded' | 'failed'
  version: string
  description?: string
  digest?: object
}

/** The parts of a body that say what is to be deployed where. The hook of staging may have a body of its own. */
interface Sent {
  environment?: string
  data?: { target_version?: string; gate?: { subject: { version: string; digest: object } | null } }
  inputs?: { environment: string; version: string }
}

export type Receiver = ReturnType<typeof startReceiver>

/** @param secret null if what comes to this path is not signed */
async function read(request: Request, secret: string | null) {
  const { headers, url } = request
  // The signature covers the raw bytes; parsing and serializing could change them.
  const body = await request.text()
  const [key, given] = [signingKey(secret ?? '') ?? Buffer.alloc(0), Object.fromEntries(headers)]
  const [event = '', attempt, sequence] = ['event', 'attempt', 'sequence'].map((name) => given[`x-signalbox-${name}`])
  /** Whether they fit: `X-Signalbox-Signature`, and the signature of Standard Webhooks. */
  const signatures: [boolean, boolean] =
    secret === null ? [true, true] : [githubFits(key, given, body), standardFits(key, given, body)]
  const numbers = { attempt: Number(attempt), sequence: sequence ? Number(sequence) : null }
  /** `status` is the status of the answer. */
  return { path: new URL(url).pathname, headers, body, event, ...numbers, signatures, status: 200 }
}

/** One outage, one refusal for good, and otherwise success. */
function answerTo({ signatures, path, event, sequence, attempt }: Received): Response {
  if (signatures.includes(false)) return new Response('not from Signalbox', { status: 401 })
  const isOutage = path === '/production' && event === 'workflow.completed' && sequence === 1 && attempt === 1
  if (isOutage) return new Response('the cluster is being upgraded', { status: 503 })
  if (path !== '/release-train') return new Response('deployed')
  return new Response('unknown release', { status: 422, headers: { 'X-Signalbox-Control': 'stop' } })
}

/** What the receiver reports about a dispatch. @param failing the deployment to production that fails */
function reportsOf({ path, event, sequence }: Received, { data, inputs }: Sent, failing: number): Report[] {
  const number = sequence ?? 0
  const target = data?.target_version ?? inputs?.version ?? ''
  if (event === 'deployment.rollback') return [{ state: 'succeeded', version: target }]
  const subject = data?.gate?.subject
  if (subject) return [{ state: 'succeeded', version: subject.version, digest: subject.digest }]
  if (path !== '/production') return [{ state: 'succeeded', version: `build-${480 + number}` }]
  const version = `v1.${4 + number}.0`
  if (number === failing) return [{ state: 'failed', version, description: 'Invoices are sent twice.' }]
  return (['in_progress', 'succeeded'] as const).map((state) => ({ state, version }))
}

/** Reports with the URL and the token in the headers of a dispatch. */
async function post({ headers }: Received, report: Report): Promise<void> {
  const response = await fetch(headers.get('x-signalbox-report-url') ?? '', {
    method: 'POST',
    headers: { Authorization: `Bearer ${headers.get('x-signalbox-report-token')}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...report, url: 'https://ci.northwind.example.com/runs/4712' }),
    signal: AbortSignal.timeout(30_000),
  })
  if (!response.ok) throw new Failure(`The report was answered ${response.status}: ${await response.text()}`)
}

/** Listens on this machine. @param failing the sequence of the deployment to production that fails */
export function startReceiver(
  failing: number,
  port = 0,
  onReceived: (received: Received) => void = () => {},
  onReported: (report: Report, environment: string) => void = () => {},
) {
  const received: Received[] = []
  /** By path, one for each hook; what comes to other paths is taken without a signature. */
  const secrets: Record<string, string> = {}
  let reporting: Promise<void> = Promise.resolve()
  async function report(one: Received): Promise<void> {
    const sent: Sent = JSON.parse(one.body)
    for (const each of reportsOf(one, sent, failing)) {
      await post(one, each)
      onReported(each, sent.environment ?? sent.inputs?.environment ?? '')
    }
  }
  async function take(request: Request): Promise<Response> {
    const one = await read(request, secrets[new URL(request.url).pathname] ?? null)
    const response = answerTo(one)
    one.status = response.status
    received.push(one)
    onReceived(one)
    if (one.status === 200 && one.headers.has('x-signalbox-report-url')) {
      // One after another, so that the last deployment is also the last that is reported.
      reporting = reporting.then(() => report(one))
      // A failure is thrown where `reported` is awaited.
      reporting.catch(() => {})
    }
    return response
  }
  const server = Bun.serve({ hostname: '127.0.0.1', port, fetch: take })
  /** `reported` resolves when everything that was received so far is reported. */
  return { url: server.url.origin, secrets, received, reported: () => reporting, [Symbol.asyncDispose]: () => server.stop(true) }
}
