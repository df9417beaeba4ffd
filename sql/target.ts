/**
 * How to connect to a PostgreSQL server. Platforms put parameters of libpq and of other drivers into the URL. They are read here,
 * once for both drivers: each of these knows other ones, and sends the rest to the server as settings that it does not have.
 */
import { readFileSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { createSecureContext } from 'node:tls'

export interface DatabaseTarget {
  /** A name, an address, or the folder of a Unix socket, which starts with a slash. What is empty, both drivers take from PGHOST, … */
  host: string
  port: number
  user: string
  password: string
  database: string
  ssl: false | TlsOptions
  sslnegotiation: 'postgres' | 'direct'
  connect_timeout: number
  /** Seconds until an idle connection is probed; 0 for never. */
  keep_alive: number
  /** Shown in `pg_stat_activity`, behind the name of the process. */
  application_name: string
  /** Command-line options of the session. */
  options: string
  /** Behind a pooler in transaction mode: each transaction may get another session. */
  pooled: boolean
}

interface TlsOptions {
  rejectUnauthorized: boolean
  checkServerIdentity?: () => undefined
  ca?: string
  cert?: string
  key?: string
  passphrase?: string
}

type TlsMode = 'disable' | 'require' | 'verify-full'

/** The URL cannot be used. The message completes the sentence "NAME must be …", and shows no value: one may be a password. */
export class InvalidDatabaseUrl extends Error {}

const URL_FORM =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^:/?#]*)(?::(?<password>[^/?#]*))?@)?(?<place>[^/?#@]*)(?:\/(?<database>[^?#]*))?(?:\?(?<query>[^#]*))?$/i
const PLACE = /^(?:\[(?<address>[^\]]*)\]|(?<name>[^:[\]]*))(?::(?<port>\d*))?$/
const SOCKET_PATH_BYTES = 107

const TEXT = 'text'
const COUNT = 'a whole number'

/** The parameters that a URL may have, each with its values. What is not here could not be heeded. */
const PARAMETERS: Record<string, string> = {
  host: TEXT,
  port: COUNT,
  user: TEXT,
  password: TEXT,
  dbname: TEXT,
  options: TEXT,
  application_name: TEXT,
  connect_timeout: COUNT,
  keepalives: '0, 1',
  keepalives_idle: COUNT,
  sslmode: 'disable, allow, prefer, require, no-verify, verify-ca, verify-full',
  ssl: 'true, 1, false, 0, disable, allow, prefer, require, no-verify, verify-ca, verify-full',
  sslrootcert: TEXT,
  sslcert: TEXT,
  sslkey: TEXT,
  sslpassword: TEXT,
  sslnegotiation: 'postgres, direct',
  channel_binding: 'disable, prefer, require',
  pgbouncer: 'true, false',
  // These ask for what is so anyway, or say something to other drivers or to the provider.
  fallback_application_name: TEXT,
  target_session_attrs: 'any, read-write, primary',
  load_balance_hosts: 'disable, random',
  keepalives_interval: COUNT,
  keepalives_count: COUNT,
  tcp_user_timeout: COUNT,
  gssencmode: 'disable, prefer',
  gsslib: TEXT,
  krbsrvname: TEXT,
  gssdelegation: '0',
  requiressl: '0, 1',
  sslcompression: '0, 1',
  sslsni: '1',
  sslcertmode: 'allow',
  ssl_min_protocol_version: 'TLSv1, TLSv1.1, TLSv1.2',
  ssl_max_protocol_version: 'TLSv1.3',
  min_protocol_version: '3.0',
  max_protocol_version: '3.0, 3.2, latest',
  client_encoding: 'utf8, UTF8, utf-8, UTF-8, auto',
  schema: 'public',
  uselibpqcompat: 'true, false',
  supa: TEXT,
  workaround: TEXT,
}

/** What to do in place of some other parameters. */
const INSTEAD: Record<string, string> = {
  hostaddr: 'put the address in place of the host',
  passfile: 'put the password into the URL',
  service: 'write out what the service stands for',
  connection_limit: 'set DATABASE_POOL',
  statement_timeout: 'run alter role … set statement_timeout',
  search_path: 'the tables are in the schema public',
}

/** Our mode for each value of `sslmode` and `ssl`; the default of both is `disable`. */
const MODES: Record<string, TlsMode | 'verify-ca'> = {
  disable: 'disable',
  allow: 'disable',
  prefer: 'require',
  require: 'require',
  'no-verify': 'require',
  'verify-ca': 'verify-ca',
  'verify-full': 'verify-full',
  true: 'require',
  1: 'require',
  false: 'disable',
  0: 'disable',
}

function invalid(expected: string): never {
  throw new InvalidDatabaseUrl(expected)
}

const ESCAPES =
  'a URL such as postgres://user:password@host:5432/name, with other characters in user and password as %23 for #, %25 for %, %2F for /, %40 for @'

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return invalid(ESCAPES)
  }
}

/** @returns the parameters that are not empty */
function readParameters(query: string): Record<string, string | undefined> {
  const given = query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => pair.split('=').map(decode))
    .map(([name = '', ...value]) => [name, value.join('=')] as const)
  const faults = given.flatMap(([name, value]) => {
    const expected = PARAMETERS[name]
    if (expected === undefined) {
      // Of a password that is not escaped, a part would be taken for a name.
      const shown = /^[a-z_A-Z]{1,40}$/.test(name) ? ` ${name}` : 's that Signalbox does not know'
      return [`a URL without the parameter${shown}${INSTEAD[name] ? ` (${INSTEAD[name]})` : ''}`]
    }
    const isValid =
      value === '' || expected === TEXT || (expected === COUNT ? /^\d{1,9}$/.test(value) : expected.split(', ').includes(value))
    return isValid ? [] : [`a URL whose ${name} is ${expected === COUNT ? COUNT : `one of ${expected}`}`]
  })
  if (faults.length > 0) invalid(faults.join(', and '))
  return Object.fromEntries(given.filter(([, value]) => value !== ''))
}

/** The host and port. Those of the parameters come first, as in libpq. */
function readPlace(place: string, parameters: Record<string, string | undefined>): Pick<DatabaseTarget, 'host' | 'port'> {
  if (place.includes(',') || parameters.host?.includes(','))
    invalid('a URL with one host: the primary, or a proxy that leads to it')
  const { address, name, port: written } = PLACE.exec(place)?.groups ?? invalid('a URL with a host, or host and port')
  if (address !== undefined && !isIPv6(address)) invalid('a URL whose host in brackets is an IPv6 address')
  const host = parameters.host ?? (address || decode(name ?? ''))
  const isSocket = host.startsWith('/')
  if (!isSocket && !isIPv6(host) && /[^\p{L}\p{N}._-]/u.test(host))
    invalid('a URL whose host is a name, an address, or the folder of a Unix socket')
  const port = Number(parameters.port || written || 5432)
  if (!(port >= 1 && port <= 65_535)) invalid('a URL whose port is a number from 1 to 65535')
  if (isSocket && Buffer.byteLength(socketOf({ host, port })) > SOCKET_PATH_BYTES)
    invalid(`a URL whose Unix socket has a path of at most ${SOCKET_PATH_BYTES} bytes`)
  return { host, port }
}

/** The path of the Unix socket in a folder. */
export const socketOf = ({ host, port }: Pick<DatabaseTarget, 'host' | 'port'>): string => `${host}/.s.PGSQL.${port}`

function readFile(parameter: string, path: string | undefined): string | undefined {
  try {
    return path === undefined ? undefined : readFileSync(path, 'utf8')
  } catch {
    return invalid(`a URL whose ${parameter} is the path of a file that can be read`)
  }
}

function readTls(
  parameters: Record<string, string | undefined>,
  how: { mode?: TlsMode; ca?: string },
): Pick<DatabaseTarget, 'ssl' | 'sslnegotiation'> {
  const { sslmode, ssl, requiressl, sslrootcert, sslcert, sslkey, sslpassword, sslnegotiation, channel_binding } = parameters
  const isSystem = sslrootcert === 'system'
  const ca = how.ca ?? (isSystem ? undefined : readFile('sslrootcert', sslrootcert))
  const cert = readFile('sslcert', sslcert)
  const key = readFile('sslkey', sslkey)
  if ((cert === undefined) !== (key === undefined)) invalid('a URL with both sslcert and sslkey')
  const inUrl = MODES[sslmode ?? ssl ?? (requiressl === '1' ? 'require' : '')]
  const implied = sslrootcert ? 'verify-full' : cert ? 'require' : 'disable'
  if (isSystem && inUrl !== undefined && inUrl !== 'verify-full') invalid('a URL with sslmode=verify-full and sslrootcert=system')
  // As libpq: with a certificate authority in the URL, the server must have a certificate of it.
  const mode = how.mode ?? (inUrl === 'require' && sslrootcert && sslmode !== 'no-verify' ? 'verify-ca' : (inUrl ?? implied))
  if (mode === 'disable') {
    const needs =
      sslnegotiation === 'direct' ? 'sslnegotiation=direct' : channel_binding === 'require' && 'channel_binding=require'
    if (needs) invalid(`a URL with sslmode=require and ${needs}, or DATABASE_SSL must be set`)
    return { ssl: false, sslnegotiation: 'postgres' }
  }
  const files = {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert, key }),
    ...(sslpassword === undefined ? {} : { passphrase: sslpassword }),
  }
  try {
    createSecureContext(files)
  } catch {
    invalid('a URL whose sslrootcert, sslcert and sslkey are PEM files that belong together')
  }
  return {
    ssl: {
      rejectUnauthorized: mode !== 'require',
      // Anybody can have a certificate of the authorities of the system, so with those the name is always verified.
      ...(mode === 'verify-ca' && ca !== undefined ? { checkServerIdentity: () => undefined } : {}),
      ...files,
    },
    sslnegotiation: sslnegotiation === 'direct' ? 'direct' : 'postgres',
  }
}

const DEFAULT_CONNECT_SECONDS = 5
const DEFAULT_KEEP_ALIVE_SECONDS = 60

/**
 * @param url as platforms provide it
 * @param how `mode` overrides the `sslmode` of the URL, `ca` its `sslrootcert`; `ca` is PEM text
 * @throws {InvalidDatabaseUrl}
 */
export function targetOf(url: string, how: { mode?: TlsMode; ca?: string; pooled?: boolean } = {}): DatabaseTarget {
  if (!/^postgres(ql)?:\/\//i.test(url.trim())) invalid('a URL that starts with postgres:// or postgresql://')
  const parts = URL_FORM.exec(url.trim())?.groups ?? invalid(ESCAPES)
  const { place = '', query = '' } = parts
  // Behind an unescaped / or ?, the rest of a password and the host would be taken for a path or for parameters.
  if (parts.user === undefined && `${parts.database ?? ''}${query}`.includes('@')) invalid(ESCAPES)
  const parameters = readParameters(query)
  const { host, port } = readPlace(place, parameters)
  const keepsAlive = parameters.keepalives !== '0'
  return {
    host,
    port,
    user: parameters.user ?? decode(parts.user ?? ''),
    password: parameters.password ?? decode(parts.password ?? ''),
    database: parameters.dbname ?? decode(parts.database ?? ''),
    // A Unix socket stays on this machine, and the server knows no TLS on it.
    ...(host.startsWith('/') ? { ssl: false as const, sslnegotiation: 'postgres' as const } : readTls(parameters, how)),
    connect_timeout: Number(parameters.connect_timeout ?? 0) || DEFAULT_CONNECT_SECONDS,
    keep_alive: keepsAlive ? Number(parameters.keepalives_idle ?? 0) || DEFAULT_KEEP_ALIVE_SECONDS : 0,
    application_name: parameters.application_name ?? '',
    options: parameters.options?.replaceAll('+', ' ') ?? '',
    pooled: how.pooled ?? false,
  }
}

/** The name of a session: the name of the process, then the one in the URL. PostgreSQL cuts it at 63 bytes. */
export const sessionName = (name: string, { application_name }: DatabaseTarget): string =>
  (application_name === '' ? name : `${name} (${application_name})`).slice(0, 63)

/** Whether the URL says that it leads through a pooler in transaction mode. */
export const isMarkedAsPooled = (url: string): boolean => /[?&]pgbouncer=true(&|$)/.test(url)
