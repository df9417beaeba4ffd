/** Words for messages and notifications about events. User-supplied text is limited in length, and not escaped. */
import { durationText, secondText } from '../values/instants.ts'
import { usdText } from '../values/money.ts'
import { line, paragraph, unlinked } from '../values/plain-text.ts'
import type { NotificationText, People, ScopeNames } from './declaration.ts'
import type { NamedRequirement } from './subjects.ts'

type Absent = null | undefined

/** A value as one line, unchanged: for what is no name, such as an address that readers should open. Null if it is absent or empty. */
export const verbatim = (value: string | number | Absent, limit = 160): string | null =>
  typeof value === 'string' || typeof value === 'number' ? line(value, limit) || null : null

/** A name or another value as one line, in which no program finds an address to link; null if it is absent or empty. */
export function text(value: string | number | Absent, limit = 160): string | null {
  const shown = verbatim(value, limit)
  return shown && unlinked(shown)
}

/** Text with its line breaks; null if it is absent or empty. */
export const prose = (value: string | Absent): string | null => (typeof value === 'string' ? paragraph(value, 500) || null : null)

/** An amount of money; null if it is absent. */
export const usd = (value: number | Absent): string | null => (Number.isFinite(value) ? usdText(value as number) : null)

const isInstant = (value: string | Absent): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value))

/** A time, to the second; null if it is absent. */
export const time = (value: string | Absent): string | null => (isInstant(value) ? secondText(value) : null)

/** How much time is between two times of an event, and not until now: every attempt sends the same text. Null if one of them is absent. */
export const duration = (from: string | Absent, to: string | Absent): string | null =>
  isInstant(from) && isInstant(to) ? durationText(from, to) : null

/** A noun with a quoted name, or the noun alone if there is no name. */
export const quoted = (noun: string, name: string | Absent): string => {
  const shown = text(name)
  return shown === null ? `the ${noun}` : `the ${noun} “${shown}”`
}

/** The name of a person by id; null if it is absent or unknown. */
export function person(people: People, id: string | Absent): string | null {
  const name = typeof id === 'string' && Object.hasOwn(people, id) ? people[id] : null
  return text(name, 120)
}

/** The name of a person in a notification, by id; null if it is absent or unknown. */
export const nameIn = (people: People, id: string | Absent): string | null =>
  id && Object.hasOwn(people, id) ? named(people[id] ?? '') || null : null

/** The name of the person who caused the event; null if that was Signalbox. */
export const actor = (people: People): string | null => person(people, 'actor')

/** Number and title: `#12 Pay by invoice`; null if there is none. */
export function numbered(requirement: NamedRequirement | Absent, limit = 160): string | null {
  const title = text(requirement?.title, limit)
  return typeof requirement?.number === 'number' && title !== null ? `#${requirement.number} ${title}` : null
}

/** ` for #12 Pay by invoice`; empty if the requirement is unknown. */
export const forRequirement = (requirement: NamedRequirement | Absent): string => {
  const shown = numbered(requirement)
  return shown === null ? '' : ` for ${shown}`
}

/** Joins what is there; null if nothing is. */
export const joined = (separator: string, ...parts: (string | false | Absent)[]): string | null =>
  parts.filter(Boolean).join(separator) || null

/** The value that groups messages about an execution. */
export const threadOf = (execution_id: string | Absent): string | null => {
  const id = verbatim(execution_id)
  return id && `execution-${id}`
}

/** A name within the title of a notification. */
export const named = (name: string): string => line(name, 200)

/** The beginning of a text in a notification; empty if there is none. */
export const excerpt = (value: string | Absent): string => paragraph(value ?? '', 500)

/** `: #12 Pay by invoice`, at the end of a title. */
export const ofRequirement = (requirement: NamedRequirement | Absent): string =>
  requirement ? `: #${requirement.number} ${named(requirement.title)}` : ''

const where = ({ organization_name, workspace_name, project_name }: ScopeNames): string =>
  [project_name, workspace_name, organization_name].flatMap((name) => (name ? named(name) : [])).join(' · ')

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** A notification that begins with where its event happened. Its title gets a capital; empty paragraphs are left out. */
export const notificationText = (title: string, at: ScopeNames, ...paragraphs: (string | null)[]): NotificationText => ({
  title: capital(title),
  body: [where(at), ...paragraphs].filter(Boolean).join('\n\n'),
})
