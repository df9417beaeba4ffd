/** Generates examples from schemas, so that they always match. */

/** The JSON Schema keywords that the docs use. */
export interface JsonSchema {
  $ref?: string
  type?: string
  const?: unknown
  default?: unknown
  enum?: unknown[]
  examples?: unknown[]
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: unknown
  items?: JsonSchema
  minimum?: number
  title?: string
  format?: string
  description?: string
  'x-shown'?: JsonSchema
}

/**
 * A valid example value, preferably the schema's own example.
 *
 * @param name of the field
 * @param components the targets of `$ref`
 */
export function sample(node: JsonSchema, name = 'text', components: Record<string, JsonSchema> = {}): unknown {
  const of = (schema: JsonSchema, key = name) => sample(schema, key, components)
  if (node.$ref) return of(components[node.$ref.split('/').at(-1) ?? ''] ?? {})
  if (node.examples) return node.examples[0]
  if (node['x-shown']) return of(node['x-shown'])
  if (node.const !== undefined) return node.const
  if (node.default !== undefined) return node.default
  if (node.enum) return node.enum[0]
  if (node.anyOf) return of(node.anyOf[0] ?? {})
  if (node.type === 'object') {
    return Object.fromEntries(Object.entries(node.properties ?? {}).map(([key, field]) => [key, of(field, key)]))
  }
  if (node.type === 'array') return node.items ? [of(node.items)] : []
  if (node.type === 'integer' || node.type === 'number') return node.minimum ?? 1
  if (node.type === 'boolean') return true
  return SAMPLES[name] ?? name
}

const SAMPLES: Record<string, string> = {
  email: 'ada@example.com',
  name: 'Checkout',
  url: 'https://ci.example.com/hooks/signalbox',
  repository_url: 'https://git.example.com/acme/checkout',
  access_token: 'eyJhbGciOiJIUzI1NiJ9.…',
  refresh_token: 'sbx_rt_…',
  token: '…',
  avatar_url: '/api/v1/users/019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d/avatar',
  agent: 'claude-code',
  environment: 'production',
  hostname: 'farm-1.example.com',
  owner_name: 'Ada Lovelace',
  workspace_name: 'Platform',
  target_version: 'v1.4.2',
}
