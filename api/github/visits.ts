/** Visits of people whom GitHub leads back. */
import { isVisit } from '../pages/visits.ts'
import { Problem } from '../problems.ts'

/** What GitHub has added to the address. @throws Problem `github_not_connected` if they come another way, or have cancelled */
export function visitFrom(request: Request, { searchParams }: URL): { code: string; state: string } {
  if (!isVisit(request)) throw new Problem('github_not_connected', 'Open this link in a browser.')
  if (searchParams.has('error')) throw new Problem('github_not_connected', 'It was cancelled at GitHub. Start again.')
  return { code: searchParams.get('code') ?? '', state: searchParams.get('state') ?? '' }
}
