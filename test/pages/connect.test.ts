/** The page from which a person connects an agent. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { modern } from '../mcp/agents.ts'
import { PageClient } from '../support/page-client.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

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
  expect((await visitor.open(path)).text).not.toContain('waiting for the first call')
})
