/** Where a gate comes from, if no person or program has opened it here: a workflow run at GitHub that waits for it. */
import type { Fragment } from '../../sql/index.ts'
import { instant, sql } from '../platform/database.ts'

/** A person at GitHub. */
export interface GitHubPerson {
  id: number
  login: string
}

/** The workflow run that waits for a gate. */
export interface GateSource {
  type: 'github'
  /** `owner/name`. */
  repository: string
  run_id: number
  run_url: string
  /** As GitHub writes it. */
  environment: string
  ref: string
  /** Who sent, started or re-ran it. */
  asked_by: GitHubPerson[]
  /** `open`: it waits. `held`: its approval waits for a freeze or a soak. `answered`; `closed`: there is nothing to answer any more. */
  state: 'open' | 'held' | 'answered' | 'closed'
  answered_at: string | null
  /** Why it is not answered yet. */
  error: { code: string; detail: string } | null
}

/** SQL: where a row of `gates` comes from, with the request that is open, or else the newest one; null if it was opened here. */
export const gateSource: Fragment = sql`
  case when gates.source is not null then
    '{"state": "closed", "answered_at": null, "error": null}' || gates.source || coalesce(
      (
        select jsonb_build_object(
          'repository', request.full_name, 'run_id', request.run_id, 'run_url', request.run_url,
          'environment', request.environment, 'ref', request.ref, 'state', request.state,
          'answered_at', ${instant(sql`request.answered_at`)}, 'error', request.error,
          'asked_by', (
            select coalesce(jsonb_agg(distinct person), '[]')
            from github_requests as joined
            cross join jsonb_array_elements(joined.asked_by) as person
            where joined.gate_id = gates.id
              and joined.organization_id = gates.organization_id
          )
        )
        from github_requests as request
        where request.gate_id = gates.id and request.organization_id = gates.organization_id
        order by request.state in ('open', 'held') desc, request.opened_at desc, request.id desc
        limit 1
      ),
      '{}'
    )
  end
`
