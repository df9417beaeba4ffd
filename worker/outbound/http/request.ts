/** Formats a request. */
import type { Endpoint } from './endpoint.ts'

const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/
const HEADER_VALUE = /^[\t\x20-\x7e]*$/

/**
 * Formats a POST request, to be sent as UTF-8. Up to the body it is ASCII.
 *
 * @param headers must not contain those that are set here
 * @param keepsAlive whether the connection may be reused
 * @throws Error if a header contains characters that cannot be sent
 */
export function requestText(
  { path, host }: Pick<Endpoint, 'path' | 'host'>,
  headers: Record<string, string>,
  body: string,
  keepsAlive: boolean,
): string {
  let given = ''
  let hasAccept = false
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(value)) throw new Error(`The header ${name} cannot be sent`)
    hasAccept ||= name.length === 6 && name.toLowerCase() === 'accept'
    given += `${name}: ${value.trim()}\r\n`
  }
  return (
    `POST ${path} HTTP/1.1\r\n${hasAccept ? '' : 'Accept: */*\r\n'}${given}Host: ${host}\r\n` +
    `Accept-Encoding: identity\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
    // HTTP/1.1 connections are persistent by default.
    `${keepsAlive ? '' : 'Connection: close\r\n'}\r\n${body}`
  )
}
