/** Parsers for the values of settings. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import ipaddr from 'ipaddr.js'
import addressparser from 'nodemailer/lib/addressparser'
import { canonicalAddress } from '../values/email-addresses.ts'
import { scopesIn } from '../values/openid-issuers.ts'
import { originOf } from '../values/web-addresses.ts'

/** The value of a setting is not valid. The message completes the sentence "NAME must be …". */
export class InvalidSetting extends Error {}

export const text = (value: string): string => value

export const integer =
  (minimum: number, maximum: number) =>
  (value: string): number => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < minimum || number > maximum)
      throw new InvalidSetting(`a whole number from ${minimum} to ${maximum}`)
    return number
  }

export const days = integer(1, 3_650)

export const oneOf =
  <const Choice extends string>(...choices: Choice[]) =>
  (value: string): Choice => {
    const choice = choices.find((each) => each === value)
    if (!choice) throw new InvalidSetting(`one of ${choices.join(', ')}`)
    return choice
  }

export const listOf =
  <Item>(read: (item: string) => Item) =>
  (value: string): Item[] =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
      .map(read)

/** Short forms, such as 127.1, mean different addresses to different libraries. */
const isAddress = (text: string): boolean => ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)

const HOST_NAME = /^[\p{L}\p{N}_](?:[\p{L}\p{N}._-]*)$/u

const isHost = (text: string): boolean => isAddress(text.replace(/^\[(.*)\]$/, '$1')) || HOST_NAME.test(text)

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** A URL whose parts the libraries that get it take as they are meant. */
const url =
  (...schemes: string[]) =>
  (value: string): string => {
    const wanted = schemes.map((scheme) => `${scheme}://`)
    if (!wanted.some((start) => value.toLowerCase().startsWith(start)))
      throw new InvalidSetting(`a URL that starts with ${wanted.join(' or ')}`)
    const { hostname, port, username, password, pathname, search, hash } = URL.canParse(value) ? new URL(value) : new URL('x:')
    // Of a password that is not escaped, the rest and the host are in the path, the query or the fragment.
    const isWhole = isHost(hostname) && port !== '0' && !`${pathname}${search}${hash}`.includes('@')
    if (!isWhole || !canDecode(username) || !canDecode(password))
      throw new InvalidSetting(
        `a URL such as ${wanted[0]}host:port, in which user and password are percent-encoded (%40 for @, %2F for /, %23 for #, %25 for %)`,
      )
    return value
  }

/** To which the library appends the path of a request. */
export const baseUrl = (value: string): string => {
  if (/[?#]/.test(url('http', 'https')(value))) throw new InvalidSetting('a URL without query and fragment')
  return value
}

/** An OpenID issuer, which is compared as text. */
export const issuer = (value: string): string => {
  const { username, password, href } = new URL(baseUrl(value))
  if (username || password || (href !== value && href !== `${value}/`))
    throw new InvalidSetting('a URL such as https://login.example.com, without query, written as the provider writes it')
  return value
}

export const openIdScopes = (value: string): string => {
  const scopes = scopesIn(value)
  if (scopes === null) throw new InvalidSetting('scopes separated by spaces, openid among them')
  return scopes
}

/** Claims with the values that each may have: `name=value`, separated by commas. A comma within a value is `%2C`. */
export const claimPairs = (value: string): Record<string, string[]> => {
  const claims: Record<string, string[]> = {}
  for (const pair of listOf(text)(value)) {
    const [, name = '', encoded = ''] = /^([^=\s]{1,100})=(.+)$/.exec(pair) ?? []
    if (name === '' || !canDecode(encoded)) throw new InvalidSetting('claims such as hd=example.com, separated by commas')
    claims[name] = [...(Object.hasOwn(claims, name) ? (claims[name] ?? []) : []), decodeURIComponent(encoded)]
  }
  return claims
}

export const smtpUrl = url('smtp', 'smtps')

export const origin = (value: string): string => {
  const { pathname, username, password } = new URL(baseUrl(value))
  if (pathname !== '/' || username || password)
    throw new InvalidSetting('an origin such as https://signalbox.example.com, without a path')
  return originOf(value)
}

/** The address or name of an interface, without brackets. */
export const host = (value: string): string => {
  if (!isHost(value) || /^\d+$/.test(value))
    throw new InvalidSetting('an address such as 127.0.0.1 or ::, or a host name, without scheme and port')
  return value.replace(/^\[(.*)\]$/, '$1')
}

/** The sender of mails, as the mail library reads it. */
export const mailbox = (value: string): string => {
  const [{ address = '' } = {}, ...others] = addressparser(value)
  const isWhole = value === address || value.includes(`<${address}>`)
  if (others.length > 0 || !isWhole || canonicalAddress(address) === null || /[\r\n]/.test(value))
    throw new InvalidSetting('one address such as signalbox@example.com or Signalbox <signalbox@example.com>')
  return value
}

/** The address of an account. */
export const operator = (value: string): string => {
  const address = canonicalAddress(value)
  if (address === null) throw new InvalidSetting('e-mail addresses such as ada@example.com, separated by commas')
  return address
}

export const seconds = (value: string): number => {
  if (!/^\d+(\.\d+)?$/.test(value) || Number(value) > 31_536_000)
    throw new InvalidSetting('numbers of seconds, separated by commas, such as 5,60,300, each at most 31536000')
  return Number(value)
}

export const price = (value: string): number => {
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(value)) throw new InvalidSetting('a price in USD per million tokens, such as 2.5')
  return Number(value)
}

export const share = (value: string): number => {
  if (!/^(0(\.\d+)?|1(\.0+)?)$/.test(value)) throw new InvalidSetting('a number from 0 to 1')
  return Number(value)
}

export const jwtSecret = (value: string): string => {
  if (value.length < 32) throw new InvalidSetting('at least 32 characters long (generate one with openssl rand -base64 32)')
  return value
}

/** Sent or received in a header. */
export const token = (value: string): string => {
  if (!/^[!-~]+$/.test(value)) throw new InvalidSetting('printable ASCII without spaces (generate one with openssl rand -hex 32)')
  return value
}

/** `name=value` pairs, separated by commas, as OpenTelemetry's libraries read them. */
export const pairs = (value: string): string => {
  const isPair = (pair: string): boolean => /^\s*[!#$%&'*+\-.^_`|~0-9A-Za-z]+\s*=[\t -~]*$/.test(pair) && canDecode(pair)
  if (!value.split(',').every((pair) => pair.trim() === '' || isPair(pair)))
    throw new InvalidSetting('pairs name=value, separated by commas, with other characters percent-encoded (%2C for a comma)')
  return value
}

export const secretsKey = (value: string): Uint8Array => {
  const key = Buffer.from(value, 'base64')
  if (key.length !== 32) throw new InvalidSetting('32 bytes in base64 (generate one with openssl rand -base64 32)')
  return key
}

export const nonEmpty = <Item>(items: Item[]): [Item, ...Item[]] => {
  const [first, ...rest] = items
  if (first === undefined) throw new InvalidSetting('at least one value')
  return [first, ...rest]
}

function areCertificates(pem: string): boolean {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? []
  try {
    return blocks.map((block) => new X509Certificate(block)).length > 0
  } catch {
    return false
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** As text or in a file. Some platforms keep a text on one line, with \\n for the ends of lines. */
export const certificates = (value: string): string => {
  const pem = value.includes('-----BEGIN') ? value.replaceAll('\\n', '\n') : readText(value)
  if (!areCertificates(pem)) throw new InvalidSetting('certificates as PEM text, or the path of a PEM file')
  return pem
}

/** An address range as `[network, prefix length]`. */
export type AddressRange = ReturnType<typeof ipaddr.parseCIDR>

export const cidr = (value: string): AddressRange => {
  if (!isAddress(value.split('/')[0] ?? '') || !ipaddr.isValidCIDR(value))
    throw new InvalidSetting('address ranges such as 127.0.0.0/8, separated by commas')
  return ipaddr.parseCIDR(value)
}

export const nameServer = (value: string): string => {
  const [, v6, v4, port] = /^(?:\[(.+)\]|([\d.]+)):(\d{1,5})$/.exec(value) ?? []
  if (!isAddress(v6 ?? v4 ?? '') || Number(port) < 1 || Number(port) > 65_535)
    throw new InvalidSetting('name servers as ip:port or [ip]:port, separated by commas')
  return value
}
