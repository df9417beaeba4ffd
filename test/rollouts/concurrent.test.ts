import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { RolloutWorkbench } from './workbench.ts'

let bench: RolloutWorkbench

beforeAll(async () => {
  bench = await RolloutWorkbench.open()
})

afterAll(() => bench.close())

describe('concurrent reports', () => {
  test('of the same outcome, fifty at once: all succeed, one is recorded', async () => {
    const { project, hook, receiver } = await bench.reporting()
    const events = await bench.subscribe(project)
    const dispatch = await bench.triggered(hook)
    const token = await bench.tokenOf(receiver, dispatch)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => bench.reportWith(token, dispatch, { state: 'succeeded', version: `v${index}` })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.rollout))).size).toBe(1)
    await bench.quiet()
    expect(events.requests).toHaveLength(1)
    const entries = await bench.box
      .sql`select from audit_log_entries where resource_id = ${dispatch.id} and action = 'rollout.reported'`
    expect(entries).toHaveLength(1)
  })

  test('that contradict each other: one outcome stands, and every answer agrees with it', async () => {
    const { project, hook } = await bench.reporting()
    const events = await bench.subscribe(project)
    const dispatch = await bench.triggered(hook)
    const states = ['succeeded', 'failed', 'in_progress', 'failed', 'succeeded']
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const state = states[index % states.length] ?? ''
        return { state, ...(await bench.report(dispatch, { state })) }
      }),
    )
    const { rollout } = await bench.dispatch(dispatch.id)
    for (const { state, status } of answers.filter((each) => each.state !== 'in_progress')) {
      expect(status).toBe(state === rollout.state ? 200 : 409)
    }
    const [environment] = await bench.environments(project)
    expect(environment.latest.state).toBe(rollout.state)
    expect(environment.current?.dispatch_id ?? null).toBe(rollout.state === 'succeeded' ? dispatch.id : null)
    await bench.quiet()
    const names = events.requests.map(({ headers }) => headers['x-signalbox-event'])
    expect(names.filter((name) => name !== 'rollout.started')).toEqual([`rollout.${rollout.state}`])
    expect(names.filter((name) => name === 'rollout.started').length).toBeLessThanOrEqual(1)
  })

  test('cannot change an outcome, whatever statement tries', async () => {
    const { hook } = await bench.reporting()
    const { id } = await bench.rolledOut(hook, { state: 'succeeded' })
    const change = bench.box.sql`update rollouts set state = 'failed' where id = ${id}`.execute()
    await expect(change).rejects.toThrow('which is final')
  })
})
