/** Events of dispatches: whether they were delivered, and how their deployments ended. */
import { shortDigest } from '../gates/gates.ts'
import { isMismatch, type Rollout } from '../rollouts/rollouts.ts'
import { pagePath } from '../tenants/links.ts'
import type { NamedResource } from '../tenants/scopes.ts'
import type { Digest } from '../values/digest.ts'
import { declare, messagesOf, type NotificationSpec, type ToldEvent } from './declaration.ts'
import type { EventDispatch } from './subjects.ts'
import { actor, excerpt, joined, named, notificationText, person, prose, quoted, text, time, verbatim } from './words.ts'

type Delivery = { dispatch: EventDispatch; hook: NamedResource }

/** Without a dispatch, GitHub has reported it. */
type Outcome = { dispatch: EventDispatch | null; rollout: Rollout; environment: string }

const delivery = messagesOf<Delivery>(({ dispatch, hook }, what) => {
  const environment = text(dispatch.environment)
  const to = environment === null ? '' : ` to ${environment}`
  const by = text(hook?.name) === null ? '' : ` by ${quoted('hook', hook.name)}`
  return {
    sentence: `the dispatch of ${verbatim(dispatch.event) ?? 'an event'}${to}${by} ${what}.`,
    subject: joined(' – ', text(hook?.name, 80), environment),
    facts: [
      ['Hook', text(hook?.name)],
      ['Environment', environment],
      ['Event', verbatim(dispatch.event)],
      ['Attempts', text(dispatch.attempt_count)],
      ['Response', text(dispatch.response_status)],
    ],
    quote: prose(dispatch.error?.detail),
  }
})

/** What was deployed and, if that is something else, what was approved. */
function digests(rollout: Rollout): [string, string | null][] {
  const { digest, approved_digest } = rollout
  if (digest == null) return []
  // Those of two commits may begin alike.
  const isAlike = isMismatch(rollout) && approved_digest != null && shortDigest(digest) === shortDigest(approved_digest)
  const textOf = (of: Digest) => verbatim((isAlike ? (of.gitCommit ?? of.sha256) : null) ?? shortDigest(of))
  return [
    ['Deployed', textOf(digest)],
    ['Approved', approved_digest == null ? null : textOf(approved_digest)],
  ]
}

const outcome = messagesOf<Outcome>(({ environment, rollout }, what, people) => {
  const version = text(rollout.version, 120)
  const of = version === null ? '' : ` of ${version}`
  return {
    sentence: `the rollout${of} to ${quoted('environment', environment)} ${what}.`,
    subject: joined(' – ', version, text(environment)),
    facts: [
      ['Environment', text(environment)],
      ['Version', text(rollout.version)],
      ...digests(rollout),
      ['Reported by', person(people, rollout.reported_by)],
      ['Deadline', rollout.state === 'in_progress' ? time(rollout.deadline_at) : null],
      ['CI/CD run', verbatim(rollout.url)],
    ],
    quote: prose(rollout.description),
  }
})

/** Of what a rollout deployed, if its receiver reported it. */
const ofVersion = ({ version }: Rollout): string => (version === null ? '' : ` of ${named(version)}`)

/** Notifies those who caused a deployment that it failed, or how else it ended. */
const tellsOfFailure = (
  { dispatch, hook, rollout }: { dispatch: EventDispatch; hook?: NamedResource; rollout: Rollout | null },
  texts: NotificationSpec['text'],
): NotificationSpec => ({
  type: 'deployment_failed',
  resource: ['dispatch', dispatch.id],
  data: {
    hook_id: dispatch.hook_id,
    hook_name: hook?.name ?? null,
    environment: dispatch.environment,
    version: rollout?.version ?? null,
    rollout_state: rollout?.state ?? null,
  },
  text: texts,
  dispatch_ids: [dispatch.id],
})

/** A dispatch was given up, so nothing was deployed. */
function tellsNotDelivered({ data: { dispatch, hook }, ...at }: ToldEvent<Delivery>): NotificationSpec | null {
  const { rollout, attempt_count, error } = dispatch
  // Its receiver reported on it although it did not accept it: that report counts.
  if (rollout !== null && rollout.state !== 'not_delivered') return null
  const attempts = `${attempt_count} attempt${attempt_count === 1 ? '' : 's'}`
  return tellsOfFailure({ dispatch, hook, rollout }, () =>
    notificationText(
      `The deployment to ${named(dispatch.environment)} was not delivered`,
      at,
      `${hook ? `The hook ${named(hook.name)}` : 'Its hook'} gave it up after ${attempts}.`,
      excerpt(error?.detail),
    ),
  )
}

/** @param title of the outcome of `the deployment of v1.5.0 to production` */
const tellsOfRollout =
  (title: (deployment: string) => string, text: (rollout: Rollout) => string) =>
  ({ data, ...at }: ToldEvent<Outcome>): NotificationSpec => {
    const { dispatch, rollout, environment } = data
    const texts = () => notificationText(title(`the deployment${ofVersion(rollout)} to ${named(environment)}`), at, text(rollout))
    if (dispatch) return tellsOfFailure({ dispatch, rollout }, texts)
    const about = { hook_id: null, hook_name: null, environment, version: rollout.version, rollout_state: rollout.state }
    return { type: 'deployment_failed', resource: ['project', at.project_id ?? ''], data: about, text: texts, admins: true }
  }

const page = ({ dispatch }: { dispatch?: { id?: unknown } | null }, { project_id }: { project_id: string | null }) =>
  pagePath('dispatch', dispatch?.id) ?? pagePath('project', project_id)
const aboutDelivery = { data: { dispatch: 'dispatch', hook: 'named_hook' }, scope: 'project', page } as const
const aboutOutcome = {
  ...aboutDelivery,
  data: { dispatch: 'optional_dispatch', rollout: 'rollout', environment: 'text' },
} as const

const dispatch = {
  event: 'gate.approved',
  next_attempt_at: null,
  redelivery_of: null,
  superseded_by: null,
  rollout: null,
  sequence: 7,
  max_attempts: 9,
  completed_at: '2026-11-21T09:30:00.000Z',
}
const delivered = { ...dispatch, status: 'succeeded', attempt_count: 1, response_status: 200, duration_ms: 84, error: null }
const rolledOut = (own: Partial<Rollout>) => {
  const rollout: Rollout = {
    state: 'succeeded',
    version: 'v1.5.0',
    url: 'https://ci.example.com/runs/4711',
    description: null,
    reported_by: null,
    actor: null,
    reported_at: '2026-11-21T09:34:00.000Z',
    deadline_at: '2026-11-21T10:00:00.000Z',
    ...own,
  }
  return { dispatch: { ...delivered, rollout }, rollout, environment: 'production' }
}

export const deploymentEvents = {
  'deployment.succeeded': declare({
    ...aboutDelivery,
    when: 'A dispatch is delivered (except test.ping).',
    sample: { dispatch: delivered },
    message: delivery('Deployment delivered', 'good', 'was delivered'),
    onlyIfSubscribed: true,
    hooks: null,
    slack: 'reply',
    notifies: null,
  }),
  'deployment.failed': declare({
    ...aboutDelivery,
    when: 'A dispatch fails for good (except test.ping).',
    sample: {
      dispatch: {
        ...dispatch,
        status: 'failed',
        attempt_count: 9,
        response_status: 503,
        duration_ms: 97,
        error: { code: 'http_error', detail: 'The receiver answered 503.' },
      },
    },
    message: delivery('Deployment failed', 'bad', 'failed', 'Fix the receiver, then send the dispatch again.'),
    notifies: tellsNotDelivered,
    hooks: null,
    slack: 'reply',
  }),
  'deployment.rollback': declare({
    when: 'A rollback is requested.',
    data: { target_version: 'text', reason: 'optional_text', environment: 'optional_text' },
    scope: 'project',
    sample: { target_version: 'v1.4.2', reason: 'Checkout is slow.', environment: 'production' },
    // One event for all hooks of the project, each of which has its own dispatch.
    page: (_, { project_id }) => pagePath('project', project_id),
    hooks: 'Every enabled hook of the project.',
    message: {
      title: 'Rollback requested',
      severity: 'warning',
      next: 'Check that the previous version is running.',
      describe: ({ target_version, reason, environment }, people) => ({
        sentence: `a rollback to ${text(target_version) ?? 'an earlier version'} was requested.`,
        subject: text(target_version),
        facts: [
          ['Target version', text(target_version)],
          ['Environment', text(environment)],
          ['Requested by', actor(people)],
        ],
        quote: prose(reason),
      }),
    },
    slack: 'reply',
    notifies: null,
  }),
  'rollout.started': declare({
    ...aboutOutcome,
    when: 'The receiver of a dispatch first reports progress, or GitHub has started a deployment.',
    sample: rolledOut({ state: 'in_progress' }),
    message: outcome('Rollout started', 'info', 'is in progress'),
    onlyIfSubscribed: true,
    hooks: null,
    slack: 'reply',
    notifies: null,
  }),
  'rollout.succeeded': declare({
    ...aboutOutcome,
    when: 'The receiver of a dispatch, or GitHub, reports that the deployment succeeded.',
    sample: rolledOut({}),
    message: outcome('Rollout succeeded', 'good', 'succeeded'),
    onlyIfSubscribed: true,
    hooks: null,
    slack: 'reply',
    notifies: null,
  }),
  'rollout.failed': declare({
    ...aboutOutcome,
    when: 'The receiver of a dispatch, or GitHub, reports that the deployment failed.',
    sample: rolledOut({ state: 'failed', description: 'The health check of the new version fails.' }),
    message: outcome('Rollout failed', 'bad', 'failed', 'Fix the cause, or roll back.'),
    notifies: tellsOfRollout(
      (deployment) => `${deployment} failed`,
      ({ description }) => excerpt(description),
    ),
    hooks: null,
    slack: 'reply',
  }),
  'rollout.mismatch': declare({
    ...aboutOutcome,
    when: 'The receiver of a dispatch reports that it deploys something else than what was approved, by digest. Once per digest. Also where GitHub deploys what was not approved, and the policy of the environment requires a gate.',
    sample: rolledOut({ digest: { gitCommit: 'e'.repeat(40) }, approved_digest: { gitCommit: '7'.repeat(40) } }),
    message: outcome(
      'Not what was approved',
      'bad',
      'is not what was approved',
      'Find out what runs there, and roll back if it must not.',
    ),
    notifies: tellsOfRollout(
      (deployment) => `${deployment} is not what was approved`,
      (rollout) =>
        digests(rollout)
          .map(([name, digest]) => `${name}: ${digest}.`)
          .join(' '),
    ),
    hooks: null,
    slack: 'reply',
  }),
  'rollout.unknown': declare({
    ...aboutOutcome,
    when: 'The receiver of a dispatch, or GitHub, has not reported an outcome in time. Once per rollout.',
    sample: rolledOut({ state: 'unknown', version: null, url: null, reported_at: null }),
    message: outcome(
      'Rollout unknown',
      'warning',
      'was not reported in time',
      'Check the CI/CD system. A report is still taken.',
    ),
    notifies: tellsOfRollout(
      (deployment) => `it is not known whether ${deployment} succeeded`,
      () => 'Its receiver did not report an outcome in time.',
    ),
    hooks: null,
    slack: 'reply',
  }),
}
