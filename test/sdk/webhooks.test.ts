import { afterAll, beforeAll, expect, setSystemTime, test } from 'bun:test'
import type { SignalboxEvent } from '../../sdk/index.d.ts'
import { verifyWebhook, WebhookVerificationError } from '../../sdk/index.js'
import { Workbench } from '../deployment-hooks/workbench.ts'
import type { Received } from '../support/receiver.ts'
import type { Answer } from '../support/signalbox.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(() => bench.close())

/** A request that a new hook has sent, and the hook. */
async function received(input: object): Promise<{ hook: Answer['body']; request: Received }> {
  const { hook, receiver } = await bench.hooked(input)
  await bench.ask(hook, 'test')
  const [request] = await receiver.waitFor(1)
  return { hook, request: request as Received }
}

const refusal = (...[body, headers, key]: Parameters<typeof verifyWebhook>): unknown => {
  try {
    return verifyWebhook(body, headers, key)
  } catch (error) {
    return error
  }
}

test.each([
  ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }],
  ['plain text', { secret: 'plain text' }],
  [null, { signature: 'ed25519' }],
])('a request is verified with its secret or public key: %p', async (secret, input) => {
  const { hook, request } = await received(input)
  const key = secret ?? (hook.public_key as string)
  const event = verifyWebhook(request.body, request.headers, key)
  if (event.event !== 'test.ping') throw new Error(event.event)
  expect(event.hook?.id).toBe(hook.id)
  // As Node and as fetch have headers and bodies.
  const shouted = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name.toUpperCase(), [value]]))
  expect(verifyWebhook(Buffer.from(request.body), shouted, key)).toEqual(event)
  expect(verifyWebhook<{ id: string }>(request.body, new Headers(request.headers), key).id).toBe(event.id)

  // As other libraries have them: a class of their own, a Map, pairs, and bytes in other wrappings.
  const bytes = new Uint8Array(Buffer.from(request.body))
  const entries = Object.entries(request.headers)
  const foreign = {
    forEach: (each: (value: string, name: string) => void) => void entries.map(([name, value]) => each(value, name)),
  }
  const iterable = {
    *[Symbol.iterator]() {
      yield* entries
    },
  }
  for (const headers of [foreign, iterable, entries, new Map(Object.entries(shouted)), new Map(entries)])
    for (const raw of [bytes, bytes.buffer, new DataView(bytes.buffer), new Uint8Array([0, ...bytes]).subarray(1)])
      expect(verifyWebhook(raw, headers as Headers, key)).toEqual(event)

  const { headers, body } = request
  const others: Record<string, string>[] = [
    { 'webhook-id': crypto.randomUUID() },
    { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) },
    { 'webhook-signature': '' },
    { 'webhook-signature': `v2,${headers['webhook-signature']?.split(',')[1]}` },
  ]
  for (const changed of others) expect(refusal(body, { ...headers, ...changed }, key)).toBeInstanceOf(WebhookVerificationError)
  expect(refusal(`${body} `, headers, key)).toBeInstanceOf(WebhookVerificationError)
  expect(refusal(body, {}, key)).toBeInstanceOf(WebhookVerificationError)
})

test('an old request is refused, and one from the future', async () => {
  const { request } = await received({ secret: 'a' })
  try {
    for (const minutes of [6, -6]) {
      setSystemTime(Date.now() + minutes * 60_000)
      expect(refusal(request.body, request.headers, 'a')).toBeInstanceOf(WebhookVerificationError)
      setSystemTime()
    }
  } finally {
    setSystemTime()
  }
  expect(verifyWebhook(request.body, request.headers, 'a').event).toBe('test.ping')
})

test('a key that is none is an error of the program, not of the request', async () => {
  const { request } = await received({ secret: null })
  for (const key of ['', undefined as unknown as string, 'whsec_', 'whsec_?', 'whpk_', 'whpk_AAAA']) {
    const error = refusal(request.body, request.headers, key)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(WebhookVerificationError)
  }
})

test('a body or headers that cannot be verified are an error that says what is wanted', async () => {
  const { request } = await received({ secret: 'a' })
  for (const body of [JSON.parse(request.body), null, undefined, Promise.resolve(request.body), new Blob([request.body])])
    expect(() => verifyWebhook(body, request.headers, 'a')).toThrow(/text or bytes that were received/)
  for (const headers of [null, undefined, 'webhook-id: 1'])
    expect(() => verifyWebhook(request.body, headers as unknown as Headers, 'a')).toThrow(/must be a Headers object/)
})

test('during a rotation the old and the new secret verify', async () => {
  const { hook, receiver } = await bench.hooked({ secret: 'old' })
  const { body } = await bench.ask(hook, 'rotate-secret', { overlap_seconds: 600 })
  await bench.ask(hook, 'trigger')
  const [request] = await receiver.waitFor(1)
  for (const secret of ['old', body.secret])
    expect(verifyWebhook<SignalboxEvent<'manual.trigger'>>(request?.body ?? '', request?.headers ?? {}, secret).hook?.id).toBe(
      hook.id,
    )
})
