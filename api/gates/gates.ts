/** Gates are questions to people, for which an execution may wait. This module reads them. */

import { fullGateColumns, type Gate } from '../../core/gates/gates.ts'
import { sql } from '../../core/platform/database.ts'
import type { Queryable } from '../../sql/index.ts'
import { contextOf } from '../plugins/request-context.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { pendingIn, preferredSeconds, Waits, waitUntilFinished } from '../plugins/waiting.ts'
import { notFound } from '../problems.ts'

/** A gate with all that it has. @throws Problem `not_found` */
export async function getGate(db: Queryable, { id, organization_id }: ResourceKey<'gate'>): Promise<Gate> {
  const [gate] = await db<Gate[]>`
    select ${fullGateColumns} from gates where gates.id = ${id} and gates.organization_id = ${organization_id}
  `
  if (!gate) throw notFound('gate')
  return gate
}

const gateWaits = new Waits(pendingIn(sql`gates`, sql`waited.status = 'pending'`), { endsEarly: true })

/**
 * A gate; once it is decided, if the client asks for that with `Prefer: wait`.
 * @throws what `getGate` and, after a wait, `confirmAfterWait` throw
 */
export async function awaitGate(request: Request, key: ResourceKey<'gate'>): Promise<Gate> {
  const seconds = preferredSeconds(request)
  if (seconds === null) return getGate(sql, key)
  const reads: Gate[] = []
  await waitUntilFinished(request, seconds, {
    waits: gateWaits,
    keys: [key],
    async read() {
      const gate = await getGate(sql, key)
      reads.unshift(gate)
      return gate.status === 'pending' ? null : gate
    },
  })
  if (reads.length > 1) contextOf(request).headers['Preference-Applied'] = `wait=${seconds}`
  return reads[0] as Gate
}
