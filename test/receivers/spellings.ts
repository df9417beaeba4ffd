/** Requests whose signature or time is right in value and wrong in spelling: every receiver and `verify` must refuse them. */

type Headers = Record<string, string>

/** Spellings of a signature, given as `v1,…` or `v1a,…`. */
export function signatureSpellings(signature: string): [name: string, spelling: string][] {
  const [version = '', base64 = ''] = signature.split(/,(.*)/)
  const bare = base64.replace(/=+$/, '')
  // The last character has bits that are not used.
  const last = bare.at(-1) ?? ''
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const other = alphabet[alphabet.indexOf(last) + 1] ?? ''
  return [
    ['without padding', `${version},${bare}`],
    ['with more padding', `${version},${base64}=`],
    ['with two commas', `${version},,${base64}`],
    ['with a comma at its end', `${version},${base64},`],
    ['with a tab at its beginning', `${version},\t${base64}`],
    ['after another one and a tab', `${version},x\t${version},${base64}`],
    ['with a character that is none of base64', `${version},${base64.slice(0, 8)}*${base64.slice(8)}`],
    ['with other unused bits', `${version},${bare.slice(0, -1)}${other}${'='.repeat(base64.length - bare.length)}`],
    ['with its version in upper case', `${version.toUpperCase()},${base64}`],
    ...(/[+/]/.test(base64)
      ? [['in the alphabet for URLs', `${version},${base64.replaceAll('+', '-').replaceAll('/', '_')}`] as [string, string]]
      : []),
  ]
}

/** Spellings of a time in seconds, each of which must be signed as it is written. */
export const timeSpellings = (seconds: string): [name: string, spelling: string][] => [
  ['with an exponent', `${seconds}e0`],
  ['with a fraction', `${seconds}.0`],
  ['with a sign', `+${seconds}`],
  ['with a zero before it', `0${seconds}`],
  ['in hexadecimal digits', `0x${Number(seconds).toString(16)}`],
]

/** The request with another header. */
export const withHeader = <Request extends { headers: Headers }>(request: Request, name: string, value: string): Request => ({
  ...request,
  headers: { ...request.headers, [name]: value },
})
