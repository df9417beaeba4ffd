/** The values that a role can be given for every setting of the server, at the ends of what is allowed. */
import type { Queryable } from '../../sql/index.ts'

/** Texts that would break something; null: no text can break a statement that names what it means. */
const TEXTS: Record<string, string | null> = {
  DateStyle: 'German, DMY',
  TimeZone: 'Asia/Kathmandu',
  application_name: null,
  client_encoding: 'LATIN1',
  createrole_self_grant: 'set, inherit',
  debug_io_direct: null,
  default_table_access_method: null,
  default_tablespace: 'pg_default',
  default_text_search_config: 'pg_catalog.german',
  lc_messages: 'C',
  lc_monetary: 'C',
  lc_numeric: 'C',
  lc_time: 'C',
  log_connections: null,
  'plpgsql.extra_errors': 'all',
  'plpgsql.extra_warnings': 'all',
  restrict_nonsystem_relation_kind: 'view, foreign-table',
  search_path: '',
  temp_tablespaces: 'pg_default',
  timezone_abbreviations: 'India',
  wal_consistency_checking: null,
}

/** Those that are left out, with the reason. */
const LEFT_OUT: Record<string, string> = {
  allow_system_table_mods: 'allows more',
  backtrace_functions: 'writes to the log of the server',
  default_transaction_read_only: 'platforms switch it on to protect a database whose disk is full',
  dynamic_library_path: 'finds modules, of which none is used',
  extension_control_path: 'finds extensions, of which none is used',
  is_superuser: 'cannot be set',
  jit_provider: 'finds a module',
  local_preload_libraries: 'loads modules: one that is missing refuses the connection and is named',
  session_preload_libraries: 'loads modules: one that is missing refuses the connection and is named',
  role: 'is not a default, but who the session is',
  session_authorization: 'is not a default, but who the session is',
  seed: 'cannot be set for a role',
  transaction_deferrable: 'is of a transaction: its default is another setting',
  transaction_isolation: 'is of a transaction: its default is another setting',
  transaction_read_only: 'is of a transaction: its default is another setting',
}

const WRITES_LOG = /^(log_|debug_print_|debug_pretty_print|trace_)/

interface Setting {
  name: string
  vartype: string
  boot: string | null
  values: string[] | null
  min: string | null
  max: string | null
}

/**
 * @param end of the allowed values
 * @throws Error for a setting with a text that has no entry here
 */
export async function extremeSettings(sql: Queryable, end: 'first' | 'last'): Promise<Record<string, string>> {
  // Its settings are known when it is used.
  await sql`do $$ begin end $$`
  const settings = await sql<Setting[]>`
    select name, vartype, boot_val as boot, enumvals as values, min_val as min, max_val as max
    from pg_settings
    where context in ('user', 'superuser')
    order by name
  `
  const valueFor = ({ name, vartype, boot, values, min, max }: Setting): string | null | undefined => {
    // More than the operating system allows is refused.
    if (name === 'max_stack_depth') return min
    if (vartype === 'bool') return boot === 'on' ? 'off' : 'on'
    if (vartype === 'enum') return values?.filter((value) => value !== boot).at(end === 'first' ? 0 : -1) ?? null
    if (vartype === 'string') return TEXTS[name]
    // No limit, or one that every statement reaches.
    if (/_timeout$/.test(name)) return end === 'first' ? '1' : max
    return end === 'first' ? min : max
  }
  const found: Record<string, string> = {}
  for (const setting of settings) {
    if (setting.name in LEFT_OUT || WRITES_LOG.test(setting.name)) continue
    const value = valueFor(setting)
    if (value === undefined) throw new Error(`${setting.name} has no value to try`)
    if (value !== null) found[setting.name] = value
  }
  return found
}
