import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { comparison } from '../dual-track/tracks.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { beforeWaitEnds } from '../support/within.ts'

let box: Box
let ada: Actor

beforeAll(async () => {
  // Without workers, everything waits until it is deleted.
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
})
afterAll(() => box.close())

const WAIT = { Prefer: 'wait=25' }
const hookOf = ({ project }: Site) =>
  ada.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
    name: 'Deploy',
    url: 'http://127.0.0.1:9/',
    trigger_on: 'gate_approved',
  })
const channelOf = ({ workspace }: Site) =>
  ada.make(`/api/v1/workspaces/${workspace.id}/notification-channels`, {
    name: 'Room',
    channel_type: 'webhook',
    config: { url: 'http://127.0.0.1:9/' },
  })

/** A completed dispatch of a hook. */
async function completedDispatch(hook: Answer['body']): Promise<Answer['body']> {
  const dispatch = await ada.make(`/api/v1/deployment-hooks/${hook.id}/trigger`)
  return (await ada.post(`/api/v1/dispatches/${dispatch.id}/cancel`)).body
}

interface Action {
  /** Makes the prerequisites. Returns what to POST, and what to DELETE meanwhile. */
  prepare: (site: Site) => Promise<{ path: string; body?: object; deletes: string }>
  /** The table of its records. */
  table: string
}

const ACTIONS: Record<string, Action> = {
  'a test of a hook': {
    prepare: async (site) => {
      const { id } = await hookOf(site)
      return { path: `/api/v1/deployment-hooks/${id}/test`, deletes: `/api/v1/deployment-hooks/${id}` }
    },
    table: 'dispatches',
  },
  'a trigger of a hook': {
    prepare: async (site) => {
      const { id } = await hookOf(site)
      return { path: `/api/v1/deployment-hooks/${id}/trigger`, deletes: `/api/v1/deployment-hooks/${id}` }
    },
    table: 'dispatches',
  },
  'a redelivery': {
    prepare: async (site) => {
      const hook = await hookOf(site)
      const { id } = await completedDispatch(hook)
      return { path: `/api/v1/dispatches/${id}/redeliver`, deletes: `/api/v1/deployment-hooks/${hook.id}` }
    },
    table: 'dispatches',
  },
  'a retry': {
    prepare: async (site) => {
      const hook = await hookOf(site)
      const { id } = await ada.make(`/api/v1/deployment-hooks/${hook.id}/trigger`)
      return { path: `/api/v1/dispatches/${id}/retry`, deletes: `/api/v1/deployment-hooks/${hook.id}` }
    },
    table: 'dispatches',
  },
  'a rollback, with its project': {
    prepare: async (site) => {
      await hookOf(site)
      const project = `/api/v1/projects/${site.project.id}`
      return { path: `${project}/deployment-rollback`, body: { target_version: '1' }, deletes: project }
    },
    table: 'dispatches',
  },
  'a document': {
    prepare: async (site) => ({
      path: `/api/v1/projects/${site.project.id}/deliverables/generate`,
      body: { deliverable_type: 'changelog' },
      deletes: `/api/v1/projects/${site.project.id}`,
    }),
    table: 'deliverables',
  },
  'a comparison': {
    prepare: async (site) => {
      const { id } = await comparison(ada, site.project.id)
      return { path: `/api/v1/dual-track/${id}/compare`, deletes: `/api/v1/dual-track/${id}` }
    },
    table: 'dual_track_comparisons',
  },
  'a test of a channel': {
    prepare: async (site) => {
      const { id } = await channelOf(site)
      const path = `/api/v1/workspaces/${site.workspace.id}/notification-channels/${id}`
      return { path: `${path}/test`, deletes: path }
    },
    table: 'channel_messages',
  },
}

/** Makes a request that waits, deletes its subject meanwhile, and returns the response. */
async function deleteWhileWaiting({ prepare, table }: Action, site: Site, wholeOrganization: boolean): Promise<Answer> {
  const { path, body, deletes } = await prepare(site)
  const records = () => box.sql`
    select id, status from ${box.sql(table)} where organization_id = ${site.organization.id} order by id
  `
  const countAudited = async () =>
    (await box.sql`select from audit_log_entries where organization_id = ${site.organization.id}`).length
  const before = await countAudited()
  const waiting = ada.post(path, body, WAIT)
  await box.until('the request is audited', async () => (await countAudited()) > before)
  expect((await records()).length).toBeGreaterThan(0)
  expect((await ada.delete(wholeOrganization ? `/api/v1/organizations/${site.organization.id}` : deletes)).status).toBe(204)
  return beforeWaitEnds('the answer', waiting)
}

describe('A request that waits for something deleted meanwhile gets a 404 at once:', () => {
  for (const [what, action] of Object.entries(ACTIONS)) {
    test(what, async () => {
      const { status, body, headers } = await deleteWhileWaiting(action, await box.site(ada), false)
      expect([status, body.code, headers.get('preference-applied')]).toEqual([404, 'not_found', null])
    })

    test(`${what}, with its organization`, async () => {
      const { status, body } = await deleteWhileWaiting(action, await box.site(ada), true)
      expect([status, body.code]).toEqual([404, 'not_found'])
    })
  }

  test('a rollback waits for the remaining hooks when one of them is deleted', async () => {
    const site = await box.site(ada)
    const [deleted, remaining] = [await hookOf(site), await hookOf(site)]
    const waiting = ada.post(`/api/v1/projects/${site.project.id}/deployment-rollback`, { target_version: '1' }, WAIT)
    const dispatchesOf = async (hook: Answer['body']) => [
      ...(await box.sql`select id from dispatches where hook_id = ${hook.id}`),
    ]
    await box.until(
      'both dispatches exist',
      async () => (await dispatchesOf(deleted)).length + (await dispatchesOf(remaining)).length === 2,
    )
    await ada.delete(`/api/v1/deployment-hooks/${deleted.id}`)
    const [dispatch] = await dispatchesOf(remaining)
    await ada.post(`/api/v1/dispatches/${dispatch?.id}/cancel`)
    const { status, body } = await waiting
    expect([status, body.dispatches.map(({ hook_id }: { hook_id: string }) => hook_id)]).toEqual([200, [remaining.id]])
  })
})

test('None of many requests of one caller is answered before its record has finished, and another caller is not held up', async () => {
  const grace = await box.user('Grace')
  const site = await box.site(ada)
  await box.join(grace, site, 'admin')
  const hook = await hookOf(site)
  const other = await hookOf(site)
  const trigger = (actor: Actor, { id }: Answer['body']) => actor.post(`/api/v1/deployment-hooks/${id}/trigger`, undefined, WAIT)
  const count = async ({ id }: Answer['body']) => (await box.sql`select from dispatches where hook_id = ${id}`).length
  const waiting = Array.from({ length: 200 }, () => trigger(ada, hook))
  await box.until('all have begun', async () => (await count(hook)) === waiting.length)
  const graces = trigger(grace, other)
  await box.until('the other has begun', async () => (await count(other)) === 1)
  await Promise.all([hook, other].map(({ id }) => ada.delete(`/api/v1/deployment-hooks/${id}`)))
  expect(await Promise.race([graces.then(() => 'the other'), Promise.all(waiting).then(() => 'all of the many')])).toBe(
    'the other',
  )
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(404)
})
