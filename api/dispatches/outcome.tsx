/** The outcome of a dispatch, in the one word that counts: of the deployment if its receiver reports, else of the delivery. */
import { shortDigest } from '../../core/gates/gates.ts'
import { isMismatch, type ReportedDigest, type RolloutState, withRollout } from '../../core/rollouts/rollouts.ts'
import type { Digest } from '../../core/values/digest.ts'
import type { Queryable } from '../../sql/index.ts'
import { type RowParts, Rows, Section } from '../pages/components/structure.tsx'
import { State, Time } from '../pages/components/text.tsx'
import type { ResourceKey } from '../plugins/resources.ts'
import type { Dispatch } from './schema.ts'

export type Delivered = { status: Dispatch['status']; rollout: { state: RolloutState } | null }

const TEXTS: Partial<Record<RolloutState, string>> = {
  awaiting: 'waiting for a report',
  unknown: 'no report in time',
}

export function Outcome({ of: { status, rollout } }: { of: Delivered }) {
  // Nothing can be reported about what is on its way, but it may have been.
  if (rollout === null || (status === 'pending' && rollout.state === 'awaiting')) return <State of={status} />
  return <RolloutOutcome state={rollout.state} />
}

export const RolloutOutcome = ({ state }: { state: RolloutState }) => <State of={state} text={TEXTS[state]} />

export const ShortDigest = ({ of }: { of: Digest }) => <code title={of.gitCommit ?? of.sha256}>{shortDigest(of)}</code>

/** Says that a rollout is not of what was approved; nothing if it is. */
export const Mismatch = ({ of }: { of: ReportedDigest }) =>
  isMismatch(of) ? <State of="mismatch" tone="bad" text="not what was approved" /> : null

interface Titled {
  event: string
  environment: string
  sequence: number | null
  rollout: { version: string | null } | null
}

/** What a dispatch brings where, as far as it is known. */
export function dispatchTitle({ event, environment, sequence, rollout }: Titled): string {
  if (event === 'test.ping') return 'Test ping'
  if (rollout?.version) return `${rollout.version} to ${environment}`
  return `${event === 'deployment.rollback' ? 'Rollback' : 'Dispatch'} #${sequence} to ${environment}`
}

const MAX_SENT = 20

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
    where gate_id = ${id} and organization_id = ${organization_id}
    order by created_at desc, id desc
    limit ${MAX_SENT}
  ) as dispatch
  join deployment_hooks as hook on hook.id = dispatch.hook_id and hook.organization_id = ${organization_id}
  ${withRollout}
  order by dispatch.created_at desc, dispatch.id desc
`

const rowOf = (dispatch: SentDispatch): RowParts => ({
  state: <Outcome of={dispatch} />,
  href: `/app/dispatches/${dispatch.id}`,
  what: dispatch.hook_name,
  beside: (
    <>
      <bdi>{dispatch.environment}</bdi>
      {dispatch.version !== null && (
        <>
          {' '}
          · <bdi>{dispatch.version}</bdi>
        </>
      )}
    </>
  ),
  end: <Time at={dispatch.created_at} />,
})

/** What the approval of a gate has sent. @param why it sent nothing, if it did not */
export const Sent = ({ of, why }: { of: SentDispatch[]; why: string }) => (
  <Section title="What it sent" count={of.length} live="sent">
    <Rows label="What it sent" of={of} row={rowOf}>
      {why}
    </Rows>
  </Section>
)
