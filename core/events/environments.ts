/** Events of promotion: what may come to an environment next, and what may not any more. */
import { type Subject, shortDigest, subjectText, subjectUrl } from '../gates/gates.ts'
import { pagePath } from '../tenants/links.ts'
import { declare, type NotificationSpec, type ToldEvent } from './declaration.ts'
import type { EventDispatch } from './subjects.ts'
import { joined, named, notificationText, quoted, text } from './words.ts'

type Blocked = { environment: string; dispatches: EventDispatch[] }

const countText = (count: number): string => (count === 1 ? 'A dispatch is' : `${count} dispatches are`)

/** Notifies those who approved what is not sent. */
function notifiesBlocked({ data: { environment, dispatches }, ...at }: ToldEvent<Blocked>): NotificationSpec | null {
  const [first] = dispatches
  if (!first) return null
  return {
    type: 'deployment_failed',
    resource: ['dispatch', first.id],
    data: { hook_id: first.hook_id, hook_name: null, environment, version: null, rollout_state: null },
    text: () =>
      notificationText(
        `What you approved is not deployed to ${named(environment)}`,
        at,
        `${countText(dispatches.length)} cancelled: the subject failed in the environment before, or was rolled back there, while it waited.`,
      ),
    dispatch_ids: dispatches.map(({ id }) => id),
  }
}

const SUBJECT: Subject = {
  uri: 'https://git.example.com/acme/checkout',
  digest: { gitCommit: '7'.repeat(40) },
  version: 'v1.5.0',
}

const waiting = {
  event: 'gate.approved',
  environment: 'production',
  status: 'cancelled',
  attempt_count: 0,
  next_attempt_at: null,
  redelivery_of: null,
  superseded_by: null,
  response_status: null,
  rollout: null,
  sequence: 7,
  max_attempts: 9,
  error: {
    code: 'not_promoted',
    detail: 'It is not sent: what was approved does not run in the environment before (promotes_from).',
  },
}

export const environmentEvents = {
  'environment.ready': declare({
    when: 'A subject has run in the environment before for as long as the policy of `data.environment` requires (`soak_seconds`). Once per run.',
    data: { environment: 'text', subject: 'subject' },
    scope: 'project',
    sample: { environment: 'production', subject: SUBJECT },
    page: (_, { project_id }) => pagePath('project', project_id),
    hooks: null,
    message: {
      title: 'Ready for the next environment',
      severity: 'info',
      next: null,
      describe: ({ environment, subject }) => ({
        sentence: `${text(subjectText(subject)) ?? 'a subject'} may come to ${quoted('environment', environment)}: it has run in the environment before long enough.`,
        subject: joined(' – ', text(subject.version ?? shortDigest(subject.digest), 120), text(environment)),
        facts: [
          ['Environment', text(environment)],
          ['Subject', text(subjectText(subject)), subjectUrl(subject)],
        ],
      }),
    },
    slack: 'reply',
    notifies: null,
  }),
  'environment.blocked': declare({
    when: 'The subject of dispatches that wait, or were to be sent, failed in the environment before, or was rolled back there: they are cancelled.',
    data: { environment: 'text', dispatches: 'dispatches' },
    scope: 'project',
    sample: { environment: 'production', dispatches: [waiting] },
    page: (_, { project_id }) => pagePath('project', project_id),
    hooks: null,
    message: {
      title: 'Promotion stopped',
      severity: 'bad',
      next: 'Find out what failed in the environment before. What is rolled out there again needs another gate.',
      describe: ({ environment, dispatches }) => ({
        sentence: `what was approved for ${quoted('environment', environment)} is not sent: it does not run in the environment before.`,
        subject: text(environment),
        facts: [
          ['Environment', text(environment)],
          ['Dispatches', text(dispatches.length)],
        ],
      }),
    },
    slack: 'reply',
    notifies: notifiesBlocked,
  }),
}
