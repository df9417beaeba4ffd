import { sql } from '../../core/database.ts'
import { notFound } from '../../core/problems.ts'
import type { Queryable } from '../../sql/index.ts'
import { offsetOf, paged } from '../plugins/pages.ts'
import type { Attempt, Dispatch, DispatchDetail, DispatchQuery } from './schema.ts'

const dispatchColumns = sql`
  id, hook_id, project_id, event, environment, status, attempt_count, max_attempts, next_attempt_at,
  response_status, response_body, duration_ms, error, sequence, redelivery_of, superseded_by, created_at, completed_at
`

/** A dispatch as lists show it. */
export async function getDispatch(db: Queryable, dispatch_id: string): Promise<Dispatch> {
  const [dispatch] = await db<Dispatch[]>`select ${dispatchColumns} from dispatches where id = ${dispatch_id}`
  if (!dispatch) throw notFound('dispatch')
  return dispatch
}

/** A dispatch once it is settled, else null. */
export async function settledDispatch(db: Queryable, dispatch_id: string): Promise<Dispatch | null> {
  const [dispatch] = await db<Dispatch[]>`
    select ${dispatchColumns} from dispatches where id = ${dispatch_id} and status <> 'pending'
  `
  return dispatch ?? null
}

/** A dispatch with what was sent, and every attempt. */
export async function getDispatchDetail(db: Queryable, dispatch_id: string): Promise<DispatchDetail> {
  const [dispatch] = await db<(Dispatch & { payload: string })[]>`
    select ${dispatchColumns}, body as payload from dispatches where id = ${dispatch_id}
  `
  if (!dispatch) throw notFound('dispatch')
  const attempts = await db<Attempt[]>`
    select
      number, started_at, address, dns_ms, first_byte_ms, duration_ms,
      response_status, response_headers, response_body, error
    from dispatch_attempts
    where dispatch_id = ${dispatch_id}
    order by number
  `
  return { ...dispatch, attempts }
}

/** A page of a hook's dispatches, newest first. */
export async function listDispatches(db: Queryable, hook_id: string, query: DispatchQuery) {
  const chosen = sql`
    hook_id = ${hook_id}
    and (${query.status ?? null}::text is null or status = ${query.status ?? null})
    and (${query.event ?? null}::text is null or event = ${query.event ?? null})
  `
  const [{ total }] = await db<[{ total: number }]>`select count(*) as total from dispatches where ${chosen}`
  const items = await db<Dispatch[]>`
    select ${dispatchColumns}
    from dispatches
    where ${chosen}
    order by created_at desc, id desc
    limit ${query.page_size} offset ${offsetOf(query)}
  `
  return paged(query, total, items)
}
