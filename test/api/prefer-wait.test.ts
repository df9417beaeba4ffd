import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { comparison } from '../dual-track/bench.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor

beforeAll(async () => {
  // Nobody works, so that all of it waits until it is deleted.
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

/** A finished dispatch of a hook. */
async function finished(hook: Answer['body']): Promise<Answer['body']> {
  const dispatch = await ada.make(`/api/v1/deployment-hooks/${hook.id}/trigger`)
  return (await ada.post(`/api/v1/dispatches/${dispatch.id}/cancel`)).body
}

interface Action {
  /** Makes what is needed, and says what to POST. */
  prepare: (site: Site) => Promise<{ path: string; body?: object; deletes: string }>
  /** Where its records are kept. */
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
      const { id } = await finished(hook)
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

/** Asks for something, deletes what is named once it waits, and returns the answer. */
async function deletedMeanwhile({ prepare, table }: Action, site: Site, whole: boolean): Promise<Answer> {
  const { path, body, deletes } = await prepare(site)
  const under = () => box.sql`
    select id, status from ${box.sql(table)} where organization_id = ${site.organization.id} order by id
  `
  const audited = async () =>
    (await box.sql`select from audit_log_entries where organization_id = ${site.organization.id}`).length
  const before = await audited()
  const waiting = ada.post(path, body, WAIT)
  await box.until('it is asked for', async () => (await audited()) > before)
  expect((await under()).length).toBeGreaterThan(0)
  expect((await ada.delete(whole ? `/api/v1/organizations/${site.organization.id}` : deletes)).status).toBe(204)
  return waiting
}

describe('What is deleted while a caller waits for it is answered with 404, long before the wait is over', () => {
  for (const [what, action] of Object.entries(ACTIONS)) {
    test(what, async () => {
      const { status, body, headers } = await deletedMeanwhile(action, await box.site(ada), false)
      expect([status, body.code, headers.get('preference-applied')]).toEqual([404, 'not_found', null])
    })

    test(`${what}, with its whole organization`, async () => {
      const { status, body } = await deletedMeanwhile(action, await box.site(ada), true)
      expect([status, body.code]).toEqual([404, 'not_found'])
    })
  }

  test('of a rollback, a hook that is deleted meanwhile takes only its own dispatch along', async () => {
    const site = await box.site(ada)
    const [gone, kept] = [await hookOf(site), await hookOf(site)]
    const waiting = ada.post(`/api/v1/projects/${site.project.id}/deployment-rollback`, { target_version: '1' }, WAIT)
    const of = async (hook: Answer['body']) => [...(await box.sql`select id from dispatches where hook_id = ${hook.id}`)]
    await box.until('both are told', async () => (await of(gone)).length + (await of(kept)).length === 2)
    await ada.delete(`/api/v1/deployment-hooks/${gone.id}`)
    const [dispatch] = await of(kept)
    await ada.post(`/api/v1/dispatches/${dispatch?.id}/cancel`)
    const { status, body } = await waiting
    expect([status, body.dispatches.map(({ hook_id }: { hook_id: string }) => hook_id)]).toEqual([200, [kept.id]])
  })
})
