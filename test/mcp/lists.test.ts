/** Tools that list return the cursor of the next part, as the operations do. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { type Agent, GENERATIONS } from './agents.ts'

let box: Box
let ada: Actor
let site: Site
let token: string

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
  token = (await ada.make('/api/v1/auth/tokens', { name: 'Agent' })).token
})
afterAll(() => box.close())

interface Walked {
  tool: string
  record: string
  /** The argument that says how many items to return. */
  size: string
  /** Makes five items, newest first. */
  open: () => Promise<{ project_id: string; items: string[] }>
  /** What identifies an item. */
  itemOf: (item: Record<string, string>) => string | undefined
  remove: (item: string) => Promise<unknown>
  /** Adds an item that is in front of those of a walk. */
  add: (project_id: string) => Promise<unknown>
}

const NUMBERS = [1, 2, 3, 4, 5]
const newProject = async (): Promise<string> =>
  (await ada.make(`/api/v1/workspaces/${site.workspace.id}/projects`, { name: 'Walked' })).id
const addRequirement = (project_id: string, title: string) => ada.make(`/api/v1/projects/${project_id}/requirements`, { title })
const addHook = (project_id: string, environment: string) =>
  ada.make(`/api/v1/projects/${project_id}/deployment-hooks`, {
    name: 'Deploy',
    mode: 'pull',
    trigger_on: 'gate_approved',
    report_within_seconds: 600,
    environment,
  })

const LISTS: Walked[] = [
  {
    tool: 'list_work',
    record: 'requirements',
    size: 'page_size',
    open: async () => {
      const project_id = await newProject()
      const items: string[] = []
      for (const number of NUMBERS) items.unshift((await addRequirement(project_id, `Number ${number}`)).id)
      return { project_id, items }
    },
    itemOf: ({ id }) => id,
    remove: (id) => ada.delete(`/api/v1/requirements/${id}`),
    add: (project_id) => addRequirement(project_id, 'Added meanwhile'),
  },
  {
    tool: 'get_environments',
    record: 'environments',
    size: 'limit',
    open: async () => {
      const project_id = await newProject()
      const items = ['b', 'c', 'd', 'e', `z🙂"\\${'ü'.repeat(59)}`]
      for (const environment of items) await addHook(project_id, environment)
      return { project_id, items }
    },
    itemOf: ({ environment }) => environment,
    remove: (environment) => box.sql`delete from deployment_hooks where environment = ${environment}`,
    add: (project_id) => addHook(project_id, 'a'),
  },
]

describe.each(Object.entries(GENERATIONS))('A %s client', (_, connect) => {
  const call = async (agent: Agent, { tool, record }: Walked, args: object) => {
    const { isError = false, structuredContent = {}, _meta = {} } = await agent.call(tool, args)
    return { isError, items: structuredContent[record], next: structuredContent.next, problem: _meta['signalbox/problem'] }
  }

  test.each(LISTS)('gets every item of $tool once, whatever is removed and added meanwhile', async (list) => {
    const { size, open, itemOf, remove, add } = list
    await using agent = await connect(box.base, token)
    for (const most of [1, 2]) {
      const { project_id, items } = await open()
      const seen: string[] = []
      // Agents copy ids from addresses and texts, in either case.
      for (let args: object | null = { project_id, [size]: most }; args; ) {
        const part = await call(agent, list, args)
        expect([part.isError, part.items?.length > 0]).toEqual([false, true])
        const shown = part.items.map(itemOf)
        seen.push(...shown)
        for (const item of shown) await remove(item)
        if (seen.length === most) await add(project_id)
        args = part.next === null ? null : { project_id: project_id.toUpperCase(), [size]: most, after: part.next }
      }
      expect(seen).toEqual(items)
    }
  })

  test.each(LISTS)('is refused what is no cursor of $tool', async (list) => {
    await using agent = await connect(box.base, token)
    const { project_id } = await list.open()
    const other = await list.open()
    const own = (await call(agent, list, { project_id, [list.size]: 1 })).next
    const foreign = (await call(agent, list, { project_id: other.project_id, [list.size]: 1 })).next
    for (const after of ['', 'x', `${own}A`, own.slice(1), 'x'.repeat(5_000), foreign]) {
      const { isError, problem } = await call(agent, list, { project_id, after })
      expect([after, isError, problem?.code]).toEqual([after, true, 'validation_failed'])
    }
  })
})

test('A page number with a cursor is refused', async () => {
  await using agent = await GENERATIONS.modern(box.base, token)
  const project_id = await newProject()
  for (const title of ['One', 'Two']) await addRequirement(project_id, title)
  const { structuredContent } = await agent.call('list_work', { project_id, page_size: 1 })
  const { isError, _meta } = await agent.call('list_work', { project_id, page_size: 1, page: 2, after: structuredContent.next })
  expect([isError, _meta?.['signalbox/problem'].errors[0].pointer]).toEqual([true, '/page'])
})
