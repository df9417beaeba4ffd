/** A client without any cleverness, by which the stand-in's own tests speak to it. */
import { createPrivateKey, sign } from 'node:crypto'
import type { Github } from './github.ts'
import type { Manifest } from './registration.ts'
import type { App, Installation, Organization, Person, Repository } from './world.ts'

export interface Got {
  status: number
  headers: Headers
  /** The parsed body; null if there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: answers that tests inspect
  json: any
  text: string
}

/** A manifest with all that Signalbox asks for. */
export const manifestFor = (hook = 'http://127.0.0.1:9/github/webhooks'): Manifest & { name: string } => ({
  name: 'Signalbox',
  url: 'https://signalbox.example.com',
  hook_attributes: { url: hook },
  redirect_url: 'https://signalbox.example.com/github/app',
  callback_urls: ['https://signalbox.example.com/github/callback'],
  setup_url: 'https://signalbox.example.com/github/installed',
  setup_on_update: true,
  default_permissions: {
    actions: 'read',
    checks: 'read',
    contents: 'read',
    members: 'read',
    metadata: 'read',
    pull_requests: 'read',
    deployments: 'write',
    statuses: 'write',
  },
  default_events: ['deployment_protection_rule', 'deployment_status', 'repository', 'workflow_run'],
})

const SILENT = { url: 'https://signalbox.example.com/github/webhooks', active: false }

/** Signs a JSON web token. @param claims over those that GitHub asks for @param head over `alg` */
export function webToken(pem: string, claims: object, head: object = {}): string {
  const now = Math.floor(Date.now() / 1000)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'RS256', typ: 'JWT', ...head })}.${part({ iat: now - 60, exp: now + 540, ...claims })}`
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), createPrivateKey(pem)).toString('base64url')}`
}

/** Sends a request to the API. It follows no redirect. */
export async function send(
  github: Github,
  method: string,
  path: string,
  token?: string,
  body?: unknown,
  more: Record<string, string> = {},
): Promise<Got> {
  const response = await fetch(path.startsWith('http') ? path : `${github.api}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }), ...more },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, headers: response.headers, json: isJson && text !== '' ? JSON.parse(text) : null, text }
}

/** An organization with a private repository, and an app that is installed on it. */
export interface Site {
  ada: Person
  acme: Organization
  shop: Repository
  app: App
  installation: Installation
  pem: string
  clientSecret: string
  /** As the app. */
  asApp(method: string, path: string, body?: unknown): Promise<Got>
  /** A token of the installation. @param wanted narrows it */
  token(wanted?: object): Promise<string>
  /** As the installation, by a token for everything. */
  call(method: string, path: string, body?: unknown, more?: Record<string, string>): Promise<Got>
}

/** @param hook null: a webhook that is switched off, at an address that github.com takes */
export function createSite(github: Github, hook?: string | null): Site {
  const ada = github.createPerson('ada')
  const acme = github.createOrganization('acme', { owners: [ada] })
  const shop = github.createRepository(acme, 'shop', { isPrivate: true })
  const { app, credentials } = github.registerApp(
    acme,
    hook === null ? { ...manifestFor(), hook_attributes: SILENT } : manifestFor(hook),
  )
  const installation = github.install(app, acme)
  const { pem, client_secret: clientSecret } = credentials
  const asApp: Site['asApp'] = (method, path, body) => send(github, method, path, webToken(pem, { iss: app.id }), body)
  const token: Site['token'] = async (wanted) => {
    const { status, json, text } = await asApp('POST', `/app/installations/${installation.id}/access_tokens`, wanted)
    if (status !== 201) throw new Error(text)
    return json.token
  }
  let whole: Promise<string> | undefined
  const call: Site['call'] = async (method, path, body, more) => {
    whole ??= token()
    return send(github, method, path, await whole, body, more)
  }
  return { ada, acme, shop, app, installation, pem, clientSecret, asApp, token, call }
}
