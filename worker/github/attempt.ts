/** Serves a request once: it gets its gate, GitHub gets the answer or a report, and the commit shows it. */

import { type Clearance, clearanceOfApproved } from '../../core/clearance/clearance.ts'
import type { Lane } from '../../core/delivery/lanes.ts'
import { fullGateColumns, type Gate } from '../../core/gates/gates.ts'
import { callGitHub, forgetToken, type GitHubAnswer, tokenFor } from '../../core/github/client.ts'
import { grantedOf, type Permissions } from '../../core/github/permissions.ts'
import { Deadline } from '../../core/outbound/deadline.ts'
import { monotonicMs } from '../../core/platform/clock.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import type { AttemptResult } from '../delivery/destination.ts'
import { errorClass } from '../process/errors.ts'
import { answerText, commitStateOf, commitStatusOf, reportText, type Verdict, verdictOf } from './answer.ts'
import { open } from './open.ts'
import { type Failure, failureFrom, failureOf, isAnsweredBefore, retryDelay } from './outcome.ts'
import { type Progress, progressOf } from './progress.ts'
import { type Answer, type DueRequest, type Installation, repositoryPath } from './request.ts'

/** Less than a worker without a heartbeat is waited for: two never serve a request at the same time. */
const ATTEMPT_MS = 12_000

/** GitHub takes ten reports of a deployment. */
const MAX_REPORTS = 9
/** A commit status is not worth more. */
const MAX_STATUS_FAILURES = 5
/** GitHub lets a job wait for so long. */
const MAX_OPEN_SECONDS = 30 * 86_400

export interface RequestAttempt extends AttemptResult<DueRequest> {
  installation: Installation
  gate: Gate | null
  progress: Progress
  failure: Failure | null
  /** Whether the answer is what failed. */
  isUnanswered: boolean
  duration_ms: number
}

async function readGate({ organization_id }: DueRequest, gate_id: string): Promise<Gate | null> {
  const [gate] = await sql<Gate[]>`
    select ${fullGateColumns} from gates where gates.id = ${gate_id} and gates.organization_id = ${organization_id}
  `
  return gate ?? null
}

class Serving {
  readonly deadline = new Deadline(ATTEMPT_MS)
  progress: Progress
  gate: Gate | null = null
  failure: Failure | null = null
  isUnanswered = false

  constructor(
    readonly installation: Installation,
    readonly request: DueRequest,
  ) {
    this.progress = progressOf(request)
  }

  /** Whether it is still to be answered. */
  get #isOpen(): boolean {
    return this.progress.state === 'open' || this.progress.state === 'held'
  }

  #set(change: Partial<Progress>): void {
    this.progress = { ...this.progress, ...change }
    const { state, answer, refusal, report_count, reported, commit_status, status_failures } = this.progress
    Object.assign(this.request, { state, answer, refusal, report_count, reported, commit_status, status_failures })
  }

  async run(): Promise<void> {
    const { request } = this
    if (this.#isOpen && request.gate_id === null && request.refusal === null && request.link !== null && !(await this.#open()))
      return
    this.gate = request.gate_id === null ? null : await readGate(request, request.gate_id)
    if (this.#isOpen && !(await this.#tell())) return
    await this.#setStatus()
  }

  /** @returns whether to go on */
  async #open(): Promise<boolean> {
    const { request } = this
    const opened = await open(this.installation, request, this.deadline)
    if (opened.kind === 'asked') {
      request.gate_id = opened.gate_id
      request.gate_environment = opened.environment
      this.#set({ revision: opened.revision })
      return true
    }
    if (opened.kind === 'refused') this.#set({ refusal: opened.why })
    if (opened.kind === 'over') this.#set({ state: 'closed' })
    if (opened.kind === 'wait') this.#set({ due: opened.seconds })
    if (opened.kind === 'changed') this.#set({ due: 0 })
    return opened.kind === 'refused'
  }

  /** Sends GitHub the answer, or a report. @returns whether to go on */
  async #tell(): Promise<boolean> {
    const { request, gate } = this
    if (request.open_seconds > MAX_OPEN_SECONDS) {
      this.#set({ state: 'closed' })
      return true
    }
    const clearance: Clearance | null = gate?.status === 'approved' ? ((await clearanceOfApproved(sql, gate)) ?? null) : null
    const verdict = verdictOf(request, gate, clearance)
    if (verdict && 'answer' in verdict) return this.#answer(verdict)
    const held_until = verdict?.held_until ?? null
    // An answer that was sent before it was held back stays on record: it may have arrived.
    this.#set(held_until === null ? { state: 'open' } : { state: 'held', held_until, due: held_until })
    await this.#report(held_until)
    return true
  }

  /** Writes the answer down before it is sent: a retry after a crash sends the same. */
  async #intend({ answer }: { answer: Answer }): Promise<boolean> {
    const { request, gate } = this
    const { id, organization_id } = request
    const revision = await transaction(async (tx) => {
      if (answer === 'approved') {
        const [holds] = await tx`
          select id
          from gates
          where id = ${gate?.id ?? null}
            and organization_id = ${organization_id}
            and status = 'approved'
            and revoked_at is null
          for share
        `
        if (!holds) return undefined
      }
      const [intended] = await tx<{ revision: number }[]>`
        update github_requests
        set answer   = ${answer},
            revision = revision + 1
        where id = ${id}
          and organization_id = ${organization_id}
          and revision = ${request.revision}
          and state in ('open', 'held')
        returning revision
      `
      return intended?.revision
    })
    if (revision === undefined) return false
    request.revision = revision
    this.#set({ answer, revision })
    return true
  }

  async #answer(verdict: Extract<Verdict, { answer: Answer }>): Promise<boolean> {
    const { request, gate } = this
    this.isUnanswered = true
    // Another answer was sent, perhaps: GitHub knows whether it arrived.
    if (request.answer !== null && request.answer !== verdict.answer && !(await this.#isPending())) return this.#answered()
    request.revision = this.progress.revision
    if (request.answer !== verdict.answer && !(await this.#intend(verdict))) {
      this.isUnanswered = false
      this.#set({ due: 0 })
      return false
    }
    const comment = answerText(request, gate, verdict.answer, verdict.why)
    const answer = await this.#post(this.#path('/deployment_protection_rule'), ANSWERING, {
      environment_name: request.environment,
      state: verdict.answer,
      comment,
    })
    if (answer.status < 300 || isAnsweredBefore(answer)) return this.#answered()
    const failed = failureOf(answer)
    const isGone = [404, 422].includes(answer.status) && !(await this.#isPending())
    if (isGone) {
      this.isUnanswered = false
      this.#set({ state: 'closed' })
      return true
    }
    return this.#fail(failed)
  }

  #answered(): boolean {
    this.isUnanswered = false
    this.#set({ state: 'answered', held_until: null, due: null })
    return true
  }

  #fail(failed: Failure): false {
    this.failure = failed
    // It did not arrive, so it may be decided anew.
    if (!failed.isUncertain) this.#set({ answer: null })
    return false
  }

  #path = (below: string): string => `${repositoryPath(this.request)}/actions/runs/${this.request.run_id}${below}`

  /** Whether the environment of the run waits at GitHub. */
  async #isPending(): Promise<boolean> {
    const { installation, request, deadline } = this
    const token = await this.#token(LOOKING)
    const answer = await callGitHub(installation.url, this.#path('/pending_deployments'), { token, deadline })
    // If it cannot be read, it counts as waiting.
    if (answer.status !== 200 || !Array.isArray(answer.body)) return answer.status !== 404
    const wanted = request.environment.toLowerCase()
    return answer.body.some((each) => String(each?.environment?.name).toLowerCase() === wanted)
  }

  #token(permissions: Permissions): Promise<string> {
    const { installation, request, deadline } = this
    return tokenFor(installation, request.repository_id, grantedOf(permissions, installation.permissions), deadline)
  }

  /** Posts with a token; a second time with another one, if that was not accepted. */
  async #post(path: string, permissions: Permissions, body: object): Promise<GitHubAnswer> {
    const { installation, deadline } = this
    const token = await this.#token(permissions)
    const answer = await callGitHub(installation.url, path, { method: 'POST', token, body, deadline })
    if (answer.status !== 401) return answer
    forgetToken(token)
    return callGitHub(installation.url, path, { method: 'POST', token: await this.#token(permissions), body, deadline })
  }

  async #report(held_until: string | null): Promise<void> {
    const { request, gate } = this
    const text = reportText(request, gate, held_until)
    if (text === null || text === request.reported || request.report_count >= MAX_REPORTS) return
    const body = { environment_name: request.environment, comment: text }
    const answer = await this.#post(this.#path('/deployment_protection_rule'), ANSWERING, body)
    const failed = answer.status < 300 ? null : failureOf(answer)
    if (failed?.hold_seconds != null) this.failure = failed
    // One that GitHub does not take is not sent again: people see the gate.
    else this.#set({ reported: text, report_count: request.report_count + 1 })
  }

  async #setStatus(): Promise<void> {
    const { request, gate, installation } = this
    const wanted = request.link?.commit_statuses ? commitStateOf(request, gate) : null
    const mayWrite = installation.permissions.statuses === 'write'
    if (wanted === null || wanted === request.commit_status || !mayWrite || request.status_failures >= MAX_STATUS_FAILURES) return
    const path = `${repositoryPath(request)}/statuses/${request.commit}`
    const answer = await this.#post(path, SHOWING, commitStatusOf(request, wanted))
    if (answer.status < 300) return this.#set({ commit_status: wanted, status_failures: 0 })
    const failed = failureOf(answer)
    if (failed.hold_seconds !== null) this.failure ??= failed
    const status_failures = request.status_failures + 1
    this.#set({ status_failures, due: this.progress.due ?? retryDelay(status_failures) })
  }
}

const ANSWERING: Permissions = { deployments: 'write' }
const LOOKING: Permissions = { actions: 'read' }
const SHOWING: Permissions = { statuses: 'write' }

/** Never throws: what GitHub did not do is tried again. */
export async function attempt(lane: Lane, installation: Installation, item: DueRequest): Promise<RequestAttempt> {
  const begun = monotonicMs()
  const serving = new Serving(installation, { ...item })
  try {
    await serving.run()
  } catch (error) {
    const failure = failureFrom(error)
    if (!failure) log.error({ error, request: item.id }, 'a request of github could not be served')
    serving.failure = failure ?? {
      code: 'internal',
      detail: `Signalbox could not serve it because of an internal error (${errorClass(error)}).`,
      isUncertain: true,
      hold_seconds: null,
      isShut: false,
      timedOut: false,
    }
    if (!serving.failure.isUncertain && serving.isUnanswered) serving.progress.answer = null
  }
  serving.deadline.end()
  const { progress, gate, failure, isUnanswered } = serving
  if (failure !== null && progress.state !== 'answered') {
    progress.due = Math.max(retryDelay(item.attempt_count + 1), failure.hold_seconds ?? 0)
  }
  return {
    lane,
    item,
    target_since: '',
    succeeded: failure === null,
    installation,
    gate,
    progress,
    failure,
    isUnanswered,
    duration_ms: Math.round(monotonicMs() - begun),
  }
}
