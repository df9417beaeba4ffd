import { afterAll, beforeAll, expect, test } from 'bun:test'
import { networkInterfaces } from 'node:os'
import { type Box, signalbox } from '../support/signalbox.ts'
import { readMetrics, sumOf } from './text-format.ts'

const TOKEN = 'a-token-for-prometheus'

let open: Box
let closed: Box
let proxied: Box

beforeAll(async () => {
  open = await signalbox({ workers: 0 })
  closed = await signalbox({ workers: 0, url: open.url, environment: { METRICS_TOKEN: TOKEN } })
  proxied = await signalbox({ workers: 0, url: open.url, environment: { TRUST_PROXY: '1' } })
})

afterAll(() => Promise.all([open, closed, proxied].map((box) => box.close())))

const ask = async (box: Box, headers: Record<string, string> = {}, base = box.base) => {
  const response = await fetch(`${base}/metrics`, { headers })
  return { status: response.status, text: await response.text(), type: response.headers.get('content-type') }
}

test('Without a token loopback alone may read the figures', async () => {
  expect((await ask(open)).status).toBe(200)
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.family === 'IPv4' && !address.internal)
  if (!outside) return console.warn('SKIPPED: this machine has no address but loopback, to ask from')
  const refused = await ask(open, {}, `http://${outside.address}:${open.port}`)
  expect(refused).toMatchObject({ status: 403, type: 'application/problem+json' })
  expect(JSON.parse(refused.text).code).toBe('forbidden')
})

const FORWARDED: Record<string, string>[] = [
  { 'X-Forwarded-For': '203.0.113.9' },
  { 'X-Forwarded-For': '127.0.0.1' },
  { 'X-Forwarded-For': '203.0.113.9, 127.0.0.1' },
  { 'X-Forwarded-For': '' },
  { Forwarded: 'for=127.0.0.1' },
  { 'X-Real-IP': '127.0.0.1' },
  { Via: '1.1 proxy' },
]

test('What came through a proxy does not pass as loopback, however many proxies are trusted', async () => {
  for (const headers of FORWARDED) {
    for (const box of [open, proxied]) expect([headers, (await ask(box, headers)).status]).toEqual([headers, 403])
  }
  expect((await ask(proxied)).status).toBe(200)
})

test('Where a token is set, it opens the figures to whoever has it, and nothing else does', async () => {
  expect((await ask(closed, { Authorization: `Bearer ${TOKEN}` })).status).toBe(200)
  expect((await ask(closed, { Authorization: `bearer ${TOKEN}`, 'X-Forwarded-For': '203.0.113.9' })).status).toBe(200)
  const ada = await closed.user('Ada Lovelace')
  for (const Authorization of ['', 'Bearer', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, TOKEN, `Bearer ${ada.token}`]) {
    expect([Authorization, (await ask(closed, { Authorization })).status]).toEqual([Authorization, 403])
  }
})

test('Every API process tells the same: what all of them counted', async () => {
  const route = '/api/v1/auth/login'
  for (const box of [open, closed, proxied]) {
    for (let times = 0; times < 2; times++) {
      await box.request('POST', route, { email: 'nobody@example.com', password: 'not the right password' })
    }
  }
  const count = async (box: Box) => {
    const { text } = await ask(box, { Authorization: `Bearer ${TOKEN}` })
    return sumOf(readMetrics(text), 'http_server_request_duration_seconds_count', { http_route: route })
  }
  for (const box of [open, closed, proxied]) await open.until('six are counted', async () => (await count(box)) === 6, 40_000)
})

test('An API process that ends takes its gauges along', async () => {
  const instance = (text: string) =>
    readMetrics(text)
      .get('process_start_time_seconds')
      ?.series.filter(({ labels }) => labels.process === 'api').length
  await open.until('all three are there', async () => instance((await ask(open)).text) === 3, 30_000)
  await proxied.end(proxied.api, 'SIGTERM')
  await open.until('one is gone', async () => instance((await ask(open)).text) === 2, 30_000)
  await proxied.startApi()
})
