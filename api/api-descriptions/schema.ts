import { Count, Instant, Shape, type Static, Type, Uuid } from '../../core/values/schema.ts'

export const ApiDescription = Shape(
  {
    project_id: Uuid,
    title: Type.String({ examples: ['Checkout API'] }),
    version: Type.String({ examples: ['1.4.2'] }),
    operation_count: Count,
    updated_at: Instant,
  },
  { title: 'ApiDescription' },
)
export type ApiDescription = Static<typeof ApiDescription>
