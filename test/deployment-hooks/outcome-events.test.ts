import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(() => bench.close())

const eventsOf = (dispatch: { id: string }) => bench.box.sql`
  select name, data, exists (select 1 from waiting_events as waiting where waiting.id = outbox.id) as waits
  from outbox
  where data -> 'dispatch' ->> 'id' = ${dispatch.id}
`

test('the delivery of a dispatch raises no event when no subscription matches it at that moment; its failure does, for people', async () => {
  const { project, hook, receiver } = await bench.hooked({ secret: null })
  const other = await bench.hooked({ secret: null })
  const elsewhere = await bench.admin.make(`/api/v1/organizations/${bench.site.organization.id}/workspaces`, {
    name: 'Elsewhere',
  })
  await bench.admin.subscribeToOutcomes(elsewhere.id, bench.receiver().url)
  await bench.subscribeToOutcomes(other.project)
  await bench.approve(project)
  expect(await eventsOf(await bench.settled(hook))).toHaveLength(0)

  receiver.answer = () => new Response('gone', { status: 410 })
  const { body: failed } = await bench.ask(hook, 'trigger', undefined, { Prefer: 'wait=10' })
  expect(failed.status).toBe('failed')
  expect(await eventsOf(failed)).toMatchObject([{ name: 'deployment.failed' }])
  // hook.disabled is always raised.
  const disabled = await bench.box.sql`select from outbox where project_id = ${project.id} and name = 'hook.disabled'`
  expect(disabled).toHaveLength(1)
})

test('it raises an event that shows the dispatch when a subscription matches, and that event is drained', async () => {
  const { project, hook } = await bench.hooked()
  const subscriber = await bench.subscribeToOutcomes(project)
  await bench.approve(project)
  const { id } = await bench.settled(hook)
  const [request] = await subscriber.waitFor(1)
  const [event, ...more] = await eventsOf({ id })
  const { response_body: _, payload: __, request_headers: ___, attempts: ____, ...dispatch } = await bench.dispatch(id)
  expect(event?.name).toBe('deployment.succeeded')
  expect(event?.data).toEqual({ dispatch, hook: { id: hook.id, name: hook.name } })
  expect(event?.waits).toBe(false)
  expect(more).toHaveLength(0)
  expect(JSON.parse(request?.body ?? '')).toMatchObject({ event: 'deployment.succeeded', data: { dispatch } })
})
