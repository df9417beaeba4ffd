import { Elysia } from 'elysia'
import { Shape, Type } from '../../core/schema.ts'
import { access } from '../plugins/access.ts'
import { operation } from '../plugins/operation.ts'
import { readiness } from './readiness.ts'

const tag = 'Operations'

export const operations = new Elysia({ name: 'operations' })
  .use(access)
  .get('/livez', () => ({ status: 'alive' as const }), {
    open: 'probes',
    ...operation({ tag, summary: 'Whether the process is up', answers: { 200: Shape({ status: Type.Literal('alive') }) } }),
  })
  .get('/readyz', readiness, {
    open: 'probes',
    ...operation({
      tag,
      summary: 'Whether requests should come here',
      description: 'The database answers and is migrated; 503 while the process drains.',
      answers: { 200: Shape({ status: Type.Literal('ready') }) },
      errors: ['shutting_down', 'database_unavailable'],
    }),
  })
