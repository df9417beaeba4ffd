/**
 * Rollouts from before environments promoted from each other, and where their subjects run after the migration. They are written by a
 * migration between the ones before and that one: only a release can leave a database in this state.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sql } from '../../sql/index.ts'

const MIGRATIONS = join(import.meta.dir, '../../sql/migrations')
/** Comes after 0040 and before 0041. */
const NAME = '0040_then_rollouts.sql'

interface Place {
  organization_id: string
  workspace_id: string
  project_id: string
}

const idOf = (number: number): string => `0190a000-0000-7000-8000-${String(number).padStart(12, '0')}`

const commit = (digit: string) => ({ gitCommit: digit.repeat(40) })
const image = { sha256: 'f'.repeat(64) }

interface Rolled {
  environment?: string
  event?: string
  state?: string
  /** The hour of the report. */
  at: number
  digest?: object
  /** Whether it came from the gate below. */
  approved?: boolean
}

const ROLLOUTS: Rolled[] = [
  { at: 10, digest: commit('a') },
  { at: 11, digest: commit('a') },
  { at: 10, digest: commit('b') },
  { at: 12, state: 'failed', digest: commit('b') },
  { at: 9, state: 'failed', digest: commit('c') },
  { at: 13, digest: commit('c') },
  { at: 14, approved: true },
  { at: 15, state: 'failed', digest: commit('e') },
  { at: 16 },
  { at: 17, state: 'in_progress', digest: commit('f') },
  { at: 10, environment: 'qa', digest: image },
  { at: 12, environment: 'qa', event: 'deployment.rollback' },
  { at: 13, environment: 'qa', digest: commit('a') },
]

const SUBJECT = { uri: 'git+https://git.example.com/acme/checkout', digest: commit('d'), version: 'v1.4.0' }
const instant = (hour: number): string => `2026-01-05T${String(hour).padStart(2, '0')}:00:00.000Z`
const text = (value: string | null): string => (value === null ? 'null' : `'${value}'`)
const json = (value: object | undefined): string => text(value ? JSON.stringify(value) : null)

/** The statements that write them. */
function writing({ organization_id, workspace_id, project_id }: Place): string {
  const place = [organization_id, workspace_id, project_id].map(text).join(', ')
  const rollouts = ROLLOUTS.map(({ environment = 'staging', event = 'manual.trigger', state = 'succeeded', ...of }, index) => {
    const gate_id = of.approved ? idOf(99) : null
    const [id, at] = [idOf(index), instant(of.at)]
    return `(${[id].map(text)}, ${place}, ${[id, environment, event, at, state].map(text)}, 'v1', ${text(at)}, ${json(of.digest)}, ${text(gate_id)})`
  })
  return `
    insert into environments (organization_id, workspace_id, project_id, environment, current_id, rollout_count)
    values (${place}, 'staging', ${text(idOf(8))}, 10), (${place}, 'qa', ${text(idOf(12))}, 3);

    insert into gates (
      id, organization_id, workspace_id, project_id, name, environment, subject, binding, status, created_by, decided_by, decided_via,
      decided_at
    )
    values (
      ${text(idOf(99))}, ${place}, 'Release', 'staging', ${json(SUBJECT)}, '${'0'.repeat(64)}', 'approved', ${text(idOf(98))},
      ${text(idOf(98))}, 'api', ${text(instant(13))}
    );

    insert into rollouts (
      id, organization_id, workspace_id, project_id, hook_id, environment, event, event_at, state, version, reported_at, digest, gate_id
    )
    values ${rollouts.join(',\n')};
  `
}

/** What a subject is called that no gate names. */
const named = (digest: Record<string, string>, project_id: string): object => ({
  uri: `pkg:generic/${project_id}@${Object.values(digest)[0]}`,
  digest,
  version: 'v1',
})

/** What the migration leaves. */
export const runsAfter = (project_id: string) => ({
  environments: [
    { environment: 'qa', current_digest: `gitCommit:${'a'.repeat(40)}`, newest_digest: `gitCommit:${'a'.repeat(40)}` },
    // What runs in staging is not known by its digest.
    { environment: 'staging', current_digest: null, newest_digest: `gitCommit:${'d'.repeat(40)}` },
  ],
  runs: [
    run('qa', 'a', { since: 13, rollout: 12, subject: named(commit('a'), project_id) }),
    { ...run('qa', 'a', { ended: ['rolled_back', 12] }), digest: `sha256:${image.sha256}` },
    run('staging', 'a', { since: 10, rollout: 0, subject: named(commit('a'), project_id) }),
    run('staging', 'b', { ended: ['failed', 12] }),
    run('staging', 'c', { since: 13, rollout: 5, subject: named(commit('c'), project_id) }),
    run('staging', 'd', { since: 14, rollout: 6, subject: SUBJECT }),
    run('staging', 'e', { ended: ['failed', 15] }),
  ],
})

interface Ran {
  since?: number
  rollout?: number
  subject?: object
  ended?: [by: string, hour: number]
}

const run = (environment: string, digit: string, { since, rollout, subject, ended }: Ran) => ({
  environment,
  digest: `gitCommit:${digit.repeat(40)}`,
  subject: subject ?? null,
  since: since === undefined ? null : instant(since),
  rollout_id: rollout === undefined ? null : idOf(rollout),
  ended_by: ended?.[0] ?? null,
  ended_at: ended ? instant(ended[1]) : null,
})

/** The same, as it is stored. */
export async function readRuns(sql: Sql, { organization_id, project_id }: Place) {
  const environments = await sql`
    select environment, current_digest, newest_digest
    from environments
    where project_id = ${project_id}
      and organization_id = ${organization_id}
      and environment in ('qa', 'staging')
    order by environment
  `
  const runs = await sql`
    select environment, digest, subject, since, rollout_id, ended_by, ended_at
    from environment_runs
    where project_id = ${project_id} and organization_id = ${organization_id}
    order by environment, digest
  `
  return { environments: [...environments], runs: [...runs] }
}

/**
 * Migrates a database with these rollouts in it before 0041.
 * @param release migrates with the migrations of a folder
 * @param wrapped what is executed to write them
 */
export async function migrateWithRollouts(
  sql: Sql,
  place: Place,
  release: (folder: string) => Promise<unknown>,
  wrapped: (statements: string) => string = (statements) => statements,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-migrations-'))
  try {
    await cp(MIGRATIONS, folder, { recursive: true })
    await Bun.write(join(folder, NAME), wrapped(writing(place)))
    await release(folder)
    await sql`delete from schema_migrations where name = ${NAME}`
  } finally {
    await rm(folder, { recursive: true })
  }
}
