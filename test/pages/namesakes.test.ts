import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let sam: Actor
let twin: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox()
  ;[sam, twin] = await Promise.all([box.user('Sam'), box.user('Sam')])
  site = await box.site(sam)
  await box.join(twin, site, 'admin', 'admin')
})
afterAll(() => box.close())

test('two people of one name are distinguished by their addresses, wherever a page says who acted', async () => {
  const project = `/api/v1/projects/${site.project.id}`
  const requirement = await twin.make(`${project}/requirements`, { title: 'Pay by invoice' })
  const execution = await twin.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'codex' })
  await twin.post(`/api/v1/executions/${execution.id}/start`)
  const gate = await twin.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Release review' })
  const hook = await sam.make(`${project}/deployment-hooks`, { name: 'Deploy', mode: 'pull', trigger_on: 'gate_approved' })
  await twin.post(`/api/v1/deployment-hooks/${hook.id}/trigger`)
  const { items } = (await sam.get(`/api/v1/deployment-hooks/${hook.id}/dispatches`)).body
  const visitor = await PageClient.signedIn(box, sam)
  const paths = [
    '/app',
    `/app/requirements/${requirement.id}`,
    `/app/executions/${execution.id}`,
    `/app/gates/${gate.id}`,
    `/app/dispatches/${items[0].id}`,
    `/app/organizations/${site.organization.id}/audit-log`,
  ]
  for (const path of paths)
    expect([path, (await visitor.open(path)).text]).toEqual([path, expect.stringContaining(`Sam (${twin.email})`)])
})
