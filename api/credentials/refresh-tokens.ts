/**
 * Refresh tokens, of sessions and of OAuth clients: each works once, so that a second use shows that two have it.
 *
 * Except within 10 seconds: two windows of a client refresh at once, or it did not receive the response. Each goes on with the token that it
 * got, however late, so the use of one does not count as a use of the others.
 */
import { sql } from '../../core/platform/database.ts'

/** The first use; one soon after it, which is answered alike; or a later one, which indicates theft. */
export type Use = 'first' | 'soon' | 'late'

/** SQL: the use of a token. The caller has locked the sign-in that it belongs to. */
export const useOf = sql`
  case when used_at is null then 'first' when used_at < now() - interval '10 seconds' then 'late' else 'soon' end
`
