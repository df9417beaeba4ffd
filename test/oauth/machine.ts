/** Service accounts that sign in, and what the audit log says of it. */
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'

export const BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** What a trust is made with. */
export interface TrustInput {
  issuer: string
  claims: Record<string, string[]>
  audience?: string
  max_ttl_seconds?: number
}

export class Machines {
  private constructor(
    readonly box: Box,
    readonly ada: Actor,
    readonly site: Site,
  ) {}

  static async open(environment: Record<string, string> = {}): Promise<Machines> {
    const box = await signalbox({ workers: 0, environment })
    const ada = await box.user('Ada')
    return new Machines(box, ada, await box.site(ada))
  }

  /** The audience of assertions: the public URL of the service. */
  get audience(): string {
    return this.box.base.replace('127.0.0.1', 'localhost')
  }

  /** A service account of the organization, or of another site. */
  async account(trusts: TrustInput[], scopes = ['work:read', 'gates:read'], site = this.site): Promise<string> {
    const [{ id }] = await this.box.sql<[{ id: string }]>`
      insert into service_accounts (organization_id, name, scopes, created_by)
      values (${site.organization.id}, 'Release pipeline', ${scopes}, ${this.ada.id})
      returning id
    `
    for (const { issuer, claims, audience = null, max_ttl_seconds = 900 } of trusts) {
      await this.box.sql`
        insert into service_account_trusts (
          organization_id, service_account_id, issuer, audience, claims, max_ttl_seconds, created_by
        )
        values (
          ${site.organization.id}, ${id}, ${issuer}, ${audience}, ${claims as never}, ${max_ttl_seconds}, ${this.ada.id}
        )
      `
    }
    return id
  }

  send(fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> {
    return this.box.request('POST', '/oauth/token', new URLSearchParams(fields).toString(), { ...FORM, ...headers })
  }

  signIn(service_account: string, assertion: string, fields: Record<string, string> = {}, headers = {}): Promise<Answer> {
    return this.send({ grant_type: BEARER, service_account, assertion, ...fields }, headers)
  }

  /** Why sign-ins as an account were refused, newest first. */
  async refusals(account: string): Promise<string[]> {
    const entries = await this.box.sql<{ detail: string }[]>`
      select detail
      from audit_log_entries
      where organization_id = ${this.site.organization.id}
        and action = 'service_account.sign_in_refused'
        and resource_id = ${account}
      order by id desc
    `
    return entries.map(({ detail }) => detail.replace('A sign-in as the service account Release pipeline was refused. ', ''))
  }
}
