/** Titles and bodies of notifications. */
import { durationText, secondText } from '../values/instants-text.ts'
import { usdText } from '../values/money.ts'
import { line, paragraph, quotedName } from '../values/plain-text.ts'

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

/** What a notification about an execution or gate is about. Events of earlier versions have no requirement. */
export interface Subject {
  requirement?: { number: number; title: string } | null
  /** Names by user id. */
  people: Record<string, string>
}

/** `: #12 Pay by invoice`, at the end of a title. */
const ofRequirement = ({ requirement }: Subject): string =>
  requirement ? `: #${requirement.number} ${named(requirement.title)}` : ''

const nameIn = ({ people }: Subject, user_id: string | null | undefined): string | null =>
  user_id && Object.hasOwn(people, user_id) ? named(people[user_id] ?? '') || null : null

const words = (...parts: (string | null | false)[]): string => parts.filter(Boolean).join(' ')

const day = (instant: string): string => instant.slice(0, 10)

interface Gate {
  name: string
  description: string | null
  created_by: string
  created_at: string
  expires_at: string | null
}

const openedBy = (gate: Gate, subject: Subject): string | null => {
  const name = nameIn(subject, gate.created_by)
  return name && `${name} opened it.`
}

const expires = ({ created_at, expires_at }: Gate): string | null =>
  expires_at &&
  `It is open for ${durationText(created_at, expires_at)} in all and expires at ${secondText(expires_at)}; its execution fails then.`

export const gatePending = (gate: Gate, at: ScopeNames, subject: Subject): NotificationText => ({
  title: `The gate ${named(gate.name)} awaits your review${ofRequirement(subject)}`,
  body: sentences(where(at), words(openedBy(gate, subject), expires(gate)), excerpt(gate.description)),
})

/** A gate that its reader can decide expires soon. */
export const gateExpiring = (gate: Gate, at: ScopeNames, subject: Subject): NotificationText => ({
  ...gatePending(gate, at, subject),
  title: `The gate ${named(gate.name)} expires soon${ofRequirement(subject)}`,
})

interface EndedExecution {
  agent: string
  summary: string | null
  error: string | null
  cost_usd: number | null
  started_by: string | null
}

const startedBy = ({ started_by, cost_usd }: EndedExecution, subject: Subject): string => {
  const name = nameIn(subject, started_by)
  return words(name && `${name} started it.`, cost_usd !== null && `It cost ${usdText(cost_usd)}.`)
}

export const executionCompleted = (execution: EndedExecution, at: ScopeNames, subject: Subject): NotificationText => ({
  title: `The execution by ${named(execution.agent)} is completed${ofRequirement(subject)}`,
  body: sentences(where(at), excerpt(execution.summary), startedBy(execution, subject)),
})

export const executionFailed = (execution: EndedExecution, at: ScopeNames, subject: Subject): NotificationText => ({
  title: `The execution by ${named(execution.agent)} failed${ofRequirement(subject)}`,
  body: sentences(where(at), excerpt(execution.error), startedBy(execution, subject)),
})

interface FailedDispatch {
  environment: string
  attempt_count: number
  error: { detail: string } | null
}

const to = ({ environment }: FailedDispatch): string => `to ${named(environment)}`

/** Of what a rollout deployed, if its receiver reported it. */
const ofVersion = (version: string | null): string => (version === null ? '' : ` of ${named(version)}`)

/** A dispatch was given up, so nothing was deployed. */
export const notDelivered = (dispatch: FailedDispatch, hook_name: string | null, at: ScopeNames): NotificationText => {
  const attempts = `${dispatch.attempt_count} attempt${dispatch.attempt_count === 1 ? '' : 's'}`
  return {
    title: `The deployment ${to(dispatch)} was not delivered`,
    body: sentences(
      where(at),
      `${hook_name === null ? 'Its hook' : `The hook ${named(hook_name)}`} gave it up after ${attempts}.`,
      excerpt(dispatch.error?.detail),
    ),
  }
}

/** A receiver reported that a deployment failed. */
export const rolloutFailed = (
  dispatch: FailedDispatch,
  rollout: { version: string | null; description: string | null },
  at: ScopeNames,
): NotificationText => ({
  title: `The deployment${ofVersion(rollout.version)} ${to(dispatch)} failed`,
  body: sentences(where(at), excerpt(rollout.description)),
})

/** A receiver reported no outcome in time. */
export const rolloutUnknown = (
  dispatch: FailedDispatch,
  rollout: { version: string | null },
  at: ScopeNames,
): NotificationText => ({
  title: `It is not known whether the deployment${ofVersion(rollout.version)} ${to(dispatch)} succeeded`,
  body: sentences(where(at), 'Its receiver did not report an outcome in time.'),
})

interface Budget {
  budget_monthly_limit_usd: number | null
  budget_used_usd: number
  usage_percent: number
}

const spent = ({ budget_used_usd, budget_monthly_limit_usd }: Budget): string =>
  `${usdText(budget_used_usd)} of ${usdText(budget_monthly_limit_usd ?? 0)} spent this month.`

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
    ? `${quotedName(invited_by)} invites you to ${quotedName(invitation.organization_name)}`
    : `You are invited to ${quotedName(invitation.organization_name)}`,
  body: `You are invited as ${invitation.role === 'admin' ? 'an admin' : 'a member'}. The invitation expires on ${day(invitation.expires_at)}.`,
})

/** For the new member. */
export const youWereAdded = (member: { role: string }, at: ScopeNames): NotificationText => ({
  title: `You are now a member of ${quotedName(at.organization_name)}`,
  body: `Your role is ${member.role}.`,
})

/** For the owner of the organization. */
export const memberAdded = (
  member: { role: string; user_name: string; user_email: string },
  at: ScopeNames,
): NotificationText => ({
  title: `${quotedName(member.user_name)} is now a member of ${quotedName(at.organization_name)}`,
  body: `${member.user_email}, with the role ${member.role}.`,
})
