import { ActorShape, Instant, Maybe, Nullable, OneOf, Shape, type Static, Type, Uuid } from '../../core/values/schema.ts'
import { LIST } from '../plugins/lists.ts'

const DeliverableType = OneOf(['changelog', 'project_summary', 'deployment_guide', 'api_docs', 'user_manual'], {
  description: 'The kind of document.',
  examples: ['changelog'],
})

export const GenerateInput = Shape({ deliverable_type: DeliverableType, requirement_id: Maybe(Nullable(Uuid)) })
export type GenerateInput = Static<typeof GenerateInput>

export const DeliverableQuery = Shape({ ...LIST, deliverable_type: Maybe(DeliverableType) })

const Source = Shape('DeliverableSource', {
  as_of: Type.String({ description: 'The time of the snapshot from which all data was read.' }),
  counts: Type.Record(Type.String(), Type.Integer(), { description: 'The number of records read, by kind.' }),
  requirement_ids: Type.Array(Uuid),
  execution_ids: Type.Array(Uuid),
  data_hash: Type.String({ description: 'SHA-256 of the data in hex. Equal for equal data.' }),
  missing: Type.Array(Type.String(), {
    description: 'Sentences on what would make the document better.',
    examples: [['The project has no support: set it to a URL or an e-mail address at which readers get help.']],
  }),
})

const summary = {
  id: Uuid,
  project_id: Uuid,
  requirement_id: Nullable(Uuid),
  deliverable_type: DeliverableType,
  title: Type.String(),
  status: OneOf(['generating', 'draft', 'published', 'archived', 'failed']),
  version: Type.Integer({ description: 'Sequential number per project, type and requirement.' }),
  content_type: OneOf(['text/markdown']),
  generator: Type.String({ description: '`template/1`: a template and the data, without a model.' }),
  source: Nullable(Source),
  error: Nullable(Type.String({ description: 'Why the generation failed.' })),
  created_by: Uuid,
  actor: ActorShape,
  created_at: Instant,
  updated_at: Instant,
  published_at: Nullable(Instant),
  archived_at: Nullable(Instant),
}

export const DeliverableSummary = Shape('DeliverableSummary', summary)
export type DeliverableSummary = Static<typeof DeliverableSummary>

export const Deliverable = Shape('Deliverable', {
  ...summary,
  content: Nullable(Type.String({ description: 'The document in Markdown. Null until it is generated.' })),
})
export type Deliverable = Static<typeof Deliverable>
