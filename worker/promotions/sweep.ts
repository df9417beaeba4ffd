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

/**
 * What may come to an environment next. Its row of `promotions` is locked before that is read: a report either is seen, or makes it due again.
 * Undefined if it is not due any more.
 */
async function lockCandidate(tx: Tx, { organization_id, project_id, environment }: Place): Promise<Candidate | undefined> {
  const [due] = await tx`
    select
    from promotions as promotion
    where project_id = ${project_id}
      and environment = ${environment}
      and organization_id = ${organization_id}
      and due_at <= now()
    for no key update
  `
  if (!due) return undefined
  const [candidate] = await tx<Candidate[]>`
    select
      policy.promotes_from, policy.open_gate, run.digest, run.subject, run.since, run.rollout_id,
      seconds_after(run.since, policy.soak_seconds)::timestamptz(3) as soak_until, own.current_digest,
      promotion.ready_digest is not distinct from run.digest
        and promotion.ready_since is not distinct from run.since as is_announced,
      promotion.obstacle as former_obstacle,
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
      and policy.promotes_from is not null
  `
  return candidate
}

/**
 * Whether people were asked about the subject already, and could answer. If they approved it and revoked that, they are asked again, and also
 * if a newer gate replaced the one that asked, or it expired.
 */
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
        and superseded_by is null
        and status <> 'expired'
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

/**
 * A decision that was being written while the obstacle was found does not make the environment due again: it does not see the obstacle yet.
 * After this time it has ended (`statement_timeout`), and a second look sees it.
 */
const SECOND_LOOK_MS = 60_000

const IDLE: Result = { due_at: null, obstacle: null }

/** Announces a candidate whose soak has ended, once, and opens its gate. */
async function proceed(tx: Tx, place: Place, candidate: Candidate): Promise<Result> {
  const { digest, subject, since, soak_until, now, current_digest, is_announced, open_gate, former_obstacle } = candidate
  if (digest === null || subject === null || since === null || soak_until === null || digest === current_digest) return IDLE
  if (soak_until > now) return { ...IDLE, due_at: soak_until }
  if (!is_announced) await emit(tx, SYSTEM, place, 'environment.ready', { environment: place.environment, subject })
  const result = { ...IDLE, ready: { digest, since } }
  if (!open_gate || (await wasAsked(tx, place, digest))) return result
  const obstacle = await openNext(tx, place, { ...candidate, subject, since })
  const isNew = obstacle !== null && obstacle !== former_obstacle
  return { ...result, obstacle, due_at: isNew ? new Date(Date.parse(now) + SECOND_LOOK_MS).toISOString() : null }
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

/** Serves one environment in a transaction of its own. Until it ends, no other gate can be opened in the project. */
const promote = (place: Place): Promise<void> =>
  transaction(async (tx) => {
    const { organization_id, project_id } = place
    await tx`select id from projects where id = ${project_id} and organization_id = ${organization_id} for no key update`
    const candidate = await lockCandidate(tx, place)
    if (!candidate) return
    await store(tx, place, await proceed(tx, place, candidate))
    announceChange(tx, scopePath(place))
  })

const RETRY_AFTER = '1 minute'

const postpone = ({ organization_id, project_id, environment }: Place) => sql`
  update promotions
  set due_at = now() + ${RETRY_AFTER}::interval
  where project_id = ${project_id}
    and environment = ${environment}
    and organization_id = ${organization_id}
    and due_at <= now()
`

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
    // A failure for one environment must not stop the others, nor come before them each time.
    try {
      await promote(place)
      served++
    } catch (error) {
      log.warn({ error, project_id: place.project_id }, 'the next gate of an environment could not be opened')
      // Its row may be what is locked.
      await postpone(place).catch((reason) => log.warn({ error: reason, project_id: place.project_id }, 'it stays due'))
    }
  }
  return served
}

export async function promoteDue(): Promise<void> {
  while ((await promoteBatch()) >= BATCH);
}
