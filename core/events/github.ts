/** Events of the connection to GitHub: answers that do not arrive there, runs that do not wait for one, repositories that are lost. */
import { pagePath } from '../tenants/links.ts'
import { declare, messagesOf, type NotificationSpec, type ToldEvent } from './declaration.ts'
import { excerpt, named, notificationText, quoted, text, verbatim } from './words.ts'

interface Waiting {
  repository: string
  environment: string
  run_url: string
  gate_id: string | null
  reason: string
}

const message = messagesOf<Waiting>(({ repository, environment, run_url, reason }, what) => ({
  sentence: `${what} ${quoted('environment', environment)} of ${text(repository) ?? 'a repository'}.`,
  subject: text(repository),
  facts: [
    ['Repository', text(repository)],
    ['Environment', text(environment)],
    ['Workflow run', verbatim(run_url)],
    ['Reason', text(reason, 500)],
  ],
}))

const about = {
  data: { repository: 'text', environment: 'text', run_url: 'text', gate_id: 'optional_text', reason: 'text' },
  scope: 'project',
  page: ({ gate_id }: { gate_id?: unknown }, { project_id }: { project_id: string | null }) =>
    pagePath('gate', gate_id) ?? pagePath('project', project_id),
} as const

const sample = {
  repository: 'acme/checkout',
  environment: 'production',
  run_url: 'https://github.com/acme/checkout/actions/runs/9876543210',
  gate_id: '019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d',
}

/** Tells the admins that an answer does not arrive. */
const tellsUnanswered = ({ data: { gate_id, environment, reason }, ...at }: ToldEvent<Waiting>): NotificationSpec => ({
  type: 'deployment_failed',
  resource: gate_id === null ? ['project', at.project_id ?? ''] : ['gate', gate_id],
  data: { hook_id: null, hook_name: null, environment, version: null, rollout_state: null },
  text: () =>
    notificationText(`GitHub does not take the answer for ${named(environment)}`, at, excerpt(reason), 'It is sent again.'),
  admins: true,
})

export const githubEvents = {
  'github.unanswered': declare({
    ...about,
    when: 'A decision could not be sent to GitHub for 10 minutes, and the workflow run still waits. Once per request; it is tried again for 30 days.',
    sample: { ...sample, reason: 'GitHub answered 502.' },
    message: message(
      'GitHub not answered',
      'bad',
      'GitHub does not take the answer for',
      'Open the gate: its page says why, and can answer again.',
    ),
    hooks: null,
    slack: 'reply',
    notifies: tellsUnanswered,
  }),
  'github.bypassed': declare({
    ...about,
    when: 'A deployment started at GitHub although its workflow run waited for a gate here: an administrator of the repository has bypassed the rule.',
    sample: { ...sample, reason: 'It started without an answer.' },
    message: message(
      'Gate bypassed at GitHub',
      'bad',
      'A deployment did not wait for the gate for',
      'Find out who bypassed the rule at GitHub, and why.',
    ),
    hooks: null,
    slack: 'reply',
    notifies: null,
  }),
  'github.disconnected': declare({
    when: 'The repository of a project cannot be reached any more: the app was uninstalled or suspended, or the repository was taken out of the installation.',
    data: { repository: 'text', reason: 'text' },
    scope: 'project',
    page: (_, { project_id }) => pagePath('project', project_id),
    sample: { repository: 'acme/checkout', reason: 'The app was uninstalled at GitHub.' },
    message: {
      title: 'Repository disconnected',
      severity: 'warning',
      next: 'Install the app again, or link another repository.',
      describe: ({ repository, reason }) => ({
        sentence: `the repository${text(repository) === null ? '' : ` ${text(repository)}`} is not connected any more.`,
        subject: text(repository),
        facts: [
          ['Repository', text(repository)],
          ['Reason', text(reason, 500)],
        ],
      }),
    },
    hooks: null,
    slack: 'reply',
    notifies: null,
  }),
}
