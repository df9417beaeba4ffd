/** The pages that notifications are about. */
import type { Notification } from './schema.ts'

/** The path of the page that a notification is about. */
export function pathOf({ resource_type, resource_id, organization_id, workspace_id }: Notification): string {
  if (resource_type === 'gate') return `/app/gates/${resource_id}`
  if (resource_type === 'execution') return `/app/executions/${resource_id}`
  if (resource_type === 'invitation') return '/app'
  return workspace_id === null ? `/app/organizations/${organization_id}` : `/app/workspaces/${workspace_id}`
}
