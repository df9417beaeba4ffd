/** Why sign-ins of a service account were refused: admins see it, callers do not. */
import type { Queryable } from '../../sql/index.ts'
import type { ResourceKey } from '../plugins/resources.ts'

/** A sign-in that was refused, with the reason. */
export interface Refusal {
  id: string
  detail: string
  ip_address: string | null
  created_at: string
}

/** The latest refused sign-ins of an account, newest first. */
export const listRefusals = (db: Queryable, { id, organization_id }: ResourceKey<'service_account'>, limit: number) => db<
  Refusal[]
>`
  select id, detail, ip_address, created_at
  from audit_log_entries
  where organization_id = ${organization_id}
    and action collate "C" = 'service_account.sign_in_refused'
    and resource_id = ${id}
  order by created_at desc, id desc
  limit ${limit}
`
