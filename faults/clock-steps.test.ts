/**
 * The clock of a worker is set forward and back while dispatches are in flight. Due times, ages, secret overlaps, recorded times and
 * signatures follow the clock of the database, and durations a monotonic clock.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PromotionWorkbench, V1 } from '../test/promotions/workbench.ts'
import { find } from '../test/support/programs.ts'
import { Process } from '../test/support/signalbox.ts'

const DAY = 86_400
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
/** From the Debian package faketime. It changes the clock below the runtime, which tests timers as well. */
const LIBRARY = find('libfaketime', 'the clock of the system, set while a dispatch runs') ?? ''

interface ClockShift {
  options: string[]
  environment: (file: string) => Record<string, string>
}

const SHIFTS: [string, ClockShift][] = [
  [
    'the clock of the runtime',
    { options: ['--preload', `${import.meta.dir}/shifted-clock.ts`], environment: (file) => ({ CLOCK_OFFSET: file }) },
  ],
  [
    'the clock of the system',
    {
      options: [],
      environment: (file) => ({
        LD_PRELOAD: LIBRARY,
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_NO_CACHE: '1',
        // Setting the clock does not change the monotonic one.
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        DONT_FAKE_MONOTONIC: '1',
      }),
    },
  ],
]

for (const [name, shift] of SHIFTS) {
  const missing = shift.options.length === 0 && LIBRARY === ''
  describe.skipIf(missing)(`${name}${missing ? ' (no libfaketime here)' : ''}, set while a dispatch runs:`, () => {
    let bench: PromotionWorkbench
    let folder: string
    let file: string

    const step = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}`)
    /** The difference between a recorded or signed time and the true one, in whole days. */
    const daysOff = (time: number) => Math.round((time - Date.now()) / 1000 / DAY) || 0

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'signalbox-clock-'))
      file = join(folder, 'offset')
      step(0)
      bench = await PromotionWorkbench.open({ own: true, workers: 0 })
      const worker = new Process([...shift.options, 'worker/main.ts'], { ...bench.box.environment, ...shift.environment(file) })
      bench.box.workers.push(worker)
      await worker.said('worker started')
    })

    afterAll(async () => {
      await bench.close()
      await rm(folder, { recursive: true })
    })

    test('durations, delays and ages do not depend on the clock, whichever way it is set', async () => {
      const { project, hook, receiver } = await bench.hooked({ secret: SECRET, max_age_seconds: 60 })
      receiver.answer = async (_, number) => {
        step([0, DAY, -DAY, 0][number] ?? 0)
        await Bun.sleep(300)
        return new Response('', { status: number < 3 ? 500 : 200 })
      }
      await bench.approve(project)
      const dispatch = await bench.settled(hook)
      expect(dispatch).toMatchObject({ status: 'succeeded', attempt_count: 3 })
      for (const { duration_ms, first_byte_ms, dns_ms } of dispatch.attempts) {
        expect(duration_ms).toBeWithin(290, 14_000)
        expect(first_byte_ms).toBeWithin(290, 14_000)
        expect(dns_ms).toBeWithin(0, 14_000)
      }
      // The clock was in fact set.
      const logged = bench.box.workers[0]?.lines.filter((line) => line.includes(dispatch.id)).map((line) => JSON.parse(line).time)
      expect(logged?.map((time) => daysOff(Date.parse(time)))).toContain(1)
      // Recorded and signed times are those of the database.
      for (const { started_at } of dispatch.attempts) expect(daysOff(Date.parse(started_at))).toBe(0)
      expect(Date.parse(dispatch.attempts[0].started_at)).toBeGreaterThanOrEqual(Date.parse(dispatch.created_at))
      expect(receiver.requests.map(({ headers }) => daysOff(Number(headers['webhook-timestamp']) * 1000))).toEqual([0, 0, 0])
      for (const time of [dispatch.created_at, dispatch.completed_at]) expect(daysOff(Date.parse(time))).toBe(0)
      expect(Date.parse(dispatch.completed_at)).toBeGreaterThan(Date.parse(dispatch.created_at))
    })

    test.each([DAY, -DAY])(
      'by %d seconds: Retry-After means what the receiver intends, in seconds and as a date',
      async (seconds) => {
        const forms = [() => '200', () => new Date(Date.now() + 200_000).toUTCString()]
        for (const form of forms) {
          const { project, hook, receiver } = await bench.hooked()
          receiver.answer = () => {
            step(seconds)
            // Responses carry a Date header, as HTTP requires; the date in Retry-After is relative to it.
            return new Response('', { status: 503, headers: { Date: new Date().toUTCString(), 'Retry-After': form() } })
          }
          await bench.approve(project)
          const { next_attempt_at } = await bench.tried(hook)
          expect((Date.parse(next_attempt_at) - Date.now()) / 1000).toBeWithin(180, 203)
          step(0)
        }
      },
    )

    test.each([DAY, -DAY])('by %d seconds: freezes hold until their end, and not longer', async (seconds) => {
      const { project, hook } = await bench.hooked()
      const policy = `/api/v1/projects/${project.id}/environments/production/policy`
      const freeze = async (until: string) => {
        const freezes = [{ name: 'Sale', from: '2020-01-01T00:00:00.000Z', until }]
        expect((await bench.admin.put(policy, { freezes })).status).toBe(200)
      }
      const later = new Date(Date.now() + 3_600_000).toISOString()
      await freeze(later)
      step(seconds)
      await bench.approve(project)
      const [held] = await bench.dispatches(hook, ([first]) => first?.held_until != null)
      expect([held.held_until, held.attempt_count]).toEqual([later, 0])
      step(-seconds)
      const end = new Date(Date.now() + 2_000).toISOString()
      await freeze(end)
      const { status, attempts } = await bench.settled(hook)
      expect([status, attempts[0].started_at >= end, daysOff(Date.parse(attempts[0].started_at))]).toEqual(['succeeded', true, 0])
      step(0)
    })

    test.each([DAY, -DAY])('by %d seconds: a soak ends when it should, and the next gate opens then', async (seconds) => {
      const { project, staging, production } = await bench.chain({ soak_seconds: 3, open_gate: true })
      step(seconds)
      const { rollout } = await bench.run(staging, V1)
      await bench.box.until('the gate is open', async () => (await bench.gates(project)).length > 0)
      const [gate] = await bench.gates(project)
      expect(Date.parse(gate.created_at) - Date.parse(rollout.reported_at)).toBeWithin(3_000, 5_000)
      expect(gate.evidence.checks[0].name).toMatch(/^staging for [3-5] seconds$/)
      step(-seconds)
      await bench.approveGate(gate)
      const { status, attempts } = await bench.settled(production)
      expect([status, daysOff(Date.parse(attempts[0].started_at))]).toEqual(['succeeded', 0])
      step(0)
    })

    test('a previous secret signs for its full overlap, nothing expires, and the worker continues', async () => {
      const { hook, receiver } = await bench.hooked({ secret: SECRET, max_age_seconds: 60 })
      await bench.ask(hook, 'rotate-secret', { overlap_seconds: 3600 })
      for (const seconds of [DAY, -DAY, 0]) {
        step(seconds)
        const { body } = await bench.ask(hook, 'trigger', undefined, { Prefer: 'wait=20' })
        expect(body).toMatchObject({ status: 'succeeded' })
        expect(receiver.requests.at(-1)?.headers['x-signalbox-signature-previous']).toStartWith('sha256=')
      }
      // The time of the last success is recorded by the clock of the database as well.
      await bench.box.sql`update lane_health set last_success_at = now() - interval '2 minutes' where lane_id = ${hook.id}`
      step(-DAY)
      await bench.ask(hook, 'trigger', undefined, { Prefer: 'wait=20' })
      const [health] = await bench.box.sql`
        select now() - last_success_at < interval '1 minute' as is_new from lane_health where lane_id = ${hook.id}
      `
      expect(health).toEqual({ is_new: true })
      step(DAY)
      const [{ now }] = await bench.box.sql<[{ now: string }]>`select now()`
      await bench.box.until(
        'it sends heartbeats and is not declared dead',
        async () => (await bench.box.sql`select from workers where seen_at > ${now}`).length === 1,
      )
      step(0)
    })
  })
}
