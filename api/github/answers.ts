/** Answers to GitHub that are sent again because a person asks for it. */
import { isOpen, reconsiderRequests } from '../../core/github/requests.ts'
import { sql } from '../../core/platform/database.ts'
import type { Tx } from '../../sql/index.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { Problem } from '../problems.ts'

/** Has a worker look at what waits for a gate now. @throws Problem `invalid_transition` if nothing does */
export async function answerGate(tx: Tx, { id, organization_id }: ResourceKey<'gate'>): Promise<null> {
  const isConcerned = sql`request.gate_id = ${id}`
  const [waiting] = await tx`
    select
    from github_requests as request
    where request.organization_id = ${organization_id}
      and ${isOpen}
      and ${isConcerned}
    limit 1
  `
  if (!waiting) throw new Problem('invalid_transition', 'No workflow run at GitHub waits for this gate.')
  await reconsiderRequests(tx, organization_id, isConcerned)
  return null
}
