/**
 * Accounts elsewhere that are those of a user: a click in Slack decides as the user that the Slack account is linked to, what a GitHub account has
 * asked for counts as asked by its user, and a sign-on with an OpenID provider signs in.
 */
import { addJob } from '../../core/jobs/tasks.ts'
import { sql } from '../../core/platform/database.ts'
import { recordSecurityEvent } from '../../core/security/security-log.ts'
import { canonicalAddress } from '../../core/values/email-addresses.ts'
import { INSTANCE } from '../../core/values/openid-issuers.ts'
import { line, unlinked } from '../../core/values/plain-text.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { endSignOns } from '../auth/sign-ons.ts'
import { isSignOnOnly } from '../credentials/own-sign-in.ts'
import { following, type Slice } from '../plugins/lists.ts'
import type { SignedIn } from '../plugins/request-context.ts'
import { requireMatch } from '../plugins/responses.ts'
import { notFound, Problem } from '../problems.ts'
import { leaveMapped } from '../sso/bonds.ts'
import type { Identity } from './schema.ts'

export function listIdentities(db: Queryable, user_id: string, { limit, after }: Slice) {
  return db<Identity[]>`
    select id, provider, team_id, external_id, issuer, organization_id, created_at
    from (
      select id, provider, team_id, external_id, null as issuer, null::uuid as organization_id, created_at
      from user_identities
      where user_id = ${user_id}
      union all
      select linked.id, 'oidc', null, linked.subject, linked.issuer, connection.organization_id, linked.created_at
      from sso_identities as linked
      left join sso_connections as connection on connection.id = linked.connection_id
      where linked.user_id = ${user_id}
    ) as identity
    where true
      ${following(sql`id`, after)}
    order by id desc
    limit ${limit}
  `
}

/**
 * What a Slack or GitHub account does no longer counts as done by the user, and an OpenID provider no longer signs in.
 *
 * @throws Problem `not_found`; `sso_required` (409) where all people sign on with it
 */
export async function unlinkIdentity(tx: Tx, by: SignedIn, identity_id: string, request: Request): Promise<null> {
  const [identity] = await tx<{ provider: keyof typeof NAMES; team_id: string; external_id: string }[]>`
    delete from user_identities
    where id = ${identity_id} and user_id = ${by.id}
    returning provider, team_id, external_id
  `
  requireMatch(request, null)
  if (!identity) return unlinkSignOn(tx, by, identity_id)
  const { provider, external_id, team_id } = identity
  const detail =
    provider === 'slack'
      ? `The Slack account ${external_id} of the team ${team_id} was unlinked.`
      : `The account ${external_id} at ${team_id} was unlinked.`
  await recordSecurityEvent(tx, by.id, by, 'identity.unlinked', detail)
  return null
}

/** @throws Problem `sso_required` (409) if an organization of the user, or the service, requires sign-ons with a connection */
async function requireUnbound(tx: Tx, user_id: string, connection_id: string): Promise<void> {
  const requiring = await tx`
    select from member_organizations where user_id = ${user_id} and sso_connection_id = ${connection_id} limit 1
  `
  if (requiring.length === 0 && !(isSignOnOnly && connection_id === INSTANCE)) return
  const detail = 'You must sign in with this provider, so it cannot be unlinked. Ask an admin of the organization.'
  throw new Problem(['sso_required', 409], detail)
}

async function unlinkSignOn(tx: Tx, by: SignedIn, identity_id: string): Promise<null> {
  const [identity] = await tx<{ issuer: string; subject: string; connection_id: string }[]>`
    delete from sso_identities
    where id = ${identity_id} and user_id = ${by.id}
    returning issuer, subject, connection_id
  `
  if (!identity) throw notFound('identity')
  const { issuer, subject, connection_id } = identity
  await requireUnbound(tx, by.id, connection_id)
  await endSignOns(tx, by.id, connection_id, by.session_id)
  await leaveMapped(tx, by.id, [connection_id])
  const detail = `The account ${subject} at ${new URL(issuer).host} was unlinked.`
  await recordSecurityEvent(tx, by.id, by, 'identity.unlinked', detail)
  return null
}

export interface SlackAccount {
  /** The Slack workspace or enterprise of the person, which in a shared channel may be another than that of the app. */
  team_id: string
  external_id: string
}

const linkExpired = (): Problem =>
  new Problem('link_expired', 'This link was used or has expired. Click the button in Slack again for a new one.')

/** A link by which a person claims a Slack account, and what Slack says of who asked for it. */
export interface SlackLink extends SlackAccount {
  user_name: string | null
  team_name: string | null
  email: string | null
}

/** The link with a hash. Changes nothing. @throws Problem `link_expired` */
export async function findSlackLink(db: Queryable, hash: Buffer): Promise<SlackLink> {
  const [link] = await db<SlackLink[]>`
    select team_id, external_id, user_name, team_name, email
    from slack_link_tokens
    where hash = ${hash}
      and expires_at > now()
  `
  if (!link) throw linkExpired()
  return link
}

/** Where Slack knows the address of who asked, it must be that of the account. @throws Problem `identity_mismatch` */
export function requireSameAddress({ email }: SlackLink, by: SignedIn): void {
  if (email === null || canonicalAddress(email) === by.email) return
  throw new Problem(
    'identity_mismatch',
    `This link is for the Slack account of ${email}, and you are signed in as ${by.email}. If someone sent it to you, do not use it.`,
  )
}

const taken = (provider: string): Problem =>
  new Problem(
    'identity_taken',
    `This ${provider} account is linked to another Signalbox account. Unlink it there first, or sign in with that account.`,
  )

/** @throws Problem `identity_taken` */
export async function requireUnclaimed(db: Queryable, { team_id, external_id }: SlackAccount, by: SignedIn): Promise<void> {
  const [other] = await db`
    select
    from user_identities
    where provider = 'slack'
      and team_id = ${team_id}
      and external_id = ${external_id}
      and user_id <> ${by.id}
  `
  if (other) throw taken('Slack')
}

/** What the owner of an account reads about a link. */
const linkedDetail = ({ team_id, external_id, user_name, team_name }: SlackLink): string => {
  const who = user_name === null ? external_id : `“${unlinked(line(user_name, 80))}” (${external_id})`
  const where = team_name === null ? team_id : `“${unlinked(line(team_name, 80))}” (${team_id})`
  return `The Slack account ${who} of the Slack workspace ${where} was linked: it can approve and reject gates as you.`
}

/**
 * Links the Slack account of a link to the caller, who has proven that it is theirs. The link is used up, unless the account belongs
 * to another user. A new link is mailed to the account.
 *
 * @throws Problem `link_expired`, `identity_taken`
 */
export async function linkSlackAccount(tx: Tx, by: SignedIn, hash: Buffer): Promise<void> {
  const [link] = await tx<SlackLink[]>`
    delete from slack_link_tokens
    where hash = ${hash}
      and expires_at > now()
    returning team_id, external_id, user_name, team_name, email
  `
  if (!link) throw linkExpired()
  return claim(tx, by, 'slack', link, linkedDetail(link))
}

const NAMES = { slack: 'Slack', github: 'GitHub' }

/** Links an account that is proven to be the caller's. A new link is mailed to them. @throws Problem `identity_taken` */
async function claim(
  tx: Tx,
  by: SignedIn,
  provider: keyof typeof NAMES,
  { team_id, external_id }: SlackAccount,
  detail: string,
): Promise<void> {
  const [identity] = await tx<{ user_id: string; is_new: boolean }[]>`
    insert into user_identities as identity (user_id, provider, team_id, external_id)
    values (${by.id}, ${provider}, ${team_id}, ${external_id})
    -- Changes nothing, but returns and locks the row.
    on conflict (provider, team_id, external_id) do update set user_id = identity.user_id
    returning user_id, xmax = 0 as is_new
  `
  if (identity?.user_id !== by.id) throw taken(NAMES[provider])
  if (!identity.is_new) return
  const entry_id = await recordSecurityEvent(tx, by.id, by, 'identity.linked', detail)
  await addJob(tx, 'mail_security_notice', { entry_id })
}

/**
 * Links a GitHub account to the caller, who has authorized the app with it. A new link is mailed to them.
 * @param account `team_id` is the host of GitHub
 * @throws Problem `identity_taken`
 */
export const linkGitHubAccount = (tx: Tx, by: SignedIn, account: SlackAccount & { login: string }): Promise<void> =>
  claim(
    tx,
    by,
    'github',
    account,
    `The GitHub account “${unlinked(line(account.login, 80))}” (${account.external_id}) at ${account.team_id} was linked: workflow runs that it starts count as started by you.`,
  )
