/** No export holds up another request: see test/api/hold-ups.slow.test.ts. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { exportsFor } from '../api/worst-bodies.ts'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'

/** The aim is 50 ms. The margin is for a slow machine. */
const LIMIT_MS = 150
/** A busy machine delays some probes; a request that holds others up delays all of them. */
const TRIES = 15

let box: Box
let ada: Actor
let execution: { id: string }

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  execution = await box.running(ada, (await box.site(ada)).project.id, { cost_from: 'telemetry' })
})
afterAll(() => box.close())

/** How long a probe waited at most, while the export was being answered. */
async function heldUp(path: string, headers: Record<string, string>, body: string | Uint8Array): Promise<number> {
  let isAnswered = false
  const answer = fetch(box.base + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${ada.token}`, ...headers },
    body: body as string,
  }).finally(() => {
    isAnswered = true
  })
  let longest = 0
  do {
    const begun = performance.now()
    await (await fetch(`${box.base}/livez`)).arrayBuffer()
    longest = Math.max(longest, performance.now() - begun)
    await Bun.sleep(2)
  } while (!isAnswered)
  const { status } = await answer
  expect([200, 400, 413, 503]).toContain(status)
  return longest
}

test.each(Object.keys(exportsFor('')))(
  'no other request waits for an export: %s',
  async (name) => {
    const [headers, bodyOf] = exportsFor(execution.id)[name] ?? []
    const body = bodyOf?.() ?? ''
    for (const signal of ['traces', 'logs']) {
      let least = Number.POSITIVE_INFINITY
      for (let tries = 0; tries < TRIES && least > LIMIT_MS; tries++)
        least = Math.min(least, await heldUp(`/otlp/v1/${signal}`, headers ?? {}, body))
      expect(least).toBeLessThan(LIMIT_MS)
    }
  },
  300_000,
)
