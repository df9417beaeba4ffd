/** What can be wrong with TLS, in words for the owner of a URL or a mail server. */
import { checkServerIdentity, type PeerCertificate } from 'node:tls'

/**
 * Whether a certificate is for a host. Only its subjectAltName counts (RFC 9525, section 6.3): a common name is no
 * longer read by any browser, and is looser in what it may say.
 *
 * @param identity a name, or an address
 * @returns what is wrong, or undefined
 */
export function identityFault(identity: string, certificate: PeerCertificate): Error | undefined {
  if (!certificate.subjectaltname) {
    return Object.assign(new Error('The certificate has no subjectAltName'), { code: 'ERR_TLS_CERT_WITHOUT_SAN' })
  }
  return checkServerIdentity(identity, certificate)
}

/** Codes of Bun and BoringSSL, and what each means. */
const MEANINGS: [code: RegExp, meaning: string][] = [
  [
    /WITHOUT_SAN/,
    'The certificate was not accepted: it names no host in a subjectAltName (SAN), and a common name does not count',
  ],
  [/ALTNAME/, 'The certificate was not accepted: it is for another name'],
  [/NOT_YET_VALID/, 'The certificate was not accepted: it is not valid yet'],
  [
    /ALERT_CERTIFICATE_EXPIRED|ALERT_.*CERTIFICATE|CERTIFICATE_REQUIRED/,
    'The server requires a client certificate, and Signalbox sends none',
  ],
  [/EXPIRED/, 'The certificate was not accepted: it has expired'],
  [
    /SELF_SIGNED|ISSUER|VERIFY_LEAF/,
    'The certificate was not accepted: no authority that this server trusts signed it; the operator adds authorities with OUTBOUND_CA',
  ],
  [/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/, 'The server supports no accepted version of TLS: it must offer TLS 1.2 or 1.3'],
  [
    /HANDSHAKE_FAILURE/,
    'The server refused the TLS handshake: it requires a client certificate, of which Signalbox sends none, or supports no cipher suite that is accepted',
  ],
  [/WRONG_VERSION_NUMBER|HTTP_REQUEST/, 'The server does not speak TLS on this port'],
]

/** Whether a code is of TLS, or of a certificate. */
export const isTlsCode = (code: string): boolean => /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_|EPROTO|HOSTNAME_MISMATCH/i.test(code)

/** One sentence about a failure of TLS. */
export function explainTls(code: string): string {
  const meaning = MEANINGS.find(([pattern]) => pattern.test(code))?.[1]
  if (meaning) return `${meaning} (${code}).`
  return `${/CERT|UNABLE_TO_/.test(code) ? 'The certificate was not accepted' : 'The TLS handshake failed'} (${code}).`
}
