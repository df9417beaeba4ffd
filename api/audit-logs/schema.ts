import {
  Form,
  Instant,
  InstantInput,
  Maybe,
  Nullable,
  OneOf,
  Page,
  pageQuery,
  Shape,
  type Static,
  Text,
  Type,
  Uuid,
} from '../../core/values/schema.ts'

export const AuditLogEntry = Shape(
  {
    id: Uuid,
    organization_id: Uuid,
    workspace_id: Nullable(Type.Unsafe<string>({ ...Uuid, description: 'Null for what concerns the whole organization.' })),
    workspace_name: Nullable(Type.String({ description: 'As it was then.' })),
    actor_type: OneOf(['human', 'token', 'system']),
    actor_id: Nullable(Type.Unsafe<string>({ ...Uuid, description: 'Of a token: its user. Null for the service itself.' })),
    actor_name: Type.String({ description: 'As it was then.', examples: ['Ada Lovelace'] }),
    action: Type.String({ examples: ['member.added'] }),
    resource_type: Type.String({ examples: ['organization_member'] }),
    resource_id: Nullable(Uuid),
    detail: Type.String({ description: 'A sentence for people.', examples: ['Ada Lovelace added Grace Hopper as admin.'] }),
    ip_address: Nullable(Type.String({ examples: ['203.0.113.7'] })),
    created_at: Instant,
  },
  { title: 'AuditLogEntry' },
)

const filters = {
  action: Maybe(
    Text(200, { description: 'One action, or with `*` at its end all that begin so: `member.*`.', examples: ['member.*'] }),
  ),
  actor_id: Maybe(Type.Unsafe<string>({ ...Uuid, description: 'Who did it.' })),
  // From the first on, and until before the second.
  start_date: Maybe(InstantInput),
  end_date: Maybe(InstantInput),
}

export const AuditLogFilter = Shape(filters)
export type AuditLogFilter = Static<typeof AuditLogFilter>

export const AuditLogQuery = Shape({ ...pageQuery, ...filters })
export type AuditLogQuery = Static<typeof AuditLogQuery>

export const AuditLogPage = Page(AuditLogEntry)

export const ExportQuery = Shape({
  format: OneOf(['ndjson', 'csv'], {
    default: 'ndjson',
    description: 'One JSON object a line, or CSV (RFC 4180) with a header.',
  }),
  ...filters,
})
export type ExportQuery = Static<typeof ExportQuery>

const Seq = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Hash = Form('^[0-9a-fA-F]{64}$', 'must be 64 hexadecimal digits', {
  description: 'SHA-256 in hex.',
  examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
})

export const VerifyQuery = Shape({
  after_seq: Type.Unsafe<number>({ ...Seq, default: 0, description: 'Check what comes after this number; 0 is the beginning.' }),
  after_hash: Maybe(
    Type.Unsafe<string>({
      ...Hash,
      description: 'The hash that `after_seq` had when you noted it: shows whether the chain was cut off or written anew since.',
    }),
  ),
})
export type VerifyQuery = Static<typeof VerifyQuery>

export const Verification = Shape(
  {
    valid: Type.Boolean({ description: 'Whether all that this call has checked is as it was sealed.' }),
    sealed: Type.Integer({ minimum: 0, description: 'How many entries the chain holds.' }),
    unsealed: Type.Integer({
      minimum: 0,
      description: 'How many were written and are not in the chain yet; seconds later they are.',
    }),
    head: Nullable(
      Shape(
        { seq: Seq, hash: Hash },
        { description: 'The end of the chain. Keep it: with it you can prove later that nothing was cut off.' },
      ),
    ),
    broken_at: Nullable(
      Shape(
        { seq: Seq, entry_id: Nullable(Uuid) },
        {
          description:
            'The first number that is wrong; `entry_id` is null where the chain itself has no such number any more. The number after `sealed`: that entry was added to the log, and never to the chain.',
        },
      ),
    ),
    next_seq: Maybe(
      Type.Unsafe<number>({
        ...Seq,
        description: 'Where more follows: the last number that was checked, to be sent as `after_seq`.',
      }),
    ),
  },
  { title: 'AuditLogVerification' },
)
export type Verification = Static<typeof Verification>
