/** Who does not approve the gate that Signalbox opens, where no one approves their own work. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import type { Actor } from '../support/signalbox.ts'
import { type Body, PromotionWorkbench, subjectOf, V1 } from './workbench.ts'

let bench: PromotionWorkbench

beforeAll(async () => {
  bench = await PromotionWorkbench.open()
})
afterAll(() => bench.close())

const OPENS = { open_gate: true }

describe('With prevent_self_approval, it is not approved by', () => {
  let grace: Actor
  let mary: Actor

  beforeAll(async () => {
    ;[grace, mary] = [await bench.box.user('Grace'), await bench.box.user('Mary')]
    for (const person of [grace, mary]) await bench.box.join(person, bench.site, 'admin')
  })

  const STRICT = { ...OPENS, prevent_self_approval: true }
  const approve = (by: Actor, { id, binding }: Body) => by.post(`/api/v1/gates/${id}/approve`, { binding })
  const isRefused = async (by: Actor, gate: Body): Promise<void> => {
    const { status, body } = await approve(by, gate)
    expect([status, body.code]).toEqual([403, 'self_approval'])
    expect(body.detail).toContain('in an earlier environment')
    const { text } = await (await PageClient.signedIn(bench.box, by)).open(`/app/gates/${gate.id}`)
    expect(text).toContain('so another person has to approve it.')
    const { body: track } = await by.get(`/api/v1/projects/${gate.project_id}/track`)
    expect(track.environments.flatMap(({ gates }: Body) => gates.map(({ waits_for_you }: Body) => waits_for_you))).toEqual([
      false,
    ])
    // Nor by any other path.
    const insert = bench.box.sql`
      insert into gate_approvals (gate_id, organization_id, user_id, via, counted)
      values (${gate.id}, ${gate.organization_id}, ${by.id}, 'api', true)
    `
    await expect(Promise.resolve(insert)).rejects.toThrow('gate_approvals_self')
  }

  test('the person who opened the gate before, nor the one who reported the rollout', async () => {
    const chain = await bench.chain(STRICT)
    const { body: earlier } = await grace.post(`/api/v1/projects/${chain.project.id}/gates`, {
      name: 'Release',
      environment: 'staging',
      subject: subjectOf(V1),
    })
    await approve(mary, earlier)
    await bench.rolledOutFirst(chain.staging, { state: 'succeeded' })
    const gate = await bench.next(chain)
    await isRefused(grace, gate)
    await isRefused(bench.admin, gate)
    const { body: effects } = await mary.get(`/api/v1/gates/${gate.id}/effects`)
    expect(effects.missing.join(' ')).toContain('People who asked for its subject in an earlier environment')
    expect((await approve(mary, gate)).body.status).toBe('approved')
    expect((await bench.settled(chain.production)).status).toBe('succeeded')
  })

  test('the person who triggered the rollout in the first environment of a chain', async () => {
    const chain = await bench.chain(STRICT)
    const dev = await bench.hookIn(chain.project, 'dev')
    await bench.policy(chain.project, { promotes_from: 'dev', ...OPENS }, 'staging')
    const { body: dispatch } = await grace.post(`/api/v1/deployment-hooks/${dev.id}/trigger`, undefined, { Prefer: 'wait=20' })
    expect((await bench.report(dispatch, { state: 'succeeded', digest: V1 })).status).toBe(200)
    await bench.box.until('staging asks', async () => (await bench.gates(chain.project)).length === 1)
    const [earlier] = await bench.gates(chain.project)
    expect((await approve(mary, earlier)).status).toBe(200)
    await bench.rolledOutFirst(chain.staging, { state: 'succeeded' })
    const gate = await bench.next(chain)
    await isRefused(grace, gate)
    expect((await approve(mary, gate)).body.status).toBe('approved')
  })

  test('and is by them without it', async () => {
    const chain = await bench.chain(OPENS)
    await bench.run(chain.staging, V1)
    await bench.approveGate(await bench.next(chain))
  })
})
