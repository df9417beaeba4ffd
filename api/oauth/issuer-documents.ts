/** Fetches the documents of issuers and clients, at URLs that others chose: only from allowed addresses, and limited in time and size. */
import type { Deadline } from '../../core/outbound/deadline.ts'
import { explainError } from '../../core/outbound/errors.ts'
import { exchange, type HttpResponse } from '../../core/outbound/http/exchange.ts'

/** Time limit for all documents of an issuer: DNS, connecting, headers and bodies. */
export const TIMEOUT_MS = 5_000

/** Several times the longest key sets, which have a certificate with each key. */
const MAX_BYTES = 131_072

const HEADERS = { Accept: 'application/json', 'User-Agent': 'Signalbox-OAuth/1' }

/** Why the documents of an issuer or a client cannot be used: a sentence for people. */
export class IssuerProblem extends Error {
  /** @param isPermanent whether the issuer answered that it is another one: trying again does not help */
  constructor(
    message: string,
    readonly isPermanent = false,
  ) {
    super(message)
  }
}

interface IssuerRequest {
  headers?: Record<string, string>
  /** Posted as a form; without one, the document is fetched. */
  form?: URLSearchParams
}

/** The issuer, or the host of a document, has refused the request (4xx). */
export class RefusedRequest extends IssuerProblem {}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

/**
 * Fetches a JSON document of at most so many bytes, or what is answered to a form. Redirects are not followed.
 *
 * @throws IssuerProblem; RefusedRequest if the request is refused (4xx)
 */
export async function fetchJson(
  url: string,
  deadline: Deadline,
  most = MAX_BYTES,
  { headers = {}, form }: IssuerRequest = {},
): Promise<Record<string, unknown>> {
  let response: HttpResponse
  try {
    const body = form?.toString() ?? null
    response = await exchange(url, { headers: { ...HEADERS, ...(form ? FORM : {}), ...headers }, body }, most, deadline)
    if (response.bodyError !== null) throw response.bodyError
  } catch (error) {
    throw new IssuerProblem(explainError(error, 'No complete response came', TIMEOUT_MS / 1000).detail)
  }
  const { status, headers: answered, body, isCut } = response
  if (status >= 300 && status < 400) throw new IssuerProblem(`It answered with a redirect (${status}), which is not followed.`)
  if (status !== 200)
    throw new (status >= 400 && status < 500 ? RefusedRequest : IssuerProblem)(`It answered with status ${status}.`)
  if (isCut) throw new IssuerProblem(`The document is longer than ${most} bytes.`)
  if (![undefined, 'identity'].includes(answered['content-encoding'])) throw new IssuerProblem('The document is compressed.')
  try {
    const document: unknown = JSON.parse(body.toString())
    if (typeof document === 'object' && document !== null && !Array.isArray(document)) return document as Record<string, unknown>
  } catch {
    // The parser's message would quote the document.
  }
  throw new IssuerProblem('The document is not a JSON object.')
}
