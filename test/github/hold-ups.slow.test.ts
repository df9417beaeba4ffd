/** No delivery holds up another request, not even the largest that is signed. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { fill, JSON_BODIES } from '../api/worst-bodies.ts'
import { GithubBench } from './workbench.ts'

/** The aim is 50 ms. The margin is for a slow machine. */
const LIMIT_MS = 100
/** A busy machine delays some probes; a delivery that holds others up delays all of them. */
const TRIES = 15

const EVENTS = ['deployment_protection_rule', 'deployment_status', 'workflow_run', 'installation', 'repository']

let bench: GithubBench

beforeAll(async () => {
  bench = await GithubBench.connected({ own: true })
})
afterAll(() => bench.close())

/** How long a probe waited at most while a delivery was being answered. */
async function heldUp(event: string, body: string): Promise<number> {
  const { box, app } = bench
  const signature = createHmac('sha256', app.webhookSecret ?? '')
    .update(body)
    .digest('hex')
  let isAnswered = false
  const answer = box
    .request('POST', '/github/webhooks', body, {
      'Content-Type': 'application/json',
      'X-GitHub-Event': event,
      'X-GitHub-Delivery': crypto.randomUUID(),
      'X-Hub-Signature-256': `sha256=${signature}`,
    })
    .finally(() => {
      isAnswered = true
    })
  let longest = 0
  do {
    const started = performance.now()
    await (await fetch(`${box.base}/livez`)).arrayBuffer()
    longest = Math.max(longest, performance.now() - started)
    await Bun.sleep(2)
  } while (!isAnswered)
  expect([202, 400]).toContain((await answer).status)
  return longest
}

test('The largest deliveries hold up no other request', async () => {
  const { id } = bench.installation
  const repository = { id: 1, full_name: 'acme/shop', private: true }
  const commit = 'a'.repeat(40)
  const deployment = {
    id: 1,
    sha: commit,
    ref: fill('r', 250_000),
    environment: fill('e', 250_000),
    created_at: '2026-01-01T00:00:00Z',
  }
  const whole = {
    ...{ installation: { id }, repository, deployment, sha: commit, environment: 'production', action: 'requested' },
    deployment_status: {
      state: 'success',
      created_at: fill('1', 250_000),
      log_url: `https://a.example/${fill('/actions/runs/1', 250_000)}`,
    },
    deployment_callback_url: `https://a.example/${fill('/actions/runs/1/deployment_protection_rule', 100_000)}`,
  }
  const bodies = [...Object.values(JSON_BODIES).map((body) => body()), JSON.stringify(whole)]
  let found = EVENTS.flatMap((event) => bodies.map((body) => ({ event, body, least: Number.POSITIVE_INFINITY })))
  for (let tries = 0; tries < TRIES && found.length > 0; tries++) {
    for (const each of found) each.least = Math.min(each.least, await heldUp(each.event, each.body))
    found = found.filter(({ least }) => least > LIMIT_MS)
  }
  expect(found.map(({ event, body, least }) => `${event} ${body.slice(0, 40)}: ${Math.round(least)} ms`)).toEqual([])
}, 300_000)
