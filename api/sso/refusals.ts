/** Sign-ons that are refused. People read one text for all of them; the reason is for admins, or for the operator. */
import { sql, transaction } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { record } from '../../core/security/audit.ts'
import { type Quota, useQuota } from '../../core/security/quotas.ts'
import type { Tx } from '../../sql/index.ts'
import { organizationScope } from '../members/membership.ts'
import { Problem } from '../problems.ts'
import type { Connection } from './connections.ts'
import { BY_PROVIDER } from './mapped.ts'

/** Why a sign-on is refused: a sentence. */
export class RefusedSignOn extends Error {}

export const signOnRefused = (): Problem =>
  new Problem(
    'sso_refused',
    'The sign-in could not be completed. Start it again from the beginning, in one window. If it fails again, an admin can find the reason in the audit log of the organization, or the operator in the log of the service.',
  )

export const providerAway = (): Problem =>
  new Problem('sso_unavailable', 'Your provider does not answer at this moment. Try again in a minute.', undefined, {
    'Retry-After': '60',
  })

/** A stranger must not be able to fill the audit log. */
const REFUSALS: Quota = { most: 10, seconds: 60 }

/** Records why, for admins, or in the log of the service. @param tx an open transaction, if there is one */
export async function recordRefusal({ id, organization_id, issuer }: Connection, reason: string, tx?: Tx): Promise<void> {
  if (organization_id === null) return log.warn({ issuer, reason }, 'a sign-in with the OpenID provider was refused')
  if ((await useQuota(tx ?? sql, `refused sign-ons of ${organization_id}`, REFUSALS)) !== null) return
  const write = (within: Tx) =>
    record(within, BY_PROVIDER, organizationScope(organization_id), {
      action: 'sso.refused',
      resource_type: 'sso_connection',
      resource_id: id,
      detail: `A sign-in with the provider was refused. ${reason}`,
    })
  await (tx ? write(tx) : transaction(write))
}
