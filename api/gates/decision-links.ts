/** Mailed links that decide a gate. */

import { sql } from '../../core/platform/database.ts'
import { gateInToken } from '../../core/security/mail-tokens.ts'
import { tokenHash } from '../../core/security/tokens.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { locating } from '../../sql/reach.ts'
import { byDecisionLink, type FoundCaller, findCaller } from '../plugins/callers.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { Problem } from '../problems.ts'

export const decisionLinkExpired = (): Problem =>
  new Problem('link_expired', 'Nothing was decided: this link was used, or has expired.')

/** To whom a link was mailed; undefined if they have another address since then. */
async function findRecipient(gate_id: string, token: string) {
  const [link] = await locating(
    sql<{ user_id: string; organization_id: string }[]>`
      select link.gate_id as id, link.organization_id, link.user_id
      from decision_links as link
      join people as recipient
        on recipient.id = link.user_id
        and recipient.email = link.email
      where link.gate_id = ${gate_id}
        and link.hash = ${tokenHash(token)}
    `,
    gate_id,
  )
  return link
}

/**
 * The recipient of a link, with the gate and their role there, also if the link no longer decides. Changes nothing.
 * @returns null if the link never existed, or was forgotten; or if the organization is deleted
 * @throws Problem `forbidden` if the person may no longer see the gate
 */
export async function findDecisionLink(token: string): Promise<FoundCaller<'gate'> | null> {
  const gate_id = gateInToken(token)
  const link = gate_id === null ? undefined : await findRecipient(gate_id, token)
  const found = link && (await findCaller(byDecisionLink(link), 'gate', gate_id))
  if (!found || found.resource || found.lacks_second_factor || found.lacked_sign_on !== null) return found ?? null
  const organization = await sql`select from organizations where id = ${found.bound_to} and deleted_at is null`
  if (organization.length === 0) return null
  throw new Problem('forbidden', 'Nothing was decided: you no longer have access to this gate. Ask an admin of its workspace.')
}

/** Whether a link still decides. A used one expires at once. */
export async function isLiveLink(
  db: Queryable,
  { user_id }: FoundCaller,
  { id, organization_id }: ResourceKey<'gate'>,
  token: string,
): Promise<boolean> {
  const rows = await db`
    select
    from decision_links
    where gate_id = ${id}
      and organization_id = ${organization_id}
      and user_id = ${user_id}
      and hash = ${tokenHash(token)}
      and expires_at > now()
  `
  return rows.length > 0
}

/**
 * Uses up a link, and all others of the person for the gate. Concurrent uses wait for the end of the transaction.
 * @throws Problem `link_expired`
 */
export async function spendDecisionLink(tx: Tx, by: Caller, { id, organization_id }: ResourceKey<'gate'>, token: string) {
  const spent = await tx<{ hash: Buffer }[]>`
    update decision_links
    set expires_at = now() - interval '1 second'
    where gate_id = ${id}
      and organization_id = ${organization_id}
      and user_id = ${by.id}
      -- Not now(): the transaction may have begun before the one that it has waited for.
      and expires_at > statement_timestamp()
    returning hash
  `
  const hash = tokenHash(token)
  if (!spent.some((link) => hash.equals(link.hash))) throw decisionLinkExpired()
}
