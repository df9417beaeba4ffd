/** The pages of what entries of the audit log are about. */
import { hasPage, pagePath } from '../../core/links.ts'
import type { AuditRecord } from '../../core/security/audit-chain.ts'

/** The page of what an entry is about; null if it has none, or was deleted. */
export function entryPath({ action, resource_type, resource_id, organization_id, workspace_id }: AuditRecord): string | null {
  if (hasPage(resource_type)) return action.endsWith('.deleted') ? null : pagePath(resource_type, resource_id)
  switch (resource_type) {
    case 'organization_member':
    case 'invitation':
      return pagePath('organization', organization_id)
    case 'workspace_member':
    case 'subscription':
      return pagePath('workspace', workspace_id)
    case 'runtime':
      return `/app/organizations/${organization_id}/runtimes`
    default:
      return null
  }
}
