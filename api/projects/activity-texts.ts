/** What happened in a project, as sentences for people. */
import { LISTED_ACTIONS, type ListedAction } from '../../core/security/activity.ts'
import { line, quotedName } from '../../core/values/plain-text.ts'

export const KINDS = [
  ...LISTED_ACTIONS,
  'requirement.completed',
  'gate.overridden',
  'rollout.succeeded',
  'rollout.failed',
  'rollout.unknown',
  'rollout.not_delivered',
] as const

export type ActivityKind = (typeof KINDS)[number]

/** What something that happened was about, as it is now: a field is there if things of its kind have it. */
export interface About {
  name?: string
  environment?: string | null
  number?: number
  title?: string
  version?: string | number | null
  agent?: string
  other?: string
  winner?: 'a' | 'b' | 'tie' | null
  /** What a change of a requirement made of it; null if that left its status. */
  status?: string | null
  /** How a gate was decided. */
  via?: string | null
  /** Of a rollout: what its receiver reported, and the event of its dispatch. */
  description?: string | null
  event?: string
}

interface Subject {
  who: string | null
  /** The sentence of the audit log. */
  detail: string
  about: About | null
}

const MAX_TITLE = 120

const requirement = ({ number, title }: About) => `#${number} ${line(title, MAX_TITLE)}`
const gate = ({ name = '', environment }: About) => `the gate ${quotedName(name)}${environment ? ` for ${environment}` : ''}`
const hook = ({ name = '' }: About) => `the deployment hook ${quotedName(name)}`
const policy = ({ environment }: About) => `the policy of the environment ${environment}`
const deliverable = ({ title, version }: About) => `${quotedName(title ?? '')}, version ${version}`
const work = (about: About) => `${line(about.agent, MAX_TITLE)} on ${requirement(about)}`
const comparison = ({ agent, other }: About) => `${line(agent, MAX_TITLE)} and ${line(other, MAX_TITLE)}`
const deployment = ({ version, environment }: About) =>
  `${version ? `deployment of ${line(version, MAX_TITLE)}` : 'deployment'} to ${environment}`
const withoutStop = (text: string) => text.replace(/\.$/, '')
const stated = (text: string | null | undefined) => (text ? `: ${withoutStop(line(text, MAX_TITLE))}` : '')

const updated = (who: string, about: About) =>
  about.status
    ? `${who} set ${requirement(about)} to ${about.status.replaceAll('_', ' ')}`
    : `${who} changed ${requirement(about)}`

const decided = (who: string, about: About) =>
  about.winner === 'tie'
    ? `${who} decided a tie between ${comparison(about)}`
    : `${who} decided for ${line(about.winner === 'b' ? about.other : about.agent, MAX_TITLE)} in the comparison of ${comparison(about)}`

/** What is deleted, and a rollback, has its sentence in the audit log alone. */
type InLogAlone = Extract<ListedAction, `${string}.deleted` | 'deployment.rollback'>

const TEXTS: Record<Exclude<ActivityKind, InLogAlone>, (who: string, about: About) => string> = {
  'project.created': (who) => `${who} created the project`,
  'project.updated': (who) => `${who} changed the project`,
  'requirement.created': (who, about) => `${who} added ${requirement(about)}`,
  'requirement.updated': updated,
  'requirement.completed': (who, about) => `${who} completed ${requirement(about)}`,
  'execution.started': (who, about) => `${who} started ${work(about)}`,
  'execution.completed': (_, about) => `${line(about.agent, MAX_TITLE)} finished its work on ${requirement(about)}`,
  'execution.failed': (_, about) => `${line(about.agent, MAX_TITLE)} failed on ${requirement(about)}`,
  'execution.cancelled': (who, about) => `${who} stopped ${work(about)}`,
  'gate.pending': (who, about) => `${who} opened ${gate(about)}`,
  'gate.approval_added': (who, about) => `${who} approved ${gate(about)}, which needed more approvals`,
  'gate.approved': (who, about) => `${who} approved ${gate(about)}`,
  'gate.overridden': (who, about) => `${who} overrode ${gate(about)}`,
  'gate.rejected': (who, about) => `${who} rejected ${gate(about)}`,
  'gate.changes_requested': (who, about) => `${who} requested changes at ${gate(about)}`,
  'gate.expired': (_, about) => `${gate(about).replace('the', 'The')} expired without a decision`,
  'gate.cancelled': (who, about) => `${who} cancelled ${gate(about)}`,
  'gate.reviewed': (who, about) => `${who} reviewed the override of ${gate(about)}`,
  'gate.revoked': (who, about) => `${who} revoked the approval of ${gate(about)}`,
  'environment_policy.created': (who, about) => `${who} created ${policy(about)}`,
  'environment_policy.updated': (who, about) => `${who} changed ${policy(about)}`,
  'deployment_hook.created': (who, about) => `${who} created ${hook(about)} for ${about.environment}`,
  'deployment_hook.updated': (who, about) => `${who} changed ${hook(about)}`,
  'deployment_hook.triggered': (who, about) => `${who} triggered ${hook(about)}`,
  'hook.disabled': (who, about) => `${who} disabled ${hook(about)}`,
  'rollout.succeeded': (_, about) =>
    `The ${deployment(about)} succeeded${about.event === 'deployment.rollback' ? ', as a rollback' : ''}`,
  'rollout.failed': (_, about) => `The ${deployment(about)} failed${stated(about.description)}`,
  'rollout.unknown': (_, about) => `The ${deployment(about)} was not reported in time`,
  'rollout.not_delivered': (_, about) => `The ${deployment(about)} was not delivered`,
  'deliverable.generated': (who, about) => `${who} generated ${deliverable(about)}`,
  'deliverable.failed': (who, about) => `${who} failed to generate ${deliverable(about)}`,
  'deliverable.published': (who, about) => `${who} published ${deliverable(about)}`,
  'deliverable.archived': (who, about) => `${who} archived ${deliverable(about)}`,
  'dual_track.compared': (_, about) => `${comparison(about)} were compared`,
  'dual_track.failed': (_, about) => `The comparison of ${comparison(about)} failed`,
  'dual_track.decided': decided,
  'dual_track.cancelled': (who, about) => `${who} cancelled the comparison of ${comparison(about)}`,
}

/** The kind of what happened: two actions of the audit log are of two kinds each. */
export function kindOf(kind: ActivityKind, about: About | null): ActivityKind {
  if (kind === 'requirement.updated' && about?.status === 'done') return 'requirement.completed'
  if (kind === 'gate.approved' && about?.via === 'override') return 'gate.overridden'
  return kind
}

const isInLogAlone = (kind: ActivityKind): kind is InLogAlone => !Object.hasOwn(TEXTS, kind)

/** A sentence without a full stop. If its subject was deleted, it is the sentence of the audit log. */
export function textOf(kind: ActivityKind, { who, detail, about }: Subject): string {
  if (about === null || isInLogAlone(kind)) return withoutStop(line(detail, 2 * MAX_TITLE))
  return TEXTS[kind](line(who ?? '', MAX_TITLE), about)
}
