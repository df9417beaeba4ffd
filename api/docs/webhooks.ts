/** The `webhooks` of the OpenAPI document: the payload of every event in the catalogue, and the headers it comes with. */
import { EVENTS, type EventName, HOOK_EVENTS, hooksOf } from '../../core/events/catalogue.ts'
import { EXAMPLES } from './event-examples.ts'
import { type JsonSchema, sample } from './sample.ts'

const KINDS = { ...EVENTS, ...HOOK_EVENTS }

/** Every name under which some event holds data. */
type DataKey = (typeof KINDS)[EventName]['data'][number]

type Components = Record<string, JsonSchema>

const text: JsonSchema = { type: 'string' }
const uuid: JsonSchema = { type: 'string', format: 'uuid', examples: ['019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d'] }
const nullable = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })
const closed = (properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
})

const named = closed({ id: uuid, name: text })
const role: JsonSchema = { type: 'string', enum: ['owner', 'admin', 'member'] }

/** A component less one of its fields. */
function without(components: Components, name: string, field: string): JsonSchema {
  const { title: _, ...schema } = components[name] ?? {}
  const properties = Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([key]) => key !== field))
  return { ...schema, properties, required: Object.keys(properties) }
}

const component = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** The shape of everything that `data` can hold, by its name there. */
function dataShapes(components: Components): Record<DataKey, JsonSchema> {
  const execution = without(components, 'Execution', 'artifacts')
  return {
    execution,
    executions: { type: 'array', items: execution },
    graph_id: uuid,
    gate: component('Gate'),
    dispatch: without(components, 'Dispatch', 'response_body'),
    target_version: text,
    reason: nullable(text),
    environment: nullable(text),
    member: component('OrganizationMember'),
    from: role,
    to: role,
    comparison: component('Comparison'),
    deliverable: component('DeliverableSummary'),
    budget: { anyOf: [component('Budget'), component('WorkspaceBudget')] },
    runtime: component('Runtime'),
    hook: component('Hook'),
    channel: component('NotificationChannel'),
  }
}

function payload(name: EventName, shapes: Record<DataKey, JsonSchema>): JsonSchema {
  const keys: readonly DataKey[] = KINDS[name].data
  const dataOf = (some: readonly DataKey[]) => closed(Object.fromEntries(some.map((key) => [key, shapes[key]])))
  const envelope = {
    id: { ...uuid, description: 'Of the event: the same for every receiver.' },
    event: { const: name, type: 'string' },
    created_at: { type: 'string', examples: ['2026-11-21T09:30:00.000Z'] },
    organization: named,
    workspace: nullable(named),
    project: nullable(named),
  }
  const ofHooks = {
    hook: { ...named, description: 'Deployment hooks only.' },
    environment: { ...text, description: 'Deployment hooks only.' },
    sequence: { anyOf: [{ type: 'integer' }, { type: 'null' }], description: 'Deployment hooks only. Null for a `test.ping`.' },
  }
  // The test of a hook holds the hook, that of a channel the channel.
  const data = name === 'test.ping' ? { anyOf: keys.map((key) => dataOf([key])) } : dataOf(keys)
  const own = hooksOf(name) === null ? {} : ofHooks
  return closed({ ...envelope, ...own, data }, [...Object.keys(envelope), 'data'])
}

/** Lays what an example says of itself over what follows from the schema. */
function overlaid(base: unknown, own: unknown): unknown {
  if (own === undefined) return base
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isObject(base) || !isObject(own)) return own
  return { ...base, ...Object.fromEntries(Object.entries(own).map(([key, value]) => [key, overlaid(base[key], value)])) }
}

const HEADERS = {
  'X-Signalbox-Event': 'The name of the event.',
  'X-Signalbox-Delivery': 'The id of the dispatch; of a notification channel that of the log entry.',
  'X-Signalbox-Attempt': 'Counts the attempts, from 1.',
  'X-Signalbox-Sequence': 'Counts up per hook, in the order of its events. Not in a `test.ping`, nor to channels.',
  'X-Signalbox-Signature': '`sha256=` and the HMAC-SHA256 of the raw body, in hexadecimal digits.',
  'webhook-id': 'The same in every attempt and in every redelivery: drop what you have already handled.',
  'webhook-timestamp': 'When this attempt was signed, in seconds since 1970.',
  'webhook-signature': '`v1,` and the HMAC-SHA256 of `id.timestamp.body`, in base64 (Standard Webhooks).',
}

const parameters = Object.entries(HEADERS).map(([name, description]) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
}))

const responses = {
  '2XX': { description: 'Delivered.' },
  410: { description: 'Switches the hook or the channel off.' },
  default: { description: 'Failed, and tried again: see [receivers](/docs/receivers).' },
}

/** Who receives an event, as Markdown. */
const receivers = (name: EventName): string => {
  const hooks = hooksOf(name)
  const channels = name in EVENTS ? 'Notification channels that are subscribed to it.' : null
  return [hooks && `Deployment hooks: ${hooks}`, channels].filter(Boolean).join('\n\n')
}

/** The webhooks of the document, as far as our own pages read them. */
export type Webhooks = Record<string, { post: { requestBody: { content: { 'application/json': { example: unknown } } } } }>

/** One webhook per event. */
export function webhooks(components: Components): Webhooks {
  const shapes = dataShapes(components)
  return Object.fromEntries(
    (Object.keys(KINDS) as EventName[]).map((name) => {
      const schema = payload(name, shapes)
      const example = overlaid(sample(schema, name, components), EXAMPLES[name])
      const post = {
        summary: name,
        description: `${KINDS[name].when}\n\n${receivers(name)}`,
        tags: ['Events'],
        security: [],
        parameters,
        requestBody: { required: true, content: { 'application/json': { schema, example } } },
        responses,
      }
      return [name, { post }]
    }),
  )
}
