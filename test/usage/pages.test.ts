import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import { rowsOf } from '../support/page-parts.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { apiRequest, sendLogs, sendTraces, span } from './otlp.ts'

const MARKUP = '<b>model</b>'

let box: Box
let ada: Actor
let site: Site
let visitor: PageClient
let execution: { id: string }

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
  visitor = await PageClient.signedIn(box, ada)
  execution = await box.running(ada, site.project.id, { cost_from: 'telemetry', max_cost_usd: 5 })
  await sendLogs(ada, execution.id, apiRequest({ cost_usd: '2' }), apiRequest({ cost_usd: '1.5', model: MARKUP }))
  await sendTraces(ada, execution.id, span())
  await ada.make(`/api/v1/executions/${execution.id}/usage`, { cost_usd: 3 })
})
afterAll(() => box.close())

test('the page of an execution shows its usage by model, and what does not add to its cost', async () => {
  const page = await visitor.open(`/app/executions/${execution.id}`)
  expect(rowsOf(page, 'Usage by model')).toEqual([
    ['claude-opus-4-8', '5,310', '5,000', '200', '$2.00'],
    [MARKUP, '5,310', '5,000', '200', '$1.50'],
    ['gpt-5', '1,000', '0', '100', 'no price'],
  ])
  for (const text of ['$3.50', 'Cost limit', '$5.00', 'Reported cost', '$3.00', 'One use has no cost'])
    expect(page.text).toContain(text)
  const reports = await box.running(ada, site.project.id)
  expect((await visitor.open(`/app/executions/${reports.id}`)).text).toContain('Agents report it')
  await sendLogs(ada, reports.id, apiRequest())
  expect(rowsOf(await visitor.open(`/app/executions/${reports.id}`), 'Usage by model')[0]?.at(-1)).toBe('$0.0123 not added')
})

test('the budget pages show the spend by model and by agent', async () => {
  for (const path of [`organizations/${site.organization.id}`, `workspaces/${site.workspace.id}`]) {
    const page = await visitor.open(`/app/${path}/budget`)
    expect(rowsOf(page, 'Spend by model').map(([model, , spend]) => [model, spend])).toEqual([
      [MARKUP, '$1.50'],
      ['claude-opus-4-8', '$2.00'],
    ])
    expect(rowsOf(page, 'Spend by agent').map(([agent, , spend]) => [agent, spend])).toEqual([['claude', '$3.50']])
  }
  await ada.make(`/api/v1/executions/${(await box.running(ada, site.project.id)).id}/usage`, { cost_usd: 4 })
  const page = await visitor.open(`/app/organizations/${site.organization.id}/budget`)
  expect(rowsOf(page, 'Spend by model')[0]).toEqual(['without a model', expect.any(String), '$4.00'])
})
