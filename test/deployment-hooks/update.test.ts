import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import type { Answer } from '../support/signalbox.ts'
import { Workbench } from './workbench.ts'

const MASK = '********'
const [FIRST, SECOND] = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD']

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({ environment: { HOOK_RETRY_SECONDS: '0.2,600' } })
})

afterAll(() => bench.close())

const path = (hook: Answer['body']) => `/api/v1/deployment-hooks/${hook.id}`

/** Updates a hook and expects success. */
async function change(hook: Answer['body'], input: object): Promise<Answer['body']> {
  const { status, body } = await bench.admin.put(path(hook), input)
  expect([status, body.code]).toEqual([200, undefined])
  return body
}

/** The request of a test.ping. */
async function sendPing(hook: Answer['body'], receiver: ReturnType<Workbench['receiver']>) {
  await bench.admin.make(`${path(hook)}/test`, undefined, { Prefer: 'wait=10' })
  return receiver.requests.at(-1) ?? { headers: {} as Record<string, string>, body: '', path: '' }
}

describe('an update', () => {
  test('sets the given fields and leaves the others', async () => {
    const { hook } = await bench.hooked({ secret: FIRST, headers: { 'X-Key': 'k' } })
    let expected = hook
    for (const input of [
      { name: '  Nightly  ' },
      { trigger_on: 'workflow_done' },
      { environment: 'staging' },
      { max_age_seconds: 3600, supersede: true },
      { paused: true },
      { enabled: false },
      { max_age_seconds: null, supersede: false, paused: false, enabled: true },
      { url: `${new URL(hook.url).origin}/elsewhere` },
    ]) {
      const { body, status, headers } = await bench.admin.put(path(hook), input)
      expected = { ...expected, ...input, ...('name' in input ? { name: 'Nightly' } : {}), updated_at: body.updated_at }
      expect([status, body]).toEqual([200, expected])
      expect(headers.get('etag')).not.toBeNull()
      expect((await bench.admin.get(path(hook))).body).toEqual(expected)
    }
    expect(expected.updated_at > hook.updated_at).toBeTrue()
  })

  test('without an effective change changes nothing', async () => {
    const { hook } = await bench.hooked({ secret: FIRST })
    expect(await change(hook, {})).toEqual(hook)
    expect(await change(hook, { secret: MASK })).toEqual(hook)
    expect(await bench.box.sql`select from audit_log_entries where resource_id = ${hook.id}`).toHaveLength(1)
  })

  test('is refused with a stale ETag; of concurrent updates one succeeds', async () => {
    const { hook } = await bench.hooked()
    const tag = (await bench.admin.get(path(hook))).headers.get('etag') ?? ''
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((name) => bench.admin.put(path(hook), { name }, { 'If-Match': tag })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412])
    expect((await bench.admin.delete(path(hook), { 'If-Match': tag })).status).toBe(412)
    // Validation errors come before the precondition.
    expect((await bench.admin.put(path(hook), { headers: { 'X-Key': MASK } }, { 'If-Match': tag })).status).toBe(422)
  })

  test('is in the audit log with old and new values, except those of secrets', async () => {
    const { hook } = await bench.hooked()
    await change(hook, { secret: FIRST, headers: { 'X-Key': 'very-secret' }, environment: 'staging' })
    const [entry] = await bench.box.sql`
      select action, detail from audit_log_entries where resource_id = ${hook.id} order by id desc limit 1
    `
    expect(entry).toEqual({
      action: 'deployment_hook.updated',
      detail:
        'Ada Lovelace changed the deployment hook Deploy: environment from "production" to "staging"; secret changed; headers.X-Key added.',
    })
  })
})

describe('headers', () => {
  test('are replaced as a whole; the mask keeps the value of that name, in any case', async () => {
    const { hook, receiver } = await bench.hooked({ headers: { 'X-One': '1', 'X-Two': '2', 'X-Three': '3' } })
    const changed = await change(hook, { headers: { 'x-one': MASK, 'X-Two': 'two', 'X-Four': '4' } })
    expect(changed.headers).toEqual({ 'x-one': MASK, 'X-Two': MASK, 'X-Four': MASK })
    const { headers } = await sendPing(hook, receiver)
    expect(headers).toMatchObject({ 'x-one': '1', 'x-two': 'two', 'x-four': '4' })
    expect(headers).not.toHaveProperty('x-three')
  })

  test.each([[null], [{}]])('are cleared by %p', async (cleared) => {
    const { hook, receiver } = await bench.hooked({ headers: { 'X-One': '1' } })
    expect((await change(hook, { headers: cleared })).headers).toEqual({})
    expect((await sendPing(hook, receiver)).headers).not.toHaveProperty('x-one')
  })

  test('and secrets that are not stored cannot be kept with the mask', async () => {
    const { hook } = await bench.hooked({ secret: null, headers: { 'X-One': '1' } })
    const { status, body } = await bench.admin.put(path(hook), { headers: { 'X-One': MASK, 'X-Two': MASK }, secret: MASK })
    expect(status).toBe(422)
    expect(body.errors.map(({ pointer, code }: Answer['body']) => [pointer, code])).toEqual([
      ['/secret', 'nothing_to_keep'],
      ['/headers/X-Two', 'nothing_to_keep'],
    ])
  })
})

describe('a secret', () => {
  test('can be kept, replaced at once, and cleared', async () => {
    const { hook, receiver } = await bench.hooked({ secret: FIRST })
    await change(hook, { name: 'Renamed', secret: MASK })
    const kept = await sendPing(hook, receiver)
    expect(new Webhook(FIRST).verify(kept.body, kept.headers)).toBeObject()
    await change(hook, { secret: SECOND })
    const replaced = await sendPing(hook, receiver)
    expect(new Webhook(SECOND).verify(replaced.body, replaced.headers)).toBeObject()
    expect(replaced.headers).not.toHaveProperty('x-signalbox-signature-previous')
    expect(await change(hook, { secret: null })).toMatchObject({ has_secret: false })
    expect((await sendPing(hook, receiver)).headers).not.toHaveProperty('webhook-signature')
  })
})

describe('secrets must be sent again when the URL changes to another server', () => {
  const from = 'http://ci.example.com/hook'
  const refused = async (hook: Answer['body'], input: object) => {
    const { status, body } = await bench.admin.put(path(hook), input)
    expect([status, body.code]).toEqual([422, 'secrets_must_be_resent'])
    expect((await bench.admin.get(path(hook))).body).toEqual(hook)
    return body.errors.map(({ pointer }: { pointer: string }) => pointer)
  }

  test.each([
    'https://ci.example.com/hook',
    'http://ci.example.org/hook',
    'http://ci.example.com:8080/hook',
    'http://8.8.8.8/hook',
  ])('%s is another server', async (url) => {
    const { hook } = await bench.hookTo(from, { secret: FIRST, headers: { 'X-One': '1', 'X-Two': '2' } })
    expect(await refused(hook, { url })).toEqual(['/secret', '/headers'])
    expect(await refused(hook, { url, secret: MASK, headers: { 'X-One': MASK, 'X-Two': 'two' } })).toEqual([
      '/secret',
      '/headers/X-One',
    ])
    expect(await refused(hook, { url, secret: SECOND })).toEqual(['/headers'])
    expect(await refused(hook, { url, headers: {} })).toEqual(['/secret'])
    expect(await change(hook, { url, secret: SECOND, headers: { 'X-One': 'one' } })).toMatchObject({ url, has_secret: true })
  })

  test.each([
    'http://ci.example.com/other?a=b',
    'http://ci.example.com:80/hook',
    'HTTP://CI.EXAMPLE.COM/hook',
    'http://ci.example.com./hook',
  ])('%s is the same server', async (url) => {
    const { hook } = await bench.hookTo(from, { secret: FIRST, headers: { 'X-One': '1' } })
    expect(await change(hook, { url })).toMatchObject({ url, has_secret: true, headers: { 'X-One': MASK } })
  })

  test('cleared secrets need not be sent, and a hook without secrets may change its URL freely', async () => {
    const { hook } = await bench.hookTo(from, { secret: FIRST, headers: { 'X-One': '1' } })
    await change(hook, { url: 'https://ci.example.org/', secret: null, headers: null })
    expect(await change(hook, { url: 'https://ci.example.net/' })).toMatchObject({ has_secret: false, headers: {} })
  })
})

describe('a waiting dispatch', () => {
  test('is sent to the current URL with its original payload', async () => {
    const { project, hook, receiver } = await bench.hooked({ headers: { 'X-One': '1' } })
    const changed = Promise.withResolvers<Response>()
    receiver.answer = (_, number) => (number === 1 ? changed.promise : new Response('ok'))
    await bench.approve(project)
    const [first] = await receiver.waitFor(1)
    await change(hook, { url: `${receiver.url}/new`, headers: { 'X-One': 'one' }, name: 'Renamed' })
    changed.resolve(new Response('', { status: 500 }))
    const [, second] = await receiver.waitFor(2)
    expect(second).toMatchObject({ path: '/new', body: first?.body, headers: { 'x-one': 'one' } })
  })

  test('is cancelled when the hook is disabled, and does not return when it is enabled again', async () => {
    const { project, hook, receiver } = await bench.hooked()
    receiver.answer = () => new Response('', { status: 503, headers: { 'Retry-After': '600' } })
    await bench.approve(project)
    await bench.tried(hook)
    expect(await change(hook, { enabled: false })).toMatchObject({ enabled: false, disabled_reason: null })
    expect(await bench.settled(hook)).toMatchObject({ status: 'cancelled', error: { code: 'hook_disabled' }, attempt_count: 1 })
    await change(hook, { enabled: true })
    expect(await bench.settled(hook)).toMatchObject({ status: 'cancelled' })
    expect(receiver.requests).toHaveLength(1)
  })

  test('a hook disabled by the service can be enabled again, with its failures forgotten', async () => {
    const { project, hook, receiver } = await bench.hooked()
    receiver.answer = (_, number) => new Response('', { status: number === 1 ? 410 : 200 })
    await bench.approve(project)
    await bench.settled(hook)
    const off = (await bench.admin.get(path(hook))).body
    expect(off).toMatchObject({ enabled: false, disabled_reason: expect.stringContaining('410') })
    expect(await change(hook, { enabled: false })).toMatchObject({ disabled_reason: off.disabled_reason })
    expect(await change(hook, { enabled: true })).toMatchObject({ enabled: true, disabled_reason: null })
    expect(await bench.box.sql`select from lane_health where lane_id = ${hook.id}`).toHaveLength(0)
    // A hook that its owner disabled emits no event when it is enabled again.
    await change(hook, { enabled: false })
    await change(hook, { enabled: true })
    const emitted = await bench.box.sql`select data from outbox where project_id = ${project.id} and name = 'hook.enabled'`
    expect([...emitted]).toEqual([
      { data: { hook: expect.objectContaining({ id: hook.id, enabled: true, disabled_reason: null }) } },
    ])
    await bench.approve(project)
    await receiver.waitFor(2)
  })
})

describe('deleting a hook', () => {
  test('deletes its dispatches; a request in flight records nothing and is not retried', async () => {
    const { project, hook, receiver } = await bench.hooked()
    const answer = Promise.withResolvers<Response>()
    receiver.answer = () => answer.promise
    await bench.subscribeToOutcomes(project)
    await bench.approve(project)
    await receiver.waitFor(1)
    const [dispatch] = (await bench.listed(hook)).items
    const { status, body } = await bench.admin.delete(path(hook))
    expect([status, body]).toEqual([204, null])
    answer.resolve(new Response('', { status: 500 }))
    expect((await bench.admin.get(path(hook))).status).toBe(404)
    expect((await bench.admin.get(`/api/v1/dispatches/${dispatch.id}`)).status).toBe(404)
    expect((await bench.admin.delete(path(hook))).status).toBe(404)
    // The worker continues: it serves another hook, and dropped the outcome of the deleted one.
    const { project: other, hook: next } = await bench.hooked()
    await bench.approve(other)
    expect(await bench.settled(next)).toMatchObject({ status: 'succeeded' })
    await bench.box.workers[0]?.said(`"dispatch":"${dispatch.id}"`)
    expect(await bench.box.sql`select from dispatch_attempts where dispatch_id = ${dispatch.id}`).toHaveLength(0)
    expect(await bench.box.sql`select from outbox where data->'dispatch'->>'hook_id' = ${hook.id}`).toHaveLength(0)
    expect(receiver.requests).toHaveLength(1)
    const [entry] = await bench.box.sql`
      select action, detail from audit_log_entries where resource_id = ${hook.id} order by id desc limit 1
    `
    expect(entry).toEqual({
      action: 'deployment_hook.deleted',
      detail: 'Ada Lovelace deleted the deployment hook Deploy and its dispatches.',
    })
  })

  test('while its events are drained and sent leaves neither errors nor rows', async () => {
    const { project, hook, receiver } = await bench.hooked()
    receiver.answer = () => new Response('', { status: 500 })
    const execution = await bench.box.running(bench.admin, project.id)
    const approvals = Array.from({ length: 12 }, () => bench.box.approval(bench.admin, execution.id))
    await receiver.waitFor(1)
    expect((await bench.admin.delete(path(hook))).status).toBe(204)
    await Promise.all(approvals)
    await bench.box.settled()
    expect(await bench.box.sql`select from dispatches where hook_id = ${hook.id}`).toHaveLength(0)
    expect(await bench.box.sql`select from lanes where id = ${hook.id}`).toHaveLength(0)
  })
})
