/** The health of a deployment hook or notification channel, on its page. */
import type { ComponentChildren } from 'preact'
import { Facts, Section } from '../pages/components/structure.tsx'
import { Notice, Time } from '../pages/components/text.tsx'
import type { Failure, Health } from './health.ts'

/** Says that attempts fail at the moment; nothing if the last one succeeded. */
export function Failing({ failures, first_failure_at }: Health) {
  if (failures === 0 || first_failure_at === null) return null
  return (
    <Notice tone="warn">
      {failures === 1
        ? 'The last attempt failed, '
        : `The last ${failures.toLocaleString('en')} attempts failed, the first of them `}
      <Time at={first_failure_at} />.
    </Notice>
  )
}

interface HealthSectionProps {
  of: Health
  sends: boolean
  nameOf: (failure: Failure) => ComponentChildren
}

/**
 * What waits, and how the last attempts went.
 * @param sends whether pending ones are sent: the destination is enabled and not paused
 * @param nameOf the event of a failure, or a link to its page
 */
export function HealthSection({ of: health, sends, nameOf }: HealthSectionProps) {
  const { pending, leased, next_attempt_at, held_until, last_success_at, last_failure_at, last_failures } = health
  const isHeld = held_until !== null && Date.parse(held_until) > Date.now()
  // Null if there was none since the destination was enabled or changed.
  const at = (time: string | null) => time && <Time at={time} />
  return (
    <Section title="Health">
      <Facts
        of={[
          ['Pending', <span class="number">{pending.toLocaleString('en')}</span>],
          ['Leased', leased > 0 ? <span class="number">{leased.toLocaleString('en')}</span> : null],
          ['Next attempt', sends && next_attempt_at !== null ? <Time at={next_attempt_at} /> : null],
          ['Asked to wait', isHeld ? <Time at={held_until} exact /> : null],
          ['Last success', at(last_success_at)],
          ['Last failed attempt', at(last_failure_at)],
        ]}
      />
      {last_failures.length > 0 && (
        <>
          <h3>Last failures</h3>
          <ul class="list">
            {last_failures.map((failure) => (
              <li>
                {nameOf(failure)}{' '}
                <span class="hint">
                  <Time at={failure.completed_at} />
                </span>
                {failure.error && <p class="hint">{failure.error.detail}</p>}
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  )
}
