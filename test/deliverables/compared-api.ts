/** An API with one of everything that is compared, and what changed in it. */
import { changesBetween } from '../../worker/deliverables/openapi/changes.ts'

// biome-ignore lint/suspicious/noExplicitAny: descriptions are changed at any place.
export type Any = any

/** An API with one of everything that is compared. */
export const before = (): Any => ({
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1.0.0' },
  servers: [{ url: 'https://eu.example.com/' }],
  paths: {
    '/orders/{id}': {
      get: {
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } },
          { name: 'state', in: 'query', required: true, schema: { enum: ['open', 'paid'] } },
        ],
        responses: {
          '200': {
            description: 'The order.',
            headers: { ETag: { schema: { type: 'string' } } },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
          },
          '404': { description: 'No such order.' },
        },
      },
      put: {
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } } },
        responses: { '204': { description: 'Stored.' } },
      },
    },
    '/health': { get: { responses: { '200': { description: 'Well.' } } } },
  },
  components: {
    schemas: {
      Order: {
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'string', maxLength: 64 },
          total: { type: 'number', minimum: 0 },
          note: { type: ['string', 'null'] },
          state: { enum: ['open', 'paid'] },
          lines: {
            type: 'array',
            items: { type: 'object', properties: { sku: { type: 'string' }, count: { type: 'integer' } } },
          },
          parent: { $ref: '#/components/schemas/Order' },
          payment: { oneOf: [{ $ref: '#/components/schemas/Card' }, { $ref: '#/components/schemas/Cash' }] },
        },
      },
      Card: { type: 'object', properties: { number: { type: 'string', pattern: '^[0-9]+$' } } },
      Cash: { type: 'object', properties: { currency: { type: 'string' } } },
      Unused: { type: 'object', properties: { id: { type: 'string' } } },
    },
  },
})

export const order = (api: Any) => api.components.schemas.Order
export const getOrder = (api: Any) => api.paths['/orders/{id}'].get
export const putOrder = (api: Any) => api.paths['/orders/{id}'].put

/** The changes of the API, as `kind: what`, breaking ones marked with an exclamation mark. */
export function compare(change: (api: Any) => void, first = (_api: Any) => {}): string[] {
  const [old, after] = [before(), before()]
  first(old)
  change(after)
  return changesBetween(old, after).map(({ kind, breaking, what }) => `${kind}${breaking ? '!' : ''}: ${what}`)
}

/** Rules by subject: what is changed, and the changes that are found; from another API than that of `before` with `first`. */
export type Rules = Record<string, [what: string, change: (api: Any) => void, changes: string[], first?: (api: Any) => void][]>
