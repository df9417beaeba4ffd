/** The GitHub App of the service: where its GitHub is, and what it signs with. */
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Queryable, Tx } from '../../sql/index.ts'
import { afterCommit } from '../../sql/transaction.ts'
import { epochSeconds, monotonicMs } from '../platform/clock.ts'
import { sql } from '../platform/database.ts'
import { decrypt } from '../security/secrets.ts'

/** The app as it is stored. */
export interface StoredApp {
  id: string
  /** The origin of its GitHub. */
  url: string
  app_id: number
  slug: string
  client_id: string
  /** Its page, below which it is installed. */
  html_url: string
  private_key: Uint8Array
  client_secret: Uint8Array
  webhook_secret: Uint8Array
  /** Null once it does not verify any more. */
  previous_webhook_secret: Uint8Array | null
  previous_until: string | null
  private_key_at: string
  client_secret_at: string
  webhook_secret_at: string
  created_at: string
  updated_at: string
}

export async function readApp(db: Queryable, lock = sql``): Promise<StoredApp | null> {
  const [app] = await db<StoredApp[]>`
    select
      id, url, app_id, slug, client_id, html_url, private_key, client_secret, webhook_secret,
      case when previous_until is null or previous_until > now() then previous_webhook_secret end as previous_webhook_secret,
      previous_until, private_key_at, client_secret_at, webhook_secret_at, created_at, updated_at
    from github_apps
    where is_only
    ${lock}
  `
  return app ?? null
}

/** How long this process goes on with what it has read; what is only shown where there is an app may come a minute later. */
const FRESH_MS = 2_000
const SHOWN_MS = 60_000

let known: { readAt: number; app: Promise<StoredApp | null> } | null = null
let isThere = false

/** The app, as it was at most two seconds ago: deliveries ask for it all the time. Null if there is none. */
export function currentApp(most = FRESH_MS): Promise<StoredApp | null> {
  const now = monotonicMs()
  if (known && now - known.readAt < most) return known.app
  const app = readApp(sql)
  known = { readAt: now, app }
  app.then((read) => {
    isThere = read !== null
  }, forgetApp)
  return app
}

/** Reads the app anew with the next question: what was read does not fit. */
export function forgetApp(): void {
  known = null
}

/** Whether there is an app, as far as this process knows, which reads it for the next time. For what is only shown where there is one. */
export function isAppKnown(): boolean {
  currentApp(SHOWN_MS).catch(() => {})
  return isThere
}

/** The app is another one after the commit. */
export const appChanges = (tx: Tx): void =>
  void afterCommit(tx, () => {
    forgetApp()
    isAppKnown()
  })

/** Where the API of a GitHub is: of github.com and of `*.ghe.com` at a host of its own. */
export function apiOf(url: string): string {
  const { hostname, origin } = new URL(url)
  if (hostname === 'github.com') return 'https://api.github.com'
  return hostname.endsWith('.ghe.com') ? `https://api.${hostname}` : `${origin}/api/v3`
}

export const hostOf = ({ url }: Pick<StoredApp, 'url'>): string => new URL(url).host

/** A private key in PEM: PKCS#1, as GitHub makes them, or PKCS#8. Null if it is none of RSA. */
export function privateKeyOf(pem: string): KeyObject | null {
  try {
    const key = createPrivateKey(pem)
    return key.asymmetricKeyType === 'rsa' ? key : null
  } catch {
    return null
  }
}

/** How the app signs in. */
export type AppKey = { app_id: number; key: KeyObject }

/** GitHub accepts tokens for ten minutes, by its own clock. */
const SIGNED_SECONDS = 540
const CLOCK_SECONDS = 60

/** A token of the app itself (https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app). */
export function appToken({ app_id, key }: AppKey): Promise<string> {
  const now = epochSeconds()
  return new SignJWT({})
    .setProtectedHeader({ alg: 'RS256' })
    .setIssuer(String(app_id))
    .setIssuedAt(now - CLOCK_SECONDS)
    .setExpirationTime(now + SIGNED_SECONDS)
    .sign(key)
}

const opened = new WeakMap<StoredApp, Promise<AppKey>>()

/** @throws UnreadableSecret */
export function keyOf(app: StoredApp): Promise<AppKey> {
  const found = opened.get(app)
  if (found) return found
  const key = decrypt(app.private_key).then((pem) => ({ app_id: app.app_id, key: createPrivateKey(pem) }))
  opened.set(app, key)
  return key
}
