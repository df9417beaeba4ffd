import { afterAll, beforeAll, expect, test } from 'bun:test'
import { requirementsSince } from '../../api/gates/requirements-since.ts'
import { resourceKey } from '../../api/plugins/resources.ts'
import { listActivity } from '../../api/projects/activity.ts'
import { getFigures } from '../../api/projects/figures.ts'
import { RolloutWorkbench } from '../rollouts/workbench.ts'
import { PASSWORD } from '../support/actor.ts'
import type { Answer } from '../support/signalbox.ts'

type Body = Answer['body']

let bench: RolloutWorkbench

beforeAll(async () => {
  bench = await RolloutWorkbench.open()
})
afterAll(() => bench.close())

const pathOf = (project: Body) => `/api/v1/projects/${project.id}/activity`
const told = ({ kind, text }: Body) => [kind, text]

/** A requirement, its execution that waits at a gate for production. */
async function gated(project: Body, title = 'Pay by invoice') {
  const { admin, box } = bench
  const execution = await box.running(admin, project.id)
  await admin.put(`/api/v1/requirements/${execution.requirement_id}`, { title })
  const gate = await admin.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Release', environment: 'production' })
  return { execution, gate }
}

test('tells in words who did what, the newest first', async () => {
  const { project, hook } = await bench.reporting({ name: 'Deploy' })
  const { admin, box } = bench
  const { execution, gate } = await gated(project)
  await admin.make(`/api/v1/gates/${gate.id}/approve`, { comment: 'Checked the invoices.' })
  await admin.make(`/api/v1/executions/${execution.id}/complete`)
  await admin.put(`/api/v1/requirements/${execution.requirement_id}`, { status: 'done' })
  const rolledOut = await bench.rolledOut(hook, { state: 'succeeded', version: 'v1.5.0' })
  const failed = await bench.rolledOut(hook, { state: 'failed', description: 'Invoices are sent twice.' })

  const { status, body } = await admin.get(pathOf(project))
  const who = admin.name
  expect([status, body.total, body.page, body.page_size]).toEqual([200, body.items.length, 1, 20])
  expect(body.items.map(told)).toEqual([
    ['rollout.failed', 'The deployment to production failed: Invoices are sent twice'],
    ['deployment_hook.triggered', `${who} triggered the deployment hook “Deploy”`],
    ['rollout.succeeded', 'The deployment of v1.5.0 to production succeeded'],
    ['deployment_hook.triggered', `${who} triggered the deployment hook “Deploy”`],
    ['requirement.completed', `${who} completed #1 Pay by invoice`],
    ['execution.completed', 'claude finished its work on #1 Pay by invoice'],
    ['gate.approved', `${who} approved the gate “Release” for production`],
    ['gate.pending', `${who} opened the gate “Release” for production`],
    ['execution.started', `${who} started claude on #1 Pay by invoice`],
    ['requirement.created', `${who} added #1 Pay by invoice`],
    ['deployment_hook.created', `${who} created the deployment hook “Deploy” for production`],
    ['project.created', `${who} created the project`],
  ])
  const person = { type: 'user', id: admin.id, name: who }
  const urls = body.items.map(({ url }: Body) => new URL(url).pathname)
  expect([urls[0], urls[2], urls[4], urls[6]]).toEqual([
    `/app/dispatches/${failed.id}`,
    `/app/dispatches/${rolledOut.id}`,
    `/app/requirements/${execution.requirement_id}`,
    `/app/gates/${gate.id}`,
  ])
  expect(body.items[6]).toEqual({
    at: expect.any(String),
    kind: 'gate.approved',
    text: expect.any(String),
    url: expect.any(String),
    actor: person,
  })
  expect(body.items[0].actor).toEqual(person)

  const key = resourceKey('project', project.id, project)
  const newest = await listActivity(box.sql, key, { limit: 3, after: null })
  // The process of the test has another PUBLIC_URL.
  expect(newest.map(({ id: _, url, ...item }) => ({ ...item, url: new URL(url).pathname }))).toEqual(
    body.items.slice(0, 3).map((item: Body) => ({ ...item, url: new URL(item.url).pathname })),
  )
})

test('a walk reaches the end without gaps or repeats, whatever its steps, also of one time', async () => {
  const { project, hook } = await bench.reporting()
  const { admin, box } = bench
  for (const number of [1, 2, 3, 4, 5]) await admin.make(`/api/v1/projects/${project.id}/requirements`, { title: `R${number}` })
  for (const state of ['succeeded', 'failed']) await bench.rolledOut(hook, { state })
  await box.sql`update rollouts set reported_at = date_trunc('second', reported_at) where project_id = ${project.id}`
  const all = (await admin.get(`${pathOf(project)}?page_size=100`)).body.items
  expect(all).toHaveLength(11)
  for (const size of [1, 3, 4]) {
    const seen: Body[] = []
    for (let next: string | undefined = `${pathOf(project)}?page_size=${size}`; next; ) {
      const part: Answer = await admin.get(next)
      seen.push(...part.body.items)
      next = /^<([^>]+)>/.exec(part.headers.get('link') ?? '')?.[1]
    }
    expect(seen).toEqual(all)
    const paged: Body[] = []
    for (let page = 1; paged.length < all.length; page++)
      paged.push(...(await admin.get(`${pathOf(project)}?page_size=${size}&page=${page}`)).body.items)
    expect(paged).toEqual(all)
  }
})

test('another tenant, and a member without access to the workspace, get 404', async () => {
  const { project } = await bench.reporting()
  const { admin, box, site } = bench
  const stranger = await box.user('Stranger')
  await box.site(stranger)
  const member = await box.user('Member')
  await admin.make(`/api/v1/organizations/${site.organization.id}/members`, { email: member.email })
  for (const by of [stranger, member]) expect((await by.get(pathOf(project))).status).toBe(404)
  await admin.make(`/api/v1/workspaces/${site.workspace.id}/members`, { user_id: member.id, role: 'member' })
  expect((await member.get(pathOf(project))).status).toBe(200)
})

test('shows names as they are, on one line, without secrets, and of people who are gone', async () => {
  const { project, hook } = await bench.reporting()
  const { admin, box, site } = bench
  const grace = await box.user('Grace <b>Hopper</b>')
  const namesake = await box.user('Grace <b>Hopper</b>')
  for (const { email } of [grace, namesake]) await admin.make(`/api/v1/organizations/${site.organization.id}/members`, { email })
  await admin.make(`/api/v1/workspaces/${site.workspace.id}/members`, { user_id: grace.id, role: 'admin' })
  const title = `<script>alert("1")</script> & “quotes”`
  const { id } = await grace.make(`/api/v1/projects/${project.id}/requirements`, { title })
  await bench.rolledOut(hook, { state: 'failed', description: 'First line\nghp_16C7e42F292c6912E7710c838347Ae178B4a\u0007 last' })
  const newest = async () => (await admin.get(pathOf(project))).body.items
  const [{ text: failure }, , created] = await newest()
  expect(failure).toMatch(/^The deployment to production failed: First line \S+ last$/)
  expect(failure).not.toContain('16C7e42F292c6912E7710c838347Ae178B4a')
  expect(created.text).toBe(`${grace.name} (${grace.email}) added #1 ${title}`)

  expect((await admin.delete(`/api/v1/requirements/${id}`)).status).toBe(204)
  const kept = await grace.make(`/api/v1/projects/${project.id}/requirements`, { title: 'Kept' })
  expect((await grace.request('DELETE', '/api/v1/users/me', { current_password: PASSWORD })).status).toBe(204)
  const [still, deleted, , , added] = await newest()
  expect([told(still), new URL(still.url).pathname]).toEqual([
    ['requirement.created', `${grace.name} added #2 Kept`],
    `/app/requirements/${kept.id}`,
  ])
  expect(told(deleted)).toEqual(['requirement.deleted', `${admin.name} deleted requirement #1, ${title}`])
  expect(told(added)).toEqual(['requirement.created', `${grace.name} created requirement #1, ${title}`])
  expect(added.actor).toEqual({ type: 'user', id: grace.id, name: grace.name })
  expect(new URL(added.url).pathname).toBe(`/app/projects/${project.id}`)
})

test('the figures of a project are those of the last 30 days, and of the 30 days before', async () => {
  const { project, hook } = await bench.reporting()
  const { admin, box } = bench
  const key = resourceKey('project', project.id, project)
  const none = {
    gates_decided: 0,
    gates_median_seconds: null,
    deployments_succeeded: 0,
    deployments_failed: 0,
    lead_seconds: null,
    restore_seconds: null,
    executions_completed: 0,
    executions_cost_usd: 0,
    requirements_completed: 0,
  }
  expect(await getFigures(box.sql, key)).toMatchObject({ now: none, before: none })
  const { execution, gate } = await gated(project)
  await admin.make(`/api/v1/gates/${gate.id}/approve`)
  await box.sql`update gates set created_at = decided_at - interval '90 seconds' where id = ${gate.id}`
  await admin.make(`/api/v1/executions/${execution.id}/complete`, { cost_usd: 1.25 })
  await admin.put(`/api/v1/requirements/${execution.requirement_id}`, { status: 'done' })
  await bench.rolledOut(hook, { state: 'failed' })
  const earlier = await bench.rolledOut(hook, { state: 'succeeded' })
  await box.sql`
    update rollouts set reported_at = now() - interval '31 days', lead_ms = 90500 where id = ${earlier.id}
  `
  const { days, ...figures } = await getFigures(box.sql, key)
  expect(figures).toEqual({
    environment: 'production',
    now: {
      gates_decided: 1,
      gates_median_seconds: 90,
      deployments_succeeded: 0,
      deployments_failed: 1,
      lead_seconds: null,
      restore_seconds: null,
      executions_completed: 1,
      executions_cost_usd: 1.25,
      requirements_completed: 1,
    },
    before: { ...none, deployments_succeeded: 1, lead_seconds: 90.5 },
  })
  const day = { deployments_succeeded: 0, deployments_failed: 0, lead_seconds: null, restore_seconds: null }
  expect(days).toEqual([...Array.from({ length: 29 }, () => day), { ...day, deployments_failed: 1 }])
})

test('a gate knows the requirements that were completed since what runs in its environment was deployed', async () => {
  const { project, hook } = await bench.reporting()
  const { admin, box } = bench
  const { gate } = await gated(project)
  const since = () => requirementsSince(box.sql, resourceKey('gate', gate.id, project))
  const complete = async (title: string) => {
    const { id } = await admin.make(`/api/v1/projects/${project.id}/requirements`, { title })
    return (await admin.put(`/api/v1/requirements/${id}`, { status: 'done' })).body
  }
  await complete('Before')
  expect(await since()).toBeNull()
  const { rollout } = await bench.rolledOut(hook, { state: 'succeeded', version: 'v1' })
  expect(await since()).toEqual({ version: 'v1', since: rollout.reported_at, count: 0, requirements: [] })
  const { id, number, title, kind, completed_at } = await complete('After')
  expect(await since()).toMatchObject({ count: 1, requirements: [{ id, number, title, kind, completed_at }] })
  await box.sql`
    insert into requirements (organization_id, workspace_id, project_id, number, title, status, completed_at, created_by)
    select organization_id, workspace_id, project_id, 100 + more, 'Many', 'done', now() + more * interval '1 second', created_by
    from requirements
    cross join generate_series(1, 25) as more
    where id = ${id}
  `
  const many = await since()
  expect([many?.count, many?.requirements.length, many?.requirements[0]?.number]).toEqual([26, 20, 125])

  // A rollback to v1 runs what was deployed first, and so lacks all that was completed since then.
  await bench.rolledOut(hook, { state: 'succeeded', version: 'v2' })
  const { body } = await admin.post(`/api/v1/projects/${project.id}/deployment-rollback`, { target_version: 'v1' })
  await bench.report(body.dispatches[0], { state: 'succeeded', version: 'v1' })
  expect(await since()).toMatchObject({ version: 'v1', since: rollout.reported_at, count: 26 })
})
