import { afterAll, beforeAll, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let site: Site
beforeAll(async () => {
  box = await signalbox({ workers: 1 })
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(() => box.close())
test('x', async () => {
  const p = `/api/v1/projects/${site.project.id}`
  const make = async (input: object, done = true) => {
    const r = await ada.make(`${p}/requirements`, input)
    const e = await ada.make(`/api/v1/requirements/${r.id}/executions`, { agent: 'claude-code' })
    await ada.post(`/api/v1/executions/${e.id}/start`)
    const g = await ada.make(`/api/v1/executions/${e.id}/gates`, { name: 'Release | review' })
    if (done) {
      await ada.post(`/api/v1/gates/${g.id}/approve`, { comment: 'Fine <b>' })
      await ada.post(`/api/v1/executions/${e.id}/complete`, { cost_usd: 1.25 })
      await ada.put(`/api/v1/requirements/${r.id}`, { status: 'done' })
    }
  }
  await make({
    title: 'Pay by *invoice* <script>',
    description: '# Big\n\n- one\n- two\n\nText `x`',
    acceptance_criteria: ['- It works', '1. Two'],
  })
  await make({ title: 'Fix | the [total](javascript:alert(1))', kind: 'fix' })
  await make({ title: 'Chore', kind: 'chore' })
  await make({ title: 'Open one', kind: 'security' }, false)
  await ada.make(`${p}/deployment-hooks`, { name: 'Prod', url: 'http://127.0.0.1:9/x', trigger_on: 'gate_approved' })
  for (const deliverable_type of ['changelog', 'project_summary', 'deployment_guide', 'api_docs', 'user_manual']) {
    const a = await ada.post(`${p}/deliverables/generate`, { deliverable_type }, { Prefer: 'wait=10' })
    console.log(a.status, a.body.status, a.body.error, a.body.content)
    const html = await ada.get(`/api/v1/deliverables/${a.body.id}`, { Accept: 'text/html' })
    await Bun.write(`/tmp/try/${deliverable_type}.html`, html.body)
  }
})
