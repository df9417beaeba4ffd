/** Whether something may be deployed: what is allowed, and every reason why something is not. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { letGatesChange } from '../support/fixed-gates.ts'
import type { Actor, Answer } from '../support/signalbox.ts'
import { Approvals, gitSubject, newCommit, statementIn } from './support.ts'

type Body = Answer['body']

let approvals: Approvals

beforeAll(async () => {
  approvals = await Approvals.begin()
})
afterAll(() => approvals.close())

/** Approves a gate, and waits for its attestation. */
async function attested(input: object = {}): Promise<Body> {
  const gate = await approvals.approved(input)
  await approvals.attestation(gate)
  return gate
}

const DENIED = { allowed: false, attestation: null }

/** Denies what was approved, for one reason. */
const denial = ({ id }: Body, reason: unknown) => ({ ...DENIED, reasons: [reason], gate_id: id })

/** Changes rows that nothing may change, as someone could who has the password of the database. */
const forge = (change: (sql: Approvals['box']['sql']) => Promise<unknown>) =>
  approvals.box.sql.begin(async (tx) => {
    await letGatesChange(tx)
    await change(tx as unknown as Approvals['box']['sql'])
  })

describe('A digest may be deployed', () => {
  test('if a gate of the environment is approved, with the attestation', async () => {
    const gate = await attested()
    const attestation = await approvals.attestation(gate)
    expect(await approvals.verdictOf(gate)).toEqual({ allowed: true, reasons: [], gate_id: gate.id, attestation })
  })

  test('if it is the SHA-256 of an artifact, or a commit of a repository with SHA-256', async () => {
    const hex = newCommit().padStart(64, 'a')
    const artifact = await attested({ subject: { uri: 'pkg:oci/checkout', digest: { sha256: hex } } })
    expect(await approvals.verdict(`sha256:${hex}`)).toMatchObject({ allowed: true, gate_id: artifact.id })
    expect(await approvals.verdict(`gitCommit:${hex}`)).toEqual({
      ...DENIED,
      reasons: [`No gate for production is about gitCommit:${hex}.`],
      gate_id: null,
    })
    const commit = await attested({ subject: gitSubject(hex) })
    expect(await approvals.verdict(`gitCommit:${hex}`)).toMatchObject({ allowed: true, gate_id: commit.id })
  })

  test('after the policy, the groups and the roles were changed: the rules are those of the decision', async () => {
    const { ada, box, committee, site } = approvals
    const gate = await approvals.open()
    await approvals.approve(gate, committee.mary)
    await approvals.attestation(gate)
    const policy = `/api/v1/projects/${site.project.id}/environments/production/policy`
    expect((await ada.put(policy, { required_approvals: 5, require_checks: true })).status).toBe(200)
    await box.sql`
      update organization_members set role = 'member'
      where user_id = ${committee.mary.id} and organization_id = ${site.organization.id}
    `
    expect(await approvals.verdictOf(gate)).toMatchObject({ allowed: true, gate_id: gate.id })
    await ada.delete(policy)
    await box.sql`
      update organization_members set role = 'admin'
      where user_id = ${committee.mary.id} and organization_id = ${site.organization.id}
    `
  })

  test('if the gate was overridden, also in a freeze', async () => {
    const { ada, site } = approvals
    const policy = `/api/v1/projects/${site.project.id}/environments/frozen/policy`
    await ada.put(policy, { freezes: [{ name: 'Holidays', from: '2020-01-01T00:00:00Z', until: '2999-01-01T00:00:00Z' }] })
    const input = { environment: 'frozen', required_approvals: 2 }
    const overridden = await approvals.open(input)
    await ada.make(`/api/v1/gates/${overridden.id}/override`, { reason: 'The checkout is down.' })
    await approvals.attestation(overridden)
    expect(await approvals.verdictOf(overridden, 'frozen')).toMatchObject({ allowed: true, gate_id: overridden.id })

    const approved = await approvals.open({ environment: 'frozen' })
    await approvals.approve(approved)
    const attestation = await approvals.attestation(approved)
    expect(await approvals.verdictOf(approved, 'frozen')).toEqual({
      ...denial(approved, 'frozen is frozen until 2999-01-01 00:00 UTC.'),
      attestation,
    })
    await ada.put(policy, { freezes: [] })
    expect(await approvals.verdictOf(approved, 'frozen')).toMatchObject({ allowed: true, reasons: [] })
  })

  test('by the newest approved gate that is not revoked, of several', async () => {
    const subject = gitSubject(newCommit())
    const first = await attested({ name: 'First', subject })
    const second = await attested({ name: 'Second', subject })
    expect(await approvals.verdictOf(first)).toMatchObject({ allowed: true, gate_id: second.id })
    await approvals.ada.make(`/api/v1/gates/${second.id}/revoke`, { reason: 'The image is vulnerable.' })
    expect(await approvals.verdictOf(first)).toMatchObject({ allowed: true, gate_id: first.id })
    // A later gate that is not approved changes nothing.
    const third = await approvals.open({ name: 'Third', subject })
    await approvals.ada.make(`/api/v1/gates/${third.id}/reject`)
    expect(await approvals.verdictOf(first)).toMatchObject({ allowed: true, gate_id: first.id })
    await approvals.ada.make(`/api/v1/gates/${first.id}/revoke`, { reason: 'The image is vulnerable.' })
    expect(await approvals.verdictOf(first)).toMatchObject({ allowed: false, attestation: null })
  })

  test('after the signing key was rotated', async () => {
    const before = await attested()
    await approvals.rotate()
    const after = await attested()
    for (const gate of [before, after]) expect(await approvals.verdictOf(gate)).toMatchObject({ allowed: true, reasons: [] })
  })
})

describe('A digest must not be deployed', () => {
  test('if nothing is known of it, or only for another environment or in another project', async () => {
    const { ada, committee, site } = approvals
    const commit = newCommit()
    const unknown = `No gate for production is about gitCommit:${commit}.`
    expect(await approvals.verdict(`gitCommit:${commit}`)).toEqual({ ...DENIED, reasons: [unknown], gate_id: null })
    await attested({ environment: 'staging', subject: gitSubject(commit) })
    await attested({ environment: null, subject: gitSubject(commit) })
    const elsewhere = await ada.make(`/api/v1/workspaces/${site.workspace.id}/projects`, { name: 'Elsewhere' })
    await approvals.approve(await approvals.open({ subject: gitSubject(commit) }, committee.ada, elsewhere.id))
    const approved = { ...DENIED, reasons: [`${unknown} It is approved for staging.`], gate_id: null }
    expect(await approvals.verdict(`gitCommit:${commit}`)).toEqual(approved)
    expect(await approvals.verdict(`gitCommit:${commit}`, 'Staging')).toMatchObject({ allowed: false })
  })

  test('by another digest of the same commit: an abbreviated one is refused, one of another algorithm is unknown', async () => {
    const commit = newCommit()
    await attested({ subject: gitSubject(commit) })
    const path = `/api/v1/projects/${approvals.site.project.id}/verify`
    for (const digest of [
      commit,
      `gitCommit:${commit.slice(0, 12)}`,
      `sha256:${commit}`,
      `sha1:${commit}`,
      `gitcommit:${commit}`,
      7,
    ]) {
      const { status, body } = await approvals.ada.post(path, { environment: 'production', digest })
      expect([digest, status, body.errors[0].pointer]).toEqual([digest, 422, '/digest'])
    }
    expect((await approvals.ada.post(path, { digest: `gitCommit:${commit}` })).status).toBe(422)
    expect(await approvals.verdict(`gitCommit:${commit.padStart(64, '0')}`)).toMatchObject({ allowed: false, gate_id: null })
    expect(await approvals.verdict(`sha256:${commit.padStart(64, '0')}`)).toMatchObject({ allowed: false, gate_id: null })
  })

  test('while its gate is pending, and if it was decided otherwise', async () => {
    const { ada, committee } = approvals
    const opened = (name: string, input: object = {}) => approvals.open({ name, ...input })
    const pending = await opened('Pending', { required_approvals: 2 })
    expect(await approvals.verdictOf(pending)).toEqual(
      denial(pending, 'The gate “Pending” is pending: no one has decided it yet.'),
    )
    await approvals.approve(pending, committee.grace)
    expect(await approvals.verdictOf(pending)).toEqual(denial(pending, 'The gate “Pending” is pending: approvals are missing.'))

    const rejected = await opened('Rejected')
    await ada.make(`/api/v1/gates/${rejected.id}/reject`)
    expect(await approvals.verdictOf(rejected)).toEqual(denial(rejected, 'The gate “Rejected” was rejected.'))

    const changes = await opened('Changes')
    await ada.make(`/api/v1/gates/${changes.id}/request-changes`, { comment: 'Split it.' })
    expect(await approvals.verdictOf(changes)).toEqual(denial(changes, 'The gate “Changes” was decided: changes are requested.'))

    const replaced = await opened('Replaced')
    await opened('Replaced')
    expect(await approvals.verdictOf(replaced)).toEqual(denial(replaced, 'The gate “Replaced” was cancelled.'))

    const expired = await opened('Late', { expires_in_seconds: 600 })
    await committee.passExpiry(expired)
    await committee.expired(expired)
    expect(await approvals.verdictOf(expired)).toEqual(denial(expired, 'The gate “Late” expired without a decision.'))
  })

  test('after the approval was revoked, although the attestation stays valid', async () => {
    const gate = await attested({ name: 'Revoked' })
    await approvals.ada.make(`/api/v1/gates/${gate.id}/revoke`, { reason: 'The image contains a vulnerable library.' })
    expect(await approvals.verdictOf(gate)).toEqual(
      denial(
        gate,
        expect.stringMatching(
          /^The approval of the gate “Revoked” was revoked on .* UTC: The image contains a vulnerable library\.$/,
        ),
      ),
    )
    expect((await approvals.ada.get(`/api/v1/gates/${gate.id}/attestation`)).status).toBe(200)
  })

  const SIGNATURE = 'The attestation of the gate was changed: its signature does not verify.'
  const CONTRADICTION = 'The attestation of the gate says something else than the gate and the audit log.'

  test('if the envelope was tampered with', async () => {
    const [gate, other] = [await attested(), await attested()]
    const envelope = await approvals.attestation(gate)
    const store = (changed: Body) =>
      forge((sql) => sql`update attestations set envelope = ${sql.json(changed)} where gate_id = ${gate.id}`)
    const statement = statementIn(envelope)
    statement.predicate.properties.push('SIGNALBOX_PASSKEY')
    const payload = Buffer.from(JSON.stringify(statement)).toString('base64')
    const [{ keyid, sig }] = envelope.signatures
    for (const changed of [
      { ...envelope, payload },
      { ...envelope, payloadType: 'application/json' },
      { ...envelope, signatures: [] },
      { ...envelope, signatures: [...envelope.signatures, ...envelope.signatures] },
      { ...envelope, signatures: [{ keyid, sig: sig.replace(/^..../, 'AAAA') }] },
      { ...envelope, signatures: [{ keyid, sig: '' }] },
    ]) {
      await store(changed)
      expect(await approvals.verdictOf(gate)).toEqual(denial(gate, SIGNATURE))
    }
    // The attestation of another gate verifies, but not this one.
    await store(await approvals.attestation(other))
    expect(await approvals.verdictOf(gate)).toEqual(denial(gate, CONTRADICTION))
    await store(envelope)
    expect(await approvals.verdictOf(gate)).toMatchObject({ allowed: true })
  })

  test('if the gate was approved in the database alone, or changed there after its approval', async () => {
    const { box, ada } = approvals
    const pending = await approvals.open()
    await forge(
      (sql) => sql`
        update gates
        set status = 'approved', decided_by = ${ada.id}, decided_via = 'api', decided_at = now()
        where id = ${pending.id}
      `,
    )
    expect(await approvals.verdictOf(pending)).toMatchObject({ allowed: false, gate_id: pending.id })

    const gate = await attested({ required_approvals: 1 })
    await forge((sql) => sql`update gates set subject = ${sql.json(pending.subject)} where id = ${gate.id}`)
    await forge((sql) => sql`delete from gates where id = ${pending.id}`)
    const { reasons, allowed } = await approvals.verdictOf(pending)
    expect([allowed, reasons]).toEqual([
      false,
      ['What the gate asks for was changed after its approval: its binding does not match.', CONTRADICTION],
    ])
    const moved = await attested({ environment: 'staging' })
    await forge((sql) => sql`update gates set environment = 'production' where id = ${moved.id}`)
    expect(await approvals.verdictOf(moved)).toMatchObject({ allowed: false, gate_id: moved.id })
    const unrevoked = await attested()
    await ada.make(`/api/v1/gates/${unrevoked.id}/revoke`, { reason: 'Wrong.' })
    await box.settled()
    const someone = await attested()
    await forge((sql) => sql`delete from gate_approvals where gate_id = ${someone.id}`)
    expect((await approvals.verdictOf(someone)).reasons).toEqual([
      'The approvals that the gate requires: 1. Those that counted: 0.',
      CONTRADICTION,
    ])
  })

  test('if its approval lost the passkey that the gate required', async () => {
    const { ada, site } = approvals
    const policy = `/api/v1/projects/${site.project.id}/environments/guarded/policy`
    expect((await ada.put(policy, { require_passkey: true })).status).toBe(200)
    const gate = await approvals.approveWithPasskey(await approvals.open({ environment: 'guarded' }))
    await approvals.attestation(gate)
    expect(await approvals.verdictOf(gate, 'guarded')).toMatchObject({ allowed: true, reasons: [] })
    await forge((sql) => sql`update gate_approvals set proof = null where gate_id = ${gate.id}`)
    expect((await approvals.verdictOf(gate, 'guarded')).reasons).toEqual([
      'The gate requires passkeys, and was approved without one.',
      CONTRADICTION,
    ])
  })

  test('if the audit log was rewritten', async () => {
    const gate = await attested()
    const [entry] = await approvals.entriesOf('gate.approved', gate.id)
    const seal = (hash: string) =>
      forge(
        (sql) => sql`
          update audit_log_seals set hash = decode(${hash}, 'hex')
          where organization_id = ${gate.organization_id} and seq = ${entry.seq}
        `,
      )
    await seal('0'.repeat(64))
    expect(await approvals.verdictOf(gate)).toEqual(denial(gate, CONTRADICTION))
    await seal(entry.hash)
    expect(await approvals.verdictOf(gate)).toMatchObject({ allowed: true })
  })
})

test('members of the workspace ask, with any token of theirs, and others learn nothing', async () => {
  const { ada, box, committee } = approvals
  const gate = await attested()
  const body = { environment: 'production', digest: `gitCommit:${gate.subject.digest.gitCommit}` }
  const path = `/api/v1/projects/${approvals.site.project.id}/verify`
  const tokenOf = async (person: Actor, input: object) =>
    person.as((await person.make('/api/v1/auth/tokens', { name: 'Deploy', ...input })).token)
  for (const scope of ['read', 'write', 'decide']) {
    const { status, body: verdict } = await (await tokenOf(committee.member, { scope })).post(path, body)
    expect([scope, status, verdict.allowed]).toEqual([scope, 200, true])
  }
  const reader = await tokenOf(committee.member, { scope: 'read' })
  expect((await reader.post(path, { environment: 'production' })).status).toBe(422)
  expect((await reader.post(`/api/v1/gates/${gate.id}/revoke`, { reason: 'No.' })).body.code).toBe('read_only_token')
  const stranger = await box.user('Stranger')
  const elsewhere = await box.site(ada, 'Elsewhere')
  const foreign = await tokenOf(ada, { scope: 'read', organization_id: elsewhere.organization.id })
  for (const by of [stranger, await tokenOf(stranger, { scope: 'read' }), foreign])
    expect((await by.post(path, body)).status).toBe(404)
  expect((await box.request('POST', path, body)).status).toBe(401)
})

test('a verdict is never replayed', async () => {
  const gate = await attested()
  const body = { environment: 'production', digest: `gitCommit:${gate.subject.digest.gitCommit}` }
  const path = `/api/v1/projects/${approvals.site.project.id}/verify`
  const ask = async () => (await approvals.ada.post(path, body, { 'Idempotency-Key': 'deploy-1' })).body.allowed
  expect(await ask()).toBe(true)
  await approvals.ada.make(`/api/v1/gates/${gate.id}/revoke`, { reason: 'Wrong commit.' })
  expect(await ask()).toBe(false)
})
