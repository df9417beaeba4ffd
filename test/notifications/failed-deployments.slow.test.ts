/** People who are concerned are notified themselves when a deployment fails. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import { Receiver } from '../support/receiver.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { inboxOf } from './inbox.ts'

type Body = Answer['body']

let box: Box
let owner: Actor
let lead: Actor
let member: Actor
let site: Site
let receiver: Receiver

beforeAll(async () => {
  box = await signalbox()
})
afterAll(() => box.close())

beforeEach(async () => {
  const people = await Promise.all(['Olga Owner', 'Lea Lead', 'Max Member'].map((name) => box.user(name)))
  ;[owner, lead, member] = people as [Actor, Actor, Actor]
  site = await box.site(owner)
  await box.join(lead, site, 'member', 'admin')
  await box.join(member, site, 'member', 'member')
  receiver = new Receiver()
})

const refuse = () => {
  receiver.answer = () => new Response('', { status: 500, headers: { 'X-Signalbox-Control': 'stop' } })
}

const makeHook = (input: object = {}): Promise<Body> =>
  owner.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
    name: 'Deploy',
    url: receiver.url,
    trigger_on: 'gate_approved',
    report_within_seconds: 600,
    ...input,
  })

const triggered = (by: Actor, hook: Body): Promise<Body> =>
  by.make(`/api/v1/deployment-hooks/${hook.id}/trigger`, undefined, { Prefer: 'wait=20' })

/** The notifications of failed deployments, by name, once everything is drained. */
async function notified(): Promise<Record<string, Body[]>> {
  await box.settled()
  const all: Record<string, Body[]> = {}
  for (const [name, user] of Object.entries({ owner, lead, member })) {
    const items = (await inboxOf(user)).items.filter(({ type }: Body) => type === 'deployment_failed')
    if (items.length > 0) all[name] = items
  }
  return all
}

/** Approves a gate of an execution that the member started. @returns the gate and the dispatch, once it is finished */
async function approved(by: Actor, hook: Body): Promise<{ gate: Body; dispatch: Body }> {
  const execution = await box.running(member, site.project.id)
  const gate = await member.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Release review' })
  await by.post(`/api/v1/gates/${gate.id}/approve`)
  let dispatch: Body
  await box.until('the dispatch is finished', async () => {
    const { items } = (await owner.get(`/api/v1/deployment-hooks/${hook.id}/dispatches`)).body
    dispatch = items[0]
    return dispatch !== undefined && dispatch.status !== 'pending'
  })
  return { gate, dispatch }
}

test('who approved its gate and who started its execution are notified of a dispatch that is given up', async () => {
  refuse()
  const { dispatch } = await approved(lead, await makeHook())
  const all = await notified()
  expect(Object.keys(all)).toEqual(['lead', 'member'])
  expect(all.lead).toMatchObject([
    {
      title: 'The deployment to production was not delivered',
      resource_type: 'dispatch',
      resource_id: dispatch.id,
      url: expect.stringContaining(`/app/dispatches/${dispatch.id}`),
      is_read: false,
      data: { event: 'deployment.failed', hook_name: 'Deploy', environment: 'production', rollout_state: 'not_delivered' },
    },
  ])
  expect(all.lead?.[0]?.body).toContain('The hook Deploy gave it up after 1 attempt.')
})

test('of a rollout that fails or is not reported, who triggered it is notified, and no one else', async () => {
  const hook = await makeHook()
  const failed = await triggered(lead, hook)
  await owner.post(`/api/v1/dispatches/${failed.id}/report`, { state: 'failed', version: 'v2', description: 'Cards fail.' })
  const unknown = await triggered(lead, hook)
  await box.sql`update rollouts set deadline_at = now() - interval '1 second' where id = ${unknown.id}`
  await box.until('nothing was reported', async () => (await notified()).lead?.length === 2)
  const all = await notified()
  expect(Object.keys(all)).toEqual(['lead'])
  expect(all.lead?.map(({ title, resource_id }) => [title, resource_id])).toEqual([
    ['It is not known whether the deployment to production succeeded', unknown.id],
    ['The deployment of v2 to production failed', failed.id],
  ])
  expect(all.lead?.[1]?.body).toContain('Cards fail.')
})

test('the admins of the workspace are notified if no one who is concerned has access', async () => {
  const hook = await makeHook()
  refuse()
  const another = await box.user('Ann Other')
  await box.join(another, site, 'member', 'admin')
  await owner.put(`/api/v1/deployment-hooks/${hook.id}`, { paused: true })
  const { body: dispatch } = await another.post(`/api/v1/deployment-hooks/${hook.id}/trigger`)
  await owner.delete(`/api/v1/organizations/${site.organization.id}/members/${another.id}`)
  await owner.put(`/api/v1/deployment-hooks/${hook.id}`, { paused: false })
  await box.until('the admins are notified', async () => Object.keys(await notified()).length > 0)
  const all = await notified()
  expect(Object.keys(all)).toEqual(['owner', 'lead'])
  expect(all.owner?.[0]?.resource_id).toBe(dispatch.id)
  expect((await inboxOf(another)).items.filter(({ type }: Body) => type === 'deployment_failed')).toEqual([])
})

test('no one is notified of a success, of a test, or of a dispatch on which its receiver reported', async () => {
  const hook = await makeHook()
  await owner.post(`/api/v1/dispatches/${(await triggered(lead, hook)).id}/report`, { state: 'succeeded' })
  receiver.answer = async ({ headers }) => {
    const id = headers['x-signalbox-delivery'] ?? ''
    await owner.post(`/api/v1/dispatches/${id}/report`, { state: 'succeeded' })
    return new Response('', { status: 500, headers: { 'X-Signalbox-Control': 'stop' } })
  }
  expect((await triggered(lead, hook)).status).toBe('failed')
  refuse()
  await owner.post(`/api/v1/deployment-hooks/${hook.id}/test`, undefined, { Prefer: 'wait=20' })
  expect(await notified()).toEqual({})
})

test('what asks for a decision is read by itself when the gate is decided, or ends with its execution', async () => {
  const execution = await box.running(member, site.project.id)
  const open = (name: string) => member.make(`/api/v1/executions/${execution.id}/gates`, { name })
  const [first, second] = [await open('First'), await open('Second')]
  await box.settled()
  const unread = async (user: Actor) =>
    (await inboxOf(user, '?unread_only=true')).items
      .filter(({ type }: Body) => type === 'gate_pending')
      .map(({ resource_id }: Body) => resource_id)
  expect(await unread(owner)).toEqual([second.id, first.id])
  await lead.post(`/api/v1/gates/${first.id}/approve`)
  await box.settled()
  expect(await unread(owner)).toEqual([second.id])
  const { unread_count, items } = await inboxOf(owner)
  expect(unread_count).toBe(items.filter(({ is_read }: Body) => !is_read).length)
  expect(items.find(({ resource_id }: Body) => resource_id === first.id)).toMatchObject({
    is_read: true,
    read_at: expect.any(String),
  })
  await member.post(`/api/v1/executions/${execution.id}/cancel`)
  await box.settled()
  expect([await unread(owner), await unread(lead)]).toEqual([[], []])
})

test('a failed deployment needs those who were notified, until something newer is deployed', async () => {
  const hook = await makeHook()
  const failed = await triggered(lead, hook)
  await owner.post(`/api/v1/dispatches/${failed.id}/report`, { state: 'failed', version: 'v2' })
  await notified()
  const rows = async (user: Actor) => {
    const { document } = await (await PageClient.signedIn(box, user)).open('/app')
    return [...document.querySelectorAll('ul[aria-label="Deployments that failed"] > li')]
  }
  const [row, ...others] = await rows(lead)
  expect([row?.querySelector('a')?.getAttribute('href'), row?.querySelector('.pill')?.textContent]).toEqual([
    `/app/dispatches/${failed.id}`,
    'failed',
  ])
  expect(row?.querySelector('a')?.textContent).toBe('v2 to production')
  expect([others, await rows(member)]).toEqual([[], []])
  const next = await triggered(lead, hook)
  expect(await rows(lead)).toHaveLength(1)
  await owner.post(`/api/v1/dispatches/${next.id}/report`, { state: 'succeeded', version: 'v3' })
  expect(await rows(lead)).toHaveLength(0)
})
