/** What notifications say: for each thing that is told, its title and its body. */
import { line, paragraph } from '../values/plain-text.ts'

/** What is said. */
export interface Said {
  title: string
  body: string
}

/** Where it happened, as names. */
export interface Whereabouts {
  organization_name: string
  workspace_name: string | null
  project_name: string | null
}

/** Summaries and errors are as long as a page; a notification shows how they begin. */
const LONGEST = 500

const beginning = (text: string | null | undefined): string => paragraph(text ?? '', LONGEST)

/** A name within a sentence. */
const named = (name: string): string => line(name, 200)

const where = ({ organization_name, workspace_name, project_name }: Whereabouts): string =>
  [project_name, workspace_name, organization_name].flatMap((name) => (name ? named(name) : [])).join(' · ')

const sentences = (...parts: string[]): string => parts.filter(Boolean).join('\n\n')

const usd = (amount: number): string => `${amount.toLocaleString('en', { maximumFractionDigits: 6 })} USD`

const day = (instant: string): string => instant.slice(0, 10)

/** A gate waits for its reader. */
export const gatePending = (gate: { name: string; description: string | null }, at: Whereabouts): Said => ({
  title: `The gate ${named(gate.name)} awaits your review`,
  body: sentences(where(at), beginning(gate.description)),
})

interface EndedExecution {
  agent: string
  summary: string | null
  error: string | null
}

/** An execution ended well. */
export const executionCompleted = ({ agent, summary }: EndedExecution, at: Whereabouts): Said => ({
  title: `The execution by ${named(agent)} is completed`,
  body: sentences(where(at), beginning(summary)),
})

/** An execution failed. */
export const executionFailed = ({ agent, error }: EndedExecution, at: Whereabouts): Said => ({
  title: `The execution by ${named(agent)} failed`,
  body: sentences(where(at), beginning(error)),
})

interface Budget {
  budget_monthly_limit_usd: number | null
  budget_used_usd: number
  usage_percent: number
}

const spent = ({ budget_used_usd, budget_monthly_limit_usd }: Budget): string =>
  `${usd(budget_used_usd)} of ${usd(budget_monthly_limit_usd ?? 0)} are spent this month.`

/** A budget comes near its limit. */
export const budgetAlert = (budget: Budget, at: Whereabouts): Said => ({
  title: `${named(at.workspace_name ?? at.organization_name)} has used ${Math.floor(budget.usage_percent * 100)} % of its budget`,
  body: sentences(where(at), spent(budget)),
})

/** A budget is used up. */
export const budgetExhausted = (budget: Budget, at: Whereabouts): Said => ({
  title: `The budget of ${named(at.workspace_name ?? at.organization_name)} is used up`,
  body: sentences(where(at), `${spent(budget)} No execution is created or started until the month ends or the limit is raised.`),
})

/** Its reader is invited. */
export const invitationReceived = (
  invitation: { organization_name: string; role: string; expires_at: string },
  invited_by: string | null,
): Said => ({
  title: invited_by
    ? `${named(invited_by)} invites you to ${named(invitation.organization_name)}`
    : `You are invited to ${named(invitation.organization_name)}`,
  body: `You would be ${invitation.role === 'admin' ? 'an admin' : 'a member'}. The invitation is good until ${day(invitation.expires_at)}.`,
})

/** Its reader became a member. */
export const youWereAdded = (member: { role: string }, at: Whereabouts): Said => ({
  title: `You are now in ${named(at.organization_name)}`,
  body: `Your role is ${member.role}.`,
})

/** Somebody else became a member of the organization that its reader owns. */
export const memberAdded = (member: { role: string; user_name: string; user_email: string }, at: Whereabouts): Said => ({
  title: `${named(member.user_name)} is now in ${named(at.organization_name)}`,
  body: `${member.user_email}. The role is ${member.role}.`,
})
