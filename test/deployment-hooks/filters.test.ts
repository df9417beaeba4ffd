/** Filters of hooks: which events make a dispatch. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Answer } from '../support/signalbox.ts'
import { Workbench } from './workbench.ts'

type Body = Answer['body']

const WAIT = { Prefer: 'wait=25' }

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(() => bench.close())

/** Approves a gate with a name, and waits until its event is drained. */
async function approve(project: Body, name: string, description: string | null = null): Promise<void> {
  const execution = await bench.box.running(bench.admin, project.id)
  const gate = await bench.admin.make(`/api/v1/executions/${execution.id}/gates`, { name, description })
  await bench.admin.make(`/api/v1/gates/${gate.id}/approve`, {})
  await bench.box.settled()
}

const names = ({ requests }: { requests: { body: string }[] }) => requests.map(({ body }) => JSON.parse(body).data.gate.name)

describe('a filter', () => {
  test('lets events pass that fulfil it; others make no dispatch and take no sequence', async () => {
    const filter = { '/data/gate/name': { starts_with: 'Release' }, '/environment': { in: ['production', 'staging'] } }
    const { project, hook, receiver } = await bench.hooked({ filter })
    expect(hook.filter).toEqual(filter)
    for (const name of ['Design', 'Release 1', 'release 2', 'Release 3']) await approve(project, name)
    await bench.dispatches(hook, (found) => found.length === 2 && found.every(({ status }) => status === 'succeeded'))
    expect(names(receiver).sort()).toEqual(['Release 1', 'Release 3'])
    const { total, items } = await bench.listed(hook)
    expect([total, items.map(({ sequence }: Body) => sequence)]).toEqual([2, [2, 1]])
  })

  test('decides for each hook by itself, and by the filter as it is when the event is drained', async () => {
    const { project, hook, receiver } = await bench.hooked({ filter: { '/hook/name': 'Another' } })
    const second = bench.receiver()
    const input = { name: 'Another', url: second.url, trigger_on: 'gate_approved', environment: 'staging' }
    const other = await bench.admin.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
      ...input,
      filter: { '/hook/name': 'Another', '/environment': 'staging', '/project/id': project.id, '/sequence': null },
    })
    await approve(project, 'First')
    await second.waitFor(1)
    await bench.change(hook, { filter: {} })
    await bench.change(other, { filter: { '/data/gate/name': { not: 'Second' } } })
    await approve(project, 'Second')
    await receiver.waitFor(1)
    await bench.change(other, { filter: null })
    await approve(project, 'Third')
    await Promise.all([receiver.waitFor(2), second.waitFor(2)])
    expect([names(receiver), names(second)]).toEqual([
      ['Second', 'Third'],
      ['First', 'Third'],
    ])
    expect((await bench.listed(hook)).items.map(({ sequence }: Body) => sequence)).toEqual([2, 1])
  })

  test('treats absent, null and differently typed values by the rules', async () => {
    const filters: [filter: object, passes: boolean][] = [
      [{ '/data/gate/description': null }, true],
      [{ '/data/nothing/at/all': null }, true],
      [{ '/data/gate/description': { exists: true } }, true],
      [{ '/data/nothing': { exists: true } }, false],
      [{ '/data/nothing': { not: null } }, true],
      [{ '/data/gate/description': { not: null } }, false],
      [{ '/data/gate/name': 5 }, false],
      [{ '/data/gate/name': { gte: 1 } }, false],
      [{ '/data/gate': 'object' }, false],
      [{ '/data/constructor': { exists: false } }, true],
      [{ '/__proto__/x': null }, true],
    ]
    const { project } = await bench.hooked()
    const hooks = await Promise.all(
      filters.map(([filter]) =>
        bench.admin.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
          name: 'Filtered',
          url: 'http://127.0.0.1:1/',
          trigger_on: 'gate_approved',
          filter,
        }),
      ),
    )
    await approve(project, '5')
    const counts = await Promise.all(hooks.map(async (hook) => (await bench.listed(hook)).total))
    expect(counts.map((count, index) => [filters[index]?.[0], count === 1])).toEqual(filters)
  })

  test('decides on completed workflows too', async () => {
    const filter = { '/data/executions/0/agent': { not: 'claude' } }
    const { project, hook } = await bench.hooked({ trigger_on: 'workflow_done', filter })
    const run = async () => {
      const execution = await bench.box.running(bench.admin, project.id)
      await bench.admin.make(`/api/v1/executions/${execution.id}/complete`, {})
      await bench.box.settled()
      return execution
    }
    const { agent } = await run()
    const before = (await bench.listed(hook)).total
    await bench.change(hook, { filter: { '/data/executions/0/agent': agent } })
    await run()
    expect([before, (await bench.listed(hook)).total]).toEqual([agent === 'claude' ? 0 : 1, agent === 'claude' ? 1 : 2])
  })

  test('does not decide on tests, triggers and rollbacks', async () => {
    const { project, hook, receiver } = await bench.hooked({ filter: { '/event': 'nothing' } })
    await bench.ask(hook, 'test', undefined, WAIT)
    await bench.ask(hook, 'trigger', undefined, WAIT)
    await bench.admin.post(`/api/v1/projects/${project.id}/deployment-rollback`, { target_version: 'v1' }, WAIT)
    expect(receiver.requests.map(({ headers }) => headers['x-signalbox-event'])).toEqual([
      'test.ping',
      'manual.trigger',
      'deployment.rollback',
    ])
  })

  test('leaves events out of a hook that the service disabled, too', async () => {
    const { project, hook } = await bench.hooked({ filter: { '/data/gate/name': 'Kept' } })
    await bench.box.sql`update deployment_hooks set enabled = false, disabled_reason = 'It failed.' where id = ${hook.id}`
    await approve(project, 'Left out')
    await approve(project, 'Kept')
    const { items } = await bench.listed(hook)
    expect(items.map(({ status, sequence }: Body) => [status, sequence])).toEqual([['cancelled', 1]])
  })
})

describe('a filter is refused', () => {
  const post = async (filter: unknown) => {
    const project = await bench.project()
    const input = { name: 'Deploy', url: 'http://127.0.0.1:1/', trigger_on: 'gate_approved', filter }
    const { status, body } = await bench.admin.post(`/api/v1/projects/${project.id}/deployment-hooks`, input)
    return [status, ...(body.errors ?? []).map(({ pointer, code }: Body) => `${pointer} ${code}`)]
  }

  test.each<[unknown, string]>([
    [{ 'data/gate': 1 }, '/filter/data~1gate malformed'],
    [{ '': 1 }, '/filter/ malformed'],
    [{ '/a~2': 1 }, '/filter/~1a~02 malformed'],
    [{ '/a': { equals: 1 } }, '/filter/~1a/equals not_allowed'],
    [{ '/a': { gte: 1, lte: 2 } }, '/filter/~1a malformed'],
    [{ '/a': {} }, '/filter/~1a malformed'],
    [{ '/a': [1] }, '/filter/~1a wrong_type'],
    [{ '/a': { gte: '1' } }, '/filter/~1a/gte wrong_type'],
    [{ '/a': { in: 'x' } }, '/filter/~1a/in wrong_type'],
    [{ '/a': { not: { not: 1 } } }, '/filter/~1a/not wrong_type'],
    [{ '/a': { exists: 'yes' } }, '/filter/~1a/exists wrong_type'],
    ['text', '/filter wrong_type'],
    [[], '/filter wrong_type'],
    [{ '/a': 'x'.repeat(8192) }, '/filter too_long'],
    [Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`/${index}`, 1])), '/filter too_many'],
  ])('%j', async (filter, error) => expect(await post(filter)).toEqual([422, error]))

  test('but not at its limits', async () => {
    expect(await post(Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`/${index}`, 1])))).toEqual([201])
    expect(await post({ '/a': 'x'.repeat(8192 - '{"/a":""}'.length) })).toEqual([201])
  })
})
