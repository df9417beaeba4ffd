/**
 * The way back for owners who cannot sign on, because the provider is lost: an owner who has signed in within 10 minutes, and with a second
 * factor, may read and change the connection, and nothing else.
 */
import { addJob } from '../../core/jobs/tasks.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { record } from '../../core/security/audit.ts'
import { type Quota, useQuota } from '../../core/security/quotas.ts'
import type { Queryable } from '../../sql/index.ts'
import type { FoundCaller } from './callers.ts'
import { contextOf } from './request-context.ts'
import type { Kind } from './resources.ts'

/** The connection itself, as the API and its page read and change it. */
const PATH = /^\/(?:api\/v1|app)\/organizations\/[^/]+\/sso\/?$/
const METHODS = ['GET', 'HEAD', 'PUT', 'POST']

/** A second factor that was added later says nothing about the sign-in. */
async function hasFreshFactor(db: Queryable, { user_id, session_id }: FoundCaller): Promise<boolean> {
  const rows = await db`
    select
    from sessions as session
    where session.id = ${session_id}
      and session.created_at > now() - interval '10 minutes'
      and (
        exists (select from totp_apps where user_id = ${user_id} and created_at < session.created_at)
        or exists (select from passkeys where user_id = ${user_id} and created_at < session.created_at)
      )
  `
  return rows.length > 0
}

/** It is on record once for a session and an organization, and not for each request. */
const RECORDS: Quota = { most: 1, seconds: 600 }

/** In one transaction: without its record and its mail, nothing is opened. */
const recordBreak = ({ user_id, user_name, session_id }: FoundCaller, organization_id: string, request: Request): Promise<void> =>
  transaction(async (tx) => {
    if ((await useQuota(tx, `broken glass of session ${session_id} in ${organization_id}`, RECORDS)) !== null) return
    const { address: ip_address, request_id } = contextOf(request)
    const by = { type: 'human', id: user_id, name: user_name, ip_address, request_id, traceparent: null } as const
    const scope = { organization_id, workspace_id: null, project_id: null }
    await record(tx, by, scope, {
      action: 'sso.break_glass',
      resource_type: 'sso_connection',
      resource_id: organization_id,
      detail: `${user_name}, the owner, opened the settings of single sign-on without having signed on.`,
    })
    await addJob(tx, 'mail_sso_notice', { organization_id, about: 'break_glass', subject_id: user_id })
  })

/** The caller with the resource that the missing sign-on hides, if they are an owner who may mend that. Else the caller as they are. */
export async function brokenGlass<K extends Kind>(request: Request, found: FoundCaller<K>): Promise<FoundCaller<K>> {
  const { lacked_sign_on, lacks_second_factor, hidden, organization_role, session_id } = found
  if (lacked_sign_on === null || hidden === null || lacks_second_factor) return found
  if (organization_role !== 'owner' || session_id === null) return found
  if (!METHODS.includes(request.method) || !PATH.test(new URL(request.url).pathname)) return found
  if (!(await hasFreshFactor(sql, found))) return found
  await recordBreak(found, hidden.organization_id, request)
  contextOf(request).breaksGlass = true
  return { ...found, lacked_sign_on: null, resource: hidden }
}
