/** Mailed links that decide a gate: each is for one person and one gate, and works once. A worker creates them with their mails. */
import { decisionTokenHash, gateInToken } from '../../core/security/decision-token.ts'
import type { Tx } from '../../sql/index.ts'
import { byDecisionLink, type FoundCaller, findCaller, roleAt } from '../plugins/callers.ts'
import type { Caller, ProjectResource } from '../plugins/request-context.ts'
import { Problem } from '../problems.ts'

export const decisionLinkExpired = (): Problem =>
  new Problem('link_expired', 'Nothing was decided: this link was used, or has expired.')

/**
 * The person whom a link is for, with the gate and their role there. Changes nothing.
 *
 * @returns null if the link was used, has expired or never existed, or if the person may no longer see the gate
 */
export async function findDecisionLink(token: string): Promise<FoundCaller | null> {
  const gate_id = gateInToken(token)
  const found = gate_id === null ? undefined : await findCaller(byDecisionLink(gate_id, token), 'gate', gate_id)
  return found && roleAt(found) !== null ? found : null
}

/**
 * Uses up a link, and all others of the person for the gate. Concurrent uses wait for the end of the transaction.
 *
 * @throws Problem `link_expired`
 */
export async function spendDecisionLink(
  tx: Tx,
  by: Caller,
  { id, organization_id }: ProjectResource,
  token: string,
): Promise<void> {
  const spent = await tx<{ hash: Buffer; is_valid: boolean }[]>`
    with spent as (
      delete from decision_links
      where gate_id = ${id}
        and organization_id = ${organization_id}
        and user_id = ${by.id}
      returning hash, expires_at
    )
    select hash, expires_at > now() as is_valid from spent
  `
  const hash = decisionTokenHash(token)
  if (!spent.some((link) => link.is_valid && hash.equals(link.hash))) throw decisionLinkExpired()
}
