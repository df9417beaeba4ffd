import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let site: Site
let path: string

beforeAll(async () => {
  box = await signalbox({ workers: 1 })
  ada = await box.user('Ada')
  site = await box.site(ada)
  path = `/api/v1/projects/${site.project.id}/deliverables`
})
afterAll(() => box.close())

const generate = async (input: object, of = path) => (await ada.post(`${of}/generate`, input, { Prefer: 'wait=20' })).body
const act = (id: string, action: string) => ada.post(`/api/v1/deliverables/${id}/${action}`)
const get = (id: string, Accept?: string) => ada.get(`/api/v1/deliverables/${id}`, Accept ? { Accept } : {})

describe('Generating', () => {
  test('responds at once with the pending document', async () => {
    const { status, headers, body } = await ada.post(`${path}/generate`, { deliverable_type: 'changelog' })
    expect([status, headers.get('location')]).toEqual([202, `/api/v1/deliverables/${body.id}`])
    expect(body).toEqual({
      id: expect.any(String),
      project_id: site.project.id,
      requirement_id: null,
      deliverable_type: 'changelog',
      title: 'Checkout: changelog',
      status: 'generating',
      version: 1,
      content: null,
      content_type: 'text/markdown',
      generator: 'template/1',
      source: null,
      error: null,
      created_by: ada.id,
      actor: { type: 'user', id: ada.id, name: ada.name },
      created_at: expect.any(String),
      updated_at: expect.any(String),
      published_at: null,
      archived_at: null,
    })
    await box.until('the document is generated', async () => (await get(body.id)).body.status === 'draft')
    const events = await box.sql`select name, data from outbox where data -> 'deliverable' ->> 'id' = ${body.id}`
    expect(events.map(({ name }) => name)).toEqual(['deliverable.generated'])
    expect(events[0]?.data.deliverable).not.toHaveProperty('content')
  })

  test('waits for the document, which lists its sources', async () => {
    const requirement = await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Pay' })
    const answer = await ada.post(`${path}/generate`, { deliverable_type: 'user_manual' }, { Prefer: 'wait=20' })
    expect([answer.status, answer.headers.get('preference-applied')]).toEqual([200, 'wait=20'])
    expect(answer.body.source).toEqual({
      as_of: expect.stringMatching(/T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      counts: { requirements: 1, executions: 0, gates: 0, hooks: 0, dispatches: 0, members: 1 },
      requirement_ids: [requirement.id],
      execution_ids: [],
      data_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      missing: expect.any(Array),
    })
  })

  test('the same data gives the same content, and versions are counted per type and requirement', async () => {
    const [one, two] = [
      await generate({ deliverable_type: 'project_summary' }),
      await generate({ deliverable_type: 'project_summary' }),
    ]
    expect([one.version, two.version]).toEqual([1, 2])
    expect(two.content).toBe(one.content)
    expect(two.source.data_hash).toBe(one.source.data_hash)
    const [requirement] = (await ada.get(`/api/v1/projects/${site.project.id}/requirements`)).body.items
    const narrow = await generate({ deliverable_type: 'project_summary', requirement_id: requirement.id })
    expect([narrow.version, narrow.requirement_id, narrow.source.requirement_ids]).toEqual([1, requirement.id, [requirement.id]])
  })

  test('for one requirement names it', async () => {
    const project = await ada.make(`/api/v1/workspaces/${site.workspace.id}/projects`, { name: 'Narrow' })
    const of = `/api/v1/projects/${project.id}`
    const requirement = await ada.make(`${of}/requirements`, { title: 'Pay with *points*' })
    for (const deliverable_type of ['changelog', 'project_summary', 'deployment_guide', 'user_manual']) {
      const { content } = await generate({ deliverable_type, requirement_id: requirement.id }, `${of}/deliverables`)
      const named = `\n\nLimited to one requirement: [\\#${requirement.number}](<`
      expect(content).toContain(named)
      expect(content).toContain(`/app/requirements/${requirement.id}>) Pay with \\*points\\*\n\n`)
      expect((await generate({ deliverable_type }, `${of}/deliverables`)).content).not.toContain('Narrowed to')
    }
  })

  test('for an empty project gives a short document, not an error', async () => {
    const empty = await ada.make(`/api/v1/workspaces/${site.workspace.id}/projects`, { name: 'Empty' })
    for (const deliverable_type of ['changelog', 'project_summary', 'deployment_guide', 'api_docs', 'user_manual']) {
      const { status, error } = await generate({ deliverable_type }, `/api/v1/projects/${empty.id}/deliverables`)
      expect([deliverable_type, status, error]).toEqual([deliverable_type, 'draft', null])
    }
  })

  test('refuses unknown types and requirements of other projects', async () => {
    const elsewhere = await box.site(ada, 'Elsewhere')
    const foreign = await ada.make(`/api/v1/projects/${elsewhere.project.id}/requirements`, { title: 'Foreign' })
    const cases: [object, string][] = [
      [{ deliverable_type: 'poem' }, '/deliverable_type'],
      [{}, '/deliverable_type'],
      [{ deliverable_type: 'changelog', requirement_id: foreign.id }, '/requirement_id'],
      [{ deliverable_type: 'changelog', requirement_id: crypto.randomUUID() }, '/requirement_id'],
      [{ deliverable_type: 'changelog', requirement_id: 'x' }, '/requirement_id'],
      [{ deliverable_type: 'changelog', format: 'html' }, '/format'],
    ]
    for (const [input, pointer] of cases) {
      const { status, body } = await ada.post(`${path}/generate`, input)
      expect([status, body.errors?.[0].pointer]).toEqual([422, pointer])
    }
  })
})

describe('The list', () => {
  test('omits contents, and can be filtered by type', async () => {
    const { body } = await ada.get(path)
    expect(body.length).toBeGreaterThan(3)
    for (const each of body) expect(each).not.toHaveProperty('content')
    const summaries = (await ada.get(`${path}?deliverable_type=project_summary`)).body
    expect(summaries.map(({ deliverable_type }: { deliverable_type: string }) => deliverable_type)).toEqual(
      Array(3).fill('project_summary'),
    )
    expect((await ada.get(`${path}?deliverable_type=poem`)).status).toBe(422)
  })

  test('is paginated', async () => {
    const first = await ada.get(`${path}?limit=2`)
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? []
    const second = await ada.get(next)
    const all = (await ada.get(path)).body
    expect([...first.body, ...second.body]).toEqual(all.slice(0, 4))
  })
})

describe('The document', () => {
  test('is returned in the accepted media type', async () => {
    const { id, content } = await generate({ deliverable_type: 'changelog' })
    const markdown = await get(id, 'text/markdown')
    expect([markdown.headers.get('content-type'), markdown.body]).toEqual(['text/markdown; charset=utf-8', content])
    const html = await get(id, 'text/html;q=0.9, application/json;q=0.1')
    expect(html.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(html.body).toStartWith('<!doctype html>')
    expect((await get(id, '*/*')).body.id).toBe(id)
    expect((await get(id, 'text/*')).headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    const tag = html.headers.get('etag') ?? ''
    const again = await ada.get(`/api/v1/deliverables/${id}`, { Accept: 'text/html', 'If-None-Match': tag })
    expect(again.status).toBe(304)
  })

  test('is a 406 for other media types', async () => {
    const { id } = await generate({ deliverable_type: 'changelog' })
    for (const accept of ['application/pdf', 'text/html;q=0']) {
      const { status, body } = await get(id, accept)
      expect([status, body.code]).toEqual([406, 'not_acceptable'])
    }
  })

  test('is a 409 while it is generated, and after that failed', async () => {
    for (const [state, error] of [
      ['generating', null],
      ['failed', 'It could not be made.'],
    ] as const) {
      const { id } = await generate({ deliverable_type: 'changelog' })
      await box.sql`update deliverables set status = ${state}, content = null, parts = null, error = ${error} where id = ${id}`
      const { status, body } = await get(id, 'text/markdown')
      expect([status, body.code]).toEqual([409, 'deliverable_not_ready'])
      expect((await get(id)).body.status).toBe(state)
    }
  })
})

describe('State transitions:', () => {
  const NEXT: Record<string, Record<string, string | undefined>> = {
    generating: {},
    failed: {},
    draft: { publish: 'published', archive: 'archived' },
    published: { archive: 'archived' },
    archived: {},
  }
  for (const [state, moves] of Object.entries(NEXT)) {
    for (const action of ['publish', 'archive']) {
      test(`${action} when ${state} ${moves[action] ? `leads to ${moves[action]}` : 'is refused'}`, async () => {
        const { id } = await generate({ deliverable_type: 'api_docs' })
        if (state === 'published') await act(id, 'publish')
        if (state === 'archived') await act(id, 'archive')
        if (state === 'generating')
          await box.sql`update deliverables set status = 'generating', content = null, parts = null where id = ${id}`
        if (state === 'failed')
          await box.sql`update deliverables set status = 'failed', content = null, parts = null, error = 'No.' where id = ${id}`
        const { status, body } = await act(id, action)
        if (moves[action]) {
          expect([status, body.status]).toEqual([200, moves[action]])
          expect(body[`${moves[action]}_at`]).toEqual(expect.any(String))
        } else {
          expect([status, body.code]).toEqual([409, 'invalid_transition'])
          expect(body.detail).toContain(state)
        }
      })
    }
    test(`deletion when ${state} is allowed`, async () => {
      const { id } = await generate({ deliverable_type: 'api_docs' })
      await box.sql`
        update deliverables
        set status       = ${state},
            content      = case when ${state} in ('generating', 'failed') then null else content end,
            parts        = case when ${state} in ('generating', 'failed') then null else parts end,
            error        = case when ${state} = 'failed' then 'No.' end,
            published_at = ${state === 'published' ? box.sql`now()` : null},
            archived_at  = ${state === 'archived' ? box.sql`now()` : null}
        where id = ${id}
      `
      expect((await ada.delete(`/api/v1/deliverables/${id}`)).status).toBe(204)
      expect((await get(id)).status).toBe(404)
    })
  }

  test('the document is parsed once: what is stored is served', async () => {
    const { id } = await generate({ deliverable_type: 'changelog' })
    const parts = [[['h1', {}, 'Stored']], [['p', {}, 'twice']]].map((part) => JSON.stringify(part))
    await box.sql`update deliverables set parts = ${parts} where id = ${id}`
    const { status, body } = await ada.get(`/api/v1/deliverables/${id}`, { Accept: 'text/html' })
    expect([status, body]).toEqual([200, expect.stringContaining('<main>\n<h1>Stored</h1>\n<p>twice</p></main>')])
  })

  test('of concurrent publications one succeeds', async () => {
    const { id } = await generate({ deliverable_type: 'changelog' })
    const answers = await Promise.all(Array.from({ length: 10 }, () => act(id, 'publish')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    const [{ count }] = await box.sql<[{ count: number }]>`
      select count(*) as count from outbox where name = 'deliverable.published' and data -> 'deliverable' ->> 'id' = ${id}
    `
    expect(count).toBe(1)
  })
})

test('a published changelog is a release', async () => {
  const project = await ada.make(`/api/v1/workspaces/${site.workspace.id}/projects`, { name: 'Released' })
  const of = `/api/v1/projects/${project.id}`
  const finish = async (title: string) => {
    const { id } = await ada.make(`${of}/requirements`, { title })
    await ada.put(`/api/v1/requirements/${id}`, { status: 'done' })
  }
  await finish('First thing')
  const first = await generate({ deliverable_type: 'changelog' }, `${of}/deliverables`)
  expect(first.content).toMatch(/## Unreleased\n\n### Added\n\n- First thing/)
  await act(first.id, 'publish')
  await finish('Second thing')
  const second = await generate({ deliverable_type: 'changelog' }, `${of}/deliverables`)
  expect(second.content).toMatch(
    /## Unreleased\n\n### Added\n\n- Second thing[\s\S]+## 1 - \d{4}-\d{2}-\d{2}\n\n### Added\n\n- First thing/,
  )
})

test('changes are audited', async () => {
  const { id } = await generate({ deliverable_type: 'changelog' })
  await act(id, 'publish')
  await ada.delete(`/api/v1/deliverables/${id}`)
  const entries = await box.sql<{ action: string; actor_type: string }[]>`
    select action, actor_type from audit_log_entries where resource_id = ${id} order by id
  `
  expect(entries.map(({ action, actor_type }) => `${action} ${actor_type}`)).toEqual([
    'deliverable.requested human',
    'deliverable.generated system',
    'deliverable.published human',
    'deliverable.deleted human',
  ])
})
