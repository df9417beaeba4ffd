import { Instant, Maybe, Name, Nullable, OneOf, Shape, type Static, Text, Type, Uuid } from '../../core/values/schema.ts'
import { LIST } from '../plugins/lists.ts'

const Status = OneOf(['pending', 'approved', 'rejected', 'cancelled'])

export const GateInput = Shape({ name: Name(200, { examples: ['Release review'] }), description: Maybe(Nullable(Text(10_000))) })
export type GateInput = Static<typeof GateInput>

export const Decision = Shape({ comment: Maybe(Nullable(Text(10_000))) })
export type Decision = Static<typeof Decision>

export const GateQuery = Shape({ ...LIST, status: Maybe(Status) })
export type GateQuery = Static<typeof GateQuery>

export const Gate = Shape(
  {
    id: Uuid,
    organization_id: Uuid,
    workspace_id: Uuid,
    project_id: Uuid,
    execution_id: Uuid,
    name: Type.String(),
    description: Nullable(Type.String()),
    status: Status,
    comment: Nullable(Type.String()),
    created_by: Uuid,
    decided_by: Nullable(Uuid),
    decided_at: Nullable(Instant),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Gate' },
)
export type Gate = Static<typeof Gate>
