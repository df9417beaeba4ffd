/** Sample data of events, for previews of hooks whose project has no such event yet. */
import type { EventName } from '../../core/events/catalogue.ts'
import { titledSchemas } from '../plugins/operation.ts'
import { Schemas } from './openapi.ts'
import { webhooks } from './webhooks.ts'

/** The `data` of an event that hooks receive, as the documentation shows it. */
export function sampleData(name: EventName): Record<string, unknown> {
  const schemas = new Schemas()
  for (const schema of titledSchemas.values()) schemas.publish(schema)
  const example = webhooks(schemas.components)[name]?.post.requestBody.content['application/json'].example
  return (example as { data: Record<string, unknown> }).data
}
