/** The routes with which receivers and users report about dispatches. */
import type { Actor } from '../support/signalbox.ts'
import type { Context, Walk } from './walk.ts'

/** Reports about a dispatch, by the token and by a user; and a rollout that nobody reports about. */
export async function walkReports(walk: Walk, { box, receiver }: Context, ada: Actor): Promise<void> {
  const report = `POST /api/v1/dispatches/{dispatch_id}/report`
  const [request] = receiver.requests.filter(({ headers }) => headers['x-signalbox-delivery'] === walk.ids.dispatch_id)
  const holder = ada.as(request?.headers['x-signalbox-report-token'] ?? '')
  await walk.call(holder, report, { state: 'in_progress', version: 'v1.5.0' })
  await walk.call(ada, report, { state: 'succeeded' })
  walk.ids.environment = 'production'
  const { body: silent } = await walk.call(ada, `POST /api/v1/deployment-hooks/{hook_id}/trigger`, undefined, {
    Prefer: 'wait=10',
  })
  await box.sql`update rollouts set deadline_at = now() where id = ${silent.id}`
  await box.until('the rollout is unknown', async () => {
    const [rollout] = await box.sql`select from rollouts where id = ${silent.id} and state = 'unknown'`
    return rollout !== undefined
  })
}
