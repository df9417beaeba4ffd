/** The routes with which a CI system claims the dispatches of a pull hook. */
import type { Actor } from '../support/signalbox.ts'
import type { Context, Walk } from './walk.ts'

const CLAIM = 'POST /api/v1/deployment-hooks/{hook_id}/claim'
const ACKNOWLEDGE = 'POST /api/v1/dispatches/{dispatch_id}/acknowledge'

/** Claims by token and by a user; acknowledges, lets a lease run out, and lets a dispatch expire that nobody claims. */
export async function walkPulls(walk: Walk, { box }: Pick<Context, 'box'>, ada: Actor): Promise<void> {
  const { hook_id, dispatch_id } = walk.ids
  const path = `POST /api/v1/projects/{project_id}/deployment-hooks`
  const input = { name: 'Pulled', mode: 'pull', trigger_on: 'gate_approved', supersede: true, max_age_seconds: 60 }
  walk.ids.hook_id = (await walk.call(ada, path, input)).body.id
  const { token } = (await walk.call(ada, 'POST /api/v1/deployment-hooks/{hook_id}/pull-token')).body
  const holder = ada.as(token)
  const trigger = async () => (await walk.call(ada, 'POST /api/v1/deployment-hooks/{hook_id}/trigger')).body
  const claim = async (actor: Actor) => (await walk.call(actor, CLAIM, { wait: 20 })).body[0]
  await trigger()
  for (const outcome of ['retry', 'succeeded']) {
    const { dispatch, lease_until } = await claim(outcome === 'retry' ? holder : ada)
    walk.ids.dispatch_id = dispatch.id
    await walk.call(holder, ACKNOWLEDGE, { outcome, lease_until })
  }
  // Nothing is due: it is checked for while the claim waits.
  await walk.call(holder, CLAIM, { wait: 2 })
  await trigger()
  const { dispatch } = await claim(holder)
  await box.sql.begin(async (tx) => {
    await tx`update deliveries set leased_at = null, lease_until = null where id = ${dispatch.id}`
    await tx`
      update deliveries
      set leased_at = now() - interval '1 minute', lease_until = now(), due_at = now()
      where id = ${dispatch.id}
    `
  })
  await box.until('the lease has run out', async () => {
    const [ended] = await box.sql`select from deliveries where id = ${dispatch.id} and attempt_count = 1`
    return ended !== undefined
  })
  await box.sql`update dispatches set created_at = now() - interval '2 minutes' where id = ${dispatch.id}`
  await box.until('the dispatch has expired', async () => {
    const [expired] = await box.sql`select from dispatches where id = ${dispatch.id} and status = 'cancelled'`
    return expired !== undefined
  })
  // It would get the events of the rest of the walk, which nobody claims.
  await walk.call(ada, 'PUT /api/v1/deployment-hooks/{hook_id}', { enabled: false })
  Object.assign(walk.ids, { hook_id, dispatch_id })
}
