/**
 * OAuth clients, as their metadata documents describe them (draft-ietf-oauth-client-id-metadata-document): the id of a client is the URL of
 * its document. Kept in the memory of this process for a while. Errors are not kept. And to which URLs their codes are sent.
 */
import { Deadline } from '../../core/outbound/deadline.ts'
import { monotonicMs } from '../../core/platform/clock.ts'
import { hasTooManyMarks, isPlainLine } from '../../core/values/plain-text.ts'
import { limitDocuments } from '../plugins/rate-limit.ts'
import { issuerUrlError } from '../trusts/trusts.ts'
import { fetchJson, IssuerProblem, TIMEOUT_MS } from './issuer-documents.ts'

const MAX_LENGTH = 2_000

/** Visible ASCII characters without a backslash, which browsers read as a slash, and without a fragment. */
const PLAIN = /^[!"$-[\]-~]+$/

/** It must be written as browsers and servers write it, so that a client has one id. @returns the end of a sentence; null if it is valid */
export function clientUrlError(text: string): string | null {
  if (text.length > MAX_LENGTH || !PLAIN.test(text)) return 'must be a URL'
  const flaw = issuerUrlError(text)
  if (flaw !== null) return flaw
  const { href, pathname } = new URL(text)
  if (href !== text) return `must be written as ${href}`
  return pathname === '/' ? 'must have a path' : null
}

/** The port is chosen when the program starts (RFC 8252, section 7.3). */
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1)(?::\d{1,5})?(\/.*)?$/

export const isLoopback = (uri: string): boolean => LOOPBACK.test(uri)

/**
 * Where a redirect URI leads, as a Content-Security-Policy names it: an https origin, one of this computer, or the scheme of an app, which is
 * the reversed name of a domain (RFC 8252, section 7.1). The policy cannot name an IPv6 address.
 *
 * @returns null if codes are not sent there
 */
export function redirectTarget(uri: string): string | null {
  const url = uri.length <= MAX_LENGTH && PLAIN.test(uri) ? URL.parse(uri) : null
  if (!url || url.username || url.password) return null
  // A host may have characters that would end the policy, and a dot at its end would be another host there.
  if (url.protocol === 'https:') return /^[a-z\d.-]*[a-z\d-]$/.test(url.hostname) ? url.origin : null
  if (url.protocol === 'http:') return isLoopback(uri) ? url.origin : null
  return /^[a-z][a-z\d-]*(\.[a-z\d-]+)+:$/.test(url.protocol) ? url.protocol : null
}

/** Whether a client that has listed a redirect URI may use another: the same one or, on this computer, one that differs in its port. */
export function isSameRedirect(listed: string, given: string): boolean {
  if (listed === given) return true
  const [one, other] = [LOOPBACK.exec(listed), LOOPBACK.exec(given)]
  return one !== null && other !== null && one[1] === other[1] && (one[2] ?? '/') === (other[2] ?? '/')
}

export const withParameters = (uri: string, parameters: Record<string, string>): string =>
  `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(parameters)}`

const FRESH_MS = 300_000
const MAX_BYTES = 16_384
const MAX_CLIENTS = 500
const MAX_REDIRECT_URIS = 50
const MAX_NAME_LENGTH = 60
const MAX_FETCHES = 32

export interface Client {
  client_id: string
  /** What it calls itself, if a person can read that; else its host. */
  name: string
  /** The host of its document: what it cannot choose freely. */
  host: string
  /** All that its document lists, also those to which codes are never sent. */
  redirect_uris: string[]
}

/** Why a client is not accepted: sentences for the person. */
export class ClientProblem extends Error {}

function nameOf(given: unknown): string | null {
  if (typeof given !== 'string' || !given.isWellFormed() || hasTooManyMarks(given)) return null
  const name = given.normalize('NFC').trim()
  return name !== '' && name.length <= MAX_NAME_LENGTH && isPlainLine(name) ? name : null
}

/** Whether a client can be a public one, perhaps among other ways to authenticate itself. */
function isPublic({ token_endpoint_auth_method: one, token_endpoint_auth_methods_supported: several }: Record<string, unknown>) {
  const methods = [one ?? [], several ?? []].flat()
  return methods.length === 0 || methods.includes('none')
}

/** @throws ClientProblem */
function clientFrom(client_id: string, document: Record<string, unknown>): Client {
  const { host } = new URL(client_id)
  const { client_name, redirect_uris } = document
  if (document.client_id !== client_id) throw new ClientProblem('Its document names another client_id.')
  // Its tokens would be given to anyone who says to be it.
  if (!isPublic(document) || 'client_secret' in document)
    throw new ClientProblem('Its document says that it authenticates itself, which is not supported: clients are public.')
  if (!Array.isArray(redirect_uris) || redirect_uris.length > MAX_REDIRECT_URIS)
    throw new ClientProblem(`Its document must have a list redirect_uris of at most ${MAX_REDIRECT_URIS}.`)
  const listed = [...new Set(redirect_uris.filter((uri): uri is string => typeof uri === 'string'))]
  return { client_id, name: nameOf(client_name) ?? host, host, redirect_uris: listed }
}

async function fetchClient(client_id: string): Promise<Client> {
  const deadline = new Deadline(TIMEOUT_MS)
  try {
    return clientFrom(client_id, await fetchJson(client_id, deadline, MAX_BYTES))
  } catch (error) {
    if (error instanceof IssuerProblem) throw new ClientProblem(`Its document cannot be read. ${error.message}`)
    throw error
  } finally {
    deadline.end()
  }
}

/** In order of their fetches. */
const known = new Map<string, { client: Client; at: number }>()
const pending = new Map<string, Promise<Client>>()

async function fetchOnce(client_id: string): Promise<Client> {
  if (pending.size >= MAX_FETCHES) throw new ClientProblem('Too many documents are being fetched. Try again in a few seconds.')
  const fetching = fetchClient(client_id).finally(() => pending.delete(client_id))
  pending.set(client_id, fetching)
  const client = await fetching
  known.delete(client_id)
  known.set(client_id, { client, at: monotonicMs() })
  if (known.size > MAX_CLIENTS) known.delete(known.keys().next().value as string)
  return client
}

/** Fetches its document if that is needed, for a person not too many. @throws ClientProblem; Problem `rate_limited` */
export async function findClient(client_id: string, user_id: string): Promise<Client> {
  const flaw = clientUrlError(client_id)
  if (flaw !== null) throw new ClientProblem(`The client_id ${flaw}: it is the address of the client's metadata document.`)
  const found = known.get(client_id)
  if (found && monotonicMs() - found.at < FRESH_MS) return found.client
  limitDocuments(user_id)
  return pending.get(client_id) ?? fetchOnce(client_id)
}
