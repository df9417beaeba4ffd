/** Template secrets: they reach the receiver, and no one else. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { whereIs } from '../support/secrecy.ts'
import type { Answer } from '../support/signalbox.ts'
import { errorsOf, pathOf, Workbench } from './workbench.ts'

type Body = Answer['body']

const TOKEN = 'glptt-0f1e2d3c4b5a'
const MASK = '********'
const WAIT = { Prefer: 'wait=25' }

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(() => bench.close())

const put = (hook: Body, input: object) => bench.admin.put(pathOf(hook), input)

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

describe('a kept body with template secrets', () => {
  const SECRETS = { body_template: { token: '{{secret:trigger}}', event: '{{/event}}' }, template_secrets: { trigger: TOKEN } }
  const CODE = 'secrets_of_other_origin'

  /** Points a hook to another receiver, in the way that takes no secret along. */
  const repoint = (hook: Body, url: string) =>
    bench.change(hook, { url, secret: null, template_secrets: null, body_template: null })

  const healthOf = async ({ id }: Body) =>
    (await bench.box.sql`select from lane_health where lane_id = ${id} and failures > 0`).length

  async function expectWithheld(hook: Body, dispatch: Body, thief: { requests: unknown[] }) {
    const found = await bench.once(dispatch, ({ status }) => status !== 'pending')
    expect(found).toMatchObject({ status: 'failed', response_status: null, error: { code: CODE } })
    expect(found.error.detail).toContain('Trigger the hook')
    expect(found.attempts.at(-1)).toMatchObject({ address: null, error: { code: CODE } })
    expect(JSON.stringify(found)).not.toContain(TOKEN)
    expect(thief.requests).toEqual([])
    expect((await bench.admin.get(pathOf(hook))).body).toMatchObject({ enabled: true, disabled_reason: null })
    expect(await healthOf(hook)).toBe(0)
  }

  test('is not sent to another origin when it is pending, nor when it is redelivered then', async () => {
    const { project, hook, receiver } = await bench.hooked({ ...SECRETS, paused: true })
    const outcomes = await bench.subscribeToOutcomes(project)
    await bench.approve(project)
    const [waiting] = await bench.dispatches(hook, ({ length }) => length === 1)
    const thief = bench.receiver()
    await repoint(hook, thief.url)
    await bench.change(hook, { paused: false })
    await expectWithheld(hook, waiting, thief)
    const [event] = await outcomes.waitFor(1)
    expect(JSON.parse(event?.body ?? '').data.dispatch.error.code).toBe(CODE)

    const { status, body } = await bench.act(waiting, 'redeliver', WAIT)
    expect([status, body.code]).toEqual([409, 'invalid_transition'])
    expect(body.detail).toContain('Trigger the hook')

    // Each recovered one is refused by itself.
    expect((await bench.ask(hook, 'recover', { since: '2020-01-01T00:00:00Z' })).body).toEqual({ redelivered: 1 })
    const [, recovered] = await bench.dispatches(hook, (all) => all.length === 2 && all[1].status !== 'pending')
    await expectWithheld(hook, recovered, thief)

    // Pointed back, the same body is sent.
    await bench.change(hook, { url: `${receiver.url}/elsewhere` })
    expect((await bench.act(waiting, 'redeliver', WAIT)).body.status).toBe('succeeded')
    expect(receiver.requests.map(({ body: sent }) => JSON.parse(sent).token)).toEqual([TOKEN])
    expect(thief.requests).toEqual([])
  })

  test('is not sent to another origin by a retry, whose first attempt failed at the former one', async () => {
    const { hook, receiver } = await bench.hooked(SECRETS)
    const thief = bench.receiver()
    const answer = Promise.withResolvers<Response>()
    receiver.answer = () => answer.promise
    const { body } = await bench.ask(hook, 'trigger')
    await receiver.waitFor(1)
    await repoint(hook, thief.url)
    answer.resolve(new Response('no', { status: 500 }))
    await expectWithheld(hook, body, thief)
  })

  test('is sent to another path of the origin, also by a redelivery', async () => {
    const { hook, receiver } = await bench.hooked({ ...SECRETS, paused: true })
    const { body } = await bench.ask(hook, 'trigger')
    await bench.change(hook, { url: `${receiver.url}/moved`, paused: false })
    expect(await bench.once(body, ({ status }) => status !== 'pending')).toMatchObject({ status: 'succeeded' })
    expect((await bench.act(body, 'redeliver', WAIT)).body.status).toBe('succeeded')
    expect(receiver.requests.map(({ path: to, body: sent }) => [to, JSON.parse(sent).token])).toEqual([
      ['/moved', TOKEN],
      ['/moved', TOKEN],
    ])
  })

  test('follows the hook if it contains none', async () => {
    const { hook } = await bench.hooked({ body_template: { event: '{{/event}}' }, paused: true })
    const { body } = await bench.ask(hook, 'trigger')
    const after = bench.receiver()
    await bench.change(hook, { url: after.url, secret: null, paused: false })
    expect(await bench.once(body, ({ status }) => status !== 'pending')).toMatchObject({ status: 'succeeded' })
    expect((await bench.act(body, 'redeliver', WAIT)).body.status).toBe('succeeded')
    expect(after.requests).toHaveLength(2)
  })

  test('goes to the new origin once its secrets were sent anew and the hook was triggered', async () => {
    const { hook } = await bench.hooked(SECRETS)
    const after = bench.receiver()
    await bench.change(hook, { url: after.url, secret: null, template_secrets: { trigger: 'an0ther-token' } })
    expect((await bench.ask(hook, 'trigger', undefined, WAIT)).body.status).toBe('succeeded')
    expect(after.requests.map(({ body }) => JSON.parse(body).token)).toEqual(['an0ther-token'])
  })
})
