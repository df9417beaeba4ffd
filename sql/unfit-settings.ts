/** Finds defaults of a role, a database or a server that a connection could not override. */
import type { Queryable } from './index.ts'
import { NEEDS, type Need } from './session.ts'

/**
 * Compares the settings of a session with what the code relies on. A connection that could not ask for all of them gets
 * the defaults of its role.
 *
 * @returns one sentence for each setting that does not fit, with the statement that mends it; empty where all do
 */
export async function unfitSettings(sql: Queryable): Promise<string[]> {
  const settings = await sql<{ name: string; setting: string | null; role: string }[]>`
    select name, setting, quote_ident(current_user) as role
    from pg_settings
    where name = any(${Object.keys(NEEDS).filter((name) => name !== 'search_path')})
    union all
    -- What counts is where tables are found: "$user" in the path does no harm where no such schema exists.
    select 'search_path', current_schema(), quote_ident(current_user)
    order by name
  `
  return settings.flatMap(({ name, setting, role }) => {
    const { value, fits } = NEEDS[name] as Need
    if (setting === value || (setting !== null && fits?.(setting))) return []
    return `${name} is ${setting === null ? 'empty' : `'${setting}'`}: run alter role ${role} set ${name} = '${value}'.`
  })
}
