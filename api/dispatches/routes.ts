import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import type { ProjectScope } from '../../core/tenants/scopes.ts'
import { Nothing, Page } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { listedPage, NEWEST_FIRST } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { contextOf } from '../plugins/request-context.ts'
import { resourceKey } from '../plugins/resources.ts'
import { respond, toOutcome } from '../plugins/responses.ts'
import { preferWait, waitUntilFinished } from '../plugins/waiting.ts'
import { presentedToken, reportRollout } from '../rollouts/reports.ts'
import { ReportInput } from '../rollouts/schema.ts'
import { endOfDispatch, getDispatchDetail, listDispatches } from './dispatches.ts'
import { cancel, MAX_CANCEL_SECONDS, retry } from './pending.ts'
import { recover, redeliver } from './redeliveries.ts'
import {
  Dispatch,
  DispatchDetail,
  DispatchQuery,
  Recovered,
  RecoverInput,
  Rollback,
  RollbackInput,
  TriggerInput,
} from './schema.ts'
import { endOfRollback, rollBack, testHook, triggerHook } from './triggers.ts'

const locationOf = ({ id }: Dispatch) => `/api/v1/dispatches/${id}`

/** Waits for a dispatch if the client asked to. Takes its id from the response, since a replayed request does not run the change. */
async function waitFor(request: Request, project: ProjectScope, pending: Response): Promise<Response> {
  const id = pending.headers.get('location')?.split('/').at(-1) ?? ''
  return preferWait(request, pending, endOfDispatch(resourceKey('dispatch', id, project)))
}

/** The response to a cancellation: the cancelled dispatch, or the pending one while its last request is in flight. */
async function waitForCancellation(request: Request, project: ProjectScope, response: Response): Promise<Response> {
  if (response.status !== 200) return response
  const { id, status } = (await response.clone().json()) as Dispatch
  if (status !== 'pending') return response
  const dispatch = await waitUntilFinished(request, MAX_CANCEL_SECONDS, endOfDispatch(resourceKey('dispatch', id, project)))
  return dispatch ? respond(request, contextOf(request), toOutcome(200, dispatch)) : response
}

export const dispatchRoutes = new Elysia({ name: 'dispatches', prefix: '/api/v1', tags: ['Deployment hooks'] })
  .use(access)
  .post(
    '/deployment-hooks/:hook_id/test',
    async ({ request, caller, hook, change }) =>
      waitFor(request, hook, await change(202, (tx) => testHook(tx, caller, hook), locationOf)),
    operation('hook', 'admin', {
      id: 'testDeploymentHook',
      summary: 'Send a test event',
      description:
        'Sends a `test.ping` with a single attempt, also if the hook is disabled or paused. The state of the hook does not change. With `Prefer: wait=10` the response contains the outcome.',
      body: Nothing,
      responses: { 200: Dispatch, 202: Dispatch },
    }),
  )
  .post(
    '/deployment-hooks/:hook_id/trigger',
    async ({ request, caller, hook, change, body }) =>
      waitFor(request, hook, await change(202, (tx) => triggerHook(tx, caller, hook, body), locationOf)),
    operation('hook', 'admin', {
      scopes: ['hooks:trigger'],
      id: 'triggerDeploymentHook',
      summary: 'Trigger a deployment manually',
      description:
        'Sends a `manual.trigger`. It gets the next `sequence` of the hook and is retried like every dispatch. It is sent in a freeze too. If the policy of the environment requires an approved gate (`gate_required`), it takes an `override` with a reason, by an admin of the organization, signed in or with a personal token of the scope `decide`; the reason is shown on the dispatch and audited. With `Prefer: wait=10` the response contains the outcome, if it is known by then.',
      body: TriggerInput,
      responses: { 200: Dispatch, 202: Dispatch },
      errors: ['hook_disabled', 'approval_required', 'person_required'],
    }),
  )
  .post(
    '/projects/:project_id/deployment-rollback',
    async ({ request, caller, project, change, body }) => {
      const pending = await change(202, (tx) => rollBack(tx, caller, project, body))
      if (pending.status !== 202) return pending
      const rollback = (await pending.clone().json()) as Rollback
      return preferWait(request, pending, endOfRollback(project, rollback))
    },
    operation('project', 'admin', {
      id: 'rollbackDeployment',
      summary: 'Request a rollback',
      description:
        'Emits `deployment.rollback` and sends it to every enabled hook of the project, whatever its environment. The list is empty if no hook is enabled. `Prefer: wait` waits for all dispatches.',
      body: RollbackInput,
      responses: { 200: Rollback, 202: Rollback },
    }),
  )
  .post(
    '/deployment-hooks/:hook_id/recover',
    ({ caller, hook, change, body }) => change(body.dry_run ? 200 : 202, (tx) => recover(tx, caller, hook, body)),
    operation('hook', 'admin', {
      id: 'recoverDispatches',
      summary: 'Redeliver unsuccessful dispatches',
      description:
        'Redelivers the oldest 10,000 failed or cancelled dispatches since `since` (and before `until`), each payload once. This includes superseded and expired dispatches and those created while the service had disabled the hook, but no `test.ping`. Payloads that have succeeded since, or are pending again, are left out, so a second call adds nothing; so are those that lack an approval (`not_approved`, `approval_revoked`, or what the policy of the environment requires now). `Prefer: wait` has no effect.',
      body: RecoverInput,
      responses: { 200: Recovered, 202: Recovered },
      errors: ['hook_disabled'],
    }),
  )
  .get(
    '/deployment-hooks/:hook_id/dispatches',
    ({ request, hook, query }) => listedPage(request, query, NEWEST_FIRST, (page) => listDispatches(sql, hook, page)),
    operation('hook', 'member', {
      scopes: ['dispatches:claim', 'hooks:trigger', 'rollouts:report'],
      id: 'listDispatches',
      summary: 'List the dispatches of a hook',
      query: DispatchQuery,
      responses: { 200: Page(Dispatch) },
    }),
  )
  .get(
    '/dispatches/:dispatch_id',
    ({ dispatch }) => getDispatchDetail(sql, dispatch),
    operation('dispatch', 'member', {
      scopes: ['dispatches:claim', 'hooks:trigger', 'rollouts:report'],
      id: 'getDispatch',
      summary: 'Get a dispatch with its payload and attempts',
      responses: { 200: DispatchDetail },
    }),
  )
  .post(
    '/dispatches/:dispatch_id/redeliver',
    async ({ request, caller, dispatch, change }) =>
      waitFor(request, dispatch, await change(202, (tx) => redeliver(tx, caller, dispatch), locationOf)),
    operation('dispatch', 'admin', {
      id: 'redeliverDispatch',
      summary: 'Redeliver a finished dispatch',
      description:
        'Creates a dispatch with the same payload, `sequence` and `webhook-id` as the original, so that a receiver can tell whether it was already processed. `redelivery_of` is the id of the original. A redelivery supersedes no other dispatch. A payload with template secrets is sent only to the scheme, host and port for which they were stored: if the `url` of the hook has another one now, the redelivery is rejected (`invalid_transition`). Trigger the hook instead, which makes a new payload. What lacks an approval that the policy of the environment requires is rejected (`approval_required`).',
      body: Nothing,
      responses: { 200: Dispatch, 202: Dispatch },
      errors: ['invalid_transition', 'hook_disabled', 'approval_required'],
    }),
  )
  .post(
    '/dispatches/:dispatch_id/retry',
    async ({ request, caller, dispatch, change }) =>
      waitFor(request, dispatch, await change(202, (tx) => retry(tx, caller, dispatch), locationOf)),
    operation('dispatch', 'admin', {
      id: 'retryDispatch',
      summary: 'Retry a pending dispatch now',
      description:
        'Makes the next attempt without waiting for `next_attempt_at`. `Prefer: wait` waits until the dispatch is finished.',
      body: Nothing,
      responses: { 200: Dispatch, 202: Dispatch },
      errors: ['invalid_transition', 'hook_disabled', 'hook_paused', 'environment_frozen'],
    }),
  )
  .post(
    '/dispatches/:dispatch_id/cancel',
    async ({ request, caller, dispatch, change }) =>
      waitForCancellation(request, dispatch, await change(200, (tx) => cancel(tx, caller, dispatch))),
    operation('dispatch', 'admin', {
      id: 'cancelDispatch',
      summary: 'Cancel a dispatch',
      description:
        'A waiting dispatch becomes `cancelled`. A request in flight cannot be recalled: the dispatch stays `pending`, gets no further attempt, and becomes `succeeded` if this attempt succeeds, else `cancelled`.',
      body: Nothing,
      responses: { 200: Dispatch },
      errors: ['invalid_transition'],
    }),
  )
  .post(
    '/dispatches/:dispatch_id/report',
    ({ request, holder, dispatch, change, body }) =>
      change(200, (tx) => reportRollout(tx, holder, dispatch, body, presentedToken(request))),
    operation('reportedDispatch', 'member', {
      scopes: ['rollouts:report'],
      id: 'reportRollout',
      summary: 'Report the outcome of the deployment',
      description:
        'For dispatches of hooks with `report_within_seconds`. The bearer token is a token of a user, or the `X-Signalbox-Report-Token` that the receiver got, which is valid only for this request, until 7 days after `deadline_at`; while there is no deadline, until 7 days after the dispatch was made. With it, `Idempotency-Key` is ignored.\n\nThe first `succeeded` or `failed` stands: the same again returns 200 and changes nothing, anything else is rejected. `in_progress` may be repeated; each moves `deadline_at`, and with it the end of the token. A rollout that is `unknown` takes any report. A report may arrive before the delivery is recorded. A dispatch that was never delivered keeps the state `awaiting` without a deadline, and still takes reports. Every redelivery is a dispatch with a rollout and a token of its own. If its body contains the report URL or token of the first dispatch, a report with that token is recorded for the oldest of these dispatches that was delivered and has no outcome yet, or else for the newest redelivery; the response shows that dispatch.\n\nMembers of the workspace see the texts. In `version` and `description` the secrets of the hook, the values of its headers and all tokens of Signalbox are masked; a `url` that contains one is rejected.\n\nThe body may also be a form (`curl -d state=succeeded -d version=v1.5.0`), and JSON may have any media type. A field with an empty text counts as absent.',
      body: ReportInput,
      takesForms: ['digest'],
      responses: { 200: Dispatch },
      errors: ['invalid_transition'],
    }),
  )
