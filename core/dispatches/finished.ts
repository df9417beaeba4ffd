/** Emits the events of finished dispatches, `deployment.succeeded` and `deployment.failed`. */

import type { Tx } from '../../sql/index.ts'
import { SYSTEM } from '../actors.ts'
import { emitAll, findSubscriptions } from '../events/outbox.ts'
import { eventDispatches } from './view.ts'

interface Finished {
  id: string
  organization_id: string
  event: string
  status: 'succeeded' | 'failed'
}

/** Emits the events of dispatches that finished in this transaction. A test has none, nor has one that is still pending. */
export async function emitFinished(tx: Tx, finished: Finished[]): Promise<void> {
  const reported = finished.filter(({ event }) => event !== 'test.ping')
  const organization_ids = [...new Set(reported.map(({ organization_id }) => organization_id))]
  const subscriptions = await findSubscriptions(tx, organization_ids, ['deployment.succeeded'])
  // Most dispatches succeed, and are read only if a subscription may match.
  const read = reported.filter(({ status }) => status === 'failed' || subscriptions.length > 0)
  if (read.length === 0) return
  const dispatches = await eventDispatches(
    tx,
    organization_ids,
    read.map(({ id }) => id),
  )
  const order = new Map(read.map(({ id }, index) => [id, index]))
  dispatches.sort((a, b) => (order.get(a.dispatch.id) ?? 0) - (order.get(b.dispatch.id) ?? 0))
  await emitAll(
    tx,
    SYSTEM,
    dispatches.flatMap(({ organization_id, workspace_id, request_id, traceparent, dispatch }) => {
      const { status, project_id, hook_id } = dispatch
      if (status !== 'succeeded' && status !== 'failed') return []
      const scope = { organization_id, workspace_id, project_id }
      return {
        scope,
        name: `deployment.${status}` as const,
        data: { dispatch },
        references: { hook_id },
        request_id,
        traceparent,
      }
    }),
    subscriptions,
  )
}
