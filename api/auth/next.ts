/** Where a person wants to go after signing in. */
import { ownPath } from '../pages/origins.ts'

export const nextOf = (url: URL): string => ownPath(url.searchParams.get('next')) ?? '/app'

/** A path with the same destination. */
export const withNext = (path: string, next: string): string =>
  next === '/app' ? path : `${path}?next=${encodeURIComponent(next)}`
