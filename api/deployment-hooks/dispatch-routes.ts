import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Nothing, Page } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { answer, outcomeOf } from '../plugins/answers.ts'
import { operation } from '../plugins/operation.ts'
import { finishedWithin, preferWait } from '../plugins/prefer-wait.ts'
import { contextOf, type Placed } from '../plugins/request-context.ts'
import { finishedDispatch, getDispatchDetail, listDispatches } from './dispatches.ts'
import { recover, redeliver } from './redeliveries.ts'
import { Dispatch, DispatchDetail, DispatchQuery, Recovered, RecoverInput, Rollback, RollbackInput } from './schema.ts'
import { finishedRollback, rollBack, testHook, triggerHook } from './triggers.ts'
import { cancel, retry } from './waiting.ts'

const tag = 'Deployment hooks'

type Located = Pick<Placed, 'organization_id'>

const locationOf = ({ id }: Dispatch) => `/api/v1/dispatches/${id}`

/** Waits for a dispatch, if the caller prefers to. It is named by the answer, not by the work: a repeated request does none. */
async function waitFor(request: Request, { organization_id }: Located, pending: Response): Promise<Response> {
  const id = pending.headers.get('location')?.split('/').at(-1) ?? ''
  return preferWait(request, pending, () => finishedDispatch(sql, { id, organization_id }))
}

/** So long a cancelled dispatch is waited for: whoever serves its lane ends it at once, where it is not in flight. */
const CANCEL_SECONDS = 1

/** The answer to a cancelling: the dispatch as it is ended, or still pending where its last request is under way. */
async function ended(request: Request, { organization_id }: Located, cancelling: Response): Promise<Response> {
  if (cancelling.status !== 200) return cancelling
  const { id, status } = (await cancelling.clone().json()) as Dispatch
  if (status !== 'pending') return cancelling
  const dispatch = await finishedWithin(request, CANCEL_SECONDS, () => finishedDispatch(sql, { id, organization_id }))
  return dispatch ? answer(request, contextOf(request), outcomeOf(200, dispatch)) : cancelling
}

export const dispatchRoutes = new Elysia({ name: 'dispatches', prefix: '/api/v1' })
  .use(access)
  .post(
    '/deployment-hooks/:hook_id/test',
    async ({ request, caller, hook, change }) =>
      waitFor(request, hook, await change(202, (tx) => testHook(tx, caller, hook), locationOf)),
    {
      hook: 'admin',
      ...operation({
        tag,
        id: 'testDeploymentHook',
        summary: 'Send a test.ping',
        description:
          'Tried once, also on a disabled or paused hook, and it changes nothing about the hook. With `Prefer: wait=10` the answer is the outcome.',
        body: Nothing,
        answers: { 200: Dispatch, 202: Dispatch },
      }),
    },
  )
  .post(
    '/deployment-hooks/:hook_id/trigger',
    async ({ request, caller, hook, change }) =>
      waitFor(request, hook, await change(202, (tx) => triggerHook(tx, caller, hook), locationOf)),
    {
      hook: 'admin',
      ...operation({
        tag,
        id: 'triggerDeploymentHook',
        summary: 'Send a manual.trigger',
        description:
          'Takes the next `sequence` of the hook, and is retried as any dispatch is. With `Prefer: wait=10` the answer is the outcome, if it is known by then.',
        body: Nothing,
        answers: { 200: Dispatch, 202: Dispatch },
        errors: ['hook_disabled'],
      }),
    },
  )
  .post(
    '/projects/:project_id/deployment-rollback',
    async ({ request, caller, project, change, body }) => {
      const pending = await change(202, (tx) => rollBack(tx, caller, project, body))
      const rollback = (await pending.clone().json()) as Rollback
      return preferWait(request, pending, () => finishedRollback(sql, project, rollback))
    },
    {
      project: 'admin',
      ...operation({
        tag,
        id: 'rollbackDeployment',
        summary: 'Call for a rollback',
        description:
          'Raises `deployment.rollback`, and sends it to every enabled hook of the project, whatever its environment; where none is enabled the list is empty. `Prefer: wait` waits for all of them.',
        body: RollbackInput,
        answers: { 200: Rollback, 202: Rollback },
      }),
    },
  )
  .post(
    '/deployment-hooks/:hook_id/recover',
    ({ caller, hook, change, body }) => change(body.dry_run ? 200 : 202, (tx) => recover(tx, caller, hook, body)),
    {
      hook: 'admin',
      ...operation({
        tag,
        id: 'recoverDispatches',
        summary: 'Redeliver what did not get through',
        description:
          'The oldest 10,000 failed or cancelled dispatches since `since` (and before `until`) that are no test.ping, each payload once: superseded and expired ones are among them, as are those that came while the service had switched the hook off. What has succeeded since, or is under way again, is left out, so that a second call adds nothing. It does not wait, whatever `Prefer` says.',
        body: RecoverInput,
        answers: { 200: Recovered, 202: Recovered },
        errors: ['hook_disabled'],
      }),
    },
  )
  .get('/deployment-hooks/:hook_id/dispatches', ({ hook, query }) => listDispatches(sql, hook, query), {
    hook: 'member',
    ...operation({
      tag,
      id: 'listDispatches',
      summary: 'The dispatches of a hook',
      query: DispatchQuery,
      answers: { 200: Page(Dispatch) },
    }),
  })
  .get('/dispatches/:dispatch_id', ({ dispatch }) => getDispatchDetail(sql, dispatch), {
    dispatch: 'member',
    ...operation({
      tag,
      id: 'getDispatch',
      summary: 'A dispatch, with what was sent and every attempt',
      answers: { 200: DispatchDetail },
    }),
  })
  .post(
    '/dispatches/:dispatch_id/redeliver',
    async ({ request, caller, dispatch, change }) =>
      waitFor(request, dispatch, await change(202, (tx) => redeliver(tx, caller, dispatch), locationOf)),
    {
      dispatch: 'admin',
      ...operation({
        tag,
        id: 'redeliverDispatch',
        summary: 'Redeliver a finished dispatch',
        description:
          'A new dispatch of the same bytes. It bears the number of the first, and its `webhook-id`, by which a receiver knows what it has done already; `redelivery_of` names that first one. It supersedes nothing.',
        body: Nothing,
        answers: { 200: Dispatch, 202: Dispatch },
        errors: ['invalid_transition', 'hook_disabled'],
      }),
    },
  )
  .post(
    '/dispatches/:dispatch_id/retry',
    async ({ request, caller, dispatch, change }) =>
      waitFor(request, dispatch, await change(202, (tx) => retry(tx, caller, dispatch), locationOf)),
    {
      dispatch: 'admin',
      ...operation({
        tag,
        id: 'retryDispatch',
        summary: 'Try a waiting dispatch now',
        description: 'One more of its attempts. `Prefer: wait` waits until it is finished.',
        body: Nothing,
        answers: { 200: Dispatch, 202: Dispatch },
        errors: ['invalid_transition', 'hook_disabled', 'hook_paused'],
      }),
    },
  )
  .post(
    '/dispatches/:dispatch_id/cancel',
    async ({ request, caller, dispatch, change }) =>
      ended(request, dispatch, await change(200, (tx) => cancel(tx, caller, dispatch))),
    {
      dispatch: 'admin',
      ...operation({
        tag,
        id: 'cancelDispatch',
        summary: 'Cancel a dispatch',
        description:
          'One that waits becomes `cancelled`. One that is in flight cannot be called back: it is answered as `pending`, gets no further try, and becomes `succeeded` if this one succeeds, else `cancelled`.',
        body: Nothing,
        answers: { 200: Dispatch },
        errors: ['invalid_transition'],
      }),
    },
  )
