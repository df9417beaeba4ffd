import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'
import { TYPES } from './inbox.ts'

const PATH = '/api/v1/notifications/preferences'

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

/** As if the type had been added after Ada saved her preferences. */
const forget = (type: string) =>
  box.sql`
    update notification_preferences
    set types       = array_remove(types, ${type}),
        email_types = array_remove(email_types, ${type}),
        known_types = array_remove(known_types, ${type})
    where user_id = ${ada.id}
  `

test('a type that is added later is on for those who saved preferences before, until they turn it off', async () => {
  await ada.put(PATH, { types: ['budget_alert', 'member_added'], email_types: ['budget_alert'] })
  await forget('member_added')
  expect((await ada.get(PATH)).body).toMatchObject({
    types: ['budget_alert', 'member_added'],
    email_types: ['budget_alert', 'member_added'],
  })
  // A change of something else keeps it.
  await ada.put(PATH, { desktop_enabled: true })
  expect((await ada.put(PATH, { email_types: [] })).body).toMatchObject({
    types: ['budget_alert', 'member_added'],
    email_types: [],
  })
  expect((await ada.put(PATH, { types: ['budget_alert'] })).body.types).toEqual(['budget_alert'])
})

test('updates do not affect other users', async () => {
  const eve = await box.user('Eve')
  await ada.put(PATH, { email_enabled: false })
  expect((await eve.get(PATH)).body.email_enabled).toBeTrue()
})
