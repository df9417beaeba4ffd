/** What works for a pull hook as for one that workers send to. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Answer } from '../support/signalbox.ts'
import { PullWorkbench } from './workbench.ts'

type Body = Answer['body']

let bench: PullWorkbench

beforeAll(async () => {
  bench = await PullWorkbench.open()
})

afterAll(() => bench.close())

describe('a pull hook', () => {
  test('has neither url nor headers, and a mode that is fixed', async () => {
    const { project, hook } = await bench.pulled()
    expect([hook.mode, hook.url, hook.headers]).toEqual(['pull', null, {}])
    const errorsOf = ({ status, body }: Answer) => [status, body.errors?.map(({ pointer }: Body) => pointer)]
    const create = (input: object) =>
      bench.admin.post(`/api/v1/projects/${project.id}/deployment-hooks`, { name: 'x', trigger_on: 'gate_approved', ...input })
    expect(errorsOf(await create({ mode: 'pull', url: 'https://ci.example.com/', headers: {} }))).toEqual([
      422,
      ['/url', '/headers'],
    ])
    expect(errorsOf(await create({ mode: 'push' }))).toEqual([422, ['/url']])
    expect(errorsOf(await create({ mode: 'both' }))).toEqual([422, ['/mode']])
    const put = (input: object) => bench.admin.put(`/api/v1/deployment-hooks/${hook.id}`, input)
    expect(errorsOf(await put({ url: 'https://ci.example.com/' }))).toEqual([422, ['/url']])
    expect(errorsOf(await put({ headers: null }))).toEqual([422, ['/headers']])
    expect(errorsOf(await put({ mode: 'push' }))).toEqual([422, ['/mode']])
    expect((await put({ name: 'Renamed' })).body).toMatchObject({ name: 'Renamed', mode: 'pull' })
    const sent = await bench.hookTo('http://127.0.0.1:1/')
    expect(sent.hook.mode).toBe('push')
  })

  test('that is temporary is removed when no agent has claimed from it for a day, with what waits in it, and no other is', async () => {
    const asked = { mode: 'pull', trigger_on: 'gate_approved' }
    const { project, ...ordinary } = await bench.pulled()
    const path = `/api/v1/projects/${project.id}/deployment-hooks`
    const make = (name: string) => bench.admin.make(path, { ...asked, name, temporary: true })
    const [idle, claimed, young] = [await make('Idle'), await make('Claimed'), await make('Young')]
    const paused = await bench.admin.make(path, { ...asked, name: 'Disabled', temporary: true, enabled: false })
    expect([ordinary.hook.temporary, idle.temporary]).toEqual([false, true])
    const waiting = await bench.trigger({ hook: idle })
    const elsewhere = await bench.pulled({ temporary: true })
    const age = (hours: number, ...hooks: Body[]) => bench.box.sql`
      update deployment_hooks
      set claimed_at = now() - ${hours} * interval '1 hour'
      where id = any(${hooks.map(({ id }) => id)}::uuid[])
    `
    await age(23, claimed, young, elsewhere.hook)
    // An empty claim is one, and so is one by an admin; neither changes the version of the hook.
    expect((await bench.ask(claimed, 'claim')).body).toEqual([])
    expect((await bench.claimWith(elsewhere.token, elsewhere.hook)).body).toEqual([])
    expect((await bench.admin.get(`/api/v1/deployment-hooks/${claimed.id}`)).body.updated_at).toBe(claimed.updated_at)
    await bench.box.sql`update deployment_hooks set claimed_at = claimed_at - interval '90 minutes' where id <> ${idle.id}`
    await age(25, idle, ordinary.hook, paused)
    const names = async () => (await bench.admin.get(path)).body.map(({ name }: Body) => name)
    await bench.box.until('they are removed', async () => (await names()).length === 2)
    expect(await names()).toEqual(['Claimed', 'Deploy'])
    expect((await bench.admin.get(`/api/v1/deployment-hooks/${elsewhere.hook.id}`)).status).toBe(200)
    expect((await bench.admin.get(`/api/v1/dispatches/${waiting.id}`)).status).toBe(404)
    const { body } = await bench.admin.get(
      `/api/v1/organizations/${bench.site.organization.id}/audit-logs?action=deployment_hook.deleted`,
    )
    expect(body.items.map(({ actor_type, resource_id }: Body) => [actor_type, resource_id]).sort()).toEqual(
      [idle, young, paused].map(({ id }) => ['system', id]).sort(),
    )
    expect((await bench.ask(idle, 'claim')).status).toBe(404)
    // Only a pull hook is, and it stays so.
    const push = await bench.admin.post(path, {
      ...asked,
      name: 'Push',
      mode: 'push',
      url: 'https://ci.example.com/',
      temporary: true,
    })
    const changed = await bench.admin.put(`/api/v1/deployment-hooks/${claimed.id}`, { temporary: false })
    expect([push, changed].map(({ status, body }) => [status, body.errors[0].pointer])).toEqual([
      [422, '/temporary'],
      [422, '/temporary'],
    ])
  })

  test('holds back while paused, but for a test, which waits to be claimed', async () => {
    const pulled = await bench.pulled({ paused: true })
    await bench.trigger(pulled)
    expect((await bench.claimWith(pulled.token, pulled.hook)).body).toEqual([])
    const waiting = bench.claimOne(pulled)
    const { body } = await bench.ask(pulled.hook, 'test')
    const ping = await waiting
    expect([ping.dispatch.id, ping.dispatch.event, ping.headers['X-Signalbox-Sequence']]).toEqual([
      body.id,
      'test.ping',
      undefined,
    ])
    const failed = await bench.acknowledge(pulled, ping, { outcome: 'retry' })
    expect([failed.body.status, failed.body.max_attempts]).toEqual(['failed', 1])
    const resumed = bench.claimOne(pulled)
    await bench.change(pulled.hook, { paused: false })
    expect((await resumed).dispatch.event).toBe('manual.trigger')
  })

  test('supersedes what waits, but not what is leased', async () => {
    const pulled = await bench.pulled({ supersede: true })
    await bench.trigger(pulled)
    const leased = await bench.claimOne(pulled)
    const second = await bench.trigger(pulled)
    const third = await bench.trigger(pulled)
    const superseded = await bench.once(second, ({ status }) => status === 'cancelled')
    expect([superseded.error.code, superseded.superseded_by]).toEqual(['superseded', third.id])
    expect((await bench.claimOne(pulled)).dispatch.id).toBe(third.id)
    const { body } = await bench.acknowledge(pulled, leased, { outcome: 'retry' })
    expect([body.status, body.error.code]).toEqual(['cancelled', 'superseded'])
  })

  test('expires what is too old, without a claim', async () => {
    const pulled = await bench.pulled({ max_age_seconds: 60 })
    const age = (id: string) => bench.box.sql`update dispatches set created_at = now() - interval '61 seconds' where id = ${id}`
    const first = await bench.trigger(pulled)
    await age(first.id)
    expect((await bench.claimWith(pulled.token, pulled.hook, {})).body).toEqual([])
    expect((await bench.dispatch(first.id)).error.code).toBe('expired')
    const second = await bench.trigger(pulled)
    await age(second.id)
    expect((await bench.once(second, ({ status }) => status === 'cancelled')).error.code).toBe('expired')
  })

  test('cancels what waits when it is disabled, and what is leased when its lease ends', async () => {
    const pulled = await bench.pulled()
    await bench.trigger(pulled)
    const leased = await bench.claimOne(pulled)
    const waiting = await bench.trigger(pulled)
    await bench.change(pulled.hook, { enabled: false })
    expect((await bench.dispatch(waiting.id)).error.code).toBe('hook_disabled')
    expect((await bench.dispatch(leased.dispatch.id)).status).toBe('pending')
    const { body } = await bench.acknowledge(pulled, leased, { outcome: 'retry' })
    expect([body.status, body.error.code]).toEqual(['cancelled', 'hook_disabled'])
  })

  test('redelivers and recovers', async () => {
    const pulled = await bench.pulled()
    const since = new Date(Date.now() - 60_000).toISOString()
    await bench.trigger(pulled)
    const first = await bench.claimOne(pulled)
    await bench.acknowledge(pulled, first, { outcome: 'failed' })
    const waiting = bench.claimOne(pulled)
    expect((await bench.act(first.dispatch, 'redeliver')).status).toBe(202)
    const second = await waiting
    expect([second.dispatch.redelivery_of, second.payload, second.headers['webhook-id']]).toEqual([
      first.dispatch.id,
      first.payload,
      first.dispatch.id,
    ])
    await bench.acknowledge(pulled, second, { outcome: 'failed' })
    expect((await bench.ask(pulled.hook, 'recover', { since })).body).toEqual({ redelivered: 1 })
    expect((await bench.claimOne(pulled)).dispatch.redelivery_of).toBe(first.dispatch.id)
  })

  test('cancels and retries: a leased dispatch gets no further attempt', async () => {
    const pulled = await bench.pulled()
    const waiting = await bench.trigger(pulled)
    expect((await bench.act(waiting, 'cancel')).body.status).toBe('cancelled')
    await bench.trigger(pulled)
    const leased = await bench.claimOne(pulled)
    expect((await bench.act(leased.dispatch, 'retry')).status).toBe(202)
    expect((await bench.claimWith(pulled.token, pulled.hook)).body).toEqual([])
    expect((await bench.act(leased.dispatch, 'cancel')).body.status).toBe('pending')
    const { body } = await bench.acknowledge(pulled, leased, { outcome: 'retry' })
    expect([body.status, body.error.code]).toEqual(['cancelled', 'cancelled'])
  })

  test('takes reports, by the token of a claim', async () => {
    const pulled = await bench.pulled({ report_within_seconds: 600 })
    await bench.trigger(pulled)
    const { dispatch, headers } = await bench.claimOne(pulled)
    const token = headers['X-Signalbox-Report-Token']
    const { status, body } = await bench.reportWith(token, dispatch, { state: 'succeeded', version: '2' })
    expect([status, body.rollout.state]).toEqual([200, 'succeeded'])
    expect((await bench.environments(pulled.project))[0].current).toMatchObject({ version: '2', dispatch_id: dispatch.id })
  })

  test('renders its template, with secrets', async () => {
    const pulled = await bench.pulled({
      body_template: { event: '{{/event}}', key: '{{secret:key}}' },
      template_secrets: { key: 'swordfish-4711' },
    })
    await bench.trigger(pulled)
    const { dispatch, payload } = await bench.claimOne(pulled)
    expect(JSON.parse(payload)).toEqual({ event: 'manual.trigger', key: 'swordfish-4711' })
    expect((await bench.dispatch(dispatch.id)).payload).not.toContain('swordfish')
  })

  test('previews its headers without a receiver', async () => {
    const { hook } = await bench.pulled()
    const { body } = await bench.ask(hook, 'preview', {})
    expect([body.url, body.headers.Host]).toEqual([null, undefined])
  })

  test('is never switched off for failing, and workers never serve it', async () => {
    const pulled = await bench.pulled()
    for (let failures = 0; failures < 12; failures++) {
      await bench.trigger(pulled)
      await bench.acknowledge(pulled, await bench.claimOne(pulled), { outcome: 'failed' })
    }
    const { id } = pulled.hook
    const [{ health }] = await bench.box.sql<
      [{ health: string }]
    >`select count(*) as health from lane_health where lane_id = ${id}`
    expect(Number(health)).toBe(0)
    const lease = bench.box.sql`update lanes set owner_id = (select id from workers limit 1) where id = ${id}`
    await expect(lease.then(() => 'leased')).rejects.toThrow('lanes_pull')
    const [{ jobs }] = await bench.box.sql<
      [{ jobs: string }]
    >`select count(*) as jobs from graphile_worker.jobs where key = ${`dispatch_hook:${id}`}`
    expect(Number(jobs)).toBe(0)
  })
})

describe('a pull token', () => {
  test('is good for the claims and acknowledgements of its hook alone', async () => {
    const pulled = await bench.pulled()
    const other = await bench.pulled()
    await bench.trigger(other)
    const claimed = await bench.claimOne(other)
    const authorization = { Authorization: `Bearer ${pulled.token}` }
    const elsewhere: [string, string][] = [
      ['POST', `/api/v1/deployment-hooks/${other.hook.id}/claim`],
      ['POST', `/api/v1/deployment-hooks/${crypto.randomUUID()}/claim`],
      ['POST', '/api/v1/deployment-hooks/nonsense/claim'],
      ['POST', `/api/v1/dispatches/${claimed.dispatch.id}/acknowledge`],
      ['POST', `/api/v1/dispatches/${claimed.dispatch.id}/report`],
      ['GET', `/api/v1/dispatches/${claimed.dispatch.id}`],
      ['GET', `/api/v1/deployment-hooks/${pulled.hook.id}`],
      ['POST', `/api/v1/deployment-hooks/${pulled.hook.id}/pull-token`],
      ['GET', '/api/v1/users/me'],
    ]
    for (const [method, path] of elsewhere) {
      const body = method === 'POST' ? {} : undefined
      expect([path, (await bench.box.request(method, path, body, authorization)).status]).toEqual([path, 401])
    }
  })

  test('is stored as a hash alone, and stops working with the next one, also for a claim that waits', async () => {
    const pulled = await bench.pulled()
    expect(pulled.token).toMatch(/^sbx_pull_[\w-]{43}$/)
    const [{ stored }] = await bench.box.sql<
      [{ stored: string }]
    >`select row_to_json(hook)::text as stored from deployment_hooks as hook where id = ${pulled.hook.id}`
    expect(stored).not.toContain(pulled.token.slice(9))
    const waiting = bench.claimWith(pulled.token, pulled.hook, { wait: 20 })
    await Bun.sleep(50)
    const token = await bench.newToken(pulled.hook)
    await bench.trigger(pulled)
    expect((await waiting).status).toBe(401)
    expect((await bench.claimWith(pulled.token, pulled.hook)).status).toBe(401)
    expect(await bench.claim({ ...pulled, token })).toHaveLength(1)
    expect((await bench.lastEntry(pulled.hook.id)).action).toBe('deployment_hook.triggered')
  })
})
