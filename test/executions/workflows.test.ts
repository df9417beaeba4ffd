import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Site } from '../support/signalbox.ts'
import { Work } from './work.ts'

let work: Work

beforeAll(async () => {
  work = await Work.begin()
})
afterAll(() => work.box.close())

describe('A workflow', () => {
  let place: Site
  const completions = async (graph_id: string) => {
    const [{ count }] = await work.box.sql<[{ count: number }]>`
      select count(*) as count from outbox where name = 'workflow.completed' and data ->> 'graph_id' = ${graph_id}
    `
    return count
  }
  const newRequirement = async () =>
    (await work.ada.make(`/api/v1/projects/${place.project.id}/requirements`, { title: 'Part' })).id
  const run = async (graph_id: string, of: string) => {
    const { id } = await work.queue({ graph_id }, of)
    await work.act(id, 'start')
    return id
  }

  beforeAll(async () => {
    place = await work.box.site(work.ada, 'Workflows')
  })

  test('is completed exactly once when its last two executions end concurrently, in twenty rounds', async () => {
    for (let round = 0; round < 20; round++) {
      const graph_id = crypto.randomUUID()
      const ids = await Promise.all([run(graph_id, await newRequirement()), run(graph_id, await newRequirement())])
      const answers = await Promise.all(ids.map((id) => work.act(id, 'complete')))
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect(await completions(graph_id)).toBe(1)
    }
  })

  test('is not completed while an execution is queued, running or awaiting a gate', async () => {
    const graph_id = crypto.randomUUID()
    const [first, second] = [await run(graph_id, await newRequirement()), await run(graph_id, await newRequirement())]
    await work.act(second, 'gates', { name: 'Gate' })
    await work.act(first, 'complete')
    expect(await completions(graph_id)).toBe(0)
    const { body } = await work.ada.get(`/api/v1/executions/${second}/gates`)
    await work.ada.make(`/api/v1/gates/${body[0].id}/approve`)
    expect(await completions(graph_id)).toBe(0)
    await work.act(second, 'complete')
    expect(await completions(graph_id)).toBe(1)
  })

  test('is not completed by a failure, and is completed by a successful retry', async () => {
    const graph_id = crypto.randomUUID()
    const part = await newRequirement()
    await work.act(await run(graph_id, part), 'fail')
    expect(await completions(graph_id)).toBe(0)
    await work.act(await run(graph_id, part), 'complete')
    expect(await completions(graph_id)).toBe(1)
  })

  test('is completed when cancelling leaves only completed executions', async () => {
    const graph_id = crypto.randomUUID()
    const [first, second] = [await run(graph_id, await newRequirement()), await run(graph_id, await newRequirement())]
    await work.act(first, 'complete')
    await work.act(second, 'cancel')
    expect(await completions(graph_id)).toBe(1)
  })

  test('is never completed when all executions are cancelled', async () => {
    const graph_id = crypto.randomUUID()
    const [first, second] = [await run(graph_id, await newRequirement()), await run(graph_id, await newRequirement())]
    await work.act(first, 'cancel')
    await work.act(second, 'cancel')
    expect(await completions(graph_id)).toBe(0)
  })

  test('can be completed again by a later execution', async () => {
    const graph_id = crypto.randomUUID()
    const part = await newRequirement()
    await work.act(await run(graph_id, part), 'complete')
    await work.act(await run(graph_id, part), 'complete')
    expect(await completions(graph_id)).toBe(2)
  })

  test('belongs to its project: the same graph_id in another project is another workflow', async () => {
    const graph_id = crypto.randomUUID()
    await run(graph_id, work.requirement.id)
    await work.act(await run(graph_id, await newRequirement()), 'complete')
    const rows = await work.box
      .sql`select project_id from outbox where name = 'workflow.completed' and data ->> 'graph_id' = ${graph_id}`
    expect(rows.map(({ project_id }) => project_id)).toEqual([place.project.id])
  })
})
