/** What became of a dispatch, in the one word that counts: of the deployment if its receiver reports, else of the delivery. */
import { shortDigest } from '../../core/gates.ts'
import { isMismatch, type ReportedDigest, type RolloutState } from '../../core/rollouts.ts'
import type { Digest } from '../../core/values/digest.ts'
import { State } from '../pages/components/text.tsx'
import type { Dispatch } from './schema.ts'

/** What decides about the outcome of a dispatch. */
export interface Delivered {
  status: Dispatch['status']
  rollout: { state: RolloutState } | null
}

const TEXTS: Partial<Record<RolloutState, string>> = {
  awaiting: 'waiting for a report',
  succeeded: 'deployed',
  unknown: 'no report in time',
}

/** The outcome of a dispatch. */
export function Outcome({ of: { status, rollout } }: { of: Delivered }) {
  // Nothing can be reported about what is on its way, but it may have been.
  if (rollout === null || (status === 'pending' && rollout.state === 'awaiting')) return <State of={status} />
  return <RolloutOutcome state={rollout.state} />
}

/** The outcome of a rollout. */
export const RolloutOutcome = ({ state }: { state: RolloutState }) => <State of={state} text={TEXTS[state]} />

/** A digest, in short. */
export const ShortDigest = ({ of }: { of: Digest }) => <code title={of.gitCommit ?? of.sha256}>{shortDigest(of)}</code>

/** Says that a rollout is not of what was approved; nothing if it is. */
export const Mismatch = ({ of }: { of: ReportedDigest }) =>
  isMismatch(of) ? <State of="mismatch" tone="bad" text="not what was approved" /> : null
