/** Examples, made from the schemas themselves, so that they cannot say something else. */
import type { TSchema } from '../../core/schema.ts'

interface JsonSchema {
  type?: string
  const?: unknown
  default?: unknown
  enum?: unknown[]
  examples?: unknown[]
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  minimum?: number
  title?: string
  'x-shown'?: JsonSchema
}

/** A value that a schema allows: its own example where it names one. */
export function sample(schema: TSchema, name = 'text'): unknown {
  const node = schema as JsonSchema
  if (node.examples) return node.examples[0]
  if (node['x-shown']) return sample(node['x-shown'] as TSchema, name)
  if (node.const !== undefined) return node.const
  if (node.default !== undefined) return node.default
  if (node.enum) return node.enum[0]
  if (node.anyOf) return sample(node.anyOf[0] as TSchema, name)
  if (node.type === 'object') {
    return Object.fromEntries(Object.entries(node.properties ?? {}).map(([key, field]) => [key, sample(field as TSchema, key)]))
  }
  if (node.type === 'array') return node.items ? [sample(node.items as TSchema, name)] : []
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
}
