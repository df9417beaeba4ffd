/** Registering an app, from a manifest or by hand: what GitHub takes, and what it hands out. */
import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto'
import { appJson } from './accounts-json.ts'
import type { Permissions, Schemas } from './shapes.ts'
import type { Account, App, Person, World } from './world.ts'

export interface Manifest {
  name?: string
  url: string
  hook_attributes?: { url: string; active?: boolean }
  redirect_url?: string
  callback_urls?: string[]
  setup_url?: string
  description?: string
  public?: boolean
  default_events?: string[]
  default_permissions?: Permissions
  request_oauth_on_install?: boolean
  setup_on_update?: boolean
}

/** What GitHub hands out once, when an app is registered. */
export type AppCredentials = Schemas['integration'] & {
  client_id: string
  client_secret: string
  webhook_secret: string | null
  /** PKCS#1. */
  pem: string
}

/** The permission that an app needs for an event. Those about its own installations come to every app. */
const EVENTS: Record<string, keyof Permissions> = {
  check_run: 'checks',
  check_suite: 'checks',
  create: 'contents',
  delete: 'contents',
  deployment: 'deployments',
  deployment_protection_rule: 'deployments',
  deployment_review: 'deployments',
  deployment_status: 'deployments',
  installation_target: 'metadata',
  member: 'members',
  membership: 'members',
  organization: 'members',
  public: 'metadata',
  pull_request: 'pull_requests',
  pull_request_review: 'pull_requests',
  push: 'contents',
  release: 'contents',
  repository: 'metadata',
  status: 'statuses',
  workflow_dispatch: 'contents',
  workflow_job: 'actions',
  workflow_run: 'actions',
}

const KEYS = new Set([
  'name',
  'url',
  'hook_attributes',
  'redirect_url',
  'callback_urls',
  'setup_url',
  'description',
  'public',
  'default_events',
  'default_permissions',
  'request_oauth_on_install',
  'setup_on_update',
])

const isUrl = (value: unknown): value is string => typeof value === 'string' && /^https?:$/.test(protocolOf(value))
const protocolOf = (url: string): string => (URL.canParse(url) ? new URL(url).protocol : '')
const isLoopback = (url: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)

/** What is wrong with a manifest, in words for its page; null if nothing is. */
export function problemOfManifest(world: World, manifest: Record<string, unknown>): string | null {
  const { name, url, hook_attributes: hook, redirect_url: redirect, callback_urls: callbacks = [], setup_url: setup } = manifest
  const unknown = Object.keys(manifest).find((key) => !KEYS.has(key))
  if (unknown) return `${unknown} is not a permitted key`
  if (!isUrl(url)) return 'Url must be a valid URL'
  if (name !== undefined && (typeof name !== 'string' || name === '')) return "Name can't be blank"
  if (typeof name === 'string' && [...name].length > 34) return 'Name is too long (maximum is 34 characters)'
  if (hook !== undefined) {
    const { url: hookUrl, active, ...rest } = (hook ?? {}) as Record<string, unknown>
    if (!isUrl(hookUrl)) return 'Hook url must be a valid URL'
    if ((active !== undefined && typeof active !== 'boolean') || Object.keys(rest).length > 0) return 'Hook is invalid'
    if (!world.isEnterprise && isLoopback(hookUrl))
      return `Hook url is not supported because it isn't reachable over the public Internet (${new URL(hookUrl).hostname})`
  }
  if (redirect !== undefined && !isUrl(redirect)) return 'Redirect url must be a valid URL'
  if (!Array.isArray(callbacks) || callbacks.length > 10 || !callbacks.every(isUrl)) return 'Callback urls are invalid'
  if (setup !== undefined && !isUrl(setup)) return 'Setup url must be a valid URL'
  for (const key of ['public', 'request_oauth_on_install', 'setup_on_update'])
    if (manifest[key] !== undefined && typeof manifest[key] !== 'boolean') return `${key} must be a boolean`
  if (manifest.request_oauth_on_install === true && setup !== undefined)
    return 'Setup url is not available when requesting OAuth on install'
  return problemOfEvents(manifest.default_permissions ?? {}, manifest.default_events ?? [])
}

function problemOfEvents(permissions: unknown, events: unknown): string | null {
  if (typeof permissions !== 'object' || permissions === null) return 'Default permissions are invalid'
  const granted = permissions as Record<string, unknown>
  const odd = Object.entries(granted).find(
    ([name, access]) => !/^[a-z_]+$/.test(name) || !['read', 'write', 'admin'].includes(String(access)),
  )
  if (odd) return `Default permission records resource is not included in the list: ${odd[0]}`
  if (!Array.isArray(events)) return 'Default events are invalid'
  const unsupported = events.filter((event) => !((EVENTS[String(event)] ?? '?') in { metadata: 'read', ...granted }))
  return unsupported.length === 0 ? null : `Default events unsupported: ${unsupported.join(', ')}`
}

/** Generating a key takes a tenth of a second. The apps of one GitHub have different ones, those of several may share them. */
const generated: KeyPairKeyObjectResult[] = []

function keyPair(index: number): KeyPairKeyObjectResult {
  const pair = generated[index] ?? generateKeyPairSync('rsa', { modulusLength: 2048 })
  generated[index] = pair
  return pair
}

const hex = (bytes: number): string => Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex')

/** Text of letters and digits, as GitHub's ids and tokens have. */
export function randomText(length: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  return [...crypto.getRandomValues(new Uint8Array(length))].map((byte) => letters[byte % letters.length]).join('')
}

/** Adds a private key to an app. @returns it as GitHub offers it for download, in PKCS#1 */
export function addKey(world: World, app: App): string {
  const { publicKey, privateKey } = keyPair(world.keys)
  world.keys += 1
  app.keys.push(publicKey)
  return privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
}

/** Adds a client secret to an app. @returns it */
export function addClientSecret(app: App): string {
  const secret = hex(20)
  app.clientSecrets.push(secret)
  return secret
}

/** Registers an app. @throws Error when the name is taken */
export function register(world: World, owner: Account, manifest: Manifest): { app: App; credentials: AppCredentials } {
  const app = createApp(world, owner, manifest)
  const secrets = { client_id: app.clientId, client_secret: addClientSecret(app), webhook_secret: app.webhookSecret }
  return { app, credentials: { ...appJson(world, app), ...secrets, pem: addKey(world, app) } }
}

/** An app without a key or secret. @throws Error when the name is taken */
export function createApp(world: World, owner: Account, manifest: Manifest): App {
  const name = manifest.name ?? 'app'
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  if (world.apps.some((each) => each.slug === slug)) throw new Error('Name is already taken')
  const at = world.clock.now()
  const bot: Person = {
    ...{ kind: 'User', id: world.nextId(), login: `${slug}[bot]`, name: slug, isBot: true, createdAt: at },
    email: `${slug}[bot]@users.noreply.github.com`,
  }
  world.accounts.push(bot)
  const id = world.nextId()
  const { hook_attributes: hook, default_permissions: permissions = {} } = manifest
  const app: App = {
    ...{ id, slug, name, owner, bot, clientId: `Iv23li${randomText(14)}`, clientSecrets: [], keys: [] },
    webhookSecret: hook ? hex(20) : null,
    permissions: Object.keys(permissions).length > 0 ? { metadata: 'read', ...permissions } : {},
    events: manifest.default_events ?? [],
    hook: hook ? { id: world.nextId(), url: hook.url, isActive: hook.active ?? true } : null,
    homepage: manifest.url,
    description: manifest.description ?? null,
    callbackUrls: manifest.callback_urls ?? [],
    setupUrl: manifest.setup_url ?? null,
    setupOnUpdate: manifest.setup_on_update ?? false,
    requestsOAuthOnInstall: manifest.request_oauth_on_install ?? false,
    isPublic: manifest.public ?? false,
    authorizedBy: new Set(),
    ...{ createdAt: at, updatedAt: at },
  }
  world.apps.push(app)
  return app
}
