/** Which issuers a trust can name. */
import { isAllowedAddress } from '../../core/outbound-addresses.ts'
import { urlError } from '../../core/outbound-requests.ts'
import { config } from '../../core/platform/config.ts'

/**
 * What is wrong with the URL of an issuer or of its keys: it must be https, or http at an address that the operator allowed.
 *
 * @returns the end of a sentence; null if nothing is
 */
export function issuerUrlError(text: string): string | null {
  const flaw = urlError(text)
  if (flaw) return flaw[1]
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || isAllowedAddress(hostname, config.OUTBOUND_ALLOW) ? null : 'must be an https URL'
}
