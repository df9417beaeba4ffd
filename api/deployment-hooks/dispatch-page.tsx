/** The page of a dispatch: its state and the reason, its rollout, its attempts, and the request. */
import type { ComponentChildren } from 'preact'
import { PAYLOAD_TOO_LARGE } from '../../core/dispatch-failures.ts'
import { sql } from '../../core/platform/database.ts'
import { Nothing } from '../../core/values/schema.ts'
import { Form, Submit, SubmitTo } from '../pages/components/forms.tsx'
import { Facts, Section } from '../pages/components/structure.tsx'
import { Notice, State, Time } from '../pages/components/text.tsx'
import { excerptOf, headerLines, indented, Verbatim } from '../pages/components/verbatim.tsx'
import { action, page, pageRoutes } from '../pages/page.tsx'
import { waitUntilFinished } from '../plugins/waiting.ts'
import { Attempts } from './attempts.tsx'
import { type DispatchOutlook, finishedDispatch, getDispatchWithOutlook } from './dispatches.ts'
import { cancel, MAX_CANCEL_SECONDS, retry } from './pending.ts'
import { redeliver } from './redeliveries.ts'
import { RolloutSection, rolloutBytes } from './rollout-section.tsx'
import type { DispatchDetail } from './schema.ts'
import { cancelProblem, redeliveryProblem, retryProblem } from './transitions.ts'

/** How long an attempt is waited for, in seconds: most receivers respond within a moment. */
const ATTEMPT_SECONDS = 3
/** What the payload, with the texts of the rollout, and the headers take of the page. */
const PAYLOAD_BYTES = 24_576
const HEADER_BYTES = 8_192

interface Seen {
  dispatch: DispatchDetail
  outlook: DispatchOutlook
}

const link = (id: string, text: string) => <a href={`/app/dispatches/${id}`}>{text}</a>

/** What a pending dispatch waits for. */
function Waiting({ dispatch, outlook }: Seen) {
  const { event, error, attempt_count, max_attempts, next_attempt_at } = dispatch
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

/** Why the dispatch is in its state, in one sentence. */
function Reason({ dispatch, outlook }: Seen) {
  const { status, error, attempt_count, max_attempts, response_status } = dispatch
  if (status === 'pending') return <Waiting dispatch={dispatch} outlook={outlook} />
  if (status === 'succeeded') {
    const how = response_status === null ? 'Its claimer acknowledged it' : `The receiver accepted it with ${response_status}`
    return (
      <Notice tone="good">
        {how}, at attempt {attempt_count} of {max_attempts}.
      </Notice>
    )
  }
  if (status === 'cancelled') return <Notice tone="warn">{error?.detail ?? 'It was cancelled.'}</Notice>
  return (
    <Notice tone="bad">
      {error?.detail ?? 'It failed.'}{' '}
      {attempt_count === 1 ? 'No other attempt follows.' : `All ${attempt_count} attempts failed.`}
    </Notice>
  )
}

/** Why there is nothing to do with a dispatch. */
function whyNoAction({ status, error }: DispatchDetail, { enabled }: DispatchOutlook): string {
  if (status === 'pending') return 'It is being cancelled.'
  if (error?.code === PAYLOAD_TOO_LARGE.code) return 'There is nothing to redeliver: its body was too large to be kept.'
  return enabled ? 'It cannot be redelivered.' : 'Enable the hook to redeliver it.'
}

/** The actions that the state of the dispatch allows. */
function Actions({ dispatch, outlook }: Seen) {
  const { id } = dispatch
  const hook = { name: outlook.hook_name, enabled: outlook.enabled, paused: outlook.paused }
  const path = `/app/dispatches/${id}`
  const others = ['redeliver', 'retry', 'cancel'].map((name) => `${path}/${name}`)
  const offers = {
    redeliver: !redeliveryProblem(dispatch, hook),
    retry: !retryProblem({ ...dispatch, ...outlook }, hook),
    cancel: !cancelProblem(dispatch) && !outlook.cancel_requested,
  }
  if (offers.redeliver) {
    return (
      <Form action={`${path}/redeliver`} others={others}>
        <Submit>Redeliver</Submit>
        <p class="hint">
          {outlook.mode === 'pull' ? 'Offers the same payload again' : 'Sends the same payload again'}, as a new dispatch with the
          same webhook-id.
        </p>
      </Form>
    )
  }
  if (!offers.retry && !offers.cancel) return <p class="hint">{whyNoAction(dispatch, outlook)}</p>
  return (
    <Form action={`${path}/${offers.retry ? 'retry' : 'cancel'}`} others={others}>
      <div class="buttons">
        {offers.retry && <Submit>Retry now</Submit>}
        {offers.cancel && (
          <SubmitTo action={`${path}/cancel`} kind="danger" confirm="Cancel this dispatch?">
            Cancel
          </SubmitTo>
        )}
      </div>
    </Form>
  )
}

function Details({ dispatch, outlook }: Seen) {
  const { hook_id, event, environment, sequence, attempts, redelivery_of, superseded_by, created_at, completed_at } = dispatch
  return (
    <Section title="Details">
      <Facts
        of={[
          ['Hook', <a href={`/app/deployment-hooks/${hook_id}`}>{outlook.hook_name}</a>],
          ['Event', event],
          ['Environment', environment],
          ['Sequence', sequence === null ? null : <span class="number">{sequence}</span>],
          ['Sent to', attempts.at(-1)?.address ?? null],
          ['Redelivery of', redelivery_of && link(redelivery_of, 'the original')],
          ['Superseded by', superseded_by && link(superseded_by, 'a newer dispatch')],
          ['Created', <Time at={created_at} exact />],
          ['Completed', completed_at && <Time at={completed_at} exact />],
          ['Id', <code>{dispatch.id}</code>],
        ]}
      />
    </Section>
  )
}

function Request({ dispatch: { id, payload, request_headers, rollout } }: { dispatch: DispatchDetail }) {
  const room = PAYLOAD_BYTES - (rollout === null ? 0 : rolloutBytes(rollout))
  const whole = `GET /api/v1/dispatches/${id}`
  return (
    <Section title="Request">
      <h3>Headers</h3>
      <Verbatim label="Headers of the request" excerpt={excerptOf(headerLines(request_headers), HEADER_BYTES)} whole={whole} />
      <h3>Payload</h3>
      <p class="hint">Indented for reading. The signed bytes have no white space.</p>
      <Verbatim label="Payload of the request" excerpt={excerptOf(indented(payload), room)} whole={whole} />
    </Section>
  )
}

const dispatchPage = page('/app/dispatches/:dispatch_id', { dispatch: 'member' }, async ({ dispatch: place }) => {
  const seen = await getDispatchWithOutlook(sql, place)
  const { dispatch, outlook } = seen
  return {
    title: dispatch.sequence === null ? dispatch.event : `${dispatch.event} #${dispatch.sequence}`,
    aside: <State of={dispatch.status} />,
    crumbs: [{ href: `/app/deployment-hooks/${dispatch.hook_id}`, text: outlook.hook_name }],
    main: (
      <>
        <Reason {...seen} />
        <div class="columns">
          <div>
            {dispatch.rollout && <RolloutSection dispatch={dispatch} rollout={dispatch.rollout} outlook={outlook} />}
            <Attempts dispatch={dispatch} mode={outlook.mode} />
            <Request dispatch={dispatch} />
          </div>
          <div>
            {place.role === 'admin' && (
              <Section title="Actions">
                <Actions {...seen} />
              </Section>
            )}
            <Details {...seen} />
          </div>
        </div>
      </>
    ),
  }
})

const redeliverAction = action(
  '/app/dispatches/:dispatch_id/redeliver',
  { dispatch: 'admin' },
  { on: dispatchPage, body: Nothing },
  async ({ request, caller, dispatch, change }) => {
    const { id } = await change((tx) => redeliver(tx, caller, dispatch))
    await waitUntilFinished(request, ATTEMPT_SECONDS, () => finishedDispatch(sql, { ...dispatch, id }))
    return { to: `/app/dispatches/${id}`, notice: 'This is the redelivery.' }
  },
)

const retryAction = action(
  '/app/dispatches/:dispatch_id/retry',
  { dispatch: 'admin' },
  { on: dispatchPage, body: Nothing },
  async ({ request, caller, dispatch, change }) => {
    await change((tx) => retry(tx, caller, dispatch))
    await waitUntilFinished(request, ATTEMPT_SECONDS, () => finishedDispatch(sql, dispatch))
    return { notice: 'It was retried.' }
  },
)

const cancelAction = action(
  '/app/dispatches/:dispatch_id/cancel',
  { dispatch: 'admin' },
  { on: dispatchPage, body: Nothing },
  async ({ request, caller, dispatch, change }) => {
    await change((tx) => cancel(tx, caller, dispatch))
    const finished = await waitUntilFinished(request, MAX_CANCEL_SECONDS, () => finishedDispatch(sql, dispatch))
    return {
      notice: finished ? 'It gets no further attempt.' : 'It is cancelled after the attempt in flight, unless that succeeds.',
    }
  },
)

export const dispatchPages = pageRoutes('dispatch-pages', dispatchPage, redeliverAction, retryAction, cancelAction)
