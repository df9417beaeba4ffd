import { Instant, Maybe, Name, OneOf, Shape, type Static, Type, Uuid } from '../../core/values/schema.ts'

const Agents = Type.Array(Name(120), {
  maxItems: 50,
  description: 'Names of the agents that the runtime can run.',
  examples: [['claude-code']],
})

export const RuntimeInput = Shape({
  name: Name(120, { examples: ['Build farm 1'] }),
  hostname: Name(253, { examples: ['farm-1.example.com'] }),
  agents: Maybe(Agents),
})
export type RuntimeInput = Static<typeof RuntimeInput>

export const Heartbeat = Shape({ agents: Maybe(Agents) })
export type Heartbeat = Static<typeof Heartbeat>

export const Runtime = Shape('Runtime', {
  id: Uuid,
  name: Type.String(),
  hostname: Type.String(),
  status: OneOf(['online', 'offline'], { description: '`offline` after 90 seconds without a heartbeat.' }),
  agents: Agents,
  last_heartbeat: Instant,
  owner_id: Type.Unsafe<string>({ ...Uuid, description: 'The user who registered the runtime.' }),
  owner_name: Type.String(),
})
