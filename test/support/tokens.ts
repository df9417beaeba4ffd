/** Forged access tokens. */
import { createHmac } from 'node:crypto'

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The claims of an access token. */
export function decode(token: string): { header: Record<string, unknown>; claims: Record<string, unknown> } {
  const [header = '', claims = ''] = token.split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  return { header: read(header), claims: read(claims) }
}

/** Signs claims; `none` omits the signature. */
export function forge(header: Record<string, unknown>, claims: Record<string, unknown>, secret: string): string {
  const text = `${encode(header)}.${encode(claims)}`
  if (/^none$/i.test(String(header.alg))) return `${text}.`
  const hash = String(header.alg).replace('HS', 'sha')
  return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`
}
