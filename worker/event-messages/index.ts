/** Messages about events, independent of the channel type. All texts are limited in length, and not escaped. */
import { declarationOf } from '../../core/events/catalogue.ts'
import type { Description, MessageSpec, Severity } from '../../core/events/declaration.ts'
import { capital } from '../../core/events/words.ts'
import { config } from '../../core/platform/config.ts'
import { log } from '../../core/platform/log.ts'
import { minuteText } from '../../core/values/instants.ts'
import { line, unlinked } from '../../core/values/plain-text.ts'
import { webAddress } from '../../core/values/web-addresses.ts'
import { criteriaText, type NamedEnvelope } from './people.ts'

/** No event has as many; messages stay short if one does. */
const MAX_FACTS = 12

export interface Fact {
  name: string
  value: string
  /** Where the value leads, next to which the host is shown: users have written it. */
  link?: { url: string; host: string }
}

export interface EventMessage {
  event: string
  severity: Severity
  title: string
  /** One line for a notification, a preview or a subject line. */
  summary: string
  /** What speaks against what it asks for. */
  warning: string | null
  sentence: string
  /** What the approval of a pending gate does; null where that is not known. */
  effects: string | null
  facts: Fact[]
  quote: string | null
  /** The acceptance criteria that a gate asks about, each on its own lines. */
  criteria: string | null
  next: string | null
  scope: string
  /** A link to the page of what the event is about; to the documentation of the event if there is none. */
  about: { label: string; url: string }
  thread: string | null
  created_at: string
  /** The same, for people. */
  at: string
}

/** A name as one line, which may have no visible characters. */
const nameOf = ({ name }: { name: string }, limit: number): string => unlinked(line(name, limit)) || '(no name)'

const linkOf = (event: string, url: string | null): EventMessage['about'] =>
  url
    ? { label: 'Open in Signalbox', url }
    : { label: 'About this event', url: `${config.PUBLIC_URL}/docs/events#${encodeURIComponent(event)}` }

/** A newer release that runs alongside this one may emit an event without a declaration here: it is shown by its name. */
const unknownEvent = (event: string): MessageSpec<never> => {
  const title = line(event, 100)
  return { title, severity: 'info', next: null, describe: () => plain(`${title} happened.`) }
}

const plain = (sentence: string): Description => ({ subject: null, sentence, facts: [] })

/** What is said about one event. If its data is malformed, its title alone. */
function describe({ event, data, people = {}, asked = null }: NamedEnvelope, spec: MessageSpec<never>): Description {
  try {
    return spec.describe(data as never, people, asked)
  } catch (error) {
    log.warn({ error, event }, 'the data of an event is malformed')
    return plain(`${spec.title}.`)
  }
}

/** Longer addresses are not linked: tools limit the length of what they show. */
const MAX_URL = 800

/** A fact that leads to a page, if its address is one. */
export function factOf(name: string, value: string, url: string | null = null): Fact {
  const address = url === null ? null : webAddress(url)
  if (!address || address.href.length > MAX_URL) return { name, value }
  return { name, value, link: { url: address.href, host: address.host } }
}

/** @param spec instead of the message of the event: for its outcome */
export function messageOf(envelope: NamedEnvelope, spec?: MessageSpec<never>): EventMessage {
  const { event, created_at, url, asked, organization, workspace, project } = envelope
  const used = spec ?? declarationOf(event)?.message ?? unknownEvent(event)
  const { title, severity, next } = used
  const about = describe(envelope, used)
  const inner = project ?? workspace ?? organization
  const facts: Description['facts'] = [
    ...(project ? [['Project', nameOf(project, 160)] as [string, string]] : []),
    ...about.facts,
  ]
  return {
    event,
    severity,
    title,
    summary: line(`[${nameOf(inner, 60)}] ${title}${about.subject ? `: ${about.subject}` : ''}`, 150),
    warning: about.warning ?? null,
    sentence: line(capital(about.sentence), 500),
    effects: null,
    facts: facts.flatMap(([name, value, url]) => (value === null ? [] : factOf(name, value, url))).slice(0, MAX_FACTS),
    quote: about.quote ?? null,
    criteria: about.asks && asked ? criteriaText(asked.acceptance_criteria) : null,
    next,
    scope: [organization, workspace, project].flatMap((each) => (each ? nameOf(each, 80) : [])).join(' › '),
    about: linkOf(event, url),
    thread: about.thread ?? null,
    created_at,
    at: minuteText(created_at),
  }
}
