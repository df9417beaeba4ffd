/** The problem of callers who have not signed on, which their organization requires. */
import { config } from '../../core/platform/config.ts'
import { INSTANCE } from '../../core/values/openid-issuers.ts'
import { Problem } from '../problems.ts'

/** The path of the page on which a person signs on: with the provider of the instance, or that of an organization. */
export const signOnPath = (connection_id: string): string =>
  `/sign-in/sso/${connection_id === INSTANCE ? 'instance' : connection_id}`

/** @param connection_id with which they must sign on */
export const signOnMissing = (connection_id: string): Problem =>
  new Problem(
    'sso_required',
    'This organization requires single sign-on. Sign in with its provider in the browser, then try again. A token counts if it was made in such a session, until your last sign-on has expired.',
    undefined,
    {},
    { sign_in_url: `${config.PUBLIC_URL}${signOnPath(connection_id)}` },
  )
