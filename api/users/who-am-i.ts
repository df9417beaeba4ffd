/** Who sends a request. */
import type { Queryable } from '../../sql/index.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { ServiceIdentity, User } from './schema.ts'
import { getUser } from './users.ts'

/** The user, or the service account with the scopes that this request has. */
export function whoAmI(db: Queryable, { id, name, bound_to, service_account }: Caller): Promise<User> | ServiceIdentity {
  if (!service_account) return getUser(db, id)
  const { workspace_id, project_id, scopes } = service_account
  return { id, name, type: 'service_account', organization_id: bound_to ?? '', workspace_id, project_id, scopes }
}
