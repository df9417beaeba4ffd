import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { RolloutWorkbench } from './workbench.ts'

let bench: RolloutWorkbench

beforeAll(async () => {
  bench = await RolloutWorkbench.open()
})

afterAll(() => bench.close())

const NO_FIGURES = {
  frequency_30d: null,
  change_failure_rate_30d: null,
  lead_time_median_seconds_30d: null,
  restore_time_median_seconds_30d: null,
}

/** Moves everything that was reported in a project into the past, as if that time had passed. */
const shift = (project: { id: string }, hours: number) =>
  bench.box.sql.begin(async (tx) => {
    const seconds = -3600 * hours
    await tx`
      update environments set figures_until = seconds_after(figures_until, ${seconds}) where project_id = ${project.id}
    `
    await tx`
      update rollouts
      set reported_at = seconds_after(reported_at, ${seconds}), event_at = seconds_after(event_at, ${seconds})
      where project_id = ${project.id}
    `
  })

describe('the environments of a project', () => {
  test('are those that its reporting hooks name, by name', async () => {
    const { project } = await bench.reporting({ environment: 'staging' })
    for (const [environment, report_within_seconds] of [
      ['production', 60],
      ['production', 90],
      ['demo', null],
    ]) {
      await bench.admin.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
        name: 'Deploy',
        url: 'http://127.0.0.1:9/',
        trigger_on: 'gate_approved',
        environment,
        report_within_seconds,
      })
    }
    expect(await bench.environments(project)).toEqual(
      ['production', 'staging'].map((environment) => ({
        promotes_from: null,
        soak_seconds: 0,
        candidate: null,
        environment,
        current: null,
        previous: null,
        latest: null,
        ...NO_FIGURES,
      })),
    )
  })

  test('are also those of rollouts, whatever the hook names now', async () => {
    const { project, hook } = await bench.reporting({ environment: 'staging' })
    await bench.triggered(hook)
    await bench.change(hook, { environment: 'production' })
    const names = async () => (await bench.environments(project)).map(({ environment }: { environment: string }) => environment)
    expect(await names()).toEqual(['production', 'staging'])
    await bench.admin.delete(`/api/v1/deployment-hooks/${hook.id}`)
    expect(await names()).toEqual([])
  })

  test('show what runs, what ran before, and the last report', async () => {
    const { project, hook } = await bench.reporting()
    const states = async () => {
      const [{ current, previous, latest }] = await bench.environments(project)
      return [current?.version, previous?.version, latest?.version, latest?.state]
    }
    await bench.rolledOut(hook, { state: 'succeeded', version: 'v1' })
    expect(await states()).toEqual(['v1', undefined, 'v1', 'succeeded'])
    await bench.rolledOut(hook, { state: 'succeeded', version: 'v2' })
    await bench.rolledOut(hook, { state: 'failed', version: 'v3' })
    expect(await states()).toEqual(['v2', 'v1', 'v3', 'failed'])
    const slow = await bench.rolledOut(hook, { state: 'in_progress', version: 'v4' })
    expect(await states()).toEqual(['v2', 'v1', 'v4', 'in_progress'])
    // By the time of the report, whenever it was dispatched.
    await bench.rolledOut(hook, { state: 'succeeded', version: 'v5' })
    const { body: done } = await bench.report(slow, { state: 'succeeded', url: 'https://ci.example.com/4' })
    expect(await states()).toEqual(['v4', 'v5', 'v4', 'succeeded'])
    const [{ current }] = await bench.environments(project)
    expect(current).toEqual({
      dispatch_id: slow.id,
      hook_id: hook.id,
      event: 'manual.trigger',
      version: 'v4',
      url: 'https://ci.example.com/4',
      state: 'succeeded',
      at: done.rollout.reported_at,
    })
  })

  test('are separate for each project and environment, with several hooks in one', async () => {
    const one = await bench.reporting()
    const two = await bench.reporting()
    const { project } = one
    const second = await bench.admin.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
      name: 'Second',
      url: one.receiver.url,
      trigger_on: 'gate_approved',
      report_within_seconds: 600,
    })
    await bench.rolledOut(one.hook, { state: 'succeeded', version: 'a' })
    await bench.rolledOut(second, { state: 'succeeded', version: 'b' })
    await bench.rolledOut(two.hook, { state: 'succeeded', version: 'c' })
    const [first] = await bench.environments(project)
    expect([first.current.version, first.previous.version, first.current.hook_id]).toEqual(['b', 'a', second.id])
    const [other] = await bench.environments(two.project)
    expect([other.current.version, other.previous]).toEqual(['c', null])
  })

  test('outlive the retention of dispatches and the deletion of the hook', async () => {
    const { project, hook } = await bench.reporting()
    const { id } = await bench.rolledOut(hook, { state: 'succeeded', version: 'v1' })
    await bench.box.sql`delete from dispatches where id = ${id}`
    const [first] = await bench.environments(project)
    expect(first.current).toMatchObject({ dispatch_id: null, hook_id: hook.id, version: 'v1' })
    await bench.admin.delete(`/api/v1/deployment-hooks/${hook.id}`)
    const [second] = await bench.environments(project)
    expect(second.current).toMatchObject({ dispatch_id: null, hook_id: null, version: 'v1' })
    expect(second.latest).toEqual(second.current)
    expect((await bench.history(project, 'production')).items).toEqual([second.current])
  })

  test('are listed in parts', async () => {
    const { project } = await bench.reporting({ environment: 'a b/c?' })
    await bench.admin.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
      name: 'Deploy',
      url: 'http://127.0.0.1:9/',
      trigger_on: 'gate_approved',
      report_within_seconds: 600,
    })
    const first = await bench.admin.get(`/api/v1/projects/${project.id}/environments?limit=1`)
    expect(first.body.map(({ environment }: { environment: string }) => environment)).toEqual(['a b/c?'])
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? []
    const second = await bench.admin.get(next)
    expect(second.body.map(({ environment }: { environment: string }) => environment)).toEqual(['production'])
    expect(second.headers.get('link')).toBeNull()
  })
})

describe('the figures of an environment', () => {
  test('are those of DORA over the last 30 days', async () => {
    const { project, hook } = await bench.reporting()
    const outcomes = ['failed', 'succeeded', 'failed', 'failed', 'succeeded', 'succeeded', 'failed', 'succeeded', 'failed']
    const made: { id: string }[] = []
    for (const state of outcomes) made.push(await bench.rolledOut(hook, { state }))
    const times = await bench.box.sql<{ state: string; at: string; lead: number }[]>`
      select state, reported_at as at, extract(epoch from reported_at - event_at) as lead
      from rollouts
      where project_id = ${project.id}
      order by reported_at
    `
    expect(times.map(({ state }) => state)).toEqual(outcomes)
    const seconds = (from: number, to: number) => (Date.parse(times[to]?.at ?? '') - Date.parse(times[from]?.at ?? '')) / 1000
    const leads = times.flatMap(({ state, lead }) => (state === 'succeeded' ? [Number(lead)] : [])).sort((a, b) => a - b)
    const [environment] = await bench.environments(project)
    expect(environment.frequency_30d).toBeCloseTo(4 / 30, 6)
    expect(environment.change_failure_rate_30d).toBeCloseTo(5 / 9, 6)
    expect(environment.lead_time_median_seconds_30d).toBeCloseTo(((leads[1] ?? 0) + (leads[2] ?? 0)) / 2, 2)
    // Two restorations: the first failure came after no success, the last is not over.
    expect(environment.restore_time_median_seconds_30d).toBeCloseTo((seconds(2, 4) + seconds(6, 7)) / 2, 2)
  })

  test('are null without data, and leave out what is older', async () => {
    const { project, hook } = await bench.reporting()
    await bench.rolledOut(hook, { state: 'in_progress' })
    expect((await bench.environments(project))[0]).toMatchObject(NO_FIGURES)
    await bench.rolledOut(hook, { state: 'succeeded' })
    await bench.rolledOut(hook, { state: 'failed' })
    await shift(project, 29 * 24 + 23)
    expect((await bench.environments(project))[0]).toMatchObject({ change_failure_rate_30d: 0.5 })
    await shift(project, 2)
    const [old] = await bench.environments(project)
    expect(old).toMatchObject({ ...NO_FIGURES, current: { state: 'succeeded' }, latest: { state: 'failed' } })
    await bench.rolledOut(hook, { state: 'failed' })
    expect((await bench.environments(project))[0]).toMatchObject({
      ...NO_FIGURES,
      frequency_30d: 0,
      change_failure_rate_30d: 1,
    })
  })

  test('are stored again when a rollout is older than 30 days', async () => {
    const { project, hook } = await bench.reporting()
    await bench.rolledOut(hook, { state: 'succeeded' })
    await shift(project, 15 * 24)
    await bench.rolledOut(hook, { state: 'failed' })
    expect((await bench.environments(project))[0].change_failure_rate_30d).toBe(0.5)
    await shift(project, 16 * 24)
    const stored = async () => {
      const [row] = await bench.box.sql`
        select change_failure_rate_30d as rate, figures_until > now() as valid from environments where project_id = ${project.id}
      `
      return row
    }
    await bench.box.until('the figures are stored', async () => (await stored())?.valid)
    expect((await stored())?.rate).toBe(1)
    expect((await bench.environments(project))[0]).toMatchObject({ change_failure_rate_30d: 1, frequency_30d: 0 })
  })

  test('count the lead time from the event, also for a redelivery', async () => {
    const { project, hook } = await bench.reporting()
    const first = await bench.triggered(hook)
    const { body: second } = await bench.act(first, 'redeliver', { Prefer: 'wait=10' })
    const { body } = await bench.report(second, { state: 'succeeded' })
    const [environment] = await bench.environments(project)
    // An id contains its time. The first dispatch is created later than its event, on a busy machine much later.
    const [{ event_id }] = await bench.box.sql<[{ event_id: string }]>`select event_id from dispatches where id = ${first.id}`
    const eventAt = Number.parseInt(event_id.replaceAll('-', '').slice(0, 12), 16)
    const lead = (Date.parse(body.rollout.reported_at) - eventAt) / 1000
    expect(environment.lead_time_median_seconds_30d).toBeCloseTo(lead, 1)
  })
})

describe('the rollouts of an environment', () => {
  test('are paged, newest first, in the form of the environments', async () => {
    const { project, hook } = await bench.reporting()
    for (const version of ['v1', 'v2', 'v3']) await bench.rolledOut(hook, { state: 'succeeded', version })
    const all = await bench.history(project, 'production')
    expect(all).toMatchObject({ total: 3, page: 1, page_size: 20 })
    expect(all.items.map(({ version }: { version: string }) => version)).toEqual(['v3', 'v2', 'v1'])
    const [{ current, previous }] = await bench.environments(project)
    expect(all.items.slice(0, 2)).toEqual([current, previous])
    const second = await bench.history(project, 'production', '?page=2&page_size=2')
    expect(second).toMatchObject({ total: 3, page: 2, items: [{ version: 'v1' }] })
    expect((await bench.history(project, 'production', '?page=3&page_size=2')).items).toEqual([])
  })

  test('include those that were not reported', async () => {
    const { project, hook } = await bench.reporting()
    const dispatch = await bench.triggered(hook)
    expect((await bench.history(project, 'production')).items).toMatchObject([{ dispatch_id: dispatch.id, state: 'awaiting' }])
    await bench.expire(dispatch)
    expect((await bench.history(project, 'production')).items).toMatchObject([{ state: 'unknown', version: null }])
    expect((await bench.environments(project))[0]).toMatchObject({ current: null, latest: null })
  })

  test('of an unknown environment are an empty page', async () => {
    const { project, hook } = await bench.reporting()
    await bench.rolledOut(hook, { state: 'succeeded' })
    for (const name of ['staging', 'Production', 'x'.repeat(500), 'a\0b', "'; --", '%', '../production', '🚀']) {
      expect([name, await bench.history(project, name)]).toEqual([name, { total: 0, page: 1, page_size: 20, items: [] }])
    }
  })

  test('of a name that is not decodable are refused or empty', async () => {
    const { project } = await bench.reporting()
    for (const name of ['%ZZ', '%E0%A4', '%', '%00', '%ED%A0%80']) {
      const { status } = await bench.admin.get(`/api/v1/projects/${project.id}/environments/${name}/rollouts`)
      expect([name, [200, 400, 404, 422].includes(status)]).toEqual([name, true])
    }
  })

  test('are found by any name that a hook can have', async () => {
    for (const environment of ['a b/c?', 'Prüf-Umgebung', '50%', 'eu#1', '...', '🚀']) {
      const { project, hook } = await bench.reporting({ environment })
      await bench.rolledOut(hook, { state: 'succeeded' })
      expect([environment, (await bench.history(project, environment)).total]).toEqual([environment, 1])
    }
    const { project, hook } = await bench.reporting({ environment: 'e\u0301u' })
    await bench.rolledOut(hook, { state: 'succeeded' })
    expect((await bench.history(project, 'e\u0301u')).total).toBe(1)
  })

  test('are shown to members of the workspace alone', async () => {
    const { project, hook } = await bench.reporting()
    await bench.rolledOut(hook, { state: 'succeeded' })
    const stranger = await bench.box.user('Stranger')
    for (const path of ['environments', 'environments/production/rollouts']) {
      expect((await stranger.get(`/api/v1/projects/${project.id}/${path}`)).status).toBe(404)
    }
  })
})
