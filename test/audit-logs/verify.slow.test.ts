import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'
import { sealed, tamper, write } from './support.ts'

let box: Box
let ada: Actor

beforeAll(async () => {
  box = await signalbox({ workers: 2 })
  ada = await box.user('Ada')
})
afterAll(() => box.close())

/** An organization with this many sealed entries. */
async function chain(entries: number): Promise<string> {
  const { id } = await ada.make('/api/v1/organizations', { name: 'Chained' })
  await write(box, id, entries - 1)
  await sealed(box)
  return id
}
const verify = async (id: string, query = '') => (await ada.get(`/api/v1/organizations/${id}/audit-logs/verify${query}`)).body
const entryAt = async (id: string, seq: number) => {
  const [seal] = await box.sql`select entry_id from audit_log_seals where organization_id = ${id} and seq = ${seq}`
  return seal?.entry_id
}

test('entries are sealed soon by one of the workers, without gaps', async () => {
  const id = await chain(5000)
  const first = await verify(id)
  expect(first).toEqual({
    valid: true,
    sealed: 5000,
    unsealed: 0,
    head: { seq: 5000, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    broken_at: null,
  })
  await write(box, id, 1)
  await sealed(box)
  const longer = await verify(id, `?after_seq=5000&after_hash=${first.head.hash}`)
  expect([longer.valid, longer.sealed, longer.head.hash === first.head.hash]).toEqual([true, 5001, false])
})

test('anyone can recompute the chain of an organization from the entries in the audit log', async () => {
  const id = await chain(4)
  const { body } = await ada.get(`/api/v1/organizations/${id}/audit-logs`)
  const entries = new Map(body.items.map((entry: { id: string }) => [entry.id, entry]))
  const netstring = (text: string | null) => (text === null ? '-,' : `${Buffer.byteLength(text)}:${text},`)
  let hash = '0'.repeat(64)
  for (let seq = 1; seq <= 4; seq++) {
    const {
      seq: number,
      hash: sealed,
      actor: _,
      via: __,
      ...entry
    } = entries.get(await entryAt(id, seq)) as Record<string, string | null>
    const text = `signalbox.audit.1${[hash, String(seq), ...Object.values(entry)].map(netstring).join('')}`
    hash = new Bun.CryptoHasher('sha256').update(text).digest('hex')
    expect([Number(number), sealed]).toEqual([seq, hash])
  }
  expect((await verify(id)).head).toEqual({ seq: 4, hash })
})

test('concurrent writers in several organizations leave valid chains', async () => {
  const places = await Promise.all(Array.from({ length: 8 }, (_, index) => box.site(ada, `Busy ${index}`)))
  await Promise.all(
    places.map(async ({ organization, project }) => {
      for (let turn = 0; turn < 5; turn++) {
        await Promise.all(
          [1, 2, 3].map((number) => ada.make(`/api/v1/projects/${project.id}/requirements`, { title: `Number ${number}` })),
        )
      }
      expect((await verify(organization.id)).valid).toBe(true)
    }),
  )
  await sealed(box)
  for (const { organization } of places) {
    const { body } = await ada.get(`/api/v1/organizations/${organization.id}/audit-logs`)
    expect(await verify(organization.id)).toMatchObject({ valid: true, sealed: 18, unsealed: 0 })
    expect(body.total).toBe(18)
  }
})

describe('Tampering as a superuser', () => {
  test('with an entry is detected at its position', async () => {
    const id = await chain(50)
    const entry_id = await entryAt(id, 20)
    await tamper(box, (sql) => sql`update audit_log_entries set detail = 'Nothing happened' where id = ${entry_id}`)
    expect(await verify(id)).toMatchObject({ valid: false, sealed: 50, broken_at: { seq: 20, entry_id } })
    expect(await verify(id, '?after_seq=19')).toMatchObject({ valid: false, broken_at: { seq: 20, entry_id } })
    expect(await verify(id, '?after_seq=20')).toMatchObject({ valid: true, broken_at: null })
  })

  for (const column of ['workspace_name', 'actor_name', 'action', 'resource_type', 'ip_address', 'created_at', 'actor_id']) {
    test(`is detected in ${column}`, async () => {
      const id = await chain(3)
      const entry_id = await entryAt(id, 2)
      const value = column === 'created_at' ? '2020-01-01T00:00:00Z' : column === 'actor_id' ? crypto.randomUUID() : 'forged'
      await tamper(box, (sql) => sql`update audit_log_entries set ${sql({ [column]: value })} where id = ${entry_id}`)
      expect((await verify(id)).broken_at).toEqual({ seq: 2, entry_id })
    })
  }

  test('by deleting an entry is detected, with or without its seal', async () => {
    const id = await chain(10)
    const entry_id = await entryAt(id, 4)
    await tamper(box, (sql) => sql`delete from audit_log_entries where id = ${entry_id}`)
    expect((await verify(id)).broken_at).toEqual({ seq: 4, entry_id })
    await tamper(box, (sql) => sql`delete from audit_log_seals where organization_id = ${id} and seq = 4`)
    expect((await verify(id)).broken_at).toEqual({ seq: 4, entry_id: null })
  })

  test('by swapping two entries is detected', async () => {
    const id = await chain(10)
    const [third, seventh] = [await entryAt(id, 3), await entryAt(id, 7)]
    await tamper(
      box,
      (sql) => sql`
        update audit_log_seals
        set entry_id = case entry_id when ${third} then ${crypto.randomUUID()}::uuid else ${third}::uuid end
        where entry_id in (${third}, ${seventh})
      `,
    )
    expect((await verify(id)).broken_at.seq).toBe(3)
  })

  test('by adding an entry without a seal is detected, whatever its date', async () => {
    const id = await chain(10)
    const add = (created_at: string) => async (sql: Box['sql']) => {
      await sql`
        insert into audit_log_entries (organization_id, actor_type, actor_name, action, resource_type, detail, created_at)
        values (${id}, 'system', 'Signalbox', 'thing.done', 'thing', 'Forged', ${created_at})
      `
    }
    await tamper(box, add('2020-01-01T00:00:00Z'))
    const [{ id: entry_id }] = await box.sql<[{ id: string }]>`
      select id from audit_log_entries where detail = 'Forged' and organization_id = ${id}
    `
    expect(await verify(id)).toMatchObject({ valid: false, sealed: 10, unsealed: 0, broken_at: { seq: 11, entry_id } })
    expect(await verify(id, '?after_seq=10')).toMatchObject({ valid: false, broken_at: { seq: 11, entry_id } })
    // A false note that an entry waits to be sealed does not hide it.
    await tamper(box, (sql) => sql`insert into audit_log_unsealed values (${id}, gen_random_uuid())`)
    expect(await verify(id)).toMatchObject({ valid: false, unsealed: 0, broken_at: { seq: 11, entry_id } })
    await tamper(box, (sql) => sql`delete from audit_log_entries where id = ${entry_id}`)
    await tamper(box, (sql) => sql`delete from audit_log_unsealed where organization_id = ${id}`)
    expect(await verify(id)).toMatchObject({ valid: true, broken_at: null })
  })

  test('by truncating the log is detected only with a previously stored head', async () => {
    const id = await chain(30)
    const { head } = await verify(id)
    await tamper(box, async (sql) => {
      await sql`
        delete from audit_log_entries
        where id in (select entry_id from audit_log_seals where organization_id = ${id} and seq > 25)
      `
      await sql`delete from audit_log_seals where organization_id = ${id} and seq > 25`
    })
    expect(await verify(id)).toMatchObject({ valid: true, sealed: 25 })
    const kept = `?after_seq=${head.seq}&after_hash=${head.hash}`
    expect(await verify(id, kept)).toMatchObject({ valid: false, broken_at: { seq: 30, entry_id: null } })
    // After new entries, the sequence exists again with another hash.
    await write(box, id, 10)
    await sealed(box)
    expect(await verify(id)).toMatchObject({ valid: true, sealed: 35 })
    expect(await verify(id, kept)).toMatchObject({ valid: false, broken_at: { seq: 30, entry_id: await entryAt(id, 30) } })
  })
})

test('an organization whose entries cannot be sealed does not prevent the others', async () => {
  const broken = await chain(2)
  // It is sealed already, so sealing it again is refused.
  const entry_id = await entryAt(broken, 1)
  await tamper(box, (sql) => sql`insert into audit_log_unsealed values (${broken}, ${entry_id})`)
  const { id } = await ada.make('/api/v1/organizations', { name: 'Later' })
  await box.until('its entries are sealed', async () => (await verify(id)).sealed === 1)
  await tamper(box, (sql) => sql`delete from audit_log_unsealed where organization_id = ${broken}`)
})

test('invalid parameters are refused', async () => {
  const id = await chain(2)
  for (const [query, pointer] of [
    ['after_seq=-1', '/after_seq'],
    ['after_seq=x', '/after_seq'],
    ['after_seq=1&after_hash=abc', '/after_hash'],
    [`after_hash=${'0'.repeat(64)}`, '/after_hash'],
  ]) {
    const { status, body } = await ada.get(`/api/v1/organizations/${id}/audit-logs/verify?${query}`)
    expect([query, status, body.errors?.[0].pointer]).toEqual([query ?? '', 422, pointer])
  }
  expect(await verify(id, '?after_seq=2')).toMatchObject({ valid: true, sealed: 2 })
})
