/** What an approval triggers waits for the soak of its subject in the environment before, as it does in a freeze. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { minuteText } from '../../core/values/instants.ts'
import { type Chain, PromotionWorkbench, V1, V2 } from './workbench.ts'

let bench: PromotionWorkbench

beforeAll(async () => {
  bench = await PromotionWorkbench.open()
})
afterAll(() => bench.close())

const HOUR_MS = 3_600_000

const after = (instant: string, ms: number): string => new Date(Date.parse(instant) + ms).toISOString()

/** A subject that soaks in staging, for an hour, and is approved for production. */
async function waiting(policy: object = {}, hook: object = {}) {
  const chain = await bench.chain({ soak_seconds: 3600, ...policy }, hook)
  const { rollout } = await bench.run(chain.staging, V1)
  const gate = await bench.approved(chain.project, V1)
  return { ...chain, gate, since: rollout.reported_at as string, dispatch: await bench.first(chain.production) }
}

test('a dispatch is held until the soak ends, and sent then', async () => {
  const { project, production, gate, since, dispatch } = await waiting()
  const soak_until = after(since, HOUR_MS)
  expect(dispatch).toMatchObject({ status: 'pending', held_until: soak_until, next_attempt_at: soak_until })
  const effects = await bench.effects(gate)
  expect(effects).toMatchObject({ held_until: soak_until, promotion: { from: 'staging', since, soak_until } })
  const clearance = await bench.clearance(gate)
  expect(clearance).toMatchObject({ state: 'waiting', held_until: soak_until })
  expect(clearance.reasons[0]).toContain('has run in staging since')
  const retried = await bench.act(dispatch, 'retry')
  expect([retried.status, retried.body.code]).toEqual([409, 'environment_frozen'])
  await bench.policy(project, { soak_seconds: 0 })
  expect((await bench.settled(production)).status).toBe('succeeded')
  expect((await bench.clearance(gate)).state).toBe('clear')
})

test('a soak of a second ends by itself, for pushed and for claimed dispatches', async () => {
  for (const input of [{}, { mode: 'pull', url: undefined }]) {
    const { project, staging, production } = await bench.chain({ soak_seconds: 2 }, input)
    await bench.run(staging, V1)
    const gate = await bench.approved(project, V1)
    if (input.mode === 'pull') {
      const claimed = await bench.ask(production, 'claim', { wait: 20 })
      expect(claimed.body).toHaveLength(1)
      expect((await bench.effects(gate)).promotion.soak_until <= claimed.body[0].lease_until).toBe(true)
    } else expect((await bench.settled(production)).status).toBe('succeeded')
  }
})

test('a gate that is pending says what its approval waits for', async () => {
  const { project, staging } = await bench.chain({ soak_seconds: 3600 })
  const { rollout } = await bench.run(staging, V1)
  const { body: gate } = await bench.open(project, V1)
  const since = rollout.reported_at
  const soak_until = after(since, HOUR_MS)
  expect(await bench.effects(gate)).toMatchObject({ held_until: soak_until, promotion: { from: 'staging', since, soak_until } })
  await bench.run(staging, V1, 'failed')
  const effects = await bench.effects(gate)
  expect(effects).toMatchObject({ hooks: [], promotion: { from: 'staging', since: null, soak_until: null } })
  expect(effects.missing.join(' ')).toContain('its last rollout there failed')
})

test('a freeze that ends later holds it longer, whenever it was made; one that ends sooner does not', async () => {
  const freeze = (ms: number) => ({
    freezes: [{ name: 'Night', from: '2020-01-01T00:00:00.000Z', until: after(new Date().toISOString(), ms) }],
  })
  const long = freeze(5 * HOUR_MS)
  const { project, dispatch, production, since } = await waiting(long)
  expect(dispatch.held_until).toBe(long.freezes[0]?.until)
  await bench.policy(project, freeze(60_000))
  expect((await bench.first(production)).held_until).toBe(after(since, HOUR_MS))
  const longer = freeze(7 * HOUR_MS)
  await bench.policy(project, longer)
  expect((await bench.first(production)).held_until).toBe(longer.freezes[0]?.until)
  await bench.policy(project, { freezes: [] })
  const last = await bench.first(production)
  expect(last).toMatchObject({ status: 'pending', held_until: after(since, HOUR_MS) })
  const { gate } = await waiting(freeze(5 * HOUR_MS))
  expect(Date.parse((await bench.effects(gate)).held_until) - Date.now()).toBeGreaterThan(4 * HOUR_MS)
})

test('verify denies what has not run there long enough, and says since when it has and until when it must', async () => {
  const { project, staging, gate, since } = await waiting()
  const denied = await bench.verify(project, V1)
  expect(denied).toMatchObject({ allowed: false, gate_id: gate.id })
  const until = minuteText(after(since, HOUR_MS))
  expect(denied.reasons).toContain(`The subject has run in staging since ${minuteText(since)} and must until ${until}.`)
  await bench.policy(project, { soak_seconds: 0 })
  await bench.box.until('it is allowed', async () => (await bench.verify(project, V1)).allowed)
  await bench.run(staging, V1, 'failed')
  const failed = await bench.verify(project, V1)
  expect(failed.allowed).toBe(false)
  expect(failed.reasons[0]).toStartWith(
    'The subject may not come here yet: it does not run in staging: its last rollout there failed',
  )
})

test('the age limit of the hook goes on', async () => {
  const { dispatch } = await waiting({}, { max_age_seconds: 60 })
  expect(dispatch.next_attempt_at).toBe(after(dispatch.created_at, 60_000))
})

describe('A subject that does not run in the environment before any more', () => {
  const blocked = async ({ project, production }: Chain) => {
    expect(await bench.outcomes(production)).toContain('not_promoted')
    const [event, ...more] = await bench.events(project, 'environment.blocked')
    expect(more).toEqual([])
    expect(event?.data.environment).toBe('production')
    const [dispatch] = event?.data.dispatches ?? []
    expect(dispatch).toMatchObject({ status: 'cancelled', error: { code: 'not_promoted' } })
    await bench.drained()
    const { body } = await bench.admin.get('/api/v1/notifications?page_size=100')
    expect(body.items).toContainEqual(
      expect.objectContaining({ type: 'deployment_failed', title: 'What you approved is not deployed to production' }),
    )
  }

  test('ends what waits when it fails there', async () => {
    const chain = await waiting()
    await bench.run(chain.staging, V1, 'failed')
    await blocked(chain)
    expect((await bench.clearance(chain.gate)).state).toBe('denied')
    expect((await bench.act(chain.dispatch, 'redeliver')).body.code).toBe('approval_required')
    const { body } = await bench.ask(chain.production, 'recover', { since: '2020-01-01T00:00:00Z' })
    expect(body).toEqual({ redelivered: 0 })
  })

  test('ends it when that environment is rolled back, or all are', async () => {
    for (const environment of ['staging', null]) {
      const chain = await waiting()
      await bench.rollback(chain.project, environment)
      await blocked(chain)
    }
  })

  test('ends what waits in a freeze after the soak, and what a paused hook keeps', async () => {
    const chain = await waiting({}, { paused: true })
    await bench.policy(chain.project, { soak_seconds: 0 })
    await bench.run(chain.staging, V1, 'failed')
    await blocked(chain)
  })

  test('is not sent if it failed before the approval', async () => {
    const chain = await bench.chain({ soak_seconds: 3600 })
    await bench.run(chain.staging, V1)
    const { body: gate } = await bench.open(chain.project, V1)
    await bench.run(chain.staging, V1, 'failed')
    await bench.approveGate(gate)
    await blocked(chain)
  })

  test('leaves other subjects, and other environments, alone', async () => {
    const { project, staging, production } = await waiting()
    await bench.run(staging, V2, 'failed')
    await bench.rollback(project, 'production')
    await bench.rollback(project, 'elsewhere')
    expect(await bench.outcomes(production)).toEqual(['pending', 'succeeded', 'succeeded'])
  })

  test('is not sent if it began to run there again meanwhile: it has not soaked', async () => {
    const { production, staging } = await waiting()
    await bench.run(staging, V1, 'failed')
    await bench.run(staging, V1)
    expect(await bench.outcomes(production)).toEqual(['not_promoted'])
  })
})

test('a second success does not begin the soak again', async () => {
  const { staging, gate, since } = await waiting()
  await bench.run(staging, V1)
  expect((await bench.effects(gate)).promotion.since).toBe(since)
})

describe('The policy may change meanwhile:', () => {
  test('a stricter one does not touch what was approved', async () => {
    const { project, production, gate, since, dispatch } = await waiting({ soak_seconds: 600 })
    await bench.policy(project, { soak_seconds: 7200 })
    expect(await bench.first(production)).toEqual(dispatch)
    expect((await bench.effects(gate)).promotion.soak_until).toBe(after(since, 600_000))
  })

  test('nor does one that names an environment for the first time', async () => {
    const { project, staging, production } = await bench.chain({ promotes_from: null }, { paused: true })
    await bench.approved(project, V1)
    await bench.first(production)
    await bench.policy(project, { promotes_from: 'staging', soak_seconds: 3600 })
    await bench.run(staging, V1, 'failed')
    await bench.change(production, { paused: false })
    expect((await bench.settled(production)).status).toBe('succeeded')
  })

  test('a shorter soak frees what waits sooner, and no policy at once', async () => {
    const { project, production, gate, since } = await waiting({ soak_seconds: 7200 })
    await bench.policy(project, { soak_seconds: 3600 })
    expect((await bench.first(production)).held_until).toBe(after(since, HOUR_MS))
    expect((await bench.effects(gate)).promotion.soak_until).toBe(after(since, HOUR_MS))
    expect((await bench.admin.delete(bench.policyOf(project, 'production'))).status).toBe(204)
    expect((await bench.settled(production)).status).toBe('succeeded')
    expect((await bench.effects(gate)).promotion).toBeNull()
  })

  test('what promotes from nowhere sends what waits', async () => {
    const { project, production } = await waiting()
    const policy = await bench.policy(project, { promotes_from: null })
    expect(policy).toMatchObject({ promotes_from: null, soak_seconds: 0, open_gate: false })
    expect((await bench.settled(production)).status).toBe('succeeded')
  })
})
