/** Messages about events, independent of the channel type. All texts are limited in length, and not escaped. */

import { config } from '../../core/platform/config.ts'
import { minuteText } from '../../core/values/instants-text.ts'
import { line, unlinked } from '../../core/values/plain-text.ts'
import { criteriaText } from './criteria.ts'
import type { Describe, Severity } from './description.ts'
import { DESCRIPTIONS, genericDescription } from './descriptions.ts'
import { Facts } from './facts.ts'
import type { NamedEnvelope } from './people.ts'

export type { Severity }

const MAX_FACTS = 8

export interface EventMessage {
  event: string
  event_id: string
  severity: Severity
  /** Fixed text, such as "Gate pending". */
  title: string
  /** One line for a notification, a preview or a subject line. */
  summary: string
  sentence: string
  facts: { name: string; value: string }[]
  quote: string | null
  /** The acceptance criteria that a gate asks about, one per line. */
  criteria: string | null
  next: string | null
  /** Organization, workspace and project. */
  place: string
  /** A link to the page of what the event is about; to the documentation of the event if there is none. */
  about: { label: string; url: string }
  thread: string | null
  created_at: string
  /** The same, for people. */
  at: string
}

/** A name as one line, which may have no visible characters. */
const nameOf = ({ name }: { name: string }, limit: number): string => unlinked(line(name, limit)) || '(no name)'

/** Where a message leads. An envelope of an earlier version has no `url`. */
const linkOf = (event: string, url: string | null | undefined): EventMessage['about'] =>
  url
    ? { label: 'Open in Signalbox', url }
    : { label: 'About this event', url: `${config.PUBLIC_URL}/docs/events#${encodeURIComponent(event)}` }

/** @param describe instead of the description of the event: for what became of it */
export function messageOf(envelope: NamedEnvelope, describe?: Describe): EventMessage {
  const { id, event, created_at, url, data, people, asked, organization, workspace, project } = envelope
  const description = describe ?? (DESCRIPTIONS as Partial<Record<string, Describe>>)[event]
  const about = description?.(new Facts({ ...data, asked }, people)) ?? genericDescription(event)
  const inner = project ?? workspace ?? organization
  const facts = [...(project ? [['Project', nameOf(project, 160)] as const] : []), ...about.facts]
  return {
    event,
    event_id: id,
    severity: about.severity,
    title: about.title,
    summary: line(`[${nameOf(inner, 60)}] ${about.title}${about.subject ? `: ${about.subject}` : ''}`, 150),
    sentence: line(about.sentence, 500),
    facts: facts.flatMap(([name, value]) => (value === null ? [] : { name, value })).slice(0, MAX_FACTS),
    quote: about.quote,
    criteria: about.asks && asked ? criteriaText(asked.acceptance_criteria) : null,
    next: about.next,
    place: [organization, workspace, project].flatMap((each) => (each ? nameOf(each, 80) : [])).join(' › '),
    about: linkOf(event, url),
    thread: about.thread,
    created_at,
    at: minuteText(created_at),
  }
}
