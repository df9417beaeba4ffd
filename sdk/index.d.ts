import type { Client, MaybeOptionalInit } from 'openapi-fetch'
import type { components, paths, webhooks } from './openapi.js'

export type { components, operations, paths, webhooks } from './openapi.js'

/** An error of the API (RFC 9457). `code` is stable; `detail` is for people. */
export type Problem = components['schemas']['Problem']

/** A client with a method for each HTTP method: see https://openapi-ts.dev/openapi-fetch. */
export type SignalboxClient = Client<paths>

export interface SignalboxOptions {
  /** Where the service is, such as `https://signalbox.example.com`. */
  url: string
  /** A key or token of a service account, or a personal token; or a function that returns one before each request. */
  token: string | (() => string | Promise<string>)
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>
}

/**
 * Creates a client. It gives each POST an `Idempotency-Key` unless the request has one, and after 429 and 503 sends the
 * same request again, up to 4 times, after the time in `Retry-After` if that is at most two minutes.
 */
export function createClient(options: SignalboxOptions): SignalboxClient

/** What a GET answers with. Read from the paths, not from the client: that is much less work for the compiler. */
type Answer<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } }
}
  ? Body
  : never
type GetPath = { [Path in keyof paths]: [Answer<Path>] extends [never] ? never : Path }[keyof paths]
type ItemIn<List> = List extends readonly (infer Item)[] ? Item : List extends { items: (infer Item)[] } ? Item : never

/**
 * The items of a list. Each part is requested when the loop gets there, and starts after the last item of the one before: every
 * item that is in the list all the while comes once, whatever is added or deleted.
 *
 * @param path of a list: one with pages, or an array with a `Link` to the next part
 * @param init as for `client.GET`; `page_size` and `limit` in its query set how many items a request returns
 * @throws SignalboxError if the API answers with an error
 */
export function paginate<Path extends GetPath>(
  client: SignalboxClient,
  path: Path,
  init?: MaybeOptionalInit<paths[Path], 'get'>,
): AsyncGenerator<ItemIn<Answer<Path>>, void, undefined>

/** The API answered a request of `paginate` with an error. */
export class SignalboxError extends Error {
  constructor(status: number, problem: Problem | undefined)
  readonly status: number
  /** Undefined if the response was none of the API, such as one of a proxy. */
  readonly problem: Problem | undefined
}

export type EventName = keyof webhooks

/** The body of a webhook: of any event, or of those that are named, such as `SignalboxEvent<'gate.approved'>`. */
export type SignalboxEvent<Name extends EventName = EventName> = {
  [Each in Name]: webhooks[Each]['post']['requestBody']['content']['application/json']
}[Name]

/** Headers of any class that has `forEach`, as a Map has it, pairs of names and values, or an object. */
export type WebhookHeaders =
  | { forEach(each: (value: string, name: string) => void): void }
  | Iterable<readonly [name: string, value: string]>
  | Record<string, string | string[] | undefined>

/**
 * Verifies the signature (`webhook-signature`) and the time of a request from Signalbox.
 *
 * @param body as it was received, text or bytes, before anything parsed it
 * @param headers of the request
 * @param secretOrPublicKey the secret of the hook or channel or, for the signature `ed25519`, its public key (`whpk_…`)
 * @returns the parsed body. A hook with a `body_template` sends another body: name its type
 * @throws WebhookVerificationError if the request must be rejected; TypeError if an argument cannot be used
 */
export function verifyWebhook<Body = SignalboxEvent>(
  body: string | ArrayBuffer | ArrayBufferView,
  headers: WebhookHeaders,
  secretOrPublicKey: string,
): Body

/** The request is not from Signalbox, or too old. */
export class WebhookVerificationError extends Error {}
