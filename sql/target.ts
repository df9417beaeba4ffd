/** A PostgreSQL server, so that both drivers reach it in the same way: no `sslmode` of a URL means the same to the two. */

export interface Target {
  /** Without what it says about TLS. */
  url: string
  ssl: false | { rejectUnauthorized: boolean; ca?: string }
  /** Behind a pooler that gives each transaction another session. */
  pooled: boolean
}

export type TlsMode = 'disable' | 'require' | 'verify-full'

/** What `sslmode` asks for, in our words. Nothing verifies half: who asks for the authority alone gets the name checked, too. */
const MODES: Record<string, TlsMode> = {
  disable: 'disable',
  allow: 'disable',
  prefer: 'require',
  require: 'require',
  'no-verify': 'require',
  'verify-ca': 'verify-full',
  'verify-full': 'verify-full',
  // As `ssl`, which some platforms write instead.
  true: 'require',
  1: 'require',
  false: 'disable',
  0: 'disable',
}

/**
 * @param url as platforms give it
 * @param how of TLS: `mode` wins over the URL's `sslmode`; `ca` is PEM text
 */
export function targetOf(url: string, how: { mode?: TlsMode; ca?: string; pooled?: boolean } = {}): Target {
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
