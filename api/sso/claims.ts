/** Claims of a person, and where in them something is. */
import { unescapePointer } from '../../core/values/json.ts'

export type Claims = Record<string, unknown> & { sub: string }

/** @param path a name, or a JSON Pointer */
export function claimAt(claims: object, path: string): unknown {
  const steps = path.startsWith('/') ? path.slice(1).split('/').map(unescapePointer) : [path]
  return steps.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step) ? (value as Claims)[step] : undefined,
    claims,
  )
}

/** The first name in a path: the claim that a token or userinfo has. */
export const rootOf = (path: string): string => (path.startsWith('/') ? unescapePointer(path.slice(1).split('/')[0] ?? '') : path)
