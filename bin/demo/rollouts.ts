/** The demo's rollouts: the receiver reports the outcome of its deployments, and the environment shows what runs. */
import type { ApiClient, Resource } from '../support/api-client.ts'
import { Failure } from '../support/failure.ts'
import type { Received } from '../support/signed-receiver.ts'
import { checked, dim, printStep, strong } from '../support/timeline.ts'

export const PRODUCTION = 'production'

interface Report {
  state: 'in_progress' | 'succeeded' | 'failed'
  version: string
  description?: string
}

interface Item {
  version: string | null
  state: string
}

interface Environment {
  environment: string
  current: Item | null
  latest: Item | null
  change_failure_rate_30d: number | null
}

/** Reports the state of a deployment, with the URL and the token in its headers. */
export async function reportAs({ headers, event }: Received, report: Report): Promise<void> {
  const url = headers.get('x-signalbox-report-url')
  if (!url) throw new Failure(`The ${event} has no X-Signalbox-Report-Url.`)
  const response = await fetch(url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${headers.get('x-signalbox-report-token')}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(report),
    signal: AbortSignal.timeout(30_000),
  })
  if (!response.ok) throw new Failure(`The report was answered ${response.status}: ${await response.text()}`)
  const { state, version, description } = report
  const why = description ? dim(` ${description}`) : ''
  printStep('receiver', `reports ${version} to ${PRODUCTION}: ${strong(state.replace('_', ' '))}${why}`)
}

/** Prints what runs in production. @throws Failure unless it is this version, and the last report had this state */
export async function showEnvironment(api: ApiClient, project: Resource, version: string, state: string): Promise<void> {
  const environments = await api.get<Environment[]>(`/projects/${project.id}/environments`)
  const found = environments.find(({ environment }) => environment === PRODUCTION)
  const isRight = found?.current?.version === version && found.latest?.state === state
  if (!isRight) throw new Failure(`Expected ${version} in ${PRODUCTION}; the environments are ${JSON.stringify(environments)}.`)
  const share = (found.change_failure_rate_30d ?? 0).toLocaleString('en', { style: 'percent' })
  const failures = dim(`change failure rate ${share}`)
  printStep('signalbox', `${checked(isRight, `${PRODUCTION} runs ${version}`)}  ${failures}`)
}
