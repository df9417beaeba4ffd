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

test('the page of an environment shows its chain, how far the soak is, and what hinders the candidate', async () => {
  const { project, staging } = await bench.chain({ soak_seconds: 3600 })
  const before = await environment(project, 'production')
  const names = [...before.document.querySelectorAll('ol.track .what')].map(({ textContent }) => textContent)
  expect(names).toEqual(['staging', 'production'])
  expect(before.text).toContain('Nothing waits in staging to come here.')
  expect((await environment(project, 'staging')).text).toContain('production')
  await bench.run(staging, V1)
  const soaking = await environment(project, 'production')
  expect(soaking.document.querySelector('progress')?.getAttribute('max')).toBe('3600')
  expect(soaking.text).toContain('of 1 hour in staging')
  await bench.policy(project, { soak_seconds: 0 })
  expect((await environment(project, 'production')).text).toContain('No one was asked yet')
  await bench.box.sql`update promotions set obstacle = 'A project can have at most 100.' where project_id = ${project.id}`
  expect((await environment(project, 'production')).text).toContain('Its gate cannot be opened: A project can have at most 100.')
  await bench.open(project, V1)
  expect((await environment(project, 'production')).text).toContain('It waits for its gate')
  await bench.run(staging, V1, 'failed')
  expect((await environment(project, 'production')).text).toContain('It failed in staging')
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
