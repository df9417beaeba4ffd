/** The rollout of a dispatch, on its page: what its receiver reported, and when. */
import { isMismatch } from '../../core/rollouts.ts'
import type { Digest } from '../../core/values/digest.ts'
import { WebLink } from '../pages/components/links.tsx'
import { Facts, Section } from '../pages/components/structure.tsx'
import { Prose, State, Time } from '../pages/components/text.tsx'
import { Timeline } from '../pages/components/timeline.tsx'
import { excerptOf } from '../pages/components/verbatim.tsx'
import type { DispatchOutlook } from './dispatches.ts'
import { Mismatch, ShortDigest } from './outcome.tsx'
import type { Rollout } from './rollout-schema.ts'
import type { Dispatch } from './schema.ts'

/** What the description and the text of the link take of the page. */
const DESCRIPTION_BYTES = 4_096
const LINK_BYTES = 120

const shortened = (text: string, limit: number): string => {
  const excerpt = excerptOf(text, limit)
  return excerpt.isCut ? `${excerpt.text}…` : excerpt.text
}

/** What the texts of a rollout take of the page. */
export const rolloutBytes = ({ url, description }: Rollout): number =>
  excerptOf(description ?? '', DESCRIPTION_BYTES).bytes + excerptOf(url ?? '', Number.POSITIVE_INFINITY).bytes

/** Something that happened to a rollout. */
interface Occurrence {
  at: string
  state: string
  text: string
  by?: string
}

/** How the delivery ended. */
function endOf(status: Dispatch['status'], error: Dispatch['error']): { state: string; text: string } {
  if (status === 'succeeded') return { state: 'delivered', text: 'Delivered' }
  if (status === 'failed') return { state: 'failed', text: 'Given up' }
  const text = { expired: 'Expired', superseded: 'Superseded' }[error?.code ?? ''] ?? 'Cancelled'
  return { state: 'cancelled', text }
}

/** What happened to the rollout, oldest first, as far as it is kept: of reports of progress the first and the last. */
function historyOf(
  { status, error, created_at, completed_at }: Dispatch,
  rollout: Rollout,
  outlook: DispatchOutlook,
): Occurrence[] {
  const { state, reported_at } = rollout
  const { started_at, unknown_at } = outlook
  const steps: Occurrence[] = [{ at: created_at, state: 'created', text: 'Dispatched' }]
  if (completed_at !== null) steps.push({ at: completed_at, ...endOf(status, error) })
  if (started_at !== null) steps.push({ at: started_at, state: 'in_progress', text: 'In progress' })
  if (unknown_at !== null && state !== 'not_delivered')
    steps.push({ at: unknown_at, state: 'unknown', text: 'Nothing reported in time' })
  if (reported_at !== null && reported_at !== started_at && state !== 'unknown') {
    const text = { succeeded: 'Succeeded', failed: 'Failed' }[state as string] ?? 'Still in progress'
    steps.push({ at: reported_at, state, text, by: reporterOf(outlook) })
  }
  return steps.sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
}

const reporterOf = ({ reported_by_name }: DispatchOutlook): string => reported_by_name ?? 'the receiver'

/** What is to be expected, if the rollout has no outcome yet. */
function Expected({ state, deadline_at }: Rollout) {
  if (state !== 'awaiting' && state !== 'in_progress') return null
  if (deadline_at === null) return <p class="hint">The time for a report starts when the dispatch is delivered.</p>
  return (
    <p class="hint">
      If its receiver does not report by <Time at={deadline_at} exact />, the outcome becomes unknown.
    </p>
  )
}

/** A digest, as a whole where it differs from another: both may begin with the same digits. */
const Compared = ({ of, isWhole }: { of: Digest; isWhole: boolean }) =>
  isWhole ? <code class="whole">{of.gitCommit ?? of.sha256}</code> : <ShortDigest of={of} />

/** The rollout of a dispatch. */
export function RolloutSection({
  dispatch,
  rollout,
  outlook,
}: {
  dispatch: Dispatch
  rollout: Rollout
  outlook: DispatchOutlook
}) {
  const { state, version, url, description, digest, approved_digest, reported_at } = rollout
  return (
    <Section title="Rollout" aside={<State of={state} />}>
      <Expected {...rollout} />
      <Facts
        of={[
          ['Environment', <bdi>{dispatch.environment}</bdi>],
          ['Version', version && <bdi>{version}</bdi>],
          [
            'Digest',
            digest && (
              <>
                <Compared of={digest} isWhole={isMismatch(rollout)} /> <Mismatch of={rollout} />
              </>
            ),
          ],
          ['Approved', approved_digest && <Compared of={approved_digest} isWhole={isMismatch(rollout)} />],
          ['Page', url && <WebLink href={url} limit={LINK_BYTES} />],
          ['Description', description && <Prose>{shortened(description, DESCRIPTION_BYTES)}</Prose>],
          [
            'Last reported',
            reported_at && (
              <>
                <Time at={reported_at} /> by {reporterOf(outlook)}
              </>
            ),
          ],
        ]}
      />
      <h3>History</h3>
      <Timeline
        of={historyOf(dispatch, rollout, outlook).map(({ at, state: word, text, by }) => ({
          at,
          content: (
            <>
              <State of={word} text={text} />
              {by && <span class="hint"> by {by}</span>}
            </>
          ),
        }))}
      />
    </Section>
  )
}
