/** The outcome of a dispatch: the deployment first, then the delivery, and the history of its rollout. */
import type { ComponentChildren } from 'preact'
import { LACKS_APPROVAL } from '../../core/dispatches/errors.ts'
import { isMismatch, type RolloutState } from '../../core/rollouts/rollouts.ts'
import type { Digest } from '../../core/values/digest.ts'
import { policyPath } from '../environments/environments.ts'
import { WebLink } from '../pages/components/links.tsx'
import { Facts, Section, Timeline } from '../pages/components/structure.tsx'
import { Notice, Prose, State, Time } from '../pages/components/text.tsx'
import { excerptOf } from '../pages/components/verbatim.tsx'
import type { Rollout } from '../rollouts/schema.ts'
import type { DispatchOutlook } from './dispatches.ts'
import { Mismatch, ShortDigest } from './outcome.tsx'
import type { Dispatch } from './schema.ts'

type Seen = { dispatch: Dispatch; outlook: DispatchOutlook }

function Waiting({ dispatch, outlook }: Seen) {
  const { event, error, attempt_count, max_attempts, next_attempt_at, held_until, project_id, environment } = dispatch
  const { cancel_requested, enabled, paused, hook_name, mode, leased_until, soaks_in } = outlook
  const say = (text: ComponentChildren) => <Notice tone="warn">{text}</Notice>
  if (leased_until !== null) {
    return say(
      <>
        It is leased until <Time at={leased_until} exact />, for attempt {attempt_count + 1} of {max_attempts}.{' '}
        {cancel_requested
          ? 'It is being cancelled: it gets no further attempt.'
          : 'If it is not acknowledged by then, the attempt has failed.'}
      </>,
    )
  }
  if (cancel_requested) return say('It is being cancelled: it gets no further attempt after the one in flight.')
  const [sent, isSent] = mode === 'pull' ? ['claimed', 'can be claimed'] : ['sent', 'is sent']
  if (event !== 'test.ping' && !enabled) return say(`The hook ${hook_name} is disabled, so it is not ${sent}.`)
  if (event !== 'test.ping' && paused) return say(`The hook ${hook_name} is paused. It ${isSent} when the hook is resumed.`)
  if (held_until !== null)
    return say(
      <>
        {soaks_in === null ? (
          <>
            A freeze of <bdi>{environment}</bdi> holds it back.
          </>
        ) : (
          <>
            What was approved must first run in <bdi>{soaks_in}</bdi>.
          </>
        )}{' '}
        It {isSent} after <Time at={held_until} exact />. <a href={policyPath(project_id, environment)}>Policy</a>
      </>,
    )
  if (error === null) return <p>{mode === 'pull' ? 'It waits until it is claimed.' : 'It has not been sent yet.'}</p>
  return say(
    <>
      {error.detail} Attempt {attempt_count + 1} of {max_attempts} follows
      {next_attempt_at && (
        <>
          : <Time at={next_attempt_at} />
        </>
      )}
      .
    </>,
  )
}

/** Leads to what a dispatch that was not sent lacks. */
function Lacking({ dispatch: { error, project_id, environment } }: Pick<Seen, 'dispatch'>) {
  if (!LACKS_APPROVAL.includes(error?.code ?? '')) return null
  return (
    <p>
      <a href={policyPath(project_id, environment)}>
        What <bdi>{environment}</bdi> requires
      </a>
    </p>
  )
}

function deliveryOf({ status, error, attempt_count, max_attempts, response_status }: Dispatch): string {
  if (status === 'succeeded') {
    const how = response_status === null ? 'Its claimer acknowledged it' : `The receiver accepted it with ${response_status}`
    return `${how}, at attempt ${attempt_count} of ${max_attempts}.`
  }
  if (status === 'cancelled') return error?.detail ?? 'It was cancelled.'
  const last = attempt_count === 1 ? 'No other attempt follows.' : `All ${attempt_count} attempts failed.`
  return `${error?.detail ?? 'It failed.'} ${last}`
}

type Tone = Parameters<typeof Notice>[0]['tone']

/** Of a delivery whose receiver does not report. */
const DELIVERY_TONES: Record<string, Tone> = { succeeded: 'good', failed: 'bad', cancelled: 'warn' }

const DEPLOYMENT_TONES: Partial<Record<RolloutState, Tone>> = {
  succeeded: 'good',
  failed: 'bad',
  unknown: 'warn',
  not_delivered: 'bad',
}

function Deployment({ environment, rollout }: { environment: string; rollout: Rollout }) {
  const { state, version } = rollout
  const what = (
    <>
      {version !== null && (
        <>
          {' '}
          of <bdi>{version}</bdi>
        </>
      )}{' '}
      to <bdi>{environment}</bdi>
    </>
  )
  if (state === 'succeeded') {
    return (
      <>
        {version === null ? 'Deployed' : <bdi>{version}</bdi>} {version !== null && 'is deployed '}to <bdi>{environment}</bdi>
        {isMismatch(rollout) ? ', but it is not what was approved.' : '.'}
      </>
    )
  }
  if (state === 'failed') {
    return (
      <>
        The deployment{what} failed{rollout.description === null ? '.' : ': '}
        <bdi>{rollout.description}</bdi>
      </>
    )
  }
  if (state === 'in_progress') return <>The deployment{what} is in progress.</>
  if (state === 'unknown') return <>Its receiver did not report an outcome in time. A later report is still taken.</>
  const to = <bdi>{environment}</bdi>
  if (state === 'not_delivered') return <>Not delivered: nothing was deployed to {to}, as far as is known.</>
  return <>Delivered; it waits for the report of the deployment to {to}.</>
}

/** The outcome that counts, in one sentence, and how the delivery went in another. */
export function Heading({ dispatch, outlook }: Seen) {
  const { status, environment, rollout } = dispatch
  const delivery = status === 'pending' ? <Waiting dispatch={dispatch} outlook={outlook} /> : null
  if (rollout === null || (rollout.state === 'awaiting' && delivery))
    return (
      delivery ?? (
        <>
          <Notice tone={DELIVERY_TONES[status] ?? 'warn'}>{deliveryOf(dispatch)}</Notice>
          <Lacking dispatch={dispatch} />
        </>
      )
    )
  const tone = isMismatch(rollout) ? 'bad' : DEPLOYMENT_TONES[rollout.state]
  const sentence = <Deployment environment={environment} rollout={rollout} />
  return (
    <>
      {tone ? <Notice tone={tone}>{sentence}</Notice> : <p>{sentence}</p>}
      {delivery ?? <p>Delivery: {deliveryOf(dispatch)}</p>}
      <Lacking dispatch={dispatch} />
    </>
  )
}

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

interface Occurrence {
  at: string
  state: string
  text: string
  by?: string
}

function endOf(status: Dispatch['status'], error: Dispatch['error']): { state: string; text: string } {
  if (status === 'succeeded') return { state: 'delivered', text: 'Delivered' }
  if (status === 'failed') return { state: 'failed', text: 'Given up' }
  return { state: 'cancelled', text: { expired: 'Expired', superseded: 'Superseded' }[error?.code ?? ''] ?? 'Cancelled' }
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

type RolloutSectionProps = { dispatch: Dispatch; rollout: Rollout; outlook: DispatchOutlook }

export function RolloutSection({ dispatch, rollout, outlook }: RolloutSectionProps) {
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
