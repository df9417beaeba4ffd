import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Nothing, Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { listed } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { preferWait } from '../plugins/prefer-wait.ts'
import {
  deleteDeliverable,
  finishedDeliverable,
  generateDeliverable,
  getDeliverable,
  listDeliverables,
  moveDeliverable,
} from './deliverables.ts'
import { negotiated } from './formats.ts'
import { Deliverable, DeliverableQuery, DeliverableSummary, GenerateInput } from './schema.ts'

const tag = 'Deliverables'

export const deliverables = new Elysia({ name: 'deliverables', prefix: '/api/v1' })
  .use(access)
  .get(
    '/projects/:project_id/deliverables',
    ({ request, project, query }) =>
      listed(request, query, (slice) => listDeliverables(sql, project, query.deliverable_type ?? null, slice)),
    {
      project: 'member',
      ...operation({
        tag,
        id: 'listDeliverables',
        summary: 'The deliverables of a project',
        description: 'Newest first, without their `content`.',
        query: DeliverableQuery,
        responses: { 200: Type.Array(DeliverableSummary) },
      }),
    },
  )
  .post(
    '/projects/:project_id/deliverables/generate',
    async ({ request, caller, project, change, body }) => {
      const pending = await change(
        202,
        (tx) => generateDeliverable(tx, caller, project, body),
        ({ id }) => `/api/v1/deliverables/${id}`,
      )
      const id = pending.headers.get('location')?.split('/').at(-1) ?? ''
      return preferWait(request, pending, () => finishedDeliverable(sql, { ...project, id }))
    },
    {
      project: 'member',
      ...operation({
        tag,
        id: 'generateDeliverable',
        summary: 'Generate a document',
        description:
          'The worker makes it from the project as it is in one instant, and `status` goes from `generating` to `draft` or `failed`; with `Prefer: wait=10` the answer is the finished document. The same data gives the same bytes of `content`: when it was made, and from what, stands in `source`. Where the operator has set `AI_POLISH=on`, a model may word running text better, so that the bytes may differ from one time to the next, but never a number, a name, a link, a heading, a list, a table or code: a paragraph that would change a fact stays as it was made, `generator` says whether any was taken, and `source.polish` what it cost and why others were not. Its tokens are charged to the budgets of workspace and organization; when one is exhausted, no model is asked. `requirement_id` narrows the document to one requirement. At most 200 of a project wait at once.',
        body: GenerateInput,
        responses: { 200: Deliverable, 202: Deliverable },
        errors: ['generation_limit_reached'],
      }),
    },
  )
  .get(
    '/deliverables/:deliverable_id',
    // What a typed client reads is JSON; a document passes through as the response that it is.
    async ({ request, deliverable }) => (await negotiated(request, await getDeliverable(sql, deliverable))) as Deliverable,
    {
      deliverable: 'member',
      ...operation({
        tag,
        id: 'getDeliverable',
        summary: 'A deliverable, or the document itself',
        description:
          '`Accept: application/json` (the default) gives the record; `text/markdown` and `text/html` give the document itself, HTML as one self-contained page.',
        responses: { 200: Deliverable },
        errors: ['not_acceptable', 'deliverable_not_ready'],
        produces: ['text/markdown', 'text/html'],
      }),
    },
  )
  .post(
    '/deliverables/:deliverable_id/publish',
    ({ caller, deliverable, change }) => change(200, (tx) => moveDeliverable(tx, caller, deliverable, 'published')),
    {
      deliverable: 'admin',
      ...operation({
        tag,
        id: 'publishDeliverable',
        summary: 'Publish a draft',
        description: 'A published changelog is a release: later changelogs list under its version what was done up to it.',
        body: Nothing,
        responses: { 200: Deliverable },
        errors: ['invalid_transition'],
      }),
    },
  )
  .post(
    '/deliverables/:deliverable_id/archive',
    ({ caller, deliverable, change }) => change(200, (tx) => moveDeliverable(tx, caller, deliverable, 'archived')),
    {
      deliverable: 'admin',
      ...operation({
        tag,
        id: 'archiveDeliverable',
        summary: 'Archive a draft or a published document',
        body: Nothing,
        responses: { 200: Deliverable },
        errors: ['invalid_transition'],
      }),
    },
  )
  .delete(
    '/deliverables/:deliverable_id',
    ({ request, caller, deliverable, change }) => change(204, (tx) => deleteDeliverable(tx, caller, deliverable, request)),
    {
      deliverable: 'admin',
      ...operation({
        tag,
        id: 'deleteDeliverable',
        summary: 'Delete a deliverable',
        description: 'In every state; its version is not given again.',
        responses: { 204: null },
      }),
    },
  )
