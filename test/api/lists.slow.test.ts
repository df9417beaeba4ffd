import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox()
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(() => box.close())

/** The lists with a total, each with what adds an item to it. */
const LISTS: [name: string, open: () => Promise<{ path: string; add: () => Promise<unknown> }>][] = [
  [
    'requirements',
    async () => {
      const path = `/api/v1/projects/${site.project.id}/requirements`
      return { path, add: () => ada.make(path, { title: 'Pay by invoice' }) }
    },
  ],
  [
    'executions',
    async () => {
      const requirement = await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Pay by card' })
      const path = `/api/v1/requirements/${requirement.id}/executions`
      return { path, add: () => ada.make(path, { agent: 'claude' }) }
    },
  ],
  [
    'dispatches',
    async () => {
      const hook = await ada.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
        name: 'Deploy',
        url: 'http://127.0.0.1:9/',
        trigger_on: 'gate_approved',
        paused: true,
      })
      const path = `/api/v1/deployment-hooks/${hook.id}`
      return { path: `${path}/dispatches`, add: () => ada.make(`${path}/trigger`) }
    },
  ],
]

test.each(LISTS)('The total of a list of %s is of the same moment as its items, whatever is added meanwhile', async (_, open) => {
  const { path, add } = await open()
  const before = (await ada.get(path)).body.total
  let added = 0
  const adding = Promise.all(
    Array.from({ length: 4 }, async () => {
      for (; added < 60; added++) await add()
    }),
  )
  const wrong: unknown[] = []
  while (added < 60) {
    const { total, items } = (await ada.get(`${path}?page_size=100`)).body
    if (total !== items.length) wrong.push([total, items.length])
  }
  await adding
  expect(wrong).toEqual([])
  const { total, items, page } = (await ada.get(`${path}?page_size=10&page=1000`)).body
  expect([total > before, items, page]).toEqual([true, [], 1000])
})
