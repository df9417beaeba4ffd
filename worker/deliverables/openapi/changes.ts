/** Compares two versions of a description as a client of the API would: what was added, changed or removed, and what breaks. */

import {
  list,
  type Node,
  node,
  nodes,
  type Operation,
  operationsOf,
  resolved,
  schemaName,
  webhooksOf,
  words,
} from '../../../core/openapi/document.ts'
import { schemaOf } from '../../../core/openapi/examples.ts'
import { code } from '../markdown.ts'
import { type Change, type Direction, type NamedPair, SchemaComparison } from './schema-changes.ts'

export type { Change } from './schema-changes.ts'

/** More changes than a reader would look at are not looked for. */
const MAX_CHANGES = 2000

interface Versions {
  before: Node
  after: Node
}

/** An operation whatever the names of the parameters in its path: `GET /orders/{}`. */
const keyOf = ({ method, path }: Operation): string => `${method} ${path.replaceAll(/\{[^{}]*\}/g, '{}')}`

const nameOf = ({ method, path }: Operation): string => code(`${method} ${path}`)
const webhookName = ({ path }: Operation): string => `webhook ${code(path)}`

/** The parameters of an operation by source and name; those in the path by their position. */
function parametersByKey({ path, parameters }: Operation): Map<string, Node> {
  const positions = new Map([...path.matchAll(/\{([^{}]*)\}/g)].map(([, name], index) => [name, index]))
  return new Map(
    parameters.map((parameter) => {
      const { in: where, name } = parameter
      return [`${words(where)} ${where === 'path' ? (positions.get(words(name)) ?? words(name)) : words(name)}`, parameter]
    }),
  )
}

/** The addresses of servers, with the defaults of their variables. */
const addressesOf = (servers: unknown): Set<string> =>
  new Set(
    nodes(servers).map(({ url, variables }) =>
      words(url)
        .replaceAll(/\{([^{}]*)\}/g, (_, name: string) => words(node(node(variables)[name]).default))
        .replace(/\/+$/, ''),
    ),
  )

/** A change of a named schema in both directions that breaks both, or neither, as one. */
function merged(changes: Change[]): Change[] {
  const others = new Map(changes.map((change) => [`${change.breaking} ${change.what}`, change]))
  return changes.flatMap((change) => {
    const { breaking, what } = change
    const inResponses = what.replace(/^(`[^`]*`) in requests(?=[: ])/, '$1 in responses')
    if (inResponses !== what && others.has(`${breaking} ${inResponses}`))
      return [{ ...change, what: what.replace(/^(`[^`]*`) in requests/, '$1 in requests and responses') }]
    const inRequests = what.replace(/^(`[^`]*`) in responses(?=[: ])/, '$1 in requests')
    return inRequests !== what && others.has(`${breaking} ${inRequests}`) ? [] : [change]
  })
}

class DescriptionComparison {
  readonly changes: Change[] = []
  /** Pairs of named schemas that are used; each is compared once. */
  private readonly pairs = new Map<string, NamedPair>()

  constructor(private readonly versions: Versions) {}

  private add(kind: Change['kind'], breaking: boolean, what: string): void {
    this.changes.push({ kind, breaking, what })
  }

  run(): void {
    this.each(operationsOf, nameOf, (before, after) => this.operation(before, after))
    this.each(webhooksOf, webhookName, (before, after) => this.webhook(before, after))
    this.servers(this.versions.before, this.versions.after, 'server')
    this.named()
  }

  /** Compares what both versions have, and lists what only one of them has. */
  private each(
    of: (document: Node) => Iterable<Operation>,
    name: (operation: Operation) => string,
    compare: (before: Operation, after: Operation) => void,
  ): void {
    const keyed = (document: Node) => new Map([...of(document)].map((operation) => [keyOf(operation), operation]))
    const [before, after] = [keyed(this.versions.before), keyed(this.versions.after)]
    for (const [key, operation] of before) {
      const now = after.get(key)
      if (now) compare(operation, now)
      else this.add('removed', true, `${name(operation)} was removed`)
    }
    for (const [key, operation] of after) if (!before.has(key)) this.add('added', false, `${name(operation)} was added`)
  }

  /** A request of the API itself: clients read its body as they read responses. */
  private webhook(before: Operation, after: Operation): void {
    if (this.changes.length > MAX_CHANGES) return
    const [old, now] = [
      resolved(this.versions.before, before.operation.requestBody),
      resolved(this.versions.after, after.operation.requestBody),
    ]
    this.content(old.content, now.content, webhookName(after), 'responses')
  }

  /** Servers of the document, or of an operation that has its own. Without any, clients know the address from elsewhere. */
  private servers(before: Pick<Operation, 'servers'> | Node, after: Pick<Operation, 'servers'> | Node, what: string): void {
    const [old, now] = [addressesOf(before.servers), addressesOf(after.servers)]
    const [lost, gained] = [old.difference(now), now.difference(old)]
    const named = [...gained].map(code).join(', ')
    if (lost.size === 0) {
      if (gained.size > 0) this.add('added', false, `${what} ${named} was added`)
      return
    }
    const moved = gained.size > 0 ? `moved to ${named}` : 'was removed'
    this.add(gained.size > 0 ? 'changed' : 'removed', true, `${what} ${[...lost].map(code).join(', ')} ${moved}`)
  }

  private operation(before: Operation, after: Operation): void {
    if (this.changes.length > MAX_CHANGES) return
    const at = nameOf(after)
    if (after.operation.deprecated === true && before.operation.deprecated !== true)
      this.add('changed', false, `${at} is deprecated`)
    this.parameters(before, after, at)
    this.requestBody(before.operation, after.operation, at)
    this.responses(before.operation, after.operation, at)
    this.security(before.security, after.security, at)
    const own = ({ servers }: Operation, document: Node) => !Bun.deepEquals(servers, nodes(document.servers))
    if (own(before, this.versions.before) || own(after, this.versions.after)) this.servers(before, after, `${at}: server`)
  }

  private parameters(before: Operation, after: Operation, at: string): void {
    const [old, now] = [parametersByKey(before), parametersByKey(after)]
    for (const [key, parameter] of old) {
      const where = `${at}: parameter ${code(words(parameter.name))}`
      const same = now.get(key)
      if (!same) this.add('removed', true, `${where} was removed`)
      else {
        this.required(parameter.required, same.required, where)
        this.schema(schemaOf(parameter), schemaOf(same), where, 'requests')
      }
    }
    for (const [key, { name, required }] of now) {
      if (old.has(key)) continue
      const isRequired = required === true
      this.add('added', isRequired, `${at}: parameter ${code(words(name))} was added${isRequired ? ' and is required' : ''}`)
    }
  }

  private required(before: unknown, after: unknown, where: string): void {
    if (before !== true && after === true) this.add('changed', true, `${where} is now required`)
    if (before === true && after !== true) this.add('changed', false, `${where} is now optional`)
  }

  private requestBody(before: Node, after: Node, at: string): void {
    const where = `${at}: request body`
    const [old, now] = [resolved(this.versions.before, before.requestBody), resolved(this.versions.after, after.requestBody)]
    if (old.content && now.content) {
      this.required(old.required, now.required, where)
      this.content(old.content, now.content, where, 'requests')
    } else if (old.content) this.add('removed', true, `${where} was removed`)
    else if (now.content)
      this.add('added', now.required === true, `${where} was added${now.required === true ? ' and is required' : ''}`)
  }

  private content(before: unknown, after: unknown, where: string, direction: Direction): void {
    const [old, now] = [node(before), node(after)]
    for (const [type, media] of Object.entries(old)) {
      if (!Object.hasOwn(now, type)) this.add('removed', true, `${where}: media type ${code(type)} was removed`)
      else this.schema(node(media).schema, node(now[type]).schema, where, direction)
    }
    for (const type of Object.keys(now)) {
      if (!Object.hasOwn(old, type)) this.add('added', false, `${where}: media type ${code(type)} was added`)
    }
  }

  private responses(before: Node, after: Node, at: string): void {
    const [old, now] = [node(before.responses), node(after.responses)]
    for (const [status, each] of Object.entries(old)) {
      const where = `${at}: response ${code(status)}`
      if (!Object.hasOwn(now, status)) {
        // A client loses nothing with an error that no longer occurs.
        this.add('removed', /^2/.test(status), `${where} was removed`)
        continue
      }
      const [one, other] = [resolved(this.versions.before, each), resolved(this.versions.after, now[status])]
      this.content(one.content, other.content, where, 'responses')
      this.headers(node(one.headers), node(other.headers), where)
    }
    for (const status of Object.keys(now)) {
      if (!Object.hasOwn(old, status)) this.add('added', false, `${at}: response ${code(status)} was added`)
    }
  }

  private headers(before: Node, after: Node, where: string): void {
    const names = (headers: Node) => new Map(Object.keys(headers).map((name) => [name.toLowerCase(), name]))
    const [old, now] = [names(before), names(after)]
    for (const [key, name] of old) {
      const at = `${where}: header ${code(name)}`
      const same = now.get(key)
      if (same === undefined) {
        this.add('removed', true, `${at} was removed`)
        continue
      }
      const [one, other] = [resolved(this.versions.before, before[name]), resolved(this.versions.after, after[same])]
      if (one.required === true && other.required !== true) this.add('changed', true, `${at} is now optional`)
      if (one.required !== true && other.required === true) this.add('changed', false, `${at} is now required`)
      this.schema(schemaOf(one), schemaOf(other), at, 'responses')
    }
    for (const [key, name] of now) if (!old.has(key)) this.add('added', false, `${where}: header ${code(name)} was added`)
  }

  private security(before: Node[], after: Node[], at: string): void {
    const open = (security: Node[]) => security.length === 0 || security.some((schemes) => Object.keys(schemes).length === 0)
    const alternatives = (security: Node[]) =>
      new Set(
        security.map((schemes) =>
          Object.entries(schemes)
            .map(([name, scopes]) => [name, ...list(scopes)].join(' '))
            .sort()
            .join(' + '),
        ),
      )
    const [old, now] = [alternatives(before), alternatives(after)]
    // What satisfied an alternative satisfies another that needs no other scheme, and no other scope.
    const isEnough = (schemes: Node, needed: Node) =>
      Object.entries(needed).every(
        ([name, scopes]) => Object.hasOwn(schemes, name) && list(scopes).every((scope) => list(schemes[name]).includes(scope)),
      )
    if (open(before) && !open(after)) this.add('changed', true, `${at} now requires authentication`)
    else if (!open(before) && open(after)) this.add('changed', false, `${at} no longer requires authentication`)
    else if (!open(after) && old.symmetricDifference(now).size > 0) {
      const isLost = before.some((schemes) => !after.some((needed) => isEnough(schemes, needed)))
      this.add('changed', isLost, `${at} requires other authentication`)
    }
  }

  private schema(before: unknown, after: unknown, where: string, direction: Direction): void {
    if (this.changes.length > MAX_CHANGES || (before === undefined && after === undefined)) return
    const comparison = new SchemaComparison(this.versions.before, this.versions.after, direction)
    comparison.compare(before, after, where)
    this.take(comparison)
  }

  private take({ changes, pairs }: SchemaComparison): void {
    // Not spread into `push`, whose number of arguments is limited.
    for (const change of changes) this.changes.push(change)
    for (const pair of pairs) {
      const key = JSON.stringify([pair.direction, pair.before.$ref, pair.after.$ref])
      if (!this.pairs.has(key)) this.pairs.set(key, pair)
    }
  }

  /** Compares the named schemas in use. What they use in turn is added to the map while it is read. */
  private named(): void {
    for (const { direction, before, after } of this.pairs.values()) {
      if (this.changes.length > MAX_CHANGES) return
      const comparison = new SchemaComparison(this.versions.before, this.versions.after, direction)
      comparison.compareInline(before, after, `${code(schemaName(after) ?? words(after.$ref))} in ${direction}`)
      this.take(comparison)
    }
  }
}

/**
 * The differences between two versions of a description, breaking ones first.
 *
 * Texts, such as summaries, are not compared.
 */
export function changesBetween(before: Node, after: Node): Change[] {
  const comparison = new DescriptionComparison({ before, after })
  comparison.run()
  return merged(comparison.changes).toSorted((one, other) => Number(other.breaking) - Number(one.breaking))
}
