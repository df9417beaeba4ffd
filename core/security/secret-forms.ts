/** The secrets that headers, keys, URLs and accounts contain. */

/** The secrets in a header value: the whole value, its credentials without the scheme, and decoded basic credentials. */
export function secretsOfHeader(value: string): string[] {
  const [, scheme = '', credentials] = /^(\S+)\s+(\S.*)$/.exec(value.trim()) ?? []
  if (credentials === undefined) return [value]
  if (scheme.toLowerCase() !== 'basic') return [value, credentials]
  const decoded = Buffer.from(credentials, 'base64').toString()
  return [value, credentials, decoded, decoded.slice(decoded.indexOf(':') + 1)]
}

/** A signing secret and, for the form `whsec_…`, its key with and without encoding. */
export function secretsOfSigning(secret: string): string[] {
  if (!secret.startsWith('whsec_')) return [secret]
  const key = secret.slice('whsec_'.length)
  const bytes = Buffer.from(key, 'base64')
  const text = bytes.toString()
  return [secret, key, bytes.toString('hex'), ...(text.includes('\uFFFD') ? [] : [text])]
}

/** The secrets in a URL: its path and query, and the parts of them that look like tokens. */
export function secretsOfUrl(url: string): string[] {
  if (!URL.canParse(url)) return [url]
  const { pathname, search, searchParams } = new URL(url)
  const parts = [...pathname.split('/'), ...searchParams.values()]
  const tokens = parts.filter((part) => part.length >= 16 || (part.length >= 8 && /\d/.test(part)))
  return [url, ...(pathname.length >= 2 ? [pathname, pathname + search] : []), ...tokens]
}

/** The password of a mail account, and the forms in which SMTP authentication sends it. */
export function secretsOfMail(user: string, password: string): string[] {
  return [password, `\0${user}\0${password}`, `${user}\0${password}`]
}
