import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { REPORT_TOKEN, REPORT_URL, RolloutWorkbench } from './workbench.ts'

let bench: RolloutWorkbench

beforeAll(async () => {
  bench = await RolloutWorkbench.open()
})

afterAll(() => bench.close())

const NOTHING = { version: null, url: null, description: null, reported_by: null, actor: null, reported_at: null }

describe('a hook with report_within_seconds', () => {
  test('has the field, from 60 to 604,800 or null, and PUT changes it', async () => {
    const { project, hook } = await bench.hooked()
    expect(hook.report_within_seconds).toBeNull()
    for (const report_within_seconds of [59, 604_801, 1.5, '600']) {
      const { status, body } = await bench.admin.put(`/api/v1/deployment-hooks/${hook.id}`, { report_within_seconds })
      expect([status, body.errors[0].pointer]).toEqual([422, '/report_within_seconds'])
    }
    for (const report_within_seconds of [60, 604_800, null]) {
      const changed = await bench.change(hook, { report_within_seconds })
      expect(changed.report_within_seconds).toBe(report_within_seconds)
    }
    const { updated_at } = await bench.change(hook, { report_within_seconds: 60 })
    expect(updated_at > hook.updated_at).toBe(true)
    const other = await bench.admin.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
      name: 'Other',
      url: 'http://127.0.0.1:9/',
      trigger_on: 'workflow_done',
      report_within_seconds: 90,
    })
    expect(other.report_within_seconds).toBe(90)
  })

  test('is sent with the URL and the token for reports, except a test.ping', async () => {
    const { project, hook, receiver } = await bench.reporting()
    const dispatch = await bench.triggered(hook)
    await bench.ask(hook, 'test', undefined, { Prefer: 'wait=10' })
    await bench.approve(project)
    const [manual, ping, gate] = await receiver.waitFor(3)
    expect(manual?.headers[REPORT_URL]).toBe(
      `${bench.box.base}/api/v1/dispatches/${dispatch.id}/report`.replace('127.0.0.1', 'localhost'),
    )
    expect(manual?.headers[REPORT_TOKEN]).toMatch(/^sbx_rep_[\w-]{43}$/)
    expect(Object.keys(ping?.headers ?? {}).filter((name) => name.startsWith('x-signalbox-report'))).toEqual([])
    expect(gate?.headers[REPORT_TOKEN]).toMatch(/^sbx_rep_/)
    expect(gate?.headers[REPORT_TOKEN]).not.toBe(manual?.headers[REPORT_TOKEN] ?? '')
  })

  test('sends the same token in every attempt', async () => {
    const { hook, receiver } = await bench.reporting()
    receiver.answer = (_, number) => new Response('', { status: number === 1 ? 503 : 200 })
    await bench.triggered(hook)
    const [first, second] = await receiver.waitFor(2)
    expect(second?.headers[REPORT_TOKEN]).toBe(first?.headers[REPORT_TOKEN] ?? '')
  })

  test('gives its dispatches a rollout; a test.ping and dispatches of other hooks have none', async () => {
    const { hook } = await bench.reporting()
    const { body: ping } = await bench.ask(hook, 'test', undefined, { Prefer: 'wait=10' })
    expect(ping.rollout).toBeNull()
    const dispatch = await bench.triggered(hook)
    expect(dispatch.rollout).toEqual({ state: 'awaiting', ...NOTHING, deadline_at: expect.any(String) })
    expect((await bench.listed(hook)).items.find(({ id }: { id: string }) => id === dispatch.id).rollout).toEqual(
      dispatch.rollout,
    )
    const other = await bench.hooked()
    expect((await bench.triggered(other.hook)).rollout).toBeNull()
  })

  test('applies to dispatches made from then on', async () => {
    const { hook, receiver } = await bench.hooked()
    const before = await bench.triggered(hook)
    await bench.change(hook, { report_within_seconds: 60 })
    expect((await bench.dispatch(before.id)).rollout).toBeNull()
    const after = await bench.triggered(hook)
    await bench.change(hook, { report_within_seconds: null })
    expect((await bench.dispatch(after.id)).rollout.state).toBe('awaiting')
    expect(await bench.tokenOf(receiver, after)).toMatch(/^sbx_rep_/)
  })

  test('masks the token in records, and where the receiver repeats it', async () => {
    const { hook, receiver } = await bench.reporting()
    receiver.answer = ({ headers }) => {
      const token = headers[REPORT_TOKEN] ?? ''
      return new Response(`token ${token}, ${Buffer.from(token).toString('base64')}`, { headers: { 'X-Echo': token } })
    }
    const dispatch = await bench.triggered(hook)
    const token = await bench.tokenOf(receiver, dispatch)
    const shown = await bench.dispatch(dispatch.id)
    expect(shown.request_headers['X-Signalbox-Report-Token']).toBe('********')
    expect(shown.request_headers['X-Signalbox-Report-Url']).toBe(receiver.requests[0]?.headers[REPORT_URL])
    expect(shown.response_body).toBe('token ********, ********')
    expect(JSON.stringify(shown)).not.toContain(token)
    await bench.reportWith(token, dispatch, { state: 'succeeded' })
    const lines = [bench.box.api, ...bench.box.workers].flatMap(({ lines }) => lines).join('\n')
    expect(lines).not.toContain(token)
    const tables = await bench.box.sql<{ name: string }[]>`
      select relname as name
      from pg_class
      where relnamespace = 'public'::regnamespace
        and relkind in ('r', 'p')
        and not relispartition
    `
    expect(tables.map(({ name }) => name)).toContain('dispatches')
    for (const { name } of tables) {
      const rows = await bench.box.sql`select from ${bench.box.sql(name)} as r where r::text like ${`%${token}%`}`
      expect([name, rows.length]).toEqual([name, 0])
    }
  })
})

describe('a report', () => {
  test('by the token returns the dispatch with its rollout', async () => {
    const { hook, receiver } = await bench.reporting()
    const dispatch = await bench.triggered(hook)
    const token = await bench.tokenOf(receiver, dispatch)
    const input = { version: 'v1.5.0', url: 'https://ci.example.com/runs/1', description: 'Fine.' }
    const { status, body } = await bench.reportWith(token, dispatch, { state: 'succeeded', ...input })
    expect(status).toBe(200)
    expect(body).toEqual({ ...dispatch, rollout: body.rollout })
    expect(body.rollout).toEqual({
      state: 'succeeded',
      ...input,
      reported_by: null,
      actor: null,
      reported_at: expect.any(String),
      deadline_at: dispatch.rollout.deadline_at,
    })
    expect(await bench.lastEntry(dispatch.id)).toMatchObject({ action: 'rollout.reported', actor_id: null })
  })

  test('is made by the documented command', async () => {
    const { hook, receiver } = await bench.reporting()
    const dispatch = await bench.triggered(hook)
    const [request] = await receiver.waitFor(1)
    const text = await Bun.file(`${import.meta.dir}/../../docs/receivers/README.md`).text()
    const [, command = ''] = /```bash\n(curl [\s\S]*?)```/.exec(text) ?? []
    const child = Bun.spawn(['sh', '-c', command], {
      env: {
        PATH: process.env.PATH ?? '',
        REPORT_URL: request?.headers[REPORT_URL] ?? '',
        REPORT_TOKEN: request?.headers[REPORT_TOKEN] ?? '',
      },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    expect([await child.exited, await new Response(child.stderr).text()]).toEqual([0, ''])
    expect((await bench.dispatch(dispatch.id)).rollout).toMatchObject({
      state: 'succeeded',
      version: 'v1.5.0',
      url: 'https://ci.example.com/runs/4711',
    })
  })

  test('by a member or a personal token names the user', async () => {
    const { hook } = await bench.reporting()
    const { token } = await bench.admin.make('/api/v1/auth/tokens', { name: 'CI' })
    const first = await bench.rolledOut(hook, { state: 'in_progress' })
    const actor = { type: 'user', id: bench.admin.id, name: bench.admin.name }
    expect(first.rollout).toMatchObject({ state: 'in_progress', reported_by: bench.admin.id, actor })
    const { body } = await bench.reportWith(token, first, { state: 'failed' })
    expect(body.rollout).toMatchObject({ state: 'failed', reported_by: bench.admin.id })
    const reader = await bench.admin.make('/api/v1/auth/tokens', { name: 'Reader', scope: 'read' })
    expect((await bench.reportWith(reader.token, first, { state: 'failed' })).body.code).toBe('read_only_token')
  })

  test('is refused by its fields', async () => {
    const { hook } = await bench.reporting()
    const dispatch = await bench.triggered(hook)
    const wrong: [object, string][] = [
      [{}, '/state'],
      [{ state: 'awaiting' }, '/state'],
      [{ state: 'unknown' }, '/state'],
      [{ state: 'succeeded', version: 'v'.repeat(121) }, '/version'],
      [{ state: 'succeeded', url: 'ftp://example.com' }, '/url'],
      [{ state: 'succeeded', url: `https://example.com/${'a'.repeat(2048)}` }, '/url'],
      [{ state: 'succeeded', description: 'd'.repeat(2001) }, '/description'],
      [{ state: 'succeeded', sha: 'abc' }, '/sha'],
    ]
    for (const [input, pointer] of wrong) {
      const { status, body } = await bench.report(dispatch, input)
      expect([status, body.errors[0].pointer]).toEqual([422, pointer])
    }
    const longest = { version: 'v'.repeat(120), url: `https://e.co/${'a'.repeat(2035)}`, description: 'd'.repeat(2000) }
    expect((await bench.report(dispatch, { state: 'succeeded', ...longest })).body.rollout).toMatchObject(longest)
  })

  test('keeps the fields that it omits, and clears those that are null', async () => {
    const { hook } = await bench.reporting()
    const dispatch = await bench.rolledOut(hook, { state: 'in_progress', version: 'v1', url: 'https://ci.example.com/1' })
    const { body } = await bench.report(dispatch, { state: 'succeeded', url: null })
    expect(body.rollout).toMatchObject({ version: 'v1', url: null })
  })

  test('of progress starts the deadline again; an outcome leaves it', async () => {
    const { hook } = await bench.reporting({ report_within_seconds: 3600 })
    const dispatch = await bench.triggered(hook)
    const seconds = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1000
    expect(seconds(dispatch.completed_at, dispatch.rollout.deadline_at)).toBe(3600)
    await bench.box.sql`update rollouts set deadline_at = now() + interval '1 minute' where id = ${dispatch.id}`
    for (const _ of [1, 2]) {
      const { rollout } = (await bench.report(dispatch, { state: 'in_progress' })).body
      expect(seconds(rollout.reported_at, rollout.deadline_at)).toBe(3600)
    }
    const before = (await bench.dispatch(dispatch.id)).rollout.deadline_at
    expect((await bench.report(dispatch, { state: 'failed' })).body.rollout.deadline_at).toBe(before)
  })

  test('of another outcome is refused; the same again changes nothing', async () => {
    const { hook } = await bench.reporting()
    for (const [state, other] of [
      ['succeeded', 'failed'],
      ['failed', 'succeeded'],
    ]) {
      const dispatch = await bench.rolledOut(hook, { state, version: 'v1' })
      for (const refused of [other, 'in_progress']) {
        const { status, body } = await bench.report(dispatch, { state: refused })
        expect([status, body.code]).toEqual([409, 'invalid_transition'])
      }
      const again = await bench.report(dispatch, { state, version: 'v2' })
      expect([again.status, again.body.rollout]).toEqual([200, dispatch.rollout])
    }
  })

  test('is refused where there is no rollout', async () => {
    const { hook } = await bench.hooked()
    const { status, body } = await bench.report(await bench.triggered(hook), { state: 'succeeded' })
    expect([status, body.code]).toEqual([409, 'invalid_transition'])
  })

  test('is taken before the delivery is on record; the deadline starts with the delivery', async () => {
    const { hook, receiver } = await bench.reporting()
    const answers: { status: number; body: { status: string; rollout: { state: string; deadline_at: string | null } } }[] = []
    receiver.answer = async ({ headers }) => {
      const id = headers['x-signalbox-delivery'] ?? ''
      answers.push(await bench.reportWith(headers[REPORT_TOKEN] ?? '', { id }, { state: 'in_progress' }))
      return new Response('ok')
    }
    const dispatch = await bench.triggered(hook)
    expect(answers[0]).toMatchObject({
      status: 200,
      body: { status: 'pending', rollout: { state: 'in_progress', deadline_at: null } },
    })
    expect(dispatch).toMatchObject({ status: 'succeeded', rollout: { state: 'in_progress' } })
    expect(Date.parse(dispatch.rollout.deadline_at) - Date.parse(dispatch.completed_at)).toBe(600_000)
  })

  test('of an outcome before the delivery stands after it', async () => {
    const { hook, receiver } = await bench.reporting()
    receiver.answer = async ({ headers }) => {
      await bench.reportWith(headers[REPORT_TOKEN] ?? '', { id: headers['x-signalbox-delivery'] }, { state: 'succeeded' })
      return new Response('ok')
    }
    expect((await bench.triggered(hook)).rollout).toMatchObject({ state: 'succeeded', deadline_at: expect.any(String) })
  })

  test('is taken for a dispatch that was not delivered, which has no deadline until progress is reported', async () => {
    const { hook, receiver } = await bench.reporting()
    receiver.answer = () => new Response('', { status: 500, headers: { 'X-Signalbox-Control': 'stop' } })
    const lost = await bench.triggered(hook)
    expect(lost).toMatchObject({ status: 'failed', rollout: { state: 'not_delivered', deadline_at: null } })
    expect((await bench.report(lost, { state: 'succeeded' })).body.rollout.state).toBe('succeeded')

    receiver.answer = async ({ headers }) => {
      await bench.reportWith(headers[REPORT_TOKEN] ?? '', { id: headers['x-signalbox-delivery'] }, { state: 'in_progress' })
      return new Response('', { status: 500, headers: { 'X-Signalbox-Control': 'stop' } })
    }
    expect(await bench.triggered(hook)).toMatchObject({
      status: 'failed',
      rollout: { state: 'in_progress', deadline_at: expect.any(String) },
    })
  })

  test('of a redelivery is its own: the redelivery has another token and a rollout', async () => {
    const { hook, receiver } = await bench.reporting()
    const first = await bench.rolledOut(hook, { state: 'failed' })
    const { body: second } = await bench.act(first, 'redeliver', { Prefer: 'wait=10' })
    expect(second.rollout).toMatchObject({ state: 'awaiting', deadline_at: expect.any(String) })
    const [one, two] = [await bench.tokenOf(receiver, first), await bench.tokenOf(receiver, second)]
    expect((await bench.reportWith(one, second, { state: 'succeeded' })).status).toBe(401)
    expect((await bench.reportWith(two, second, { state: 'succeeded' })).body.rollout.state).toBe('succeeded')
    expect((await bench.dispatch(first.id)).rollout.state).toBe('failed')
    await bench.change(hook, { report_within_seconds: null })
    expect((await bench.act(first, 'redeliver', { Prefer: 'wait=10' })).body.rollout).toBeNull()
  })

  test('to a superseded dispatch is taken', async () => {
    const { hook } = await bench.reporting({ paused: true, supersede: true })
    const { body: old } = await bench.ask(hook, 'trigger')
    await bench.ask(hook, 'trigger')
    const superseded = await bench.once(old, ({ status }) => status === 'cancelled')
    expect(superseded.rollout).toMatchObject({ state: 'not_delivered', deadline_at: null })
    expect((await bench.report(old, { state: 'succeeded' })).status).toBe(200)
  })
})
