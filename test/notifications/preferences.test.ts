import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'

const PATH = '/api/v1/notifications/preferences'
const TYPES = [
  'gate_pending',
  'execution_completed',
  'execution_failed',
  'budget_alert',
  'invitation_received',
  'member_added',
  'deployment_failed',
]

let box: Box
let ada: Actor

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
})
afterAll(() => box.close())

beforeEach(async () => {
  ada = await box.user('Ada')
})

test('the defaults are e-mail, no desktop, and all types for both', async () => {
  const { status, body, headers } = await ada.get(PATH)
  expect([status, body]).toEqual([
    200,
    { email_enabled: true, desktop_enabled: false, types: TYPES, email_types: TYPES, updated_at: expect.any(String) },
  ])
  const known = headers.get('etag') ?? ''
  expect((await ada.get(PATH, { 'If-None-Match': known })).status).toBe(304)
})

test('an update keeps fields it does not name, and sorts and deduplicates types', async () => {
  const { body: before } = await ada.get(PATH)
  const { status, body } = await ada.put(PATH, { desktop_enabled: true, types: ['member_added', 'gate_pending', 'member_added'] })
  expect([status, body]).toEqual([
    200,
    { ...before, desktop_enabled: true, types: ['gate_pending', 'member_added'], updated_at: expect.any(String) },
  ])
  expect(Date.parse(body.updated_at)).toBeGreaterThan(Date.parse(before.updated_at))
  expect((await ada.get(PATH)).body).toEqual(body)
  const none = await ada.put(PATH, { email_enabled: false, types: [], email_types: [] })
  expect(none.body).toMatchObject({ email_enabled: false, desktop_enabled: true, types: [], email_types: [] })
})

test('an empty update changes nothing', async () => {
  const { body: before } = await ada.get(PATH)
  expect(await ada.put(PATH, {})).toMatchObject({ status: 200, body: before })
  const { body: after } = await ada.put(PATH, { email_enabled: false })
  expect((await ada.put(PATH, {})).body).toEqual(after)
})

test.each([
  [{ types: ['gate_pending', 'gate_approved'] }, '/types/1'],
  [{ email_types: 'gate_pending' }, '/email_types'],
  [{ email_enabled: 'yes' }, '/email_enabled'],
  [{ desktop_enabled: null }, '/desktop_enabled'],
  [{ emails: true }, '/emails'],
])('%p is refused', async (body, pointer) => {
  const answer = await ada.put(PATH, body)
  expect([answer.status, answer.body.errors.map((error: { pointer: string }) => error.pointer)]).toEqual([422, [pointer]])
})

test('of two concurrent updates with one ETag, one is refused', async () => {
  const match = { 'If-Match': (await ada.get(PATH)).headers.get('etag') ?? '' }
  const answers = await Promise.all([
    ada.put(PATH, { email_enabled: false }, match),
    ada.put(PATH, { desktop_enabled: true }, match),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
})

test('updates do not affect other users', async () => {
  const eve = await box.user('Eve')
  await ada.put(PATH, { email_enabled: false })
  expect((await eve.get(PATH)).body.email_enabled).toBeTrue()
})
