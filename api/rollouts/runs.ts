/** What a report says about the subject that was rolled out: that it runs in the environment, or not any more. */
import { emitBlocked } from '../../core/dispatches/promoted.ts'
import { digestText } from '../../core/gates/attestations.ts'
import { approved, type Subject } from '../../core/gates/gates.ts'
import { reconsider, recordFailure, recordRollback, recordSuccess } from '../../core/promotions/runs.ts'
import type { Actor } from '../../core/tenants/actors.ts'
import type { ProjectScope } from '../../core/tenants/scopes.ts'
import type { Digest } from '../../core/values/digest.ts'
import type { Json, Tx } from '../../sql/index.ts'
import { isSubjectUri } from '../gates/evidence.ts'
import { cancelUnpromoted } from '../lanes/lanes.ts'

/** A rollout that has ended, as it was reported. */
export interface EndedRollout {
  rollout_id: string
  at: string
  version: string | null
  url: string | null
  gate_id: string | null
  /**
   * As it was reported, or else of what was approved; null if neither is known, or it cannot have come there to stay: nothing was sent, or a
   * rollback was made after it was.
   */
  digest: Digest | null
  /** When its dispatch was made, if that was a rollback; else null. */
  rolled_back_at: string | null
}

/** Where a subject is of which no gate says it: in the repository of the project, or in a package of its own name. */
function uriOf(project_id: string, { gitCommit, sha256 }: Digest, url: string | null, repository_url: string | null): string {
  const repository = gitCommit === undefined || repository_url === null ? null : `git+${repository_url}`
  const known = [repository, url].find((uri) => uri !== null && isSubjectUri(uri))
  return known ?? `pkg:generic/${project_id}@${gitCommit ?? sha256}`
}

/**
 * What was rolled out, as the gate names it that it came from, or else one that was approved for the environment. Others do not count: anyone
 * can open a gate for a digest, under a wrong name.
 */
async function subjectOf(
  tx: Tx,
  { organization_id, project_id }: ProjectScope,
  environment: string,
  digest: Digest,
  { gate_id, url, version }: EndedRollout,
): Promise<Subject> {
  const [{ subject, repository_url } = { subject: null, repository_url: null }] = await tx<
    { subject: Subject | null; repository_url: string | null }[]
  >`
    select
      project.repository_url,
      (
        select gate.subject
        from gates as gate
        where gate.project_id = ${project_id}
          and gate.organization_id = ${organization_id}
          and gate.subject is not null
          and gate.subject -> 'digest' = ${tx.json(digest as Json)}
          and (gate.id = ${gate_id} or gate.environment = ${environment})
          and ${approved()}
        order by gate.id is not distinct from ${gate_id} desc, gate.decided_at desc, gate.id desc
        limit 1
      ) as subject
    from projects as project
    where project.id = ${project_id} and project.organization_id = ${organization_id}
  `
  return subject ?? { uri: uriOf(project_id, digest, url, repository_url), digest, version }
}

/**
 * Records what a report ends or begins. What waits for a subject that failed, or was rolled back, is cancelled, and those who approved it are
 * notified. Then the lanes of the project are locked; the environment always is.
 */
export async function recordRun(
  tx: Tx,
  by: Actor,
  scope: ProjectScope,
  environment: string,
  state: 'succeeded' | 'failed',
  ended: EndedRollout,
): Promise<void> {
  const key = { organization_id: scope.organization_id, project_id: scope.project_id, environment }
  const { digest, at, rollout_id, rolled_back_at } = ended
  const cancel = async (subject: string | null): Promise<void> =>
    emitBlocked(tx, by, [scope.organization_id], await cancelUnpromoted(tx, scope, environment, subject))
  // A rollback may have been sent again, after other subjects had come.
  if (rolled_back_at !== null && state === 'succeeded') {
    await recordRollback(tx, scope, environment, rolled_back_at)
    await cancel(null)
  }
  if (digest !== null && state === 'succeeded') {
    const subject = await subjectOf(tx, scope, environment, digest, ended)
    await recordSuccess(tx, key, { digest: digestText(digest), subject, rollout_id, at })
  }
  if (digest !== null && state === 'failed' && (await recordFailure(tx, key, { digest: digestText(digest), at }))) {
    await cancel(digestText(digest))
  }
  await reconsider(tx, scope, environment)
}
