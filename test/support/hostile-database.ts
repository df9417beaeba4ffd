/** A database with unusual session defaults for its role. */
import { connect } from '../../sql/index.ts'
import { emptyDatabase } from './server.ts'

/** Creates an empty database in which sessions of the role start with these settings. @returns its URL */
export async function hostileDatabase(settings: Record<string, string>): Promise<string> {
  const url = await emptyDatabase()
  const name = new URL(url).pathname.slice(1)
  const sql = connect(url, 'signalbox test', 1)
  for (const [setting, value] of Object.entries(settings)) {
    await sql.unsafe(`alter role current_user in database "${name}" set ${setting} = '${value}'`)
  }
  await sql.end()
  return url
}
