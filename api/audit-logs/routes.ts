import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { access } from '../plugins/access.ts'
import { listedPage, NEWEST_FIRST } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { listEntries, readableBy } from './audit-logs.ts'
import { exportEntries } from './export.ts'
import { AuditLogPage, AuditLogQuery, ExportQuery, Verification, VerifyQuery } from './schema.ts'
import { verify } from './verify.ts'

export const auditLogs = new Elysia({ name: 'audit-logs', prefix: '/api/v1/organizations', tags: ['Audit logs'] })
  .use(access)
  .get(
    '/:org_id/audit-logs',
    ({ request, caller, organization, query }) =>
      listedPage(request, query, NEWEST_FIRST, (page) => listEntries(sql, organization.id, readableBy(caller, page))),
    operation('organization', 'admin', {
      scopes: ['audit:read'],
      narrowed: true,
      id: 'listAuditLog',
      summary: 'List the audit log of an organization',
      description:
        'Newest first. `start_date` is inclusive, `end_date` exclusive. Entries are written in the transaction of the change that they record, and the database rejects updates and deletions of entries. A service account of one workspace gets the entries about it, and one of a project none.',
      query: AuditLogQuery,
      responses: { 200: AuditLogPage },
    }),
  )
  .get(
    '/:org_id/audit-logs/export',
    ({ request, caller, organization, query }) => exportEntries(request, caller, organization, readableBy(caller, query)),
    operation('organization', 'admin', {
      scopes: ['audit:read'],
      narrowed: true,
      id: 'exportAuditLog',
      summary: 'Export the audit log',
      description:
        'Streams the matching entries, newest first. `X-Total-Count` contains the number of entries; a failed export resets its connection. In CSV, values that spreadsheets would execute are prefixed with an apostrophe. The export itself is recorded as `audit_log.exported`.',
      query: ExportQuery,
      responses: { 200: null },
      produces: ['application/x-ndjson', 'text/csv'],
    }),
  )
  .get(
    '/:org_id/audit-logs/verify',
    ({ organization, query }) => verify(sql, organization.id, query),
    operation('organization', 'admin', {
      scopes: ['audit:read'],
      id: 'verifyAuditLog',
      summary: 'Verify the audit log',
      description: [
        'Seconds after they are written, entries are sealed in a hash chain: each has a gapless number and a hash over its content and the previous hash. This operation recomputes the chain after `after_seq`, at most 100,000 entries per call. The call that reaches the end of the chain also detects entries that were inserted without a seal.',
        'Store a `head` outside the service. Sent later as `after_seq` and `after_hash`, it proves that no entry up to it was changed or removed; a chain alone cannot show that its end was cut off.',
        'The hash is SHA-256 over the UTF-8 text `signalbox.audit.1`, followed by netstrings (`<bytes>:<text>,`, or `-,` for null) of: the previous hash in hex (64 zeros for the first entry), the number, and the fields of the entry as the audit log returns them, in the order `id`, `organization_id`, `workspace_id`, `workspace_name`, `actor_type`, `actor_id`, `actor_name`, `action`, `resource_type`, `resource_id`, `detail`, `ip_address`, `created_at`. For an entry whose `via` is not null, the text begins with `signalbox.audit.2`, and `via` is the last field.',
      ].join('\n\n'),
      query: VerifyQuery,
      responses: { 200: Verification },
    }),
  )
