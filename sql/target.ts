/** How to connect to a PostgreSQL server, for both drivers: they interpret the `sslmode` of a URL differently. */

export interface DatabaseTarget {
  /** Without TLS parameters. */
  url: string
  ssl: false | { rejectUnauthorized: boolean; ca?: string }
  /** Behind a pooler in transaction mode: each transaction may get another session. */
  pooled: boolean
}

type TlsMode = 'disable' | 'require' | 'verify-full'

/** Our mode for each `sslmode`. There is no partial verification: `verify-ca` checks the host name as well. */
const MODES: Record<string, TlsMode> = {
  disable: 'disable',
  allow: 'disable',
  prefer: 'require',
  require: 'require',
  'no-verify': 'require',
  'verify-ca': 'verify-full',
  'verify-full': 'verify-full',
  // Values of `ssl`, which some platforms use instead.
  true: 'require',
  1: 'require',
  false: 'disable',
  0: 'disable',
}

/**
 * @param url as platforms provide it
 * @param how `mode` overrides the `sslmode` of the URL; `ca` is PEM text
 */
export function targetOf(url: string, how: { mode?: TlsMode; ca?: string; pooled?: boolean } = {}): DatabaseTarget {
  const plain = new URL(url)
  const asked = plain.searchParams.get('sslmode') ?? plain.searchParams.get('ssl')
  for (const name of ['sslmode', 'ssl', 'uselibpqcompat', 'sslrootcert', 'sslcert', 'sslkey']) plain.searchParams.delete(name)
  const mode = how.mode ?? MODES[asked ?? 'disable'] ?? 'require'
  return {
    url: plain.href,
    ssl: mode === 'disable' ? false : { rejectUnauthorized: mode === 'verify-full', ...(how.ca ? { ca: how.ca } : {}) },
    pooled: how.pooled ?? false,
  }
}
