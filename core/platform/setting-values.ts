/** Parsers for the values of settings. */
import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import ipaddr from 'ipaddr.js'

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

export const url =
  (...schemes: string[]) =>
  (value: string): string => {
    if (!URL.canParse(value) || !schemes.includes(new URL(value).protocol.slice(0, -1))) {
      throw new InvalidSetting(`a URL that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`)
    }
    return value
  }

export const origin = (value: string): string => {
  const whole = url('http', 'https')(value)
  if (new URL(whole).origin !== whole.replace(/\/$/, ''))
    throw new InvalidSetting('an origin such as https://signalbox.example.com, without a path')
  return new URL(whole).origin
}

export const seconds = (value: string): number => {
  if (!/^\d+(\.\d+)?$/.test(value)) throw new InvalidSetting('numbers of seconds, separated by commas, such as 5,60,300')
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

export const metricsToken = (value: string): string => {
  if (!/^[!-~]+$/.test(value)) throw new InvalidSetting('printable ASCII without spaces (generate one with openssl rand -hex 32)')
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

export const certificates = (value: string): string => {
  const pem = value.includes('-----BEGIN CERTIFICATE-----') ? value : existsSync(value) ? readFileSync(value, 'utf8') : ''
  if (!areCertificates(pem)) throw new InvalidSetting('certificates as PEM text, or the path of a PEM file')
  return pem
}

/** An address range as `[network, prefix length]`. */
export type AddressRange = ReturnType<typeof ipaddr.parseCIDR>

export const cidr = (value: string): AddressRange => {
  if (!ipaddr.isValidCIDR(value)) throw new InvalidSetting('address ranges such as 127.0.0.0/8, separated by commas')
  return ipaddr.parseCIDR(value)
}

export const nameServer = (value: string): string => {
  const [, address = ''] = /^\[?([^\]]+?)\]?:\d+$/.exec(value) ?? []
  if (!ipaddr.isValid(address)) throw new InvalidSetting('name servers as ip:port, separated by commas')
  return value
}
