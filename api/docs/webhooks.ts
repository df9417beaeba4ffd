/** The `webhooks` of the OpenAPI document: payload and headers of every event in the catalogue. */
import { ALL_EVENTS, declarationOf, EVENTS, type EventName, eventUrl, hooksThatReceive } from '../../core/events/catalogue.ts'
import type { Subjects } from '../../core/events/subjects.ts'
import type { Envelope } from '../../core/notification-channels/messages.ts'
import { type Node, node } from '../../core/openapi/document.ts'
import { exampleOf as generatedExample } from '../../core/openapi/examples.ts'
import { isObject } from '../../core/values/json.ts'

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
  generatedExample({ components: { schemas: components } }, schema, 'response', (name) => TEXTS[name] ?? (name || 'text'))

const text: Node = { type: 'string' }
const uuid: Node = { type: 'string', format: 'uuid', examples: ['019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d'] }
const nullable = (schema: Node): Node => ({ anyOf: [schema, { type: 'null' }] })
const closed = (properties: Record<string, Node>, required = Object.keys(properties)): Node => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
})

const namedObject = closed({ id: uuid, name: text })
const namedRequirement = {
  ...closed({
    id: uuid,
    number: { type: 'integer', minimum: 1, examples: [12] },
    title: { ...text, examples: ['Pay by invoice'] },
  }),
  description: 'The requirement that the event is about.',
}
const role: Node = { type: 'string', enum: ['owner', 'admin', 'member'] }

function without(components: Node, name: string, field: string): Node {
  const { title: _, ...schema } = node(components[name])
  const properties = Object.fromEntries(Object.entries(node(schema.properties)).filter(([key]) => key !== field))
  return { ...schema, properties, required: Object.keys(properties) }
}

const component = (name: string): Node => ({ $ref: `#/components/schemas/${name}` })

function subjectSchemas(components: Node): Record<keyof Subjects, Node> {
  const execution = without(components, 'Execution', 'artifacts')
  const dispatch = without(components, 'Dispatch', 'response_body')
  return {
    text,
    optional_text: nullable(text),
    uuid,
    role,
    execution,
    optional_execution: { ...nullable(execution), description: 'Null for a gate without an execution.' },
    executions: { type: 'array', items: execution },
    gate: component('Gate'),
    approval: component('GateApproval'),
    subject: component('GateSubject'),
    dispatch,
    optional_dispatch: { ...nullable(dispatch), description: 'Null for a deployment that GitHub has reported.' },
    dispatches: { type: 'array', items: dispatch },
    rollout: component('Rollout'),
    member: component('OrganizationMember'),
    comparison: component('Comparison'),
    deliverable: component('DeliverableSummary'),
    budget: { anyOf: [component('Budget'), component('WorkspaceBudget')] },
    runtime: component('Runtime'),
    hook: component('Hook'),
    named_hook: namedObject,
    channel: component('NotificationChannel'),
    requirement: namedRequirement,
    optional_requirement: { ...nullable(namedRequirement), description: 'Null for a gate without an execution.' },
    requirements: { type: 'array', items: namedRequirement, description: 'The requirements of the executions, by number.' },
  }
}

function payload(name: EventName, schemas: Record<keyof Subjects, Node>): Node {
  const declared = declarationOf(name)
  const fields = Object.entries(declared?.data ?? {}).map(([key, subject]): [string, Node] => [key, schemas[subject]])
  const envelope = {
    id: { ...uuid, description: 'The id of the event, identical for all receivers.' },
    event: { const: name, type: 'string' },
    created_at: { type: 'string', examples: ['2026-11-21T09:30:00.000Z'] },
    url: { ...nullable(text), description: 'The page of what the event is about; null if there is none.' },
    organization: namedObject,
    workspace: nullable(namedObject),
    project: nullable(namedObject),
  }
  const ofHooks = {
    hook: { ...namedObject, description: 'Deployment hooks only.' },
    environment: { ...text, description: 'Deployment hooks only.' },
    sequence: { anyOf: [{ type: 'integer' }, { type: 'null' }], description: 'Deployment hooks only. Null for a `test.ping`.' },
  }
  const data = declared?.eitherKey
    ? { anyOf: fields.map((field) => closed(Object.fromEntries([field]))) }
    : closed(Object.fromEntries(fields))
  return closed({ ...envelope, ...(hooksThatReceive(name) === null ? {} : ofHooks), data }, [...Object.keys(envelope), 'data'])
}

function mergeExample(base: unknown, own: unknown): unknown {
  if (own === undefined) return base
  if (Array.isArray(own) && Array.isArray(base)) return own.map((each) => mergeExample(base[0], each))
  if (!isObject(base) || !isObject(own)) return own
  return { ...base, ...Object.fromEntries(Object.entries(own).map(([key, value]) => [key, mergeExample(base[key], value)])) }
}

const ORGANIZATION = { name: 'Acme Robotics' }
const WORKSPACE = { name: 'Platform' }

/** The values of an example that the schemas cannot provide: where the event happened, and what it implies of its subjects. */
function exampleOf(name: string): object {
  const { sample: data, scope } = declarationOf(name) ?? { sample: {}, scope: 'project' }
  const named = {
    organization: ORGANIZATION,
    workspace: scope === 'organization' ? null : WORKSPACE,
    ...(scope === 'project' ? {} : { project: null }),
  }
  const hook = { hook: { name: 'Deploy to production' }, sequence: name === 'test.ping' ? null : 7 }
  return { ...named, ...(hooksThatReceive(name) === null ? {} : hook), data }
}

const withUrl = (example: Envelope): Envelope => ({ ...example, url: eventUrl({ ...example, name: example.event }, example) })

const HEADERS = {
  'X-Signalbox-Event': 'The name of the event.',
  'X-Signalbox-Delivery': 'The id of the dispatch or, for notification channels, of the log entry.',
  'X-Signalbox-Attempt': 'The number of the attempt, starting at 1.',
  'X-Signalbox-Sequence': 'Increases per hook, in the order of events. Absent in a `test.ping` and for channels.',
  'X-Signalbox-Report-Url': 'Where to report the outcome of the deployment. Hooks with `report_within_seconds` only.',
  'X-Signalbox-Report-Token': 'The bearer token for that report.',
  'X-Signalbox-Signature': '`sha256=` and the HMAC-SHA256 of the raw body in hex.',
  'webhook-id': 'Identical in every attempt and redelivery: ignore ids that you have already processed.',
  'webhook-timestamp': 'The time of this attempt, in seconds since 1970.',
  'webhook-signature': '`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64 (Standard Webhooks).',
}

export const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
})

const parameters = Object.entries(HEADERS).map(([name, description]) => header(name, description))

const responses = {
  '2XX': { description: 'Delivered.' },
  410: { description: 'Disables the hook or the channel.' },
  default: { description: 'Failed; retried later, see [receivers](/docs/receivers).' },
}

const receivers = (name: EventName): string => {
  const hooks = hooksThatReceive(name)
  const channels = name in EVENTS ? 'Subscribed notification channels.' : null
  return [hooks && `Deployment hooks: ${hooks}`, channels].filter(Boolean).join('\n\n')
}

export type Webhooks = Record<string, { post: { requestBody: { content: { 'application/json': { example: unknown } } } } }>

export function webhooks(components: Node): Webhooks {
  const schemas = subjectSchemas(components)
  return Object.fromEntries(
    (Object.keys(ALL_EVENTS) as EventName[]).map((name) => {
      const schema = payload(name, schemas)
      const example = withUrl(mergeExample(exampleFor(schema, components), exampleOf(name)) as Envelope)
      const post = {
        summary: name,
        description: `${ALL_EVENTS[name].when}\n\n${receivers(name)}`,
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
