/** The routes of groups. */
import type { Actor } from '../support/signalbox.ts'
import type { Walk } from './walk.ts'

const GROUPS = '/api/v1/organizations/{org_id}/groups'
const GROUP = '/api/v1/groups/{group_id}'

/** Leaves a group for the policy of an environment. */
export async function walkGroups(walk: Walk, ada: Actor): Promise<void> {
  await walk.create(ada, GROUPS, 'group_id', { name: 'Security' })
  await walk.call(ada, `PUT ${GROUP}`, { name: 'Secure', description: 'Reviews.' })
  await walk.call(ada, `PUT ${GROUP}/members/{user_id}`)
  await walk.call(ada, `DELETE ${GROUP}/members/{user_id}`)
  await walk.call(ada, `DELETE ${GROUP}`)
  await walk.create(ada, GROUPS, 'group_id', { name: 'Operations' })
}
