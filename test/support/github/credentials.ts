/** Who calls: JSON web tokens of an app, tokens of installations and users, and what they may do. */
import { verify } from 'node:crypto'
import { badCredentials, notAccessible, notFound, noWebToken, Refusal, suspended, unprocessable } from './problems.ts'
import type { Permissions } from './shapes.ts'
import {
  type App,
  type Installation,
  type InstallationToken,
  type Person,
  type Repository,
  reaches,
  type Token,
  type UserToken,
  type World,
} from './world.ts'

export type Caller = { kind: 'nobody' } | { kind: 'app'; app: App } | InstallationToken | UserToken

const part = (text: string | undefined): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(Buffer.from(text ?? '', 'base64url').toString())
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {}
  throw noWebToken()
}

/** The longest time for which a JSON web token may be valid. */
const JWT_SECONDS = 600

/** @throws Refusal 401, or 404 when no such app exists */
function readWebToken(world: World, jwt: string): App {
  const [head, claims, signature] = jwt.split('.')
  const { alg } = part(head)
  const { iss, exp, iat } = part(claims)
  const now = Math.floor(world.clock.forWebTokens() / 1000)
  if (alg !== 'RS256') throw noWebToken()
  if (iss === undefined) throw new Refusal(401, "Missing 'issuer' claim ('iss') in assertion")
  const app = world.apps.find(({ id, clientId }) => String(iss) === String(id) || iss === clientId)
  if (!app) throw new Refusal(404, 'Integration not found')
  const signed = Buffer.from(`${head}.${claims}`)
  const bytes = Buffer.from(signature ?? '', 'base64url')
  if (!app.keys.some((key) => verify('RSA-SHA256', signed, key, bytes))) throw noWebToken()
  if (typeof iat !== 'number' || !Number.isInteger(iat) || iat > now)
    throw new Refusal(401, "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued")
  if (typeof exp !== 'number' || exp <= now) {
    const expected = 'must be a numeric value representing the future time at which the assertion expires'
    throw new Refusal(401, `'Expiration time' claim ('exp') ${expected}`)
  }
  if (exp - now > JWT_SECONDS) throw new Refusal(401, "'Expiration time' claim ('exp') is too far in the future")
  return app
}

/**
 * Reads the header `Authorization`.
 *
 * @throws Refusal when it is there and wrong
 */
export function readCaller(world: World, authorization: string | null): Caller {
  if (authorization === null) return { kind: 'nobody' }
  const [, value = ''] = /^(?:bearer|token) (.+)$/i.exec(authorization) ?? []
  // Tokens of installations hold two dots as well, after a prefix.
  if (!value.startsWith('gh') && value.split('.').length === 3) return { kind: 'app', app: readWebToken(world, value) }
  const token = world.tokens.get(value)
  if (!token || token.expiresAt <= world.clock.now()) throw badCredentials()
  if (token.kind === 'installation') {
    if (!world.installations.includes(token.installation)) throw badCredentials()
    if (token.installation.suspendedAt !== null) throw suspended()
  }
  return token
}

const RANKS = { read: 1, write: 2, admin: 3 }

/** Whether permissions include others. */
export const includes = (granted: Permissions, wanted: Permissions): boolean =>
  (Object.keys(wanted) as (keyof Permissions)[]).every((name) => {
    const [has, needs] = [granted[name], wanted[name]]
    return needs === undefined || (has !== undefined && RANKS[has] >= RANKS[needs])
  })

/** As the header `X-Accepted-GitHub-Permissions` shows them. */
export const listed = (permissions: Permissions): string =>
  Object.entries(permissions)
    .map(([name, access]) => `${name}=${access}`)
    .join(',')

/** Whether a caller can see that a repository exists. */
export function sees(world: World, caller: Caller, repository: Repository): boolean {
  if (!repository.isPrivate) return true
  if (caller.kind === 'installation') return hasRepository(caller, repository)
  if (caller.kind === 'app') return world.installationOf(caller.app, repository) !== undefined
  if (caller.kind === 'nobody') return false
  // A token of a user reaches what both the user and the app reach.
  return explicitRoleIn(repository, caller.person) !== null && world.installationOf(caller.app, repository) !== undefined
}

export const hasRepository = ({ installation, repositories }: InstallationToken, repository: Repository): boolean =>
  reaches(installation, repository) && (repositories === null || repositories.includes(repository))

/** The role that a person was given, as an owner, a collaborator or a member of the organization. */
export function explicitRoleIn(repository: Repository, person: Person): 'admin' | 'write' | 'read' | null {
  const { owner, collaborators } = repository
  if (owner === person) return 'admin'
  const role = owner.kind === 'Organization' ? owner.members.get(person) : undefined
  if (role === 'admin') return 'admin'
  if (collaborators.has(person)) return 'write'
  return role ? 'read' : null
}

/**
 * Checks that a caller may carry out an operation on a repository.
 *
 * @throws Refusal 403
 */
export function authorize(world: World, caller: Caller, repository: Repository, needs: Permissions): void {
  const isReading = Object.values(needs).every((access) => access === 'read')
  if (caller.kind === 'installation' && hasRepository(caller, repository)) {
    if (!includes(caller.permissions, { metadata: 'read', ...needs })) throw notAccessible(listed(needs))
    return
  }
  // Anyone may read what is public.
  if (isReading && !repository.isPrivate) return
  if (caller.kind === 'user') {
    // "A user access token only has permissions that both the user and the app have."
    const installation = world.installationOf(caller.app, repository)
    const role = explicitRoleIn(repository, caller.person)
    const mayPerson = isReading ? role !== null : role === 'admin' || role === 'write'
    if (mayPerson && installation && installation.suspendedAt === null && includes(installation.permissions, needs)) return
  }
  throw notAccessible(listed(needs))
}

/**
 * Makes a token of an installation.
 *
 * @throws Refusal 403 when it is suspended, 422 when it lacks what is asked for
 */
export function issueInstallationToken(
  world: World,
  installation: Installation,
  wanted: { repositories?: string[]; repository_ids?: (number | string)[]; permissions?: Permissions },
): InstallationToken {
  if (installation.suspendedAt !== null) throw suspended()
  const { repositories: names, repository_ids: ids, permissions } = wanted
  const all = world.repositoriesOf(installation)
  const found = [
    ...(names ?? []).map((name) => all.find((repository) => repository.name.toLowerCase() === name.toLowerCase())),
    ...(ids ?? []).map((id) => all.find((repository) => repository.id === Number(id))),
  ]
  if (found.includes(undefined))
    throw unprocessable('There is at least one repository that does not exist or is not accessible to the parent installation.')
  if (found.length > 500) throw unprocessable('The number of repositories specified exceeds the maximum of 500.')
  if (permissions && !includes(installation.permissions, permissions))
    throw unprocessable('The permissions requested are not granted to this installation.')
  const expiresAt = world.clock.now() + 3_600_000
  const token: InstallationToken = {
    kind: 'installation',
    value: installationTokenValue(installation, expiresAt),
    installation,
    permissions: { ...(permissions ?? installation.permissions), metadata: 'read' },
    repositories: names || ids ? [...new Set(found as Repository[])] : null,
    expiresAt,
  }
  world.tokens.set(token.value, token)
  return token
}

/** The format since April 2026, `ghs_APPID_JWT`: about 520 characters, and its length varies. */
function installationTokenValue({ id, app }: Installation, expiresAt: number): string {
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const head = encoded({ alg: 'RS256', kid: crypto.randomUUID(), typ: 'JWT' })
  const claims = encoded({ iss: 'github', sub: id, app: app.id, exp: Math.floor(expiresAt / 1000), jti: crypto.randomUUID() })
  const signature = Buffer.from(crypto.getRandomValues(new Uint8Array(190))).toString('base64url')
  return `ghs_${app.id}_${head}.${claims}.${signature}`
}

/** Ends tokens. */
export function revokeTokens(world: World, isMeant: (token: Token) => boolean): void {
  for (const [value, token] of world.tokens) if (isMeant(token)) world.tokens.delete(value)
}

/** @throws Refusal 404 when the app has no such installation */
export function installationOf(world: World, app: App, id: string | undefined): Installation {
  const found = world.installations.find((each) => String(each.id) === id && each.app === app)
  if (!found) throw notFound()
  return found
}
