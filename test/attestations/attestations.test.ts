/** The attestations of approved gates: what they say, and who can verify it. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash, createPublicKey } from 'node:crypto'
import { attestGates } from '../../core/jobs/tasks.ts'
import { approve } from '../gates/committee.ts'
import { Approvals, gitSubject, newCommit, statementIn, verifies } from './support.ts'

let approvals: Approvals

beforeAll(async () => {
  approvals = await Approvals.begin()
})
afterAll(() => approvals.close())

const propertiesOf = async (gate: { id: string }): Promise<string[]> =>
  statementIn(await approvals.attestation(gate)).predicate.properties

describe('The attestation of an approved gate', () => {
  test('is a DSSE envelope over an in-toto statement about its subject, signed with the key of the organization', async () => {
    const gate = await approvals.approved({ subject: gitSubject(newCommit(), { version: 'v1.5.0' }) })
    const envelope = await approvals.attestation(gate)
    const [key] = await approvals.keys()
    expect(envelope).toEqual({
      payloadType: 'application/vnd.in-toto+json',
      payload: expect.any(String),
      signatures: [{ keyid: key.key_id, sig: expect.any(String) }],
    })
    expect(verifies(envelope, key.public_key_pem)).toBe(true)
    const { uri, digest } = gate.subject
    const [entry] = await approvals.entriesOf('gate.approved', gate.id)
    expect(entry).toMatchObject({ seq: expect.any(Number), hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(statementIn(envelope)).toEqual({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ uri, digest, annotations: { version: 'v1.5.0' } }],
      predicateType: 'https://in-toto.io/attestation/svr/v0.1',
      predicate: {
        verifier: { id: approvals.publicUrl },
        timeCreated: gate.decided_at,
        properties: ['SIGNALBOX_APPROVED', 'SIGNALBOX_APPROVALS_1', 'SIGNALBOX_ENVIRONMENT_production'],
        signalbox: {
          gate_id: gate.id,
          project_id: approvals.site.project.id,
          environment: 'production',
          binding: gate.binding,
          approvals: [{ user_id: approvals.ada.id, via: 'api', proof: null, at: gate.approvals[0].created_at }],
          audit: { seq: entry.seq, hash: entry.hash },
        },
      },
    })
  })

  test('says that no one approved their own work, where the rule is on', async () => {
    const gate = await approvals.approved({ prevent_self_approval: true })
    expect(await propertiesOf(gate)).toContain('SIGNALBOX_NO_SELF_APPROVAL')
  })

  test('counts the approvals that count, and no others', async () => {
    const { committee, box, site } = approvals
    const gate = await approvals.open({ required_approvals: 2 })
    await approvals.approve(gate, committee.mary)
    const { organization_id } = gate
    await box.sql`
      update organization_members
      set role = 'member'
      where user_id = ${committee.mary.id}
        and organization_id = ${organization_id}
    `
    await approvals.approve(gate, committee.grace)
    const decided = await approvals.approve(gate, committee.ada)
    await box.sql`
      update organization_members
      set role = 'admin'
      where user_id = ${committee.mary.id}
        and organization_id = ${organization_id}
    `
    expect([decided.status, decided.project_id]).toEqual(['approved', site.project.id])
    const { predicate } = statementIn(await approvals.attestation(gate))
    expect(predicate.properties).toContain('SIGNALBOX_APPROVALS_2')
    expect(predicate.signalbox.approvals.map(({ user_id }: { user_id: string }) => user_id)).toEqual([
      committee.grace.id,
      committee.ada.id,
    ])
  })

  test('says that the gate was overridden, and how many approvals counted by then', async () => {
    const gate = await approvals.open({ required_approvals: 3, prevent_self_approval: true })
    await approvals.approve(gate, approvals.committee.grace)
    await approvals.ada.make(`/api/v1/gates/${gate.id}/override`, { reason: 'The checkout is down.' })
    const properties = await propertiesOf(gate)
    expect(properties).toEqual([
      'SIGNALBOX_APPROVED',
      'SIGNALBOX_APPROVALS_1',
      'SIGNALBOX_ENVIRONMENT_production',
      'SIGNALBOX_OVERRIDE',
    ])
  })

  test('says that people approved with passkeys, if all of those that count did', async () => {
    const { ada, committee } = approvals
    const proven = await approvals.open({ required_approvals: 2 })
    for (const by of [ada, committee.grace]) await approvals.approveWithPasskey(proven, by)
    expect(await propertiesOf(proven)).toContain('SIGNALBOX_PASSKEY')
    const { predicate } = statementIn(await approvals.attestation(proven))
    expect(predicate.signalbox.approvals).toMatchObject([{ proof: 'passkey' }, { proof: 'passkey' }])
    expect(await approvals.verdictOf(proven)).toMatchObject({ allowed: true, gate_id: proven.id })

    const mixed = await approvals.open({ required_approvals: 2 })
    await approvals.approveWithPasskey(mixed, ada)
    await approvals.approve(mixed, committee.grace)
    expect(await propertiesOf(mixed)).not.toContain('SIGNALBOX_PASSKEY')
  })

  test('exists without an environment, and after the approval was revoked', async () => {
    const gate = await approvals.approved({ environment: null })
    await approvals.ada.make(`/api/v1/gates/${gate.id}/revoke`, { reason: 'Wrong commit.' })
    expect(await propertiesOf(gate)).toEqual(['SIGNALBOX_APPROVED', 'SIGNALBOX_APPROVALS_1'])
  })

  test('is signed once, however often its job runs', async () => {
    const gate = await approvals.approved()
    const envelope = await approvals.attestation(gate)
    await attestGates(approvals.box.sql, [gate, gate])
    await approvals.box.settled()
    expect(await approvals.attestation(gate)).toEqual(envelope)
  })

  test('cannot be changed in the database', async () => {
    const gate = await approvals.approved()
    await approvals.attestation(gate)
    const change = approvals.box.sql`update attestations set environment = 'staging' where gate_id = ${gate.id}`
    await expect(change.execute()).rejects.toThrow('its rows are evidence')
  })
})

test('a gate without a subject, and one that is not approved, have none', async () => {
  const { ada, committee, box } = approvals
  const pending = await approvals.open()
  const rejected = await approvals.open({ name: 'Rejected' })
  await ada.make(`/api/v1/gates/${rejected.id}/reject`)
  const without = await committee.opened()
  await approve(ada, without)
  await box.settled()
  for (const { id } of [pending, rejected, without]) {
    const { status, body } = await ada.get(`/api/v1/gates/${id}/attestation`)
    expect([status, body.code]).toEqual([404, 'not_found'])
    expect((await ada.get(`/api/v1/gates/${id}`)).body.attestation_url).toBeNull()
  }
})

test('its URL is in the gate and in gate.approved', async () => {
  const gate = await approvals.approved()
  const attestation_url = `${approvals.publicUrl}/api/v1/gates/${gate.id}/attestation`
  expect(gate.attestation_url).toBe(attestation_url)
  const [event] = await approvals.box.sql<{ data: { gate: object } }[]>`
    select data from outbox where name = 'gate.approved' and data -> 'gate' ->> 'id' = ${gate.id}
  `
  expect(event?.data.gate).toMatchObject({ attestation_url })
  const envelope = await approvals.attestation(gate)
  const response = await fetch(attestation_url.replace(approvals.publicUrl, approvals.box.base), {
    headers: { Authorization: `Bearer ${approvals.ada.token}` },
  })
  expect(await response.json()).toEqual(envelope)
})

test('a project lists its attestations, newest first, of all digests or of one', async () => {
  const commit = newCommit()
  const staging = await approvals.approved({ environment: 'staging', subject: gitSubject(commit) })
  await approvals.attestation(staging)
  const production = await approvals.approved({ subject: gitSubject(commit) })
  const envelope = await approvals.attestation(production)
  const path = `/api/v1/projects/${approvals.site.project.id}/attestations`
  const { body } = await approvals.committee.member.get(`${path}?digest=gitCommit:${commit}`)
  expect(body).toMatchObject({ total: 2, page: 1, page_size: 20 })
  expect(body.items[0]).toEqual({ gate_id: production.id, environment: 'production', created_at: expect.any(String), envelope })
  expect(body.items[1]).toMatchObject({ gate_id: staging.id, environment: 'staging' })
  const second = await approvals.ada.get(`${path}?digest=gitCommit:${commit}&page=2&page_size=1`)
  expect(second.body).toMatchObject({ total: 2, items: [{ gate_id: staging.id }] })
  expect((await approvals.ada.get(`${path}?digest=sha256:${commit.padEnd(64, '0')}`)).body).toMatchObject({ total: 0, items: [] })
  expect((await approvals.ada.get(path)).body.total).toBeGreaterThan(2)
  for (const digest of ['7d3f', `gitCommit:${commit.toUpperCase()}F`, `sha512:${commit}`, `sha256:${commit}`]) {
    const refused = await approvals.ada.get(`${path}?digest=${digest}`)
    expect([digest, refused.status, refused.body.errors[0].pointer]).toEqual([digest, 422, '/digest'])
  }
})

describe('The signing keys of an organization', () => {
  test('are named by the SHA-256 of the public key, and are P-256', async () => {
    await approvals.attestation(await approvals.approved())
    const keys = await approvals.keys()
    expect(keys.length).toBeGreaterThan(0)
    for (const { key_id, public_key_pem } of keys) {
      const key = createPublicKey(public_key_pem)
      expect(
        createHash('sha256')
          .update(key.export({ format: 'der', type: 'spki' }))
          .digest('hex'),
      ).toBe(key_id)
      expect(key.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' })
    }
  })

  test('are made once, also when many gates are approved at the same time', async () => {
    const { ada, box, committee } = approvals
    const site = await box.site(ada, 'Fresh')
    await box.join(committee.member, site, 'member', 'member')
    const project_id = site.project.id
    const gates = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        approvals.open({ name: `Gate ${n}`, subject: gitSubject(newCommit()) }, ada, project_id),
      ),
    )
    await Promise.all(gates.map((gate) => approvals.approve(gate)))
    for (const gate of gates) await approvals.attestation(gate)
    const { body } = await ada.get(`/api/v1/organizations/${site.organization.id}/signing-keys`)
    expect(body).toHaveLength(1)
    expect(body[0]).toEqual({
      key_id: expect.any(String),
      public_key_pem: expect.stringContaining('-----BEGIN PUBLIC KEY-----'),
      created_at: expect.any(String),
      retired_at: null,
    })
  })

  test('are encrypted, and the private half of a retired key is gone', async () => {
    const gate = await approvals.approved()
    const before = await approvals.attestation(gate)
    const [old] = await approvals.keys()
    const { status, body: key } = await approvals.rotate()
    expect([status, key.retired_at]).toEqual([200, null])
    const keys = await approvals.keys()
    expect(keys[0]).toEqual(key)
    expect(keys[1]).toEqual({ ...old, retired_at: expect.any(String) })
    const stored = await approvals.box.sql<{ retired_at: string | null; length: number; secret: Uint8Array }[]>`
      select retired_at, octet_length(secret) as length, secret
      from signing_keys
      where organization_id = ${approvals.site.organization.id}
    `
    for (const { secret } of stored) expect(Buffer.from(secret).toString('latin1')).not.toContain('KEY')
    // The PEM of a public key is shorter than that of a key pair.
    const lengthOf = (isRetired: boolean) => stored.find(({ retired_at }) => (retired_at !== null) === isRetired)?.length ?? 0
    expect(lengthOf(true)).toBeLessThan(lengthOf(false))

    const after = await approvals.attestation(await approvals.approved())
    expect(after.signatures[0].keyid).toBe(key.key_id)
    expect([verifies(after, key.public_key_pem), verifies(before, old.public_key_pem)]).toEqual([true, true])
    expect([verifies(after, old.public_key_pem), verifies(before, key.public_key_pem)]).toEqual([false, false])
    expect(await approvals.attestation(gate)).toEqual(before)
  })

  test('are rotated by the owner alone, which is on record', async () => {
    const refused = await approvals.rotate(approvals.committee.grace)
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
    expect((await approvals.rotate()).status).toBe(200)
    const { body } = await approvals.ada.get(
      `/api/v1/organizations/${approvals.site.organization.id}/audit-logs?action=signing_key.*`,
    )
    const [key] = await approvals.keys()
    expect(body.items[0]).toMatchObject({
      action: 'signing_key.rotated',
      resource_type: 'signing_key',
      actor_name: 'Ada',
      detail: `Ada rotated the signing key of the organization: attestations are signed with the key ${key.key_id}.`,
    })
    expect(body.items.at(-1)).toMatchObject({ action: 'signing_key.created', actor_name: 'Signalbox', actor_type: 'system' })
  })

  test('one that is made by a rotation signs the first attestation', async () => {
    const site = await approvals.box.site(approvals.ada, 'Early')
    const path = `/api/v1/organizations/${site.organization.id}/signing-keys`
    expect((await approvals.ada.get(path)).body).toEqual([])
    const key = (await approvals.ada.post(`${path}/rotate`)).body
    const gate = await approvals.open({}, approvals.ada, site.project.id)
    await approvals.approve(gate)
    expect((await approvals.attestation(gate)).signatures[0].keyid).toBe(key.key_id)
  })
})
