/** What happened to something, in the order of the times. */
import type { ComponentChildren } from 'preact'
import { Time } from './text.tsx'

/** Something that happened. */
interface Step {
  at: string
  content: ComponentChildren
}

const minuteOf = ({ at }: Step): string => at.slice(0, 16)

/** Steps with their times: to the second if two of them fell into one minute. */
export function Timeline({ of }: { of: Step[] }) {
  const exact = new Set(of.map(minuteOf)).size < of.length ? 'seconds' : true
  return (
    <ol class="timeline">
      {of.map(({ at, content }) => (
        <li>
          <Time at={at} exact={exact} />
          <div>{content}</div>
        </li>
      ))}
    </ol>
  )
}
