/** Deployments that could not be delivered are known as such, wherever rollouts are shown. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Answer } from '../support/signalbox.ts'
import { RolloutWorkbench } from './workbench.ts'

type Body = Answer['body']

let bench: RolloutWorkbench

beforeAll(async () => {
  bench = await RolloutWorkbench.open()
})

afterAll(() => bench.close())

/** Makes a receiver refuse all that comes. */
const refuse = (receiver: { answer: unknown }) => {
  receiver.answer = () => new Response('', { status: 500, headers: { 'X-Signalbox-Control': 'stop' } })
}

const NOTHING = {
  version: null,
  url: null,
  description: null,
  reported_by: null,
  actor: null,
  reported_at: null,
  deadline_at: null,
}

/** The rollouts of a project's production in its history, as `[dispatch, state, at]`. */
const historyOf = async (project: Body) =>
  (await bench.history(project, 'production')).items.map(({ dispatch_id, state, at }: Body) => [dispatch_id, state, at])

test('a dispatch that is given up was not delivered, since that moment', async () => {
  const { project, hook, receiver } = await bench.reporting()
  const good = await bench.rolledOut(hook, { state: 'succeeded', version: 'v1' })
  refuse(receiver)
  const lost = await bench.triggered(hook)
  expect(lost).toMatchObject({ status: 'failed', rollout: { state: 'not_delivered', ...NOTHING } })
  expect(await historyOf(project)).toEqual([
    [lost.id, 'not_delivered', lost.completed_at],
    [good.id, 'succeeded', good.rollout.reported_at],
  ])
  const [environment] = await bench.environments(project)
  // What runs, the last report, and the figures are the same as before.
  expect(environment).toMatchObject({ current: { version: 'v1' }, latest: { version: 'v1' }, change_failure_rate_30d: 0 })
})

test('a dispatch that is cancelled, expires or is superseded while it waits was not delivered', async () => {
  const { hook } = await bench.reporting({ paused: true })
  const cancelled = (await bench.ask(hook, 'trigger')).body
  await bench.act(cancelled, 'cancel')
  const old = (await bench.ask(hook, 'trigger')).body
  await bench.box.sql`update dispatches set created_at = now() - interval '2 minutes' where id = ${old.id}`
  await bench.change(hook, { max_age_seconds: 60, paused: false })
  for (const [dispatch, code] of [
    [cancelled, 'cancelled'],
    [old, 'expired'],
  ]) {
    expect(await bench.once(dispatch, ({ status }) => status === 'cancelled')).toMatchObject({
      error: { code },
      rollout: { state: 'not_delivered', ...NOTHING },
    })
  }
})

test('a dispatch of a hook that the service disabled is made as not delivered', async () => {
  const { project, hook, receiver } = await bench.reporting()
  receiver.answer = () => new Response('', { status: 410 })
  await bench.triggered(hook)
  await bench.admin.post(`/api/v1/projects/${project.id}/deployment-rollback`, { target_version: 'v1' })
  const [, newest] = await bench.dispatches(hook, (all) => all.length === 2)
  expect(newest).toMatchObject({ status: 'cancelled', rollout: { state: 'not_delivered', ...NOTHING } })
  expect((await historyOf(project))[0]).toEqual([newest?.id, 'not_delivered', newest?.completed_at])
})

test('a report after it is taken, and progress has a deadline again', async () => {
  const { hook, receiver, project } = await bench.reporting()
  refuse(receiver)
  const events = await bench.subscribe(project)
  const lost = await bench.triggered(hook)
  const { status, body } = await bench.report(lost, { state: 'in_progress' })
  expect([status, body.rollout.state]).toEqual([200, 'in_progress'])
  expect(Date.parse(body.rollout.deadline_at) - Date.parse(body.rollout.reported_at)).toBe(600_000)
  await bench.expire(lost)
  await bench.quiet()
  expect(events.requests.map((each) => JSON.parse(each.body).event)).toEqual(['rollout.started', 'rollout.unknown'])
  expect((await bench.report(lost, { state: 'succeeded', version: 'v3' })).body.rollout.state).toBe('succeeded')
  const [{ current }] = await bench.environments(project)
  expect(current.version).toBe('v3')
})

test('a rollout whose receiver reported progress goes on after the delivery is given up', async () => {
  const { hook, receiver } = await bench.reporting()
  receiver.answer = async ({ headers }) => {
    const id = headers['x-signalbox-delivery'] ?? ''
    await bench.reportWith(headers['x-signalbox-report-token'] ?? '', { id }, { state: 'in_progress' })
    return new Response('', { status: 500, headers: { 'X-Signalbox-Control': 'stop' } })
  }
  expect(await bench.triggered(hook)).toMatchObject({ status: 'failed', rollout: { state: 'in_progress' } })
})

test('dispatches are filtered by the state of their rollout, also with their status and event', async () => {
  const { hook, receiver } = await bench.reporting()
  const good = await bench.rolledOut(hook, { state: 'succeeded' })
  const bad = await bench.rolledOut(hook, { state: 'failed' })
  await bench.ask(hook, 'test', undefined, { Prefer: 'wait=20' })
  refuse(receiver)
  const lost = await bench.triggered(hook)
  const found = async (query: string) => {
    const { total, items } = await bench.listed(hook, query)
    expect(total).toBe(items.length)
    return items.map(({ id }: Body) => id)
  }
  expect(await found('?rollout=succeeded')).toEqual([good.id])
  expect(await found('?rollout=failed')).toEqual([bad.id])
  expect(await found('?rollout=not_delivered')).toEqual([lost.id])
  expect(await found('?rollout=not_delivered&status=failed&event=manual.trigger')).toEqual([lost.id])
  expect(await found('?rollout=failed&status=failed')).toEqual([])
  expect(await found('?rollout=awaiting')).toEqual([])
  const { status, body } = await bench.admin.get(`/api/v1/deployment-hooks/${hook.id}/dispatches?rollout=lost`)
  expect([status, body.errors[0].pointer]).toEqual([422, '/rollout'])
})
