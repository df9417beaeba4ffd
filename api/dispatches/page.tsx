/** The page of a dispatch: its state and the reason, its rollout, its attempts, and the request. */
import { LACKS_APPROVAL, PAYLOAD_TOO_LARGE } from '../../core/dispatches/errors.ts'
import { sql } from '../../core/platform/database.ts'
import { MAX_VERSION } from '../../core/rollouts/rollouts.ts'
import { Nothing, Shape, type Static, Text } from '../../core/values/schema.ts'
import { Folded } from '../pages/components/folded.tsx'
import { Choice, Field, Form, Submit, SubmitTo, TextArea } from '../pages/components/forms.tsx'
import { Facts, Section } from '../pages/components/structure.tsx'
import { Time } from '../pages/components/text.tsx'
import { excerptOf, headerLines, indented, Verbatim } from '../pages/components/verbatim.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { DIGEST_HINT, digestIn } from '../pages/typed-texts.ts'
import { resourceKey } from '../plugins/resources.ts'
import { bodyInput } from '../plugins/validation.ts'
import { waitUntilFinished } from '../plugins/waiting.ts'
import { invalidField, Problem } from '../problems.ts'
import { tabCrumb } from '../projects/tabs.tsx'
import { reportRollout } from '../rollouts/reports.ts'
import { MAX_DESCRIPTION, ReportInput, type Rollout } from '../rollouts/schema.ts'
import { Attempts } from './attempts.tsx'
import { type DispatchOutlook, endOfDispatch, getDispatchWithOutlook } from './dispatches.ts'
import { getOrigin, type Origin } from './origin.ts'
import { originFacts } from './origin-facts.tsx'
import { dispatchTitle, Mismatch, Outcome } from './outcome.tsx'
import { cancel, cancelProblem, MAX_CANCEL_SECONDS, redeliveryProblem, retry, retryProblem } from './pending.ts'
import { redeliver } from './redeliveries.ts'
import type { DispatchDetail } from './schema.ts'
import { Heading, RolloutSection, rolloutBytes } from './sections.tsx'

/** How long an attempt is waited for, in seconds: most receivers respond within a moment. */
const ATTEMPT_SECONDS = 3
/** What the payload, with the texts of the rollout, and the headers take of the page. */
const PAYLOAD_BYTES = 18_432
const HEADER_BYTES = 8_192

type Seen = { dispatch: DispatchDetail; outlook: DispatchOutlook }

const link = (id: string, text: string) => <a href={`/app/dispatches/${id}`}>{text}</a>

function whyNoAction({ status, error }: DispatchDetail, { enabled, refusal }: DispatchOutlook): string {
  if (status === 'pending') return 'It is being cancelled.'
  if (error?.code === PAYLOAD_TOO_LARGE.code) return 'There is nothing to redeliver: its body was too large to be kept.'
  if (LACKS_APPROVAL.includes(refusal ?? error?.code ?? ''))
    return 'It cannot be redelivered without an approval. Have a gate approved for its environment, which makes a new dispatch.'
  return enabled ? 'It cannot be redelivered.' : 'Enable the hook to redeliver it.'
}

function Actions({ dispatch, outlook }: Seen) {
  const { id } = dispatch
  const hook = { name: outlook.hook_name, enabled: outlook.enabled, paused: outlook.paused }
  const path = `/app/dispatches/${id}`
  const others = ['redeliver', 'retry', 'cancel'].map((name) => `${path}/${name}`)
  const offers = {
    redeliver: outlook.refusal === null && !redeliveryProblem(dispatch, hook),
    retry: !retryProblem({ ...dispatch, ...outlook }, hook),
    cancel: !cancelProblem(dispatch) && !outlook.cancel_requested,
  }
  if (offers.redeliver) {
    return (
      <Form action={`${path}/redeliver`} others={others}>
        <Submit kind="quiet" confirm={dispatch.rollout?.state === 'succeeded' ? 'It was deployed. Send it again?' : undefined}>
          Redeliver
        </Submit>
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

/** Whose change it is. */
function Change({ of, event }: { of: Origin; event: string }) {
  const facts = originFacts(of, event)
  return facts.some(([, value]) => value !== null) ? (
    <Section title="Change">
      <Facts of={facts} />
    </Section>
  ) : null
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
          ['Created', <Time at={created_at} exact="seconds" />],
          ['Completed', completed_at && <Time at={completed_at} exact="seconds" />],
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

const dispatchPage = page('/app/dispatches/:dispatch_id', { dispatch: 'member' }, async ({ dispatch }) => {
  const [seen, origin] = await Promise.all([getDispatchWithOutlook(sql, dispatch), getOrigin(sql, dispatch)])
  const { dispatch: shown, outlook } = seen
  return {
    title: dispatchTitle(shown),
    aside: (
      <>
        <Outcome of={shown} />
        {shown.rollout && <Mismatch of={shown.rollout} />}
      </>
    ),
    crumbs: [
      tabCrumb(shown.project_id, 'deployment-hooks'),
      { href: `/app/deployment-hooks/${shown.hook_id}`, text: outlook.hook_name },
    ],
    main: (
      <>
        <Heading {...seen} />
        <div class="columns">
          <div>
            <Change of={origin} event={shown.event} />
            {shown.rollout && <RolloutSection dispatch={shown} rollout={shown.rollout} outlook={outlook} />}
            {shown.rollout && <Report of={shown.rollout} path={`/app/dispatches/${shown.id}/report`} />}
            <Attempts dispatch={shown} mode={outlook.mode} />
            <Request dispatch={shown} />
          </div>
          <div>
            {dispatch.role === 'admin' && (
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

const admin = { dispatch: 'admin' } as const

const member = { dispatch: 'member' } as const

const redeliverAction = actionOn(dispatchPage, '/redeliver', admin, Nothing, async ({ request, caller, dispatch, change }) => {
  const { id } = await change((tx) => redeliver(tx, caller, dispatch))
  await waitUntilFinished(request, ATTEMPT_SECONDS, endOfDispatch(resourceKey('dispatch', id, dispatch)))
  return { to: `/app/dispatches/${id}`, notice: 'This is the redelivery.' }
})

const retryAction = actionOn(dispatchPage, '/retry', admin, Nothing, async ({ request, caller, dispatch, change }) => {
  await change((tx) => retry(tx, caller, dispatch))
  await waitUntilFinished(request, ATTEMPT_SECONDS, endOfDispatch(dispatch))
  return { notice: 'It was retried.' }
})

const cancelAction = actionOn(dispatchPage, '/cancel', admin, Nothing, async ({ request, caller, dispatch, change }) => {
  await change((tx) => cancel(tx, caller, dispatch))
  const finished = await waitUntilFinished(request, MAX_CANCEL_SECONDS, endOfDispatch(dispatch))
  return {
    notice: finished ? 'It gets no further attempt.' : 'It is cancelled after the attempt in flight, unless that succeeds.',
  }
})

const ReportForm = Shape({ ...ReportInput.properties, digest: Text(200) })
type ReportForm = Static<typeof ReportForm>

/** The report that a form stands for. @throws Problem 422 at its fields */
function reportIn({ digest, ...report }: ReportForm): ReportInput {
  try {
    return bodyInput(ReportInput)['~standard'].validate({ ...report, digest: digestIn(digest) }).value
  } catch (error) {
    const [first] = error instanceof Problem ? (error.errors ?? []) : []
    throw first?.pointer.startsWith('/digest/') ? invalidField('/digest', first.code, first.detail) : error
  }
}

/** Nothing once the outcome is reported: the first one stands. */
function Report({ of: { state, version, url, description }, path }: { of: Rollout; path: string }) {
  if (state === 'succeeded' || state === 'failed') return null
  return (
    <Folded action={path} title="Report the outcome…">
      <p>For deployments whose receiver does not report. The first success or failure stands.</p>
      <Form action={path}>
        <Choice
          name="state"
          label="Outcome"
          value="succeeded"
          options={Object.entries({ succeeded: 'It succeeded', failed: 'It failed', in_progress: 'It is in progress' })}
        />
        <Field
          name="version"
          label="Version"
          maxLength={MAX_VERSION}
          value={version ?? ''}
          hint="What was deployed, such as v1.5.0."
        />
        <Field name="digest" label="Digest" maxLength={200} hint={DIGEST_HINT} />
        <Field name="url" label="Address of a page about it" type="url" maxLength={2048} value={url ?? ''} />
        <TextArea name="description" label="Description" maxLength={MAX_DESCRIPTION} value={description ?? ''} />
        <Submit>Report</Submit>
      </Form>
    </Folded>
  )
}

const report = actionOn(dispatchPage, '/report', member, ReportForm, async ({ caller, dispatch, change }, form) => {
  const input = reportIn(form)
  await change((tx) => reportRollout(tx, caller, dispatch, input, null))
  return { notice: 'The report was recorded.' }
})

export const dispatchPages = pageRoutes('dispatch-pages', dispatchPage, redeliverAction, retryAction, cancelAction, report)
