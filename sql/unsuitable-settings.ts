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
  const settings = await sql<{ name: string; setting: string | null; source: string | null; role: string; database: string }[]>`
    select name, setting, source, quote_ident(session_user) as role, quote_ident(current_database()) as database
    from (
      -- Those of PL/pgSQL are in pg_settings once it is used, and numbers are in the unit of the setting there.
      select name, coalesce(setting, current_setting(name, true)) as setting, source
      from unnest(${Object.keys(REQUIRED_SETTINGS)}::text[]) as name
      left join pg_settings using (name)
      where name <> 'search_path'
        and coalesce(setting, current_setting(name, true)) is not null
      union all
      -- The schema in which tables are found: "$user" in the path does no harm if no such schema exists.
      select 'search_path', current_schema(), null
    ) as settings
    order by name
  `
  return settings.flatMap(({ name, setting, source, role, database }) => {
    const { value, fits } = REQUIRED_SETTINGS[name] as RequiredSetting
    if (setting === value || (setting !== null && fits?.(setting))) return []
    const found = `${name} is ${setting ? `'${setting}'` : 'empty'}`
    // What the connection asks for overrides everything else.
    if (source === 'client') return `${found}: remove it from the options in DATABASE_URL.`
    // This overrides what is set for the role, the database or the server.
    return `${found}: run alter role ${role} in database ${database} set ${name} = '${value}'.`
  })
}
