/** Each rule by which two versions of an API description are compared. */
import { describe, expect, test } from 'bun:test'
import { type Any, compare, getOrder, order, putOrder, type Rules } from './compared-api.ts'

const RULES: Rules = {
  'Operations:': [
    ['one that is removed breaks', (api) => delete api.paths['/health'], ['removed!: `GET /health` was removed']],
    ['one that is added does not', (api) => (api.paths['/new'] = { get: { responses: {} } }), ['added: `GET /new` was added']],
    ['another name of a parameter in the path is no change', renamePathParameter, []],
    ['deprecation is a change', (api) => (getOrder(api).deprecated = true), ['changed: `GET /orders/{id}` is deprecated']],
    ['other texts are no change', (api) => (getOrder(api).summary = 'Another text'), []],
  ],
  'Parameters:': [
    [
      'one that is removed breaks',
      (api) => getOrder(api).parameters.splice(1, 1),
      ['removed!: `GET /orders/{id}`: parameter `limit` was removed'],
    ],
    [
      'an optional one that is added does not',
      (api) => getOrder(api).parameters.push({ name: 'page', in: 'query', schema: { type: 'integer' } }),
      ['added: `GET /orders/{id}`: parameter `page` was added'],
    ],
    [
      'a required one that is added breaks',
      (api) => getOrder(api).parameters.push({ name: 'X-Shop', in: 'header', required: true, schema: { type: 'string' } }),
      ['added!: `GET /orders/{id}`: parameter `X-Shop` was added and is required'],
    ],
    [
      'one that is now required breaks',
      (api) => (getOrder(api).parameters[1].required = true),
      ['changed!: `GET /orders/{id}`: parameter `limit` is now required'],
    ],
    [
      'one that is now optional does not',
      (api) => (getOrder(api).parameters[2].required = false),
      ['changed: `GET /orders/{id}`: parameter `state` is now optional'],
    ],
    [
      'a narrower limit breaks, and a wider one does not',
      (api) => Object.assign(getOrder(api).parameters[1].schema, { minimum: 0, maximum: 50 }),
      [
        'changed!: `GET /orders/{id}`: parameter `limit` has a maximum of 50 (was 100)',
        'changed: `GET /orders/{id}`: parameter `limit` has a minimum of 0 (was 1)',
      ],
    ],
  ],
  'Bodies:': [
    [
      'one that is removed breaks',
      (api) => delete putOrder(api).requestBody,
      ['removed!: `PUT /orders/{id}`: request body was removed'],
    ],
    [
      'one that is now required breaks',
      (api) => (putOrder(api).requestBody.required = true),
      ['changed!: `PUT /orders/{id}`: request body is now required'],
    ],
    [
      'a required one that is added breaks',
      (api) => (getOrder(api).requestBody = { required: true, content: { 'text/plain': {} } }),
      ['added!: `GET /orders/{id}`: request body was added and is required'],
    ],
    [
      'a media type that is removed breaks',
      (api) => (putOrder(api).requestBody.content = { 'text/csv': {} }),
      [
        'removed!: `PUT /orders/{id}`: request body: media type `application/json` was removed',
        'added: `PUT /orders/{id}`: request body: media type `text/csv` was added',
      ],
    ],
  ],
  'Responses:': [
    [
      'an error that is removed does not break',
      (api) => delete getOrder(api).responses['404'],
      ['removed: `GET /orders/{id}`: response `404` was removed'],
    ],
    [
      'one that is added does not',
      (api) => (getOrder(api).responses['410'] = { description: 'Gone.' }),
      ['added: `GET /orders/{id}`: response `410` was added'],
    ],
    [
      'a success that is removed breaks',
      (api) => (getOrder(api).responses = { '404': getOrder(api).responses['404'] }),
      ['removed!: `GET /orders/{id}`: response `200` was removed'],
    ],
    [
      'a header with more values breaks',
      (api) => (getOrder(api).responses['200'].headers.ETag.schema = { type: ['string', 'null'] }),
      ['changed!: `GET /orders/{id}`: response `200`: header `ETag` also allows the type `null`'],
    ],
    [
      'a header that is removed breaks',
      (api) => (getOrder(api).responses['200'].headers = { Link: {} }),
      [
        'removed!: `GET /orders/{id}`: response `200`: header `ETag` was removed',
        'added: `GET /orders/{id}`: response `200`: header `Link` was added',
      ],
    ],
  ],
  'Servers:': [
    [
      'one that is moved breaks',
      (api) => (api.servers = [{ url: 'https://{region}.example.com', variables: { region: { default: 'us' } } }]),
      ['changed!: server `https://eu.example.com` moved to `https://us.example.com`'],
    ],
    ['one that is removed breaks', (api) => (api.servers = []), ['removed!: server `https://eu.example.com` was removed']],
    [
      'one that is added does not, also if it is written otherwise',
      (api) => (api.servers = [{ url: 'https://eu.example.com' }, { url: 'https://us.example.com' }]),
      ['added: server `https://us.example.com` was added'],
    ],
    [
      'one of an operation that is moved breaks',
      (api) => (getOrder(api).servers = [{ url: 'https://orders.example.com' }]),
      ['changed!: `GET /orders/{id}`: server `https://eu.example.com` moved to `https://orders.example.com`'],
    ],
  ],
  'Properties:': [
    [
      'one that is removed breaks requests',
      (api) => delete order(api).properties.total,
      ['removed!: `Order` in requests: `total` was removed', 'removed: `Order` in responses: `total` was removed'],
    ],
    [
      'an optional one that is added does not',
      (api) => (order(api).properties.tax = { type: 'number' }),
      ['added: `Order` in requests and responses: `tax` was added'],
    ],
    [
      'one that is now required breaks requests',
      (api) => order(api).required.push('total'),
      ['changed!: `Order` in requests: `total` is now required', 'changed: `Order` in responses: `total` is now required'],
    ],
    [
      'one that is now optional breaks responses',
      (api) => (order(api).required = []),
      ['changed!: `Order` in responses: `id` is now optional', 'changed: `Order` in requests: `id` is now optional'],
    ],
    [
      'a required one that is added breaks requests',
      (api) => {
        order(api).properties.tax = { type: 'number' }
        order(api).required.push('tax')
      },
      [
        'added!: `Order` in requests: `tax` was added and is required',
        'added: `Order` in responses: `tax` was added and is required',
      ],
    ],
    [
      'one that is read only is in no request',
      (api) => {
        order(api).properties.tax = { type: 'number', readOnly: true }
        order(api).required.push('tax')
      },
      ['added: `Order` in responses: `tax` was added and is required'],
    ],
    [
      'numbers of fields and unique items are limits',
      (api) => {
        order(api).minProperties = 2
        order(api).properties.lines.uniqueItems = true
      },
      [
        'changed!: `Order` in requests has a minimum number of fields of 2',
        'changed!: `Order` in requests: `lines` allows only unique items',
        'changed: `Order` in responses has a minimum number of fields of 2',
        'changed: `Order` in responses: `lines` allows only unique items',
      ],
    ],
    [
      'those of the items of a list are compared',
      (api) => (order(api).properties.lines.items.properties.count.type = 'string'),
      ['changed!: `Order` in requests and responses: `lines[].count` has the type `string` instead of `integer`'],
    ],
    [
      'other fields that are no longer allowed breaks requests',
      (api) => (order(api).additionalProperties = false),
      [
        'changed!: `Order` in requests no longer allows other fields',
        'changed: `Order` in responses no longer allows other fields',
      ],
    ],
    [
      'those that are combined with allOf are the same ones',
      (api) => {
        const { properties, required } = order(api)
        api.components.schemas.Order = { allOf: [{ type: 'object', required, properties }] }
      },
      [],
    ],
  ],
  'Security:': [
    [
      'to require authentication breaks',
      (api) => (getOrder(api).security = [{ key: [] }]),
      ['changed!: `GET /orders/{id}` now requires authentication'],
    ],
    [
      'another scope breaks, and one less does not',
      (api) => {
        getOrder(api).security = [{ token: ['read', 'write'] }]
        putOrder(api).security = [{ token: [] }]
      },
      ['changed!: `GET /orders/{id}` requires other authentication', 'changed: `PUT /orders/{id}` requires other authentication'],
      (api) => {
        getOrder(api).security = [{ token: ['read'] }]
        putOrder(api).security = [{ token: ['write'] }]
      },
    ],
    ['optional authentication is no change', (api) => (getOrder(api).security = [{ key: [] }, {}]), []],
  ],
  'Webhooks:': [
    ['one that is added breaks nothing', withWebhook('Order'), ['added: webhook `order.paid` was added']],
    ['one that is removed breaks receivers', () => {}, ['removed!: webhook `order.paid` was removed'], withWebhook('Order')],
    [
      'a value that may be sent in addition breaks receivers',
      (api) => {
        withWebhook('Parcel')(api)
        api.components.schemas.Parcel.properties.state.enum.push('lost')
      },
      ['changed!: `Parcel` in responses: `state` also allows `"lost"`'],
      withWebhook('Parcel'),
    ],
    [
      'a field that may be sent in addition breaks nothing',
      (api) => {
        withWebhook('Parcel')(api)
        api.components.schemas.Parcel.properties.weight = { type: 'number' }
      },
      ['added: `Parcel` in responses: `weight` was added'],
      withWebhook('Parcel'),
    ],
  ],
  'Schemas:': [
    ['one that no operation uses is not compared', (api) => delete api.components.schemas.Unused, []],
    [
      'one with another name is compared with the old one',
      (api) => {
        const { Cash } = api.components.schemas
        const renamed = JSON.parse(JSON.stringify(api).replaceAll('#/components/schemas/Order', '#/components/schemas/Purchase'))
        Object.assign(api, renamed)
        const { Order } = api.components.schemas
        delete Order.properties.total
        api.components.schemas = { ...api.components.schemas, Purchase: Order, Cash }
        delete api.components.schemas.Order
      },
      ['removed!: `Purchase` in requests: `total` was removed', 'removed: `Purchase` in responses: `total` was removed'],
    ],
  ],
}

/** Adds a webhook whose body is a named schema. */
function withWebhook(schema: string): (api: Any) => void {
  return (api) => {
    const content = { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } }
    api.webhooks = { 'order.paid': { post: { requestBody: { content } } } }
    api.components.schemas.Parcel = { type: 'object', properties: { state: { enum: ['sent', 'delivered'] } } }
  }
}

function renamePathParameter(api: Any): void {
  const { '/orders/{id}': item, ...paths } = api.paths
  item.get.parameters[0].name = 'order_id'
  api.paths = { '/orders/{order_id}': item, ...paths }
}

for (const [what, rules] of Object.entries(RULES)) {
  describe(what, () => {
    for (const [name, change, changes, first] of rules) test(name, () => expect(compare(change, first)).toEqual(changes))
  })
}

test('the same description has no changes', () => expect(compare(() => {})).toEqual([]))
