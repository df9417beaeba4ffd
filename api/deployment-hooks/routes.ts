import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { parseExactly } from '../../core/values/json.ts'
import { Shape, Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { normalized } from '../plugins/body.ts'
import { LIST, listed, NEWEST_FIRST } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { contextOf } from '../plugins/request-context.ts'
import { createHook, deleteHook, getHook, listHooks, updateHook } from './hooks.ts'
import { previewHook } from './preview.ts'
import { CreatedHook, Hook, HookInput, HookUpdate, RotatedHook, Rotation } from './schema.ts'
import { rawVerification, rotateSecret, verifyRequest } from './secrets.ts'
import { CHECKS, Verdict, Verification } from './signature-schema.ts'
import { Preview, PreviewInput } from './template-schema.ts'

export const deploymentHooks = new Elysia({ name: 'deployment-hooks', prefix: '/api/v1', tags: ['Deployment hooks'] })
  .use(access)
  .get(
    '/projects/:project_id/deployment-hooks',
    ({ request, project, query }) => listed(request, query, NEWEST_FIRST, (slice) => listHooks(sql, project, slice)),
    operation('project', 'member', {
      id: 'listDeploymentHooks',
      summary: 'List the deployment hooks of a project',
      query: Shape(LIST),
      responses: { 200: Type.Array(Hook) },
    }),
  )
  .post(
    '/projects/:project_id/deployment-hooks',
    ({ request, caller, project, change, body }) =>
      change(201, (tx) => createHook(tx, caller, project, withWrittenTemplate(request, body)), '/api/v1/deployment-hooks'),
    operation('project', 'admin', {
      id: 'createDeploymentHook',
      summary: 'Create a deployment hook',
      description:
        'A dispatch is a POST request with a JSON body. It is retried until the receiver responds with 2xx: up to 9 attempts over about 28 hours, each with a timeout of 15 seconds. A 410 response disables the hook; the header `X-Signalbox-Control: stop` on any other response ends the dispatch. Redirects are not followed. `secret` and the values of `headers` are write-only. If `secret` is omitted, the service generates one (`whsec_` and 32 random bytes in base64), which only this response shows; with `"secret": null` dispatches are not signed. With `"signature": "ed25519"` there is no secret: the service makes a key pair, shows `public_key`, and `webhook-signature` contains `v1a,` and the signature of `id.timestamp.body` in base64. `webhook-id` and `webhook-timestamp` are sent in either case. Special-purpose addresses (loopback, private, metadata, …) are rejected here and again when connecting.',
      body: HookInput,
      responses: { 201: CreatedHook },
      confidential: [201],
      errors: ['hook_limit_reached'],
    }),
  )
  .get(
    '/deployment-hooks/:hook_id',
    ({ hook }) => getHook(sql, hook),
    operation('hook', 'member', { id: 'getDeploymentHook', summary: 'Get a deployment hook', responses: { 200: Hook } }),
  )
  .put(
    '/deployment-hooks/:hook_id',
    ({ request, caller, hook, change, body }) =>
      change(200, (tx) => updateHook(tx, caller, hook, withWrittenTemplate(request, body), request)),
    operation('hook', 'admin', {
      id: 'updateDeploymentHook',
      summary: 'Update a deployment hook',
      description:
        'Pending dispatches are sent to the updated hook with their original payload; disabling the hook cancels them. A payload with template secrets is not sent to another scheme, host or port: its dispatch fails with `secrets_of_other_origin`. `headers` are replaced as a whole. `********` keeps the stored secret, or the stored value of that header. If the new `url` has another scheme, host or port, stored secrets are not kept: send `secret` and the values of `headers` again, or clear them with `null`. A new `secret` applies at once; to keep the old one valid for some time, use `rotate-secret`. `signature` cannot be changed; a hook with `ed25519` has no `secret` to set. Out of an `environment` that requires approved gates or has freezes, only people move a hook (`person_required`).',
      body: HookUpdate,
      responses: { 200: Hook },
      errors: ['secrets_must_be_resent', 'person_required'],
    }),
  )
  .delete(
    '/deployment-hooks/:hook_id',
    ({ request, caller, hook, change }) => change(204, (tx) => deleteHook(tx, caller, hook, request)),
    operation('hook', 'admin', {
      id: 'deleteDeploymentHook',
      summary: 'Delete a deployment hook and its dispatches',
      description: 'A request in flight is not aborted, and its result is not recorded.',
      responses: { 204: null },
    }),
  )
  .post(
    '/deployment-hooks/:hook_id/rotate-secret',
    ({ caller, hook, change, body }) => change(200, (tx) => rotateSecret(tx, caller, hook, body)),
    operation('hook', 'admin', {
      id: 'rotateDeploymentHookSecret',
      summary: "Rotate a hook's secret",
      description:
        'Generates a new secret (`whsec_` and 32 random bytes in base64), which only this response shows. For `overlap_seconds` dispatches are signed with both secrets, so that receivers can switch at any time: `X-Signalbox-Signature` uses the new secret, `X-Signalbox-Signature-Previous` the old one, and `webhook-signature` contains both signatures. If the hook had no secret, its dispatches are signed from now on. A secret without the prefix `whsec_` requires the raw mode of a Standard Webhooks library. For the signature `ed25519` it makes a new key pair: the response has no `secret`, `public_key` is the new one, and `webhook-signature` contains the signatures of both private keys.',
      body: Rotation,
      responses: { 200: RotatedHook },
      confidential: [200],
    }),
  )
  .post(
    '/deployment-hooks/:hook_id/verify',
    ({ request, hook, change }) => change(200, (tx) => verifyRequest(tx, hook, rawVerification(request))),
    operation('hook', 'member', {
      id: 'verifyDeploymentHookRequest',
      summary: 'Diagnose a rejected request',
      description: `Takes a request as the receiver got it, and reports which verification step fails:\n\n${Object.entries(CHECKS)
        .map(([name, meaning]) => `- \`${name}\`: ${meaning}`)
        .join('\n')}\n\nIt changes nothing, and reveals neither a secret, a private key nor a valid signature.`,
      body: Verification,
      responses: { 200: Verdict },
    }),
  )
  .post(
    '/deployment-hooks/:hook_id/preview',
    ({ request, hook, change, body }) => change(200, (tx) => previewHook(tx, hook, withWrittenTemplate(request, body))),
    operation('hook', 'member', {
      id: 'previewDeploymentHook',
      summary: 'Preview what a hook sends',
      description:
        'Shows the request that the hook would send for the newest such event of its project (a `test.ping` or `manual.trigger`: of the hook), or for a sample if there is none, with the next `sequence`. `body_template` and `filter` are previewed instead of those of the hook, so that changes can be tried first. `failed_condition` says which condition of the filter leaves the event out. Nothing is sent or stored.',
      body: PreviewInput,
      responses: { 200: Preview },
    }),
  )

/** The valid body of a request, with the numbers of its template as they were written. */
function withWrittenTemplate<Input extends { body_template?: unknown }>(request: Request, input: Input): Input {
  if (input.body_template == null) return input
  const { body_template } = parseExactly(new TextDecoder().decode(contextOf(request).bytes)) as Input
  return { ...input, body_template: normalized(body_template, '/body_template', 1) }
}
