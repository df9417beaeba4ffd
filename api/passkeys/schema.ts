import { Instant, Nullable, Shape, type Static, Type, Uuid } from '../../core/values/schema.ts'

export const Passkey = Shape('Passkey', {
  id: Uuid,
  name: Type.String({ examples: ['Laptop'] }),
  created_at: Instant,
  last_used_at: Nullable(Instant),
  backed_up: Type.Boolean({ description: 'Whether it is synchronized, so that it outlives its device.' }),
})
export type Passkey = Static<typeof Passkey>
