/** Promotion on pages: the chain of an environment and its candidate, the form of its policy, the warnings of a gate. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import { type Body, PromotionWorkbench, V1 } from './workbench.ts'

let bench: PromotionWorkbench
let visitor: PageClient

beforeAll(async () => {
  bench = await PromotionWorkbench.open()
  visitor = await PageClient.signedIn(bench.box, bench.admin)
})
afterAll(() => bench.close())

const environment = (project: Body, name: string) => visitor.open(`/app/projects/${project.id}/environment?name=${name}`)

test('the page of an environment shows its chain, how far the soak is, and what stands in the way of the candidate', async () => {
  const { project, staging } = await bench.chain({ soak_seconds: 3600 })
  const before = await environment(project, 'production')
  const names = [...before.document.querySelectorAll('ol.track .what')].map(({ textContent }) => textContent)
  expect(names).toEqual(['staging', 'production'])
  expect(before.text).toContain('Nothing in staging can come here now. A rollout there counts only if its digest is known.')
  expect((await environment(project, 'staging')).text).toContain('production')
  await bench.run(staging, V1)
  const soaking = await environment(project, 'production')
  expect(soaking.document.querySelector('progress')?.getAttribute('max')).toBe('3600')
  expect(soaking.text).toContain('of 1 hour in staging')
  await bench.policy(project, { soak_seconds: 0 })
  await bench.box
    .sql`update promotions set obstacle = 'A project can have at most 100.', due_at = null where project_id = ${project.id}`
  expect((await environment(project, 'production')).text).toContain('Its gate cannot be opened: A project can have at most 100.')
  const { body: gate } = await bench.open(project, V1)
  expect((await environment(project, 'production')).text).toContain('Its gate is pending, or approved and not deployed yet.')
  await bench.admin.make(`/api/v1/gates/${gate.id}/reject`, {})
  await bench.box.sql`update promotions set obstacle = null where project_id = ${project.id}`
  expect((await environment(project, 'production')).text).toContain('The last gate for it was not approved')
  await bench.run(staging, V1, 'failed')
  expect((await environment(project, 'production')).text).toContain('It does not run in staging any more: it failed')
})

test('the track of a project says what may come next, and how long it soaks', async () => {
  const { project, staging } = await bench.chain({ soak_seconds: 3600 })
  const stops = async (): Promise<string[]> => {
    const { document } = await visitor.open(`/app/projects/${project.id}`)
    return [...document.querySelectorAll('ol.track > li')].map(({ textContent }) => textContent ?? '')
  }
  expect((await stops()).filter((text) => text.startsWith('Next'))).toEqual([])
  await bench.run(staging, V1)
  expect((await stops()).find((text) => text.startsWith('Next'))).toContain('soaks until')
  await bench.policy(project, { soak_seconds: 0 })
  expect((await stops()).find((text) => text.startsWith('Next'))).toContain('may come here')
  await bench.run(staging, V1, 'failed')
  expect((await stops()).find((text) => text.startsWith('Next'))).toContain('does not run in staging any more')
})

test('it says who is asked next: admins by name, or groups, and who opens the gate', async () => {
  const { project, staging } = await bench.chain({ required_approvals: 2 })
  const asked = async (): Promise<string> => (await environment(project, 'production')).text
  expect(await asked()).toContain(`The next gate needs 2 approvals by admins of the workspace: ${bench.admin.name}. Open a gate`)
  const group = async (name: string): Promise<Body> =>
    bench.admin.make(`/api/v1/organizations/${bench.site.organization.id}/groups`, { name })
  const [security, release] = [await group('Security'), await group('Release managers')]
  const approvers = [security, release].map(({ id }) => ({ group_id: id, count: 1 }))
  await bench.policy(project, { approvers, required_approvals: 3, soak_seconds: 3600, open_gate: true })
  await bench.run(staging, V1)
  expect(await asked()).toContain(
    'Its gate needs 1 approval by Security, 1 approval by Release managers and 1 more by any of them. Signalbox opens it.',
  )
  // About one that was withdrawn, people were asked.
  const { body: gate } = await bench.open(project, V1)
  await bench.admin.make(`/api/v1/gates/${gate.id}/cancel`)
  expect(await asked()).toContain('1 more by any of them. Open a gate')
})

test('the page of the environment before says that what runs there without a known digest cannot be promoted', async () => {
  const { project, staging } = await bench.chain()
  const notice = 'What runs here cannot be promoted, because its digest is not known.'
  expect((await environment(project, 'staging')).text).not.toContain(notice)
  await bench.rolledOut(staging, { state: 'succeeded', version: 'v1' })
  expect((await environment(project, 'staging')).text).toContain(notice)
  await bench.run(staging, V1)
  expect((await environment(project, 'staging')).text).not.toContain(notice)
})

test('an environment in no chain has none', async () => {
  const project = await bench.project()
  await bench.hookIn(project, 'alone')
  expect((await environment(project, 'alone')).document.querySelector('ol.track')).toBeNull()
})

test('the form of a policy offers only what makes no circle', async () => {
  const { project } = await bench.chain()
  await bench.policy(project, { promotes_from: 'production' }, 'last')
  const sources = async (name: string): Promise<string[]> => {
    const { document } = await visitor.open(`/app/projects/${project.id}/environment/policy?name=${name}`)
    return [...document.querySelectorAll('select[name="promotes_from"] option')].map((each) => each.getAttribute('value') ?? '')
  }
  expect(await sources('staging')).toEqual([''])
  expect(await sources('production')).toEqual(['', 'staging'])
  expect(await sources('last')).toEqual(['', 'production', 'staging'])
  expect(await sources('new')).toEqual(['', 'last', 'production', 'staging'])
})

test('a gate begins with what its subject lacks', async () => {
  const { project, staging } = await bench.chain({ soak_seconds: 3600 })
  await bench.run(staging, V1)
  const { body: gate } = await bench.open(project, V1)
  const page = await visitor.open(`/app/gates/${gate.id}`)
  expect(page.document.querySelector('#warnings')?.textContent).toContain('The subject has run in staging since')
  await bench.run(staging, V1, 'failed')
  const failed = await visitor.open(`/app/gates/${gate.id}`)
  expect(failed.document.querySelector('#warnings')?.textContent).toContain('its last rollout there failed')
})

test('a dispatch that waits for the soak says where what was approved must run first', async () => {
  const { project, staging, production } = await bench.chain({ soak_seconds: 3600 })
  await bench.run(staging, V1)
  await bench.approved(project, V1)
  const { id } = await bench.first(production)
  const { text } = await visitor.open(`/app/dispatches/${id}`)
  expect(text).toContain('What was approved must first run in staging. It is sent after')
})
