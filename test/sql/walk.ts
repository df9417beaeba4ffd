/** Calls routes by their names in the API's document, and keeps which of them have succeeded. */
import type { Operation } from '../support/openapi.ts'
import type { Actor, Answer, Box } from '../support/signalbox.ts'

const THIS_MONTH = new Date().toISOString().slice(0, 7)

/** Values of query parameters for which the schema alone does not give one. */
const VALUES: Record<string, string> = {
  action: 'member.*',
  agent: 'claude',
  created_after: '2020-01-01T00:00:00Z',
  created_before: '2099-01-01T00:00:00Z',
  start_date: '2020-01-01T00:00:00Z',
  end_date: '2099-01-01T00:00:00Z',
  from: THIS_MONTH,
  to: THIS_MONTH,
  query: 'a',
  unread_only: 'true',
}

/** Parameters that continue a list, which the walk takes from the previous page. */
const CONTINUES = ['after', 'after_seq', 'after_hash', 'page']

interface Parameter {
  name: string
  in: string
  schema: { enum?: string[]; default?: unknown }
}

export class Walk {
  readonly succeeded = new Set<string>()
  /** What `{name}` in a path stands for. */
  readonly ids: Record<string, string> = {}

  constructor(readonly box: Box) {}

  /** Every route of the API's document, such as `GET /api/v1/gates/{gate_id}`. */
  get routes(): [route: string, operation: Operation][] {
    return Object.entries(this.box.contract.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, Operation] => [`${method.toUpperCase()} ${path}`, operation]),
    )
  }

  /**
   * Calls a route.
   *
   * @param caller an actor, or the box itself for a request without a token
   * @throws Error where it does not succeed
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
    const answer = await caller.request(method, path + search, body, { ...key, ...headers })
    if (answer.status >= 300)
      throw new Error(`${method} ${path}${search} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    this.succeeded.add(route)
    return answer
  }

  /** Posts, and keeps the id of what was created under a name. */
  async create(caller: Actor, route: string, name: string, body?: unknown): Promise<Answer['body']> {
    const answer = await this.call(caller, `POST ${route}`, body)
    this.ids[name] = answer.body.id
    return answer.body
  }

  /** Reads every route that can be read with the ids known so far: plainly, with every filter, and the page after the first. */
  async readAll(caller: Actor, others: Record<string, string>): Promise<void> {
    for (const [route, operation] of this.routes) {
      const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
      if (!route.startsWith('GET ') || !names.every((name) => this.ids[name])) continue
      await this.call(caller, route)
      const parameters = ((operation.parameters ?? []) as Parameter[]).filter(
        (each) => each.in === 'query' && !CONTINUES.includes(each.name),
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
