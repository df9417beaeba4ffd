/** What receivers report to have deployed, by digest, next to what was approved. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import type { Answer } from '../support/signalbox.ts'
import { RolloutWorkbench } from './workbench.ts'

type Body = Answer['body']

let bench: RolloutWorkbench

beforeAll(async () => {
  bench = await RolloutWorkbench.open()
})
afterAll(() => bench.close())

const APPROVED = { gitCommit: '7'.repeat(40) }
const OTHER = { gitCommit: 'e'.repeat(40) }
const SUBJECT = { uri: 'git+https://git.example.com/acme/checkout', digest: APPROVED, version: 'v1.5.0' }
const GATE = { name: 'Release', environment: 'production', subject: SUBJECT }

/** A project with a hook whose receiver reports, and a dispatch of an approved gate. */
async function approved() {
  const { project, hook } = await bench.reporting()
  const gate = await bench.admin.make(`/api/v1/projects/${project.id}/gates`, GATE)
  await bench.admin.make(`/api/v1/gates/${gate.id}/approve`, { binding: gate.binding })
  return { project, hook, dispatch: await bench.settled(hook) }
}

/** What was emitted about a dispatch, in its order. */
const eventsOf = async ({ id }: Body): Promise<string[]> => {
  const events = await bench.box.sql<{ name: string }[]>`
    select name from outbox where data -> 'dispatch' ->> 'id' = ${id} and name like 'rollout.%' order by id
  `
  return events.map(({ name }) => name)
}

const effectsOf = async (project: Body): Promise<Body> => {
  const { id } = await bench.admin.make(`/api/v1/projects/${project.id}/gates`, { ...GATE, subject: null })
  return (await bench.admin.get(`/api/v1/gates/${id}/effects`)).body
}

test('what was approved is shown, and is no mismatch', async () => {
  const { project, dispatch } = await approved()
  const { body } = await bench.report(dispatch, { state: 'succeeded', version: 'v1.5.0', digest: APPROVED })
  expect(body.rollout).toMatchObject({ state: 'succeeded', digest: APPROVED, approved_digest: APPROVED })
  expect(await eventsOf(dispatch)).not.toContain('rollout.mismatch')
  expect((await effectsOf(project)).running).toEqual({ version: 'v1.5.0', digest: APPROVED, since: body.rollout.reported_at })
  const visitor = await PageClient.signedIn(bench.box, bench.admin)
  const { text } = await visitor.open(`/app/dispatches/${dispatch.id}`)
  expect(text).toContain('777777777777')
  expect(text).not.toContain('not what was approved')
})

test('something else is kept, and rollout.mismatch is emitted once for it', async () => {
  const { project, hook, dispatch } = await approved()
  const events = await bench.subscribe(project, 'rollout.mismatch')
  for (const state of ['in_progress', 'in_progress', 'succeeded', 'succeeded'])
    expect((await bench.report(dispatch, { state, digest: OTHER })).status).toBe(200)
  const request = await events.event('rollout.mismatch')
  const { data } = JSON.parse(request.body)
  expect(data.rollout).toMatchObject({ digest: OTHER, approved_digest: APPROVED })
  expect((await eventsOf(dispatch)).filter((name) => name === 'rollout.mismatch')).toHaveLength(1)
  const [{ current }] = await bench.environments(project)
  expect(current).toMatchObject({ dispatch_id: dispatch.id, digest: OTHER, approved_digest: APPROVED })
  expect((await bench.history(project, 'production')).items).toEqual([current])
  expect((await effectsOf(project)).running.digest).toEqual(OTHER)
  const visitor = await PageClient.signedIn(bench.box, bench.admin)
  const page = await visitor.open(`/app/projects/${project.id}/environment?name=production`)
  expect(page.text).toContain('What runs here is not what was approved')
  expect(page.text).toContain('eeeeeeeeeeee')
  const shown = await visitor.open(`/app/dispatches/${dispatch.id}`)
  expect(shown.document.querySelector('main > .notice.bad')?.textContent).toBe(
    'Deployed to production, but it is not what was approved.',
  )
  expect(shown.document.querySelector('main > .heading')?.textContent).toContain('not what was approved')
  // As a whole: both may begin with the same digits.
  for (const { gitCommit } of [OTHER, APPROVED]) expect(shown.text).toContain(gitCommit)
  expect((await visitor.open(`/app/deployment-hooks/${hook.id}`)).status).toBe(200)
  await bench.box.settled()
  const { body: inbox } = await bench.admin.get('/api/v1/notifications')
  expect(inbox.items.map(({ title }: Body) => title)).toContain('The deployment to production is not what was approved')
})

test('a digest that begins like the approved one is shown as a whole', async () => {
  const { dispatch } = await approved()
  const alike = { gitCommit: `${'7'.repeat(39)}e` }
  await bench.report(dispatch, { state: 'succeeded', digest: alike })
  await bench.box.settled()
  const { body: inbox } = await bench.admin.get('/api/v1/notifications')
  const { body } = inbox.items.find(
    ({ resource_id, title }: Body) => resource_id === dispatch.id && title.includes('not what was'),
  )
  expect(body).toContain(`Deployed: ${alike.gitCommit}. Approved: ${APPROVED.gitCommit}.`)
})

test('people are notified of another mismatch as well; a digest that is left out is kept, and null clears it', async () => {
  const { dispatch } = await approved()
  const report = async (input: object) => (await bench.report(dispatch, { state: 'in_progress', ...input })).body.rollout
  await report({ digest: OTHER })
  await report({ digest: { sha256: 'e'.repeat(64) } })
  expect((await report({ version: 'v2' })).digest).toEqual({ sha256: 'e'.repeat(64) })
  expect(await report({ digest: null })).not.toHaveProperty('digest')
  expect(await eventsOf(dispatch)).toEqual(['rollout.mismatch', 'rollout.mismatch'])
})

test('of a workflow, it is compared with what its deciding gate approved', async () => {
  const { project, hook } = await bench.reporting({ trigger_on: 'workflow_done' })
  const execution = await bench.box.running(bench.admin, project.id)
  const gate = await bench.admin.make(`/api/v1/executions/${execution.id}/gates`, GATE)
  await bench.admin.make(`/api/v1/gates/${gate.id}/approve`, { binding: gate.binding })
  await bench.admin.make(`/api/v1/executions/${execution.id}/complete`, {})
  const { body } = await bench.report(await bench.settled(hook), { state: 'failed', digest: OTHER })
  expect(body.rollout).toMatchObject({ digest: OTHER, approved_digest: APPROVED })
})

test('of a workflow whose deciding gate is not approved, there is nothing to compare it with', async () => {
  const { project, hook } = await bench.reporting({ trigger_on: 'workflow_done' })
  const execution = await bench.box.running(bench.admin, project.id)
  const gate = await bench.admin.make(`/api/v1/executions/${execution.id}/gates`, GATE)
  await bench.admin.make(`/api/v1/gates/${gate.id}/request-changes`, { comment: 'Split it.' })
  await bench.admin.make(`/api/v1/executions/${execution.id}/complete`, {})
  const dispatch = await bench.settled(hook)
  const { body } = await bench.report(dispatch, { state: 'succeeded', digest: OTHER })
  expect(body.rollout).toMatchObject({ digest: OTHER, approved_digest: null })
  expect(await eventsOf(dispatch)).not.toContain('rollout.mismatch')
})

test('where nothing was approved, there is nothing to compare it with', async () => {
  const { hook } = await bench.reporting()
  const { id, rollout } = await bench.rolledOut(hook, { state: 'succeeded', digest: OTHER })
  expect(rollout).toMatchObject({ digest: OTHER, approved_digest: null })
  expect(await eventsOf({ id })).not.toContain('rollout.mismatch')
})

test('it is a digest as that of a subject', async () => {
  const { hook } = await bench.reporting()
  const dispatch = await bench.triggered(hook)
  for (const digest of [{}, { ...OTHER, sha256: 'a'.repeat(64) }, { gitCommit: 'E'.repeat(40) }, { md5: 'a' }, 'e'.repeat(40)]) {
    const { status, body } = await bench.report(dispatch, { state: 'succeeded', digest })
    expect([status, body.errors?.[0].pointer.startsWith('/digest')]).toEqual([422, true])
  }
})
