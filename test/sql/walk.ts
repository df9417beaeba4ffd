/** Calls routes by their names in the OpenAPI document, and records which have succeeded. */
import type { CapturedMail } from '../../bin/support/mail-catcher.ts'
import type { Provider } from '../sso/provider.ts'
import type { TextServer } from '../sso/text-server.ts'
import type { Mailbox } from '../support/mailbox.ts'
import type { Operation } from '../support/openapi.ts'
import type { Receiver } from '../support/receiver.ts'
import type { Actor, Answer, Box } from '../support/signalbox.ts'
import type { SlackServer } from '../support/slack.ts'

const THIS_MONTH = new Date().toISOString().slice(0, 7)

/** Values of query parameters that cannot be derived from the schema. */
const VALUES: Record<string, string> = {
  action: 'member.*',
  agent: 'claude',
  created_after: '2020-01-01T00:00:00Z',
  created_before: '2099-01-01T00:00:00Z',
  start_date: '2020-01-01T00:00:00Z',
  end_date: '2099-01-01T00:00:00Z',
  from: THIS_MONTH,
  to: THIS_MONTH,
  digest: `sha256:${'b'.repeat(64)}`,
  query: 'a',
  unread_only: 'true',
}

/** Parameters for the next page of a list, taken from the previous page. */
const PAGING = ['after', 'after_seq', 'after_hash', 'page']

interface Parameter {
  name: string
  in: string
  schema: { enum?: string[]; default?: unknown }
}

export class Walk {
  readonly succeeded = new Set<string>()
  /** The values of path parameters. */
  readonly ids: Record<string, string> = {}

  #addresses = 0

  constructor(readonly box: Box) {}

  /** A network can sign in 10 times a minute, and the pages do so too. */
  newAddress(): string {
    this.#addresses += 1
    return `198.18.${this.#addresses}.1`
  }

  /** Every route of the OpenAPI document, such as `GET /api/v1/gates/{gate_id}`. */
  get routes(): [route: string, operation: Operation][] {
    return Object.entries(this.box.contract.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, Operation] => [`${method.toUpperCase()} ${path}`, operation]),
    )
  }

  /**
   * Calls a route.
   *
   *
   * @param caller a user, or the box for a request without a token
   * @throws Error if it does not succeed
   */
  async call(
    caller: Actor | Box,
    route: string,
    body?: unknown,
    headers: Record<string, string> = {},
    query: Record<string, string> = {},
  ): Promise<Answer> {
    const [method = '', template = ''] = route.split(' ')
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      if (this.ids[name] === undefined) throw new Error(`${route}: the walk has no ${name}`)
      return this.ids[name]
    })
    const search = Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : ''
    const key: Record<string, string> = method === 'POST' ? { 'Idempotency-Key': crypto.randomUUID() } : {}
    const from: Record<string, string> = caller === this.box ? { 'X-Forwarded-For': this.newAddress() } : {}
    const answer = await caller.request(method, path + search, body, { ...key, ...from, ...headers })
    if (answer.status >= 300)
      throw new Error(`${method} ${path}${search} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    this.succeeded.add(route)
    return answer
  }

  /** Sends a POST, and stores the id of the created resource under a name. */
  async create(caller: Actor, route: string, name: string, body?: unknown): Promise<Answer['body']> {
    const answer = await this.call(caller, `POST ${route}`, body)
    this.ids[name] = answer.body.id
    return answer.body
  }

  /**
   * Calls every GET route whose path parameters are known: without parameters, with every filter, and the second page.
   *
   * @param skipped routes of what is not there
   */
  async readAll(caller: Actor, others: Record<string, string>, skipped: string[] = []): Promise<void> {
    for (const [route, operation] of this.routes) {
      const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
      if (!route.startsWith('GET ') || skipped.includes(route) || !names.every((name) => this.ids[name])) continue
      await this.call(caller, route)
      const parameters = ((operation.parameters ?? []) as Parameter[]).filter(
        (each) => each.in === 'query' && !PAGING.includes(each.name),
      )
      if (parameters.length === 0) continue
      const values = parameters.map(({ name, schema }) => [name, others[name] ?? VALUES[name] ?? schema.enum?.[0] ?? '1'])
      const variants = parameters.flatMap(({ name, schema }) => (schema.enum ?? []).slice(1).map((value) => ({ [name]: value })))
      for (const variant of [{}, ...variants]) {
        await this.call(caller, route, undefined, {}, { ...Object.fromEntries(values), ...variant })
      }
      const size = parameters.find(({ name }) => ['limit', 'page_size'].includes(name))
      if (!size) continue
      const first = await this.call(caller, route, undefined, {}, { [size.name]: '1' })
      const [, next] = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? []
      const query = next ? Object.fromEntries(new URL(next, this.box.base).searchParams) : { page: '2', page_size: '1' }
      if (next || size.name === 'page_size') await this.call(caller, route, undefined, {}, query)
    }
  }
}

export interface Context {
  box: Box
  mail: Mailbox
  receiver: Receiver
  /** What the settings of "Add to Slack" lead to. */
  slack: SlackServer
  /** The provider with which people sign in. */
  provider: Provider
  /** The name server for the records of domains. */
  names: TextServer
}

/** The token in the newest mail with a link to a page. */
export async function tokenFrom({ box, mail }: Context, email: string, page: string, prefix = ''): Promise<string> {
  let found: RegExpExecArray | null = null
  await box.until(`a mail to ${email} links to ${page}`, async () => {
    const texts = mail.to(email).map(({ text }: CapturedMail) => new RegExp(`/${page}\\?token=(${prefix}[\\w.-]+)`).exec(text))
    found = texts.find((each) => each !== null) ?? null
    return found !== null
  })
  return found?.[1] ?? ''
}
