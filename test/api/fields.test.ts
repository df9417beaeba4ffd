import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let site: Site

const ABSENT = '019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d'
const ORGANIZATIONS = '/api/v1/organizations'

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(() => box.close())

const pointers = (body: { errors: { pointer: string }[] }) => body.errors.map(({ pointer }) => pointer)

test('a malformed UUID is reported as such wherever it occurs', async () => {
  const requirement = await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Pay by invoice' })
  const subscriptions = `/api/v1/workspaces/${site.workspace.id}/notification-channels`
  const config = { webhook_url: 'https://hooks.slack.com/services/T/B/x' }
  const channel = await ada.make(subscriptions, { name: 'Releases', channel_type: 'slack', config })
  const answers = await Promise.all([
    ada.get('/api/v1/projects/nonsense'),
    ada.post(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'claude', graph_id: 'nonsense' }),
    ada.post(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'claude', runtime_id: 'nonsense' }),
    ada.get(`${ORGANIZATIONS}/${site.organization.id}/audit-logs?actor_id=nonsense`),
    ada.post(`/api/v1/notification-channels/${channel.id}/subscriptions`, { event_pattern: '*', filter_project_id: 'nonsense' }),
  ])
  for (const { status, body } of answers) {
    expect([status, body.errors]).toEqual([422, [expect.objectContaining({ code: 'malformed', detail: 'must be a UUID' })]])
  }
})

test('a parameter of a query is the text that was sent, also with commas or as JSON', async () => {
  const requirement = await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Pay by invoice, card' })
  const path = `/api/v1/requirements/${requirement.id}/executions`
  for (const agent of ['claude, codex', '[1]', '{"a":1}', '[claude]', 'a=b&c', 'a+b']) {
    const { id } = await ada.make(path, { agent })
    const { status, body } = await ada.get(`${path}?agent=${encodeURIComponent(agent)}`)
    expect([agent, status, body.items?.map((item: { id: string }) => item.id)]).toEqual([agent, 200, [id]])
  }
  expect((await ada.get(`${path}?agent=claude,+codex`)).body.total).toBe(1)
  expect((await ada.get(`${path}?created_after=2026-01-01T10:00:00,5Z`)).status).toBe(200)
  const found = await ada.get('/api/v1/search?q=invoice,%20card')
  expect([found.status, JSON.stringify(found.body).includes(requirement.id)]).toEqual([200, true])
  const twice = await ada.get(`${path}?agent=a&agent=b`)
  expect([twice.status, pointers(twice.body)]).toEqual([422, ['/agent']])
})

test('errors do not show regular expressions', async () => {
  const { body } = await ada.get(`${ORGANIZATIONS}/${site.organization.id}/budget/history?from=nonsense`)
  expect(body.errors).toEqual([{ pointer: '/from', code: 'malformed', detail: 'must be a month as YYYY-MM' }])
})

describe('Validation names the wrong field:', () => {
  const cases: [string, unknown, string, string][] = [
    ['an unknown field', { name: 'x', budget_montly_limit_usd: 1 }, '/budget_montly_limit_usd', 'unknown_field'],
    ['a missing field', {}, '/name', 'required'],
    ['a number instead of a string', { name: 1 }, '/name', 'wrong_type'],
    ['null instead of a string', { name: null }, '/name', 'wrong_type'],
    ['a list instead of a string', { name: ['x'] }, '/name', 'wrong_type'],
    ['a string instead of an amount', { name: 'x', budget_monthly_limit_usd: '1' }, '/budget_monthly_limit_usd', 'wrong_type'],
    ['a negative amount', { name: 'x', budget_monthly_limit_usd: -1 }, '/budget_monthly_limit_usd', 'too_small'],
    ['more than a billion', { name: 'x', budget_monthly_limit_usd: 1e9 + 1 }, '/budget_monthly_limit_usd', 'too_large'],
    ['a ratio of 0', { name: 'x', budget_alert_threshold: 0 }, '/budget_alert_threshold', 'too_small'],
    ['a ratio above 1', { name: 'x', budget_alert_threshold: 1.01 }, '/budget_alert_threshold', 'too_large'],
    ['U+0000', { name: 'a\0b' }, '/name', 'forbidden_character'],
    ['U+0000 in a field name', { name: 'x', 'a\0': 1 }, '/a\0', 'forbidden_character'],
    ['only spaces', { name: ' \t\n　' }, '/name', 'too_short'],
  ]
  for (const [what, body, pointer, code] of cases) {
    test(`${what} is a 422`, async () => {
      const answer = await ada.post(`${ORGANIZATIONS}/${site.organization.id}/workspaces`, body)
      expect([answer.status, answer.body.code]).toEqual([422, 'validation_failed'])
      expect(answer.body.errors.map(({ pointer, code }: never) => [pointer, code])).toEqual([[pointer, code]])
    })
  }

  test('money is rounded half up to six decimals', async () => {
    const path = `${ORGANIZATIONS}/${site.organization.id}/workspaces`
    const cases = [
      [0.1234567, 0.123457],
      [1.0000005, 1.000001],
      [1.1400000000000001, 1.14],
      [0.00000049, 0],
      [999_999_999.123456, 999_999_999.123456],
      [1e9, 1e9],
    ] as const
    for (const [given, expected] of cases) {
      const { status, body } = await ada.post(path, { name: 'Money', budget_monthly_limit_usd: given })
      expect([given, status, body.budget_monthly_limit_usd]).toEqual([given, 201, expected])
      const again = await ada.put(`/api/v1/workspaces/${body.id}`, { budget_monthly_limit_usd: given })
      expect(again.body.budget_monthly_limit_usd).toBe(expected)
    }
    const whole = await ada.put(`${ORGANIZATIONS}/${site.organization.id}`, { budget_monthly_limit_usd: 1e9 })
    expect([whole.status, whole.body.budget_monthly_limit_usd]).toEqual([200, 1e9])
  })

  test('a threshold may be any number above 0', async () => {
    const path = `${ORGANIZATIONS}/${site.organization.id}`
    for (const budget_alert_threshold of [1e-7, 5e-324, 0.1 + 0.2, 1]) {
      const { status, body } = await ada.put(path, { budget_alert_threshold })
      expect([status, body.budget_alert_threshold]).toEqual([200, budget_alert_threshold])
    }
  })

  test('a time is stored in UTC with milliseconds', async () => {
    const cases = [
      ['9999-12-31T23:59:59.9999999Z', '9999-12-31T23:59:59.999Z'],
      ['9999-12-31T09:59:59.999-14:00', '9999-12-31T23:59:59.999Z'],
      ['2030-02-01T00:00:00.5+14:00', '2030-01-31T10:00:00.500Z'],
    ] as const
    for (const [expires_at, kept] of cases) {
      const { status, body } = await ada.post('/api/v1/auth/tokens', { name: 'Timed', expires_at })
      expect([expires_at, status, body.expires_at]).toEqual([expires_at, 201, kept])
      const { body: listed } = await ada.get('/api/v1/auth/tokens')
      expect(listed.find(({ id }: { id: string }) => id === body.id).expires_at).toBe(kept)
    }
  })

  test('fields that are equal in NFC are a 422 that names the second', async () => {
    const { id } = await box.running(ada, site.project.id)
    const metrics = { 'caf\u00e9': 1, 'cafe\u0301': 2 }
    const { status, body } = await ada.post(`/api/v1/executions/${id}/complete`, { metrics })
    expect([status, body.errors[0]]).toEqual([
      422,
      { pointer: '/metrics/cafe\u0301', code: 'duplicate_field', detail: expect.stringContaining('NFC') },
    ])
    const accepted = await ada.post(`/api/v1/executions/${id}/complete`, { metrics: { 'cafe\u0301': 2 } })
    expect([accepted.status, accepted.body.metrics]).toEqual([200, { 'caf\u00e9': 2 }])
  })

  test('an unpaired surrogate is a 422, escaped or not', async () => {
    for (const body of ['{"name":"a\\ud800"}', '{"name":"\\udc00b"}']) {
      const answer = await ada.post(ORGANIZATIONS, body)
      expect(answer.status).toBe(422)
      expect(answer.body.errors[0]).toMatchObject({ pointer: '/name', code: 'forbidden_character' })
    }
  })

  test('all wrong fields are reported at once', async () => {
    const { status, body } = await ada.post(`${ORGANIZATIONS}/${site.organization.id}/workspaces`, {
      name: 7,
      description: false,
      color: 'red',
    })
    expect(status).toBe(422)
    expect(pointers(body).sort()).toEqual(['/color', '/description', '/name'])
  })

  test('a body that is not an object is a 422', async () => {
    for (const body of ['[]', '"text"', '1', 'null', 'true']) expect((await ada.post(ORGANIZATIONS, body)).status).toBe(422)
  })

  test('an id in the path that is not a UUID is a 422 that names it', async () => {
    for (const id of ['1', 'me', `${ABSENT}0`, 'ZZZa2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d']) {
      const answer = await ada.get(`${ORGANIZATIONS}/${id}`)
      expect(answer.status).toBe(422)
      expect(pointers(answer.body)).toEqual(['/org_id'])
    }
    const upper = await ada.get(`${ORGANIZATIONS}/${site.organization.id.toUpperCase()}`)
    expect([upper.status, upper.body.id]).toEqual([200, site.organization.id])
  })

  test('unknown query parameters and invalid values are a 422', async () => {
    const requirements = `/api/v1/projects/${site.project.id}/requirements`
    const cases: [string, string][] = [
      [`${ORGANIZATIONS}?limt=1`, '/limt'],
      [`${ORGANIZATIONS}?limit=0`, '/limit'],
      [`${ORGANIZATIONS}?limit=1001`, '/limit'],
      [`${ORGANIZATIONS}?limit=ten`, '/limit'],
      [`${ORGANIZATIONS}?limit=1.5`, '/limit'],
      [`${ORGANIZATIONS}?limit=`, '/limit'],
      [`${ORGANIZATIONS}?limit=1&limit=2`, '/limit'],
      [`${ORGANIZATIONS}?after=nonsense`, '/after'],
      [`${requirements}?page=0`, '/page'],
      [`${requirements}?page=-1`, '/page'],
      [`${requirements}?page=99999999999`, '/page'],
      [`${requirements}?page_size=0`, '/page_size'],
      [`${requirements}?page_size=101`, '/page_size'],
      [`${requirements}?status=ready`, '/status'],
      [`${requirements}?created_after=yesterday`, '/created_after'],
      [`${requirements}?created_after=2026-02-30T00:00:00Z`, '/created_after'],
      [`${requirements}?created_after=2026-02-20T00:00:00`, '/created_after'],
      [`/api/v1/users/me?verbose=1`, '/verbose'],
      [`${ORGANIZATIONS}/${site.organization.id}?x=1`, '/x'],
    ]
    for (const [path, pointer] of cases) {
      const answer = await ada.get(path)
      expect([path, answer.status]).toEqual([path, 422])
      expect(pointers(answer.body)).toEqual([pointer])
    }
  })

  test('U+0000 in a query is a 422', async () => {
    const requirement = await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Query' })
    const answer = await ada.get(`/api/v1/requirements/${requirement.id}/executions?agent=a%00b`)
    expect([answer.status, pointers(answer.body)]).toEqual([422, ['/agent']])
  })

  test('a page far beyond the end is empty', async () => {
    const { status, body } = await ada.get(`/api/v1/projects/${site.project.id}/requirements?page=2147483647&page_size=100`)
    expect([status, body.items]).toEqual([200, []])
  })
})

describe('Text', () => {
  const create = (name: string) => ada.post(ORGANIZATIONS, { name })

  test('is stored in NFC, and names are trimmed', async () => {
    const { status, body } = await create('  Cafe\u0301 \n')
    expect([status, body.name]).toEqual([201, 'Café'])
    expect(body.slug).toMatch(/^cafe(-\d+)?$/)
  })

  test('is limited in code points: 120 emoji are a valid name, 121 are not', async () => {
    const most = await create('🚂'.repeat(120))
    expect([most.status, most.body.name]).toEqual([201, '🚂'.repeat(120)])
    const over = await create('🚂'.repeat(121))
    expect([over.status, over.body.errors[0].code]).toEqual([422, 'too_long'])
    const padded = await create(` ${'x'.repeat(120)} `)
    expect(padded.status).toBe(201)
  })

  test('of any script is stored unchanged', async () => {
    for (const name of ['خدمة الإشارات', 'שירות', '信号所', 'Ω≈ç√∫', '👩‍👩‍👧‍👦 & <b>"quotes"</b>']) {
      const made = await create(name)
      expect([made.status, made.body.name]).toEqual([201, name.normalize('NFC')])
      expect((await ada.get(`${ORGANIZATIONS}/${made.body.id}`)).body.name).toBe(name.normalize('NFC'))
    }
  })
})
