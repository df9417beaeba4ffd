/** Attacks on promotion: each shows something that reads as a yes and is none, or that waits for ever. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { waits } from '../support/waiting-locks.ts'
import { type Body, PromotionWorkbench, subjectOf, V1, V2 } from './workbench.ts'

let bench: PromotionWorkbench

beforeAll(async () => {
  bench = await PromotionWorkbench.open({ workers: 2 })
})
afterAll(() => bench.close())

const MINUTE = 240_000

/** Whether something happens within ten seconds; the sweep has two. */
async function happens(hold: () => Promise<boolean>, ms = 10_000): Promise<boolean> {
  for (const until = Date.now() + ms; Date.now() < until; await Bun.sleep(100)) if (await hold()) return true
  return false
}

const openedFor = async (of: PromotionWorkbench, project: Body, digest: Body): Promise<Body[]> =>
  (await of.gates(project)).filter(
    ({ name, subject }: Body) => name === 'Promote to production' && subject.digest.gitCommit === digest.gitCommit,
  )

async function next(project: Body, digest: Body = V1): Promise<Body> {
  let found: Body
  await bench.box.until('the gate is open', async () => {
    ;[found] = await openedFor(bench, project, digest)
    return found !== undefined
  })
  return (await bench.admin.get(`/api/v1/gates/${found.id}`)).body
}

const EVIDENCE = { summary: 'Forged.', checks: [{ name: 'Unit tests', state: 'passed' }] }

test('a rollout that was begun before a rollback, and reported after it, begins no run', async () => {
  const { project, staging } = await bench.chain()
  const dispatch = await bench.triggered(staging)
  const { dispatches } = await bench.rollback(project, 'staging')
  const back = dispatches.find(({ hook_id }: Body) => hook_id === staging.id)
  expect((await bench.report(dispatch, { state: 'succeeded', digest: V1 })).status).toBe(200)
  await bench.once(back, ({ status }) => status === 'succeeded')
  expect((await bench.report(back, { state: 'succeeded', version: 'v0' })).status).toBe(200)
  // Staging says that v0 runs there.
  expect((await bench.environment(project, 'staging')).current.version).toBe('v0')
  expect((await bench.open(project, V1)).status).toBe(422)
})

test('a rollback that is sent again ends what has run since the first', async () => {
  const { project, staging } = await bench.chain()
  await bench.run(staging, V1)
  const { dispatches } = await bench.rollback(project, 'staging')
  const back = dispatches.find(({ hook_id }: Body) => hook_id === staging.id)
  await bench.once(back, ({ status }) => status === 'succeeded')
  await bench.run(staging, V2)
  const { status, body: again } = await bench.act(back, 'redeliver')
  expect(status).toBe(202)
  await bench.once(again, (found) => found.status === 'succeeded')
  expect((await bench.report(again, { state: 'succeeded', version: 'v0' })).status).toBe(200)
  expect((await bench.environment(project, 'staging')).current.version).toBe('v0')
  expect((await bench.open(project, V2)).status).toBe(422)
})

test('a rollback of another environment ends nothing, though hooks of this one get it and report on it', async () => {
  const { project, staging } = await bench.chain()
  await bench.run(staging, V1)
  const { dispatches } = await bench.rollback(project, 'production')
  const ignored = dispatches.find(({ hook_id }: Body) => hook_id === staging.id)
  await bench.once(ignored, ({ status }) => status === 'succeeded')
  expect((await bench.report(ignored, { state: 'succeeded' })).status).toBe(200)
  expect((await bench.open(project, V1)).status).toBe(201)
})

test('the success of a rollback that is reported after the next rollback begins no run', async () => {
  const { project, staging } = await bench.chain()
  const back = async (): Promise<Body> => {
    const { dispatches } = await bench.rollback(project, 'staging')
    const found = dispatches.find(({ hook_id }: Body) => hook_id === staging.id)
    return bench.once(found, ({ status }) => status === 'succeeded')
  }
  const [first, second] = [await back(), await back()]
  expect((await bench.report(first, { state: 'succeeded', digest: V1 })).status).toBe(200)
  expect((await bench.open(project, V1)).status).toBe(422)
  expect((await bench.report(second, { state: 'succeeded', digest: V2 })).status).toBe(200)
  expect([(await bench.open(project, V1)).status, (await bench.open(project, V2)).status]).toEqual([422, 201])
})

test('what soaks is not sent early because its hook lets it grow older', async () => {
  const { project, staging, production } = await bench.chain({ soak_seconds: 3600 }, { max_age_seconds: 60 })
  await bench.run(staging, V1)
  await bench.approved(project, V1)
  const waiting = await bench.first(production)
  await bench.change(production, { max_age_seconds: null })
  const changed = await bench.dispatch(waiting.id)
  const isDueWithSoak = changed.next_attempt_at === changed.held_until
  // As if the minute were over, after which it would have expired.
  const earlier = new Date(Date.parse(changed.next_attempt_at) - 61_000).toISOString()
  await bench.box.sql`update deliveries set due_at = ${earlier} where id = ${waiting.id}`
  await bench.change(production, { name: 'Again' })
  const isSent = await happens(async () => (await bench.dispatch(waiting.id)).status !== 'pending', 5_000)
  expect({ isDueWithSoak, isSent }).toEqual({ isDueWithSoak: true, isSent: false })
})

test(
  'a subject whose gate was replaced, and that runs again after a rollback, is asked about again',
  async () => {
    const { project, staging } = await bench.chain({ open_gate: true })
    await bench.run(staging, V1)
    const first = await next(project)
    await bench.run(staging, V2)
    await next(project, V2)
    expect((await bench.admin.get(`/api/v1/gates/${first.id}`)).body.status).toBe('cancelled')
    await bench.rollback(project, 'staging')
    await bench.run(staging, V1)
    expect((await bench.environment(project, 'production')).candidate.subject.digest).toEqual(V1)
    expect(await happens(async () => (await openedFor(bench, project, V1)).length === 2)).toBe(true)
  },
  MINUTE,
)

test('clearance of a gate without an environment says what its subject lacks', async () => {
  const { project, staging, production } = await bench.chain({ soak_seconds: 3600 })
  const never = await bench.approved(project, V1, { environment: null })
  expect(await bench.outcomes(production)).toEqual(['not_promoted'])
  await bench.run(staging, V2)
  const { body: gate } = await bench.open(project, V2, { environment: null })
  const { held_until } = await bench.effects(gate)
  await bench.approveGate(gate)
  expect(await bench.outcomes(production)).toEqual(['not_promoted', 'pending'])
  const states = [(await bench.clearance(never)).state, (await bench.clearance(gate)).state]
  expect([...states, held_until === null]).toEqual(['denied', 'waiting', false])
})

test('evidence and name of an approval that was revoked do not go on to the next gate', async () => {
  const { project, staging } = await bench.chain({ open_gate: true })
  const earlier = await bench.approved(project, V1, {
    environment: 'staging',
    subject: { ...subjectOf(V1), uri: 'https://evil.example.com/' },
    evidence: EVIDENCE,
  })
  const dispatch = await bench.settled(staging)
  await bench.admin.make(`/api/v1/gates/${earlier.id}/revoke`, { reason: 'The evidence is forged.' })
  expect((await bench.report(dispatch, { state: 'succeeded' })).status).toBe(200)
  const gate = await next(project)
  expect([gate.evidence.summary, gate.subject.uri.includes('evil')]).toEqual([null, false])
})

test('a check that was reported as if Signalbox had added it is left out, unless it failed', async () => {
  const { project, staging } = await bench.chain({ open_gate: true })
  const check = (name: string, state: string) => ({ name, state })
  await bench.approved(project, V1, {
    environment: 'staging',
    evidence: { checks: [check('ＳＴＡＧＩＮＧ for 30 days', 'passed'), check('staging for users', 'failed')] },
  })
  await bench.report(await bench.settled(staging), { state: 'succeeded' })
  const gate = await next(project)
  const names = gate.evidence.checks.map(({ name, state }: Body) => `${name.replace(/\d+ seconds?/, 'a while')}: ${state}`)
  expect(names).toEqual(['staging for users: failed', 'staging for a while: passed'])
})

test('such a check does not satisfy a rule that asks for checks', async () => {
  const { project, staging } = await bench.chain({ open_gate: true, require_checks: true })
  await bench.approved(project, V1, {
    environment: 'staging',
    evidence: { checks: [{ name: 'staging for 30 days', state: 'passed' }] },
  })
  await bench.report(await bench.settled(staging), { state: 'succeeded' })
  const obstacle = async (): Promise<string | null> => {
    const [row] = await bench.box.sql`select obstacle from promotions where project_id = ${project.id}`
    return row?.obstacle ?? null
  }
  await bench.box.until(
    'the sweep has looked',
    async () => (await obstacle()) !== null || (await bench.gates(project)).length > 1,
  )
  expect(await obstacle()).toContain('are required, at least one')
})

test('a revoked approval does not send a completed workflow before its soak ends', async () => {
  const { project, staging, production } = await bench.chain({ soak_seconds: 3600 }, { trigger_on: 'workflow_done' })
  await bench.run(staging, V1)
  const execution = await bench.box.running(bench.admin, project.id)
  const gate = await bench.admin.make(`/api/v1/executions/${execution.id}/gates`, {
    name: 'Release',
    environment: 'production',
    subject: subjectOf(V1),
  })
  await bench.approveGate(gate)
  await bench.admin.make(`/api/v1/gates/${gate.id}/revoke`, { reason: 'Too early.' })
  await bench.admin.make(`/api/v1/executions/${execution.id}/complete`, {})
  await bench.first(production)
  expect(await bench.outcomes(production)).not.toEqual(['succeeded'])
})

test('who approved what a completed workflow waits for is notified when it is cancelled', async () => {
  const lead = await bench.box.user('Lea Lead')
  await bench.box.join(lead, bench.site, 'admin')
  const notices = async (): Promise<number> => {
    await bench.quiet()
    const { body } = await lead.get('/api/v1/notifications?page_size=100')
    return body.items.filter(({ title }: Body) => title.includes('is not deployed')).length
  }
  const { project, staging, production } = await bench.chain(
    { soak_seconds: 3600, gate_required: true },
    { trigger_on: 'workflow_done' },
  )
  await bench.run(staging, V1)
  const execution = await bench.box.running(bench.admin, project.id)
  const gate = await bench.admin.make(`/api/v1/executions/${execution.id}/gates`, {
    name: 'Release',
    environment: 'production',
    subject: subjectOf(V1),
  })
  await lead.make(`/api/v1/gates/${gate.id}/approve`, { binding: gate.binding })
  await bench.admin.make(`/api/v1/executions/${execution.id}/complete`, {})
  await bench.first(production)
  const before = await notices()
  await bench.run(staging, V1, 'failed')
  expect(await bench.outcomes(production)).toEqual(['not_promoted'])
  expect(await happens(async () => (await notices()) - before === 1, 5_000)).toBe(true)
})

/** Waits until a statement of another session waits for a lock. */
const blocked = (of: PromotionWorkbench, statement: string): Promise<void> =>
  of.box.until(`"${statement}" waits`, () => waits(of.box.sql, `%${statement}%`))

test(
  'a success that is reported while the sweep looks is not missed',
  async () => {
    const own = await PromotionWorkbench.open({ own: true, workers: 0 })
    try {
      const { project, staging } = await own.chain({ open_gate: true })
      const { body: dispatch } = await own.ask(staging, 'trigger')
      let reported: Promise<unknown> = Promise.resolve()
      await own.box.sql.begin(async (tx) => {
        await tx`lock table audit_log_entries in exclusive mode`
        reported = own.report(dispatch, { state: 'succeeded', digest: V1 })
        await blocked(own, 'insert into audit_log_entries')
        await own.box.startWorker()
        await blocked(own, 'from promotions as promotion')
      })
      expect(await reported).toMatchObject({ status: 200 })
      expect((await own.environment(project, 'production')).candidate.state).toBe('ready')
      expect(await happens(async () => (await own.gates(project)).length > 0)).toBe(true)
    } finally {
      await own.close()
    }
  },
  MINUTE,
)

test(
  'a decision that is made while the sweep finds no room is not missed',
  async () => {
    const own = await PromotionWorkbench.open({ own: true, workers: 0 })
    try {
      const { project, staging } = await own.chain({ open_gate: true })
      const [first] = await Promise.all(
        Array.from({ length: 100 }, (_, index) => own.open(project, V2, { name: `Gate ${index}`, environment: null })),
      )
      const { body: dispatch } = await own.ask(staging, 'trigger')
      await own.report(dispatch, { state: 'succeeded', digest: V1 })
      let rejected: Promise<unknown> = Promise.resolve()
      await own.box.sql.begin(async (tx) => {
        await tx`lock table audit_log_entries in exclusive mode`
        rejected = own.admin.post(`/api/v1/gates/${first?.body.id}/reject`, {})
        await blocked(own, 'insert into audit_log_entries')
        await own.box.startWorker()
        await own.box.until('the sweep found no room', async () => {
          const [row] = await own.box.sql`select obstacle from promotions where project_id = ${project.id}`
          return row?.obstacle != null
        })
      })
      expect(await rejected).toMatchObject({ status: 200 })
      // As if the minute were over, after which it looks once more.
      await own.box.sql`update promotions set due_at = least(due_at, now()) where project_id = ${project.id}`
      expect(await happens(async () => (await openedFor(own, project, V1)).length > 0)).toBe(true)
    } finally {
      await own.close()
    }
  },
  MINUTE,
)

test(
  'environments for which the sweep fails do not hold up the others',
  async () => {
    const own = await PromotionWorkbench.open({ own: true, workers: 0 })
    try {
      const { project, staging } = await own.chain({ open_gate: true })
      const { body: dispatch } = await own.ask(staging, 'trigger')
      await own.report(dispatch, { state: 'succeeded', digest: V1 })
      const { sql } = own.box
      await sql`
        insert into environment_policies (organization_id, workspace_id, project_id, environment, promotes_from, open_gate)
        select organization_id, workspace_id, id, 'broken ' || number, 'staging', true
        from projects
        cross join generate_series(1, 100) as number
        where id = ${project.id}
      `
      // More than one sweep reads at once, all due before the one that is sound.
      await sql`
        insert into promotions (organization_id, workspace_id, project_id, environment, due_at)
        select organization_id, workspace_id, project_id, environment, now() - interval '1 hour'
        from environment_policies
        where project_id = ${project.id} and environment like 'broken %'
      `
      await sql`
        alter table outbox add constraint broken
        check (name <> 'environment.ready' or data ->> 'environment' not like 'broken %') not valid
      `
      await own.box.startWorker()
      expect(await happens(async () => (await own.gates(project)).length > 0)).toBe(true)
    } finally {
      await own.close()
    }
  },
  MINUTE,
)
