import { type Freeze, isRecurring } from '../../core/freezes/held-until.ts'
import { policyPath } from '../environments/environments.ts'
import { wholeDurationText } from '../pages/components/measures.tsx'
import { FixedTime, Notice, Time } from '../pages/components/text.tsx'
import type { ExpectedFreeze, Hold } from './current.ts'

type FreezeNoticeProps = { project_id: string; environment: string; until: string | null }

export function FreezeNotice({ project_id, environment, until }: FreezeNoticeProps) {
  if (until === null) return null
  return (
    <Notice tone="warn">
      <bdi>{environment}</bdi> is frozen until <Time at={until} exact />. Approved deployments wait until then; tests, manual
      triggers and rollbacks are sent. <a href={policyPath(project_id, environment)}>Freezes</a>
    </Notice>
  )
}

const zoneOf = (freeze: Freeze): string => (isRecurring(freeze) ? freeze.time_zone : 'UTC')

const HoldLine = ({ of: { from, until }, zone }: { of: Hold; zone: string }) => (
  <p>
    {from === null ? 'now' : <FixedTime at={from} zone={zone} />} until <FixedTime at={until} zone={zone} />
  </p>
)

/** By the clock of its zone: that is what a rule counts by. */
const Expected = ({ of: { freeze, holds } }: { of: ExpectedFreeze }) => (
  <li>
    <strong>{freeze.name}</strong>
    {isRecurring(freeze) && (
      <>
        : <code>{freeze.rrule}</code>, each time for {wholeDurationText(freeze.duration_seconds)}
      </>
    )}
    <p class="hint">
      {holds.length === 0
        ? 'It is over: it never holds again.'
        : isRecurring(freeze)
          ? `Next times, in ${zoneOf(freeze)}:`
          : 'In UTC:'}
    </p>
    {holds.map((hold) => (
      <HoldLine of={hold} zone={zoneOf(freeze)} />
    ))}
  </li>
)

export const ExpectedFreezes = ({ of }: { of: ExpectedFreeze[] }) => (
  <ul class="list card">
    {of.map((each) => (
      <Expected of={each} />
    ))}
  </ul>
)
