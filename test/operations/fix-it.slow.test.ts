import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { Workbench } from '../deployment-hooks/workbench.ts'
import { PageClient } from '../support/page-client.ts'
import type { Answer } from '../support/signalbox.ts'
import { failedJob, paste } from './support.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({ own: true, environment: { HOOK_RETRY_SECONDS: '0.1', CHANNEL_RETRY_SECONDS: '0.1' } })
})
afterAll(() => bench.close())
afterEach(async () => {
  await bench.box.sql`select ops.resume(flag) from ops.paused`
})

const failed = async (id: string): Promise<Answer['body']> =>
  (await bench.box.sql`select * from ops.failed_jobs_detail where id = ${id}`)[0]

/** A dispatch that failed for good. Its receiver works by now. */
async function failedDispatch() {
  const { project, hook, receiver } = await bench.hooked()
  receiver.answer = () => new Response('no', { status: 500 })
  await bench.approve(project)
  const dispatch = await bench.settled(hook)
  expect(dispatch.status).toBe('failed')
  receiver.answer = () => new Response('ok')
  return { hook, receiver, dispatch }
}

/** A message that failed for good. Its receiver works by now. */
async function failedMessage() {
  const { admin, site, box } = bench
  const receiver = bench.receiver()
  receiver.answer = () => new Response('no', { status: 500 })
  const { project } = await bench.hookTo(bench.receiver().url)
  const channel = await admin.make(`/api/v1/workspaces/${site.workspace.id}/notification-channels`, {
    name: 'Room',
    channel_type: 'webhook',
    config: { url: receiver.url },
  })
  await admin.make(`/api/v1/notification-channels/${channel.id}/subscriptions`, {
    event_pattern: 'gate.approved',
    filter_project_id: project.id,
  })
  await bench.approve(project)
  const entry = async () => (await admin.get(`/api/v1/notification-channels/${channel.id}/logs`)).body[0]
  await box.until('it failed', async () => (await entry())?.status === 'failed')
  receiver.answer = () => new Response('ok')
  return { receiver, channel, entry, message: await entry() }
}

describe('the statements in ops.failed_jobs', () => {
  test('retry or discard a job', async () => {
    const id = await failedJob(bench.box)
    const { retry_sql, discard_sql } = await failed(id)
    expect(await paste(bench.box, retry_sql)).toEqual([{ id, kind: 'job', outcome: 'retried' }])
    await bench.box.until('it failed again', async () => (await failed(id)) !== undefined)
    expect(await paste(bench.box, discard_sql)).toEqual([{ id, kind: 'job', outcome: 'discarded' }])
    expect(await bench.box.sql`select from ops.jobs where id = ${id}`).toHaveLength(0)
    expect(await paste(bench.box, discard_sql)).toEqual([{ id, kind: null, outcome: 'not found' }])
  })

  test('redeliver a dispatch, once', async () => {
    const { hook, receiver, dispatch } = await failedDispatch()
    const { retry_sql, destination: name, error } = await failed(dispatch.id)
    expect([name, error]).toEqual(['Deploy', 'http_error 500'])
    expect(await paste(bench.box, retry_sql)).toEqual([{ id: dispatch.id, kind: 'dispatch', outcome: 'retried' }])
    const [first, again] = await bench.dispatches(hook, ([, second]) => second?.status === 'succeeded')
    expect([first.status, again.redelivery_of, again.sequence]).toEqual(['failed', dispatch.id, first.sequence])
    expect(receiver.requests.at(-1)?.body).toBe(receiver.requests[0]?.body as string)
    expect(await failed(dispatch.id)).toBeUndefined()
    const [{ outcome }] = await paste(bench.box, retry_sql)
    expect(outcome).toStartWith('not possible')
    expect((await bench.listed(hook)).items).toHaveLength(2)
  })

  test('cancel a dispatch', async () => {
    const { dispatch } = await failedDispatch()
    const { discard_sql } = await failed(dispatch.id)
    expect(await paste(bench.box, discard_sql)).toEqual([{ id: dispatch.id, kind: 'dispatch', outcome: 'discarded' }])
    const { status, error } = await bench.dispatch(dispatch.id)
    expect([status, error.code]).toEqual(['cancelled', 'discarded'])
    expect(await failed(dispatch.id)).toBeUndefined()
  })

  test('resend or cancel a message', async () => {
    const { receiver, message, entry } = await failedMessage()
    const { retry_sql } = await failed(message.id)
    const before = receiver.requests.length
    expect(await paste(bench.box, retry_sql)).toEqual([{ id: message.id, kind: 'message', outcome: 'retried' }])
    await bench.box.until('it was sent', async () => (await entry()).status === 'succeeded')
    expect([receiver.requests.length, (await entry()).attempt_count]).toEqual([before + 1, before + 1])

    const other = await failedMessage()
    const { discard_sql } = await failed(other.message.id)
    expect(await paste(bench.box, discard_sql)).toEqual([{ id: other.message.id, kind: 'message', outcome: 'discarded' }])
    expect((await other.entry()).status).toBe('cancelled')
  })
})

describe('what lost its approval is not sent again by operators', () => {
  const retried = async (id: string): Promise<string> => (await paste(bench.box, (await failed(id)).retry_sql))[0]?.outcome

  /** A dispatch of an approved gate that failed for good, with its gate. */
  async function ofGate() {
    const made = await failedDispatch()
    const [{ gate_id } = { gate_id: '' }] = await bench.box.sql<
      { gate_id: string }[]
    >`select gate_id from dispatches where id = ${made.dispatch.id}`
    return { ...made, revoke: () => bench.admin.make(`/api/v1/gates/${gate_id}/revoke`, { reason: 'It is vulnerable.' }) }
  }

  test('because it was revoked', async () => {
    const { hook, receiver, dispatch, revoke } = await ofGate()
    const before = receiver.requests.length
    await revoke()
    expect(await retried(dispatch.id)).toBe('not possible: it lacks an approval, approval_revoked')
    await bench.box.sql`select ops.retry_failed(null, ${bench.site.organization.id}::uuid)`
    await bench.box.settled()
    expect([receiver.requests.length, (await bench.listed(hook)).items.length]).toEqual([before, 1])
  })

  test('because its environment requires a gate by now', async () => {
    const { project, hook, receiver } = await bench.hooked()
    receiver.answer = () => new Response('no', { status: 500 })
    await bench.admin.make(`/api/v1/deployment-hooks/${hook.id}/trigger`, {})
    const dispatch = await bench.settled(hook)
    await bench.admin.put(`/api/v1/projects/${project.id}/environments/production/policy`, { gate_required: true })
    expect(await retried(dispatch.id)).toBe('not possible: it lacks an approval, not_approved')
    expect((await bench.listed(hook)).items).toHaveLength(1)
  })

  test('nor when it is revoked after they have asked for it', async () => {
    const { hook, receiver, dispatch, revoke } = await ofGate()
    const before = receiver.requests.length
    await bench.admin.put(`/api/v1/deployment-hooks/${hook.id}`, { paused: true })
    expect(await retried(dispatch.id)).toBe('retried')
    const [copy, original] = await bench.box.sql`
      select gate_id, graph_id, override_reason, max_attempts, environment, has_report
      from dispatches
      where hook_id = ${hook.id}
      order by id desc
    `
    expect(copy).toEqual(original)
    await revoke()
    await bench.admin.put(`/api/v1/deployment-hooks/${hook.id}`, { paused: false })
    const [, second] = await bench.dispatches(hook, ([, later]) => later?.status === 'cancelled')
    expect([second.error.code, receiver.requests.length]).toEqual(['approval_revoked', before])
  })

  test('nor a copy that an earlier version made for them, which did not say what it comes from', async () => {
    const { hook, receiver, dispatch, revoke } = await ofGate()
    receiver.answer = () => new Response('no', { status: 500 })
    expect(await retried(dispatch.id)).toBe('retried')
    const [, copy] = await bench.dispatches(hook, ([, later]) => later?.status === 'failed')
    await bench.box.sql`update dispatches set gate_id = null where id = ${copy.id}`
    const migration = await Bun.file('sql/migrations/0034_rollouts_and_queue.sql').text()
    await bench.box.sql.unsafe(/^update dispatches[^;]+;/m.exec(migration)?.[0] ?? '')
    await revoke()
    expect(await retried(copy.id)).toBe('not possible: it lacks an approval, approval_revoked')
    const { status, body } = await bench.act(copy, 'redeliver')
    expect([status, body.code]).toEqual([409, 'approval_required'])
    const page = await PageClient.signedIn(bench.box, bench.admin).then((visitor) => visitor.open(`/app/dispatches/${copy.id}`))
    expect(page.text).toContain('It cannot be redelivered without an approval.')
    expect(page.html).not.toContain(`action="/app/dispatches/${copy.id}/redeliver"`)
  })

  test('a freeze and a pause hold it back from them, too', async () => {
    const { project, hook, receiver } = await bench.hooked()
    const policy = `/api/v1/projects/${project.id}/environments/production/policy`
    await bench.admin.put(policy, { freezes: [{ name: 'Sale', from: '2020-01-01T00:00:00Z', until: '2999-01-01T00:00:00Z' }] })
    await bench.approve(project)
    const [dispatch] = await bench.dispatches(hook, ([only]) => only?.held_until != null)
    const outcome = async () => (await bench.box.sql`select outcome from ops.retry(array[${dispatch.id}])`)[0]?.outcome
    expect(await outcome()).toBe('not possible: the hook or channel is disabled, paused, or held back by a freeze')
    await bench.admin.put(`/api/v1/deployment-hooks/${hook.id}`, { paused: true })
    await bench.admin.put(policy, { freezes: [] })
    expect(await outcome()).toStartWith('not possible')
    expect(receiver.requests).toHaveLength(0)
    await bench.admin.put(`/api/v1/deployment-hooks/${hook.id}`, { paused: false })
    await receiver.waitFor(1)
  })
})

test('ops.retry_failed retries all failures, or those of a task or an organization, and returns their number', async () => {
  const { sql } = bench.box
  await sql`select from ops.failed_jobs_detail, ops.discard(array[id], 'of another test')`
  const [mine, others] = [await failedDispatch(), await failedJob(bench.box)]
  const retryFailed = async (task: string | null, organization: string | null) =>
    (await sql`select ops.retry_failed(${task}, ${organization}::uuid) as count`)[0]?.count
  expect(await retryFailed('deliver_channel', null)).toBe(0)
  expect(await retryFailed(null, bench.site.organization.id)).toBe(1)
  await mine.receiver.waitFor(3)
  expect(await retryFailed('mail_verification', null)).toBe(1)
  await bench.box.until('it failed again', async () => (await failed(others)) !== undefined)
  expect(await retryFailed(null, null)).toBe(1)
  expect(await sql`select ops.retry_failed('nonsense')`.catch((error) => error.code)).toBe('22023')
  expect(await sql`select ops.retry_failed(null, gen_random_uuid())`.catch((error) => error.code)).toBe('22023')
  const [entry] = await sql`
    select action, targets, affected
    from ops.action_log_detail
    where action = 'retry_failed'
      and affected = 1
      and targets @> '{task:mail_verification}'
  `
  expect(entry).toEqual({ action: 'retry_failed', targets: ['task:mail_verification'], affected: 1 })
})

test('the statements in ops.tenant_load and ops.paused pause and resume a tenant', async () => {
  const { box, site } = bench
  const { id } = site.organization
  await failedJob(box, 'nonsense', [`org:${id}`])
  const load = async () =>
    (await box.sql`select paused, pause_sql, resume_sql from ops.tenant_load_detail where organization_id = ${id}`)[0]
  const flags = async () => (await box.sql<{ flag: string }[]>`select flag from ops.paused`).map(({ flag }) => flag)
  await paste(box, (await load())?.pause_sql)
  expect([await flags(), (await load())?.paused]).toEqual([[`org:${id}`], true])
  await paste(box, (await load())?.resume_sql)
  expect([await flags(), (await load())?.paused]).toEqual([[], false])
  await paste(box, (await load())?.pause_sql)
  const [{ resume_sql }] = await box.sql<[{ resume_sql: string }]>`select resume_sql from ops.paused_detail`
  await paste(box, resume_sql)
  expect(await flags()).toEqual([])
})

describe('the statements in ops.jobs', () => {
  const jobs = (id: string) => bench.box.sql`select kind, state, retry_sql, discard_sql from ops.jobs_detail where id = ${id}`

  test('send a dispatch before it is due', async () => {
    const { project, hook, receiver } = await bench.hooked({ max_age_seconds: 600 })
    await bench.change(hook, { paused: true })
    await bench.approve(project)
    const [dispatch] = await bench.dispatches(hook, ([first]) => first !== undefined)
    await bench.box.sql`update deliveries set due_at = now() + interval '1 hour', attempt_count = 1 where id = ${dispatch.id}`
    await bench.change(hook, { paused: false })
    const [job] = await jobs(dispatch.id)
    expect([job?.kind, job?.state]).toEqual(['dispatch', 'retrying'])
    expect(await paste(bench.box, job?.retry_sql)).toEqual([{ id: dispatch.id, kind: 'dispatch', outcome: 'retried' }])
    await receiver.waitFor(1)
    await bench.settled(hook)
    expect(await jobs(dispatch.id)).toHaveLength(0)
  })

  test('cancel a waiting dispatch or message, and drop an event', async () => {
    const { box, admin } = bench
    const { project, hook, receiver } = await bench.hooked()
    await bench.change(hook, { paused: true })
    await bench.approve(project)
    const [waiting] = await bench.dispatches(hook, ([first]) => first !== undefined)
    const [dispatch] = await jobs(waiting.id)
    expect(await paste(box, dispatch?.discard_sql)).toEqual([{ id: waiting.id, kind: 'dispatch', outcome: 'discarded' }])
    expect((await bench.dispatch(waiting.id)).status).toBe('cancelled')

    const { message, entry } = await failedMessage()
    await box.sql`
      update channel_messages set status = 'pending', completed_at = null where id = ${message.id}
    `
    await box.sql`update deliveries set due_at = now() + interval '1 hour' where id = ${message.id}`
    const [pending] = await jobs(message.id)
    expect(await paste(box, pending?.discard_sql)).toEqual([{ id: message.id, kind: 'message', outcome: 'discarded' }])
    expect((await entry()).status).toBe('cancelled')

    await box.sql`select from ops.pause('task:drain_outbox', 'a test')`
    await box.workers[0]?.said('"task:drain_outbox"')
    await bench.change(hook, { paused: false })
    const execution = await box.running(admin, project.id)
    const gate = await box.approval(admin, execution.id)
    const [event] = await box.sql<{ id: string; discard_sql: string }[]>`
      select job.id, job.discard_sql
      from ops.jobs_detail as job
      join outbox on outbox.id::text = job.id
      where job.kind = 'event'
        and job.event = 'gate.approved'
        and data -> 'gate' ->> 'id' = ${gate.id}
    `
    expect(await paste(box, event?.discard_sql ?? '')).toEqual([{ id: event?.id, kind: 'event', outcome: 'discarded' }])
    await box.sql`select ops.resume('task:drain_outbox')`
    await box.settled()
    expect(receiver.requests).toHaveLength(0)
    expect((await bench.listed(hook)).items).toHaveLength(1)
  })

  test('cancel a dispatch in flight unless it succeeds', async () => {
    const { project, hook, receiver } = await bench.hooked()
    const answers = Promise.withResolvers<Response>()
    receiver.answer = () => answers.promise
    await bench.approve(project)
    await receiver.waitFor(1)
    const [{ id }] = await bench.dispatches(hook, ([first]) => first !== undefined)
    const [job] = await jobs(id)
    expect(await paste(bench.box, job?.discard_sql)).toEqual([
      { id, kind: 'dispatch', outcome: 'discarded, unless it is in flight and succeeds' },
    ])
    answers.resolve(new Response('no', { status: 500 }))
    expect((await bench.settled(hook)).status).toBe('cancelled')
    expect(receiver.requests).toHaveLength(1)
  })

  test('do not discard the job of a hook while dispatches need it', async () => {
    const { project, hook, receiver } = await bench.hooked()
    await bench.box.sql`select from ops.pause('task:dispatch_hook', 'a test')`
    await bench.box.workers[0]?.said('"task:dispatch_hook"')
    await bench.approve(project)
    await bench.dispatches(hook, ([first]) => first !== undefined)
    const [job] = await bench.box.sql`select id, discard_sql from ops.jobs_detail where key = ${`dispatch_hook:${hook.id}`}`
    const [{ outcome }] = await paste(bench.box, job?.discard_sql)
    expect(outcome).toBe('not possible: it serves waiting dispatches or messages; discard those')
    await bench.box.sql`select ops.resume('task:dispatch_hook')`
    await receiver.waitFor(1)
  })

  test('require a reason to discard', async () => {
    const refused = await bench.box.sql`select from ops.discard(array['1'], ' ')`.catch((error) => error.code)
    expect(refused).toBe('22023')
  })
})
