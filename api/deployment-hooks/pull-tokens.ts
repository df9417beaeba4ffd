import { record } from '../../core/security/audit.ts'
import type { Tx } from '../../sql/index.ts'
import { newPullToken, pullTokenHash } from '../credentials/pull-token.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import { notAPullHook } from './claims.ts'
import { lockHook } from './hooks.ts'
import type { PullToken } from './pull-schema.ts'

/**
 * Gives a pull hook a new pull token, in place of the one before.
 *
 * @throws Problem `not_a_pull_hook`
 */
export async function replacePullToken(tx: Tx, by: Caller, hook: Resource<'hook'>): Promise<PullToken> {
  const locked = await lockHook(tx, hook)
  if (locked.mode !== 'pull') throw notAPullHook()
  const token = newPullToken()
  await tx`
    update deployment_hooks
    set pull_token_hash = ${pullTokenHash(token)}
    where id = ${hook.id}
      and organization_id = ${hook.organization_id}
  `
  await record(tx, by, hook, {
    action: 'deployment_hook.pull_token_created',
    resource_type: 'deployment_hook',
    resource_id: hook.id,
    detail: `${by.name} created a pull token for the deployment hook ${locked.name}; the one before no longer works.`,
  })
  return { token }
}
