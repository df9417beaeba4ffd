/** The GitHub App of the service, which its operators set up: by a manifest that GitHub makes an app of, or by hand. */
import { randomBytes } from 'node:crypto'
import { appChanges, appToken, keyOf, privateKeyOf, readApp, type StoredApp } from '../../core/github/app.ts'
import { callGitHub } from '../../core/github/client.ts'
import { isAllowedAddress, urlError } from '../../core/outbound/requests.ts'
import { config } from '../../core/platform/config.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { decrypt, encrypt } from '../../core/security/secrets.ts'
import { recordSecurityEvent, type SecurityAction } from '../../core/security/security-log.ts'
import { isObject } from '../../core/values/json.ts'
import { Described, Instant, Maybe, Nullable, Shape, type Static, Text, Type } from '../../core/values/schema.ts'
import type { Tx } from '../../sql/index.ts'
import { acrossTenants } from '../../sql/reach.ts'
import type { Caller } from '../plugins/request-context.ts'
import { requireMatch } from '../plugins/responses.ts'
import { invalidField, invalidFields, notFound, Problem } from '../problems.ts'
import { answeredText, askGitHub } from './calls.ts'

const url = Type.String({ maxLength: 2048, description: 'The origin of GitHub.', examples: ['https://github.com'] })
const app_id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [1048576] })
const client_id = Type.String({ minLength: 1, maxLength: 255, examples: ['Iv23liA1b2C3d4E5f6G7'] })

export const GitHubApp = Shape(
  'GitHubApp',
  {
    url,
    app_id,
    slug: Type.String({ examples: ['signalbox-acme'] }),
    client_id,
    html_url: Type.String({ description: 'Its page.', examples: ['https://github.com/apps/signalbox-acme'] }),
    private_key_at: Described(
      Instant,
      'Since when this private key is stored. It is never shown; the same goes for the secrets.',
    ),
    client_secret_at: Instant,
    webhook_secret_at: Instant,
    webhook_secret_confirmed: Type.Boolean({
      description: 'False after a rotation that GitHub has not confirmed: both secrets verify deliveries. Rotate again.',
    }),
    previous_webhook_secret_until: Nullable(Described(Instant, 'Until when the secret before verifies deliveries, too.')),
    created_at: Instant,
    updated_at: Instant,
  },
  { description: 'The GitHub App of the service.' },
)
export type GitHubApp = Static<typeof GitHubApp>

export const GitHubAppInput = Shape({
  url: Maybe(
    Type.String({
      ...url,
      description: 'The origin of GitHub. Only without an app; the same goes for `app_id` and `client_id`.',
    }),
  ),
  app_id: Maybe(app_id),
  client_id: Maybe(client_id),
  private_key: Maybe(Text(16_384, { description: 'An RSA key in PEM: PKCS#1, as GitHub makes them, or PKCS#8.' })),
  client_secret: Maybe(Type.String({ minLength: 1, maxLength: 255 })),
  webhook_secret: Maybe(Type.String({ minLength: 1, maxLength: 255 })),
})
export type GitHubAppInput = Static<typeof GitHubAppInput>

const PREVIOUS_SECONDS = 86_400

export const shownApp = (app: StoredApp): GitHubApp => ({
  url: app.url,
  app_id: app.app_id,
  slug: app.slug,
  client_id: app.client_id,
  html_url: app.html_url,
  private_key_at: app.private_key_at,
  client_secret_at: app.client_secret_at,
  webhook_secret_at: app.webhook_secret_at,
  webhook_secret_confirmed: app.previous_webhook_secret === null || app.previous_until !== null,
  previous_webhook_secret_until: app.previous_webhook_secret === null ? null : app.previous_until,
  created_at: app.created_at,
  updated_at: app.updated_at,
})

/** @throws Problem `not_found` */
export async function getApp(): Promise<GitHubApp> {
  const app = await readApp(sql)
  if (!app) throw notFound('github_app')
  return shownApp(app)
}

/**
 * The origin of a GitHub, as it is written. Its address is checked again for each request.
 * @throws Problem 422
 */
export function githubOrigin(text: string, pointer = '/url'): string {
  const flaw = urlError(text)
  if (flaw) throw invalidField(pointer, ...flaw)
  const { origin, protocol, hostname, pathname, search, hash } = new URL(text)
  if (pathname !== '/' || search !== '' || hash !== '')
    throw invalidField(pointer, 'malformed', `must be an origin, such as ${origin}`)
  if (protocol !== 'https:' && !isAllowedAddress(hostname, config.OUTBOUND_ALLOW))
    throw invalidField(pointer, 'malformed', 'must be an https origin')
  return origin
}

/** What GitHub knows the app as. */
export interface KnownApp {
  app_id: number
  slug: string
  client_id: string
  html_url: string
}

/** @returns null if GitHub has sent something else */
export function knownOf(at: string, sent: unknown): KnownApp | null {
  const { id, slug, client_id: client, html_url } = isObject(sent) ? sent : {}
  if (!Number.isSafeInteger(id) || typeof slug !== 'string' || typeof client !== 'string') return null
  // The page of an app is elsewhere on an Enterprise Server.
  const isOwn = typeof html_url === 'string' && html_url.startsWith(`${at}/`)
  return { app_id: id as number, slug, client_id: client, html_url: isOwn ? html_url : `${at}/apps/${slug}` }
}

/** Asks GitHub which app a private key belongs to. @throws Problem `github_refused`, `github_unavailable` */
async function knownApp(at: string, id: number, pem: string): Promise<KnownApp> {
  const key = privateKeyOf(pem)
  if (!key) throw invalidField('/private_key', 'malformed', 'must be an RSA key in PEM, as GitHub makes them')
  const answer = await askGitHub(callGitHub(at, '/app', { token: await appToken({ app_id: id, key }) }))
  const known = answer.status === 200 ? knownOf(at, answer.body) : null
  if (known?.app_id !== id)
    throw new Problem('github_refused', `GitHub does not take this key for the app ${id}: it answered ${answeredText(answer)}.`)
  return known
}

const REQUIRED = ['url', 'app_id', 'client_id', 'private_key', 'client_secret', 'webhook_secret'] as const

/** What is to be stored, once GitHub agrees. */
interface Agreed extends KnownApp {
  /** The app that is changed; null for a new one. */
  id: string | null
  url: string
  private_key: Uint8Array | null
  client_secret: Uint8Array | null
  webhook_secret: Uint8Array | null
}

const encrypted = async (text: string | undefined): Promise<Uint8Array | null> => (text === undefined ? null : encrypt(text))

/** Asks GitHub about what is to be stored. Stores nothing. @throws Problem 422, `github_refused`, `github_unavailable` */
export async function agreeOn(input: GitHubAppInput): Promise<Agreed> {
  const before = await readApp(sql)
  if (!before) {
    const missing = REQUIRED.filter((name) => input[name] === undefined)
    if (missing.length > 0)
      throw invalidFields(
        missing.map((name) => ({ pointer: `/${name}`, code: 'required', detail: 'is required: there is no app yet' })),
      )
  }
  const fixed =
    before && (['url', 'app_id', 'client_id'] as const).filter((name) => (input[name] ?? before[name]) !== before[name])
  if (fixed && fixed.length > 0)
    throw invalidFields(
      fixed.map((name) => ({ pointer: `/${name}`, code: 'fixed', detail: 'cannot be changed: remove the app first' })),
    )
  const at = before?.url ?? githubOrigin(input.url ?? '')
  const pem = input.private_key ?? (before ? await decrypt(before.private_key) : '')
  const known = await knownApp(at, before?.app_id ?? input.app_id ?? 0, pem)
  if (known.client_id !== (before?.client_id ?? input.client_id))
    throw new Problem('github_refused', `GitHub knows the app by another client id: ${known.client_id}.`)
  return {
    ...known,
    id: before?.id ?? null,
    url: at,
    private_key: await encrypted(input.private_key),
    client_secret: await encrypted(input.client_secret),
    webhook_secret: await encrypted(input.webhook_secret),
  }
}

export const appExists = (): Problem =>
  new Problem('already_exists', 'This service has a GitHub App. Remove it first: a service has one at most.')

const note = (tx: Tx, by: Caller, action: SecurityAction, detail: string) => recordSecurityEvent(tx, by.id, by, action, detail)

/** Locks the app until the commit. @throws Problem `not_found` */
async function lockApp(tx: Tx): Promise<StoredApp> {
  const app = await readApp(tx, tx`for update`)
  if (!app) throw notFound('github_app')
  return app
}

/** Stores a new app. @throws Problem `already_exists` */
export async function createApp(tx: Tx, by: Caller, app: Omit<Agreed, 'id'>): Promise<GitHubApp> {
  const created = await tx`insert into github_apps ${tx({ ...app })} on conflict (is_only) do nothing`
  if (created.count === 0) throw appExists()
  appChanges(tx)
  await note(
    tx,
    by,
    'github_app.created',
    `You set up the GitHub App ${app.slug} (${app.app_id}) of ${app.url} for this service.`,
  )
  return shownApp(await lockApp(tx))
}

/** Stores what GitHub has agreed to. @throws Problem `already_exists`, `not_found`, `precondition_failed` */
export async function storeApp(tx: Tx, by: Caller, agreed: Agreed, request: Request): Promise<GitHubApp> {
  if (agreed.id === null) {
    requireMatch(request, null)
    const { id: _, ...app } = agreed
    return createApp(tx, by, app)
  }
  const before = await lockApp(tx)
  if (before.id !== agreed.id) throw appExists()
  requireMatch(request, before.updated_at)
  const { slug, private_key, client_secret, webhook_secret } = agreed
  const changed = Object.entries({ private_key, client_secret, webhook_secret }).flatMap(([name, value]) => (value ? name : []))
  await tx`
    update github_apps
    set slug                    = ${slug},
        private_key             = coalesce(${private_key}, private_key),
        private_key_at          = case when ${private_key !== null} then now() else private_key_at end,
        client_secret           = coalesce(${client_secret}, client_secret),
        client_secret_at        = case when ${client_secret !== null} then now() else client_secret_at end,
        previous_webhook_secret = case when ${webhook_secret !== null} then webhook_secret else previous_webhook_secret end,
        previous_until          = case
          when ${webhook_secret !== null} then seconds_after(now(), ${PREVIOUS_SECONDS})
          else previous_until
        end,
        webhook_secret          = coalesce(${webhook_secret}, webhook_secret),
        webhook_secret_at       = case when ${webhook_secret !== null} then now() else webhook_secret_at end
    where is_only
  `
  appChanges(tx)
  if (changed.length > 0)
    await note(tx, by, 'github_app.updated', `You changed ${changed.join(', ')} of the GitHub App ${slug} of this service.`)
  return shownApp(await lockApp(tx))
}

/**
 * Gives GitHub a new secret for deliveries. It is stored before: should the response of GitHub be lost, both verify, and the next rotation
 * sends it again.
 *
 * @throws Problem `not_found`, `github_refused`, `github_unavailable`
 */
export async function sendWebhookSecret(by: Caller): Promise<void> {
  const fresh = await encrypt(randomBytes(32).toString('base64url'))
  const app = await transaction(async (tx) => {
    const before = await lockApp(tx)
    if (!shownApp(before).webhook_secret_confirmed) return before
    await tx`
      update github_apps
      set previous_webhook_secret = webhook_secret, previous_until = null, webhook_secret = ${fresh}, webhook_secret_at = now()
      where is_only
    `
    appChanges(tx)
    const detail = `You rotated the webhook secret of the GitHub App ${before.slug} of this service.`
    await note(tx, by, 'github_app.secret_rotated', detail)
    return lockApp(tx)
  })
  const secret = await decrypt(app.webhook_secret)
  const token = await appToken(await keyOf(app))
  // GitHub replaces what is left out by its defaults, of which one is a form.
  const body = { secret, content_type: 'json' }
  const answer = await askGitHub(callGitHub(app.url, '/app/hook/config', { method: 'PATCH', token, body }))
  if (answer.status !== 200)
    throw new Problem(
      'github_refused',
      `GitHub did not take the secret: it answered ${answeredText(answer)}. Both secrets verify.`,
    )
}

/** GitHub signs with the new secret now; what it sent before is still to arrive. @throws Problem `not_found` */
export async function confirmWebhookSecret(tx: Tx): Promise<GitHubApp> {
  await tx`
    update github_apps
    set previous_until = seconds_after(now(), ${PREVIOUS_SECONDS})
    where is_only and previous_webhook_secret is not null and previous_until is null
  `
  appChanges(tx)
  return shownApp(await lockApp(tx))
}

/** Forgets the app and its secrets. @throws Problem `not_found`, `github_app_in_use` */
export async function removeApp(tx: Tx, by: Caller, request: Request): Promise<null> {
  const { slug, updated_at } = await lockApp(tx)
  requireMatch(request, updated_at)
  const [bound] = await tx`select from github_bindings limit 1`
  if (bound)
    throw new Problem(
      'github_app_in_use',
      'Organizations are connected to installations of the app. Their admins have to disconnect them first.',
    )
  await tx`delete from github_apps where is_only`
  // What still waits for an answer does not get one.
  await acrossTenants(tx`update github_installations set status = 'removed' where status <> 'removed'`)
  appChanges(tx)
  await note(tx, by, 'github_app.removed', `You removed the GitHub App ${slug} from this service. At GitHub, it still exists.`)
  return null
}
