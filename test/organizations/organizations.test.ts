import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { onCitus } from '../support/databases.ts'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
const ORGANIZATIONS = '/api/v1/organizations'

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
})
afterAll(() => box.close())

// Slugs and keys are unique across the service, so each name here is used once.
const create = (name: string) => ada.make(ORGANIZATIONS, { name })

describe('A new organization', () => {
  test('has exactly the documented fields with their initial values', async () => {
    const { status, body } = await ada.post(ORGANIZATIONS, { name: 'Initial Values', description: 'What we do.' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      name: 'Initial Values',
      org_key: 'IV',
      slug: 'initial-values',
      owner_id: ada.id,
      description: 'What we do.',
      logo_url: null,
      settings: {},
      budget_monthly_limit_usd: null,
      budget_used_usd: 0,
      budget_alert_threshold: 0.8,
      registration_mode: 'invite-only',
      require_second_factor: false,
      max_workspaces: null,
      max_members: null,
      member_count: 1,
      workspace_count: 0,
      created_at: expect.any(String),
      updated_at: body.created_at,
    })
    expect((await ada.get(`${ORGANIZATIONS}/${body.id}`)).body).toEqual(body)
  })

  test('is listed with exactly the fields of the summary', async () => {
    const made = await create('Summarized')
    const { body } = await ada.get(ORGANIZATIONS)
    const summary = body.find(({ id }: { id: string }) => id === made.id)
    const { id, name, org_key, slug, owner_id, member_count, workspace_count, created_at } = made
    expect(summary).toEqual({ id, name, org_key, slug, owner_id, member_count, workspace_count, created_at })
  })

  test('has its creator as owner, and is not visible to others', async () => {
    const { id } = await create('Owned')
    expect((await ada.get(`${ORGANIZATIONS}/${id}/my-role`)).body).toEqual({ role: 'owner' })
    const bob = await box.user('Bob')
    expect((await bob.get(ORGANIZATIONS)).body).toEqual([])
    expect((await bob.get(`${ORGANIZATIONS}/${id}/my-role`)).status).toBe(404)
  })

  test('may have a description of up to 2,000 characters, or null', async () => {
    const described = (description: unknown) => ada.post(ORGANIZATIONS, { name: 'Described', description })
    expect((await described('🚂'.repeat(2000))).body.description).toBe('🚂'.repeat(2000))
    expect((await described(null)).body.description).toBeNull()
    expect((await described('x'.repeat(2001))).status).toBe(422)
  })

  test('refuses fields that only the service sets', async () => {
    for (const field of ['slug', 'org_key', 'owner_id', 'id', 'budget_used_usd', 'member_count']) {
      const { status, body } = await ada.post(ORGANIZATIONS, { name: 'Set', [field]: 'x' })
      expect([status, body.errors[0].pointer]).toEqual([422, `/${field}`])
    }
  })
})

describe('Slug and key', () => {
  const cases: [string, string, string][] = [
    ['Acme', 'acme', 'ACME'],
    ['Signalbox Railway Works', 'signalbox-railway-works', 'SRW'],
    ['Überraschung Genève', 'uberraschung-geneve', 'UG'],
    ['Zoë', 'zoe', 'ZOE'],
    ['Q', 'q', 'QX'],
    ['  --Dash & Dot...  ', 'dash-dot', 'DD'],
    ['A B C D E F G H', 'a-b-c-d-e-f-g-h', 'ABCDEF'],
    ['2nd 4ever', '2nd-4ever', '24'],
    ['fi ligature', 'fi-ligature', 'FL'],
    ['ＦＵＬＬ', 'full', 'FULL'],
  ]
  for (const [name, slug, key] of cases) {
    test(`of "${name}" are ${slug} and ${key}`, async () => {
      expect(await create(name)).toMatchObject({ slug, org_key: key })
    })
  }

  test('of names without ASCII characters are org, org-2, … and ORG, ORG2, …', async () => {
    expect(await create('🚂🚃🚄')).toMatchObject({ slug: 'org', org_key: 'ORG' })
    expect(await create('信号所')).toMatchObject({ slug: 'org-2', org_key: 'ORG2' })
    expect(await create('!!!')).toMatchObject({ slug: 'org-3', org_key: 'ORG3' })
  })

  test('of names with the same initials have numbered keys; the number of a slug is not part of the initials', async () => {
    expect(await create('Twin Peaks')).toMatchObject({ slug: 'twin-peaks', org_key: 'TP' })
    expect(await create('Twin Peaks')).toMatchObject({ slug: 'twin-peaks-2', org_key: 'TP2' })
    expect(await create('Train Platform')).toMatchObject({ slug: 'train-platform', org_key: 'TP3' })
  })

  test('of long names have at most 48 characters, including a number, and never end in a dash', async () => {
    const name = `${'x'.repeat(46)} yz ${'w'.repeat(60)}`
    const first = await create(name)
    const second = await create(name)
    expect([first.slug, second.slug]).toEqual([`${'x'.repeat(46)}-y`, `${'x'.repeat(46)}-2`])
    const dashed = await create(`${'v'.repeat(47)} u`)
    expect(dashed.slug).toBe('v'.repeat(47))
  })

  test('skip taken ones, and work for thousands of organizations with one name', async () => {
    expect(await create('Collide 2')).toMatchObject({ slug: 'collide-2', org_key: 'C2' })
    expect((await create('Collide')).slug).toBe('collide')
    expect((await create('Collide')).slug).toBe('collide-3')
    await box.sql`
      with made as (
        insert into organizations (name, slug, org_key, owner_id)
        select 'Many', concat('many', '-' || nullif(number, 1)), concat('MANY', nullif(number, 1)), ${ada.id}
        from generate_series(1, 5000) as number
        returning id, org_key, slug
      ),
      named as (
        insert into organization_names (organization_id, org_key, slug) select id, org_key, slug from made
      )
      insert into organization_members (organization_id, user_id, role) select id, ${ada.id}, 'owner' from made
    `
    expect(await create('Many')).toMatchObject({ slug: 'many-5001', org_key: 'MANY5001' })
  })

  test('of fifty concurrent creations with one name are numbered 1 to 50', async () => {
    const made = await Promise.all(Array.from({ length: 50 }, () => ada.post(ORGANIZATIONS, { name: 'Rush Hour' })))
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]))
    const numbered = (base: string, dash: string) =>
      Array.from({ length: 50 }, (_, index) => (index === 0 ? base : `${base}${dash}${index + 1}`)).sort()
    expect(made.map(({ body }) => body.slug).sort()).toEqual(numbered('rush-hour', '-'))
    expect(made.map(({ body }) => body.org_key).sort()).toEqual(numbered('RH', ''))
  })

  test('of concurrent creations with the same key and different slugs are unique', async () => {
    const names = Array.from({ length: 20 }, (_, index) => (index % 2 ? 'Kilo Lima' : 'Kappa Lambda'))
    const made = await Promise.all(names.map((name) => ada.post(ORGANIZATIONS, { name })))
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(made.map(({ body }) => body.org_key)).size).toBe(20)
  })
})

describe('The database', () => {
  test('ensures exactly one owner: the owner can be neither deleted nor demoted, and a second one is refused', async () => {
    const { id } = await create('One Owner')
    const bob = await box.user('Bob')
    await box.sql`insert into organization_members (organization_id, user_id, role) values (${id}, ${bob.id}, 'member')`
    const mine = box.sql`organization_id = ${id} and user_id = ${ada.id}`
    // A deferred key is checked by the commit, whose error may have only the number of the shard on a cluster.
    const refusal = onCitus
      ? /organizations_owner_is_member|could not commit transaction for shard/
      : 'organizations_owner_is_member'
    await expect(box.sql`delete from organization_members where ${mine}`.execute()).rejects.toThrow(refusal)
    await expect(box.sql`update organization_members set role = 'admin' where ${mine}`.execute()).rejects.toThrow(refusal)
    await expect(
      box.sql`update organization_members set role = 'owner' where organization_id = ${id} and user_id = ${bob.id}`.execute(),
    ).rejects.toThrow('organization_members_owner')
    await expect(box.sql`update organizations set owner_id = ${bob.id} where id = ${id}`.execute()).rejects.toThrow(refusal)
    await box.sql.begin(async (tx) => {
      await tx`update organization_members set role = 'admin' where organization_id = ${id} and user_id = ${ada.id}`
      await tx`update organization_members set role = 'owner' where organization_id = ${id} and user_id = ${bob.id}`
      await tx`update organizations set owner_id = ${bob.id} where id = ${id}`
    })
    expect((await bob.get(`${ORGANIZATIONS}/${id}/my-role`)).body).toEqual({ role: 'owner' })
  })

  test('protects the audit log: entries cannot be changed, deleted or truncated', async () => {
    const { id } = await create('Evidence')
    const entries = () => box.sql`select * from audit_log_entries where organization_id = ${id}`
    const before = await entries()
    expect(before).toHaveLength(1)
    const refusal = 'its rows are evidence'
    await expect(
      box.sql`update audit_log_entries set detail = 'nothing' where organization_id = ${id}`.execute(),
    ).rejects.toThrow(refusal)
    await expect(box.sql`delete from audit_log_entries where organization_id = ${id}`.execute()).rejects.toThrow(refusal)
    await expect(box.sql`truncate audit_log_entries`.execute()).rejects.toThrow(refusal)
    await expect(box.sql`truncate organizations cascade`.execute()).rejects.toThrow(refusal)
    expect(await entries()).toEqual(before)
  })

  test('deletes the audit log only with its organization', async () => {
    const { id } = await create('Short-Lived')
    await box.sql`delete from organizations where id = ${id}`
    expect(await box.sql`select from audit_log_entries where organization_id = ${id}`).toHaveLength(0)
  })
})

test('a failed creation leaves nothing behind', async () => {
  await box.sql`create function refuse_entry() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`
  await box.sql`
    create trigger refuse_entry before insert on audit_log_entries for each row
      when (new.detail like '%Half Written%') execute function refuse_entry()
  `
  const { status, body } = await ada.post(ORGANIZATIONS, { name: 'Half Written' }, { 'Idempotency-Key': 'half' })
  expect([status, body.code]).toEqual([500, 'internal'])
  expect(JSON.stringify(body)).not.toMatch(/refuse_entry|raise|plpgsql|select|insert/i)
  expect(await box.sql`select from organizations where name = 'Half Written'`).toHaveLength(0)
  expect(await box.sql`select from idempotency_keys where key = 'half'`).toHaveLength(0)
  await box.sql`drop trigger refuse_entry on audit_log_entries`
  const again = await ada.post(ORGANIZATIONS, { name: 'Half Written' }, { 'Idempotency-Key': 'half' })
  expect([again.status, again.body.slug]).toEqual([201, 'half-written'])
})
