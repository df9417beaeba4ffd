/** Freezes in words: what each says, and the next times in which it holds. */
import { type Freeze, isRecurring } from '../../core/freezes/held-until.ts'
import { wholeDurationText } from '../pages/components/measures.tsx'
import { FixedTime } from '../pages/components/text.tsx'
import type { ExpectedFreeze, Hold } from './next-holds.ts'

const zoneOf = (freeze: Freeze): string => (isRecurring(freeze) ? freeze.time_zone : 'UTC')

function HoldLine({ of: { from, until }, zone }: { of: Hold; zone: string }) {
  return (
    <p>
      {from === null ? 'now' : <FixedTime at={from} zone={zone} />} until <FixedTime at={until} zone={zone} />
    </p>
  )
}

/** By the clock of its zone: that is what a rule counts by. */
function Expected({ of: { freeze, holds } }: { of: ExpectedFreeze }) {
  return (
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
}

export const ExpectedFreezes = ({ of }: { of: ExpectedFreeze[] }) => (
  <ul class="list card">
    {of.map((each) => (
      <Expected of={each} />
    ))}
  </ul>
)
