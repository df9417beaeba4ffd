/** An agent that calls without end, or with more than any call needs. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { message, modern } from './agents.ts'

const CALLS = 1_000
const BURST = 60

let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ workers: 0, environment: { RATE_LIMIT: '5', RATE_LIMIT_BURST: String(BURST) } })
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(() => box.close())

test(`${CALLS} calls at once meet the limit of the API, and others are not affected`, async () => {
  const bob = await box.user('Bob')
  await box.join(bob, site, 'member', 'member')
  const requirement = await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Pay by invoice' })
  const { token } = await bob.make('/api/v1/auth/tokens', { name: 'Agent' })
  await using agent = await modern(box.base, token)
  const results = await Promise.all(
    Array.from({ length: CALLS }, () => agent.call('start_execution', { requirement_id: requirement.id, agent: 'codex' })),
  )
  const refused = results.filter(({ isError }) => isError)
  for (const { content } of refused) {
    expect(content[0]?.text).toStartWith('rate_limited: ')
    expect(content[0]?.text).toMatch(/Wait \d+ s before you try again\.$/)
  }
  const { total } = (await ada.get(`/api/v1/requirements/${requirement.id}/executions`)).body
  expect(total).toBe(CALLS - refused.length)
  // A few calls may be admitted again while the others are answered.
  expect(total).toBeLessThan(BURST + 200)
})

test('a message with more fields and items than any call has is refused before it is read and before the caller is known', async () => {
  const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, number) => [`field-${number}`, 0]))
  const carol = await box.user('Carol')
  for (const body of [{ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: many } }, many, Array(2_000).fill(0)]) {
    const sent = { ...message({}, 'tools/list'), body: JSON.stringify(body) }
    const [known, stranger] = await Promise.all(
      [carol.token, 'sbx_pat_invented'].map((token) =>
        fetch(`${box.base}/mcp`, { ...sent, headers: { ...sent.headers, Authorization: `Bearer ${token}` } }),
      ),
    )
    expect([known?.status, (await known?.json())?.code, stranger?.status]).toEqual([400, 'too_many_values', 401])
  }
})

test('an id that is none, or is a megabyte long, is named, and reaches no other operation', async () => {
  const carol = await box.user('Carol')
  await using agent = await modern(box.base, carol.token)
  for (const gate_id of ['..', '.', '', `${crypto.randomUUID()}/approve`, 'é'.repeat(500_000), 7]) {
    const { isError, content } = await agent.call('get_gate', { gate_id })
    expect([isError, content[0]?.text]).toEqual([true, expect.stringMatching(/^validation_failed: .*gate_id/)])
  }
  const { content } = await agent.call('list_work', { project_id: site.project.id, status: 'o'.repeat(500_000) })
  expect(content[0]?.text).toMatch(/^validation_failed: .*status must not have more than 1000 characters/)
})
