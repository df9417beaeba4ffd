/** Reads what the `data` of an event holds, whatever it holds: a message is made even of an event that lacks a field. */
import { line, paragraph } from '../../core/values/plain-text.ts'

const isObject = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object'

/** A value of `data`, by its path; null where it is absent. */
export function at(data: unknown, path: string): unknown {
  let value = data
  for (const key of path.split('.')) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : null
  return value ?? null
}

/** What data says about one thing. */
export class Facts {
  constructor(
    readonly data: Record<string, unknown>,
    readonly organization_id: string,
  ) {}

  /** A name in a sentence: quoted, or the noun alone where there is none. */
  named(noun: string, path: string): string {
    const name = this.text(path)
    return name === null ? `the ${noun}` : `the ${noun} “${name}”`
  }

  /** One line; null where there is nothing. */
  text(path: string, most = 160): string | null {
    const value = at(this.data, path)
    if (value === null || typeof value === 'object') return null
    return line(value, most) || null
  }

  /** Running text; null where there is none. */
  prose(path: string, most = 500): string | null {
    const value = at(this.data, path)
    return typeof value === 'string' ? paragraph(value, most) || null : null
  }

  number(path: string): number | null {
    const value = at(this.data, path)
    return typeof value === 'number' && Number.isFinite(value) ? value : null
  }

  usd(path: string): string | null {
    const value = this.number(path)
    return value === null ? null : `$${value.toFixed(2)}`
  }
}
