/** Reads the `data` of an event. Missing fields are no error, so that every event can be rendered. */
import { durationText, secondText } from '../../core/values/instants-text.ts'
import { usdText } from '../../core/values/money.ts'
import { line, paragraph, unlinked } from '../../core/values/plain-text.ts'
import type { People } from './people.ts'

const isObject = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object'

/** A value of `data` by its path; null if it is absent. */
export function at(data: unknown, path: string): unknown {
  let value = data
  for (const key of path.split('.')) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : null
  return value ?? null
}

export class Facts {
  /** @param people the names of the people whom the event mentions */
  constructor(
    readonly data: Record<string, unknown>,
    readonly people: People = {},
  ) {}

  /** A noun with a quoted name, or the noun alone if there is no name. */
  named(noun: string, path: string): string {
    const name = this.text(path)
    return name === null ? `the ${noun}` : `the ${noun} “${name}”`
  }

  /** A name or another value as one line, in which no program finds an address to link; null if it is absent or empty. */
  text(path: string, limit = 160): string | null {
    const text = this.verbatim(path, limit)
    return text && unlinked(text)
  }

  /** The same unchanged, for what is no name: an address that readers should open, or the name of an event. */
  verbatim(path: string, limit = 160): string | null {
    const value = at(this.data, path)
    if (value === null || typeof value === 'object') return null
    return line(value, limit) || null
  }

  /** Text with its line breaks; null if it is absent or empty. */
  prose(path: string, limit = 500): string | null {
    const value = at(this.data, path)
    return typeof value === 'string' ? paragraph(value, limit) || null : null
  }

  number(path: string): number | null {
    const value = at(this.data, path)
    return typeof value === 'number' && Number.isFinite(value) ? value : null
  }

  usd(path: string): string | null {
    const value = this.number(path)
    return value === null ? null : usdText(value)
  }

  #instant(path: string): string | null {
    const value = this.text(path)
    return value === null || Number.isNaN(Date.parse(value)) ? null : value
  }

  /** A time, to the second. */
  time(path: string): string | null {
    const value = this.#instant(path)
    return value && secondText(value)
  }

  /** How much time is between two times; null if one of them is absent. */
  duration(from: string, to: string): string | null {
    const [start, end] = [this.#instant(from), this.#instant(to)]
    return start && end && durationText(start, end)
  }

  /** The name of the person whose id is in a field; null if it is absent or the name is unknown. */
  person(path: string): string | null {
    const id = at(this.data, path)
    return typeof id === 'string' ? this.#named(id) : null
  }

  /** The name of the person who caused the event; null if that was Signalbox. */
  actor(): string | null {
    return this.#named('actor')
  }

  #named(key: string): string | null {
    const name = Object.hasOwn(this.people, key) ? this.people[key] : null
    return name ? unlinked(line(name, 120)) || null : null
  }

  /** Number and title of the requirement: `#12 Pay by invoice`; null if there is none. */
  requirement(limit = 160): string | null {
    const [number, title] = [this.number('requirement.number'), this.text('requirement.title', limit)]
    return number === null || title === null ? null : `#${number} ${title}`
  }
}
