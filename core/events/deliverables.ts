/** Events of documents. */
import { pagePath } from '../tenants/links.ts'
import { declare, type MessageSpec, type Severity } from './declaration.ts'
import type { EventDeliverable } from './subjects.ts'
import { actor, person, prose, quoted, text } from './words.ts'

/** @param by what to call the person who caused the event; null if Signalbox did */
const message = (
  title: string,
  severity: Severity,
  what: string,
  next: string | null = null,
  by: string | null = null,
): MessageSpec<{ deliverable: EventDeliverable }> => ({
  title,
  severity,
  next,
  describe: ({ deliverable }, people) => ({
    sentence: `${quoted('deliverable', deliverable.title)} ${what}.`,
    subject: text(deliverable.title),
    facts: [
      ['Type', text(deliverable.deliverable_type)?.replaceAll('_', ' ') ?? null],
      ['Version', text(deliverable.version)],
      ['Requested by', person(people, deliverable.created_by)],
      [by ?? '', by === null ? null : actor(people)],
    ],
    quote: prose(deliverable.error),
  }),
})

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
    message: message('Deliverable published', 'good', 'was published', null, 'Published by'),
    hooks: null,
    slack: 'reply',
    notifies: null,
  }),
  'deliverable.archived': declare({
    ...about,
    when: 'A document is archived.',
    sample: { deliverable: { ...published, status: 'archived', archived_at: AT } },
    message: message('Deliverable archived', 'info', 'was archived', null, 'Archived by'),
    hooks: null,
    slack: 'reply',
    notifies: null,
  }),
}
