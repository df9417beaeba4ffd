/** `bun test/clients/generate.ts <url of the document> <file>`: writes the types of the SDK. */
import { plugin } from 'bun'

// The generator requires a TypeScript before version 7, which no longer has that API.
plugin({
  name: 'typescript-5',
  setup: (build) => {
    build.module('typescript', async () => ({ exports: await import('typescript-5'), loader: 'object' }))
  },
})

const { default: openapiTS, astToString } = await import('openapi-typescript')
const [, , url = '', file = ''] = process.argv

type Node = Record<string, unknown>

/** Keywords that types do not need. Examples would be half of the file, and contain the address of this service. */
const LEFT_OUT = new Set(['example', 'examples', 'format', 'x-signalbox-access', 'security', 'tags'])
/** What is said of every id and every time. */
const OBVIOUS = new Set(['A UUID.', 'ISO 8601, UTC.'])

/** A copy with the keywords of schemas and operations that the types need; `names` are keys that are not keywords. */
function slim(node: unknown, areNames = false): unknown {
  if (Array.isArray(node)) return node.map((each) => slim(each))
  if (node === null || typeof node !== 'object') return node
  const kept = Object.entries(node).filter(([key, value]) => areNames || !(LEFT_OUT.has(key) || OBVIOUS.has(value as string)))
  return Object.fromEntries(kept.map(([key, value]) => [key, slim(value, key === 'properties' && !areNames)]))
}

const PROBLEM = {
  description: 'A problem (RFC 9457).',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
}

/** Every error of an operation is a problem, whatever its status. */
function withOneProblem(operation: { responses: Record<string, Node> }): void {
  const all = Object.entries(operation.responses)
  const successes = all.filter(([status]) => status.startsWith('2'))
  operation.responses = { ...Object.fromEntries(successes), ...(successes.length < all.length && { default: PROBLEM }) }
}

const document = slim(await (await fetch(url)).json()) as {
  paths: Record<string, Record<string, { responses: Record<string, Node> }>>
  webhooks: Record<string, { post: Node }>
}
for (const methods of Object.values(document.paths)) for (const operation of Object.values(methods)) withOneProblem(operation)
for (const { post } of Object.values(document.webhooks)) {
  post.parameters = []
  post.responses = { '2XX': { description: 'Received.' } }
}
await Bun.write(
  file,
  `// Generated from the OpenAPI document by test/clients/generate.ts.\n\n${astToString(await openapiTS(JSON.stringify(document)))}`,
)
