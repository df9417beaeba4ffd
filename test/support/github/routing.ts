/** The operations of the API: which caller may use each, what it takes, and what it answers. */
import type { Field, Fields } from './body.ts'
import type { Caller } from './credentials.ts'
import type { Events } from './events.ts'
import type { Limits } from './limits.ts'
import type { Paths, Permissions, RequestOf, Success } from './shapes.ts'
import type { Webhooks } from './webhooks.ts'
import type { Website } from './website.ts'
import type { App, Installation, InstallationToken, Repository, UserToken, World } from './world.ts'

/** What operations act on. */
export interface Context {
  world: World
  events: Events
  webhooks: Webhooks
  website: Website
  limits: Limits
}

export interface Call<Body = unknown> extends Context {
  parameters: Record<string, string>
  query: URLSearchParams
  body: Body
  caller: Caller
  /** The base of the request for links to other pages: `{api}{path}`. */
  url: URL
}

/** Which kind of credential an operation takes. */
interface Credentials {
  /** Where the path names a repository, it is found. */
  app: { app: App; repository?: Repository }
  installation: { token: InstallationToken; installation: Installation }
  user: { token: UserToken }
  /** On a repository, by an installation, a user, or anyone if it only reads what is public. */
  repository: { repository: Repository }
  anyone: object
}

type OperationOf<Operation, By extends keyof Credentials> = {
  by: By
  answer(call: Call<RequestOf<Operation>> & Credentials[By]): Success<Operation>
} & (By extends 'repository' ? { needs: Permissions; isAppOnly?: boolean } : object) &
  (RequestOf<Operation> extends undefined ? { takes?: undefined } : { takes: Fields<NonNullable<RequestOf<Operation>>> })

export type Operation<Described> = { [By in keyof Credentials]: OperationOf<Described, By> }[keyof Credentials]

/** A table of operations, keyed as in GitHub's description. */
export type Api = {
  [Path in keyof Paths]?: { [Method in keyof Paths[Path]]?: Operation<Paths[Path][Method]> }
}

/** An operation whose types were checked. */
export interface Route {
  method: string
  path: string
  pattern: RegExp
  names: string[]
  by: keyof Credentials
  needs: Permissions
  isAppOnly: boolean
  takes: Record<string, Field> | undefined
  answer(call: Call & Partial<Credentials[keyof Credentials]>): {
    status: number
    body: unknown
    headers?: Record<string, string>
  }
}

/** The routes of a table. Those with fixed names come before those with parameters. */
export function routesOf(...tables: Api[]): Route[] {
  const routes = tables.flatMap((table) =>
    Object.entries(table).flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, Omit<Route, 'method' | 'path' | 'pattern' | 'names'>>).map(
        ([method, operation]) => {
          const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
          // Names of branches hold slashes.
          const source = path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'ref' || name === 'basehead' ? '(.+)' : '([^/]+)'))
          const { by, needs = {}, isAppOnly = false, takes, answer } = operation
          return {
            method: method.toUpperCase(),
            path,
            pattern: new RegExp(`^${source}$`),
            names,
            by,
            needs,
            isAppOnly,
            takes,
            answer,
          }
        },
      ),
    ),
  )
  return routes.sort((one, other) => one.names.length - other.names.length || other.path.length - one.path.length)
}

/** A page of a list, and the links to the others. */
export function paged<Item>({ query, url }: Pick<Call, 'query' | 'url'>, items: Item[]) {
  const size = Math.min(Math.max(Number.parseInt(query.get('per_page') ?? '30', 10) || 30, 1), 100)
  const page = Math.max(Number.parseInt(query.get('page') ?? '1', 10) || 1, 1)
  const last = Math.max(Math.ceil(items.length / size), 1)
  const link = (to: number, rel: string) => {
    const target = new URL(url)
    target.searchParams.set('page', String(to))
    return `<${target.href}>; rel="${rel}"`
  }
  const links = [
    ...(page > 1 ? [link(Math.min(page - 1, last), 'prev')] : []),
    ...(page < last ? [link(page + 1, 'next'), link(last, 'last')] : []),
    ...(page > 1 ? [link(1, 'first')] : []),
  ]
  return {
    items: items.slice((page - 1) * size, page * size),
    page,
    headers: links.length === 0 ? {} : ({ Link: links.join(', ') } as Record<string, string>),
  }
}
