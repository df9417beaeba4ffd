/** Gates for an environment open with the stricter of its policy and that of the workspace. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Actor, Answer, Site } from '../support/signalbox.ts'
import { Committee } from './committee.ts'

type Body = Answer['body']

let committee: Committee
let ada: Actor
let site: Site

beforeAll(async () => {
  committee = await Committee.meet({ workers: 0 })
  ;({ ada, site } = committee)
})
afterAll(() => committee.close())

const subject = { uri: 'pkg:oci/checkout', digest: { sha256: 'a'.repeat(64) } }
const group = (name: string): Promise<Body> => ada.make(`/api/v1/organizations/${site.organization.id}/groups`, { name })

const policyOf = ({ project }: Site) => `/api/v1/projects/${project.id}/environments/production/policy`

/** A project whose environment production has a policy. */
async function under(workspace: object, environment: object): Promise<Site> {
  const own = await committee.withPolicy(workspace)
  expect((await ada.put(policyOf(own), environment)).status).toBe(200)
  return own
}

const open = ({ project }: Site, input: object = {}) =>
  ada.post(`/api/v1/projects/${project.id}/gates`, { name: 'Release', environment: 'production', ...input })

const errorsOf = ({ body }: Answer): string[] => body.errors.map(({ pointer, code }: Body) => `${pointer} ${code}`)

describe('A gate copies the stricter rule', () => {
  test('of the environment', async () => {
    const { id } = await group('Security')
    const own = await under(
      { expires_in_seconds: 7200 },
      {
        required_approvals: 3,
        prevent_self_approval: true,
        expires_in_seconds: 3600,
        decide_via: ['app', 'slack'],
        approvers: [{ group_id: id, count: 2 }],
        gate_required: true,
      },
    )
    const { status, body } = await open(own)
    expect(status).toBe(201)
    const rules = {
      required_approvals: 3,
      prevent_self_approval: true,
      expires_at: body.expires_at,
      decide_via: ['app', 'slack'],
      approvers: [{ group_id: id, count: 2 }],
      require_subject: false,
      require_checks: false,
      require_passkey: false,
      gate_required: true,
    }
    expect(body.rules).toEqual(rules)
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(3_600_000)
    await ada.put(policyOf(own), { required_approvals: 1, approvers: [], gate_required: false })
    expect(await committee.gateOf(body)).toEqual(body)
  })

  test('of the workspace, which became stricter later', async () => {
    const own = await under(
      {},
      { required_approvals: 1, prevent_self_approval: false, expires_in_seconds: 7200, decide_via: ['mail', 'api'] },
    )
    const stricter = { required_approvals: 2, prevent_self_approval: true, expires_in_seconds: 3600, decide_via: ['app', 'api'] }
    await ada.put(`/api/v1/workspaces/${own.workspace.id}`, { gate_policy: stricter })
    const { body } = await open(own)
    expect(body).toMatchObject({ required_approvals: 2, prevent_self_approval: true, decide_via: ['api'] })
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(3_600_000)
  })

  test('which always have a way in common: a workspace policy that would leave none is refused', async () => {
    const own = await under({}, { decide_via: ['mail', 'api'] })
    const change = (decide_via: string[]) => ada.put(`/api/v1/workspaces/${own.workspace.id}`, { gate_policy: { decide_via } })
    const { status, body } = await change(['slack', 'app'])
    expect([status, body.errors]).toEqual([
      422,
      [expect.objectContaining({ pointer: '/gate_policy/decide_via', code: 'not_allowed' })],
    ])
    expect(body.errors[0].detail).toContain('the environment production of the project Checkout')
    expect((await change(['slack', 'mail'])).status).toBe(200)
    expect((await open(own)).body.decide_via).toEqual(['mail'])
    await ada.delete(policyOf(own))
    expect((await change(['slack'])).status).toBe(200)
  })

  test('in which approvers can use a passkey, where one is required', async () => {
    const own = await under({ decide_via: ['app', 'slack'] }, { require_passkey: true })
    const workspace = (decide_via: string[]) => ada.put(`/api/v1/workspaces/${own.workspace.id}`, { gate_policy: { decide_via } })
    const environment = (input: object) => ada.put(policyOf(own), input)
    const refused = async (answer: Promise<Answer>) => {
      const { status, body } = await answer
      return [status, ...body.errors.map(({ pointer, code }: Body) => `${pointer} ${code}`)]
    }
    expect(await refused(workspace(['slack', 'mail']))).toEqual([422, '/gate_policy/decide_via not_allowed'])
    expect(await refused(environment({ decide_via: ['slack'] }))).toEqual([422, '/decide_via not_allowed'])
    expect((await environment({ decide_via: ['slack'], require_passkey: false })).status).toBe(200)
    expect(await refused(environment({ require_passkey: true }))).toEqual([422, '/decide_via not_allowed'])
    await environment({ decide_via: null })
    await workspace(['slack'])
    expect(await refused(environment({ require_passkey: true }))).toEqual([422, '/require_passkey not_allowed'])
    await workspace(['slack', 'api'])
    expect((await environment({ require_passkey: true })).status).toBe(200)
  })

  test('whichever policy changes first, when both change at once', async () => {
    for (let round = 0; round < 5; round++) {
      const own = await committee.withPolicy({})
      const [workspace, environment] = await Promise.all([
        ada.put(`/api/v1/workspaces/${own.workspace.id}`, { gate_policy: { decide_via: ['slack'] } }),
        ada.put(policyOf(own), { decide_via: ['mail'] }),
      ])
      expect([workspace.status, environment.status].sort()).toEqual([200, 422])
    }
  })

  test('of the workspace alone, for another environment and for none', async () => {
    const own = await under({ required_approvals: 2 }, { required_approvals: 4, require_subject: true })
    for (const environment of ['staging', null]) {
      const { body } = await open(own, { environment })
      expect(body).toMatchObject({ required_approvals: 2, rules: { approvers: [], require_subject: false } })
    }
  })

  test('also where it replaces another, and in an execution', async () => {
    const own = await under({}, {})
    const first = await open(own, { subject })
    await ada.put(policyOf(own), { required_approvals: 2 })
    const second = await open(own, { subject: { ...subject, digest: { sha256: 'b'.repeat(64) } } })
    expect([first.body.required_approvals, second.body.required_approvals]).toEqual([1, 2])
    expect((await committee.gateOf(first.body)).superseded_by).toBe(second.body.id)
    const inExecution = await committee.opened({ environment: 'production' }, own.project)
    expect(inExecution.required_approvals).toBe(2)
  })
})

describe('A gate is refused', () => {
  test('where it is weaker than either policy, at each field', async () => {
    const own = await under({ prevent_self_approval: true }, { required_approvals: 2, expires_in_seconds: 3600 })
    const answer = await open(own, { required_approvals: 1, prevent_self_approval: false, expires_in_seconds: null })
    expect(answer.status).toBe(422)
    expect(errorsOf(answer)).toEqual([
      '/required_approvals weaker_than_policy',
      '/prevent_self_approval weaker_than_policy',
      '/expires_in_seconds weaker_than_policy',
    ])
    const stricter = { required_approvals: 3, prevent_self_approval: true, expires_in_seconds: 600 }
    expect((await open(own, stricter)).body).toMatchObject({ required_approvals: 3, prevent_self_approval: true })
  })

  test('without the subject or the checks that the environment requires', async () => {
    const own = await under({}, { require_subject: true, require_checks: true })
    const checks = (...states: string[]) => ({
      evidence: { checks: states.map((state, index) => ({ name: `Check ${index}`, state })) },
    })
    expect(errorsOf(await open(own))).toEqual(['/subject required', '/evidence/checks required'])
    expect(errorsOf(await open(own, { subject, evidence: { summary: 'None ran.' } }))).toEqual(['/evidence/checks required'])
    for (const state of ['failed', 'skipped']) {
      const answer = await open(own, { subject, ...checks('passed', state) })
      expect(errorsOf(answer)).toEqual(['/evidence/checks not_allowed'])
      expect(answer.body.errors[0].detail).toEndWith('not passed: Check 1')
    }
    const { status, body } = await open(own, { subject, ...checks('passed', 'passed') })
    expect([status, body.rules.require_subject, body.rules.require_checks]).toEqual([201, true, true])
  })
})

test('a policy that changes while gates open comes before or after each of them', async () => {
  const [security, operations] = [await group('Sentinels'), await group('Operators')]
  const own = await under({}, {})
  const versions = [
    { required_approvals: 2, prevent_self_approval: true, approvers: [{ group_id: security.id, count: 1 }] },
    { required_approvals: 5, prevent_self_approval: false, approvers: [{ group_id: operations.id, count: 3 }] },
  ]
  await ada.put(policyOf(own), versions[0])
  const changes = Array.from({ length: 12 }, (_, round) => () => ada.put(policyOf(own), versions[(round + 1) % 2]))
  const [opened] = await Promise.all([
    Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        // In executions, whose gates do not wait for each other.
        return index % 2 ? committee.opened({ environment: 'production' }, own.project) : (await open(own)).body
      }),
    ),
    changes.reduce((before, change) => before.then(change), Promise.resolve({} as Answer)),
  ])
  for (const { required_approvals, prevent_self_approval, rules } of opened) {
    expect(versions).toContainEqual({ required_approvals, prevent_self_approval, approvers: rules.approvers })
  }
})

test('evidence has 64 KiB as it is sent, not counting artifacts', async () => {
  const open = (evidence: object) =>
    committee.ada.post(`/api/v1/projects/${committee.site.project.id}/gates`, { name: 'Release', evidence })
  const checks = (size: number) =>
    [...Array(50).keys()].map((n) => ({ name: `c${n}`.padEnd(100, 'n'), state: 'passed', detail: 'd'.repeat(size) }))
  const of = (size: number, rest: number) => ({ checks: checks(size), summary: 's'.repeat(rest) })
  const bytes = (evidence: object) => JSON.stringify(evidence).length
  const most = of(1_000, 65_536 - bytes(of(1_000, 0)))
  expect(bytes(most)).toBe(65_536)
  const artifacts = [{ name: 'log', content: 'x'.repeat(1_000) }]
  expect((await open({ ...most, artifacts })).status).toBe(201)
  expect((await open({ ...most, summary: `${most.summary}s` })).body.errors).toMatchObject([
    { pointer: '/evidence', code: 'too_long' },
  ])
})
