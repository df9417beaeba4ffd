/** Which sessions are live. */
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { INSTANCE } from '../../core/values/openid-issuers.ts'

/**
 * SQL: whether a row of `sessions as session` can still be used. One that a sign-on opened ends by itself. Where people sign in with the
 * provider of the instance alone, those that something else has opened are over.
 */
export const isLiveSession = sql`
  session.ended_at is null
  and (session.expires_at is null or session.expires_at > now())
  ${config.SIGN_IN === 'sso' ? sql`and session.opened_by = ${INSTANCE}` : sql``}
`
