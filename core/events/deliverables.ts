/** Events of documents. */
import { pagePath } from '../tenants/links.ts'
import { declare, messagesOf } from './declaration.ts'
import type { EventDeliverable } from './subjects.ts'
import { actor, person, prose, quoted, text } from './words.ts'

const message = messagesOf<{ deliverable: EventDeliverable }>(({ deliverable }, what, people) => ({
  sentence: `${quoted('deliverable', deliverable.title)} ${what}.`,
  subject: text(deliverable.title),
  facts: [
    ['Type', text(deliverable.deliverable_type)?.replaceAll('_', ' ') ?? null],
    ['Version', text(deliverable.version)],
    ['Requested by', person(people, deliverable.created_by)],
    ['Published by', deliverable.status === 'published' ? actor(people) : null],
    ['Archived by', deliverable.status === 'archived' ? actor(people) : null],
  ],
  quote: prose(deliverable.error),
}))

const about = {
  data: { deliverable: 'deliverable' },
  scope: 'project',
  page: ({ deliverable }: { deliverable?: { id?: unknown } }) => pagePath('deliverable', deliverable?.id),
} as const

const AT = '2026-11-21T09:30:00.000Z'
const draft = { title: 'Changelog', status: 'draft', error: null, requirement_id: null, published_at: null, archived_at: null }
const published = { ...draft, status: 'published', published_at: AT }

export const deliverableEvents = {
  'deliverable.generated': declare({
    ...about,
    when: 'A document is generated.',
    sample: { deliverable: draft },
    message: message('Deliverable ready', 'good', 'is ready as a draft', 'Read it, then publish it.'),
    hooks: null,
    slack: 'reply',
    notifies: null,
  }),
  'deliverable.failed': declare({
    ...about,
    when: 'The generation of a document fails.',
    sample: {
      deliverable: {
        ...draft,
        status: 'failed',
        source: null,
        error: "The Changelog could not be made from this project's data.",
      },
    },
    message: message('Deliverable failed', 'bad', 'could not be generated', 'Fix the cause, then generate it again.'),
    hooks: null,
    slack: 'reply',
    notifies: null,
  }),
  'deliverable.published': declare({
    ...about,
    when: 'A document is published.',
    sample: { deliverable: published },
    message: message('Deliverable published', 'good', 'was published'),
    hooks: null,
    slack: 'reply',
    notifies: null,
  }),
  'deliverable.archived': declare({
    ...about,
    when: 'A document is archived.',
    sample: { deliverable: { ...published, status: 'archived', archived_at: AT } },
    message: message('Deliverable archived', 'info', 'was archived'),
    hooks: null,
    slack: 'reply',
    notifies: null,
  }),
}
