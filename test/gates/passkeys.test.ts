/** Gates whose approval needs a passkey: the proof is about this decision alone. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Authenticator, type Forgery, registerPasskey } from '../support/authenticator.ts'
import { PageClient } from '../support/page-client.ts'
import { type Actor, type Answer, PASSWORD, type Site } from '../support/signalbox.ts'
import { approve, byTokenOf, Committee, reject } from './committee.ts'

type Body = Answer['body']

let committee: Committee
let ada: Actor
let grace: Actor
let site: Site
let device: Authenticator
let hers: Authenticator

beforeAll(async () => {
  committee = await Committee.meet({ workers: 0 })
  ;({ ada, grace } = committee)
  site = await committee.withPolicy({})
  const { status } = await ada.put(`/api/v1/projects/${site.project.id}/environments/production/policy`, {
    require_passkey: true,
  })
  expect(status).toBe(200)
  device = await registerPasskey(committee.box, ada)
  hers = await registerPasskey(committee.box, grace)
})
afterAll(() => committee.close())

const FIELDS = [
  { name: 'ticket', label: 'Ticket', type: 'text' },
  { name: 'count', label: 'Count', type: 'number', required: false },
]

const open = (input: object = {}): Promise<Body> => committee.opened({ environment: 'production', ...input }, site.project, grace)

const challenge = (by: Actor, { id }: Body, body: object = { decision: 'approve' }) =>
  by.make(`/api/v1/gates/${id}/challenge`, body)

/** An assertion about a decision. */
const asserted = async (by: Actor, gate: Body, body?: object, forgery?: Forgery, key = device) =>
  key.get(await challenge(by, gate, body), forgery)

const override = (by: Actor, { id }: Body, body: object = {}) =>
  by.post(`/api/v1/gates/${id}/override`, { reason: 'The checkout is down.', ...body })

const refusal = ({ status, body }: Answer) => [status, body.code]
const REFUSED = [403, 'passkey_invalid']
const REQUIRED = [403, 'passkey_required']

describe('An approval', () => {
  test('needs a passkey, and shows its proof', async () => {
    const gate = await open()
    expect(gate.rules.require_passkey).toBe(true)
    expect(refusal(await approve(ada, gate))).toEqual(REQUIRED)
    const { status, body } = await approve(ada, gate, { assertion: await asserted(ada, gate), comment: 'Ship it.' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'approved', approvals: [{ user_id: ada.id, proof: 'passkey', via: 'api' }] })
    const [event] = await committee.box.sql<{ data: Body }[]>`
      select data from outbox where name = 'gate.approved' and data -> 'gate' ->> 'id' = ${gate.id}
    `
    expect(event?.data.gate.approvals[0].proof).toBe('passkey')
    const [entry] = await committee.box.sql<{ detail: string }[]>`
      select detail from audit_log_entries where resource_id = ${gate.id} and action = 'gate.approved'
    `
    expect(entry?.detail).toBe('Ada approved the gate Release review with a passkey: Ship it.')
  })

  test('has no proof where none is asked for, and may give one', async () => {
    const gate = await committee.opened({ required_approvals: 2 }, site.project, grace)
    const { body } = await approve(grace, gate)
    expect(body.approvals).toMatchObject([{ proof: null }])
    const proven = await approve(ada, gate, { assertion: await asserted(ada, gate) })
    expect(proven.body.approvals).toMatchObject([{ proof: null }, { proof: 'passkey' }])
  })

  test.each<[string, Forgery]>([
    ['no user verification', { isUnverified: true }],
    ['another RP id', { rpId: 'example.com' }],
    ['another origin', { origin: 'https://example.com' }],
    ['another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
  ])('with %s is refused', async (_, forgery) => {
    const gate = await open()
    expect(refusal(await approve(ada, gate, { assertion: await asserted(ada, gate, undefined, forgery) }))).toEqual(REFUSED)
    expect(await committee.gateOf(gate)).toMatchObject({ status: 'pending', approvals: [] })
  })

  test('is bound to its gate, decision, user and session', async () => {
    const [gate, other] = [await open(), await open()]
    const refused = async (assertion: object, by = ada) =>
      expect(refusal(await approve(by, gate, { assertion }))).toEqual(REFUSED)
    await refused(await asserted(ada, other))
    await refused(await asserted(ada, gate, { decision: 'override' }))
    await refused(await asserted(grace, gate, undefined, {}, hers))
    // Her key for his challenge, and his assertion in her session.
    await refused(await asserted(ada, gate, undefined, {}, hers))
    await refused(await asserted(ada, gate), grace)
    const { body: options } = await committee.box.request('POST', '/api/v1/auth/passkey/options')
    await refused(await device.get(options))
    const { body: session } = await committee.box.request('POST', '/api/v1/auth/passkey', {
      assertion: await device.get((await committee.box.request('POST', '/api/v1/auth/passkey/options')).body),
    })
    await refused(await asserted(ada, gate), ada.as(session.access_token))
    const token = await byTokenOf(ada)
    await refused(await asserted(ada, gate), token)
    expect(await committee.gateOf(gate)).toMatchObject({ status: 'pending', approvals: [] })
    expect((await approve(token, gate, { assertion: await asserted(token, gate) })).body.status).toBe('approved')
  })

  test('is bound to its answers', async () => {
    const gate = await open({ fields: FIELDS })
    const answers = { ticket: 'OPS-1', count: 2 }
    const asked = { decision: 'approve', answers }
    const { status } = await ada.post(`/api/v1/gates/${gate.id}/challenge`, { decision: 'approve' })
    expect(status).toBe(422)
    for (const other of [{ ...answers, count: 3 }, { ticket: 'OPS-1' }, { ...answers, ticket: 'OPS-2' }]) {
      const given = { answers: other, assertion: await asserted(ada, gate, asked) }
      expect(refusal(await approve(ada, gate, given))).toEqual(REFUSED)
    }
    // Their order, and no answer to what needs none, are no difference.
    const same = { count: 2, ticket: 'OPS-1' }
    const { body } = await approve(ada, gate, { answers: same, assertion: await asserted(ada, gate, asked) })
    expect(body).toMatchObject({ status: 'approved', answers })
  })

  test('takes an assertion once, also after a refusal, and within 5 minutes', async () => {
    const [gate, next] = [await open(), await open()]
    const options = await challenge(ada, next)
    const assertion = await asserted(ada, gate)
    expect((await approve(ada, gate, { assertion })).status).toBe(200)
    expect(refusal(await approve(ada, next, { assertion }))).toEqual(REFUSED)
    expect(refusal(await approve(ada, next, { assertion: await device.get(options, { isUnverified: true }) }))).toEqual(REFUSED)
    expect(refusal(await approve(ada, next, { assertion: await device.get(options) }))).toEqual(REFUSED)
    const late = await asserted(ada, next)
    await committee.box.sql`update passkey_challenges set expires_at = now() where purpose = 'gate'`
    expect(refusal(await approve(ada, next, { assertion: late }))).toEqual(REFUSED)
  })

  test('with a counter that has fallen back is refused, and the security log says so', async () => {
    const gate = await open()
    const copy = device.copy()
    await committee.box.request('POST', '/api/v1/auth/passkey', {
      assertion: await device.get((await committee.box.request('POST', '/api/v1/auth/passkey/options')).body),
    })
    expect(refusal(await approve(ada, gate, { assertion: await asserted(ada, gate, undefined, {}, copy) }))).toEqual(REFUSED)
    const { items } = (await ada.get('/api/v1/users/me/security-log')).body
    expect(items[0].detail).toContain('its signature counter has fallen back')
  })

  test('is stored once for a repeated request with an idempotency key', async () => {
    const gate = await open()
    const input = { assertion: await asserted(ada, gate) }
    const path = `/api/v1/gates/${gate.id}/approve`
    const [first, second] = [
      await ada.post(path, input, { 'Idempotency-Key': gate.id }),
      await ada.post(path, input, { 'Idempotency-Key': gate.id }),
    ]
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.body).toEqual(first.body)
  })

  test('of a stranger is not even challenged', async () => {
    const gate = await open()
    const stranger = await committee.box.user('Stranger')
    const { status } = await stranger.post(`/api/v1/gates/${gate.id}/challenge`, { decision: 'approve' })
    expect(status).toBe(404)
    expect((await approve(stranger, gate, { assertion: await asserted(ada, gate) })).status).toBe(404)
  })

  test('says what hinders it before a passkey is asked for', async () => {
    const gate = await open({ prevent_self_approval: true })
    expect(refusal(await approve(grace, gate))).toEqual([403, 'self_approval'])
  })

  test('has at most 10 open challenges of a user', async () => {
    const gate = await open()
    for (let count = 0; count < 50; count++) await challenge(ada, gate)
    const [{ count }] = await committee.box.sql<[{ count: number }]>`
      select count(*) from passkey_challenges where holder = ${ada.id} and purpose = 'gate'
    `
    expect(count).toBe(10)
    expect((await approve(ada, gate, { assertion: await asserted(ada, gate) })).status).toBe(200)
  })
})

test('rejecting and requesting changes need no passkey', async () => {
  expect((await reject(ada, await open())).body.status).toBe('rejected')
  const { id } = await open()
  const { body } = await ada.post(`/api/v1/gates/${id}/request-changes`, { comment: 'Split it.' })
  expect(body.status).toBe('changes_requested')
})

test("an override needs the overrider's own passkey, about the override", async () => {
  const gate = await open()
  expect(refusal(await override(ada, gate))).toEqual(REQUIRED)
  expect(refusal(await override(ada, gate, { assertion: await asserted(ada, gate) }))).toEqual(REFUSED)
  const about = { decision: 'override' }
  expect(refusal(await override(ada, gate, { assertion: await asserted(grace, gate, about, {}, hers) }))).toEqual(REFUSED)
  expect((await ada.post(`/api/v1/gates/${gate.id}/challenge`, { ...about, answers: { ticket: 'x' } })).status).toBe(422)
  const { body } = await override(ada, gate, { assertion: await asserted(ada, gate, about) })
  expect(body).toMatchObject({ status: 'approved', decided_via: 'override', override_proof: 'passkey' })
  const reader = await PageClient.signedIn(committee.box, committee.mary)
  expect((await reader.open(`/app/gates/${gate.id}`)).text).toMatch(/Confirmed with\s*a passkey/)
  const [entry] = await committee.box.sql<{ detail: string }[]>`
    select detail from audit_log_entries where resource_id = ${gate.id} and action = 'gate.overridden'
  `
  expect(entry?.detail).toBe('Ada overrode the gate Release review with a passkey: The checkout is down.')
})

describe('The database', () => {
  const { sql } = { sql: () => committee.box.sql }

  test('stores no approval and no override without the proof that the gate requires', async () => {
    const gate = await open()
    const insert = sql()`
      insert into gate_approvals (gate_id, organization_id, user_id, via)
      values (${gate.id}, ${gate.organization_id}, ${ada.id}, 'app')
    `
    await expect(insert.execute()).rejects.toThrow('gate_approvals_proof')
    const update = sql()`
      update gates
      set status = 'approved', decided_by = ${ada.id}, decided_via = 'override', decided_at = now(), comment = 'Now.'
      where id = ${gate.id}
    `
    await expect(update.execute()).rejects.toThrow('gates_override_proof')
  })

  test('changes no proof', async () => {
    const gate = await open()
    await approve(ada, gate, { assertion: await asserted(ada, gate) })
    const change = sql()`update gate_approvals set proof = null where gate_id = ${gate.id}`
    await expect(change.execute()).rejects.toThrow('gates_outcome_once')
  })
})

describe('The page', () => {
  const visit = async (person: Actor) => {
    const browser = new PageClient(committee.box)
    await browser.post('/sign-in', { email: person.email, password: PASSWORD })
    return browser
  }

  test('says without a script that approving needs a passkey, and rejects without one', async () => {
    const mary = await visit(committee.mary)
    const gate = await open()
    const page = await mary.open(`/app/gates/${gate.id}`)
    expect(page.text).toContain('Approving asks for one of your passkeys.')
    expect(page.text).toContain('Passkeys need JavaScript, which is off in this browser.')
    const refused = await mary.press(page, 'Approve')
    expect([refused.status, refused.text.includes('This gate needs a passkey')]).toEqual([403, true])
    const rejected = await mary.press(await mary.open(`/app/gates/${gate.id}`), 'Reject')
    expect(rejected.text).toContain('You rejected this gate.')
  })

  test('shows how it was approved', async () => {
    const gate = await open()
    await approve(ada, gate, { assertion: await asserted(ada, gate) })
    const page = await (await visit(committee.mary)).open(`/app/gates/${gate.id}`)
    expect(page.text).toContain('Ada approved through the API with a passkey')
  })
})
