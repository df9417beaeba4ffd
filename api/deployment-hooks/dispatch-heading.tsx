/** What became of a dispatch, at the top of its page: the deployment first, then the delivery. */
import type { ComponentChildren } from 'preact'
import { LACKS_APPROVAL } from '../../core/dispatches/errors.ts'
import { isMismatch, type RolloutState } from '../../core/rollouts.ts'
import { policyPath } from '../environments/paths.ts'
import { Notice, Time } from '../pages/components/text.tsx'
import type { DispatchOutlook } from './dispatches.ts'
import type { Rollout } from './rollout-schema.ts'
import type { Dispatch } from './schema.ts'

interface Seen {
  dispatch: Dispatch
  outlook: DispatchOutlook
}

/** What a pending dispatch waits for. */
function Waiting({ dispatch, outlook }: Seen) {
  const { event, error, attempt_count, max_attempts, next_attempt_at, held_until, project_id, environment } = dispatch
  const { cancel_requested, enabled, paused, hook_name, mode, leased_until } = outlook
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
        A freeze of <bdi>{environment}</bdi> holds it back. It {isSent} after <Time at={held_until} exact />.{' '}
        <a href={policyPath(project_id, environment)}>Freezes</a>
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

/** How the delivery ended, in one sentence. */
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

/** What became of the deployment, in one sentence. */
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
  if (state === 'failed') return <>The deployment{what} failed.</>
  if (state === 'in_progress') return <>The deployment{what} is in progress.</>
  if (state === 'unknown') return <>Its receiver did not report an outcome in time. A later report is still taken.</>
  if (state === 'not_delivered') {
    return (
      <>
        Not delivered: nothing was deployed to <bdi>{environment}</bdi>, as far as is known.
      </>
    )
  }
  return (
    <>
      Delivered; it waits for the report of the deployment to <bdi>{environment}</bdi>.
    </>
  )
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
