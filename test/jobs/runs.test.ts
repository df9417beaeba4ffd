import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Receiver } from '../support/receiver.ts'
import { type Box, type Process, signalbox } from '../support/signalbox.ts'

let box: Box

beforeAll(async () => {
  box = await signalbox()
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

/** Adds a job, and waits until so many of its attempts are on record. */
async function ran(task: string, payload: object, flags: string[], attempts: number, most = 25): Promise<Run[]> {
  const [{ id }] = await box.sql<[{ id: number }]>`
    select id
    from graphile_worker.add_job(
      ${task}, ${box.sql.json(payload as never)}::json, max_attempts := ${most}, flags := ${flags}::text[]
    )
  `
  await box.until('its attempts are on record', async () => (await runsOf(id)).length >= attempts)
  return runsOf(id)
}

test('every attempt of a job leaves a row: whose, how long it waited and ran, and how it went', async () => {
  const { organization } = await box.site(await box.user('Ada'))
  const [{ id: worker_id }] = await box.sql<[{ id: string }]>`select id from workers`
  const runs = await ran('forget_expired', {}, [`org:${organization.id}`], 1)
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

test('one that fails is there with each attempt and the kind of its error, and without its words', async () => {
  const secret = 'not-a-uuid-but-a-secret'
  const runs = await ran('mail_verification', { user_id: secret }, [], 2, 2)
  expect(runs.map(({ attempt, outcome, error_class }) => ({ attempt, outcome, error_class }))).toEqual([
    { attempt: 1, outcome: 'retrying', error_class: '22P02' },
    { attempt: 2, outcome: 'failed', error_class: '22P02' },
  ])
  const [{ told }] = await box.sql<[{ told: number }]>`
    select count(*) as told from ops.job_runs as run where run::text like ${`%${secret}%`}
  `
  expect(told).toBe(0)
})

test('what a worker had begun when it was killed is there as well, once another one has taken over', async () => {
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
  // There may have been others, such as a drain that had not been ticked off yet.
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
  await box.until('a drain, which works for all, is there too', async () => {
    const drains = await box.sql`
      select from ops.job_runs where task = 'drain_outbox' and organization_id is null and outcome = 'succeeded'
    `
    return drains.length > 0
  })
})

test('a worker that stops writes down what it has done', async () => {
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
