/**
 * mail_notification: sends a notification by e-mail, if the user still wants it. The token of its decision link is generated here, so
 * that no job payload contains it.
 */
import type { Severity } from '../../core/events/declaration.ts'
import { mayDecide } from '../../core/gates/approval.ts'
import { type MailedType, NOTIFICATION_TYPES } from '../../core/notifications/types.ts'
import { whoLacks, withheldText } from '../../core/notifications/withheld.ts'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { newDecisionToken, unsubscribeToken } from '../../core/security/mail-tokens.ts'
import { notificationUrl } from '../../core/tenants/links.ts'
import type { Scope } from '../../core/tenants/scopes.ts'
import { secondText } from '../../core/values/instants.ts'
import { line, unlinked } from '../../core/values/plain-text.ts'
import { type AskedInMail, questionOf } from './gate-question.ts'
import { aside, button, link, mailHtml, nextStep, paragraph, table, warningOf } from './html.tsx'
import { sendMail } from './transport.ts'

type DecisionLink = { url: string; expires_at: string }

type Recipient = { organization_id: string; user_id: string; email: string }

/** For 24 hours or until the gate expires. Null if the gate cannot be decided in this way, or by this person, any more. */
async function createDecisionLink(gate_id: string, { organization_id, user_id, email }: Recipient): Promise<DecisionLink | null> {
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

interface MailedNotification extends Scope {
  user_id: string
  name: string
  email: string
  type: MailedType
  title: string
  body: string
  organization_name: string
  resource_type: string
  resource_id: string
}

/** The notification and its recipient; undefined if the user lost access, has no verified address, or turned the mails off. */
async function readNotification(notification_id: string): Promise<MailedNotification | undefined> {
  const [notification] = await sql<MailedNotification[]>`
    select
      notification.user_id, users.name, users.email, notification.type, notification.title, notification.body,
      notification.resource_type, notification.resource_id, notification.organization_id, notification.workspace_id,
      notification.project_id, notification.data ->> 'organization_name' as organization_name
    from notifications as notification
    join users on users.id = notification.user_id
    left join notification_preferences as preferences on preferences.user_id = users.id
    where notification.id = ${notification_id}
      and users.email_verified
      and users.deleted_at is null
      and (
        preferences.user_id is null
        or (
          preferences.email_enabled
          and (
            notification.type = any(preferences.types) and notification.type = any(preferences.email_types)
            -- The type is newer than what the user chose.
            or notification.type <> all(preferences.known_types)
          )
        )
      )
  `
  return notification && (await hasAccess(notification)) ? notification : undefined
}

async function hasAccess({ user_id, organization_id, workspace_id }: MailedNotification): Promise<boolean> {
  const [access] = await sql`
    select 1
    from organizations
    where id = ${organization_id}
      and deleted_at is null
      and exists (
        select 1
        from organization_members as member
        where member.organization_id = ${organization_id}
          and member.user_id = ${user_id}
          and (
            member.role in ('owner', 'admin')
            or ${workspace_id}::uuid is null
            or exists (
              select 1
              from workspace_members as inside
              where inside.workspace_id = ${workspace_id}
                and inside.organization_id = ${organization_id}
                and inside.user_id = ${user_id}
            )
          )
      )
  `
  return access !== undefined
}

/** By type: how bad it is, the label of the button, and what to do next. */
const LOOKS: Record<MailedType, { severity: Severity; action: string; next?: string }> = {
  gate_pending: { severity: 'warning', action: 'View the gate', next: 'Approve or reject it.' },
  changes_requested: { severity: 'warning', action: 'View the gate', next: 'Make the changes, and open another gate.' },
  gate_overridden: {
    severity: 'bad',
    action: 'View the gate',
    next: 'Read the reason. Another owner or admin of the organization than the one who overrode the gate has to review it.',
  },
  execution_completed: { severity: 'good', action: 'View the execution' },
  execution_failed: {
    severity: 'bad',
    action: 'View the execution',
    next: 'Check what went wrong, and create another execution of the requirement.',
  },
  budget_alert: {
    severity: 'warning',
    action: 'View the budget',
    next: 'See where the money went, and raise the limit if needed.',
  },
  member_added: { severity: 'info', action: 'View the organization' },
  deployment_failed: {
    severity: 'bad',
    action: 'View the dispatch',
    next: 'See what went wrong, and deploy again or roll back.',
  },
}

interface Target {
  url: string | null
  action: string
  /** What the recipient must know about the link. */
  caution: string | null
}

async function targetOf(notification: MailedNotification, isQuestion: boolean): Promise<Target> {
  const { type, resource_type, resource_id } = notification
  const link = isQuestion ? await createDecisionLink(resource_id, notification) : null
  // Of a deployment of GitHub there is no dispatch.
  const action = type === 'deployment_failed' && resource_type !== 'dispatch' ? `View the ${resource_type}` : LOOKS[type].action
  if (!link) return { url: notificationUrl(notification), action, caution: null }
  return {
    url: link.url,
    action: 'Approve or reject',
    caution: `The link decides once, as you and without signing in, until ${secondText(link.expires_at)}. Do not forward this mail.`,
  }
}

/** What the question says before the link, in the order of the page of a gate; and in the text of a mail. */
const textsOf = ({ changes, effects, evidence, needs }: AskedInMail): (string | null)[] => [
  changes.text,
  ...changes.facts.flatMap(({ name, link }) => (link ? `${name}: ${link.url}` : [])),
  effects,
  evidence.text,
  ...needs,
]

const partsOf = ({ changes, effects, evidence, needs }: AskedInMail) => [
  changes.facts.length > 0 && table(changes.facts),
  effects && paragraph(effects),
  evidence.facts.length > 0 && table(evidence.facts),
  ...needs.map(paragraph),
]

/** The same in text and HTML, in the same order. */
function contentOf(notification: MailedNotification, question: AskedInMail | null, target: Target, unsubscribeUrl: string) {
  const { name, type, title, body } = notification
  const { url, action, caution } = target
  const { severity, next } = LOOKS[type]
  const why = `You receive mails of the type ${type}: ${NOTIFICATION_TYPES[type]}`
  const criteria = question?.criteria && `Acceptance criteria:\n${question.criteria}`
  const text = [
    `Hello ${name},`,
    title,
    question?.warning && `Warning: ${question.warning}`,
    body,
    ...(question ? textsOf(question) : []),
    next && `Next: ${next}`,
    url && `${action}:\n${url}`,
    caution,
    criteria,
    `--\n${why} Unsubscribe:\n${unsubscribeUrl}`,
  ]
  const html = mailHtml(title, title, severity, [
    paragraph(`Hello ${name},`),
    question?.warning && warningOf(question.warning),
    ...body.split('\n\n').map(paragraph),
    ...(question ? partsOf(question) : []),
    next && nextStep(next),
    url && button(url, action),
    caution && aside(caution),
    // Below the button, which a phone shows without scrolling far.
    criteria && paragraph(criteria),
    aside(why, ' ', link(unsubscribeUrl, 'Unsubscribe')),
  ])
  return { text: `${text.filter(Boolean).join('\n\n')}\n`, html }
}

/** Sends the mail of a notification. Its Message-ID is the same in every attempt, so that mail servers can detect duplicates. */
export async function mailNotification(notification_id: string): Promise<void> {
  const found = await readNotification(notification_id)
  if (!found) return
  const [lack = null] = await whoLacks(sql, [found])
  const isQuestion = found.type === 'gate_pending' && lack === null
  const question = isQuestion ? await questionOf(found.organization_id, found.resource_id) : null
  const { title, body } = lack === null ? found : withheldText(found.organization_name, lack)
  const notification = { ...found, name: unlinked(line(found.name, 120)), title: unlinked(title), body: unlinked(body) }
  const token = unsubscribeToken(notification.user_id, notification.type)
  const unsubscribeUrl = `${config.PUBLIC_URL}/unsubscribe?token=${token}`
  const target = await targetOf(notification, isQuestion)
  await sendMail({
    to: { name: notification.name, address: notification.email },
    subject: notification.title,
    ...contentOf(notification, question, target, unsubscribeUrl),
    messageId: `<${notification_id}@${new URL(config.PUBLIC_URL).hostname}>`,
    // RFC 8058: the mail program posts to the link, without signing in.
    headers: { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  })
}
