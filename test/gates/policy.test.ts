import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Actor, Answer, Box, Site } from '../support/signalbox.ts'
import { Committee } from './committee.ts'

type Body = Answer['body']

let committee: Committee
let box: Box
let site: Site
let ada: Actor
let member: Actor

beforeAll(async () => {
  committee = await Committee.meet({ workers: 0 })
  ;({ box, site, ada, member } = committee)
})
afterAll(() => committee.close())

const DEFAULTS = {
  required_approvals: 1,
  prevent_self_approval: false,
  expires_in_seconds: null,
  decide_via: ['api', 'app', 'slack', 'mail'],
}

describe('The policy of a workspace', () => {
  test('starts with one approval, in every way, without an expiry', async () => {
    const { body } = await ada.get(`/api/v1/workspaces/${site.workspace.id}`)
    expect(body.gate_policy).toEqual(DEFAULTS)
  })

  test('changes field by field, and the audit log names each field', async () => {
    const path = `/api/v1/workspaces/${(await committee.withPolicy({ required_approvals: 2 })).workspace.id}`
    const { body } = await ada.put(path, { gate_policy: { expires_in_seconds: 3600, decide_via: ['app', 'mail'] } })
    expect(body.gate_policy).toEqual({
      ...DEFAULTS,
      required_approvals: 2,
      expires_in_seconds: 3600,
      decide_via: ['app', 'mail'],
    })
    const cleared = await ada.put(path, { gate_policy: { expires_in_seconds: null } })
    expect(cleared.body.gate_policy.expires_in_seconds).toBeNull()
    const { body: log } = await ada.get(`/api/v1/organizations/${site.organization.id}/audit-logs?action=workspace.updated`)
    const entries = log.items.filter(({ resource_id }: Body) => resource_id === body.id)
    expect(entries.map(({ detail }: Body) => detail)).toEqual([
      expect.stringContaining('gate_policy.expires_in_seconds from 3600 to none'),
      expect.stringMatching(
        /gate_policy\.expires_in_seconds from none to 3600; gate_policy\.decide_via from .* to "app", "mail"/,
      ),
      expect.stringContaining('gate_policy.required_approvals from 1 to 2'),
    ])
  })

  test('that is sent again as it is changes nothing', async () => {
    const { workspace } = await committee.withPolicy({ required_approvals: 3 })
    const [before] = [(await ada.get(`/api/v1/workspaces/${workspace.id}`)).body]
    const decide_via = DEFAULTS.decide_via.toReversed()
    for (const gate_policy of [before.gate_policy, { decide_via }, {}]) {
      const { body } = await ada.put(`/api/v1/workspaces/${workspace.id}`, { gate_policy })
      expect(body).toEqual(before)
    }
  })

  for (const [name, gate_policy, pointer] of [
    ['no approval', { required_approvals: 0 }, '/gate_policy/required_approvals'],
    ['eleven approvals', { required_approvals: 11 }, '/gate_policy/required_approvals'],
    ['an expiry of 59 seconds', { expires_in_seconds: 59 }, '/gate_policy/expires_in_seconds'],
    ['an expiry after 30 days', { expires_in_seconds: 2_592_001 }, '/gate_policy/expires_in_seconds'],
    ['no way to decide', { decide_via: [] }, '/gate_policy/decide_via'],
    ['an unknown way to decide', { decide_via: ['fax'] }, '/gate_policy/decide_via/0'],
    ['a field that does not exist', { approvers: 2 }, '/gate_policy/approvers'],
  ] as const) {
    test(`is refused with ${name}`, async () => {
      const { status, body } = await ada.put(`/api/v1/workspaces/${site.workspace.id}`, { gate_policy })
      expect([status, body.errors?.[0]?.pointer]).toEqual([422, pointer])
    })
  }

  test('takes the extremes of each field', async () => {
    for (const gate_policy of [
      { required_approvals: 10, expires_in_seconds: 60, decide_via: ['mail'] },
      { required_approvals: 1, expires_in_seconds: 2_592_000, decide_via: DEFAULTS.decide_via },
    ]) {
      const { workspace } = await committee.withPolicy(gate_policy)
      expect((await ada.get(`/api/v1/workspaces/${workspace.id}`)).body.gate_policy).toMatchObject(gate_policy)
    }
  })

  test('is changed by admins only', async () => {
    const { status } = await member.put(`/api/v1/workspaces/${site.workspace.id}`, { gate_policy: { required_approvals: 2 } })
    expect(status).toBe(403)
  })

  test('is copied into a gate when it is committee.opened: later changes do not reach the gate', async () => {
    const { workspace, project } = await committee.withPolicy({
      required_approvals: 2,
      prevent_self_approval: true,
      expires_in_seconds: 3600,
    })
    const gate = await committee.opened({}, project)
    expect(gate).toMatchObject({ required_approvals: 2, prevent_self_approval: true, approvals: [], decided_via: null })
    expect(Date.parse(gate.expires_at) - Date.parse(gate.created_at)).toBe(3_600_000)
    await ada.put(`/api/v1/workspaces/${workspace.id}`, { gate_policy: DEFAULTS })
    expect(await committee.gateOf(gate)).toEqual(gate)
  })
})

describe('A new gate', () => {
  test('may be stricter than the policy', async () => {
    const gate = await committee.opened({ required_approvals: 3, prevent_self_approval: true, expires_in_seconds: 60 })
    expect(gate).toMatchObject({ required_approvals: 3, prevent_self_approval: true, decide_via: DEFAULTS.decide_via })
    expect(gate.expires_at).not.toBeNull()
  })

  test('is refused where it is weaker than the policy, at each field', async () => {
    const { project } = await committee.withPolicy({
      required_approvals: 2,
      prevent_self_approval: true,
      expires_in_seconds: 3600,
    })
    const execution = await box.running(ada, project.id)
    const open = (input: object) => ada.post(`/api/v1/executions/${execution.id}/gates`, { name: 'Review', ...input })
    const { status, body } = await open({ required_approvals: 1, prevent_self_approval: false, expires_in_seconds: 3601 })
    expect([status, body.code]).toEqual([422, 'validation_failed'])
    expect(body.errors.map(({ pointer, code }: Body) => [pointer, code])).toEqual([
      ['/required_approvals', 'weaker_than_policy'],
      ['/prevent_self_approval', 'weaker_than_policy'],
      ['/expires_in_seconds', 'weaker_than_policy'],
    ])
    expect((await open({ expires_in_seconds: null })).body.errors[0].code).toBe('weaker_than_policy')
    expect((await committee.executionOf({ execution_id: execution.id })).status).toBe('running')
    expect((await open({ required_approvals: 2, prevent_self_approval: true, expires_in_seconds: 3600 })).status).toBe(201)
  })
})
