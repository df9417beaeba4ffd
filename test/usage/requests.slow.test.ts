import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { newServiceAccountKey } from '../../api/credentials/token-formats.ts'
import { tokenHash } from '../../core/security/tokens.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { logs, sendTraces, span, traces } from './otlp.ts'

let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(() => box.close())

const running = () => box.running(ada, site.project.id, { cost_from: 'telemetry' })
const get = async (id: string) => (await ada.get(`/api/v1/executions/${id}`)).body

async function send(body: Uint8Array | string, headers: Record<string, string> = {}, path = 'traces', token = ada.token) {
  const response = await fetch(`${box.base}/otlp/v1/${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
    body: body as string,
  })
  const bytes = await response.bytes()
  const isJson = response.headers.get('content-type')?.includes('json')
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    bytes,
    body: isJson ? JSON.parse(new TextDecoder().decode(bytes)) : null,
  }
}

/** A service account with a key. @param project_id null: it works in all workspaces */
async function serviceAccount(of: Site, scopes: string[], project_id: string | null = null): Promise<Actor> {
  const organization_id = of.organization.id
  const key = newServiceAccountKey(organization_id)
  const workspace_id = project_id && of.workspace.id
  await box.sql`
    with account as (
      insert into service_accounts (organization_id, workspace_id, project_id, name, scopes, created_by)
      values (${organization_id}, ${workspace_id}, ${project_id}, 'Agent', ${scopes}, ${ada.id})
      returning id
    )
    insert into service_account_keys (organization_id, service_account_id, name, hash, expires_at, created_by)
    select ${organization_id}, id, 'Key', ${tokenHash(key)}, now() + interval '1 day', ${ada.id}
    from account
  `
  return ada.as(key)
}

const GZIP = { 'Content-Encoding': 'gzip' }
const PROTOBUF = { 'Content-Type': 'application/x-protobuf' }

describe('An export', () => {
  test('may be compressed, and inflates to at most 4 MiB', async () => {
    const { id } = await running()
    expect(await send(gzipSync(JSON.stringify(traces(id, span()))), GZIP)).toMatchObject({ status: 200, body: {} })
    const bomb = gzipSync(new Uint8Array(100_000_000))
    expect(bomb.length).toBeLessThan(200_000)
    expect(await send(bomb, GZIP)).toMatchObject({ status: 413, body: { code: 'body_too_large' } })
    expect(await send(gzipSync(new Uint8Array(4_194_305)), { ...GZIP, ...PROTOBUF })).toMatchObject({ status: 413 })
    // Two members, of which the last one says that it is small.
    expect(await send(Buffer.concat([gzipSync(new Uint8Array(5_000_000)), gzipSync('')]), GZIP)).toMatchObject({ status: 413 })
    expect(await send(`{"x":"${'x'.repeat(4_194_304)}"}`)).toMatchObject({ status: 413 })
    const padded = JSON.stringify({ ...traces(id, span()), x: 'x'.repeat(4_000_000) })
    expect(await send(padded)).toMatchObject({ status: 200, body: {} })
    expect(await send(gzipSync(padded), GZIP)).toMatchObject({ status: 200, body: {} })
    expect((await get(id)).usage).toMatchObject([{ input_tokens: 2000 }])
  })

  test('that is malformed is a 400', async () => {
    const truncated = gzipSync(JSON.stringify(traces(null, span()))).subarray(0, 40)
    const bodies: [string | Uint8Array, Record<string, string>][] = [
      ['', {}],
      ['{', {}],
      ['[]', {}],
      ['null', {}],
      ['{"resourceSpans": 1}', {}],
      ['{"resourceSpans": [1]}', {}],
      ['{"resourceSpans": [{"scopeSpans": [{"spans": {}}]}]}', {}],
      ['['.repeat(100_000), {}],
      [new Uint8Array([0xff, 0xfe]), {}],
      ['{}', GZIP],
      [truncated, GZIP],
      [new Uint8Array([0x0a, 0x05, 0x01]), PROTOBUF],
      [new Uint8Array([0x0b]), PROTOBUF],
      [new Uint8Array(11).fill(0xff), PROTOBUF],
      [new Uint8Array([0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]), PROTOBUF],
    ]
    for (const [body, headers] of bodies) {
      const answer = await send(body, headers)
      expect([String(body).slice(0, 60), answer.status, answer.body?.code]).toEqual([
        String(body).slice(0, 60),
        400,
        'malformed_export',
      ])
    }
    // An empty message is an export without spans.
    expect(await send(new Uint8Array(), PROTOBUF)).toMatchObject({ status: 200, type: 'application/x-protobuf' })
    expect(await send('{}')).toMatchObject({ status: 200, body: {} })
  })

  test('of another type or compression is a 415', async () => {
    expect(await send('<x/>', { 'Content-Type': 'application/xml' })).toMatchObject({ status: 415 })
    expect(await send('{}', { 'Content-Encoding': 'br' })).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type' },
    })
  })

  test('of metrics is accepted and not read', async () => {
    const { id } = await running()
    const metric = { name: 'claude_code.token.usage', sum: { dataPoints: [{ asInt: '5' }] } }
    const body = JSON.stringify({ resourceMetrics: [{ ...traces(id).resourceSpans[0], scopeMetrics: [{ metrics: [metric] }] }] })
    expect(await send(body, {}, 'metrics')).toMatchObject({ status: 200, body: {} })
    expect(await send('nonsense', PROTOBUF, 'metrics')).toMatchObject({ status: 200 })
    expect((await get(id)).usage).toEqual([])
  })

  test('of many spans is one insert, and what exceeds its limits is rejected', async () => {
    const { id } = await running()
    const spans = Array.from({ length: 6_000 }, () => span())
    expect(await send(gzipSync(JSON.stringify(traces(id, ...spans))), GZIP)).toMatchObject({ status: 200, body: {} })
    expect((await get(id)).usage).toMatchObject([{ input_tokens: 6_000_000 }])
    const models = Array.from({ length: 101 }, (_, at) => span({ 'gen_ai.request.model': `model-${at}` }))
    const { body } = await send(JSON.stringify(traces(id, ...models)))
    expect(body.partialSuccess).toMatchObject({
      rejectedSpans: '1',
      errorMessage: expect.stringContaining('too many for one export'),
    })
    expect((await get(id)).usage).toHaveLength(100)
  })

  test('of several organizations counts in each', async () => {
    // So many that a cluster has them on several nodes.
    const others = await Promise.all(Array.from({ length: 7 }, (_, at) => box.site(ada, `Beside ${at}`)))
    const beside = others.map(({ project }) => box.running(ada, project.id, { cost_from: 'telemetry' }))
    const executions = await Promise.all([running(), ...beside])
    const all = { resourceSpans: executions.map(({ id }) => traces(id, span()).resourceSpans[0]) }
    expect(await send(JSON.stringify(all))).toMatchObject({ status: 200, body: {} })
    for (const { id } of executions) expect((await get(id)).usage).toMatchObject([{ input_tokens: 1000 }])
  })
})

describe('The caller', () => {
  const rejected = { status: 200, body: { partialSuccess: { rejectedSpans: '1' } } }
  const accepted = { status: 200, body: {} }

  test('needs a token that may write', async () => {
    expect((await fetch(`${box.base}/otlp/v1/traces`, { method: 'POST', body: '{}' })).status).toBe(401)
    const { token } = await ada.make('/api/v1/auth/tokens', { name: 'Reads', scope: 'read' })
    expect(await send('{}', {}, 'traces', token)).toMatchObject({ status: 403, body: { code: 'read_only_token' } })
  })

  test('reports usage in their workspaces alone, and with a restricted token in its organization alone', async () => {
    const { id } = await running()
    const grace = await box.user('Grace')
    expect(await sendTraces(grace, id, span())).toMatchObject(rejected)
    await box.join(grace, site, 'member')
    expect(await sendTraces(grace, id, span())).toMatchObject(rejected)
    await box.sql`
      insert into workspace_members (workspace_id, organization_id, user_id, role)
      values (${site.workspace.id}, ${site.organization.id}, ${grace.id}, 'member')
    `
    expect(await sendTraces(grace, id, span())).toMatchObject(accepted)
    const other = await box.site(ada, 'Elsewhere')
    const make = async (organization_id: string) =>
      (await ada.make('/api/v1/auth/tokens', { name: 'Bound', organization_id })).token
    expect(await sendTraces(ada.as(await make(other.organization.id)), id, span())).toMatchObject(rejected)
    expect(await sendTraces(ada.as(await make(site.organization.id)), id, span())).toMatchObject(accepted)
    expect((await get(id)).usage).toMatchObject([{ input_tokens: 2000 }])
  })

  test('may be a service account with the scope usage:write, where it works', async () => {
    const { id } = await running()
    const second = await ada.make(`/api/v1/workspaces/${site.workspace.id}/projects`, { name: 'Second' })
    const account = (project_id: string | null) => serviceAccount(site, ['usage:write'], project_id)
    expect(await sendTraces(await account(null), id, span())).toMatchObject(accepted)
    expect(await sendTraces(await account(site.project.id), id, span())).toMatchObject(accepted)
    expect(await sendTraces(await account(second.id), id, span())).toMatchObject(rejected)
    const lacking = await sendTraces(await serviceAccount(site, ['executions:write']), id, span())
    expect([lacking.status, lacking.body.code]).toEqual([403, 'insufficient_scope'])
    expect((await get(id)).usage).toMatchObject([{ input_tokens: 2000 }])
    const foreign = await box.site(ada, 'Foreign')
    const stranger = await serviceAccount(foreign, ['usage:write'])
    expect(await sendTraces(stranger, id, span())).toMatchObject(rejected)
  })
})

test('a log line of an export has none of its content', async () => {
  const secret = crypto.randomUUID()
  const lines: string[] = []
  const own = await signalbox({ workers: 0, own: true })
  try {
    const eve = await own.user('Eve')
    const { id } = await own.running(eve, (await own.site(eve)).project.id)
    for (const body of [JSON.stringify(logs(id, { body: { stringValue: secret } })), `{"${secret}": `]) {
      await fetch(`${own.base}/otlp/v1/logs`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${eve.token}`, 'Content-Type': 'application/json' },
        body,
      })
    }
    lines.push(...own.api.lines)
    expect(lines.some((line) => line.includes('/otlp/v1/logs'))).toBe(true)
    expect(lines.filter((line) => line.includes(secret))).toEqual([])
  } finally {
    await own.close()
  }
})
