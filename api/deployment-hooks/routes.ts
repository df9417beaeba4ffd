import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Shape, Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { LIST, listed } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { createHook, deleteHook, getHook, listHooks, updateHook } from './hooks.ts'
import { CHECKS, CreatedHook, Hook, HookInput, HookUpdate, RotatedHook, Rotation, Verdict, Verification } from './schema.ts'
import { rawVerification, rotateSecret, verifyRequest } from './secrets.ts'

const tag = 'Deployment hooks'

export const deploymentHooks = new Elysia({ name: 'deployment-hooks', prefix: '/api/v1' })
  .use(access)
  .get(
    '/projects/:project_id/deployment-hooks',
    ({ request, project, query }) => listed(request, query, (slice) => listHooks(sql, project, slice)),
    {
      project: 'member',
      ...operation({
        tag,
        id: 'listDeploymentHooks',
        summary: 'The deployment hooks of a project',
        query: Shape(LIST),
        answers: { 200: Type.Array(Hook) },
      }),
    },
  )
  .post(
    '/projects/:project_id/deployment-hooks',
    ({ caller, project, change, body }) =>
      change(
        201,
        (tx) => createHook(tx, caller, project, body),
        ({ id }) => `/api/v1/deployment-hooks/${id}`,
      ),
    {
      project: 'admin',
      ...operation({
        tag,
        id: 'createDeploymentHook',
        summary: 'Create a deployment hook',
        description:
          'A dispatch is a POST of JSON that is tried until it is answered with 2xx: 9 attempts over about 28 hours, each within 15 seconds. 410 switches the hook off; `X-Signalbox-Control: stop` on any other answer ends the dispatch. Redirects are not followed. `secret` and the values of `headers` are write-only. A hook that is made without `secret` gets one, `whsec_` and 32 random bytes in base64, shown in this answer and never again; with `"secret": null` its dispatches are not signed. `webhook-id` and `webhook-timestamp` are sent in either case. Special-purpose addresses (loopback, private, metadata, …) are refused, here and at the moment of connecting.',
        body: HookInput,
        answers: { 201: CreatedHook },
        errors: ['hook_limit_reached'],
      }),
    },
  )
  .get('/deployment-hooks/:hook_id', ({ hook }) => getHook(sql, hook), {
    hook: 'member',
    ...operation({ tag, id: 'getDeploymentHook', summary: 'A deployment hook', answers: { 200: Hook } }),
  })
  .put(
    '/deployment-hooks/:hook_id',
    ({ request, caller, hook, change, body }) => change(200, (tx) => updateHook(tx, caller, hook, body, request)),
    {
      hook: 'admin',
      ...operation({
        tag,
        id: 'updateDeploymentHook',
        summary: 'Change a deployment hook',
        description:
          'What waits goes to the hook as it is from now on, with the payload as it was; switching it off cancels what waits. `headers` are replaced whole. `********` keeps the stored secret, or the stored value of that header. A `url` with another scheme, host or port gets no stored secret: send `secret` and the values of `headers` anew, or clear them with `null`. A `secret` that is sent is in force at once; `rotate-secret` lets the old one sign beside it for a while.',
        body: HookUpdate,
        answers: { 200: Hook },
        errors: ['secrets_must_be_resent'],
      }),
    },
  )
  .delete(
    '/deployment-hooks/:hook_id',
    ({ request, caller, hook, change }) => change(204, (tx) => deleteHook(tx, caller, hook, request)),
    {
      hook: 'admin',
      ...operation({
        tag,
        id: 'deleteDeploymentHook',
        summary: 'Delete a deployment hook and its dispatches',
        description: 'A request that is under way is not called back; what comes of it is not recorded.',
        answers: { 204: null },
      }),
    },
  )
  .post(
    '/deployment-hooks/:hook_id/rotate-secret',
    ({ caller, hook, change, body }) => change(200, (tx) => rotateSecret(tx, caller, hook, body)),
    {
      hook: 'admin',
      ...operation({
        tag,
        id: 'rotateDeploymentHookSecret',
        summary: "Replace a hook's secret",
        description:
          'The new secret, `whsec_` and 32 random bytes in base64, is shown in this answer and never again. For `overlap_seconds` the old one signs beside it, so that receivers can change over at their leisure: `X-Signalbox-Signature` is made with the new one, `X-Signalbox-Signature-Previous` with the old one, and `webhook-signature` holds both. A hook that was not signed is from now on. A plain secret (without `whsec_`) needs the raw mode of a Standard Webhooks library.',
        body: Rotation,
        answers: { 200: RotatedHook },
      }),
    },
  )
  .post(
    '/deployment-hooks/:hook_id/verify',
    ({ request, hook, change }) => change(200, (tx) => verifyRequest(tx, hook, rawVerification(request))),
    {
      hook: 'member',
      ...operation({
        tag,
        id: 'verifyDeploymentHookRequest',
        summary: 'Find out why a receiver refuses a request',
        description: `Takes a request as a receiver got it, and says which step of checking it fails:\n\n${Object.entries(CHECKS)
          .map(([name, meaning]) => `- \`${name}\`: ${meaning}`)
          .join('\n')}\n\nIt changes nothing, and shows neither the secret nor a signature that would have been right.`,
        body: Verification,
        answers: { 200: Verdict },
      }),
    },
  )
