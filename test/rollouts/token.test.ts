import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { RolloutWorkbench } from './workbench.ts'

let bench: RolloutWorkbench

beforeAll(async () => {
  bench = await RolloutWorkbench.open()
})

afterAll(() => bench.close())

async function delivered() {
  const { project, hook, receiver } = await bench.reporting()
  const dispatch = await bench.triggered(hook)
  return { project, hook, dispatch, token: await bench.tokenOf(receiver, dispatch) }
}

describe('a report token', () => {
  test('is good for the report of its dispatch alone', async () => {
    const { project, hook, dispatch, token } = await delivered()
    const other = await bench.triggered(hook)
    const authorization = { Authorization: `Bearer ${token}` }
    const elsewhere: [string, string][] = [
      ['GET', `/api/v1/dispatches/${dispatch.id}`],
      ['POST', `/api/v1/dispatches/${dispatch.id}/redeliver`],
      ['POST', `/api/v1/dispatches/${dispatch.id}/cancel`],
      ['GET', `/api/v1/deployment-hooks/${hook.id}`],
      ['GET', `/api/v1/projects/${project.id}/environments`],
      ['GET', '/api/v1/users/me'],
    ]
    for (const [method, path] of elsewhere)
      expect((await bench.box.request(method, path, undefined, authorization)).status).toBe(401)
    for (const id of [other.id, crypto.randomUUID(), 'nonsense']) {
      const { status, headers } = await bench.reportWith(token, { id }, { state: 'succeeded' })
      expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Bearer/)])
    }
    expect((await bench.dispatch(other.id)).rollout.state).toBe('awaiting')
    for (const wrong of [`${token}A`, token.slice(0, -1), 'sbx_rep_', token.toUpperCase().replace('SBX_REP_', 'sbx_rep_')]) {
      expect((await bench.reportWith(wrong, dispatch, { state: 'succeeded' })).status).toBe(401)
    }
    expect((await bench.reportWith(token, dispatch, { state: 'succeeded' })).status).toBe(200)
  })

  test('is checked before the body', async () => {
    const { dispatch, token } = await delivered()
    const path = `/api/v1/dispatches/${dispatch.id}/report`
    const send = (bearer: string) => bench.box.request('POST', path, '{', { Authorization: `Bearer ${bearer}` })
    expect((await send('sbx_rep_wrong')).status).toBe(401)
    expect((await send(token)).body.code).toBe('malformed_json')
    expect((await bench.reportWith(token, dispatch, { state: 'done' })).status).toBe(422)
  })

  test('ends 7 days after the deadline', async () => {
    const { dispatch, token } = await delivered()
    const set = (age: string) =>
      bench.box.sql`update rollouts set state = 'unknown', deadline_at = now() - ${age}::interval where id = ${dispatch.id}`
    await set('7 days 1 second')
    expect((await bench.reportWith(token, dispatch, { state: 'succeeded' })).status).toBe(401)
    await set('6 days 23 hours')
    expect((await bench.reportWith(token, dispatch, { state: 'succeeded' })).status).toBe(200)
  })

  test('ends 7 days after the dispatch was made while there is no deadline', async () => {
    const { hook, receiver } = await bench.reporting()
    receiver.answer = () => new Response('', { status: 500, headers: { 'X-Signalbox-Control': 'stop' } })
    const dispatch = await bench.triggered(hook)
    const token = await bench.tokenOf(receiver, dispatch)
    const age = (text: string) =>
      bench.box.sql`update dispatches set created_at = now() - ${text}::interval where id = ${dispatch.id}`
    await age('7 days 1 second')
    expect((await bench.reportWith(token, dispatch, { state: 'succeeded' })).status).toBe(401)
    await age('6 days 23 hours')
    expect((await bench.reportWith(token, dispatch, { state: 'succeeded' })).status).toBe(200)
  })

  test('ends with the hook; a member then gets 404', async () => {
    const { hook, dispatch, token } = await delivered()
    await bench.admin.delete(`/api/v1/deployment-hooks/${hook.id}`)
    expect((await bench.reportWith(token, dispatch, { state: 'succeeded' })).status).toBe(401)
    expect((await bench.report(dispatch, { state: 'succeeded' })).status).toBe(404)
  })

  test('ignores an Idempotency-Key; a user has one', async () => {
    const { dispatch, token } = await delivered()
    const path = `/api/v1/dispatches/${dispatch.id}/report`
    const headers = { 'Idempotency-Key': 'once' }
    const first = await bench.box.request(
      'POST',
      path,
      { state: 'in_progress' },
      { ...headers, Authorization: `Bearer ${token}` },
    )
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([200, null])
    await bench.admin.post(path, { state: 'succeeded' }, headers)
    const replay = await bench.admin.post(path, { state: 'succeeded' }, headers)
    expect([replay.status, replay.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
  })

  test('a report for the dispatch of another tenant looks like one for none', async () => {
    const { dispatch } = await delivered()
    const stranger = await bench.box.user('Stranger')
    await bench.box.site(stranger, 'Elsewhere')
    const [foreign, absent] = await Promise.all(
      [dispatch.id, crypto.randomUUID()].map((id) => stranger.post(`/api/v1/dispatches/${id}/report`, { state: 'nonsense' })),
    )
    const { request_id: _, instance: __, ...first } = foreign?.body ?? {}
    expect(foreign?.status).toBe(404)
    expect(absent?.body).toMatchObject(first)
    const member = await bench.box.user('Member')
    await bench.box.join(member, bench.site, 'member', 'member')
    expect((await member.post(`/api/v1/dispatches/${dispatch.id}/report`, { state: 'failed' })).status).toBe(200)
  })
})
