/** Creates and drops databases on the server of a run of tests: on PostgreSQL, or on every node of a Citus cluster. */
import { setSessionDefaults } from '../../sql/citus/layout.ts'
import { connect, type Sql } from '../../sql/index.ts'

/** The worker nodes of the cluster that `test/citus.ts` runs the tests on. */
const nodes: Sql[] = (process.env.TEST_CITUS_NODES ?? '')
  .split(' ')
  .filter((url) => url !== '')
  .map((url) => connect(url, 'signalbox tests', 1))

/** Whether the tests run on a cluster. */
export const onCitus = nodes.length > 0

/**
 * @param admin the server, or the coordinator
 * @param template copied; on a cluster, the same database of every node
 */
export async function createDatabase(admin: Sql, name: string, template?: string): Promise<void> {
  await onEach(admin, async (node) => {
    await node`create database ${node(name)} ${template ? node`template ${node(template)} strategy file_copy` : node``}`
  })
  // They are not copied.
  if (onCitus && template) await setSessionDefaults(admin, name)
}

export async function dropDatabase(admin: Sql, name: string): Promise<void> {
  await onEach(admin, async (node) => {
    await node`drop database if exists ${node(name)} with (force)`
  })
}

async function onEach(admin: Sql, run: (node: Sql) => Promise<void>): Promise<void> {
  if (!onCitus) return run(admin)
  await Promise.all(
    [admin, ...nodes].map(async (node) => {
      const session = await node.reserve()
      try {
        // Citus would carry out statements on databases on all nodes.
        await session`
          select set_config(name, 'off', false)
          from unnest(array['citus.enable_create_database_propagation', 'citus.enable_ddl_propagation']) as setting (name)
        `
        await run(session as unknown as Sql)
      } finally {
        session.release()
      }
    }),
  )
}

/** Lets no client into a database, so that it can be copied: Citus has a process of its own in each database. */
export async function closeDatabase(admin: Sql, name: string): Promise<void> {
  await onEach(admin, async (node) => {
    await node`alter database ${node(name)} allow_connections false`
    await node`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
  })
}

export async function closeNodes(): Promise<void> {
  await Promise.all(nodes.map((node) => node.end({ timeout: 1 })))
}
