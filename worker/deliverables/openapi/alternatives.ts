/** Schemas that became one of several alternatives, or the reverse: such as a type that became nullable, or a resource beside another one. */
import { type Node, node, nodes, resolved, words } from '../../../core/openapi/document.ts'
import { json } from '../../../core/openapi/types.ts'
import { isObject } from '../../../core/values/objects.ts'

/** Keywords that restrict what the alternatives beside them allow. */
const OWN = ['type', 'properties', 'items', 'enum', 'const', 'allOf', 'not']

/** The alternatives that a schema consists of; null if it is more than those. */
function alternativesOf(document: Node, schema: unknown): Node[] | null {
  const whole = resolved(document, schema)
  const found = nodes(whole.anyOf ?? whole.oneOf)
  return found.length > 1 && !OWN.some((keyword) => keyword in whole) ? found : null
}

/** A part of the alternatives that is one of them, and the others. */
interface Match {
  /** The alternative that the single schema became, or comes from. */
  same: Node
  others: Node[]
}

/** Finds the one among alternatives that a schema corresponds to: by its name, else by its type. */
function matchOf(single: unknown, alternatives: Node[]): Match | null {
  const { $ref, type } = node(single)
  const same = alternatives.find((each) => ($ref === undefined ? type !== undefined && each.type === type : each.$ref === $ref))
  return same ? { same, others: alternatives.filter((each) => each !== same) } : null
}

/** What two versions of a schema have in common where one of them has alternatives. */
interface Joined {
  before: unknown
  after: unknown
  gained: Node[]
  lost: Node[]
}

/** Finds what corresponds where one version of a schema is one of the alternatives of the other; null otherwise. */
export function joined(documents: { before: Node; after: Node }, before: unknown, after: unknown): Joined | null {
  if (!isObject(before) || !isObject(after)) return null
  const [olds, nows] = [alternativesOf(documents.before, before), alternativesOf(documents.after, after)]
  if (olds === null && nows !== null) {
    const found = matchOf(before, nows)
    return found && { before, after: found.same, gained: found.others, lost: [] }
  }
  if (olds !== null && nows === null) {
    const found = matchOf(after, olds)
    return found && { before: found.same, after, gained: [], lost: found.others }
  }
  return null
}

const typeOnly = (schema: Node): string => (Object.keys(schema).length === 1 ? words(schema.type) : '')

/** What alternatives are called: by their types if they have nothing else, others by their names or by what they contain. */
export const alternativesNamed = (alternatives: Node[]): { noun: string; names: string[] } =>
  alternatives.every(typeOnly)
    ? { noun: 'type', names: alternatives.map(typeOnly) }
    : { noun: 'alternative', names: alternatives.map((each) => words(each.$ref).split('/').at(-1) || json(each)) }
