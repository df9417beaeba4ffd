import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mailCatcher, mailSettings } from '../support/mail.ts'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'
import { type Place, UPDATES, type Update } from './updates.ts'

let box: Box
let ada: Actor
let place: Place

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  const grace = await box.user('Grace')
  const site = await box.site(ada)
  await box.join(grace, site, 'member', 'member')
  const account = await ada.make(`/api/v1/organizations/${site.organization.id}/service-accounts`, {
    name: 'Made',
    scopes: ['work:read'],
  })
  place = {
    account,
    trust: await ada.make(`/api/v1/service-accounts/${account.id}/trusts`, {
      issuer: 'https://ci.example.com',
      claims: { sub: ['made'] },
    }),
    ada,
    grace,
    ...site,
    group: await ada.make(`/api/v1/organizations/${site.organization.id}/groups`, { name: 'Made' }),
    requirement: await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Pay' }),
    hook: await ada.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
      name: 'Deploy',
      url: 'http://127.0.0.1:9/',
      trigger_on: 'gate_approved',
    }),
    channel: await ada.make(`/api/v1/workspaces/${site.workspace.id}/notification-channels`, {
      name: 'Room',
      channel_type: 'webhook',
      config: { url: 'http://127.0.0.1:9/' },
    }),
  }
})
afterAll(() => box.close())

/** Everything that a change leaves behind, apart from the record. */
async function sideEffects() {
  const entries = await box.sql<{ id: string; action: string; detail: string }[]>`
    select id, action, detail from audit_log_entries order by created_at, id
  `
  const [counts] = await box.sql`
    select
      (select count(*) from outbox) as events,
      (select count(*) from requirement_changes) as moves,
      (select count(*) from security_log_entries) as notes,
      (select coalesce(sum(version), 0) from lanes) as wakes
  `
  return { entries: [...entries], counts }
}

async function put({ path, type, reads }: Update, body: unknown, headers: Record<string, string> = {}) {
  const {
    status,
    body: answer,
    headers: got,
  } = await ada.put(path(place), body, { ...(type && { 'Content-Type': type }), ...headers })
  if (!reads) return { status, answer, tag: got.get('etag') }
  const read = await fetch(box.base + reads(place), { headers: { Authorization: `Bearer ${ada.token}` } })
  return { status, answer, tag: read.headers.get('etag') }
}

test('every PUT of the API with a body is tested here', () => {
  const { paths: documented } = box.contract.document
  // Needs a session with a proof of who is there: `test/sso/organization.test.ts`.
  const elsewhere = '/api/v1/organizations/{org_id}/sso'
  const paths = Object.entries(documented).flatMap(([path, { put: operation }]) =>
    operation?.requestBody && path !== elsewhere ? path : [],
  )
  expect(Object.keys(UPDATES).sort()).toEqual(paths.sort())
})

describe('A PUT', () => {
  for (const [name, update] of Object.entries(UPDATES)) {
    test(`of ${name} without a change has no effect, and a change is audited once with each field`, async () => {
      const first = await put(update, update.first)
      expect(first.status).toBe(200)
      const before = await sideEffects()
      const repeated = [await put(update, update.first)]
      if (!update.type && typeof update.first !== 'string' && !Array.isArray(update.first)) {
        // Where all fields are optional, an empty body changes nothing either.
        const empty = await put(update, {})
        if (empty.status === 200) repeated.push(empty)
        for (const field of Object.entries(update.first as object)) {
          repeated.push(await put(update, Object.fromEntries([field])))
        }
      }
      for (const again of repeated) expect(again).toEqual(first)
      expect(await sideEffects()).toEqual(before)

      // Of concurrent identical requests, one makes the change.
      const answers = await Promise.all(Array.from({ length: 6 }, () => put(update, update.second)))
      expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
      expect(new Set(answers.map(({ answer }) => JSON.stringify(answer))).size).toBe(1)
      // Lists have none.
      if (!Array.isArray(update.first)) expect(answers[0]?.tag).not.toBe(first.tag)
      const after = await sideEffects()
      const entries = after.entries.filter(({ id }) => !before.entries.some((known) => known.id === id))
      expect(entries.map(({ action }) => action)).toEqual(update.entry ? [update.entry.action] : [])
      const [entry] = entries
      for (const words of update.entry?.says ?? []) expect(entry?.detail).toContain(words)
      for (const words of update.entry?.never ?? []) expect(entry?.detail).not.toContain(words)
    })
  }

  test('that repeats a pending address or the current password changes nothing', async () => {
    const proving = await signalbox({ workers: 0, environment: mailSettings(await mailCatcher()) })
    try {
      const eve = await proving.register('Eve')
      const ask = () =>
        eve.put('/api/v1/users/me', { email: 'eve.new@example.com', current_password: 'correct horse battery staple' })
      const first = await ask()
      expect([first.status, first.body.pending_email]).toEqual([200, 'eve.new@example.com'])
      const recordCounts = () => proving.sql`
        select (select count(*) from security_log_entries) as notes, (select count(*) from graphile_worker.jobs) as jobs
      `
      const before = [...(await recordCounts())]
      expect((await ask()).body).toEqual(first.body)
      const password = 'correct horse battery staple'
      const same = await eve.put('/api/v1/users/me', { password, current_password: password })
      expect([same.status, same.body]).toEqual([200, first.body])
      expect([...(await recordCounts())]).toEqual(before)
      expect((await eve.put('/api/v1/users/me', { password, current_password: 'another password' })).status).toBe(422)
    } finally {
      await proving.close()
    }
  })
})
