import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { access } from '../plugins/access.ts'
import { operation } from '../plugins/operation.ts'
import { listEntries } from './audit-logs.ts'
import { exportEntries } from './export.ts'
import { AuditLogPage, AuditLogQuery, ExportQuery, Verification, VerifyQuery } from './schema.ts'
import { verify } from './verify.ts'

const tag = 'Audit logs'

export const auditLogs = new Elysia({ name: 'audit-logs', prefix: '/api/v1/organizations' })
  .use(access)
  .get('/:org_id/audit-logs', ({ organization, query }) => listEntries(sql, organization.id, query), {
    organization: 'admin',
    ...operation({
      tag,
      id: 'listAuditLog',
      summary: 'The audit log of an organization',
      description:
        'Who did what, newest first. `start_date` is inclusive, `end_date` exclusive. Entries are written in the transaction of the change that they tell of, and the database refuses to change or delete them.',
      query: AuditLogQuery,
      responses: { 200: AuditLogPage },
    }),
  })
  .get(
    '/:org_id/audit-logs/export',
    ({ request, caller, organization, query }) => exportEntries(request, caller, organization, query),
    {
      organization: 'admin',
      ...operation({
        tag,
        id: 'exportAuditLog',
        summary: 'Export the audit log',
        description:
          'Streams what the filters select at this moment, newest first. `X-Total-Count` says how many entries there are; an export that breaks resets its connection, and is not whole. In CSV a value that a spreadsheet would run begins with an apostrophe. The export is itself on record, as `audit_log.exported`.',
        query: ExportQuery,
        responses: { 200: null },
        produces: ['application/x-ndjson', 'text/csv'],
      }),
    },
  )
  .get('/:org_id/audit-logs/verify', ({ organization, query }) => verify(sql, organization.id, query), {
    organization: 'admin',
    ...operation({
      tag,
      id: 'verifyAuditLog',
      summary: 'Verify the audit log',
      description: [
        'Entries are sealed, seconds after they were written, into a chain: each has a number without gaps, and a hash over itself and the hash before it. This walks the chain and computes it anew: at most 100,000 entries a call, from `after_seq` on. The call that reaches the end of the chain also finds entries that were added to the log without a seal.',
        'Keep a `head`. Sent later as `after_seq` and `after_hash`, it proves that nothing before it was changed or cut off; a chain alone cannot show that its end is missing.',
        'The hash is SHA-256 over the UTF-8 text `signalbox.audit.1`, followed by netstrings (`<bytes>:<text>,`, or `-,` for null) of: the hash before in hex (64 zeros before the first), the number, and the fields of the entry as the audit log shows them, in the order `id`, `organization_id`, `workspace_id`, `workspace_name`, `actor_type`, `actor_id`, `actor_name`, `action`, `resource_type`, `resource_id`, `detail`, `ip_address`, `created_at`.',
      ].join('\n\n'),
      query: VerifyQuery,
      responses: { 200: Verification },
    }),
  })
