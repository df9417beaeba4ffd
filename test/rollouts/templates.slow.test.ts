/** Templates that contain the report URL and token of their dispatch. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { WITH_LATE_RETRIES } from '../deployment-hooks/workbench.ts'
import { REPORT_TOKEN, REPORT_URL, RolloutWorkbench } from './workbench.ts'

let bench: RolloutWorkbench

beforeAll(async () => {
  bench = await RolloutWorkbench.open(WITH_LATE_RETRIES)
})

afterAll(() => bench.close())

const body_template = { url: '{{report:url}}', token: '{{report:token}}', note: 'See {{report:url}} with {{report:token}}.' }
const MASKED = { url: '********', token: '********', note: 'See ******** with ********.' }

describe('a template with report values', () => {
  test('sends the real ones, keeps them encrypted and shows them masked', async () => {
    const { hook, receiver } = await bench.reporting({ body_template })
    receiver.answer = ({ body }) => new Response(body, { status: 200 })
    const dispatch = await bench.triggered(hook)
    const [request] = receiver.requests
    const { [REPORT_URL]: url = '', [REPORT_TOKEN]: token = '' } = request?.headers ?? {}
    expect(url).toEndWith(`/api/v1/dispatches/${dispatch.id}/report`)
    expect(JSON.parse(request?.body ?? '')).toEqual({ url, token, note: `See ${url} with ${token}.` })
    const [stored] = await bench.box.sql`
      select body, encrypted_body, has_report from dispatches where id = ${dispatch.id}
    `
    expect([JSON.parse(stored?.body), stored?.has_report]).toEqual([MASKED, true])
    expect(Buffer.from(stored?.encrypted_body).includes(token)).toBe(false)
    const shown = await bench.dispatch(dispatch.id)
    expect(JSON.parse(shown.payload)).toEqual(MASKED)
    // The receiver returned the body.
    expect(JSON.stringify(shown)).not.toContain(token)
    expect((await bench.reportWith(token, dispatch, { state: 'succeeded' })).body.rollout.state).toBe('succeeded')
  })

  test('has none of them in a test.ping', async () => {
    const { hook, receiver } = await bench.reporting({ body_template })
    await bench.ask(hook, 'test', undefined, { Prefer: 'wait=20' })
    expect(JSON.parse(receiver.requests[0]?.body ?? '')).toEqual({ url: '', token: '', note: 'See  with .' })
  })

  test('keeps report_within_seconds in use', async () => {
    const { hook } = await bench.reporting({ body_template })
    const put = (input: object) => bench.admin.put(`/api/v1/deployment-hooks/${hook.id}`, input)
    const { status, body } = await put({ report_within_seconds: null })
    expect([status, body.errors]).toEqual([422, [expect.objectContaining({ pointer: '/report_within_seconds', code: 'in_use' })]])
    expect((await put({ report_within_seconds: null, body_template: null })).status).toBe(200)
  })

  test('previews both headers masked, and none for a test', async () => {
    const { hook } = await bench.reporting({ body_template })
    const preview = async (input: object) => (await bench.ask(hook, 'preview', input)).body
    const { headers, body } = await preview({})
    expect(headers['X-Signalbox-Report-Token']).toBe('********')
    expect(headers['X-Signalbox-Report-Url']).toMatch(/\/api\/v1\/dispatches\/[0-9a-f-]{36}\/report$/)
    expect(JSON.parse(body)).toEqual(MASKED)
    expect(Object.keys((await preview({ event: 'test.ping' })).headers).join()).not.toContain('Report')
  })

  test('is about the newest redelivery, whose body names the first dispatch', async () => {
    const { project, hook, receiver } = await bench.reporting({ body_template })
    const first = await bench.triggered(hook)
    const token = await bench.tokenOf(receiver, first)
    expect((await bench.reportWith(token, first, { state: 'failed', version: '1' })).status).toBe(200)
    const redelivery = (await bench.admin.post(`/api/v1/dispatches/${first.id}/redeliver`, {}, { Prefer: 'wait=20' })).body
    const [, again] = receiver.requests
    expect(JSON.parse(again?.body ?? '').token).toBe(token)
    expect(again?.headers[REPORT_TOKEN]).not.toBe(token)
    const reported = await bench.reportWith(token, first, { state: 'succeeded', version: '2' })
    expect([reported.status, reported.body.id, reported.body.rollout.state]).toEqual([200, redelivery.id, 'succeeded'])
    expect((await bench.dispatch(first.id)).rollout).toMatchObject({ state: 'failed', version: '1' })
    const [environment] = await bench.environments(project)
    expect(environment.current).toMatchObject({ dispatch_id: redelivery.id, version: '2' })
  })

  test('is about the first dispatch while that has no outcome, and only then about a redelivery', async () => {
    const { hook, receiver } = await bench.reporting({ body_template })
    const first = await bench.triggered(hook)
    const token = await bench.tokenOf(receiver, first)
    const redeliver = async () =>
      (await bench.admin.post(`/api/v1/dispatches/${first.id}/redeliver`, {}, { Prefer: 'wait=20' })).body
    const [second, third] = [await redeliver(), await redeliver()]
    const report = async (state: string) => {
      const { status, body } = await bench.reportWith(token, first, { state })
      return [status, body.id, body.rollout?.state]
    }
    const states = () =>
      Promise.all([first, second, third].map(async ({ id }) => (await bench.dispatch(id)).rollout.state as string))
    // A late report of the first run does not decide the outcome of the second.
    expect(await report('in_progress')).toEqual([200, first.id, 'in_progress'])
    expect(await report('failed')).toEqual([200, first.id, 'failed'])
    expect(await states()).toEqual(['failed', 'awaiting', 'awaiting'])
    expect(await report('in_progress')).toEqual([200, second.id, 'in_progress'])
    await bench.expire(second)
    expect(await report('succeeded')).toEqual([200, third.id, 'succeeded'])
    // None waits for an outcome: the first final report of the newest stands.
    expect((await bench.reportWith(token, first, { state: 'failed' })).body.code).toBe('invalid_transition')
    expect(await report('succeeded')).toEqual([200, third.id, 'succeeded'])
    expect(await states()).toEqual(['failed', 'unknown', 'succeeded'])
  })

  test('is about the redelivery of a dispatch that was never delivered', async () => {
    const { hook, receiver } = await bench.reporting({ body_template })
    receiver.answer = () => new Response('', { status: 500, headers: { 'X-Signalbox-Control': 'stop' } })
    const first = await bench.triggered(hook)
    receiver.answer = () => new Response('ok')
    const { body: second } = await bench.admin.post(`/api/v1/dispatches/${first.id}/redeliver`, {}, { Prefer: 'wait=20' })
    const { body } = await bench.reportWith(await bench.tokenOf(receiver, first), first, { state: 'succeeded' })
    expect([body.id, body.rollout.state]).toEqual([second.id, 'succeeded'])
    expect((await bench.dispatch(first.id)).rollout.state).toBe('not_delivered')
  })

  test('too large for its event fails with a rollout that awaits nothing', async () => {
    const large = '{{/data/reason}}'.repeat(600)
    const { hook, project } = await bench.reporting({ body_template: { ...body_template, large } })
    const receiver = await bench.subscribe(project, 'deployment.failed')
    await bench.admin.post(`/api/v1/projects/${project.id}/deployment-rollback`, {
      target_version: '1',
      reason: 'y'.repeat(2000),
    })
    const [dispatch] = await bench.dispatches(hook, (all) => all.length === 1 && all[0].status === 'failed')
    expect([dispatch.error.code, dispatch.rollout]).toEqual([
      'payload_too_large',
      expect.objectContaining({ state: 'not_delivered', deadline_at: null }),
    ])
    const [message] = await receiver.waitFor(1)
    expect(JSON.parse(message?.body ?? '').data.dispatch.rollout).toEqual(dispatch.rollout)
  })
})

test('a report with the token of a first dispatch stays with it if its body has no report values', async () => {
  const { hook, receiver } = await bench.reporting({ body_template: { event: '{{/event}}' } })
  const first = await bench.triggered(hook)
  const token = await bench.tokenOf(receiver, first)
  await bench.admin.post(`/api/v1/dispatches/${first.id}/redeliver`, {}, { Prefer: 'wait=20' })
  const { body } = await bench.reportWith(token, first, { state: 'succeeded' })
  expect([body.id, body.rollout.state]).toEqual([first.id, 'succeeded'])
})
