/** `bun run distribute`: distributes a migrated database over the nodes of a Citus cluster. */
import { directTarget, explainDirectError } from '../core/platform/direct-database.ts'
import { readConnectionSettings } from '../core/platform/settings.ts'
import { settingsOrExit } from '../core/platform/settings-or-exit.ts'
import { DistributionError, distribute } from '../sql/citus/distribute.ts'
import { connect } from '../sql/index.ts'
import { pendingMigrations } from '../sql/migrate.ts'
import { answerHelp } from './support/command.ts'

answerHelp(`npx --yes bun run distribute [--shards 32]

Distributes the tables of the database at DATABASE_DIRECT_URL, or DATABASE_URL, over the nodes of its Citus cluster, by organization.
Stop the API and the workers first. It prints each step; if it is interrupted, run it again: it continues, and changes nothing
when everything is distributed.

  --shards  how many shards each table has: at least as many as the cluster will ever have nodes`)

const MAX_SHARDS = 1024

function shardsOf(given: string[]): number {
  const at = given.indexOf('--shards')
  const shards = at === -1 ? 32 : Number(given[at + 1])
  if (!Number.isInteger(shards) || shards < 1 || shards > MAX_SHARDS) {
    console.error(`--shards is a number from 1 to ${MAX_SHARDS}.`)
    process.exit(1)
  }
  return shards
}

const shards = shardsOf(process.argv.slice(2))
const settings = settingsOrExit(readConnectionSettings)
const sql = connect(directTarget(settings), 'signalbox distribute', 1, { statement_timeout: '0' })
try {
  const pending = await pendingMigrations(sql)
  if (pending.length > 0) throw new DistributionError(`${pending.length} migrations are pending: run \`bun run migrate\` first.`)
  const steps = await distribute(sql, { shards, log: (line) => console.log(line) })
  console.log(steps === 0 ? 'Everything is distributed.' : `Distributed in ${steps} steps.`)
} catch (error) {
  const reason = error instanceof DistributionError ? error.message : explainDirectError(settings, error).message
  console.error(`The database is not distributed entirely. ${reason} Run this again to continue.`)
  process.exitCode = 1
} finally {
  await sql.end({ timeout: 1 })
}
