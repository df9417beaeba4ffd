/**
 * OAuth clients, as their metadata documents describe them (draft-ietf-oauth-client-id-metadata-document): the id of a client is the URL of
 * its document. Kept in the memory of this process for a while. Errors are not kept.
 */
import { Deadline } from '../../core/outbound/deadline.ts'
import { monotonicMs } from '../../core/platform/clock.ts'
import { hasTooManyMarks } from '../../core/values/nfc.ts'
import { isPlainLine } from '../../core/values/plain-text.ts'
import { limitDocuments } from '../plugins/rate-limit.ts'
import { clientUrlError, redirectTarget } from './client-urls.ts'
import { fetchJson, IssuerProblem, TIMEOUT_MS } from './issuer-documents.ts'

const FRESH_MS = 300_000
const MAX_BYTES = 16_384
const MAX_CLIENTS = 500
const MAX_REDIRECT_URIS = 50
const MAX_NAME_LENGTH = 60
/** How many documents are fetched at the same time. */
const MAX_FETCHES = 32

export interface Client {
  client_id: string
  /** What it calls itself, if a person can read that; else its host. */
  name: string
  /** The host of its document: what it cannot choose freely. */
  host: string
  redirect_uris: string[]
}

/** Why a client is not accepted: sentences for the person. */
export class ClientProblem extends Error {}

function nameOf(given: unknown): string | null {
  if (typeof given !== 'string' || !given.isWellFormed() || hasTooManyMarks(given)) return null
  const name = given.normalize('NFC').trim()
  return name !== '' && name.length <= MAX_NAME_LENGTH && isPlainLine(name) ? name : null
}

/** @throws ClientProblem */
function clientFrom(client_id: string, document: Record<string, unknown>): Client {
  const { host } = new URL(client_id)
  const { client_name, redirect_uris, token_endpoint_auth_method: method = 'none' } = document
  if (document.client_id !== client_id) throw new ClientProblem('Its document names another client_id.')
  // Its tokens would be given to anyone who says to be it.
  if (method !== 'none' || 'client_secret' in document) {
    throw new ClientProblem('Its document says that it authenticates itself, which is not supported: clients are public.')
  }
  if (!Array.isArray(redirect_uris) || redirect_uris.length > MAX_REDIRECT_URIS) {
    throw new ClientProblem(`Its document must have a list redirect_uris of at most ${MAX_REDIRECT_URIS}.`)
  }
  const usable = redirect_uris.filter((uri): uri is string => typeof uri === 'string' && redirectTarget(uri) !== null)
  return { client_id, name: nameOf(client_name) ?? host, host, redirect_uris: usable }
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

/**
 * Finds a client, and fetches its document if that is needed.
 *
 * @param user_id who asks: people can have a limited number of documents fetched
 * @throws ClientProblem; Problem `rate_limited`
 */
export async function findClient(client_id: string, user_id: string): Promise<Client> {
  const flaw = clientUrlError(client_id)
  if (flaw !== null) throw new ClientProblem(`The client_id ${flaw}: it is the address of the client's metadata document.`)
  const found = known.get(client_id)
  if (found && monotonicMs() - found.at < FRESH_MS) return found.client
  limitDocuments(user_id)
  return pending.get(client_id) ?? fetchOnce(client_id)
}
