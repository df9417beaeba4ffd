import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Receiver } from '../support/receiver.ts'
import { type Box, type Process, signalbox } from '../support/signalbox.ts'

let box: Box

beforeAll(async () => {
  box = await signalbox({ own: true })
})
afterAll(() => box.close())

interface Run {
  organization_id: string | null
  task: string
  attempt: number
  outcome: string
  error_class: string | null
  wait_ms: number
  run_ms: number
  worker_id: string
}

const runsOf = (job_id: number) => box.sql<Run[]>`
  select organization_id, task, attempt, outcome, error_class, wait_ms, run_ms, worker_id
  from ops.job_runs
  where job_id = ${job_id}
  order by id
`

/** Adds a job, and waits until this many of its attempts are recorded. */
async function runJob(task: string, payload: object, flags: string[], attempts: number, maxAttempts = 25): Promise<Run[]> {
  const [{ id }] = await box.sql<[{ id: number }]>`
    select id
    from graphile_worker.add_job(
      ${task}, ${box.sql.json(payload as never)}::json, max_attempts := ${maxAttempts}, flags := ${flags}::text[]
    )
  `
  await box.until('its attempts are recorded', async () => (await runsOf(id)).length >= attempts)
  return runsOf(id)
}

test('every attempt of a job is recorded with organization, times and outcome', async () => {
  const { organization } = await box.site(await box.user('Ada'))
  const [{ id: worker_id }] = await box.sql<[{ id: string }]>`select id from workers`
  const runs = await runJob('forget_expired', {}, [`org:${organization.id}`], 1)
  expect(runs).toEqual([
    {
      organization_id: organization.id,
      task: 'forget_expired',
      attempt: 1,
      outcome: 'succeeded',
      error_class: null,
      wait_ms: expect.any(Number),
      run_ms: expect.any(Number),
      worker_id,
    },
  ])
})

test('a failing job is recorded for each attempt with its error class, without the message', async () => {
  const secret = 'not-a-uuid-but-a-secret'
  const runs = await runJob('mail_verification', { user_id: secret }, [], 2, 2)
  expect(runs.map(({ attempt, outcome, error_class }) => ({ attempt, outcome, error_class }))).toEqual([
    { attempt: 1, outcome: 'retrying', error_class: '22P02' },
    { attempt: 2, outcome: 'failed', error_class: '22P02' },
  ])
  const [{ leaks }] = await box.sql<[{ leaks: number }]>`
    select count(*) as leaks from ops.job_runs as run where run::text like ${`%${secret}%`}
  `
  expect(leaks).toBe(0)
})

test('attempts interrupted by killing a worker are recorded once another worker takes over', async () => {
  const receiver = new Receiver()
  const actor = await box.user('Grace')
  const site = await box.site(actor)
  const hook = await actor.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
    name: 'Deploy',
    url: receiver.url,
    trigger_on: 'gate_approved',
  })
  const end = await box.longJob(hook.id)
  await box.end(box.workers[0] as Process, 'SIGKILL')
  await box.startWorker()
  const lost = await box.sql<Run[]>`select * from ops.job_runs where error_class = 'worker_ended'`
  // There may be others, for example a drain that was not completed yet.
  expect(lost.map(({ task, outcome, organization_id }) => ({ task, outcome, organization_id }))).toContainEqual({
    task: 'dispatch_hook',
    outcome: 'retrying',
    organization_id: site.organization.id,
  })
  await end()
  await box.approval(actor, (await box.running(actor, site.project.id)).id)
  await box.settled()
  await receiver.stop()
  await box.sql`select graphile_worker.add_job('drain_outbox', '{}')`
  await box.until('a drain, which has no organization, is recorded as well', async () => {
    const drains = await box.sql`
      select from ops.job_runs where task = 'drain_outbox' and organization_id is null and outcome = 'succeeded'
    `
    return drains.length > 0
  })
})

test('a worker that stops records its finished attempts', async () => {
  const [{ before }] = await box.sql<
    [{ before: number }]
  >`select count(*) as before from ops.job_runs where task = 'forget_expired'`
  await box.sql`select graphile_worker.add_job('forget_expired', '{}') from generate_series(1, 20)`
  await box.until(
    'all have run',
    async () => (await box.sql`select from graphile_worker.jobs where task_identifier = 'forget_expired'`).length === 0,
  )
  await box.end(box.workers.at(-1) as Process, 'SIGTERM')
  const [{ after }] = await box.sql<[{ after: number }]>`select count(*) as after from ops.job_runs where task = 'forget_expired'`
  expect(after - before).toBe(20)
})
