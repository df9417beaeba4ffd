import type { Caller, SignedIn } from '../plugins/request-context.ts'
import { Problem } from '../problems.ts'

/** The caller, who must have a session. @throws Problem `session_required` */
export function inSession(caller: Caller): SignedIn {
  const { session_id } = caller
  if (session_id === null)
    throw new Problem('session_required', 'Personal tokens cannot change single sign-on. Send the access token of a session.')
  return { ...caller, session_id }
}
