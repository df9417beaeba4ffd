/** Reads the `data` of an event. Missing fields are no error, so that every event can be rendered. */
import { line, paragraph } from '../../core/values/plain-text.ts'

const isObject = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object'

/** A value of `data` by its path; null if it is absent. */
export function at(data: unknown, path: string): unknown {
  let value = data
  for (const key of path.split('.')) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : null
  return value ?? null
}

export class Facts {
  constructor(readonly data: Record<string, unknown>) {}

  /** A noun with a quoted name, or the noun alone if there is no name. */
  named(noun: string, path: string): string {
    const name = this.text(path)
    return name === null ? `the ${noun}` : `the ${noun} “${name}”`
  }

  /** A value as one line; null if it is absent or empty. */
  text(path: string, limit = 160): string | null {
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
    return value === null ? null : `$${value.toFixed(2)}`
  }
}
