import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { RolloutWorkbench } from './workbench.ts'

let bench: RolloutWorkbench

beforeAll(async () => {
  bench = await RolloutWorkbench.open()
})

afterAll(() => bench.close())

const namesOf = (receiver: { requests: { headers: Record<string, string> }[] }) =>
  receiver.requests.map(({ headers }) => headers['x-signalbox-event'])

describe('the events of a rollout', () => {
  test('are each sent once, with the dispatch and the rollout as the API shows them', async () => {
    const { project, hook } = await bench.reporting()
    const events = await bench.subscribe(project)
    const dispatch = await bench.triggered(hook)
    for (const state of ['in_progress', 'in_progress', 'succeeded', 'succeeded']) {
      const { body } = await bench.report(dispatch, { state, version: 'v1' })
      await events.event(state === 'succeeded' ? 'rollout.succeeded' : 'rollout.started')
      const { data } = JSON.parse(events.requests.at(-1)?.body ?? '')
      const { response_body: _, ...shown } = body
      expect(data.dispatch.id).toBe(dispatch.id)
      expect(data.rollout).toEqual(data.dispatch.rollout)
      if (state === 'succeeded') expect(data.dispatch).toEqual(shown)
    }
    await bench.quiet()
    expect(namesOf(events)).toEqual(['rollout.started', 'rollout.succeeded'])
  })

  test('tell of a failure, and nothing of progress if none was reported', async () => {
    const { project, hook } = await bench.reporting()
    const events = await bench.subscribe(project)
    await bench.rolledOut(hook, { state: 'failed', description: 'The health check fails.' })
    await events.event('rollout.failed')
    await bench.quiet()
    expect(namesOf(events)).toEqual(['rollout.failed'])
  })

  test('tell once when nothing was reported in time, and any report is taken after that', async () => {
    const { project, hook } = await bench.reporting()
    const events = await bench.subscribe(project)
    const dispatch = await bench.triggered(hook)
    const { payload: _, request_headers: __, attempts: ___, response_body: ____, ...shown } = await bench.expire(dispatch)
    const request = await events.event('rollout.unknown')
    expect(JSON.parse(request.body).data).toEqual({ dispatch: shown, rollout: shown.rollout })
    expect(shown.rollout).toMatchObject({ state: 'unknown', reported_at: null })

    const { body: progress } = await bench.report(dispatch, { state: 'in_progress' })
    expect(progress.rollout.state).toBe('in_progress')
    expect(Date.parse(progress.rollout.deadline_at)).toBeGreaterThan(Date.now())
    await bench.expire(dispatch)
    expect((await bench.report(dispatch, { state: 'failed' })).body.rollout.state).toBe('failed')
    await events.event('rollout.failed')
    await bench.quiet()
    expect(namesOf(events).sort()).toEqual(['rollout.failed', 'rollout.started', 'rollout.unknown'])
  })

  test('are unknown for every overdue rollout, also with many at once', async () => {
    const { project, hook } = await bench.reporting()
    const events = await bench.subscribe(project, 'rollout.unknown')
    const dispatches = await Promise.all(Array.from({ length: 12 }, () => bench.triggered(hook)))
    await bench.box.sql`update rollouts set deadline_at = now() where project_id = ${project.id}`
    await events.waitFor(12)
    await bench.quiet()
    const told = events.requests.map(({ body }) => JSON.parse(body).data.dispatch.id)
    expect(told.sort()).toEqual(dispatches.map(({ id }) => id).sort())
  })

  test('of the delivery go on meaning the delivery, and show the rollout', async () => {
    const { project, hook } = await bench.reporting()
    const events = await bench.subscribeToOutcomes(project)
    const dispatch = await bench.rolledOut(hook, { state: 'failed' })
    await bench.quiet()
    expect(namesOf(events)).toEqual(['deployment.succeeded'])
    const { data } = JSON.parse(events.requests[0]?.body ?? '')
    expect(data.dispatch.rollout).toEqual({
      ...dispatch.rollout,
      state: 'awaiting',
      reported_by: null,
      actor: null,
      reported_at: null,
    })
  })

  test('read as sentences in chat', async () => {
    const { project, hook } = await bench.reporting({ environment: 'staging' })
    const slack = bench.receiver()
    const { id } = await bench.admin.make(`/api/v1/workspaces/${bench.site.workspace.id}/notification-channels`, {
      name: 'Slack',
      channel_type: 'slack',
      config: { webhook_url: slack.url },
    })
    const subscription = { event_pattern: 'rollout.succeeded', filter_project_id: project.id }
    await bench.admin.make(`/api/v1/notification-channels/${id}/subscriptions`, subscription)
    await bench.rolledOut(hook, { state: 'succeeded', version: 'v1.5.0' })
    const [message] = await slack.waitFor(1)
    expect(message?.body).toContain('Rollout succeeded')
    expect(message?.body).toContain('staging')
    expect(message?.body).toContain('v1.5.0')
  })
})

describe('an overdue rollout whose dispatch is deleted', () => {
  test('becomes unknown without an event if progress was reported, and is deleted otherwise', async () => {
    const { project, hook } = await bench.reporting()
    const events = await bench.subscribe(project, 'rollout.unknown')
    const silent = await bench.triggered(hook)
    const started = await bench.rolledOut(hook, { state: 'in_progress' })
    await bench.admin.delete(`/api/v1/deployment-hooks/${hook.id}`)
    await bench.box.sql`update rollouts set deadline_at = now() where project_id = ${project.id}`
    await bench.box.until('the rollout is unknown', async () => {
      const [rollout] = await bench.box.sql`select state from rollouts where id = ${started.id}`
      return rollout?.state === 'unknown'
    })
    expect(await bench.box.sql`select from rollouts where id = ${silent.id}`).toHaveLength(0)
    const { total, items } = await bench.history(project, 'production')
    expect([total, items[0].state, items[0].dispatch_id]).toEqual([1, 'unknown', null])
    await bench.quiet()
    expect(events.requests).toHaveLength(0)
  })
})
