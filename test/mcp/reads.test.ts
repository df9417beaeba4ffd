/** Calls of tools that read are answered without the server of the library, and as it would answer them. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Answer, type Box, signalbox } from '../support/signalbox.ts'
import { message } from './agents.ts'

type Body = Answer['body']
interface Message {
  method: string
  headers: Record<string, string>
  body: string
}

let box: Box
let token: string
let requirement: Body

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  const ada = await box.user('Ada')
  const { project } = await box.site(ada)
  requirement = await ada.make(`/api/v1/projects/${project.id}/requirements`, { title: 'Pay by invoice' })
  token = (await ada.make('/api/v1/auth/tokens', { name: 'Agent' })).token
})
afterAll(() => box.close())

const modern = (name: string, args: object): Message =>
  message({ Authorization: `Bearer ${token}` }, 'tools/call', { name, arguments: args })

/** As clients of the revisions from 2025 send it. */
function legacy(name: string, args: object): Message {
  const { 'MCP-Protocol-Version': _, 'Mcp-Method': __, 'Mcp-Name': ___, ...headers } = modern(name, args).headers
  const params = { name, arguments: args }
  return { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }) }
}

const GENERATIONS = { modern, legacy }

const changed = (sent: Message, change: (body: Body, headers: Record<string, string>) => void): Message => {
  const [body, headers] = [JSON.parse(sent.body), { ...sent.headers }]
  change(body, headers)
  return { ...sent, headers, body: JSON.stringify(body) }
}

/** What comes back; of a stream, the message in it. */
async function send(sent: Message): Promise<{ status: number; type: string; body: Body }> {
  const response = await fetch(`${box.base}/mcp`, sent)
  const [type = '', text] = [response.headers.get('content-type')?.split(';')[0], await response.text()]
  const data = type === 'text/event-stream' ? /^data: (.*)$/m.exec(text)?.[1] : text
  return { status: response.status, type, body: JSON.parse(data || 'null') }
}

test.each(['application/json', 'application/*', 'text/*', '*/*;q=0', 'application/json, text/event-stream;q=0.000, text/html'])(
  'A legacy client that accepts %j alone cannot be answered',
  async (accept) => {
    const change = (_: Body, headers: Record<string, string>) => Object.assign(headers, { Accept: accept })
    const tools = [legacy('get_requirement', { requirement_id: requirement.id }), legacy('fail_execution', {})]
    const statuses = await Promise.all(tools.map(async (tool) => (await send(changed(tool, change))).status))
    expect(statuses).toEqual([406, 406])
  },
)

describe.each(Object.entries(GENERATIONS))('A %s client', (_, call) => {
  const read = () => call('get_requirement', { requirement_id: requirement.id })

  test('gets the same result from the library, which answers when a parameter is unknown', async () => {
    const own = await send(read())
    expect(own).toMatchObject({ status: 200, type: 'application/json', body: { result: { structuredContent: { requirement } } } })
    const theirs = await send(changed(read(), ({ params }) => Object.assign(params, { other: 1 })))
    expect(own.body).toEqual(theirs.body)
  })

  test.each([
    '*/*',
    'application/*, text/*',
    'application/json, */*;q=0.1',
    'text/html, Application/JSON; q=1, text/event-stream',
    '',
  ])('that accepts %j is answered, by reads and by changes', async (accept) => {
    const accepting = (sent: Message) => changed(sent, (_, headers) => Object.assign(headers, { Accept: accept }))
    expect((await send(accepting(read()))).body.result.structuredContent.requirement).toEqual(requirement)
    const change = await send(accepting(call('fail_execution', { execution_id: crypto.randomUUID() })))
    expect([change.status, change.body.result.isError]).toEqual([200, true])
    expect((await send(accepting(message({ Authorization: `Bearer ${token}` }, 'tools/list')))).status).toBe(200)
  })

  test('gets the same refusal from the library', async () => {
    const refused = () => call('get_requirement', { requirement_id: crypto.randomUUID() })
    const own = await send(refused())
    expect(own.body.result.isError).toBe(true)
    const theirs = await send(changed(refused(), ({ params }) => Object.assign(params, { other: 1 })))
    expect(own.body.result).toEqual(theirs.body.result)
  })

  test.each([
    ['an id that is no id', (body: Body) => Object.assign(body, { id: null })],
    ['no id', (body: Body) => delete body.id],
    ['another version of JSON-RPC', (body: Body) => Object.assign(body, { jsonrpc: '1.0' })],
    ['an unknown member', (body: Body) => Object.assign(body, { other: 1 })],
    ['arguments that are a list', ({ params }: Body) => Object.assign(params, { arguments: [] })],
    ['arguments that are null', ({ params }: Body) => Object.assign(params, { arguments: null })],
    ['metadata that are a text', ({ params }: Body) => Object.assign(params, { _meta: 'x' })],
    [
      'a progress token that is none',
      ({ params }: Body) => Object.assign(params, { _meta: { ...params._meta, progressToken: {} } }),
    ],
    [
      'capabilities that are none',
      ({ params }: Body) => {
        const key = 'io.modelcontextprotocol/clientCapabilities'
        if (params._meta?.[key]) params._meta[key] = { extensions: 1 }
      },
    ],
    [
      'another revision in the body',
      ({ params }: Body) => {
        const key = 'io.modelcontextprotocol/protocolVersion'
        if (params._meta) params._meta[key] = '2027-01-01'
      },
    ],
    [
      'an unknown revision in the header',
      (_: Body, headers: Record<string, string>) => {
        headers['MCP-Protocol-Version'] = '1999-01-01'
      },
    ],
    ['no revision in the header', (_: Body, headers: Record<string, string>) => delete headers['MCP-Protocol-Version']],
    [
      'another method in the header',
      (_: Body, headers: Record<string, string>) => Object.assign(headers, { 'Mcp-Method': 'ping' }),
    ],
    ['no method in the header', (_: Body, headers: Record<string, string>) => delete headers['Mcp-Method']],
    [
      'another tool in the header',
      (_: Body, headers: Record<string, string>) => Object.assign(headers, { 'Mcp-Name': 'list_work' }),
    ],
    ['no tool in the header', (_: Body, headers: Record<string, string>) => delete headers['Mcp-Name']],
    [
      'a media type that it does not take',
      (_: Body, headers: Record<string, string>) => Object.assign(headers, { Accept: 'text/html' }),
    ],
  ])('that sends %s is answered as for a tool that changes something', async (_, change) => {
    // The library answers both, except for what is no fault in this generation.
    const [ofRead, ofChange] = await Promise.all([
      send(changed(read(), change as never)),
      send(changed(call('fail_execution', { execution_id: crypto.randomUUID() }), change as never)),
    ])
    const { message: _message, ...error } = ofRead.body?.error ?? {}
    expect({ status: ofRead.status, error: error.code, hasResult: 'result' in (ofRead.body ?? {}) }).toEqual({
      status: ofChange.status,
      error: ofChange.body?.error?.code,
      hasResult: 'result' in (ofChange.body ?? {}),
    })
  })
})
