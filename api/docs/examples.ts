/** Examples of our own schemas. */
import type { Node } from '../../core/openapi/document.ts'
import { exampleOf } from '../../core/openapi/examples.ts'

/** Texts of fields whose schema has no example, by name. */
const TEXTS: Record<string, string> = {
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

/** @param components the schemas that others refer to, by name */
export const exampleFor = (schema: unknown, components: Node): unknown =>
  exampleOf({ components: { schemas: components } }, schema, 'response', (name) => TEXTS[name] ?? (name || 'text'))
