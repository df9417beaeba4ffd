/**
 * kill -9 of a worker in every step of a promotion: the next gate opens once, and is announced once. Each step is reached by a lock that the
 * worker waits for.
 */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { PromotionWorkbench, V1 } from '../test/promotions/workbench.ts'

let bench: PromotionWorkbench

beforeEach(async () => {
  bench = await PromotionWorkbench.open({ own: true, workers: 0 })
})
afterEach(() => bench.close())

/** The table that is locked against the worker's writes, and the statement that waits for it. */
const STEPS = [
  ['promotions', 'from promotions as promotion'],
  ['outbox', 'insert into outbox'],
  ['gates', 'gate_is_open(status, expires_at) as is_open'],
  ['audit_log_entries', 'insert into audit_log_entries'],
] as const

const kill = async (): Promise<void> => {
  const [worker] = bench.box.workers.splice(0)
  worker?.kill('SIGKILL')
  await worker?.exited
}

for (const [table, statement] of STEPS) {
  test(`a worker that is killed while it waits to write ${table} has opened nothing, and another one opens the gate`, async () => {
    const { project, staging } = await bench.chain({ open_gate: true })
    const { body: dispatch } = await bench.ask(staging, 'trigger')
    expect((await bench.report(dispatch, { state: 'succeeded', digest: V1 })).status).toBe(200)
    await bench.box.sql.begin(async (tx) => {
      await tx`lock table ${tx(table)} in exclusive mode`
      await bench.box.startWorker()
      await bench.box.until(`"${statement}" waits`, async () => {
        const [waiting] = await bench.box.sql`
          select
          from pg_stat_activity
          where datname = current_database()
            and wait_event_type = 'Lock'
            and strpos(query, ${statement}) > 0
        `
        return waiting !== undefined
      })
      await kill()
    })
    await bench.box.startWorker()
    await bench.box.startWorker()
    await bench.box.until('the gate is open', async () => (await bench.gates(project)).length > 0)
    await bench.drained()
    expect(await bench.gates(project)).toHaveLength(1)
    expect(await bench.events(project, 'environment.ready')).toHaveLength(1)
  })
}
