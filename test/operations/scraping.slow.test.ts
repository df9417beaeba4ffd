import { afterAll, beforeAll, expect, test } from 'bun:test'
import { networkInterfaces } from 'node:os'
import { reportSkipped } from '../support/programs.ts'
import { type Box, signalbox } from '../support/signalbox.ts'
import { readMetrics, sumOf } from './text-format.ts'

const TOKEN = 'a-token-for-prometheus'

let withoutToken: Box
let withToken: Box
let proxied: Box

beforeAll(async () => {
  withoutToken = await signalbox({ own: true, workers: 0 })
  withToken = await signalbox({ workers: 0, url: withoutToken.url, environment: { METRICS_TOKEN: TOKEN } })
  proxied = await signalbox({ workers: 0, url: withoutToken.url, environment: { TRUST_PROXY: '1' } })
})

afterAll(() => Promise.all([withoutToken, withToken, proxied].map((box) => box.close())))

const scrape = async (box: Box, headers: Record<string, string> = {}, base = box.base) => {
  const response = await fetch(`${base}/metrics`, { headers })
  return { status: response.status, text: await response.text(), type: response.headers.get('content-type') }
}

test('Without a token, metrics can be read from loopback', async () => {
  expect((await scrape(withoutToken)).status).toBe(200)
})

const outside = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === 'IPv4' && !address.internal)
if (!outside) reportSkipped('metrics that are asked for from outside. Needs an address that is not loopback')

test.skipIf(!outside)('Without a token, metrics cannot be read from elsewhere', async () => {
  const refused = await scrape(withoutToken, {}, `http://${outside?.address}:${withoutToken.port}`)
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

test('Requests through a proxy do not count as loopback, however many proxies are trusted', async () => {
  for (const headers of FORWARDED) {
    for (const box of [withoutToken, proxied]) expect([headers, (await scrape(box, headers)).status]).toEqual([headers, 403])
  }
  expect((await scrape(proxied)).status).toBe(200)
})

test('With a token set, metrics require that token', async () => {
  expect((await scrape(withToken, { Authorization: `Bearer ${TOKEN}` })).status).toBe(200)
  expect((await scrape(withToken, { Authorization: `bearer ${TOKEN}`, 'X-Forwarded-For': '203.0.113.9' })).status).toBe(200)
  const ada = await withToken.user('Ada Lovelace')
  for (const Authorization of ['', 'Bearer', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, TOKEN, `Bearer ${ada.token}`]) {
    expect([Authorization, (await scrape(withToken, { Authorization })).status]).toEqual([Authorization, 403])
  }
})

test('Every API process reports the counts of all of them', async () => {
  const route = '/api/v1/auth/login'
  for (const box of [withoutToken, withToken, proxied]) {
    for (let times = 0; times < 2; times++) {
      await box.request('POST', route, { email: 'nobody@example.com', password: 'not the right password' })
    }
  }
  const count = async (box: Box) => {
    const { text } = await scrape(box, { Authorization: `Bearer ${TOKEN}` })
    return sumOf(readMetrics(text), 'http_server_request_duration_seconds_count', { http_route: route })
  }
  for (const box of [withoutToken, withToken, proxied])
    await withoutToken.until('six are counted', async () => (await count(box)) === 6, 40_000)
})

test('Gauges of an API process disappear when it ends', async () => {
  const instance = (text: string) =>
    readMetrics(text)
      .get('process_start_time_seconds')
      ?.series.filter(({ labels }) => labels.process === 'api').length
  await withoutToken.until('all three report', async () => instance((await scrape(withoutToken)).text) === 3, 30_000)
  await proxied.end(proxied.api, 'SIGTERM')
  await withoutToken.until('one is gone', async () => instance((await scrape(withoutToken)).text) === 2, 30_000)
  await proxied.startApi()
})
