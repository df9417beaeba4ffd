import {
  ActorShape,
  Day,
  Form,
  Instant,
  InstantInput,
  LastDay,
  Maybe,
  Nullable,
  OneOf,
  Page,
  pageQuery,
  Shape,
  type ShownActor,
  type Static,
  Text,
  Type,
  Uuid,
} from '../../core/values/schema.ts'
import { PAGED_LIST } from '../plugins/lists.ts'

const sealed = {
  id: Uuid,
  organization_id: Uuid,
  workspace_id: Nullable(Type.Unsafe<string>({ ...Uuid, description: 'Null for entries about the organization as a whole.' })),
  workspace_name: Nullable(Type.String({ description: 'At the time of the entry.' })),
  actor_type: OneOf(['human', 'token', 'service_account', 'system']),
  actor_id: Nullable(
    Type.Unsafe<string>({ ...Uuid, description: 'For a token: its user. Null for the service itself and for a report token.' }),
  ),
  actor_name: Type.String({ description: 'At the time of the entry.', examples: ['Ada Lovelace'] }),
  action: Type.String({ examples: ['member.added'] }),
  resource_type: Type.String({ examples: ['organization_member'] }),
  resource_id: Nullable(Uuid),
  detail: Type.String({ description: 'A description for people.', examples: ['Ada Lovelace added Grace Hopper as admin.'] }),
  ip_address: Nullable(Type.String({ examples: ['203.0.113.7'] })),
  created_at: Instant,
  via: Nullable(
    OneOf(['mcp', 'sso'], {
      description:
        'How the request came, if not to the API or a page: `mcp`, by a tool of an agent; `sso`, by what a provider says about a person.',
    }),
  ),
  seq: Nullable(
    Type.Integer({
      minimum: 1,
      description: 'Its number in the hash chain; null until it is sealed, which takes seconds.',
      examples: [42],
    }),
  ),
  hash: Nullable(
    Type.String({
      description: 'The SHA-256 over the entry and the hash of the entry before, in hex; null until it is sealed.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
  ),
}

const AuditLogEntry = Shape('AuditLogEntry', {
  ...sealed,
  actor: Type.Unsafe<ShownActor>({
    ...ActorShape,
    description: 'Who acted, with the name at the time of the entry. It is not sealed: the fields of `actor_…` are.',
  }),
})

const filters = {
  action: Maybe(
    Text(200, { description: 'An action, or a prefix that ends with `*`, such as `member.*`.', examples: ['member.*'] }),
  ),
  actor_id: Maybe(Type.Unsafe<string>({ ...Uuid, description: 'The user or service account who acted.' })),
  start_date: Maybe(InstantInput),
  end_date: Maybe(InstantInput),
}

const AuditLogFilter = Shape(filters)
type AuditLogFilter = Static<typeof AuditLogFilter>

export const AuditLogQuery = Shape({ ...PAGED_LIST, ...filters })

/** What entries can be filtered by in pages: also by several actions, and by the workspace. */
export type EntryFilter = Omit<AuditLogFilter, 'action'> & { action?: string | string[]; workspace_id?: string }

export const AuditLogPage = Page(AuditLogEntry)

export const ExportQuery = Shape({
  format: OneOf(['ndjson', 'csv'], {
    default: 'ndjson',
    description: 'One JSON object per line, or CSV (RFC 4180) with a header.',
  }),
  ...filters,
})

const Seq = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Hash = Form('^[0-9a-fA-F]{64}$', 'must be 64 hexadecimal digits', {
  description: 'SHA-256 in hex.',
  examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
})

/** The query of the page: names or ids, and days (UTC) instead of times. Handlers get times. */
export const EntryQuery = Shape({
  ...pageQuery,
  action: filters.action,
  actor_id: Maybe(Text(254)),
  workspace_id: Maybe(Text(254)),
  start_date: Maybe(Day),
  end_date: Maybe(LastDay),
})

/** The form of the page that exports what it shows. */
export const EntryExport = Shape({ ...ExportQuery.properties, workspace_id: Maybe(Uuid) })
export type EntryExport = Static<typeof EntryExport>

export const VerifyQuery = Shape({
  after_seq: Type.Unsafe<number>({
    ...Seq,
    default: 0,
    description: 'Verify the entries after this number. 0: from the beginning.',
  }),
  after_hash: Maybe(
    Type.Unsafe<string>({
      ...Hash,
      description: 'The hash stored with `after_seq`: detects whether the chain was cut off or rewritten since.',
    }),
  ),
})
export type VerifyQuery = Static<typeof VerifyQuery>

export const Verification = Shape('AuditLogVerification', {
  valid: Type.Boolean({ description: 'Whether all entries verified by this call are unchanged.' }),
  sealed: Type.Integer({ minimum: 0, description: 'The number of sealed entries.' }),
  unsealed: Type.Integer({
    minimum: 0,
    description: 'The number of entries that are not sealed yet; they are sealed within seconds.',
  }),
  head: Nullable(
    Shape({ seq: Seq, hash: Hash }, { description: 'The end of the chain. Store it to prove later that nothing was cut off.' }),
  ),
  broken_at: Nullable(
    Shape(
      { seq: Seq, entry_id: Nullable(Uuid) },
      {
        description:
          'The first invalid number. `entry_id` is null if the chain lacks this number. The number after `sealed` means that the entry was inserted without a seal.',
      },
    ),
  ),
  next_seq: Maybe(
    Type.Unsafe<number>({
      ...Seq,
      description: 'If there are more entries: the last verified number, to send as `after_seq`.',
    }),
  ),
})
export type Verification = Static<typeof Verification>
