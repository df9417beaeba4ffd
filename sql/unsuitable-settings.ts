/** Finds settings of a role, a database or a server that the code cannot work with and a connection cannot override. */
import type { Queryable } from './index.ts'
import { REQUIRED_SETTINGS, type RequiredSetting } from './session.ts'

/**
 * Compares the settings of a session with those that the code relies on. Settings that a connection could not send have the
 * defaults of its role.
 *
 * @returns a sentence for each unsuitable setting, with the statement that corrects it
 */
export async function unsuitableSettings(sql: Queryable): Promise<string[]> {
  const settings = await sql<{ name: string; setting: string | null; role: string }[]>`
    select name, setting, quote_ident(current_user) as role
    from pg_settings
    where name = any(${Object.keys(REQUIRED_SETTINGS).filter((name) => name !== 'search_path')})
    union all
    -- The schema in which tables are found: "$user" in the path does no harm if no such schema exists.
    select 'search_path', current_schema(), quote_ident(current_user)
    order by name
  `
  return settings.flatMap(({ name, setting, role }) => {
    const { value, fits } = REQUIRED_SETTINGS[name] as RequiredSetting
    if (setting === value || (setting !== null && fits?.(setting))) return []
    return `${name} is ${setting === null ? 'empty' : `'${setting}'`}: run alter role ${role} set ${name} = '${value}'.`
  })
}
