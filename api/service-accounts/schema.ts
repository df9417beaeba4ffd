import {
  ActorShape,
  Described,
  Instant,
  InstantInput,
  Maybe,
  Name,
  Nullable,
  OneOf,
  Shape,
  type Static,
  Text,
  Type,
  Uuid,
} from '../../core/values/schema.ts'
import { SERVICE_SCOPES, serviceScopes } from '../credentials/scopes.ts'

const meanings = serviceScopes.map((scope) => `\`${scope}\`: ${SERVICE_SCOPES[scope]}`).join('\n- ')

const name = Name(120, { examples: ['Release pipeline'] })
const description = Maybe(Nullable(Text(2000, { examples: ['Opens the gates of releases.'] })))
const workspace = Maybe(Nullable(Described(Uuid, 'The workspace in which the account works. Null: all of the organization.')))
const project = Maybe(Nullable(Described(Uuid, 'The project in which the account works. Null: all of its workspace.')))
const scopes = Type.Array(OneOf(serviceScopes), {
  minItems: 1,
  maxItems: 8,
  uniqueItems: true,
  description: `What the account may do, in its place:\n\n- ${meanings}`,
  examples: [['gates:open', 'rollouts:report']],
})
const enabled = Maybe(
  Type.Boolean({ description: 'While it is false, the keys and tokens of the account are refused.', examples: [false] }),
)

export const ServiceAccountInput = Shape({ name, description, workspace_id: workspace, project_id: project, scopes, enabled })
export type ServiceAccountInput = Static<typeof ServiceAccountInput>

export const ServiceAccountUpdate = Shape({
  name: Maybe(name),
  description,
  workspace_id: workspace,
  project_id: project,
  scopes: Maybe(scopes),
  enabled,
})
export type ServiceAccountUpdate = Static<typeof ServiceAccountUpdate>

const lastUse = {
  last_used_at: Nullable(Type.String({ description: 'Accurate to the minute. Null: never used.' })),
  last_used_address: Nullable(Type.String({ description: 'The address of that use.', examples: ['203.0.113.7'] })),
}

export const ServiceAccount = Shape('ServiceAccount', {
  id: Uuid,
  organization_id: Uuid,
  workspace_id: Nullable(Uuid),
  project_id: Nullable(Uuid),
  name: Type.String({ examples: ['Release pipeline'] }),
  description: Nullable(Type.String()),
  scopes: Type.Array(OneOf(serviceScopes)),
  enabled: Type.Boolean(),
  ...lastUse,
  created_by: Uuid,
  actor: ActorShape,
  created_at: Instant,
  updated_at: Instant,
})
export type ServiceAccount = Static<typeof ServiceAccount>

export const KeyInput = Shape({
  name: Name(120, { description: 'Where the key is kept.', examples: ['Jenkins credentials'] }),
  expires_at: Described(InstantInput, 'At most 365 days from now.'),
})
export type KeyInput = Static<typeof KeyInput>

const keyFields = {
  id: Uuid,
  service_account_id: Uuid,
  name: Type.String({ examples: ['Jenkins credentials'] }),
  expires_at: Instant,
  ...lastUse,
  created_by: Uuid,
  actor: ActorShape,
  created_at: Instant,
}

export const ServiceAccountKey = Shape('ServiceAccountKey', keyFields)
export type ServiceAccountKey = Static<typeof ServiceAccountKey>

export const NewServiceAccountKey = Shape('NewServiceAccountKey', {
  ...keyFields,
  key: Type.String({
    description: 'The key (`sbx_svc_…`). Only this response contains it. Send it as `Authorization: Bearer …`.',
  }),
})
export type NewServiceAccountKey = Static<typeof NewServiceAccountKey>
