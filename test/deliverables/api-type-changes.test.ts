/** Each rule by which two versions of a type are compared. */
import { describe, expect, test } from 'bun:test'
import { compare, order, type Rules } from './compared-api.ts'

const RULES: Rules = {
  'Types:': [
    [
      'a narrower one breaks requests',
      (api) => (order(api).properties.note.type = 'string'),
      [
        'changed!: `Order` in requests: `note` no longer allows the type `null`',
        'changed: `Order` in responses: `note` no longer allows the type `null`',
      ],
    ],
    [
      'an integer instead of a number breaks requests',
      (api) => (order(api).properties.total.type = 'integer'),
      [
        'changed!: `Order` in requests: `total` has the type `integer` instead of `number`',
        'changed: `Order` in responses: `total` has the type `integer` instead of `number`',
      ],
    ],
    [
      'a wider one breaks responses',
      (api) => (order(api).properties.id.type = ['string', 'null']),
      [
        'changed!: `Order` in responses: `id` also allows the type `null`',
        'changed: `Order` in requests: `id` also allows the type `null`',
      ],
    ],
    ['null is the same in 3.0 and 3.1', (api) => (order(api).properties.note = { type: 'string', nullable: true }), []],
    [
      'any type instead of one breaks responses',
      (api) => delete order(api).properties.id.type,
      ['changed!: `Order` in responses: `id` allows any type', 'changed: `Order` in requests: `id` allows any type'],
    ],
    [
      'a new pattern or format breaks requests',
      (api) => Object.assign(order(api).properties.id, { format: 'uuid' }),
      ['changed!: `Order` in requests: `id` has the format `uuid`', 'changed: `Order` in responses: `id` has the format `uuid`'],
    ],
    [
      'a pattern that is removed breaks responses',
      (api) => delete api.components.schemas.Card.properties.number.pattern,
      [
        'changed!: `Card` in responses: `number` has no pattern anymore (was `^[0-9]+$`)',
        'changed: `Card` in requests: `number` has no pattern anymore (was `^[0-9]+$`)',
      ],
    ],
    [
      'a new limit breaks requests',
      (api) => (order(api).properties.id.minLength = 3),
      [
        'changed!: `Order` in requests: `id` has a minimum length of 3',
        'changed: `Order` in responses: `id` has a minimum length of 3',
      ],
    ],
    [
      'a limit that is removed breaks responses',
      (api) => delete order(api).properties.id.maxLength,
      [
        'changed!: `Order` in responses: `id` has no maximum length anymore (was 64)',
        'changed: `Order` in requests: `id` has no maximum length anymore (was 64)',
      ],
    ],
    [
      'an alternative that is removed breaks requests',
      (api) => order(api).properties.payment.oneOf.pop(),
      [
        'changed!: `Order` in requests: `payment` no longer allows the alternative `Cash`',
        'changed: `Order` in responses: `payment` no longer allows the alternative `Cash`',
      ],
    ],
    [
      'an alternative that is added breaks responses',
      (api) => order(api).properties.payment.oneOf.push({ type: 'string' }),
      [
        'changed!: `Order` in responses: `payment` also allows the type `string`',
        'changed: `Order` in requests: `payment` also allows the type `string`',
      ],
    ],
    [
      'a type that becomes nullable by an alternative breaks responses, and stays the same otherwise',
      (api) => (order(api).properties.id = { anyOf: [{ type: 'string', maxLength: 64 }, { type: 'null' }] }),
      [
        'changed!: `Order` in responses: `id` also allows the type `null`',
        'changed: `Order` in requests: `id` also allows the type `null`',
      ],
    ],
    [
      'a type beside which there is an alternative is compared with what it was',
      (api) => (order(api).properties.id = { anyOf: [{ type: 'string', maxLength: 99 }, { type: 'null' }] }),
      [
        'changed!: `Order` in responses: `id` has a maximum length of 99 (was 64)',
        'changed!: `Order` in responses: `id` also allows the type `null`',
        'changed: `Order` in requests: `id` has a maximum length of 99 (was 64)',
        'changed: `Order` in requests: `id` also allows the type `null`',
      ],
    ],
    [
      'a resource that may be another one breaks responses, and is not removed',
      (api) =>
        (order(api).properties.parent = {
          oneOf: [{ $ref: '#/components/schemas/Order' }, { $ref: '#/components/schemas/Card' }],
        }),
      [
        'changed!: `Order` in responses: `parent` also allows the alternative `Card`',
        'changed: `Order` in requests: `parent` also allows the alternative `Card`',
      ],
    ],
    [
      'one alternative that is left breaks requests',
      (api) => (order(api).properties.payment = { $ref: '#/components/schemas/Card' }),
      [
        'changed!: `Order` in requests: `payment` no longer allows the alternative `Cash`',
        'changed: `Order` in responses: `payment` no longer allows the alternative `Cash`',
      ],
    ],
  ],
  'Enumerations:': [
    [
      'one with fewer values breaks requests',
      (api) => order(api).properties.state.enum.pop(),
      [
        'changed!: `Order` in requests: `state` no longer allows `"paid"`',
        'changed: `Order` in responses: `state` no longer allows `"paid"`',
      ],
    ],
    [
      'one with more values breaks responses',
      (api) => order(api).properties.state.enum.push('late'),
      [
        'changed!: `Order` in responses: `state` also allows `"late"`',
        'changed: `Order` in requests: `state` also allows `"late"`',
      ],
    ],
    [
      'a new one breaks requests',
      (api) => (order(api).properties.id.enum = ['a']),
      ['changed!: `Order` in requests: `id` allows only `"a"`', 'changed: `Order` in responses: `id` allows only `"a"`'],
    ],
    [
      'one that is removed breaks responses',
      (api) => delete order(api).properties.state.enum,
      [
        'changed!: `Order` in responses: `state` is no longer limited to certain values',
        'changed: `Order` in requests: `state` is no longer limited to certain values',
      ],
    ],
  ],
}

for (const [what, rules] of Object.entries(RULES)) {
  describe(what, () => {
    for (const [name, change, changes, first] of rules) test(name, () => expect(compare(change, first)).toEqual(changes))
  })
}
