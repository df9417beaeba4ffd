/** An agent that calls without end. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { modern } from './agents.ts'

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
