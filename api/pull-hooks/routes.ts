import { Elysia } from 'elysia'
import { monotonicMs } from '../../core/platform/clock.ts'
import { Nothing, Type } from '../../core/values/schema.ts'
import { PULL_PREFIX } from '../credentials/token-formats.ts'
import { Dispatch } from '../dispatches/schema.ts'
import { access } from '../plugins/access.ts'
import { operation } from '../plugins/operation.ts'
import type { Resource } from '../plugins/resources.ts'
import { presentedToken } from '../rollouts/reports.ts'
import { acknowledge } from './acknowledgements.ts'
import { hasAnswer, whenDue } from './claim-waits.ts'
import { claim, prepareClaim, replacePullToken } from './claims.ts'
import { Acknowledgement, Claimed, ClaimInput, PullToken } from './schema.ts'

/** The pull token of a request; null if a user makes it. */
function pullTokenOf(request: Request): string | null {
  const token = presentedToken(request)
  return token?.startsWith(PULL_PREFIX) ? token : null
}

/** Claims, and waits for something to claim if there is nothing. No transaction is open meanwhile. @param take claims once */
async function claimOrWait(request: Request, hook: Resource<'hook'>, input: ClaimInput, take: () => Promise<Response>) {
  const until = monotonicMs() + (input.wait ?? 0) * 1000
  // A stored response is final: with an Idempotency-Key, a claim is tried once, when there is something to claim.
  if (request.headers.has('idempotency-key')) await whenDue(hook, until, request.signal, () => hasAnswer(hook), Boolean)
  else return whenDue(hook, until, request.signal, take, isNotEmpty)
  return take()
}

const isNotEmpty = async (response: Response): Promise<boolean> =>
  response.status !== 200 || (await response.clone().text()) !== '[]'

export const pullRoutes = new Elysia({ name: 'pull-hooks', prefix: '/api/v1', tags: ['Deployment hooks'] })
  .use(access)
  .post(
    '/deployment-hooks/:hook_id/pull-token',
    ({ caller, hook, change }) => change(200, (tx) => replacePullToken(tx, caller, hook)),
    operation('hook', 'admin', {
      id: 'createPullToken',
      summary: 'Create the pull token of a hook',
      description:
        'For hooks with the mode `pull`. The token claims and acknowledges the dispatches of this hook, and nothing else. Only this response shows it; the token before stops working.',
      body: Nothing,
      responses: { 200: PullToken },
      confidential: [200],
      errors: ['not_a_pull_hook'],
    }),
  )
  .post(
    '/deployment-hooks/:hook_id/claim',
    ({ request, hook, singleChange, body }) =>
      claimOrWait(request, hook, body, async () => {
        const ready = await prepareClaim(hook, pullTokenOf(request))
        return singleChange(200, (db) => claim(db, hook, ready, body))
      }),
    operation('claimedHook', 'admin', {
      scopes: ['dispatches:claim'],
      id: 'claimDispatches',
      summary: 'Claim due dispatches',
      description:
        'For hooks with the mode `pull`; the bearer token is the pull token of the hook, or a token of an admin. Leases due dispatches to the caller, those that have been due longest first, until `lease_until`; meanwhile no one else gets them. Each claim is an attempt. Acknowledge it before the lease ends: afterwards the attempt counts as failed (`lease_expired`), and the dispatch can be claimed again at once. With `wait` the response comes as soon as a dispatch is due; the list is empty if there is none until then. A lease cannot be extended.',
      body: ClaimInput,
      responses: { 200: Type.Array(Claimed) },
      confidential: [200],
      errors: ['not_a_pull_hook'],
    }),
  )
  .post(
    '/dispatches/:dispatch_id/acknowledge',
    ({ request, dispatch, change, body }) => change(200, (tx) => acknowledge(tx, dispatch, body, presentedToken(request))),
    operation('claimedDispatch', 'admin', {
      scopes: ['dispatches:claim'],
      id: 'acknowledgeDispatch',
      summary: 'Acknowledge a claimed dispatch',
      description:
        'Ends a lease, with the `lease_until` of its claim. The bearer token is the pull token of the hook, or a token of an admin. `succeeded` and `failed` finish the dispatch. `retry` makes it due again as the retry schedule says, unless this was its last attempt; a `test.ping` has only one. The same acknowledgement again returns the dispatch and changes nothing. In `detail` the secrets of the hook and all tokens of Signalbox are masked. The body may also be a form.',
      body: Acknowledgement,
      takesForms: [],
      responses: { 200: Dispatch },
      errors: ['not_a_pull_hook', 'lease_lost'],
    }),
  )
