/** The routes of usage: prices, limits, and exports of telemetry. */
import type { Actor } from '../support/signalbox.ts'
import { apiRequest, logs, span, traces } from '../usage/otlp.ts'
import type { Walk } from './walk.ts'

const EXECUTION = '/api/v1/executions/{execution_id}'

/** An agent with a limit, and an execution over budget, whose usage arrives in each way. */
export async function walkUsage(walk: Walk, ada: Actor): Promise<void> {
  const organization = '/api/v1/organizations/{org_id}'
  const price = { model: 'gpt-5*', from: '2026-01-01T00:00:00Z', input: 2, cached_input: 0.5, output: 10 }
  await walk.call(ada, `PUT ${organization}/model-prices`, [price])
  await walk.call(ada, `PUT ${organization}/agent-limits`, [{ agent: 'cursor', max_cost_usd: 100 }])
  const limited = { agent: 'cursor', cost_from: 'telemetry', max_cost_usd: 0.001 }
  await walk.create(ada, '/api/v1/requirements/{requirement_id}/executions', 'execution_id', limited)
  await walk.call(ada, `GET ${organization}/agent-standings`)
  await walk.call(ada, `POST ${EXECUTION}/start`, { max_cost_usd: 0.002 })
  const id = walk.ids.execution_id ?? ''
  await walk.call(ada, 'POST /otlp/v1/traces', traces(id, span()))
  await walk.call(ada, 'POST /otlp/v1/logs', logs(id, apiRequest()))
  await walk.call(ada, 'POST /otlp/v1/metrics', {})
  await walk.call(ada, `POST ${EXECUTION}/usage`, { model: 'gpt-5', input_tokens: 10, output_tokens: 1, dedupe_key: 'once' })
  await walk.call(ada, `POST ${EXECUTION}/usage`, { cost_usd: 1 })
  await walk.call(ada, `POST ${EXECUTION}/complete`, { cost_usd: 1 })
}
