/** What tokens are for: the resource indicators (RFC 8707) that this service accepts. */
import { config } from '../../core/platform/config.ts'
import { OAuthError } from './errors.ts'

/** The identifier of this service, as issuer and as resource. */
export const SERVICE = config.PUBLIC_URL

/** The tools of agents. */
export const TOOLS = `${SERVICE}/mcp`

/**
 * Whether a token is only for the tools of agents.
 *
 * @param resource undefined: the whole service
 * @throws OAuthError `invalid_target`
 */
export function isForToolsOnly(resource: string | undefined): boolean {
  if (resource === TOOLS) return true
  if (resource === undefined || resource === SERVICE || resource === `${SERVICE}/`) return false
  throw new OAuthError('invalid_target', `The resource must be ${TOOLS} or ${SERVICE}.`)
}
