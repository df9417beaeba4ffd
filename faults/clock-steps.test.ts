/**
 * The clock of a worker is set forward and back while dispatches are under way. What is due, too old or still signed
 * for is decided by the clock of the database, and spans are measured by one that is never set.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Workbench } from '../test/deployment-hooks/workbench.ts'
import { Process } from '../test/support/signalbox.ts'

setDefaultTimeout(60_000)

const DAY = 86_400
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
/** The Debian package faketime has it; it moves the clock under the runtime, so timers are tried, too. */
const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'

interface Way {
  options: string[]
  environment: (file: string) => Record<string, string>
}

const WAYS: [string, Way][] = [
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
        // A step of the clock leaves the monotonic one alone.
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        DONT_FAKE_MONOTONIC: '1',
      }),
    },
  ],
]

for (const [name, way] of WAYS) {
  const missing = way.options.length === 0 && !existsSync(LIBRARY)
  describe.skipIf(missing)(`${name}${missing ? ' (no libfaketime here)' : ''}, set while a dispatch runs:`, () => {
    let bench: Workbench
    let folder: string
    let file: string

    const step = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}`)
    /** How far the clock by which something was signed or noted is from the true one, in whole days. */
    const daysOff = (time: number) => Math.round((time - Date.now()) / 1000 / DAY) || 0

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'signalbox-clock-'))
      file = join(folder, 'offset')
      step(0)
      bench = await Workbench.open({ workers: 0 })
      const worker = new Process([...way.options, 'worker/main.ts'], { ...bench.box.environment, ...way.environment(file) })
      bench.box.workers.push(worker)
      await worker.said('worker started')
    })

    afterAll(async () => {
      await bench.close()
      await rm(folder, { recursive: true })
    })

    test('durations, delays and ages stay what they are, whichever way it is set', async () => {
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
      // It was set indeed: instants are named, and requests signed, by the worker's own.
      expect(dispatch.attempts.map(({ started_at }: { started_at: string }) => daysOff(Date.parse(started_at)))).toEqual([
        0, 1, -1,
      ])
      expect(receiver.requests.map(({ headers }) => daysOff(Number(headers['webhook-timestamp']) * 1000))).toEqual([0, 1, -1])
      // What the database noted is not touched by it.
      for (const time of [dispatch.created_at, dispatch.completed_at]) expect(daysOff(Date.parse(time))).toBe(0)
      expect(Date.parse(dispatch.completed_at)).toBeGreaterThan(Date.parse(dispatch.created_at))
    })

    test.each([DAY, -DAY])('by %d seconds: Retry-After is what the receiver means, as seconds and as a date', async (seconds) => {
      const forms = [() => '200', () => new Date(Date.now() + 200_000).toUTCString()]
      for (const form of forms) {
        const { project, hook, receiver } = await bench.hooked()
        receiver.answer = () => {
          step(seconds)
          // An answer says when it was given, as HTTP asks for, and by that its date is read.
          return new Response('', { status: 503, headers: { Date: new Date().toUTCString(), 'Retry-After': form() } })
        }
        await bench.approve(project)
        const { next_attempt_at } = await bench.tried(hook)
        expect((Date.parse(next_attempt_at) - Date.now()) / 1000).toBeWithin(180, 203)
        step(0)
      }
    })

    test('an old secret signs for as long as it was given, nothing expires, and the worker lives', async () => {
      const { hook, receiver } = await bench.hooked({ secret: SECRET, max_age_seconds: 60 })
      await bench.ask(hook, 'rotate-secret', { overlap_seconds: 3600 })
      for (const seconds of [DAY, -DAY, 0]) {
        step(seconds)
        const { body } = await bench.ask(hook, 'trigger', undefined, { Prefer: 'wait=20' })
        expect(body).toMatchObject({ status: 'succeeded' })
        expect(receiver.requests.at(-1)?.headers['x-signalbox-signature-previous']).toStartWith('sha256=')
      }
      // When a hook succeeded last is noted by the clock of the database, too.
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
        'it beats, and nobody takes it for dead',
        async () => (await bench.box.sql`select from workers where seen_at > ${now}`).length === 1,
      )
      step(0)
    })
  })
}
