/** Template secrets: they reach the receiver, and nobody else. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { whereIs } from '../support/secrecy.ts'
import type { Answer } from '../support/signalbox.ts'
import { Workbench } from './workbench.ts'

type Body = Answer['body']

const TOKEN = 'glptt-0f1e2d3c4b5a'
const MASK = '********'
const WAIT = { Prefer: 'wait=25' }

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({ environment: { HOOK_RETRY_SECONDS: '0.1,0.1' } })
})

afterAll(() => bench.close())

const path = (hook: Body) => `/api/v1/deployment-hooks/${hook.id}`
const put = (hook: Body, input: object) => bench.admin.put(path(hook), input)
const errorsOf = ({ status, body }: Answer) => [
  status,
  ...(body.errors ?? []).map(({ pointer, code }: Body) => `${pointer} ${code}`),
]

describe('template secrets', () => {
  test('reach the receiver, and are masked or encrypted everywhere else', async () => {
    const body_template = { token: '{{secret:trigger}}', text: 'Bearer {{secret:trigger}} {{/event}}' }
    const { project, hook, receiver } = await bench.hooked({
      secret: 'plain',
      body_template,
      template_secrets: { trigger: TOKEN, unused: 'n0t-used-anywhere' },
    })
    expect(hook.template_secrets).toEqual({ trigger: MASK, unused: MASK })
    receiver.answer = ({ body }, number) => new Response(`you sent ${body}`, { status: number === 1 ? 500 : 200 })
    await bench.subscribeToOutcomes(project)
    await bench.approve(project)
    const dispatch = await bench.settled(hook)
    const sent = JSON.stringify({ token: TOKEN, text: `Bearer ${TOKEN} gate.approved` })
    expect(receiver.requests.map(({ body }) => body)).toEqual([sent, sent])
    expect(receiver.requests[0]?.headers['x-signalbox-signature']).toBe(
      `sha256=${createHmac('sha256', 'plain').update(sent).digest('hex')}`,
    )
    expect(dispatch.payload).toBe(JSON.stringify({ token: MASK, text: `Bearer ${MASK} gate.approved` }))
    expect(dispatch.response_body).toContain(`"token":"${MASK}"`)
    expect(JSON.stringify(dispatch)).not.toContain(TOKEN)

    // A redelivery sends the kept secret, and masks it, although the hook has another one by now.
    await bench.change(hook, { template_secrets: { trigger: 'an0ther-token' } })
    const { body: again } = await bench.act(dispatch, 'redeliver', WAIT)
    expect(receiver.requests.at(-1)?.body).toBe(sent)
    expect(JSON.stringify(await bench.dispatch(again.id))).not.toContain(TOKEN)
    expect((await bench.lastEntry(hook.id)).detail).toContain('template_secrets.trigger changed; template_secrets.unused removed')
    await bench.box.settled()
    for (const secret of [TOKEN, 'n0t-used-anywhere', 'an0ther-token']) expect(await whereIs(bench.box, secret)).toEqual([])
  })

  test('are kept by the placeholder and replaced as a whole', async () => {
    const body_template = '{{secret:a}} {{secret:b}}'
    const { hook, receiver } = await bench.hooked({ body_template, template_secrets: { a: 'first', b: 'second' } })
    await bench.change(hook, { template_secrets: { a: MASK, b: 'changed', c: '' } })
    await bench.ask(hook, 'test', undefined, WAIT)
    expect(receiver.requests[0]?.body).toBe('"first changed"')
    expect(errorsOf(await put(hook, { template_secrets: { a: 'x' } }))).toEqual([422, '/template_secrets in_use'])
    expect(errorsOf(await put(hook, { template_secrets: null }))).toEqual([422, '/template_secrets in_use'])
    expect(errorsOf(await put(hook, { template_secrets: { a: MASK, b: MASK, d: MASK } }))).toEqual([
      422,
      '/template_secrets/d nothing_to_keep',
    ])
    const cleared = await bench.change(hook, { template_secrets: null, body_template: null })
    expect(cleared.template_secrets).toEqual({})
    expect(errorsOf(await put(hook, { body_template: '{{secret:a}}' }))).toEqual([422, '/body_template unknown_secret'])
  })

  test('are at most 8, with short names and values like those of headers', async () => {
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`s${index}`, 'x']))
    expect(errorsOf(await bench.create({ template_secrets: many }))).toEqual([422, '/template_secrets too_many'])
    const { s8: _, ...eight } = many
    expect((await bench.create({ template_secrets: { ...eight, s7: 'x'.repeat(4096) } })).status).toBe(201)
    expect((await bench.create({ template_secrets: { [`_${'a'.repeat(31)}`]: 'x' } })).status).toBe(201)
    expect(errorsOf(await bench.create({ template_secrets: { s: 'x'.repeat(4097) } }))).toEqual([
      422,
      '/template_secrets/s too_long',
    ])
    for (const [name, code] of [
      ['', 'malformed'],
      ['A', 'malformed'],
      ['a-b', 'malformed'],
      ['a'.repeat(33), 'malformed'],
    ])
      expect(errorsOf(await bench.create({ template_secrets: { [name as string]: 'x' } }))).toEqual([
        422,
        `/template_secrets/${name} ${code}`,
      ])
    expect(errorsOf(await bench.create({ template_secrets: { s: 'a\nb' } }))).toEqual([422, '/template_secrets/s malformed'])
    expect(errorsOf(await bench.create({ template_secrets: { s: MASK } }))).toEqual([422, '/template_secrets/s nothing_to_keep'])
  })

  test('must be sent again when the hook is pointed elsewhere', async () => {
    const { hook } = await bench.hookTo('http://127.0.0.1:1/', { secret: null, template_secrets: { a: 'first', b: 'second' } })
    const elsewhere = { url: 'http://127.0.0.1:2/' }
    const refused = await put(hook, elsewhere)
    expect([refused.body.code, ...errorsOf(refused)]).toEqual([
      'secrets_must_be_resent',
      422,
      '/template_secrets secrets_must_be_resent',
    ])
    expect(errorsOf(await put(hook, { ...elsewhere, template_secrets: { a: MASK, b: 'new' } }))).toEqual([
      422,
      '/template_secrets/a secrets_must_be_resent',
    ])
    expect((await put(hook, { ...elsewhere, template_secrets: { a: 'sent' } })).status).toBe(200)
    expect((await put(hook, { url: 'http://127.0.0.1:3/', template_secrets: null })).status).toBe(200)
  })

  test('cannot be found out by verifying bodies', async () => {
    const { hook, receiver } = await bench.hooked({
      secret: 'plain',
      body_template: { t: '{{secret:a}}' },
      template_secrets: { a: TOKEN },
    })
    await bench.ask(hook, 'test', undefined, WAIT)
    const { headers = {}, body = '' } = receiver.requests[0] ?? {}
    const check = async (text: string) => (await bench.ask(hook, 'verify', { headers, body: text })).body
    expect((await check(body)).valid).toBe(true)
    const details = await Promise.all(
      [body.slice(0, 12), `${body.slice(0, 9)}X`, '{"t":"'].map(async (text) => {
        const { checks } = await check(text)
        return checks.find(({ name }: Body) => name === 'body').detail
      }),
    )
    expect(new Set(details)).toEqual(new Set(['The body differs from what was sent.']))
    // Without a signature of the body, nothing is said of it, right or wrong.
    const unsigned = { 'webhook-id': headers['webhook-id'] ?? '', 'X-Signalbox-Signature': `sha256=${'0'.repeat(64)}` }
    for (const text of [body, '{"t":"guess"}']) {
      const { checks } = (await bench.ask(hook, 'verify', { headers: unsigned, body: text })).body
      expect(checks.map(({ name }: Body) => name)).not.toContain('body')
    }
  })
})
