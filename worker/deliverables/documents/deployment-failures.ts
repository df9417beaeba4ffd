/** Failed deliveries and rollouts of the last 30 days, by cause. */
import { pageUrl } from '../../../core/tenants/links.ts'
import { minuteText } from '../../../core/values/instants.ts'
import { daysBefore } from '../data/project.ts'
import { day, grouped } from '../format.ts'
import { type Block, inline, link, shortened, table } from '../markdown.ts'
import type { DispatchFailure, ProjectData } from '../project-data.ts'
import { call } from './api-calls.ts'

const FAILURE_DAYS = 30

const MAX_CAUSES = 25

interface Cause {
  environment: string
  where: string
  cause: string
  count: number
  first_at: string
  last_at: string
  advice: string
}

const ADVICE: Record<string, string> = {
  timeout: 'Let the receiver answer at once and deploy afterwards.',
  connection_failed: 'Check that the receiver runs and can be reached from Signalbox.',
  dns_failure: 'Check the host name in the URL of the hook.',
  tls_error: 'Renew or correct the certificate of the receiver.',
  redirect: 'Set the URL of the hook to the address that the receiver redirects to.',
  blocked_address: 'Use a public address, or let the operator add the range to OUTBOUND_ALLOW.',
  payload_too_large: 'Leave large values out of the body template of the hook.',
  secrets_of_other_origin: 'Trigger the hook anew: kept bodies do not take template secrets to another server.',
  lease_expired: 'Acknowledge within the lease, or claim with a longer one.',
  gone: 'The receiver no longer exists: correct the URL and enable the hook.',
}

function adviceFor({ error_code, response_status }: DispatchFailure): string {
  const known = error_code === null ? undefined : ADVICE[error_code]
  if (known) return known
  if (response_status === 401 || response_status === 403) return 'Compare the secret or token of hook and receiver.'
  if (response_status !== null && response_status >= 500) return "Read the receiver's log at that time, then redeliver."
  if (response_status !== null && response_status >= 400) return 'Correct the hook or its body template: the receiver refuses it.'
  return 'Open the dispatch: its attempts say what happened.'
}

const ofDispatch = (failure: DispatchFailure): Cause => ({
  ...failure,
  where: link(failure.hook, pageUrl('dispatch', failure.last_dispatch_id) ?? ''),
  cause:
    failure.response_status === null
      ? `Not delivered: ${(failure.error_code ?? 'failed').replaceAll('_', ' ')}`
      : `The receiver answered ${failure.response_status}`,
  advice: adviceFor(failure),
})

/** By what is shown of a reason: descriptions that differ in what is masked are one. */
function rolloutCauses({ rollout_failures }: ProjectData): Cause[] {
  const causes = rollout_failures.map(({ state, description, ...failure }) => ({
    ...failure,
    cause:
      state === 'unknown'
        ? 'Rollout without a report in time'
        : `Rollout failed: ${description === null ? 'no reason was reported' : shortened(description, 160)}`,
  }))
  return grouped(causes, ({ environment, cause }) => JSON.stringify([environment, cause])).map(([, all]) => {
    const newest = all.reduce((one, other) => (one.last_at < other.last_at ? other : one))
    const { environment, cause, version, url, last_at } = newest
    return {
      environment,
      cause,
      where: url === null ? 'the receiver' : link('the last run', url),
      count: all.reduce((sum, { count }) => sum + count, 0),
      first_at: all.map(({ first_at }) => first_at).sort()[0] ?? last_at,
      last_at,
      advice: version === null ? 'Read the log of the run.' : `Read the log of the run of ${shortened(version, 60)}.`,
    }
  })
}

const rowOf = ({ cause, count, environment, where, first_at, last_at, advice }: Cause): string[] => [
  inline(cause),
  String(count),
  inline(environment),
  where,
  minuteText(first_at),
  minuteText(last_at),
  inline(advice),
]

export function deploymentFailures(data: ProjectData): Block[] {
  const since = daysBefore(data.newest, FAILURE_DAYS)
  const causes = [...data.failures.map(ofDispatch), ...rolloutCauses(data)].sort(
    (one, other) => other.count - one.count || (one.last_at < other.last_at ? 1 : -1),
  )
  if (causes.length === 0) {
    return [
      `No delivery was given up, no rollout was reported as failed, and none went without a report in time, from ${day(since)} to ${day(data.newest)}.`,
    ]
  }
  const worst = data.failures.find(({ hook_id }) => data.hooks.some(({ id, enabled }) => id === hook_id && enabled))
  return [
    `From ${day(since)} to ${day(data.newest)}, the most frequent first:`,
    table(['Cause', 'Times', 'Environment', 'Where', 'First', 'Last', 'What to do'], causes.slice(0, MAX_CAUSES).map(rowOf), [1]),
    causes.length > MAX_CAUSES && `${causes.length - MAX_CAUSES} more causes are not listed.`,
    worst && `Once the cause is removed, send again what ${inline(worst.hook)} missed:`,
    worst && call('POST', `/deployment-hooks/${worst.hook_id}/recover`, { body: { since } }),
  ]
}
