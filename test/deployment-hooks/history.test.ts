import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Answer } from '../support/signalbox.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(() => bench.close())

test('every outcome except that of a test.ping raises an event, which triggers no hook', async () => {
  const { project, hook, receiver } = await bench.hooked()
  await bench.subscribeToOutcomes(project)
  const execution = await bench.box.running(bench.admin, project.id)
  await bench.box.approval(bench.admin, execution.id)
  await receiver.waitFor(1)
  await bench.admin.make(`/api/v1/deployment-hooks/${hook.id}/test`, undefined, { Prefer: 'wait=10' })
  receiver.answer = () => new Response('never', { status: 400, headers: { 'X-Signalbox-Control': 'stop' } })
  await bench.box.approval(bench.admin, execution.id)
  await receiver.waitFor(3)
  await bench.box.settled()
  const events = await bench.box.sql<{ name: string; dispatch: Answer['body'] }[]>`
    select name, data -> 'dispatch' as dispatch
    from outbox
    where project_id = ${project.id}
      and name like 'deployment.%'
    order by id
  `
  expect(events.map(({ name, dispatch }) => [name, dispatch.status, dispatch.sequence, dispatch.response_status])).toEqual([
    ['deployment.succeeded', 'succeeded', 1, 200],
    ['deployment.failed', 'failed', 2, 400],
  ])
  // The event shows the dispatch as GET does, without bodies.
  for (const { dispatch } of events) {
    const { response_body, payload, request_headers, attempts, ...shown } = await bench.dispatch(dispatch.id)
    expect(new Date(dispatch.created_at).toISOString()).toBe(shown.created_at)
    for (const name of ['created_at', 'completed_at']) {
      delete shown[name]
      delete dispatch[name]
    }
    expect(dispatch).toEqual(shown)
    expect([response_body, payload, request_headers, attempts].every(Boolean)).toBeTrue()
  }
  expect(receiver.requests).toHaveLength(3)
})

test('dispatches are listed newest first, paginated, and can be filtered by status and event', async () => {
  const { project, hook, receiver } = await bench.hooked()
  const execution = await bench.box.running(bench.admin, project.id)
  for (let index = 0; index < 3; index++) {
    await bench.box.approval(bench.admin, execution.id)
    await receiver.waitFor(index + 1)
  }
  receiver.answer = () => new Response('no', { status: 500 })
  await bench.admin.make(`/api/v1/deployment-hooks/${hook.id}/test`, undefined, { Prefer: 'wait=10' })
  await bench.box.settled()
  const { items, ...page } = await bench.listed(hook)
  expect(page).toEqual({ total: 4, page: 1, page_size: 20 })
  expect(items.map(({ sequence }: Answer['body']) => sequence)).toEqual([null, 3, 2, 1])
  const second = await bench.listed(hook, '?page=2&page_size=3')
  expect(second).toMatchObject({ total: 4, page: 2, page_size: 3, items: [{ sequence: 1 }] })
  expect((await bench.listed(hook, '?status=failed')).items).toMatchObject([{ event: 'test.ping' }])
  expect((await bench.listed(hook, '?event=gate.approved&status=succeeded')).total).toBe(3)
  for (const wrong of ['event=gate.pending', 'status=done'])
    expect((await bench.admin.get(`/api/v1/deployment-hooks/${hook.id}/dispatches?${wrong}`)).body.errors).toMatchObject([
      { pointer: `/${wrong.split('=')[0]}`, code: 'not_allowed' },
    ])
  expect((await bench.listed(hook, '?status=cancelled')).total).toBe(0)
  expect((await bench.admin.get(`/api/v1/deployment-hooks/${hook.id}/dispatches?status=lost`)).status).toBe(422)
})
