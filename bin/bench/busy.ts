/** From the commit of an event to the arrival of its request, at half of the rate that the worker can sustain. */
import { Failure } from '../support/failure.ts'
import { milliseconds, percentile, perSecond, rounded, roundedEach } from './figures.ts'
import { askForDrain, HOOKS, makeHooks, type Target } from './flood.ts'
import type { Part } from './part.ts'
import { type Stage, until } from './stage.ts'

const LIMIT_P50_MS = 15
const LIMIT_P99_MS = 60
const PATIENCE_MS = 60_000
/** Events are committed so often, a share of them each time. */
const EVERY_MS = 20

const scaleOf = (quick: boolean) => (quick ? { flood: 2_000, seconds: 3 } : { flood: 20_000, seconds: 15 })

/** A receiver in this process, so that one clock sees both ends. */
function receiver() {
  const committed = new Map<string, number>()
  const latencies: number[] = []
  let received = 0
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const now = performance.now()
      const { data } = (await request.json()) as { data: { gate: { name: string } } }
      received++
      // One may be here before the answer to the commit is.
      latencies.push(Math.max(0, now - (committed.get(data.gate.name) ?? now)))
      return new Response('ok')
    },
  })
  return { server, committed, latencies, received: () => received }
}

/** Commits events, and asks for a drain after the commit, as the API does. */
async function commitEvents({ sql }: Stage, { projects }: Target, name: string, count: number): Promise<void> {
  await sql`
    insert into outbox (organization_id, workspace_id, project_id, name, data)
    select
      project.organization_id, project.workspace_id, project.id, 'gate.approved',
      jsonb_build_object('gate', jsonb_build_object('id', uuidv7(), 'name', ${name}::text, 'status', 'approved'))
    from generate_series(1, ${count}::integer) as number
    join projects as project on project.id = (${projects}::uuid[])[1 + number % ${projects.length}]
  `
}

async function measure(stage: Stage, { flood, seconds }: ReturnType<typeof scaleOf>) {
  const at = receiver()
  try {
    const target = await makeHooks(stage, at.server.url.href)
    // Each hook's first requests open its connections.
    await commitEvents(stage, target, 'warm up', HOOKS * 10)
    await until('All arrive', async () => at.received() >= HOOKS * 10, PATIENCE_MS, 1)

    const begun = performance.now()
    await commitEvents(stage, target, 'flood', flood)
    await askForDrain(stage.sql)
    await until('All arrive', async () => at.received() >= HOOKS * 10 + flood, PATIENCE_MS, 1)
    const full = flood / ((performance.now() - begun) / 1000)
    await until('The worker has nothing to do', async () => {
      const [{ busy }] = await stage.sql<[{ busy: boolean }]>`select exists (select from outbox where drained_at is null) as busy`
      return !busy
    })

    at.latencies.length = 0
    const before = at.received()
    const share = Math.max(1, Math.round((full / 2) * (EVERY_MS / 1000)))
    let sent = 0
    const start = performance.now()
    for (let turn = 0; performance.now() - start < seconds * 1000; turn++) {
      await commitEvents(stage, target, `${turn}`, share)
      at.committed.set(`${turn}`, performance.now())
      void askForDrain(stage.sql)
      sent += share
      await Bun.sleep(Math.max(0, start + (turn + 1) * EVERY_MS - performance.now()))
    }
    const offered = sent / ((performance.now() - start) / 1000)
    await until('All arrive', async () => at.received() >= before + sent, PATIENCE_MS, 1)
    if (at.received() !== before + sent) throw new Failure(`Of ${sent} dispatches ${at.received() - before} arrived.`)
    const [p50, p99] = [percentile(at.latencies, 0.5), percentile(at.latencies, 0.99)]
    return { full, offered, p50, p99 }
  } finally {
    await at.server.stop(true)
  }
}

export const busy: Part = {
  name: 'busy',
  conditions: (quick) =>
    `busy      events committed every ${EVERY_MS} ms for ${scaleOf(quick).seconds} s, at half the rate of a flood of ${scaleOf(quick).flood.toLocaleString('en')} in the same run (from commit to the last arrival); until the request is in the receiver. Generator and receiver run on the same cores.`,
  async run(stage, quick) {
    const { full, offered, p50, p99 } = await measure(stage, scaleOf(quick))
    return {
      rows: [
        { name: 'commit to request at half load, p50', ours: milliseconds(p50), limit: `≤ ${LIMIT_P50_MS} ms` },
        { name: 'commit to request at half load, p99', ours: milliseconds(p99), limit: `≤ ${LIMIT_P99_MS} ms` },
        { name: 'half load', ours: perSecond(offered), baseline: perSecond(full), ratio: offered / full },
      ],
      figures: { busy: { full_per_second: rounded(full), offered_per_second: rounded(offered), ...roundedEach({ p50, p99 }) } },
    }
  },
}
