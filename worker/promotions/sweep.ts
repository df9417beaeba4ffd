/** Announces subjects that have run in an environment long enough for the next one, and opens their gates. */
import { emit } from '../../core/events/outbox.ts'
import { digestOf } from '../../core/gates/attestations.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { isRunning } from '../../core/promotions/promotion.ts'
import { SYSTEM } from '../../core/tenants/actors.ts'
import { announceChange, scopePath } from '../../core/tenants/changes.ts'
import { isActiveOrganization, type ProjectScope } from '../../core/tenants/scopes.ts'
import type { Json, Tx } from '../../sql/index.ts'
import { acrossTenants } from '../../sql/reach.ts'
import { type Candidate, openNext } from './open-next.ts'

const BATCH = 100

interface Place extends ProjectScope {
  environment: string
}

/** What may come to an environment next. Its row of `promotions` is locked; undefined if it is not due any more. */
async function lockCandidate(tx: Tx, { organization_id, project_id, environment }: Place): Promise<Candidate | undefined> {
  const [candidate] = await tx<Candidate[]>`
    select
      policy.promotes_from, policy.open_gate, run.digest, run.subject, run.since, run.rollout_id,
      seconds_after(run.since, policy.soak_seconds)::timestamptz(3) as soak_until, own.current_digest,
      promotion.ready_digest is not distinct from run.digest
        and promotion.ready_since is not distinct from run.since as is_announced,
      now()::timestamptz(3) as now
    from promotions as promotion
    join environment_policies as policy
      on policy.project_id = ${project_id}
      and policy.environment = ${environment}
      and policy.organization_id = ${organization_id}
    left join environments as own
      on own.project_id = ${project_id}
      and own.environment = ${environment}
      and own.organization_id = ${organization_id}
    left join environments as before
      on before.project_id = ${project_id}
      and before.environment = policy.promotes_from
      and before.organization_id = ${organization_id}
    left join environment_runs as run
      on run.project_id = ${project_id}
      and run.environment = policy.promotes_from
      and run.digest = before.newest_digest
      and run.organization_id = ${organization_id}
      and ${isRunning}
    where promotion.project_id = ${project_id}
      and promotion.environment = ${environment}
      and promotion.organization_id = ${organization_id}
      and promotion.due_at <= now()
      and policy.promotes_from is not null
    for no key update of promotion
  `
  return candidate
}

/** Whether people were asked about the subject already. If they approved and revoked that, they are asked again. */
async function wasAsked(tx: Tx, { organization_id, project_id, environment }: Place, digest: string): Promise<boolean> {
  const [{ asked } = { asked: true }] = await tx<{ asked: boolean }[]>`
    select exists (
      select 1
      from gates
      where project_id = ${project_id}
        and organization_id = ${organization_id}
        and environment = ${environment}
        and subject is not null
        and subject -> 'digest' = ${tx.json(digestOf(digest) as Json)}
        and revoked_at is null
    ) as asked
  `
  return asked
}

/** What is stored about an environment. */
interface Result {
  /** When to look again; null: when something changes. */
  due_at: string | null
  obstacle: string | null
  /** The run that was announced; undefined: as before. */
  ready?: { digest: string; since: string }
}

const IDLE: Result = { due_at: null, obstacle: null }

/** Announces a candidate whose soak has ended, once, and opens its gate. */
async function proceed(tx: Tx, place: Place, candidate: Candidate): Promise<Result> {
  const { digest, subject, since, soak_until, now, current_digest, is_announced, open_gate } = candidate
  if (digest === null || subject === null || since === null || soak_until === null || digest === current_digest) return IDLE
  if (soak_until > now) return { ...IDLE, due_at: soak_until }
  if (!is_announced) await emit(tx, SYSTEM, place, 'environment.ready', { environment: place.environment, subject })
  const result = { ...IDLE, ready: { digest, since } }
  if (!open_gate || (await wasAsked(tx, place, digest))) return result
  return { ...result, obstacle: await openNext(tx, place, { ...candidate, subject, since }) }
}

async function store(
  tx: Tx,
  { organization_id, project_id, environment }: Place,
  { due_at, obstacle, ready }: Result,
): Promise<void> {
  await tx`
    update promotions
    set due_at       = ${due_at},
        obstacle     = ${obstacle},
        ready_digest = ${ready ? ready.digest : tx`ready_digest`},
        ready_since  = ${ready ? ready.since : tx`ready_since`}
    where project_id = ${project_id}
      and environment = ${environment}
      and organization_id = ${organization_id}
  `
}

/** Serves one environment in a transaction of its own, in which no other process opens a gate in the project. */
const promote = (place: Place): Promise<void> =>
  transaction(async (tx) => {
    const { organization_id, project_id } = place
    await tx`select id from projects where id = ${project_id} and organization_id = ${organization_id} for no key update`
    const candidate = await lockCandidate(tx, place)
    if (!candidate) return
    await store(tx, place, await proceed(tx, place, candidate))
    announceChange(tx, scopePath(place))
  })

async function promoteBatch(): Promise<number> {
  const due = await acrossTenants(
    sql<Place[]>`
    select organization_id, workspace_id, project_id, environment
    from promotions
    where due_at <= now()
      and ${isActiveOrganization(sql`promotions.organization_id`)}
    order by due_at
    limit ${BATCH}
  `,
    'partly',
  )
  let served = 0
  for (const place of due) {
    // A failure for one environment must not stop the others.
    try {
      await promote(place)
      served++
    } catch (error) {
      log.warn({ error, project_id: place.project_id }, 'what may come to an environment could not be found')
    }
  }
  return served
}

export async function promoteDue(): Promise<void> {
  while ((await promoteBatch()) >= BATCH);
}
