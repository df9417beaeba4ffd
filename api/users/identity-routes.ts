import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Shape, Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { LIST, listed } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { listIdentities, unlinkIdentity } from './identities.ts'
import { Identity } from './identity-schema.ts'

const tag = 'Users'

export const identities = new Elysia({ name: 'identities', prefix: '/api/v1' })
  .use(access)
  .get(
    '/users/me/identities',
    ({ request, caller, query }) => listed(request, query, (slice) => listIdentities(sql, caller.id, slice)),
    {
      signedIn: true,
      ...operation({
        tag,
        id: 'listIdentities',
        summary: 'List your linked identities',
        description:
          'Newest first. A click on a button in Slack decides as the user that the Slack account is linked to. Click once to get a link.',
        query: Shape(LIST),
        responses: { 200: Type.Array(Identity) },
      }),
    },
  )
  .delete(
    '/users/me/identities/:identity_id',
    ({ request, caller, params, change }) => change(204, (tx) => unlinkIdentity(tx, caller, params.identity_id, request)),
    {
      inSession: true,
      ...operation({
        tag,
        id: 'unlinkIdentity',
        summary: 'Unlink one of your identities',
        description: 'From then on, clicks of that Slack account decide nothing.',
        responses: { 204: null },
        errors: ['not_found'],
      }),
    },
  )
