import { Instant, Maybe, Name, Nullable, Shape, type Static, Text, Type, Uuid, WebUrl } from '../../core/values/schema.ts'

export const ProjectInput = Shape({
  name: Name(200, { examples: ['Checkout'] }),
  description: Maybe(Nullable(Text(10_000))),
  repository_url: Maybe(Nullable(WebUrl())),
})
export type ProjectInput = Static<typeof ProjectInput>

export const ProjectUpdate = Shape({
  name: Maybe(Name(200)),
  description: Maybe(Nullable(Text(10_000))),
  repository_url: Maybe(Nullable(WebUrl())),
})
export type ProjectUpdate = Static<typeof ProjectUpdate>

export const Project = Shape(
  {
    id: Uuid,
    organization_id: Uuid,
    workspace_id: Uuid,
    name: Type.String(),
    description: Nullable(Type.String()),
    repository_url: Nullable(Type.String()),
    created_by: Uuid,
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Project' },
)
export type Project = Static<typeof Project>
