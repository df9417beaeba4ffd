/** What documents say about rollbacks, rejections, gates that wait, and the versions in which a requirement came. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Receiver } from '../support/receiver.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let site: Site
let receiver: Receiver

beforeAll(async () => {
  box = await signalbox({ workers: 1 })
  ada = await box.user('Ada')
  site = await box.site(ada)
  receiver = new Receiver()
})
afterAll(async () => {
  await receiver.stop()
  await box.close()
})

/** A project with a hook whose rollouts are reported. */
async function deployedProject() {
  const { id } = await ada.make(`/api/v1/workspaces/${site.workspace.id}/projects`, { name: 'Shop', version_scheme: 'semver' })
  const path = `/api/v1/projects/${id}`
  const hook = await ada.make(`${path}/deployment-hooks`, {
    name: 'Deploy',
    trigger_on: 'gate_approved',
    url: receiver.url,
    report_within_seconds: 3600,
    filter: { '/event': { in: ['manual.trigger', 'deployment.rollback'] } },
  })
  const report = (dispatch: { id: string }, version: string) =>
    ada.make(`/api/v1/dispatches/${dispatch.id}/report`, { state: 'succeeded', version })
  return {
    path,
    hook,
    async deploy(version: string) {
      await report(await ada.make(`/api/v1/deployment-hooks/${hook.id}/trigger`, {}, { Prefer: 'wait=20' }), version)
    },
    async rollBack(version: string) {
      const input = { target_version: version }
      const { dispatches } = await ada.make(`${path}/deployment-rollback`, input, { Prefer: 'wait=20' })
      await report(dispatches[0], version)
    },
    async document(deliverable_type: string, requirement_id?: string): Promise<string> {
      const input = { deliverable_type, ...(requirement_id && { requirement_id }) }
      const { content } = (await ada.post(`${path}/deliverables/generate`, input, { Prefer: 'wait=20' })).body
      return content.replaceAll(/\(<http[^>]*>\)/g, '()').replaceAll(/\d{4}-\d\d-\d\d( \d\d:\d\d UTC)?/g, 'T')
    },
    finish: async (title: string, fields: object = {}): Promise<{ id: string }> => {
      const requirement = await ada.make(`${path}/requirements`, { title, ...fields })
      await ada.put(`/api/v1/requirements/${requirement.id}`, { status: 'done' })
      return requirement
    },
  }
}

/** An execution of a requirement with gates that await a decision. */
async function openGates(requirement_id: string, ...names: string[]): Promise<string[]> {
  const { id } = await ada.make(`/api/v1/requirements/${requirement_id}/executions`, { agent: 'codex' })
  await ada.make(`/api/v1/executions/${id}/start`)
  const gates = []
  for (const name of names) gates.push((await ada.make(`/api/v1/executions/${id}/gates`, { name })).id)
  return gates
}

test('a rollback is marked in the summary and the guide, which then goes further back', async () => {
  const project = await deployedProject()
  for (const version of ['v1.0.0', 'v1.1.0', 'v1.2.0']) await project.deploy(version)
  await project.rollBack('v1.1.0')
  const summary = await project.document('project_summary')
  expect(summary).toContain('At risk: a rollback of production from v1.2.0 to v1.1.0; agents spent')
  expect(summary).toContain('| production | **v1.1.0**, rolled back from v1.2.0 | T |')
  expect(summary).toContain('- production was rolled back from v1.2.0 to v1.1.0.')
  const guide = await project.document('deployment_guide')
  expect(guide).toContain('**production** has run v1.1.0 since T, when it was rolled back from v1.2.0.')
  expect(guide).toContain('To v1.0.0, the last version known to work.')
  expect(guide).toContain(`'{"paused":true}'`)
  expect(guide.indexOf('## Roll back')).toBeLessThan(guide.indexOf('## Before you deploy'))
})

test('the changelog and the story of a requirement name the same versions', async () => {
  const project = await deployedProject()
  const first = await project.finish('Pay', { description: 'Companies pay later. And more.' })
  await project.deploy('v1.4.0')
  const second = await project.finish('Totals were wrong', { kind: 'fix', description: 'Cents were lost.' })
  await project.deploy('v1.4.1')
  const { id } = (
    await ada.post(`${project.path}/deliverables/generate`, { deliverable_type: 'changelog' }, { Prefer: 'wait=20' })
  ).body
  await ada.make(`/api/v1/deliverables/${id}/publish`)
  await project.finish('Vouchers')
  const changelog = await project.document('changelog')
  expect(changelog).toContain('## v1.4.1 - T\n\nIncludes the deployed versions v1.4.0 and v1.4.1.\n')
  expect(changelog).toContain('- Pay ([\\#1](), in v1.4.0): Companies pay later.\n')
  expect(changelog).toContain('- Totals were wrong ([\\#2]()): Before: Cents were lost.\n')
  expect(changelog).toContain('- Vouchers ([\\#3](), not rolled out yet)\n')
  for (const [requirement, version] of [
    [first, 'v1.4.0'],
    [second, 'v1.4.1'],
  ] as const) {
    const story = await project.document('project_summary', requirement.id)
    expect(story).toContain(`First rolled out to **production** as ${version}.`)
    expect(story).toContain('Published in the changelog under **v1.4.1**.')
    const narrowed = await project.document('changelog', requirement.id)
    expect(narrowed).toContain('## v1.4.1 - T')
    expect(narrowed).not.toContain('Unreleased')
  }
})

test('a changelog first tells what to do: deprecations and removals, each limit once', async () => {
  const project = await deployedProject()
  await project.finish('Pay')
  expect(await project.document('changelog')).not.toContain('What you need to do')
  await project.finish('Old basket', {
    kind: 'deprecation',
    description: 'Use the new one. It works until 2031-03-31, then ends.',
  })
  await project.finish('Cheques', { kind: 'removal', description: 'Pay by card.' })
  const changelog = await project.document('changelog')
  const [, first = ''] = changelog.split('\n## ')
  expect(first).toBe(
    [
      'What you need to do\n',
      '- **Cheques** was removed ([\\#3]()): Pay by card.',
      '- **Old basket** is deprecated ([\\#2]()): Use the new one. It works until **T**, then ends.\n',
    ].join('\n'),
  )
  expect(changelog).toContain('### Deprecated\n\n- Old basket ([\\#2]())\n')
})

test('gates that await a decision are counted, with the requirements that wait', async () => {
  const project = await deployedProject()
  const [one, two, three] = [
    await ada.make(`${project.path}/requirements`, { title: 'One' }),
    await ada.make(`${project.path}/requirements`, { title: 'Two' }),
    await ada.make(`${project.path}/requirements`, { title: 'Three' }),
  ]
  await openGates(one.id, 'Review')
  expect(await project.document('project_summary')).toContain('At risk: 1 gate that awaits a decision ([\\#1]());')
  await openGates(two.id, 'Review', 'Security')
  const [rejected] = await openGates(three.id, 'Release')
  await ada.make(`/api/v1/gates/${rejected}/reject`, { comment: 'Not yet.' })
  const summary = await project.document('project_summary')
  expect(summary).toContain(
    'At risk: 1 requirement whose gate was rejected ([\\#3]()) and 3 gates that await a decision on 2 requirements ([\\#1](), [\\#2]());',
  )
  expect(summary).toContain('The gates [Review]() and [Security]() have been waiting for decisions, the oldest since T')
  expect(summary).toContain('Ada rejected Release on T: Not yet.')
})

test('a summary names the spend of the project in this month next to the budget', async () => {
  const project = await deployedProject()
  const requirement = await ada.make(`${project.path}/requirements`, { title: 'Pay' })
  for (const cost_usd of [3, 4]) {
    const { id } = await ada.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'codex' })
    await ada.make(`/api/v1/executions/${id}/start`)
    await ada.make(`/api/v1/executions/${id}/complete`, { cost_usd })
    if (cost_usd === 3)
      await box.sql`update executions set finished_at = seconds_after(finished_at, -40 * 86400) where id = ${id}`
  }
  await ada.put(`/api/v1/workspaces/${site.workspace.id}`, { budget_monthly_limit_usd: 100 })
  expect(await project.document('project_summary')).toMatch(
    /agents spent \\\$4\.00 on it in \w+ \d{4} and the workspace \\\$7\.00 of its/,
  )
})

test('in print, a link whose text is its address does not say it twice; on a phone, the contents are closed', async () => {
  const project = await deployedProject()
  await ada.put(project.path, { support: 'https://help.example.com/?a=1&b=2' })
  const input = { deliverable_type: 'deployment_guide' }
  const { id } = (await ada.post(`${project.path}/deliverables/generate`, input, { Prefer: 'wait=20' })).body
  const page: string = (await ada.get(`/api/v1/deliverables/${id}`, { Accept: 'text/html' })).body
  expect(page).toContain('<a class="url" href="https://help.example.com/?a=1&amp;b=2"')
  expect(page).toContain('a.url::after')
  expect(page).toContain('<details><summary>Contents</summary>')
})
