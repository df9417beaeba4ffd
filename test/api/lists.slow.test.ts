import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { idOf, walkedLists } from './walks.ts'

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

const nextOf = ({ headers }: Answer): string | undefined => /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
const withQuery = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`
/** The same address as another client writes it: ids in upper case, a slash at the end, letters in two parts. */
const respelled = (url: string): string => {
  const [path = '', query = ''] = url.split('?')
  const parts = path.split('/').map((part) => encodeURIComponent(decodeURIComponent(part).normalize('NFD')))
  return `${parts.join('/').replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, (id) => id.toUpperCase())}/?${query}`
}

describe('A walk by the Link headers', () => {
  /** Lists that are always read as a whole. */
  const WHOLE = ['listModelPrices', 'listAgentLimits', 'listSigningKeys', 'search']
  const lists = () =>
    Object.values(box.contract.document.paths).flatMap(({ get }) => {
      const schema = JSON.stringify(get?.responses[200]?.content?.['application/json']?.schema ?? {})
      return /^\{"type":"array"|"items":\{"type":"array"|Page"/.test(schema) ? (get?.operationId ?? '') : []
    })

  test('is known for every list of the API', () => {
    expect(lists().toSorted()).toEqual([...Object.keys(walkedLists(box, ada, site)), ...WHOLE].toSorted())
  })

  test('loses nothing, in any list, when each row that was shown is gone before the next part', async () => {
    const wrong: unknown[] = []
    const cursors: [list: string, path: string, by: Actor, cursor: string][] = []
    for (const [list, open] of Object.entries(walkedLists(box, ada, site))) {
      const { path, remove, by = ada } = await open()
      const isPaged = !Array.isArray((await by.get(path)).body)
      const [size, rowsOf] = isPaged ? ['page_size', ({ body }: Answer) => body.items] : ['limit', ({ body }: Answer) => body]
      const all = rowsOf(await by.get(withQuery(path, `${size}=${isPaged ? 100 : 200}`)))
      const seen: string[] = []
      for (let at: string | undefined = withQuery(path, `${size}=1`); at; ) {
        const part = await by.get(at)
        const rows = rowsOf(part)
        if (part.status !== 200 || rows.length !== 1) wrong.push([list, at, part.status, rows])
        seen.push(...rows.map(idOf))
        at = nextOf(part)
        if (!at) break
        const { searchParams } = new URL(at, box.base)
        const asked = [...new URL(withQuery(path, `${size}=1`), box.base).searchParams]
        if (!asked.every(([name, value]) => searchParams.get(name) === value)) wrong.push([list, 'filters', at])
        if (seen.length === 1) cursors.push([list, path, by, searchParams.get('after') ?? ''])
        const spellings = [await by.get(at), await by.get(respelled(at))].map(({ status, body }) => [status, body])
        if (!Bun.deepEquals(spellings[0], spellings[1])) wrong.push([list, 'spelling', at, spellings[1]])
        await remove(rows[0])
      }
      if (all.length < 3 || seen.join() !== all.map(idOf).join()) wrong.push([list, all.map(idOf), seen])
    }
    expect(wrong).toEqual([])

    for (const [index, [list, path, by, cursor]] of cursors.entries()) {
      const [tag, ...key] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
      // PostgreSQL does not read every form of a time that requests may have.
      const forms = [',$1Z', '.$1+00:00'].map((form) => key.map((part: string) => part.replace(/\.(\d{3})Z$/, form)))
      const times = forms.filter((form) => form.join() !== key.join()).map((form) => [tag, ...form])
      const forged = [[tag, ...key, ''], [tag, ...key.slice(1), '\0'], index === 0 ? null : [tag], ...times]
      const others = [ada.id, cursors.at(index - 1)?.[3] ?? '', ...(index === 0 ? ['', 'x', `${cursor}=`, cursor.slice(1)] : [])]
      for (const after of [...others, ...forged.map((each) => Buffer.from(JSON.stringify(each)).toString('base64url'))]) {
        const { status, body } = await by.get(withQuery(path, `after=${encodeURIComponent(after)}`))
        if (status !== 422 || body.errors[0].pointer !== '/after') wrong.push([list, after, status, body])
      }
      // However the path is written, it is the same list.
      const [route = '', search] = path.split('?')
      const written = `${route.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, (id) => id.toUpperCase())}/${search ? `?${search}` : ''}`
      const again = await by.get(withQuery(written, `after=${cursor}`))
      if (again.status !== 200) wrong.push([list, written, again.status, again.body])
      const { status, body } = await by.get(withQuery(path, `page=1&after=${cursor}`))
      if (status !== 422 || body.errors[0].pointer !== '/page') wrong.push([list, 'page', status, body])
    }
    expect(wrong).toEqual([])
  })

  test('loses no row of several with the same time', async () => {
    const { id } = await ada.make(`/api/v1/organizations/${site.organization.id}/workspaces`, { name: 'At once' })
    const path = `/api/v1/workspaces/${id}/projects`
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five']) await ada.make(path, { name })
    await box.sql`update projects set created_at = date_trunc('day', now()) where workspace_id = ${id}`
    const seen: string[] = []
    for (let at: string | undefined = `${path}?limit=2`; at; ) {
      const part = await ada.get(at)
      seen.push(...part.body.map(idOf))
      at = nextOf(part)
    }
    expect(seen).toEqual((await ada.get(path)).body.map(idOf))
    expect(seen.length).toBe(5)
  })

  test('has a cursor for the longest key', async () => {
    const models = ['a', 'b'].map((first) => `${first}${'🙂'.repeat(199)}`)
    await box.sql`
      insert into model_spend (organization_id, month, workspace_id, project_id, agent, model, used_usd)
      select
        ${site.organization.id}, date_trunc('month', now())::date, ${site.workspace.id}, ${site.project.id}, 'claude', model, 1
      from unnest(${models}::text[]) as model
    `
    const path = `/api/v1/organizations/${site.organization.id}/budget/history?group_by=model&limit=1`
    const seen: string[] = []
    for (let at: string | undefined = path; at; ) {
      const part = await ada.get(at)
      expect(part.status).toBe(200)
      seen.push(...part.body.map(({ model }: { model: string | null }) => model))
      at = nextOf(part)
    }
    expect(seen.filter((model) => models.includes(model))).toEqual(models)
  })
})
