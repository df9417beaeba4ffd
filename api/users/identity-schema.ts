import { Instant, OneOf, Shape, type Static, Type, Uuid } from '../../core/values/schema.ts'

export const Identity = Shape(
  {
    id: Uuid,
    provider: OneOf(['slack']),
    team_id: Type.String({ description: 'The id of the Slack workspace.', examples: ['T0123456789'] }),
    external_id: Type.String({ description: 'The id of the Slack user in it.', examples: ['U0123456789'] }),
    created_at: Instant,
  },
  { title: 'Identity' },
)
export type Identity = Static<typeof Identity>
