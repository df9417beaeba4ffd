/** A request as the lane of its installation reads it. */

import type { GateSource, GitHubPerson } from '../../core/gates/sources.ts'
import type { Installed } from '../../core/github/client.ts'
import type { DatabaseClock } from '../../core/platform/clock.ts'
import type { Due } from '../delivery/destination.ts'

/** The installation that requests belong to. */
export interface Installation extends Installed {
  permissions: Record<string, unknown>
  account_type: string
  isFailing: boolean
  clock: DatabaseClock
}

export type Answer = 'approved' | 'rejected'

export type CommitState = 'pending' | 'success' | 'failure' | 'error'

export interface AttemptFailure {
  code: string
  detail: string
}

export interface DueRequest extends Due {
  organization_id: string
  workspace_id: string
  project_id: string
  repository_id: number
  full_name: string
  is_private: boolean
  run_id: number
  /** As GitHub writes it; and as the project does, once that is known. */
  environment: string
  gate_environment: string | null
  commit: string
  ref: string
  run_url: string
  asked_by: GitHubPerson[]
  jobs: number
  state: GateSource['state']
  gate_id: string | null
  refusal: string | null
  answer: Answer | null
  error: AttemptFailure | null
  report_count: number
  reported: string | null
  commit_status: CommitState | null
  status_failures: number
  /** For how long it is open. */
  open_seconds: number
  revision: number
  /** What the project is linked to; null if it is not linked to this repository by this installation. */
  link: { linked_name: string; commit_statuses: boolean } | null
}

/** The repository in paths of the API. */
export const repositoryPath = ({ full_name }: Pick<DueRequest, 'full_name'>): string =>
  `/repos/${full_name.split('/').map(encodeURIComponent).join('/')}`
