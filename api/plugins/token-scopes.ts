/** What requests need of a personal token: its scope. */
import { TOKEN_SCOPES, type TokenScope } from '../credentials/token-scopes.ts'
import { Problem } from '../problems.ts'
import type { Kind } from './resources.ts'

/** Every change of a gate is a decision, so that a new one needs no rule of its own. */
function scopeNeeded(isReading: boolean, kind: Kind | null): TokenScope {
  if (isReading) return 'read'
  return kind === 'gate' ? 'decide' : 'write'
}

const PERSON_REQUIRED =
  'People decide gates. Decide it signed in: in the app, in Slack, by the mailed link, or with the access token of a session. A script that decides as you needs a personal token with the scope decide.'

/**
 * @param scope of the caller's personal token; null without one
 * @param isReading whether the request changes nothing
 * @param kind of the resource that the path names
 * @throws Problem `read_only_token`, `person_required`
 */
export function requireScope(scope: TokenScope | null, isReading: boolean, kind: Kind | null): void {
  const needed = scopeNeeded(isReading, kind)
  if (scope === null || TOKEN_SCOPES.indexOf(scope) >= TOKEN_SCOPES.indexOf(needed)) return
  if (scope === 'read') {
    const detail = `This token has the scope read, which allows only reading. Use a token with the scope ${needed}.`
    throw new Problem('read_only_token', detail)
  }
  throw new Problem('person_required', `This token has the scope ${scope}. ${PERSON_REQUIRED}`)
}
