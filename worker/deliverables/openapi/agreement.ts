/** Makes the examples of one operation agree: the order that a call gets is the order in its response. */
import { mediaTypesOf, type Node, node, type Operation, resolved, words } from '../../../core/openapi/document.ts'
import { examplesOf, givenBy, givenExamples } from '../../../core/openapi/examples.ts'
import { violationOf } from '../../../core/openapi/validity.ts'
import { isObject } from '../../../core/values/objects.ts'

/** The name of the parameter with which a path ends; null if it ends otherwise. */
const lastParameter = (path: string): string | null => /\{([^{}]+)\}\/?$/.exec(path)?.[1] ?? null

/** The field of a response that holds the value of a path parameter: the one of its name, or the id of what the path leads to. */
function fieldOf(body: Node, name: string, path: string): string | null {
  const isId = /(?:^|[_-])id$|Id$/i.test(name)
  if (Object.hasOwn(body, name) && (name !== 'id' || lastParameter(path) === name)) return name
  return isId && lastParameter(path) === name && Object.hasOwn(body, 'id') ? 'id' : null
}

/** The example of the first successful response; null if it has no object as its body. */
function successBody(document: Node, operation: Node): Node | null {
  const [, success] = Object.entries(node(operation.responses)).find(([status]) => /^2/.test(status)) ?? []
  const [media] = mediaTypesOf(resolved(document, success).content)
  const value = media && examplesOf(document, media[1], 'response').shown[0]?.value
  return isObject(value) ? value : null
}

/** The example that a parameter gives, by itself or by its schema. */
function givenFor(document: Node, parameter: Node): { value: unknown } | null {
  const given = givenExamples(document, parameter)[0] ?? givenBy(resolved(document, parameter.schema))
  return given && violationOf(document, parameter.schema, given.value, 'request', true) === null ? given : null
}

/** The values of path parameters in the examples of an operation: what the parameter gives, else what the response has. */
export function pathValues(document: Node, { path, parameters, operation }: Operation): Map<string, unknown> {
  const values = new Map<string, unknown>()
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const body = inPath.length > 0 ? successBody(document, operation) : null
  for (const parameter of inPath) {
    const name = words(parameter.name)
    const given = givenFor(document, parameter)
    const field = given || !body ? null : fieldOf(body, name, path)
    if (given) values.set(name, given.value)
    else if (body && field !== null) values.set(name, body[field])
  }
  return values
}

const isSameKind = (one: unknown, other: unknown): boolean =>
  typeof one === typeof other && Array.isArray(one) === Array.isArray(other)

/**
 * The example of a response, made from its schema, with the values of the call: of its path, and of the example that the description
 * gives of its body. Unchanged if it would no longer satisfy its schema.
 */
export function agreeing(
  document: Node,
  { path, operation }: Operation,
  values: Map<string, unknown>,
  example: unknown,
  schema: unknown,
): unknown {
  if (!isObject(example)) return example
  const [media] = mediaTypesOf(resolved(document, operation.requestBody).content)
  const sent = node(media && givenExamples(document, media[1])[0]?.value)
  const known = new Map(Object.entries(sent))
  for (const [name, value] of values) {
    const field = fieldOf(example, name, path)
    if (field !== null) known.set(field, value)
  }
  const agreed = Object.fromEntries(
    Object.entries(example).map(([name, value]) => {
      const same = known.get(name)
      return [name, same !== undefined && isSameKind(same, value) ? same : value]
    }),
  )
  return violationOf(document, schema, agreed, 'response', true) === null ? agreed : example
}
