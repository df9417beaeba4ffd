/** Makes a gate of a request: it joins one, or opens one with what is known about the commit; or an approval that holds answers it. */

import { approvingGate } from '../../core/clearance/verification.ts'
import type { Evidence, Subject } from '../../core/gates/gates.ts'
import { lockPolicies, type Policies } from '../../core/gates/rules.ts'
import type { GateSource } from '../../core/gates/sources.ts'
import { hostOf } from '../../core/github/app.ts'
import { GitHubAway, TokenRefused } from '../../core/github/client.ts'
import { environmentNamed } from '../../core/github/environments.ts'
import { distinctPeople, personOf } from '../../core/github/sent.ts'
import { lackOf } from '../../core/openings/lacks.ts'
import { openGate } from '../../core/openings/opening.ts'
import type { Deadline } from '../../core/outbound/deadline.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { type Actor, SYSTEM } from '../../core/tenants/actors.ts'
import type { ProjectScope } from '../../core/tenants/scopes.ts'
import { line } from '../../core/values/plain-text.ts'
import type { Tx } from '../../sql/index.ts'
import { evidenceOf, isRunning } from './evidence.ts'
import { type Gathered, gather, runningCommit } from './gather.ts'
import { Unreadable } from './reading.ts'
import type { DueRequest, Installation } from './request.ts'

/** The outcome of opening a gate. */
type Opened =
  /** The request was changed meanwhile, or has its gate. @param revision of the request then */
  | { kind: 'asked'; gate_id: string; environment: string; revision: number }
  | { kind: 'refused'; why: string }
  /** The run has ended. */
  | { kind: 'over' }
  | { kind: 'wait'; seconds: number }
  | { kind: 'changed' }

/** How long parts that cannot be read are tried again before they are left out. */
const READING_SECONDS = 600
/** How long running checks are awaited where all have to pass, and how often they are read. */
const CHECKS_SECONDS = 6 * 3600
const LOOK_SECONDS = 60
const SIGNING_SECONDS = 2
/** GitHub lets a job wait for 30 days. */
const MAX_OPEN_SECONDS = 29 * 86_400

/** The member of the organization who has linked the account of the person that sent the request; else Signalbox. */
async function openerOf({ organization_id, asked_by: [sender] }: DueRequest, host: string): Promise<Actor> {
  if (!sender) return SYSTEM
  const [linked] = await sql<{ user_id: string }[]>`
    select user_id
    from user_identities
    where provider = 'github'
      and team_id = ${host}
      and external_id = ${String(sender.id)}
  `
  if (!linked) return SYSTEM
  const [member] = await sql<{ id: string; name: string }[]>`
    select person.id, person.name
    from organization_members as member
    join people as person on person.id = member.user_id
    where member.organization_id = ${organization_id}
      and member.user_id = ${linked.user_id}
  `
  return member ? { ...SYSTEM, type: 'human', id: member.id, name: member.name } : SYSTEM
}

const MAX_NAME = 200
const UNKNOWN = 'Workflow'

/** A pending gate of the same name and environment, for the same subject, in the project. */
async function findSame(
  tx: Tx,
  { organization_id, project_id }: DueRequest,
  name: string,
  environment: string,
  subject: Subject,
) {
  const [gate] = await tx<{ id: string }[]>`
    select id
    from gates
    where project_id = ${project_id}
      and organization_id = ${organization_id}
      and execution_id is null
      and name = ${name}
      and environment = ${environment}
      and subject = ${tx.json(subject as never)}
      and gate_is_open(status, expires_at)
    for no key update
  `
  return gate?.id ?? null
}

interface Question {
  name: string
  environment: string
  subject: Subject
  evidence: Evidence
  source: Omit<GateSource, 'state' | 'answered_at' | 'error'>
}

/** Binds a request to its gate, unless it was changed meanwhile. @returns its new revision */
async function bind(tx: Tx, { id, organization_id, revision }: DueRequest, gate_id: string, environment: string) {
  const [bound] = await tx<{ revision: number }[]>`
    update github_requests
    set gate_id          = ${gate_id},
        gate_environment = ${environment},
        revision         = revision + 1
    where id = ${id}
      and organization_id = ${organization_id}
      and revision = ${revision}
      and state in ('open', 'held')
    returning revision
  `
  return bound?.revision
}

const scopeOf = ({ organization_id, workspace_id, project_id }: DueRequest): ProjectScope => ({
  organization_id,
  workspace_id,
  project_id,
})

/** The rules of a gate, which GitHub does not let wait for longer. */
const limited = ({ rules }: Policies) => ({
  ...rules,
  expires_in_seconds: Math.min(rules.expires_in_seconds ?? MAX_OPEN_SECONDS, MAX_OPEN_SECONDS),
})

class Changed extends Error {}

/** In one transaction: the gate that is open is joined, or another one opens. */
const ask = (request: DueRequest, by: Actor, question: Question): Promise<Opened> =>
  transaction(async (tx): Promise<Opened> => {
    const { name, environment, subject, evidence } = question
    const scope = scopeOf(request)
    const [project] = await tx`
      select id from projects where id = ${scope.project_id} and organization_id = ${scope.organization_id} for no key update
    `
    const policies = project && (await lockPolicies(tx, scope, environment))
    if (!policies) return { kind: 'changed' }
    const asked = async (gate_id: string): Promise<Opened> => {
      const revision = await bind(tx, request, gate_id, environment)
      if (revision === undefined) throw new Changed()
      return { kind: 'asked', gate_id, environment, revision }
    }
    const same = await findSame(tx, request, name, environment, subject)
    if (same !== null) return asked(same)
    const lacks = await lackOf(tx, scope, policies, { subject, evidence })
    const awaits = policies.rules.require_checks && isRunning(evidence) && request.open_seconds < CHECKS_SECONDS
    if (lacks.length > 0 && awaits) return { kind: 'wait', seconds: LOOK_SECONDS }
    if (lacks.length > 0)
      return { kind: 'refused', why: lacks.map(({ pointer, detail }) => `${pointer.slice(1)} ${detail}.`).join(' ') }
    const parent = { scope, execution_id: null, requirement_id: null }
    const opened = await openGate(tx, by, parent, { ...question, description: null, fields: [] }, limited(policies))
    return 'code' in opened ? { kind: 'refused', why: opened.detail } : asked(opened.id)
  }).catch((error: unknown): Opened => {
    if (error instanceof Changed) return { kind: 'changed' }
    throw error
  })

/** Nothing was read: GitHub is away. */
const unread = (why: string): Gathered => ({
  parts: { run: {}, check_runs: null, statuses: null, jobs: null, pulls: null, comparison: undefined },
  unreadable: { run: why },
  mayPass: true,
})

/** @throws GitHubAway, TokenRefused, Unreadable until it is open for ten minutes */
async function gatherInTime(installation: Installation, request: DueRequest, environment: string, deadline: Deadline) {
  const base = await runningCommit(request, environment)
  try {
    return await gather(installation, request, base, deadline)
  } catch (error) {
    const isReading = error instanceof GitHubAway || error instanceof TokenRefused || error instanceof Unreadable
    if (!isReading || request.open_seconds < READING_SECONDS) throw error
    return unread(error instanceof TokenRefused ? 'GitHub gave no access to the repository.' : error.message)
  }
}

/**
 * @param request is linked, and has no gate
 * @throws GitHubAway, TokenRefused, Unreadable
 */
export async function open(installation: Installation, request: DueRequest, deadline: Deadline): Promise<Opened> {
  const { project_id, organization_id, commit, link } = request
  const environment = await environmentNamed(sql, request, request.environment)
  const digest = { gitCommit: commit }
  const approving = await approvingGate(sql, { id: project_id, organization_id }, { environment, digest: `gitCommit:${commit}` })
  if (approving === 'early') return { kind: 'wait', seconds: SIGNING_SECONDS }
  if (approving !== null) return approvedBefore(request, approving, environment)
  const { parts, unreadable, mayPass } = await gatherInTime(installation, request, environment, deadline)
  const { run } = parts
  if (run.status === 'completed') return { kind: 'over' }
  if (mayPass && request.open_seconds < READING_SECONDS) return { kind: 'wait', seconds: LOOK_SECONDS / 2 }
  const host = hostOf(installation)
  const asked_by = distinctPeople([...request.asked_by, personOf(run.actor), personOf(run.triggering_actor)])
  const evidence = evidenceOf(parts, { ref: request.ref, asked_by, unreadable }, installation.app.app_id)
  const subject = { uri: `git+https://${host}/${link?.linked_name ?? request.full_name}`, digest, version: null }
  const name = line(typeof run.name === 'string' ? run.name : '', MAX_NAME) || UNKNOWN
  const source = {
    type: 'github' as const,
    repository: request.full_name,
    run_id: request.run_id,
    run_url: request.run_url,
    environment: request.environment,
    ref: request.ref,
    asked_by,
  }
  await noteAskers(request, asked_by)
  return ask(request, await openerOf(request, host), { name, environment, subject, evidence, source })
}

/** An approval that holds, but for freezes and soaks, answers it: no one is asked again. */
const approvedBefore = (request: DueRequest, gate_id: string, environment: string): Promise<Opened> =>
  transaction(async (tx): Promise<Opened> => {
    const revision = await bind(tx, request, gate_id, environment)
    return revision === undefined ? { kind: 'changed' } : { kind: 'asked', gate_id, environment, revision }
  })

/** Notes who started and re-ran the run, beside those who sent the requests. */
async function noteAskers({ id, organization_id, asked_by: known }: DueRequest, asked_by: GateSource['asked_by']): Promise<void> {
  if (asked_by.length === known.length) return
  await sql`
    update github_requests
    set asked_by = ${sql.json(asked_by as never)}
    where id = ${id} and organization_id = ${organization_id}
  `
}
