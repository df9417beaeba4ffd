/** The API of a library: what API documentation shows in addition to what the shop has. */
export const LIBRARY = {
  openapi: '3.0.3',
  info: { title: 'Library API', version: '2.0.0', description: 'Lends books.\n\n- free of charge', license: { name: 'MIT' } },
  servers: [{ url: 'https://{region}.library.example.com/v2', variables: { region: { default: 'eu', enum: ['eu', 'us'] } } }],
  security: [{ token: ['books:read'] }],
  tags: [{ name: 'Books' }, { name: 'Schemas' }],
  paths: {
    '/books': {
      get: {
        tags: ['Books'],
        summary: 'Search books',
        security: [{}],
        parameters: [
          {
            name: 'q',
            in: 'query',
            required: true,
            description: 'What to look for, as `title:word`.',
            schema: { type: 'string', minLength: 2, maxLength: 100, pattern: '^[a-z|:]+$' },
            example: 'title:sea',
          },
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
          { name: 'sort', in: 'query', schema: { type: 'string', enum: ['title', 'year'] } },
          { name: 'X-Old', in: 'header', deprecated: true, schema: { type: 'boolean' } },
        ],
        responses: {
          200: {
            description: 'A page of books.',
            headers: {
              Link: { description: 'The next page.', schema: { type: 'string' }, example: '</books?after=7>; rel="next"' },
              'RateLimit-Remaining': { schema: { type: 'integer' } },
            },
            content: { 'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Book' } } } },
          },
          429: { description: 'Too many requests.', headers: { 'RateLimit-Remaining': { schema: { type: 'integer' } } } },
        },
      },
      post: {
        tags: ['Books'],
        summary: 'Add a book',
        security: [{ token: ['books:write'] }, { key: [] }],
        requestBody: {
          required: true,
          description: 'One book.',
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Book' },
              examples: {
                short: { summary: 'Only a title', value: { title: "The Sailor's Yarn" } },
                full: { value: { title: 'At Sea', year: 1950, authors: [{ name: 'A. Author' }] } },
              },
            },
            'application/xml': {},
          },
        },
        responses: {
          201: { description: 'Added.', content: { 'application/json': { schema: { $ref: '#/components/schemas/Book' } } } },
          422: {
            description: 'A field is wrong.',
            content: {
              'application/problem+json': {
                schema: { $ref: '#/components/schemas/Problem' },
                example: { code: 'invalid', field: '/year' },
              },
            },
          },
        },
      },
    },
    '/books/{id}/loans': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }],
      post: {
        summary: 'Borrow a book',
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['reader'],
                properties: {
                  reader: {
                    type: 'object',
                    required: ['card'],
                    properties: {
                      card: { type: 'string' },
                      phones: { type: 'array', items: { type: 'object', properties: { number: { type: 'string' } } } },
                    },
                  },
                  until: { type: 'string', format: 'date', nullable: true },
                  payment: {
                    oneOf: [{ $ref: '#/components/schemas/Card' }, { $ref: '#/components/schemas/Cash' }],
                    discriminator: { propertyName: 'kind' },
                  },
                },
              },
            },
          },
        },
        responses: { 204: { description: 'Lent.' } },
      },
      delete: { tags: ['Schemas'], summary: 'Return a book', deprecated: true, responses: { 204: { description: 'Returned.' } } },
    },
  },
  components: {
    securitySchemes: {
      token: {
        type: 'oauth2',
        flows: {
          clientCredentials: {
            tokenUrl: 'https://id.example.com/token',
            scopes: { 'books:read': 'Read books', 'books:write': 'Change books' },
          },
        },
      },
      key: { type: 'apiKey', in: 'query', name: 'api_key' },
    },
    schemas: {
      Book: {
        type: 'object',
        description: 'A book that the library owns.',
        required: ['title'],
        properties: {
          id: { type: 'string', format: 'uuid', readOnly: true },
          title: { type: 'string', maxLength: 200, example: 'At Sea' },
          year: { type: 'integer', minimum: 0, exclusiveMinimum: true },
          authors: { type: 'array', minItems: 1, items: { $ref: '#/components/schemas/Author' } },
          sequel: { $ref: '#/components/schemas/Book' },
          shelf: { type: 'string', deprecated: true, default: 'A1' },
          labels: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
      Author: {
        type: 'object',
        properties: { name: { type: 'string' }, books: { type: 'array', items: { $ref: '#/components/schemas/Book' } } },
      },
      Card: {
        allOf: [
          { $ref: '#/components/schemas/Cash' },
          { type: 'object', required: ['number'], properties: { number: { type: 'string' } } },
        ],
      },
      Cash: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } },
      Payment: {
        oneOf: [{ $ref: '#/components/schemas/Card' }, { $ref: '#/components/schemas/Cash' }],
        discriminator: { propertyName: 'kind' },
      },
      Problem: { type: 'object', properties: { code: { type: 'string' }, field: { type: 'string' } } },
      Isbn: { type: 'string', pattern: '^[0-9X]{10}$' },
    },
  },
}
