/** A newer subject replaces an older one; the same subject is asked about once. Gates without an execution. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { moveExpiry } from '../support/fixed-gates.ts'
import type { Actor, Answer } from '../support/signalbox.ts'
import { approve, Committee, reject } from './committee.ts'

type Body = Answer['body']

const subject = (version: string) => ({
  uri: 'pkg:oci/checkout',
  digest: { sha256: new Bun.CryptoHasher('sha256').update(version).digest('hex') },
  version,
})

let committee: Committee
let ada: Actor

beforeAll(async () => {
  committee = await Committee.meet({ workers: 1 })
  ;({ ada } = committee)
})
afterAll(() => committee.close())

/** Where gates open: in an execution, and in a project. */
const PLACES: Record<string, () => Promise<string>> = {
  'an execution': async () => `/api/v1/executions/${(await committee.box.running(ada, committee.site.project.id)).id}/gates`,
  'a project': async () => `/api/v1/projects/${(await committee.withPolicy({})).project.id}/gates`,
}

for (const [place, pathOf] of Object.entries(PLACES)) {
  describe(`In ${place}`, () => {
    test('a pending gate is cancelled by one with another subject, and approvals do not carry over', async () => {
      const path = await pathOf()
      const input = { name: 'Release', environment: 'production', required_approvals: 2 }
      const first = await ada.make(path, { ...input, subject: subject('v1') })
      await approve(ada, first, { binding: first.binding })
      const second = await ada.make(path, { ...input, subject: subject('v2') })
      expect(second).toMatchObject({ status: 'pending', approvals: [], superseded_by: null })
      const replaced = await committee.gateOf(first)
      expect(replaced).toMatchObject({ status: 'cancelled', superseded_by: second.id, decided_by: null })
      const late = await approve(committee.grace, first, { binding: first.binding })
      expect([late.status, late.body.code]).toEqual([409, 'invalid_transition'])
    })

    test('another uri alone, or another version, is another subject', async () => {
      const path = await pathOf()
      const base = subject('v1')
      const gates: Body[] = []
      for (const change of [{}, { uri: 'pkg:oci/billing' }, { uri: 'pkg:oci/billing', version: 'v1.0' }])
        gates.push(await ada.make(path, { name: 'Release', subject: { ...base, ...change } }))
      const found = await Promise.all(gates.map((gate) => committee.gateOf(gate)))
      expect(found.map(({ status, superseded_by }) => [status, superseded_by])).toEqual([
        ['cancelled', gates[1].id],
        ['cancelled', gates[2].id],
        ['pending', null],
      ])
    })

    test('the same subject is refused while it is pending, with the id of its gate', async () => {
      const path = await pathOf()
      const first = await ada.make(path, { name: 'Release', subject: subject('v1') })
      const again = await ada.post(path, { name: 'Release', subject: subject('v1') })
      expect([again.status, again.body.code]).toEqual([409, 'gate_open'])
      expect(again.body.detail).toContain(first.id)
      await approve(ada, first, { binding: first.binding })
      expect((await ada.post(path, { name: 'Release', subject: subject('v1') })).status).toBe(201)
    })

    test('another name, another environment, and gates without a subject are independent of each other', async () => {
      const path = await pathOf()
      const inputs = [
        { name: 'Release', subject: subject('v1') },
        { name: 'Release', subject: subject('v1'), environment: 'staging' },
        { name: 'Legal', subject: subject('v1') },
        { name: 'Release' },
        { name: 'Release' },
      ]
      const gates: Body[] = []
      for (const input of inputs) gates.push(await ada.make(path, input))
      const statuses = await Promise.all(gates.map(async (gate) => (await committee.gateOf(gate)).status))
      expect(statuses).toEqual(inputs.map(() => 'pending'))
    })

    test('of gates that open at once one stays pending', async () => {
      const path = await pathOf()
      const versions = ['v1', 'v1', 'v2', 'v3', 'v3', 'v4']
      const answers = await Promise.all(versions.map((version) => ada.post(path, { name: 'Release', subject: subject(version) })))
      for (const { status, body } of answers)
        expect([status, body.code]).toBeOneOf([
          [201, undefined],
          [409, 'gate_open'],
        ])
      const gates = await Promise.all(answers.flatMap(({ status, body }) => (status === 201 ? committee.gateOf(body) : [])))
      expect(gates.filter(({ status }) => status === 'pending')).toHaveLength(1)
      const replaced = gates.filter(({ status }) => status === 'cancelled')
      expect(replaced.map(({ superseded_by }) => gates.some(({ id }) => id === superseded_by))).toEqual(replaced.map(() => true))
    })

    test('a decision and a newer subject at once have one outcome', async () => {
      for (let round = 0; round < 5; round++) {
        const path = await pathOf()
        const first = await ada.make(path, { name: 'Release', subject: subject('v1') })
        const [approval, opened] = await Promise.all([
          approve(committee.grace, first, { binding: first.binding }),
          ada.post(path, { name: 'Release', subject: subject('v2') }),
        ])
        expect(opened.status).toBe(201)
        const { status, superseded_by } = await committee.gateOf(first)
        expect([status, superseded_by]).toEqual(approval.status === 200 ? ['approved', null] : ['cancelled', opened.body.id])
      }
    })
  })
}

test('a gate that has expired is neither open nor replaced, also before a worker has recorded that', async () => {
  const { project } = await committee.withPolicy({})
  const path = `/api/v1/projects/${project.id}/gates`
  for (const version of ['v1', 'v2']) {
    const input = { name: `Release ${version}`, expires_in_seconds: 600 }
    const first = await ada.make(path, { ...input, subject: subject('v1') })
    await committee.passExpiry(first)
    expect((await ada.post(path, { ...input, subject: subject(version) })).status).toBe(201)
    expect(await committee.gateOf(first)).toMatchObject({ status: 'expired', superseded_by: null })
    const events = await committee.box.sql`
      select name from outbox where data -> 'gate' ->> 'id' = ${first.id} and name = 'gate.expired'
    `
    expect(events).toHaveLength(1)
  }
  const waiting = await committee.opened({ subject: subject('v1'), expires_in_seconds: 600 })
  await committee.passExpiry(waiting)
  const path2 = `/api/v1/executions/${waiting.execution_id}/gates`
  const late = await ada.post(path2, { name: waiting.name, subject: subject('v2') })
  expect([late.status, late.body.code]).toEqual([409, 'invalid_transition'])
})

test('the execution waits on for the gate that replaced another one', async () => {
  const first = await committee.opened({ subject: subject('v1') })
  const path = `/api/v1/executions/${first.execution_id}/gates`
  const second = await ada.make(path, { name: first.name, subject: subject('v2') })
  expect((await committee.executionOf(first)).status).toBe('awaiting_gate')
  await approve(ada, second, { binding: second.binding })
  expect((await committee.executionOf(first)).status).toBe('running')
})

test('what asked for the replaced gate is read', async () => {
  const first = await committee.opened({ subject: subject('v1') })
  const asked = async (gate: Body): Promise<Body> => {
    const { body } = await committee.grace.get('/api/v1/notifications?page_size=100')
    return body.items.find(({ type, resource_id }: Body) => type === 'gate_pending' && resource_id === gate.id)
  }
  await committee.box.until('it is asked for', async () => (await asked(first))?.read_at === null)
  const second = await ada.make(`/api/v1/executions/${first.execution_id}/gates`, { name: first.name, subject: subject('v2') })
  await committee.box.until('it is read, and the new one is not', async () => {
    const [old, now] = [await asked(first), await asked(second)]
    return old.read_at !== null && now?.read_at === null
  })
})

describe('A gate without an execution', () => {
  const path = () => `/api/v1/projects/${committee.site.project.id}/gates`
  const opened = (input: object = {}, by = ada): Promise<Body> => by.make(path(), { name: 'Change freeze', ...input })
  const eventsOf = ({ id }: Body) =>
    committee.box.sql<{ name: string; data: Body }[]>`
      select name, data from outbox where data -> 'gate' ->> 'id' = ${id} and name like 'gate.%' order by id
    `

  test('is opened by a member, listed, approved and rejected; events have neither execution nor requirement', async () => {
    const { status, headers, body: gate } = await committee.member.post(path(), { name: 'Change freeze' })
    expect([status, headers.get('location'), gate.execution_id]).toEqual([201, `/api/v1/gates/${gate.id}`, null])
    expect((await ada.get(`${path()}?status=pending`)).body.map(({ id }: Body) => id)).toContain(gate.id)
    expect((await approve(ada, gate)).body).toMatchObject({ status: 'approved', triggers_hooks: true })
    expect(await eventsOf(gate)).toEqual([
      { name: 'gate.pending', data: { gate: expect.anything(), requirement: null } },
      { name: 'gate.approved', data: { gate: expect.anything(), execution: null, requirement: null } },
    ] as never)
    const other = await opened({ required_approvals: 2 })
    expect((await approve(ada, other)).body.status).toBe('pending')
    expect((await reject(committee.grace, other)).body.status).toBe('rejected')
    expect((await eventsOf(other)).map(({ name }) => name)).toEqual(['gate.pending', 'gate.approval_added', 'gate.rejected'])
  })

  test('is decided once, by as many people as it requires, also at once', async () => {
    const gate = await opened({ required_approvals: 2, prevent_self_approval: true })
    expect((await approve(ada, gate)).body.code).toBe('self_approval')
    const answers = await Promise.all([committee.grace, committee.mary, committee.grace].map((person) => approve(person, gate)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    expect((await committee.gateOf(gate)).status).toBe('approved')
  })

  test('expires', async () => {
    const gate = await opened({ expires_in_seconds: 600 })
    await committee.box.sql`update gates set remind_at = now() where id = ${gate.id}`
    await committee.box.until('it is announced', async () => (await eventsOf(gate)).some(({ name }) => name === 'gate.expiring'))
    await moveExpiry(committee.box.sql, gate.id)
    await committee.box.until('it is expired', async () => (await committee.gateOf(gate)).status === 'expired')
    expect((await eventsOf(gate)).at(-1)).toMatchObject({ name: 'gate.expired', data: { execution: null, requirement: null } })
  })

  test('notifies the admins of the workspace', async () => {
    const gate = await opened()
    await committee.box.until('an admin is asked', async () => {
      const { body } = await committee.mary.get('/api/v1/notifications?page_size=100')
      return body.items.some(({ resource_id }: Body) => resource_id === gate.id)
    })
  })

  test('is one of at most 100 pending ones of its project', async () => {
    const { project } = await committee.withPolicy({})
    const open = () => ada.post(`/api/v1/projects/${project.id}/gates`, { name: 'Change' })
    const answers = await Promise.all(Array.from({ length: 103 }, open))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(100)
    expect(answers.filter(({ body }) => body.code === 'gate_limit_reached')).toHaveLength(3)
    const [gate] = answers.flatMap(({ status, body }) => (status === 201 ? body : []))
    await approve(ada, gate)
    expect((await open()).status).toBe(201)
  })

  test('is deleted with its project', async () => {
    const { project } = await committee.withPolicy({})
    const gate = await ada.make(`/api/v1/projects/${project.id}/gates`, { name: 'Change' })
    expect((await ada.delete(`/api/v1/projects/${project.id}`)).status).toBe(204)
    expect((await ada.get(`/api/v1/gates/${gate.id}`)).status).toBe(404)
  })
})
