/** A message about an event, as every tool shows it in its own form. Every text in it is bounded, and nothing is escaped yet. */

import type { Envelope } from '../../core/notification-channels.ts'
import { config } from '../../core/platform/config.ts'
import { line } from '../../core/values/plain-text.ts'
import { DESCRIPTIONS, type Severity, undescribed } from './descriptions.ts'
import { Facts } from './facts.ts'

export type { Severity }

const MOST_FACTS = 8

/** One message. */
export interface EventMessage {
  event: string
  event_id: string
  severity: Severity
  /** Fixed words: "Gate pending". */
  title: string
  /** One line that says it all, for a notice, a preview or a subject. */
  summary: string
  sentence: string
  facts: { name: string; value: string }[]
  quote: string | null
  next: string | null
  /** Where it happened, from the top: organization, workspace, project. */
  place: string
  /** What this event means. */
  about: { label: string; url: string }
  thread: string | null
  created_at: string
}

/** A name, of which nothing may be left that can be seen. */
const nameOf = ({ name }: { name: string }, most: number): string => line(name, most) || '(no name)'

/** Describes an event for people. */
export function messageOf({ id, event, created_at, data, organization, workspace, project }: Envelope): EventMessage {
  const about = DESCRIPTIONS[event]?.(new Facts(data, organization.id)) ?? undescribed(event)
  const inner = project ?? workspace ?? organization
  const facts = [...(project ? [['Project', nameOf(project, 160)] as const] : []), ...about.facts]
  return {
    event,
    event_id: id,
    severity: about.severity,
    title: about.title,
    summary: line(`[${nameOf(inner, 60)}] ${about.title}${about.subject ? `: ${about.subject}` : ''}`, 150),
    sentence: line(about.sentence, 500),
    facts: facts.flatMap(([name, value]) => (value === null ? [] : { name, value })).slice(0, MOST_FACTS),
    quote: about.quote,
    next: about.next,
    place: [organization, workspace, project].flatMap((each) => (each ? nameOf(each, 80) : [])).join(' › '),
    about: { label: 'About this event', url: `${config.PUBLIC_URL}/docs/events#${encodeURIComponent(event)}` },
    thread: about.thread,
    created_at,
  }
}
