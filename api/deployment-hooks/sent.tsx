/** What was sent after the approval of a gate, on its page. */

import { withRollout } from '../../core/rollouts.ts'
import type { Queryable } from '../../sql/index.ts'
import { type Column, Empty, Section, Table } from '../pages/components/structure.tsx'
import { Time } from '../pages/components/text.tsx'
import type { ResourceKey } from '../plugins/resources.ts'
import { type Delivered, Outcome } from './outcome.tsx'

/** Dispatches that are shown, the newest first. */
const MAX_SENT = 20

/** A dispatch of the approval of a gate. */
interface SentDispatch extends Delivered {
  id: string
  hook_name: string
  environment: string
  version: string | null
  created_at: string
}

/** The dispatches of the approval of a gate, and their redeliveries, newest first. */
export const findSent = (db: Queryable, { id, organization_id }: ResourceKey<'gate'>) => db<SentDispatch[]>`
  select
    dispatch.id, hook.name as hook_name, dispatch.environment, dispatch.status, rollout.version, dispatch.created_at,
    case when rollout.id is not null then jsonb_build_object('state', rollout.state) end as rollout
  from (
    select id, organization_id, hook_id, environment, status, report_within_seconds, created_at
    from dispatches
    where gate_id = ${id}
      and organization_id = ${organization_id}
    order by created_at desc, id desc
    limit ${MAX_SENT}
  ) as dispatch
  join deployment_hooks as hook
    on hook.id = dispatch.hook_id
    and hook.organization_id = ${organization_id}
  ${withRollout}
  order by dispatch.created_at desc, dispatch.id desc
`

const columns: Column<SentDispatch>[] = [
  { head: 'Hook', main: true, cell: ({ id, hook_name }) => <a href={`/app/dispatches/${id}`}>{hook_name}</a> },
  { head: 'Environment', cell: ({ environment }) => <bdi>{environment}</bdi> },
  { head: 'Outcome', cell: (dispatch) => <Outcome of={dispatch} /> },
  { head: 'Version', cell: ({ version }) => (version === null ? <span class="hint">–</span> : <bdi>{version}</bdi>) },
  { head: 'Sent', cell: ({ created_at }) => <Time at={created_at} /> },
]

/** What the approval of a gate has sent. @param why it sent nothing, if it did not */
export function Sent({ of, why }: { of: SentDispatch[]; why: string }) {
  return (
    <Section title="What it sent" count={of.length} live="sent">
      {of.length === 0 ? <Empty>{why}</Empty> : <Table label="What it sent" columns={columns} rows={of} />}
    </Section>
  )
}
