/** Connections: the OpenID providers that people sign on with. That of the whole instance is in the settings. */
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { decrypt } from '../../core/security/secrets.ts'
import { INSTANCE } from '../../core/values/openid-issuers.ts'
import { isUuid } from '../../core/values/uuids.ts'
import type { Queryable } from '../../sql/index.ts'
import { signOnPath } from '../plugins/sign-on-problem.ts'
import { notFound } from '../problems.ts'
import { rootOf } from './claims.ts'
import type { Mapping } from './mapped.ts'

export interface Connection {
  id: string
  /** Null: that of the whole instance. */
  organization_id: string | null
  /** What people call it: the name of the organization, or of the provider. */
  name: string
  issuer: string
  client_id: string
  client_secret: string
  scopes: string
  /** Claims that a person must have, each with the values of which it must have one. */
  claims: Record<string, string[]>
  /** Whether addresses count as verified although the provider does not say so. */
  trust_email: boolean
  /** How long a sign-on lasts. */
  seconds: number
  /** The claim with the groups of a person; null if nothing uses them. */
  groups_claim: string | null
  /** Claims that are of use, beside those that every person must have. */
  wanted: string[]
  mappings: Mapping[]
  /** Whether new people become members. */
  provision: boolean
}

const secondsOf = (hours: number): number => config.SSO_SECONDS ?? hours * 3_600

function instanceConnection(): Connection | null {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = config
  if (OIDC_ISSUER === undefined || OIDC_CLIENT_ID === undefined || OIDC_CLIENT_SECRET === undefined) return null
  return {
    id: INSTANCE,
    organization_id: null,
    name: config.OIDC_NAME,
    issuer: OIDC_ISSUER,
    client_id: OIDC_CLIENT_ID,
    client_secret: OIDC_CLIENT_SECRET,
    scopes: config.OIDC_SCOPES,
    claims: config.OIDC_CLAIMS,
    trust_email: config.OIDC_TRUST_EMAIL === 'on',
    seconds: secondsOf(config.OIDC_SESSION_HOURS),
    groups_claim: null,
    wanted: [],
    mappings: [],
    provision: false,
  }
}

/** Null if the operator has not configured one. */
export const instance: Connection | null = instanceConnection()

type Stored = Pick<Connection, 'id' | 'issuer' | 'client_id' | 'scopes' | 'claims' | 'trust_email' | 'mappings' | 'provision'> & {
  organization_id: string
  client_secret: Uint8Array
  groups_claim: string
  session_hours: number
}

async function ofOrganization(db: Queryable, id: string): Promise<Connection | null> {
  const [found] = await db<Stored[]>`
    select
      id, organization_id, issuer, client_id, client_secret, scopes, claims, trust_email, groups_claim, mappings, provision,
      session_hours
    from sso_connections
    where id = ${id} and not use_instance
  `
  if (!found) return null
  const [organization] = await db<{ name: string }[]>`
    select name from organizations where id = ${found.organization_id} and deleted_at is null
  `
  if (!organization) return null
  const { client_secret, groups_claim, session_hours, ...rest } = found
  return {
    ...rest,
    name: organization.name,
    client_secret: await decrypt(client_secret),
    seconds: secondsOf(session_hours),
    groups_claim: found.mappings.length > 0 ? groups_claim : null,
    wanted: found.mappings.length > 0 ? [rootOf(groups_claim)] : [],
  }
}

/** Null if there is none. */
export const findById = (db: Queryable, id: string): Promise<Connection | null> =>
  id === INSTANCE ? Promise.resolve(instance) : ofOrganization(db, id)

/** @param key as in the path of its pages: `instance`, or the id of one of an organization @throws Problem `not_found` */
export async function findConnection(key: string): Promise<Connection> {
  const found = key === 'instance' ? instance : isUuid(key) ? await ofOrganization(sql, key) : null
  if (!found) throw notFound('page')
  return found
}

/** Where the provider leads people back to. */
export const callbackUrl = ({ id }: Pick<Connection, 'id'>): string => `${config.PUBLIC_URL}${signOnPath(id)}/callback`
