/** The bytes of a request. */

const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/
const HEADER_VALUE = /^[\t\x20-\x7e]*$/

/**
 * Puts a POST together.
 *
 * @param headers must not repeat those that are set here
 * @param keepsAlive whether another request may follow over the connection
 * @throws Error where a header could not be sent as it is
 */
export function requestBytes(url: URL, headers: Record<string, string>, body: string, keepsAlive: boolean): Buffer {
  const bytes = Buffer.from(body)
  const all: Record<string, string> = {
    ...(Object.keys(headers).some((name) => name.toLowerCase() === 'accept') ? {} : { Accept: '*/*' }),
    ...headers,
    Host: url.host,
    'Accept-Encoding': 'identity',
    'Content-Length': String(bytes.length),
    // HTTP/1.1 connections are persistent by default.
    ...(keepsAlive ? {} : { Connection: 'close' }),
  }
  let head = `POST ${url.pathname}${url.search} HTTP/1.1\r\n`
  for (const [name, value] of Object.entries(all)) {
    if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(value)) throw new Error(`The header ${name} cannot be sent`)
    head += `${name}: ${value.trim()}\r\n`
  }
  return Buffer.concat([Buffer.from(`${head}\r\n`, 'latin1'), bytes])
}
