/**
 * The keys of issuers, in the memory of this process. Tenants name the issuers, so what one of them can occupy is limited: memory, and
 * fetches at the same time.
 */
import { createLocalJWKSet, type JWK, type LocalJWKSet } from 'jose'
import { Deadline } from '../../core/outbound/deadline.ts'
import { monotonicMs } from '../../core/platform/clock.ts'
import { issuerUrlError } from '../trusts/trusts.ts'
import { fetchJson, IssuerProblem, TIMEOUT_MS } from './issuer-documents.ts'

const MINUTE_MS = 60_000
/** How long keys are used without asking the issuer. */
const FRESH_MS = 10 * MINUTE_MS
/** How long keys are used while the issuer is away. */
const LAST_GOOD_MS = 60 * MINUTE_MS
/** How soon the keys of an issuer are fetched again: after a failure, and for a key that it did not have. */
const RETRY_MS = MINUTE_MS

const MAX_KEYS = 100
const MAX_KEY_ID_LENGTH = 500
/** The base64url digits of RSA moduli: shorter ones than 2,048 bits can be factored, and verifying with longer ones costs many times as much. */
const MIN_MODULUS_LENGTH = Math.ceil(2048 / 6)
const MAX_MODULUS_LENGTH = Math.ceil(4096 / 6)
/** What an imported key takes in memory, in addition to its text. */
const KEY_BYTES = 2_000

const isText = (value: unknown): value is string => typeof value === 'string'
const isTextOrAbsent = (value: unknown): value is string | undefined => value === undefined || isText(value)

/** A public key that can verify assertions, with the members that are needed. Null for all other keys: a set may have any. */
function usableKey(given: unknown): JWK | null {
  const { kty, kid, alg, use, n, e, crv, x, y } = Object(given)
  if (!isTextOrAbsent(kid) || (kid?.length ?? 0) > MAX_KEY_ID_LENGTH || !isTextOrAbsent(alg) || !isTextOrAbsent(use)) return null
  const shared = {
    ...(kid === undefined ? {} : { kid }),
    ...(alg === undefined ? {} : { alg }),
    ...(use === undefined ? {} : { use }),
  }
  if (kty === 'RSA' && isText(n) && isText(e))
    return n.length >= MIN_MODULUS_LENGTH && n.length <= MAX_MODULUS_LENGTH ? { ...shared, kty, n, e } : null
  if (kty === 'EC' && crv === 'P-256' && isText(x) && isText(y)) return { ...shared, kty, crv, x, y }
  if (kty === 'OKP' && crv === 'Ed25519' && isText(x)) return { ...shared, kty, crv, x }
  return null
}

/** Fetches the keys of an issuer. @throws IssuerProblem */
async function fetchKeys(issuer: string): Promise<JWK[]> {
  const deadline = new Deadline(TIMEOUT_MS)
  try {
    const discovery = await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, deadline)
    if (discovery.issuer !== issuer)
      throw new IssuerProblem('Its discovery document names another issuer. They must be equal, character by character.', true)
    const { jwks_uri } = discovery
    const flaw = isText(jwks_uri) ? issuerUrlError(jwks_uri) : 'is missing'
    if (!isText(jwks_uri) || flaw !== null) throw new IssuerProblem(`The jwks_uri of its discovery document ${flaw}.`)
    const { keys } = await fetchJson(jwks_uri, deadline)
    if (!Array.isArray(keys)) throw new IssuerProblem('The document at its jwks_uri has no list of keys.')
    return keys.slice(0, MAX_KEYS).flatMap((key) => usableKey(key) ?? [])
  } finally {
    deadline.end()
  }
}

interface Entry {
  /** The organization that the memory is counted for: the first that asked, then the last that the issuer vouched for. */
  organization_id: string
  keys: LocalJWKSet | null
  key_ids: Set<string | undefined>
  bytes: number
  /** When the keys were fetched, and when that was last tried. */
  goodAt: number
  askedAt: number
  /** Why the last fetch failed; null if it did not. */
  problem: IssuerProblem | null
  pending: Promise<void> | null
}

/** What an issuer counts for in memory, even without keys. */
const ENTRY_BYTES = 8_192

/** How much memory the keys of all issuers take, and how many fetches run at the same time: of one organization, and of all. */
const LIMITS = { bytes: 16 * 1024 * 1024, fetchesOfOne: 4, fetches: 64 }

export class IssuerKeys {
  /** In order of use: the first is the longest unused. */
  readonly #entries = new Map<string, Entry>()
  readonly #fetching = new Map<string, number>()

  constructor(
    private readonly fetch: (issuer: string) => Promise<JWK[]> = fetchKeys,
    private readonly now: () => number = monotonicMs,
    private readonly limits = LIMITS,
  ) {}

  get size(): number {
    return this.#entries.size
  }

  /** Fetched if they are old, or do not include the requested one. @throws IssuerProblem if there are none */
  async keysOf(issuer: string, organization_id: string, kid: string | undefined): Promise<LocalJWKSet> {
    const entry = this.#entries.get(issuer) ?? {
      organization_id,
      keys: null,
      key_ids: new Set(),
      bytes: ENTRY_BYTES,
      goodAt: 0,
      askedAt: Number.NEGATIVE_INFINITY,
      problem: null,
      pending: null,
    }
    if (this.#isAskedFor(entry, kid)) await (entry.pending ?? this.#fetchFor(organization_id, issuer, entry))
    if (this.#entries.delete(issuer)) this.#entries.set(issuer, entry)
    if (entry.keys && this.now() - entry.goodAt < LAST_GOOD_MS) return entry.keys
    throw entry.problem ?? new IssuerProblem('Its keys have not been fetched.')
  }

  /** Counts the memory for an organization that the issuer has vouched for: others cannot evict the keys by asking for more. */
  vouched(issuer: string, organization_id: string): void {
    const entry = this.#entries.get(issuer)
    if (entry) entry.organization_id = organization_id
  }

  #isAskedFor({ keys, key_ids, goodAt, askedAt, pending }: Entry, kid: string | undefined): boolean {
    const now = this.now()
    const isFresh = keys !== null && now - goodAt < FRESH_MS
    if (isFresh && (kid === undefined || key_ids.has(kid))) return false
    return pending !== null || now - askedAt >= RETRY_MS
  }

  /** @throws IssuerProblem if too many fetches run; nothing is remembered of that, since it is not about the issuer */
  #fetchFor(organization_id: string, issuer: string, entry: Entry): Promise<void> {
    const own = this.#fetching.get(organization_id) ?? 0
    const all = [...this.#fetching.values()].reduce((sum, each) => sum + each, 0)
    if (own >= this.limits.fetchesOfOne || all >= this.limits.fetches)
      throw new IssuerProblem('Too many keys are being fetched from issuers at this moment.')
    this.#fetching.set(organization_id, own + 1)
    this.#entries.set(issuer, entry)
    entry.askedAt = this.now()
    entry.pending = this.#fetchInto(entry, issuer).finally(() => {
      entry.pending = null
      const left = (this.#fetching.get(organization_id) ?? 1) - 1
      if (left === 0) this.#fetching.delete(organization_id)
      else this.#fetching.set(organization_id, left)
      this.#evict()
    })
    return entry.pending
  }

  async #fetchInto(entry: Entry, issuer: string): Promise<void> {
    try {
      const keys = await this.fetch(issuer)
      entry.keys = createLocalJWKSet({ keys })
      entry.key_ids = new Set(keys.map(({ kid }) => kid))
      entry.bytes = ENTRY_BYTES + JSON.stringify(keys).length + KEY_BYTES * keys.length
      entry.goodAt = this.now()
      entry.problem = null
    } catch (error) {
      if (!(error instanceof IssuerProblem)) throw error
      entry.problem = error
    }
  }

  /** Forgets what the organization with the most has not used for the longest time, until the rest fits. */
  #evict(): void {
    const held = new Map<string, number>()
    for (const { organization_id, bytes } of this.#entries.values()) {
      held.set(organization_id, (held.get(organization_id) ?? 0) + bytes)
    }
    let excess = [...held.values()].reduce((sum, each) => sum + each, 0) - this.limits.bytes
    while (excess > 0) {
      const [largest] = [...held].reduce((most, each) => (each[1] > most[1] ? each : most))
      const oldest = [...this.#entries].find(([, entry]) => entry.organization_id === largest && !entry.pending)
      if (!oldest) return
      const [issuer, { bytes }] = oldest
      this.#entries.delete(issuer)
      excess -= bytes
      held.set(largest, (held.get(largest) ?? 0) - bytes)
    }
  }
}

export const issuerKeys = new IssuerKeys()
