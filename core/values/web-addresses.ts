/** Addresses that users and agents have written, which people may open. */

/** An address of http or https without credentials, its host in ASCII; null for any other, which could run as a script. */
export function webAddress(text: string): URL | null {
  const address = URL.parse(text)
  if (!address || !['http:', 'https:'].includes(address.protocol)) return null
  // `https://bank.example@evil.example` leads to evil.example.
  address.username = ''
  address.password = ''
  return address
}

/** The name of a host, which is the same with and without a dot at its end. */
export const bareName = (host: string): string => host.replace(/(?<=[^.])\.$/, '')

/** A valid URL without a dot at the end of its host, otherwise as it is written. */
export function bareUrl(text: string): string {
  const url = new URL(text)
  const name = bareName(url.hostname)
  if (name === url.hostname) return text
  url.hostname = name
  return url.href
}

export const originOf = (url: string): string => new URL(bareUrl(url)).origin

/** Whether two texts, such as an `Origin` header and a setting, name the same origin. */
export const isSameOrigin = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.canParse(other) && originOf(one) === originOf(other)

/** Whether an address is one of the computer that opens it. */
export const isOwnComputer = (url: string): boolean =>
  /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(bareName(URL.parse(url)?.hostname ?? ''))
