import { Instant, Maybe, Nullable, OneOf, Shape, type Static, Type, UsdAnswer, Uuid } from '../../core/values/schema.ts'
import { LIST } from '../plugins/lists.ts'

const DeliverableType = OneOf(['changelog', 'project_summary', 'deployment_guide', 'api_docs', 'user_manual'], {
  description: 'Which document.',
  examples: ['changelog'],
})

export const GenerateInput = Shape({
  deliverable_type: DeliverableType,
  requirement_id: Maybe(Nullable(Uuid)),
})
export type GenerateInput = Static<typeof GenerateInput>

export const DeliverableQuery = Shape({ ...LIST, deliverable_type: Maybe(DeliverableType) })

const Polish = Shape(
  {
    model: Type.String(),
    cost_usd: UsdAnswer,
    paragraphs: Type.Integer({ description: 'How many paragraphs the model was to word better.' }),
    polished: Type.Integer({ description: 'How many of them it did, with every fact in its place.' }),
    reason: Nullable(Type.String({ description: 'Why paragraphs stayed as they were made, in a sentence.' })),
  },
  { title: 'DeliverablePolish', description: 'What the model did, where `AI_POLISH` is `on`; absent where it is not.' },
)

const Source = Shape(
  {
    as_of: Type.String({ description: 'The instant of the data: all of it was read in one snapshot.' }),
    counts: Type.Record(Type.String(), Type.Integer(), { description: 'How many of each kind of record were read.' }),
    requirement_ids: Type.Array(Uuid),
    execution_ids: Type.Array(Uuid),
    data_hash: Type.String({ description: 'SHA-256 of the data in hex: equal where nothing changed in between.' }),
    polish: Maybe(Polish),
  },
  { title: 'DeliverableSource' },
)

const summary = {
  id: Uuid,
  project_id: Uuid,
  requirement_id: Nullable(Uuid),
  deliverable_type: DeliverableType,
  title: Type.String(),
  status: OneOf(['generating', 'draft', 'published', 'archived', 'failed']),
  version: Type.Integer({ description: 'Counts up per project, type and requirement.' }),
  content_type: OneOf(['text/markdown']),
  generator: Type.String({ description: '`template/1`, or `model:<name>` where a model worded at least one paragraph of it.' }),
  source: Nullable(Source),
  error: Nullable(Type.String({ description: 'Why it failed, in a sentence.' })),
  created_by: Uuid,
  created_at: Instant,
  updated_at: Instant,
  published_at: Nullable(Instant),
  archived_at: Nullable(Instant),
}

export const DeliverableSummary = Shape(summary, { title: 'DeliverableSummary' })
export type DeliverableSummary = Static<typeof DeliverableSummary>

export const Deliverable = Shape(
  { ...summary, content: Nullable(Type.String({ description: 'The document; null until it is made.' })) },
  { title: 'Deliverable' },
)
export type Deliverable = Static<typeof Deliverable>
