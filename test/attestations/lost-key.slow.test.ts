/** Signing keys that cannot be read or are missing, and a database that was restored: approvals stand, and verify denies. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from '../../sql/index.ts'
import { onCitus } from '../support/databases.ts'
import { letGatesChange } from '../support/fixed-gates.ts'
import { Receiver } from '../support/receiver.ts'
import { Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { gitSubject, newCommit, statementIn, verifies } from './support.ts'

type Body = Answer['body']

const [FIRST = '', SECOND = ''] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'))

const UNREADABLE =
  'No key in SECRETS_KEY decrypts the signing key of the organization. The operator has to add the key that encrypted it.'

let receiver: Receiver
let box: Box
let ada: Actor
let site: Site

/** Starts the processes anew, with other keys. */
async function restart(keys: string, url = box.url): Promise<void> {
  await box.close()
  box = await signalbox({ url, environment: { SECRETS_KEY: keys } })
  ada = new Actor(box, ada.name, ada.email, ada.id, ada.token, '')
}

beforeAll(async () => {
  receiver = new Receiver()
  box = await signalbox({ own: true, environment: { SECRETS_KEY: FIRST } })
  ada = await box.user('Ada')
  site = await box.site(ada)
  await ada.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
    name: 'Deploy',
    url: receiver.url,
    trigger_on: 'gate_approved',
    environment: 'production',
    secret: null,
  })
})
afterAll(async () => {
  await box.close()
  await receiver.stop()
})

async function approved(): Promise<Body> {
  const gate = await ada.make(`/api/v1/projects/${site.project.id}/gates`, {
    name: 'Release',
    environment: 'production',
    subject: gitSubject(newCommit()),
  })
  return ada.make(`/api/v1/gates/${gate.id}/approve`, { binding: gate.binding })
}

const attestationOf = ({ id }: Body) => ada.get(`/api/v1/gates/${id}/attestation`)

async function attested(gate: Body): Promise<Body> {
  await box.until('the attestation is signed', async () => (await attestationOf(gate)).status === 200)
  return (await attestationOf(gate)).body
}

const verdictOf = async ({ subject }: Body): Promise<Body> => {
  const digest = `gitCommit:${subject.digest.gitCommit}`
  return (await ada.post(`/api/v1/projects/${site.project.id}/verify`, { environment: 'production', digest })).body
}

const keys = `/api/v1/organizations/`
const listKeys = async (): Promise<Body[]> => (await ada.get(`${keys}${site.organization.id}/signing-keys`)).body

const jobFailed = (gate: Body) =>
  box.until('the job has failed', async () => {
    const [job] = await box.sql`
      select from graphile_worker.jobs
      where task_identifier = 'attest_gates' and flags ? ${`org:${gate.organization_id}`} and last_error like '%SECRETS_KEY%'
    `
    return job !== undefined
  })

describe('While no key of SECRETS_KEY decrypts the signing key', () => {
  let before: Body
  let waiting: Body

  beforeAll(async () => {
    before = await approved()
    await attested(before)
    await restart(SECOND)
    waiting = await approved()
  })

  test('approvals stand, and hooks are sent', async () => {
    expect(waiting.status).toBe('approved')
    await receiver.waitFor(2)
    expect(receiver.requests.map(({ body }) => JSON.parse(String(body)).data.gate.id)).toEqual([before.id, waiting.id])
  })

  test('verify denies and says why, also for what was signed before', async () => {
    await jobFailed(waiting)
    expect((await attestationOf(waiting)).status).toBe(404)
    const denied = { allowed: false, reasons: [UNREADABLE], attestation: null }
    expect(await verdictOf(waiting)).toEqual({ ...denied, gate_id: waiting.id })
    expect(await verdictOf(before)).toEqual({ ...denied, gate_id: before.id })
    // The public key can still be read, so that what was signed can be verified offline.
    const [key] = await listKeys()
    expect(verifies((await attestationOf(before)).body, key.public_key_pem)).toBe(true)
  })

  test('once it can be read again, what waited is signed, and both are allowed', async () => {
    await restart(`${SECOND},${FIRST}`)
    // The retry of the job, without waiting for its time.
    await box.sql`
      select from ops.retry(array(
        select id::text from graphile_worker.jobs where task_identifier = 'attest_gates'
      ))
    `
    await attested(waiting)
    for (const gate of [before, waiting]) expect(await verdictOf(gate)).toMatchObject({ allowed: true, reasons: [] })
  })

  test('an owner replaces a key that is lost: what waits is signed with the new one', async () => {
    await restart(SECOND)
    const [lost] = await listKeys()
    const unsigned = await approved()
    await jobFailed(unsigned)
    const rotated = await ada.post(`${keys}${site.organization.id}/signing-keys/rotate`)
    expect([rotated.status, rotated.body.key_id === lost.key_id]).toEqual([200, false])
    expect((await attested(unsigned)).signatures[0].keyid).toBe(rotated.body.key_id)
    expect(await verdictOf(unsigned)).toMatchObject({ allowed: true })
    // What the lost key signed is denied until it can be read.
    expect(await verdictOf(before)).toMatchObject({ allowed: false, reasons: [UNREADABLE] })
    await restart(`${SECOND},${FIRST}`)
    expect(await verdictOf(before)).toMatchObject({ allowed: true })
  })
})

test('without the key that signed it, verify denies', async () => {
  const gate = await approved()
  const { signatures } = await attested(gate)
  const { key_id, public_key, secret, ...row } = (
    await box.sql`select * from signing_keys where key_id = ${signatures[0].keyid}`
  )[0] as Body
  await box.sql`delete from signing_keys where key_id = ${key_id}`
  expect(await verdictOf(gate)).toEqual({
    allowed: false,
    reasons: ['The key that signed the attestation of the gate is not among the signing keys of the organization.'],
    gate_id: gate.id,
    attestation: null,
  })
  await box.sql`
    insert into signing_keys (id, organization_id, key_id, public_key, secret, created_at)
    values (${row.id}, ${row.organization_id}, ${key_id}, ${public_key}, ${secret}, ${row.created_at})
  `
  expect(await verdictOf(gate)).toMatchObject({ allowed: true })
})

test('a key that someone puts into the database signs nothing that verify allows', async () => {
  const gate = await approved()
  await attested(gate)
  const [key] = await listKeys()
  await box.sql.begin(async (tx) => {
    await letGatesChange(tx)
    await tx`update signing_keys set key_id = ${'f'.repeat(64)} where key_id = ${key.key_id}`
    await tx`update attestations set key_id = ${'f'.repeat(64)} where gate_id = ${gate.id}`
  })
  expect(await verdictOf(gate)).toMatchObject({
    allowed: false,
    reasons: [`The signing key ${'f'.repeat(64)} was not made by this service.`],
  })
  await box.sql`update signing_keys set key_id = ${key.key_id} where key_id = ${'f'.repeat(64)}`
})

test.skipIf(onCitus)('a database restored from yesterday allows nothing that was approved since', async () => {
  const old = await approved()
  await attested(old)
  await box.settled()
  const { url } = box
  const name = new URL(url).pathname.slice(1)
  const backup = `${name}_backup`
  await box.close()
  const admin = connect(Object.assign(new URL(url), { pathname: '/postgres' }).href, 'signalbox test', 1)
  await admin`create database ${admin(backup)} template ${admin(name)}`
  await restart(`${SECOND},${FIRST}`, url)
  const today = await approved()
  const kept = await attested(today)
  expect(await verdictOf(today)).toMatchObject({ allowed: true })

  await restart(`${SECOND},${FIRST}`, Object.assign(new URL(url), { pathname: `/${backup}` }).href)
  try {
    expect(await verdictOf(old)).toMatchObject({ allowed: true })
    const unknown = `No gate for production is about gitCommit:${today.subject.digest.gitCommit}.`
    expect(await verdictOf(today)).toEqual({ allowed: false, reasons: [unknown], gate_id: null, attestation: null })
    // Its attestation is still genuine, and names an entry of the log that is another one now.
    const [key] = await listKeys()
    expect(verifies(kept, key.public_key_pem)).toBe(true)
    const other = statementIn(await attested(await approved())).predicate.signalbox.audit
    const { seq, hash } = statementIn(kept).predicate.signalbox.audit
    expect([other.seq <= seq, other.hash === hash]).toEqual([true, false])
  } finally {
    await box.close()
    await admin`drop database ${admin(backup)} with (force)`
    await admin.end()
  }
})
