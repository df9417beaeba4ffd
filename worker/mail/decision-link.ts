/** The link of a mail about a pending gate. The token is generated here, so that no job payload contains it. */
import { mayDecide } from '../../core/gate-rules.ts'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { newDecisionToken } from '../../core/security/decision-token.ts'

/** A link that decides a gate, and until when. */
interface DecisionLink {
  url: string
  expires_at: string
}

interface Recipient {
  organization_id: string
  user_id: string
  email: string
}

/**
 * Creates a link with which one person can decide a gate, for 24 hours or until the gate expires.
 *
 * @returns null if the gate is not open, cannot be decided by mail or by this person any more, asks questions, which are answered on its page, or requires a passkey
 */
export async function createDecisionLink(
  gate_id: string,
  { organization_id, user_id, email }: Recipient,
): Promise<DecisionLink | null> {
  const { token, hash } = newDecisionToken(gate_id)
  const [link] = await sql<{ expires_at: string }[]>`
    insert into decision_links (hash, organization_id, gate_id, user_id, email, expires_at)
    select ${hash}, organization_id, id, ${user_id}, ${email}, least(now() + interval '24 hours', expires_at)
    from gates
    where id = ${gate_id}
      and organization_id = ${organization_id}
      and gate_is_open(gates.status, gates.expires_at)
      and 'mail' = any(decide_via)
      and ${mayDecide(sql`${user_id}::uuid`)}
      and not fields @> '[{"required": true}]'
      and not require_passkey
    returning expires_at
  `
  return link ? { url: `${config.PUBLIC_URL}/decide?token=${token}`, expires_at: link.expires_at } : null
}
