/** The receiver of the seed data: answers hooks and channels, and reports rollouts. */

/** The port of `bun run listen`, which receives what the hooks send later. */
const LISTEN_PORT = 9000

/** One outage, one refusal for good, and otherwise success. */
function answer(path: string, headers: Headers): Response {
  const isFirst = headers.get('x-signalbox-sequence') === '2' && headers.get('x-signalbox-attempt') === '1'
  if (path === '/production' && isFirst) return new Response('the cluster is being upgraded', { status: 503 })
  if (path === '/release-train') {
    return new Response('unknown release', { status: 422, headers: { 'X-Signalbox-Control': 'stop' } })
  }
  return new Response('ok')
}

interface Report {
  state: 'in_progress' | 'succeeded' | 'failed'
  version: string
  description?: string
}

/** What the receiver reports about a dispatch, by its number: the fourth deployment fails. */
function reportsOf(path: string, event: string | null, sequence: number, body: string): Report[] {
  // The hook of staging has a body of its own.
  const { data, inputs } = JSON.parse(body) as { data?: { target_version?: string }; inputs?: { version?: string | null } }
  const deployed = path === '/production' ? `v1.4.${sequence - 1}` : `build-${480 + sequence}`
  const version = event === 'deployment.rollback' ? (data?.target_version ?? inputs?.version ?? '') : deployed
  if (path !== '/production') return [{ state: 'succeeded', version }]
  if (sequence !== 4)
    return [
      { state: 'in_progress', version },
      { state: 'succeeded', version },
    ]
  return [{ state: 'failed', version, description: '2 of 3 instances did not become healthy within five minutes.' }]
}

interface SeedReceiver extends AsyncDisposable {
  url: string
  /** Resolves when everything that was received so far is reported. */
  reported(): Promise<void>
}

/** A receiver on the port of `bun run listen`, or on a free one where that is taken. */
export function startReceiver(): SeedReceiver {
  let reporting: Promise<void> = Promise.resolve()

  async function report(path: string, headers: Headers, body: string): Promise<void> {
    const url = headers.get('x-signalbox-report-url')
    if (!url) return
    const id = headers.get('x-signalbox-delivery') ?? ''
    for (const each of reportsOf(path, headers.get('x-signalbox-event'), Number(headers.get('x-signalbox-sequence')), body)) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { Authorization: `Bearer ${headers.get('x-signalbox-report-token')}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...each, url: `https://ci.northwind.example.com/runs/${id.slice(0, 8)}` }),
      })
      if (!response.ok) throw new Error(`The report was answered ${response.status}: ${await response.text()}`)
    }
  }

  const listen = (port: number) =>
    Bun.serve({
      hostname: '127.0.0.1',
      port,
      async fetch(request) {
        const body = await request.text()
        const path = new URL(request.url).pathname
        const response = answer(path, request.headers)
        // One after another, so that the last deployment is also the last that is reported.
        if (response.ok) reporting = reporting.then(() => report(path, request.headers, body))
        return response
      },
    })
  const server = (() => {
    try {
      return listen(LISTEN_PORT)
    } catch {
      return listen(0)
    }
  })()
  return { url: server.url.origin, reported: () => reporting, [Symbol.asyncDispose]: () => server.stop(true) }
}
