/** Processes of earlier versions, which must not run while a migration removes what they use. */

import type { Tx } from './index.ts'
import { version } from './version.ts'

/** The version of processes whose sessions do not name one. */
const FIRST_VERSION = '0.3.0'
/** PostgreSQL ends the sessions of a process that has ended within seconds. */
const TRIES = 25
const PAUSE_MS = 200

/** The name of the sessions of a process, before what its URL adds. */
export const processName = (script: string): string => `signalbox ${script} ${version}`

/** Sessions of `web` and `worker` by their names, such as `signalbox server 0.4.0 (eu)`. */
const SESSION = /^signalbox (server|main)(?: (\d+\.\d+\.\d+))?/

/**
 * The processes of versions before `oldest` that are connected to the database, by the names of their sessions.
 *
 * @returns such as `signalbox main at 10.0.0.3 (sessions 17, 18)`; empty if there are none, or their sessions end within seconds
 */
export async function olderProcesses(tx: Tx, oldest: string): Promise<string[]> {
  for (let tries = 1; ; tries++) {
    // Otherwise a transaction sees the sessions of its first look.
    await tx`select pg_stat_clear_snapshot()`
    const found = await tx<{ name: string; address: string | null; pids: number[] }[]>`
      select application_name as name, host(client_addr) as address, array_agg(pid order by pid) as pids
      from pg_stat_activity
      where datname = current_database()
        and application_name like 'signalbox %'
      group by 1, 2
      order by 1, 2
    `
    const older = found.filter(({ name }) => {
      const [isProcess, , version = FIRST_VERSION] = SESSION.exec(name) ?? []
      return isProcess !== undefined && Bun.semver.order(version, oldest) < 0
    })
    if (older.length === 0 || tries === TRIES)
      return older.map(
        ({ name, address, pids }) => `${name}${address === null ? '' : ` at ${address}`} (sessions ${pids.join(', ')})`,
      )
    await Bun.sleep(PAUSE_MS)
  }
}
