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
