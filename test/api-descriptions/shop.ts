/** A small API with an example of everything that a reference shows. */
export const SHOP = {
  openapi: '3.1.0',
  info: { title: 'Checkout API', version: '1.4.2', description: 'Takes money.', license: { name: 'MIT', identifier: 'MIT' } },
  servers: [{ url: 'https://shop.example.com/v1', description: 'Production' }],
  tags: [{ name: 'Orders' }, { name: 'Invoices' }],
  paths: {
    '/orders': {
      get: {
        tags: ['Orders'],
        summary: 'The orders of a customer',
        parameters: [
          { name: 'customer', in: 'query', required: true, schema: { type: 'string', format: 'uuid' }, description: 'Whose.' },
          { $ref: '#/components/parameters/Limit' },
        ],
        responses: {
          '200': {
            description: 'Newest first.',
            content: { 'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Order' } } } },
          },
        },
      },
      post: {
        tags: ['Orders'],
        summary: 'Place an order',
        description: 'Totals are <b>computed</b>.\n\n- never sent',
        requestBody: { required: true, content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } } },
        responses: { '201': { description: 'Placed.' }, '422': { $ref: '#/components/responses/Invalid' } },
        security: [{ key: [] }],
      },
    },
    '/invoices/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: {
        tags: ['Invoices'],
        summary: "A customer's invoice",
        deprecated: true,
        responses: { '200': { description: 'The invoice | as it is.' } },
      },
    },
  },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key', description: 'Ask for one.' } },
    parameters: { Limit: { name: 'limit', in: 'query', schema: { type: 'integer' } } },
    responses: { Invalid: { description: 'A field is wrong.' } },
    schemas: {
      Order: {
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'string', description: 'Its id.' },
          state: { enum: ['open', 'paid'] },
          parent: { $ref: '#/components/schemas/Order' },
          note: { type: ['string', 'null'] },
        },
      },
    },
  },
}
