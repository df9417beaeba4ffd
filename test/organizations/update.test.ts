import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
const ORGANIZATIONS = '/api/v1/organizations'

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
})
afterAll(() => box.close())

const create = (name = 'Changeable') => ada.make(ORGANIZATIONS, { name })
const pathOf = ({ id }: { id: string }) => `${ORGANIZATIONS}/${id}`

test('every changeable field can be changed, alone and together; slug and key stay', async () => {
  const made = await create('Before the Change')
  const all = {
    name: 'After',
    description: 'What we do.',
    logo_url: 'https://example.com/logo.svg',
    settings: { theme: 'dark', nested: [{ ok: true }], 'a key': null },
    registration_mode: 'open',
    max_workspaces: 3,
    max_members: 7,
    budget_monthly_limit_usd: 99.999999,
    budget_alert_threshold: 0.5,
  }
  let expected = made
  for (const [field, value] of Object.entries(all)) {
    const { status, body } = await ada.put(pathOf(made), { [field]: value })
    expected = { ...expected, [field]: value, updated_at: expect.any(String) }
    expect([status, body]).toEqual([200, expected])
  }
  const cleared = {
    description: null,
    logo_url: null,
    settings: {},
    max_workspaces: null,
    max_members: null,
    budget_monthly_limit_usd: null,
  }
  const { body } = await ada.put(pathOf(made), cleared)
  expect(body).toEqual({ ...expected, ...cleared })
  expect((await ada.get(pathOf(made))).body).toEqual(body)
})

test('settings are replaced as a whole, up to 64 KiB of JSON', async () => {
  const made = await create()
  await ada.put(pathOf(made), { settings: { a: 1, b: 2 } })
  expect((await ada.put(pathOf(made), { settings: { c: 3 } })).body.settings).toEqual({ c: 3 })
  const frame = JSON.stringify({ words: '' }).length
  const largest = { words: 'é'.repeat((65_536 - frame) / 2) }
  expect((await ada.put(pathOf(made), { settings: largest })).body.settings).toEqual(largest)
  const refused = await ada.put(pathOf(made), { settings: { words: `${largest.words}x` } })
  expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/settings'])
})

describe('A name', () => {
  for (const name of ['🚂 Gleiß', 'שלום עולם', 'مرحبا بالعالم', '信号所', '🚂'.repeat(120), 'x'.repeat(120)]) {
    test(`may be ${name.slice(0, 20)} (${[...name].length} characters)`, async () => {
      const made = await create()
      expect((await ada.put(pathOf(made), { name: `  ${name}\t` })).body).toMatchObject({ name, slug: made.slug })
    })
  }

  for (const name of ['', '   ', '\u00a0\u2003\t\n', 'x'.repeat(121), '🚂'.repeat(121), 'nul\u0000', '\ud800', 7, null, ['x']]) {
    test(`cannot be ${JSON.stringify(name).slice(0, 24)}`, async () => {
      const made = await create()
      const { status, body } = await ada.put(pathOf(made), { name })
      expect([status, body.errors[0].pointer]).toEqual([422, '/name'])
      expect((await ada.get(pathOf(made))).body).toEqual(made)
    })
  }
})

const WRONG: [string, unknown][] = [
  ['description', 'x'.repeat(2001)],
  ['logo_url', 'javascript:alert(1)'],
  ['logo_url', 'logo.svg'],
  ['logo_url', `https://example.com/${'x'.repeat(2048)}`],
  ['settings', null],
  ['settings', []],
  ['settings', 'dark'],
  ['registration_mode', 'closed'],
  ['registration_mode', null],
  ['max_workspaces', 0],
  ['max_workspaces', 2_147_483_648],
  ['max_members', 1.5],
  ['max_members', '5'],
  ['max_members', -1],
  ['budget_monthly_limit_usd', -0.01],
  ['budget_monthly_limit_usd', -0.0000001],
  ['budget_monthly_limit_usd', 1e9 + 1],
  ['budget_alert_threshold', 0],
  ['budget_alert_threshold', 1.01],
  ['budget_alert_threshold', null],
  ['slug', 'mine'],
  ['org_key', 'MINE'],
  ['owner_id', '019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d'],
  ['member_count', 5],
  ['budget_montly_limit_usd', 5],
]

test.each(WRONG)('%s cannot be %p', async (field, value) => {
  const made = await create()
  const { status, body } = await ada.put(pathOf(made), { name: 'Not this either', [field]: value })
  expect([status, body.code, body.errors[0].pointer]).toEqual([422, 'validation_failed', `/${field}`])
  expect((await ada.get(pathOf(made))).body).toEqual(made)
})

test('an empty update leaves no audit entry; any other leaves one that names the changes', async () => {
  const made = await create()
  expect(await ada.put(pathOf(made), {})).toMatchObject({ status: 200, body: made })
  await ada.put(pathOf(made), { description: 'x', max_members: 5 })
  const entries = await box.sql`
    select action, resource_type, resource_id, detail, workspace_id
    from audit_log_entries
    where organization_id = ${made.id} and action = 'organization.updated'
  `
  expect([...entries]).toEqual([
    {
      action: 'organization.updated',
      resource_type: 'organization',
      resource_id: made.id,
      detail: 'Ada changed the organization Changeable: description from none to "x"; max_members from none to 5.',
      workspace_id: null,
    },
  ])
})

test('If-Match refuses stale updates, and ignores changed counters', async () => {
  const made = await create()
  const tag = (await ada.get(pathOf(made))).headers.get('etag') ?? ''
  await ada.make(`${pathOf(made)}/workspaces`, { name: 'Counted' })
  expect((await ada.get(pathOf(made))).headers.get('etag')).not.toBe(tag)
  const first = await ada.put(pathOf(made), { description: 'first' }, { 'If-Match': tag })
  expect(first.status).toBe(200)
  const second = await ada.put(pathOf(made), { description: 'second' }, { 'If-Match': tag })
  expect([second.status, second.body.code]).toEqual([412, 'precondition_failed'])
  expect((await ada.delete(pathOf(made), { 'If-Match': tag })).status).toBe(412)
  expect((await ada.get(pathOf(made))).body.description).toBe('first')
})

test('fifty concurrent updates of different fields lose nothing', async () => {
  const made = await create()
  const changes = Array.from({ length: 50 }, (_, index) =>
    index % 2 ? { description: `description ${index}` } : { settings: { index } },
  )
  const answers = await Promise.all(changes.map((change) => ada.put(pathOf(made), change)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const { body } = await ada.get(pathOf(made))
  expect(body.description).toStartWith('description ')
  expect(body.settings.index % 2).toBe(0)
  expect(new Set(answers.map(({ body }) => body.updated_at)).size).toBe(50)
})
