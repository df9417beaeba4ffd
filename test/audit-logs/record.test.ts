import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
})
afterAll(() => box.close())

test('every change leaves one entry, and refused requests and reads leave none', async () => {
  const { organization, workspace, project } = await box.site(ada)
  const seen = new Set<string>()
  const newest = async (): Promise<string[]> => {
    const { body } = await ada.get(`/api/v1/organizations/${organization.id}/audit-logs?page_size=100`)
    const fresh = body.items.filter(({ id }: { id: string }) => !seen.has(id))
    for (const { id } of fresh) seen.add(id)
    return fresh.map(({ action, resource_type }: Record<string, string>) => `${action} ${resource_type}`)
  }
  await newest()

  let last: Record<string, string> = {}
  const expectEntries = async (method: string, path: string, body: object | undefined, ...entries: string[]) => {
    const answer = await ada.request(method, `/api/v1${path}`, body)
    expect([path, answer.status < 300]).toEqual([path, entries.length > 0 || method === 'GET'])
    expect([method, path, ...(await newest())]).toEqual([method, path, ...entries])
    last = answer.body
    return answer.body
  }

  await expectEntries('PUT', `/workspaces/${workspace.id}`, { name: 'Renamed' }, 'workspace.updated workspace')
  await expectEntries('PUT', `/workspaces/${workspace.id}`, { name: '' })
  await expectEntries('PUT', `/projects/${project.id}`, { description: 'Changed' }, 'project.updated project')
  for (const place of [`/organizations/${organization.id}`, `/workspaces/${workspace.id}`, `/projects/${project.id}`]) {
    await expectEntries('PUT', `${place}/workflow-template`, { template: 'a: 1' }, 'workflow_template.updated workflow_template')
    await expectEntries('PUT', `${place}/workflow-template`, { template: '' })
  }
  await expectEntries(
    'POST',
    `/organizations/${organization.id}/runtimes`,
    { name: 'Farm', hostname: 'farm' },
    'runtime.online runtime',
  )
  await expectEntries('DELETE', `/runtimes/${last.id}`, undefined, 'runtime.deleted runtime')

  const requirements = `/projects/${project.id}/requirements`
  const requirement = await expectEntries('POST', requirements, { title: 'Pay' }, 'requirement.created requirement')
  await expectEntries('PUT', `/requirements/${requirement.id}`, { title: 'Pay by invoice' }, 'requirement.updated requirement')
  const queue = () =>
    expectEntries('POST', `/requirements/${requirement.id}/executions`, { agent: 'a' }, 'execution.created execution')
  for (const end of ['complete', 'fail', 'cancel']) {
    const execution = await queue()
    const path = `/executions/${execution.id}`
    await expectEntries('POST', `${path}/start`, undefined, 'execution.started execution')
    await expectEntries('POST', `${path}/start`, undefined)
    await expectEntries('POST', `${path}/usage`, { cost_usd: 1 }, 'execution.usage_reported execution')
    const gate = await expectEntries('POST', `${path}/gates`, { name: 'Review' }, 'gate.pending gate')
    await expectEntries('POST', `/gates/${gate.id}/approve`, undefined, 'gate.approved gate')
    const ended = { complete: 'completed', fail: 'failed', cancel: 'cancelled' }[end]
    await expectEntries('POST', `${path}/${end}`, undefined, `execution.${ended} execution`)
  }
  const execution = await queue()
  await expectEntries('POST', `/executions/${execution.id}/start`, undefined, 'execution.started execution')
  const gate = await expectEntries('POST', `/executions/${execution.id}/gates`, { name: 'Review' }, 'gate.pending gate')
  await expectEntries('POST', `/gates/${gate.id}/reject`, undefined, 'execution.failed execution', 'gate.rejected gate')

  const input = { name: 'Deploy', url: 'http://127.0.0.1:9/', trigger_on: 'gate_approved' }
  const hook = await expectEntries(
    'POST',
    `/projects/${project.id}/deployment-hooks`,
    input,
    'deployment_hook.created deployment_hook',
  )
  await expectEntries('POST', `/deployment-hooks/${hook.id}/test`, undefined, 'deployment_hook.tested deployment_hook')
  await expectEntries('GET', `/organizations/${organization.id}/audit-logs/export`, undefined, 'audit_log.exported audit_log')
  await expectEntries('GET', `/organizations/${organization.id}/audit-logs/verify`, undefined)
  await expectEntries('DELETE', `/requirements/${requirement.id}`, undefined, 'requirement.deleted requirement')
  await expectEntries('DELETE', `/projects/${project.id}`, undefined, 'project.deleted project')
  await expectEntries('DELETE', `/workspaces/${workspace.id}`, undefined, 'workspace.deleted workspace')
})
