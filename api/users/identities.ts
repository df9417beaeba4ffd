/** Accounts elsewhere that act for a user: a click in Slack decides as the user that the Slack account is linked to. */
import { recordSecurityEvent } from '../../core/security/security-log.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { tokenHash } from '../auth/hashes.ts'
import type { Slice } from '../plugins/lists.ts'
import type { SignedIn } from '../plugins/request-context.ts'
import { requireMatch } from '../plugins/responses.ts'
import { notFound, Problem } from '../problems.ts'
import type { Identity } from './identity-schema.ts'

/** A user's linked identities, newest first. */
export function listIdentities(db: Queryable, user_id: string, { limit, after }: Slice) {
  return db<Identity[]>`
    select id, provider, team_id, external_id, created_at
    from user_identities
    where user_id = ${user_id}
      and (${after}::uuid is null or id < ${after})
    order by id desc
    limit ${limit}
  `
}

/**
 * Unlinks one of the caller's identities. Its clicks no longer decide anything.
 *
 * @throws Problem `not_found` if it does not exist, or belongs to another user
 */
export async function unlinkIdentity(tx: Tx, by: SignedIn, identity_id: string, request: Request): Promise<null> {
  const [identity] = await tx<Identity[]>`
    delete from user_identities
    where id = ${identity_id}
      and user_id = ${by.id}
    returning id, provider, team_id, external_id, created_at
  `
  if (!identity) throw notFound('identity')
  requireMatch(request, null)
  const { external_id, team_id } = identity
  const detail = `The Slack account ${external_id} of the team ${team_id} was unlinked.`
  await recordSecurityEvent(tx, by.id, by, 'identity.unlinked', detail)
  return null
}

/** A Slack account, as a link names it. */
export interface SlackAccount {
  team_id: string
  external_id: string
}

const linkExpired = (): Problem =>
  new Problem('link_expired', 'This link was used or has expired. Click the button in Slack again for a new one.')

/**
 * The Slack account that a link is for. Changes nothing.
 *
 * @throws Problem `link_expired`
 */
export async function previewSlackLink(db: Queryable, token: string): Promise<SlackAccount> {
  const [account] = await db<SlackAccount[]>`
    select team_id, external_id from slack_link_tokens where hash = ${tokenHash(token)} and expires_at > now()
  `
  if (!account) throw linkExpired()
  return account
}

/**
 * Links the Slack account of a link to the caller. The link is used up, unless the account belongs to another user.
 *
 * @throws Problem `link_expired`, `identity_taken`
 */
export async function linkSlackAccount(tx: Tx, by: SignedIn, token: string): Promise<Identity> {
  const [account] = await tx<SlackAccount[]>`
    delete from slack_link_tokens where hash = ${tokenHash(token)} and expires_at > now() returning team_id, external_id
  `
  if (!account) throw linkExpired()
  const { team_id, external_id } = account
  const [identity] = await tx<(Identity & { user_id: string; is_new: boolean })[]>`
    insert into user_identities as identity (user_id, provider, team_id, external_id)
    values (${by.id}, 'slack', ${team_id}, ${external_id})
    -- Changes nothing, but returns and locks the row.
    on conflict (provider, team_id, external_id) do update set user_id = identity.user_id
    returning id, provider, team_id, external_id, created_at, user_id, xmax = 0 as is_new
  `
  if (identity?.user_id !== by.id) {
    throw new Problem(
      'identity_taken',
      'This Slack account is linked to another Signalbox account. Unlink it there first, or sign in with that account.',
    )
  }
  const { user_id: _, is_new, ...shown } = identity
  if (is_new) {
    const detail = `The Slack account ${external_id} of the team ${team_id} was linked: it can decide gates as you.`
    await recordSecurityEvent(tx, by.id, by, 'identity.linked', detail)
  }
  return shown
}
