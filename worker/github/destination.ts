/** Installations as destinations: how their requests are read, served and recorded. */
import { log } from '../../core/platform/log.ts'
import type { Destination } from '../delivery/destination.ts'
import { attempt, type RequestAttempt } from './attempt.ts'
import { fetchDue, nextDue } from './fetch-due.ts'
import { record } from './record.ts'
import type { DueRequest, Installation } from './request.ts'

export const github: Destination<Installation, DueRequest, RequestAttempt> = {
  kind: 'github',
  fetchDue,
  attempt,
  observe({ item, progress, failure, duration_ms }) {
    const about = { request: item.id, organization: item.organization_id, repository: item.full_name, run: item.run_id }
    const became = { state: progress.state, answer: progress.answer ?? undefined, error: failure?.code }
    log.info({ ...about, ...became, ms: duration_ms }, 'github')
  },
  // The address of GitHub does not change.
  afterTargetChange: (made) => made,
  record,
  scopeOf: ({ item: { organization_id, workspace_id, project_id } }) => ({ organization_id, workspace_id, project_id }),
  healthOf: ({ failure }) => ({
    has_succeeded: failure === null,
    timed_out: failure?.timedOut ?? false,
    hold_seconds: failure?.hold_seconds ?? null,
  }),
  isHealthy: ({ installation }) => !installation.isFailing,
  reasonToDisable: () => null,
  async disable() {},
  nextDue,
}
