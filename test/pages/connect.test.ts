/** The page from which a person connects an agent. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { modern } from '../mcp/agents.ts'
import { PageClient } from '../support/page-client.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { apiRequest, logs } from '../usage/otlp.ts'

let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(() => box.close())

test('the page has what each client needs, and its light turns on with the first call', async () => {
  const visitor = await PageClient.signedIn(box, ada)
  const path = `/app/projects/${site.project.id}/connect`
  const before = await visitor.open(path)
  const url = `http://localhost:${new URL(box.base).port}/mcp`
  for (const text of [
    'waiting for the first call',
    'waiting for the first use of a model',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    url,
    '.mcp.json',
    '~/.codex/config.toml',
    '.cursor/mcp.json',
    '.vscode/mcp.json',
    site.project.id,
  ])
    expect(before.text).toContain(text)

  const { token } = await ada.make('/api/v1/auth/tokens', { name: 'Agent' })
  await using agent = await modern(box.base, token)
  await agent.call('list_work', { project_id: site.project.id })
  await box.until('the light is on', async () => (await visitor.open(path)).text.includes('connected'))
  const after = await visitor.open(path)
  expect(after.text).not.toContain('waiting for the first call')
  expect(after.text).toContain('waiting for the first use of a model')
})

test('the variables on the page bring telemetry to the project, and its light turns on', async () => {
  const visitor = await PageClient.signedIn(box, ada)
  const place = await box.site(ada, 'Telemetry')
  const path = `/app/projects/${place.project.id}/connect`
  const { document } = await visitor.open(path)
  const block = document.querySelector('[aria-label="Telemetry of Claude Code"]')?.textContent ?? ''
  const execution = await box.running(ada, place.project.id, { cost_from: 'telemetry' })
  const given: Record<string, string> = { SIGNALBOX_TOKEN: ada.token, EXECUTION_ID: execution.id }
  const variables = Object.fromEntries(
    [...block.matchAll(/^export (\w+)="?(.+?)"?$/gm)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll(/\$(\w+)/g, (_, variable: string) => given[variable] ?? ''),
    ]),
  )
  expect(variables).toMatchObject({ CLAUDE_CODE_ENABLE_TELEMETRY: '1', OTEL_LOGS_EXPORTER: 'otlp' })
  expect(variables.OTEL_RESOURCE_ATTRIBUTES).toBe(`signalbox.execution_id=${execution.id}`)
  const [, authorization = ''] = decodeURIComponent(variables.OTEL_EXPORTER_OTLP_HEADERS ?? '').split('Authorization=')
  const { status } = await fetch(`${variables.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/logs`, {
    method: 'POST',
    headers: { Authorization: authorization, 'Content-Type': 'application/json' },
    body: JSON.stringify(logs(execution.id, apiRequest())),
  })
  expect(status).toBe(200)
  await box.until('the light is on', async () => (await visitor.open(path)).text.includes('connected'))
  const after = await visitor.open(path)
  expect(after.text).not.toContain('waiting for the first use of a model')
  expect(after.text).toContain('waiting for the first call')
  const elsewhere = `/app/projects/${site.project.id}/connect`
  expect((await visitor.open(elsewhere)).text).toContain('waiting for the first use of a model')
})
