/** The API description of the project Checkout in the seed data. */

const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (of: object) => ({ 'application/json': { schema: of } })

const problem = (description: string, title: string, detail: string) => ({
  description,
  content: { 'application/json': { schema: schema('Problem'), example: { title, detail } } },
})
const UNAUTHENTICATED = problem('The token is missing, wrong or expired.', 'Not signed in', 'The token has expired.')
const INVALID = problem('The request is wrong; `detail` says why.', 'The order is empty', 'items must have at least one item.')
const UNKNOWN = problem('Nothing has this id or number.', 'Not found', 'No order has this id.')

const ORDER_ID = '019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d'

export const CHECKOUT_API = {
  openapi: '3.1.0',
  info: {
    title: 'Checkout API',
    version: '1.4.0',
    description: 'Places orders, pays them and tracks their parcels.\n\nAmounts are in cents, times in UTC.',
    contact: { name: 'Checkout', email: 'checkout@northwind.example.com' },
  },
  servers: [{ url: 'https://api.northwind.example.com/v1', description: 'Production' }],
  security: [{ token: [] }],
  tags: [{ name: 'Orders', description: 'From the basket to the parcel.' }, { name: 'Invoices' }],
  paths: {
    '/orders': {
      get: {
        tags: ['Orders'],
        operationId: 'listOrders',
        summary: 'List orders',
        parameters: [
          {
            name: 'status',
            in: 'query',
            description: 'Orders in this state only.',
            schema: { type: 'string', enum: ['placed', 'paid', 'shipped', 'cancelled'] },
          },
          {
            name: 'limit',
            in: 'query',
            description: 'The number of orders.',
            schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
          },
        ],
        responses: {
          '200': {
            description: 'The orders, newest first.',
            headers: { Link: { description: 'The next page, with `rel="next"`.', schema: { type: 'string' } } },
            content: json({ type: 'array', items: schema('Order') }),
          },
          '401': UNAUTHENTICATED,
        },
      },
      post: {
        tags: ['Orders'],
        operationId: 'placeOrder',
        summary: 'Place an order',
        description: 'The same `Idempotency-Key` places the order once.',
        parameters: [
          {
            name: 'Idempotency-Key',
            in: 'header',
            required: true,
            description: 'Any text of your own.',
            schema: { type: 'string', maxLength: 64 },
            example: 'basket-4711',
          },
        ],
        requestBody: { required: true, content: json(schema('NewOrder')) },
        responses: {
          '201': { description: 'The order was placed.', content: json(schema('Order')) },
          '401': UNAUTHENTICATED,
          '422': INVALID,
        },
      },
    },
    '/orders/{order_id}': {
      parameters: [{ $ref: '#/components/parameters/OrderId' }],
      get: {
        tags: ['Orders'],
        operationId: 'getOrder',
        summary: 'Get an order',
        responses: {
          '200': { description: 'The order.', content: json(schema('Order')) },
          '401': UNAUTHENTICATED,
          '404': UNKNOWN,
        },
      },
    },
    '/orders/{order_id}/parcel': {
      parameters: [{ $ref: '#/components/parameters/OrderId' }],
      get: {
        tags: ['Orders'],
        operationId: 'trackParcel',
        summary: 'Track the parcel of an order',
        responses: {
          '200': { description: 'Where the parcel is.', content: json(schema('Parcel')) },
          '401': UNAUTHENTICATED,
          '404': UNKNOWN,
        },
      },
    },
    '/invoices/{number}': {
      get: {
        tags: ['Invoices'],
        operationId: 'getInvoice',
        summary: 'Get an invoice',
        parameters: [
          {
            name: 'number',
            in: 'path',
            required: true,
            description: 'The number of the invoice.',
            schema: { type: 'string', pattern: '^NW-\\d{6}$' },
            example: 'NW-004711',
          },
        ],
        responses: {
          '200': { description: 'The invoice.', content: json(schema('Invoice')) },
          '401': UNAUTHENTICATED,
          '404': UNKNOWN,
        },
      },
    },
  },
  components: {
    securitySchemes: {
      token: {
        type: 'http',
        scheme: 'bearer',
        description: 'A token from your account: open https://northwind.example.com/account/tokens and choose "New token".',
      },
    },
    parameters: {
      OrderId: {
        name: 'order_id',
        in: 'path',
        required: true,
        description: 'The id of the order.',
        schema: { type: 'string', format: 'uuid' },
        example: ORDER_ID,
      },
    },
    schemas: {
      NewOrder: {
        type: 'object',
        required: ['items', 'payment'],
        properties: {
          items: { type: 'array', minItems: 1, maxItems: 100, items: schema('Item'), description: 'What is ordered.' },
          payment: { type: 'string', enum: ['card', 'invoice'], description: 'How the order is paid.' },
          coupon: { type: 'string', maxLength: 20, description: 'The code of a coupon.', example: 'SPRING' },
        },
      },
      Item: {
        type: 'object',
        required: ['article', 'quantity'],
        properties: {
          article: { type: 'string', description: 'The number of the article.', example: 'RB-200' },
          quantity: { type: 'integer', minimum: 1, maximum: 99, description: 'How many.', default: 1 },
          gift: { type: 'boolean', description: 'Whether it is wrapped as a gift.', default: false },
        },
      },
      Order: {
        type: 'object',
        required: ['id', 'status', 'items', 'total'],
        properties: {
          id: { type: 'string', format: 'uuid', description: 'The id of the order.', example: ORDER_ID },
          status: { type: 'string', enum: ['placed', 'paid', 'shipped', 'cancelled'], description: 'How far the order is.' },
          items: { type: 'array', items: schema('Item'), description: 'What was ordered.' },
          total: { type: 'integer', minimum: 0, description: 'In cents, with tax.', example: 12900 },
          placed_at: { type: 'string', format: 'date-time', description: 'When it was placed.' },
        },
      },
      Parcel: {
        type: 'object',
        properties: {
          carrier: { type: 'string', description: 'Who brings it.', example: 'Northwind Express' },
          place: { type: 'string', description: 'Where it was seen last.', example: 'Hamburg' },
          arrives_on: { type: 'string', format: 'date', description: 'When it is expected.' },
        },
      },
      Invoice: {
        type: 'object',
        required: ['number', 'order_id', 'total', 'due_on'],
        properties: {
          number: { type: 'string', pattern: '^NW-\\d{6}$', description: 'The number of the invoice.', example: 'NW-004711' },
          order_id: { type: 'string', format: 'uuid', description: 'The id of the order.', example: ORDER_ID },
          total: { type: 'integer', minimum: 0, description: 'In cents, with tax.', example: 12900 },
          due_on: { type: 'string', format: 'date', description: 'When it must be paid.' },
        },
      },
      Problem: {
        type: 'object',
        required: ['title', 'detail'],
        properties: {
          title: { type: 'string', description: 'What is wrong.', example: 'The order is empty' },
          detail: { type: 'string', description: 'Where, and what to change.', example: 'items must have at least one item.' },
        },
      },
    },
  },
}

const { '/orders/{order_id}/parcel': _parcel, ...pathsBefore } = CHECKOUT_API.paths
const { NewOrder, Item, ...schemasBefore } = CHECKOUT_API.components.schemas
const { coupon, ...newOrderBefore } = NewOrder.properties
const { gift: _gift, ...itemBefore } = Item.properties

/** The version that was published before: without parcels and gifts, and with longer codes of coupons. */
export const CHECKOUT_API_BEFORE = {
  ...CHECKOUT_API,
  info: { ...CHECKOUT_API.info, version: '1.3.0' },
  paths: pathsBefore,
  components: {
    ...CHECKOUT_API.components,
    schemas: {
      ...schemasBefore,
      NewOrder: { ...NewOrder, properties: { ...newOrderBefore, coupon: { ...coupon, maxLength: 40 } } },
      Item: { ...Item, properties: itemBefore },
    },
  },
}
