/** Titles and bodies of notifications. */
import { line, paragraph } from '../values/plain-text.ts'

export interface NotificationText {
  title: string
  body: string
}

/** The names of the organization, workspace and project that a notification is about. */
export interface ScopeNames {
  organization_name: string
  workspace_name: string | null
  project_name: string | null
}

/** Summaries and errors may be long; a notification shows their beginning. */
const MAX_EXCERPT = 500

const excerpt = (text: string | null | undefined): string => paragraph(text ?? '', MAX_EXCERPT)

/** A name in a sentence. */
const named = (name: string): string => line(name, 200)

const where = ({ organization_name, workspace_name, project_name }: ScopeNames): string =>
  [project_name, workspace_name, organization_name].flatMap((name) => (name ? named(name) : [])).join(' · ')

const sentences = (...parts: string[]): string => parts.filter(Boolean).join('\n\n')

const usd = (amount: number): string => `${amount.toLocaleString('en', { maximumFractionDigits: 6 })} USD`

const day = (instant: string): string => instant.slice(0, 10)

export const gatePending = (gate: { name: string; description: string | null }, at: ScopeNames): NotificationText => ({
  title: `The gate ${named(gate.name)} awaits your review`,
  body: sentences(where(at), excerpt(gate.description)),
})

/** A gate that its reader can decide expires soon. */
export const gateExpiring = (
  gate: { name: string; description: string | null; expires_at: string },
  at: ScopeNames,
): NotificationText => ({
  title: `The gate ${named(gate.name)} expires soon`,
  body: sentences(where(at), `It expires at ${gate.expires_at}. Its execution fails then.`, excerpt(gate.description)),
})

interface EndedExecution {
  agent: string
  summary: string | null
  error: string | null
}

export const executionCompleted = ({ agent, summary }: EndedExecution, at: ScopeNames): NotificationText => ({
  title: `The execution by ${named(agent)} is completed`,
  body: sentences(where(at), excerpt(summary)),
})

export const executionFailed = ({ agent, error }: EndedExecution, at: ScopeNames): NotificationText => ({
  title: `The execution by ${named(agent)} failed`,
  body: sentences(where(at), excerpt(error)),
})

interface Budget {
  budget_monthly_limit_usd: number | null
  budget_used_usd: number
  usage_percent: number
}

const spent = ({ budget_used_usd, budget_monthly_limit_usd }: Budget): string =>
  `${usd(budget_used_usd)} of ${usd(budget_monthly_limit_usd ?? 0)} spent this month.`

export const budgetAlert = (budget: Budget, at: ScopeNames): NotificationText => ({
  title: `${named(at.workspace_name ?? at.organization_name)} has used ${Math.floor(budget.usage_percent * 100)} % of its budget`,
  body: sentences(where(at), spent(budget)),
})

export const budgetExhausted = (budget: Budget, at: ScopeNames): NotificationText => ({
  title: `The budget of ${named(at.workspace_name ?? at.organization_name)} is used up`,
  body: sentences(
    where(at),
    `${spent(budget)} No execution can be created or started until the month ends or the limit is raised.`,
  ),
})

export const invitationReceived = (
  invitation: { organization_name: string; role: string; expires_at: string },
  invited_by: string | null,
): NotificationText => ({
  title: invited_by
    ? `${named(invited_by)} invites you to ${named(invitation.organization_name)}`
    : `You are invited to ${named(invitation.organization_name)}`,
  body: `You are invited as ${invitation.role === 'admin' ? 'an admin' : 'a member'}. The invitation expires on ${day(invitation.expires_at)}.`,
})

/** For the new member. */
export const youWereAdded = (member: { role: string }, at: ScopeNames): NotificationText => ({
  title: `You are now a member of ${named(at.organization_name)}`,
  body: `Your role is ${member.role}.`,
})

/** For the owner of the organization. */
export const memberAdded = (
  member: { role: string; user_name: string; user_email: string },
  at: ScopeNames,
): NotificationText => ({
  title: `${named(member.user_name)} is now a member of ${named(at.organization_name)}`,
  body: `${member.user_email}, with the role ${member.role}.`,
})
