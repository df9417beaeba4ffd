/** Passwords and what stands in for them, which the operator can switch off. */
import { config } from '../../core/platform/config.ts'
import { onlySignOn } from '../problems.ts'

/** Whether people sign in with the provider of the instance alone. */
export const isSignOnOnly = config.SIGN_IN === 'sso'

/** @throws Problem `sso_required` where only the provider says who someone is */
export function requireOwnSignIn(): void {
  if (isSignOnOnly) throw onlySignOn()
}
