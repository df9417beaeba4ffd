/** What tools publish for a model and its client: names, texts, schemas and hints. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Actor, type Answer, type Box, signalbox } from '../support/signalbox.ts'
import { modern } from './agents.ts'

let box: Box
let ada: Actor
let tools: Answer['body'][]

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  const { token } = await ada.make('/api/v1/auth/tokens', { name: 'Agent' })
  await using agent = await modern(box.base, token)
  tools = await agent.tools()
})
afterAll(() => box.close())

/** The operations that each tool calls, written a second time by hand. */
const OPERATIONS: Record<string, string[]> = {
  list_work: ['GET /api/v1/projects/{project_id}/requirements'],
  get_requirement: ['GET /api/v1/requirements/{requirement_id}'],
  start_execution: ['POST /api/v1/requirements/{requirement_id}/executions', 'POST /api/v1/executions/{execution_id}/start'],
  report_usage: ['POST /api/v1/executions/{execution_id}/usage'],
  complete_execution: ['POST /api/v1/executions/{execution_id}/complete'],
  fail_execution: ['POST /api/v1/executions/{execution_id}/fail'],
  open_gate: ['POST /api/v1/executions/{execution_id}/gates', 'POST /api/v1/projects/{project_id}/gates'],
  get_gate: ['GET /api/v1/gates/{gate_id}'],
  wait_for_gate: ['GET /api/v1/gates/{gate_id}'],
  report_rollout: ['POST /api/v1/dispatches/{dispatch_id}/report'],
  get_environments: ['GET /api/v1/projects/{project_id}/environments'],
}
const READING = ['get_environments', 'get_gate', 'get_requirement', 'list_work', 'wait_for_gate']
/** Arguments of tools alone, and a field that one always sends. */
const OWN: Record<string, string[]> = { wait_for_gate: ['wait'] }
const FIXED: Record<string, string[]> = { start_execution: ['start'] }

/** The path parameters, query parameters and fields of an operation in the OpenAPI document. */
function fieldsOf(operation: string): string[] {
  const [method = '', path = ''] = operation.split(' ')
  const { parameters = [], requestBody } = box.contract.document.paths[path]?.[method.toLowerCase()] ?? {}
  const { schema } = requestBody?.content['application/json'] ?? {}
  const { properties = {} } = (schema ?? {}) as { properties?: object }
  return [...parameters.filter((each) => each.in !== 'header').map(({ name }) => name), ...Object.keys(properties)]
}

test('the arguments of a tool are the path parameters and fields of its operations', () => {
  expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(OPERATIONS).sort())
  for (const { name, inputSchema } of tools) {
    const key = READING.includes(name) ? [] : ['idempotency_key']
    const fields = (OPERATIONS[name] ?? []).flatMap(fieldsOf).filter((each) => !FIXED[name]?.includes(each))
    const expected = new Set([...fields, ...key, ...(OWN[name] ?? [])])
    expect([name, Object.keys(inputSchema.properties).sort()]).toEqual([name, [...expected].sort()])
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
  }
})

test('a tool has a title, a description of what to do with it, a schema of its result, and hints', () => {
  for (const { name, title, description, outputSchema, annotations } of tools) {
    expect([name, title.length > 3, /returns `/i.test(description), description.includes('\nOn ')]).toEqual([
      name,
      true,
      true,
      true,
    ])
    expect(outputSchema).toMatchObject({ type: 'object', required: expect.any(Array) })
    expect(annotations).toEqual({
      title,
      readOnlyHint: READING.includes(name),
      destructiveHint: false,
      idempotentHint: READING.includes(name) || name === 'report_rollout',
      openWorldHint: false,
    })
  }
})

test('what an argument is for is said where its name alone does not', () => {
  for (const { name, inputSchema } of tools)
    for (const required of inputSchema.required)
      expect([name, required, typeof inputSchema.properties[required].description]).toEqual([name, required, 'string'])
})
