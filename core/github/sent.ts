/** What GitHub sends: each field is checked where it is read. */
import type { GitHubPerson } from '../gates/sources.ts'
import { isObject } from '../values/json.ts'
import { line } from '../values/plain-text.ts'
import { webAddress } from '../values/web-addresses.ts'

/** Something that GitHub sent: its fields may be anything. */
// biome-ignore lint/suspicious/noExplicitAny: each field is checked where it is used
export type Sent = Record<string, any>

/** The objects of a list. */
export const objectsIn = (value: unknown): Sent[] => (Array.isArray(value) ? value.filter(isObject) : [])

export const objectIn = (value: unknown): Sent => (isObject(value) ? value : {})

export const idOf = (value: unknown): number | null =>
  Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : null

/** Text in one line; null if there is none. */
export const textOf = (value: unknown, limit: number): string | null => (typeof value === 'string' && line(value, limit)) || null

/** A time as PostgreSQL takes it; null if it is none. */
export function timeOf(value: unknown): string | null {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}

export const commitOf = (value: unknown): string | null =>
  typeof value === 'string' && /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(value) ? value : null

/** An address that people can open; null if it is none, or too long. */
export function addressOf(value: unknown, limit = 2048): string | null {
  const url = typeof value === 'string' ? webAddress(value)?.href : undefined
  return url !== undefined && url.length <= limit ? url : null
}

export function personOf(value: unknown): GitHubPerson | null {
  const { id, login } = objectIn(value)
  const [number, name] = [idOf(id), textOf(login, 100)]
  return number === null || name === null ? null : { id: number, login: name }
}

/** Each person once. */
export const distinctPeople = (people: (GitHubPerson | null)[]): GitHubPerson[] => [
  ...new Map(people.flatMap((person) => (person ? [[person.id, person]] : []))).values(),
]

export interface Repository {
  id: number
  full_name: string
  is_private: boolean
}

/** The repository of a payload; null if it names none. */
export function repositoryOf({ repository }: Sent): Repository | null {
  const { id, full_name, private: isPrivate } = objectIn(repository)
  const [number, name] = [idOf(id), typeof full_name === 'string' ? full_name : '']
  if (number === null || !/^[^/\s]+\/[^/\s]+$/.test(name) || name.length > 255) return null
  return { id: number, full_name: name, is_private: isPrivate !== false }
}
