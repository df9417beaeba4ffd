/** What an attempt changes of a request. */
import type { Answer, CommitState, DueRequest } from './request.ts'

/** The request after an attempt: what is recorded of it. */
export interface Progress {
  state: DueRequest['state']
  answer: Answer | null
  refusal: string | null
  held_until: string | null
  report_count: number
  reported: string | null
  commit_status: CommitState | null
  status_failures: number
  /** Of the request as it is known here: a higher one was changed by others meanwhile. */
  revision: number
  /** When there is something to do next: after so many seconds; at a time; null: when something changes. */
  due: number | string | null
}

/** The request as it was read. */
export const progressOf = ({
  state,
  answer,
  refusal,
  report_count,
  reported,
  commit_status,
  status_failures,
  revision,
}: DueRequest): Progress => ({
  state,
  answer,
  refusal,
  held_until: null,
  report_count,
  reported,
  commit_status,
  status_failures,
  revision,
  due: null,
})
