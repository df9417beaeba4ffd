import { Logger, run } from 'graphile-worker'
import { connect, type Sql } from '../../sql/index.ts'
import { freshDatabase } from '../support/server.ts'

/** PostgreSQL refuses the first `failures` attempts to delete a job: sequences count them, as they are never rolled back. */
async function refuseDeletes(sql: Sql, failures: number): Promise<void> {
  await sql.unsafe(`
    create sequence refusals;
    create function refuse_delete() returns trigger language plpgsql as $$
      begin
        if nextval('refusals') <= ${failures} then
          raise exception 'the delete is refused';
        end if;
        return old;
      end
    $$;
    create trigger refuse_delete before delete on graphile_worker._private_jobs
      for each row execute function refuse_delete();
  `)
}

/**
 * Runs one job with the settings of the worker, whose completion fails several times.
 *
 * @returns how often the job ran, and how many jobs are left
 */
export async function completeAfter(failures: number): Promise<{ runs: number; left: number }> {
  const url = await freshDatabase()
  const sql = connect(url, 'signalbox test', 2)
  await refuseDeletes(sql, failures)
  let runs = 0
  const runner = await run({
    connectionString: url,
    noHandleSignals: true,
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    logger: new Logger(() => () => {}),
    taskList: {
      once: () => {
        runs++
      },
    },
  })
  const left = async (): Promise<number> => {
    const [{ count }] = await sql<[{ count: number }]>`select count(*) as count from graphile_worker._private_jobs`
    return count
  }
  try {
    await runner.addJob('once', {})
    let ended = false
    // Without the patch the pool gives up: the runner ends, and the job stays locked.
    void runner.promise
      .catch(() => {})
      .then(() => {
        ended = true
      })
    while (!ended && (await left()) > 0) await Bun.sleep(20)
    return { runs, left: await left() }
  } finally {
    await runner.stop().catch(() => {})
    await sql.end()
  }
}
