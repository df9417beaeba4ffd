/** Receivers that echo what they were sent: secrets in their responses are masked before they are recorded. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import type { Answer } from '../support/signalbox.ts'
import { Workbench } from './workbench.ts'

const SECRET = 'p0st/"signing"\\key-5c1e'
const HEADERS = { 'X-Api-Key': 'v4lue/of-a+header', Authorization: `Basic ${btoa('ci:p4ss-w0rd')}`, 'X-Pin': '4711' }
const PARTS = [SECRET, ...Object.values(HEADERS), btoa('ci:p4ss-w0rd'), 'p4ss-w0rd']

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({ environment: { HOOK_RETRY_SECONDS: '0.1' } })
})

afterAll(() => bench.close())

async function pingEcho(answer: () => Response): Promise<Answer['body']> {
  const receiver = bench.receiver()
  receiver.answer = answer
  const { hook } = await bench.hookTo(receiver.url, { secret: SECRET, headers: HEADERS })
  const { body } = await bench.ask(hook, 'test', undefined, { Prefer: 'wait=25' })
  return bench.dispatch(body.id)
}

const ENCODINGS: [name: string, write: (part: string) => string][] = [
  ['verbatim', (part) => part],
  ['in JSON', (part) => JSON.stringify(part).replaceAll('/', '\\/')],
  ['in a URL', encodeURIComponent],
  ['in base64', (part) => Buffer.from(`user:${part}`).toString('base64')],
  ['in hexadecimal digits', (part) => Buffer.from(part).toString('hex')],
]

describe.each(ENCODINGS)('a secret echoed %s', (_, write) => {
  test('is masked in body, headers and error', async () => {
    const text = PARTS.map(write).join(' | ')
    const headers = { Location: `/?${PARTS.map(write).join('&')}`, 'X-Echo': text }
    const dispatch = await pingEcho(() => new Response(text, { status: 307, headers }))
    const record = JSON.stringify([dispatch.response_body, dispatch.error, dispatch.attempts])
    expect(dispatch.response_body).toContain('********')
    expect(dispatch.error.detail).toContain('********')
    for (const part of PARTS.filter((each) => each !== '4711')) {
      for (const form of [part, write(part)])
        for (const shown of [form, JSON.stringify(form).slice(1, -1)]) expect(record).not.toContain(shown)
    }
    expect(dispatch.response_body).not.toMatch(/\b4711\b/)
  })
})

describe('a secret where a response is truncated', () => {
  test.each([1, 8, SECRET.length - 1])('is masked entirely when it begins %d characters before the limit', async (before) => {
    const start = 'x'.repeat(16_384 - before)
    const { response_body } = await pingEcho(() => new Response(`${start}${SECRET} and so on`))
    expect(response_body).toBe(`${start}******** and so on`.slice(0, 16_384))
  })

  test('is masked entirely when it follows many others', async () => {
    const { response_body } = await pingEcho(() => new Response(`${SECRET} `.repeat(3_000)))
    expect(response_body.replaceAll('********', '').trim()).toBe('')
  })

  test('is masked entirely in the detail of a redirect', async () => {
    const start = `/${'x'.repeat(190)}`
    const location = `${start}${encodeURIComponent(SECRET)}`
    const { error } = await pingEcho(() => new Response('', { status: 302, headers: { Location: location } }))
    expect(error.detail).toContain(`${start}********`)
    expect(error.detail).not.toContain('p0st')
  })

  test('is masked entirely when the receiver closed the connection in the middle of it', async () => {
    const server = await bench.raw((socket) =>
      socket.end(`HTTP/1.1 500 No\r\nContent-Length: 999\r\n\r\nkey: ${SECRET.slice(0, 12)}`),
    )
    const { hook } = await bench.hookTo(server.url, { secret: SECRET })
    const { body } = await bench.ask(hook, 'test', undefined, { Prefer: 'wait=25' })
    expect((await bench.dispatch(body.id)).response_body).toBe('key: ********')
  })
})

test('secrets are masked in names of headers and encodings, and in compressed text', async () => {
  const dispatch = await pingEcho(
    () =>
      new Response(gzipSync(`it is ${SECRET}`), { status: 400, headers: { 'Content-Encoding': 'gzip', 'X-4711': 'p4ss-w0rd' } }),
  )
  expect(dispatch.response_body).toBe('it is ********')
  expect(JSON.stringify(dispatch.attempts)).not.toContain('p4ss-w0rd')
  const odd = await pingEcho(() => new Response('x', { status: 400, headers: { 'Content-Encoding': 'p4ss-w0rd' } }))
  expect(JSON.stringify(odd.attempts)).not.toContain('p4ss')
})

test('a previous secret is masked while it still signs, and so is the key that it decodes to', async () => {
  const receiver = bench.receiver()
  const { hook } = await bench.hookTo(receiver.url, { secret: SECRET })
  const { body: rotated } = await bench.ask(hook, 'rotate-secret', {})
  const key = rotated.secret.slice('whsec_'.length)
  const forms = [SECRET, rotated.secret, key, Buffer.from(key, 'base64').toString('hex')]
  receiver.answer = () => Response.json(forms, { status: 500 })
  const { body } = await bench.ask(hook, 'test', undefined, { Prefer: 'wait=25' })
  expect((await bench.dispatch(body.id)).response_body).toBe(JSON.stringify(forms.map(() => '********')))
})

test('masking does not change how a response is judged', async () => {
  const receiver = bench.receiver()
  receiver.answer = () => new Response('', { status: 503, headers: { 'X-Signalbox-Control': 'stop' } })
  const { hook } = await bench.hookTo(receiver.url, { headers: { 'X-Word': 'stop' } })
  const { body } = await bench.ask(hook, 'trigger')
  const dispatch = await bench.once(body, ({ status }) => status !== 'pending')
  expect(dispatch).toMatchObject({ status: 'failed', attempt_count: 1 })
  expect(dispatch.attempts[0].response_headers['x-signalbox-control']).toBe('********')
})
