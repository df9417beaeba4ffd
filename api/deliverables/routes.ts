import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Nothing, Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { listed, NEWEST_FIRST } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { resourceKey } from '../plugins/resources.ts'
import { preferWait } from '../plugins/waiting.ts'
import {
  deleteDeliverable,
  endOfGeneration,
  generateDeliverable,
  getDeliverable,
  listDeliverables,
  transitionDeliverable,
} from './deliverables.ts'
import { negotiate } from './formats.tsx'
import { Deliverable, DeliverableQuery, DeliverableSummary, GenerateInput } from './schema.ts'

export const deliverables = new Elysia({ name: 'deliverables', prefix: '/api/v1', tags: ['Deliverables'] })
  .use(access)
  .get(
    '/projects/:project_id/deliverables',
    ({ request, project, query }) =>
      listed(request, query, NEWEST_FIRST, (slice) => listDeliverables(sql, project, query.deliverable_type ?? null, slice)),
    operation('project', 'member', {
      scopes: ['work:read', 'deliverables:write'],
      id: 'listDeliverables',
      summary: 'List the deliverables of a project',
      description: 'Newest first, without their `content`.',
      query: DeliverableQuery,
      responses: { 200: Type.Array(DeliverableSummary) },
    }),
  )
  .post(
    '/projects/:project_id/deliverables/generate',
    async ({ request, caller, project, change, body }) => {
      const pending = await change(202, (tx) => generateDeliverable(tx, caller, project, body), '/api/v1/deliverables')
      const id = pending.headers.get('location')?.split('/').at(-1) ?? ''
      return preferWait(request, pending, endOfGeneration(resourceKey('deliverable', id, project)))
    },
    operation('project', 'member', {
      scopes: ['deliverables:write'],
      id: 'generateDeliverable',
      summary: 'Generate a document',
      description:
        'The worker generates the document from one snapshot of the project; `status` changes from `generating` to `draft` or `failed`. With `Prefer: wait=10` the response contains the finished document. The same data always produces the same `content`; `source` contains the time and the data used. No model writes in a document. `requirement_id` limits the document to one requirement. At most 200 documents per project can be in progress.',
      body: GenerateInput,
      responses: { 200: Deliverable, 202: Deliverable },
      errors: ['generation_limit_reached'],
    }),
  )
  .get(
    '/deliverables/:deliverable_id',
    // The type describes the JSON response; documents are returned as a `Response`.
    async ({ request, deliverable }) =>
      (await negotiate(request, deliverable, await getDeliverable(sql, deliverable))) as Deliverable,
    operation('deliverable', 'member', {
      scopes: ['work:read', 'deliverables:write'],
      id: 'getDeliverable',
      summary: 'Get a deliverable or its document',
      description:
        '`Accept: application/json` (the default) returns the record; `text/markdown` and `text/html` return the document, HTML as one self-contained page.',
      responses: { 200: Deliverable },
      errors: ['not_acceptable', 'deliverable_not_ready'],
      produces: ['text/markdown', 'text/html'],
    }),
  )
  .post(
    '/deliverables/:deliverable_id/publish',
    ({ caller, deliverable, change }) => change(200, (tx) => transitionDeliverable(tx, caller, deliverable, 'published')),
    operation('deliverable', 'admin', {
      id: 'publishDeliverable',
      summary: 'Publish a draft',
      description:
        'A published changelog marks a release: later changelogs list the changes up to it under its version. API documentation lists what changed since the last published one.',
      body: Nothing,
      responses: { 200: Deliverable },
      errors: ['invalid_transition'],
    }),
  )
  .post(
    '/deliverables/:deliverable_id/archive',
    ({ caller, deliverable, change }) => change(200, (tx) => transitionDeliverable(tx, caller, deliverable, 'archived')),
    operation('deliverable', 'admin', {
      id: 'archiveDeliverable',
      summary: 'Archive a draft or a published document',
      body: Nothing,
      responses: { 200: Deliverable },
      errors: ['invalid_transition'],
    }),
  )
  .delete(
    '/deliverables/:deliverable_id',
    ({ request, caller, deliverable, change }) => change(204, (tx) => deleteDeliverable(tx, caller, deliverable, request)),
    operation('deliverable', 'admin', {
      id: 'deleteDeliverable',
      summary: 'Delete a deliverable',
      description: 'Possible in every state. Its version number is not reused.',
      responses: { 204: null },
    }),
  )
