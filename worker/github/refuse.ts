/** refuse_github_run: rejects a workflow run about which no project decides. */
import { keyOf, readApp } from '../../core/github/app.ts'
import { callGitHub, forgetToken, limitedFor, tokenFor } from '../../core/github/client.ts'
import { type RefusedRun, refuseRuns } from '../../core/jobs/tasks.ts'
import { sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { type Failure, failureFrom, failureOf, isAnsweredBefore, retryDelay } from './outcome.ts'
import { repositoryPath } from './request.ts'

/** After about a month, GitHub does not let it wait any more. */
const MAX_ATTEMPTS = 730

const COMMENT =
  'Rejected: the installation is not connected to an organization in Signalbox, or the repository is not linked to a project.'
const LONG = 'Rejected: Signalbox takes names of environments of at most 64 characters.'

/** @returns why it has to be tried again; null if it has not */
async function reject(run: RefusedRun): Promise<Failure | null> {
  const app = await readApp(sql)
  if (!app) return null
  const { installation_id, repository_id, run_id, environment } = run
  const installed = { url: app.url, app: await keyOf(app), installation_id }
  try {
    const token = await tokenFor(installed, repository_id, { deployments: 'write' })
    const answer = await callGitHub(app.url, `${repositoryPath(run)}/actions/runs/${run_id}/deployment_protection_rule`, {
      method: 'POST',
      token,
      body: { environment_name: environment, state: 'rejected', comment: [...environment].length > 64 ? LONG : COMMENT },
    })
    if (answer.status === 401) forgetToken(token)
    if (answer.status < 300 || isAnsweredBefore(answer)) return null
    const isOver = [404, 410, 422].includes(answer.status) && limitedFor(answer) === null
    return isOver ? null : failureOf(answer)
  } catch (error) {
    const failure = failureFrom(error)
    if (!failure) throw error
    return failure
  }
}

/** Rejects a run, unless it is decided here by now. If that fails, it is tried again later. */
export async function refuseGitHubRun(run: RefusedRun): Promise<void> {
  const { repository_id, run_id, environment, attempts } = run
  const failure = await reject(run)
  if (failure === null) return
  log.warn({ run: run_id, repository: repository_id, code: failure.code }, 'a workflow run could not be rejected')
  if (attempts + 1 >= MAX_ATTEMPTS) return
  const seconds = Math.max(retryDelay(attempts + 1), failure.hold_seconds ?? 0)
  const again = { run: { ...run, attempts: attempts + 1 }, key: `${repository_id}:${run_id}:${environment}` }
  await refuseRuns(sql, [again], seconds)
}
