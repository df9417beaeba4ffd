import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let bob: Actor
let site: Site

const ORGANIZATIONS = '/api/v1/organizations'

beforeAll(async () => {
  box = await signalbox({ own: true, workers: 0 })
  ;[ada, bob] = await Promise.all([box.user('Ada'), box.user('Bob')])
  site = await box.site(ada)
})
afterAll(() => box.close())

const create = (actor: Actor, key: string, name: string) => actor.post(ORGANIZATIONS, { name }, { 'Idempotency-Key': key })

async function countNamed(name: string): Promise<number> {
  const [{ count }] = await box.sql<[{ count: number }]>`select count(*) as count from organizations where name = ${name}`
  return count
}

describe('A second request with the same Idempotency-Key', () => {
  test('returns the first response and does nothing', async () => {
    const first = await create(ada, 'repeat', 'Repeated')
    const again = await create(ada, 'repeat', 'Repeated')
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('location')).toBe(first.headers.get('location'))
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await countNamed('Repeated')).toBe(1)
  })

  test('may quote the key or not', async () => {
    const bare = await create(ada, 'quoted key', 'Quoted')
    const quoted = await create(ada, '"quoted key"', 'Quoted')
    expect(quoted.body.id).toBe(bare.body.id)
  })

  test('and another body or path is refused', async () => {
    await create(ada, 'reused', 'Reused')
    const otherBody = await create(ada, 'reused', 'Something else')
    expect([otherBody.status, otherBody.body.code]).toEqual([422, 'idempotency_key_reused'])
    const otherPath = await ada.post(
      `${ORGANIZATIONS}/${site.organization.id}/workspaces`,
      { name: 'Reused' },
      { 'Idempotency-Key': 'reused' },
    )
    expect([otherPath.status, otherPath.body.code]).toEqual([422, 'idempotency_key_reused'])
    expect(await countNamed('Something else')).toBe(0)
  })

  test('by another user is independent', async () => {
    const adas = await create(ada, 'shared', 'Shared')
    const bobs = await create(bob, 'shared', 'Shared')
    expect([adas.status, bobs.status]).toEqual([201, 201])
    expect(bobs.body.id).not.toBe(adas.body.id)
    expect(bobs.headers.get('idempotent-replayed')).toBeNull()
  })

  test('can correct a validation error, which is not stored', async () => {
    const refused = await create(ada, 'corrected', '')
    expect(refused.status).toBe(422)
    const corrected = await create(ada, 'corrected', 'Corrected')
    expect([corrected.status, corrected.body.name]).toEqual([201, 'Corrected'])
  })

  test('gets the same 409 again, even when the state has changed since', async () => {
    const requirement = await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Kept refusal' })
    const execution = await ada.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'claude' })
    const complete = () =>
      ada.post(`/api/v1/executions/${execution.id}/complete`, {}, { 'Idempotency-Key': `complete ${execution.id}` })
    const first = await complete()
    expect([first.status, first.body.code]).toEqual([409, 'invalid_transition'])
    await ada.make(`/api/v1/executions/${execution.id}/start`)
    const again = await complete()
    expect([again.status, again.body.code, again.headers.get('idempotent-replayed')]).toEqual([409, 'invalid_transition', 'true'])
    expect(again.headers.get('content-type')).toBe('application/problem+json')
    expect((await ada.get(`/api/v1/executions/${execution.id}`)).body.status).toBe('running')
    expect((await ada.post(`/api/v1/executions/${execution.id}/complete`)).status).toBe(200)
  })

  test('gets nothing when the caller has lost access', async () => {
    const guest = await box.user('Guest')
    await box.join(guest, site, 'member', 'admin')
    const path = `/api/v1/workspaces/${site.workspace.id}/projects`
    const headers = { 'Idempotency-Key': 'guest' }
    expect((await guest.post(path, { name: 'Guest work' }, headers)).status).toBe(201)
    await box.leave(guest, site.organization.id)
    expect((await guest.post(path, { name: 'Guest work' }, headers)).status).toBe(404)
  })

  test('is a new request after a day', async () => {
    const first = await create(ada, 'yesterday', 'Yesterday')
    await box.sql`update idempotency_keys set created_at = now() - interval '24 hours 1 second' where key = 'yesterday'`
    const second = await create(ada, 'yesterday', 'Yesterday')
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([201, null])
    expect(second.body.id).not.toBe(first.body.id)
  })
})

test('a malformed key is a 400', async () => {
  for (const key of ['', '""', 'x'.repeat(256), '"unclosed', 'tab\tinside', `"${'x'.repeat(256)}"`]) {
    const answer = await create(ada, key, 'Malformed')
    expect([key, answer.status, answer.body.code]).toEqual([key, 400, 'malformed_header'])
  }
  expect(await countNamed('Malformed')).toBe(0)
  expect((await create(ada, 'x'.repeat(255), 'Longest key')).status).toBe(201)
})

test('twenty concurrent requests with one key create one resource; each gets it or a 409 that asks to wait', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => create(ada, 'twenty', 'Twenty')))
  for (const { status, body, headers } of answers) {
    if (status === 409) expect([body.code, headers.get('retry-after')]).toEqual(['idempotency_in_progress', '1'])
    else expect(status).toBe(201)
  }
  const ids = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.id))
  expect(ids.size).toBe(1)
  expect(await countNamed('Twenty')).toBe(1)
  expect(await box.sql`select from audit_log_entries where organization_id = ${[...ids][0]}`).toHaveLength(1)
})

test('after an API process is killed, repeating every request creates one organization per key', async () => {
  const keys = Array.from({ length: 60 }, (_, index) => `crash-${index}`)
  const finished: Answer[] = []
  const remaining = keys.values()
  // Ten requests are in progress at any moment, so that most have not begun when the process is killed.
  const caller = async () => {
    for (const key of remaining) {
      finished.push(await create(ada, key, key))
      if (finished.length === 10) box.api.kill('SIGKILL')
    }
  }
  await Promise.allSettled(Array.from({ length: 10 }, caller))
  await box.api.exited
  expect(finished.length).toBeGreaterThanOrEqual(10)
  expect(finished.length).toBeLessThan(keys.length)

  await box.startApi()
  const [{ count }] = await box.sql<[{ count: number }]>`
    select count(*) as count from organizations where starts_with(name, 'crash-')
  `
  expect(count).toBeGreaterThanOrEqual(finished.length)
  for (const answer of await Promise.all(keys.map((key) => create(ada, key, key)))) expect(answer.status).toBe(201)
  const rows = await box.sql<{ name: string; count: number; audited: number }[]>`
    select
      organization.name,
      count(distinct organization.id) as count,
      count(entry.id) as audited
    from organizations as organization
    left join audit_log_entries as entry on entry.organization_id = organization.id
    where starts_with(organization.name, 'crash-')
    group by organization.name
  `
  expect(rows).toHaveLength(keys.length)
  for (const row of rows) expect(row).toMatchObject({ count: 1, audited: 1 })
})
