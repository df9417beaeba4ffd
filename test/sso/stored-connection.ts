/** A connection for tests that ask no provider. */
import type { Sql } from '../../sql/index.ts'

/** Gives an organization a connection, whose provider is not there. @returns the id of the connection */
export async function storeConnection(sql: Sql, organization_id: string): Promise<string> {
  const [{ id }] = await sql<[{ id: string }]>`
    insert into sso_connections (
      organization_id, issuer, client_id, client_secret, scopes, claims, groups_claim, mappings, provision, trust_email,
      session_hours, required
    )
    values (
      ${organization_id}, 'https://login.example.com', 'signalbox', '', 'openid email profile', '{}', 'groups', '[]', true, false,
      12, 'none'
    )
    returning id
  `
  return id
}

/** Gives an organization with a connection a domain that is not verified. @returns its id */
export async function storeDomain(sql: Sql, organization_id: string): Promise<string> {
  const [{ id }] = await sql<[{ id: string }]>`
    insert into sso_domains (organization_id, domain, token) values (${organization_id}, 'example.com', 'token') returning id
  `
  return id
}

/** Both. */
export async function storeConnectionWithDomain(sql: Sql, organization_id: string): Promise<void> {
  await storeConnection(sql, organization_id)
  await storeDomain(sql, organization_id)
}

/** Links a user to a person at the provider of an organization. @returns its id */
export async function storeIdentity(sql: Sql, organization_id: string, user_id: string): Promise<string> {
  const [{ id }] = await sql<[{ id: string }]>`
    insert into sso_identities (connection_id, issuer, subject, user_id)
    select id, issuer, ${user_id}, ${user_id} from sso_connections where organization_id = ${organization_id}
    returning id
  `
  return id
}
