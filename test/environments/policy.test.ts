import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let max: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  max = await box.user('Max')
  site = await box.site(ada)
  await box.join(max, site, 'member', 'member')
})
afterAll(() => box.close())

const policyOf = (environment: string, project: { id: string } = site.project) =>
  `/api/v1/projects/${project.id}/environments/${encodeURIComponent(environment)}/policy`

const group = (name: string): Promise<{ id: string }> =>
  ada.make(`/api/v1/organizations/${site.organization.id}/groups`, { name })

const WEEKEND = {
  name: 'Weekend',
  rrule: 'FREQ=WEEKLY;BYDAY=FR;BYHOUR=16',
  duration_seconds: 230_400,
  time_zone: 'Europe/Berlin',
}
const HOLIDAYS = { name: 'Holidays', from: '2026-12-20T00:00:00.000Z', until: '2027-01-02T00:00:00.000Z' }

/** The errors of a refused policy: pointer and code. */
async function errorsOf(input: object, environment = 'refused'): Promise<string[]> {
  const { status, body } = await ada.put(policyOf(environment), input)
  expect(status).toBe(422)
  return body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`)
}

test('there is no policy before the first PUT; members read it, admins change and delete it, and each field is audited', async () => {
  const path = policyOf('production')
  expect((await ada.get(path)).status).toBe(404)
  expect((await ada.delete(path)).status).toBe(404)
  const security = await group('Security')
  const { status, body } = await ada.put(path, {
    required_approvals: 2,
    prevent_self_approval: true,
    expires_in_seconds: 3600,
    decide_via: ['app', 'api'],
    approvers: [{ group_id: security.id, count: 1 }],
    require_subject: true,
    require_checks: true,
    require_passkey: false,
    gate_required: true,
    freezes: [WEEKEND, HOLIDAYS],
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    project_id: site.project.id,
    environment: 'production',
    required_approvals: 2,
    decide_via: ['api', 'app'],
    approvers: [{ group_id: security.id, count: 1 }],
    gate_required: true,
    freezes: [WEEKEND, HOLIDAYS],
  })
  expect((await max.get(path)).body).toEqual(body)
  expect([(await max.put(path, {})).status, (await max.delete(path)).status]).toEqual([403, 403])
  const same = await ada.put(path, { decide_via: ['api', 'app'], approvers: body.approvers, freezes: [WEEKEND, HOLIDAYS] })
  expect([same.status, same.body]).toEqual([200, body])
  const changed = await ada.put(path, { required_approvals: null, approvers: [], freezes: [] })
  expect(changed.body).toMatchObject({ required_approvals: null, approvers: [], freezes: [], require_subject: true })
  expect((await ada.delete(path)).status).toBe(204)
  expect((await max.get(path)).status).toBe(404)
  const entries = await box.sql<{ action: string; detail: string }[]>`
    select action, detail
    from audit_log_entries
    where organization_id = ${site.organization.id}
      and resource_id = ${body.id}
    order by created_at, id
  `
  expect(entries.map(({ action }) => action)).toEqual([
    'environment_policy.created',
    'environment_policy.updated',
    'environment_policy.updated',
    'environment_policy.deleted',
  ])
  for (const text of [
    'required_approvals from none to 2',
    'gate_required from false to true',
    'approvers from an empty list to (',
  ]) {
    expect(entries[1]?.detail).toContain(text)
  }
  expect(entries[2]?.detail).toContain('required_approvals from 2 to none; approvers from (')
})

test('a policy that nothing is given requires nothing', async () => {
  const { status, body } = await ada.put(policyOf('empty'), {})
  expect(status).toBe(200)
  expect(body).toMatchObject({
    required_approvals: null,
    prevent_self_approval: null,
    expires_in_seconds: null,
    decide_via: null,
    approvers: [],
    require_subject: false,
    require_checks: false,
    require_passkey: false,
    gate_required: false,
    freezes: [],
  })
})

test('If-Match compares the version of the policy, also for a change of its groups alone', async () => {
  const path = policyOf('matched')
  await ada.put(path, {})
  const tag = (await ada.get(path)).headers.get('etag') ?? ''
  const { id } = await group('Matched')
  expect((await ada.put(path, { approvers: [{ group_id: id, count: 2 }] }, { 'If-Match': tag })).status).toBe(200)
  expect((await ada.put(path, { approvers: [] }, { 'If-Match': tag })).status).toBe(412)
  expect((await ada.delete(path, { 'If-Match': tag })).status).toBe(412)
})

test('names are those of hooks: any line of at most 64 characters, in NFC', async () => {
  for (const name of ['eu/production', 'Produktion ü', 'x'.repeat(64)]) {
    expect((await ada.put(policyOf(name), {})).body.environment).toBe(name)
  }
  expect((await ada.get(policyOf('Produktion u\u0308'))).body.environment).toBe('Produktion ü')
  for (const name of ['x'.repeat(65), ' production', 'two\nlines', 'a\u202eb']) {
    const { status, body } = await ada.put(policyOf(name), {})
    expect([name, status, body.errors?.[0].pointer]).toEqual([name, 422, '/environment'])
    expect((await ada.get(policyOf(name))).status).toBe(404)
  }
})

test('of several first PUTs at once one makes the policy, and all succeed', async () => {
  const answers = await Promise.all([1, 2, 3, 4].map((required_approvals) => ada.put(policyOf('raced'), { required_approvals })))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
})

describe('Refused with 422 at the field is', () => {
  test('what is weaker than the policy of the workspace', async () => {
    const gate_policy = {
      required_approvals: 2,
      prevent_self_approval: true,
      expires_in_seconds: 3600,
      decide_via: ['api', 'app'],
    }
    await ada.put(`/api/v1/workspaces/${site.workspace.id}`, { gate_policy })
    const weaker = { required_approvals: 1, prevent_self_approval: false, expires_in_seconds: 7200, decide_via: ['app', 'mail'] }
    expect(await errorsOf(weaker)).toEqual(Object.keys(weaker).map((field) => `/${field} weaker_than_policy`))
    const stricter = { required_approvals: 3, prevent_self_approval: true, expires_in_seconds: 600, decide_via: ['app'] }
    expect((await ada.put(policyOf('strict'), stricter)).body).toMatchObject(stricter)
    const none = { required_approvals: null, prevent_self_approval: null, expires_in_seconds: null, decide_via: null }
    expect((await ada.put(policyOf('strict'), none)).body).toMatchObject(none)
    await ada.put(`/api/v1/workspaces/${site.workspace.id}`, {
      gate_policy: {
        required_approvals: 1,
        prevent_self_approval: false,
        expires_in_seconds: null,
        decide_via: ['api', 'app', 'slack', 'mail'],
      },
    })
  })

  test('a group that is unknown, of another organization, or listed twice', async () => {
    const { id } = await group('Listed twice')
    const elsewhere = await box.site(ada, 'Elsewhere')
    const theirs = await ada.make(`/api/v1/organizations/${elsewhere.organization.id}/groups`, { name: 'Theirs' })
    const rule = (group_id: string) => ({ group_id, count: 1 })
    expect(await errorsOf({ approvers: [rule(id), rule(crypto.randomUUID())] })).toEqual(['/approvers/1/group_id unknown'])
    expect(await errorsOf({ approvers: [rule(theirs.id)] })).toEqual(['/approvers/0/group_id unknown'])
    expect(await errorsOf({ approvers: [rule(id), rule(id.toUpperCase())] })).toEqual(['/approvers/1/group_id duplicate'])
    expect(await errorsOf({ approvers: [{ group_id: id, count: 11 }] })).toEqual(['/approvers/0/count too_large'])
    expect(await errorsOf({ approvers: Array.from({ length: 7 }, () => rule(id)) })).toEqual(['/approvers too_many'])
  })

  const freezes: [object, string][] = [
    [{ name: 'x' }, '/freezes/0/from required'],
    [{ name: 'x', from: HOLIDAYS.from }, '/freezes/0/until required'],
    [{ name: 'x', from: HOLIDAYS.until, until: HOLIDAYS.from }, '/freezes/0/until too_small'],
    [{ name: 'x', from: HOLIDAYS.from, until: HOLIDAYS.from }, '/freezes/0/until too_small'],
    [{ ...HOLIDAYS, until: '9999-12-31T23:30:00Z' }, '/freezes/0/until too_large'],
    [{ ...HOLIDAYS, name: '' }, '/freezes/0/name'],
    [{ ...HOLIDAYS, from: 'Christmas' }, '/freezes/0/from'],
    [{ ...WEEKEND, from: HOLIDAYS.from }, '/freezes/0/from not_allowed'],
    [{ name: 'x', rrule: WEEKEND.rrule }, '/freezes/0/duration_seconds required'],
    [{ ...WEEKEND, rrule: 'FREQ=DAILY;COUNT=3' }, '/freezes/0/rrule malformed'],
    [{ ...WEEKEND, rrule: 'FREQ=SECONDLY' }, '/freezes/0/rrule malformed'],
    [{ ...WEEKEND, rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }, '/freezes/0/rrule malformed'],
    [{ ...WEEKEND, rrule: `FREQ=YEARLY;BYDAY=MO;BYSETPOS=${[...Array(33).keys()].slice(1)}` }, '/freezes/0/rrule malformed'],
    [{ ...WEEKEND, time_zone: '+01:00' }, '/freezes/0/time_zone'],
    [{ ...WEEKEND, time_zone: 'Mars/Olympus' }, '/freezes/0/time_zone'],
    [{ ...WEEKEND, duration_seconds: 59 }, '/freezes/0/duration_seconds'],
    [{ ...WEEKEND, duration_seconds: 31_536_001 }, '/freezes/0/duration_seconds'],
    [{ ...WEEKEND, rrule: 'FREQ=DAILY', duration_seconds: 90_000 }, '/freezes never_ends'],
  ]
  for (const [freeze, expected] of freezes) {
    test(`the freeze ${JSON.stringify(freeze)}`, async () => {
      const errors = await errorsOf({ freezes: [freeze] })
      expect(errors.some((error) => error.startsWith(expected))).toBe(true)
    })
  }

  test('freezes that hold one after the other for ever, and more than 20', async () => {
    const week = (day: string, days: number) => ({
      ...WEEKEND,
      rrule: `FREQ=WEEKLY;BYDAY=${day}`,
      duration_seconds: days * 86_400,
    })
    expect(await errorsOf({ freezes: [week('MO', 4), week('FR', 4)] })).toEqual(['/freezes never_ends'])
    expect(await errorsOf({ freezes: Array(21).fill(HOLIDAYS) })).toEqual(['/freezes too_many'])
  })

  test('nothing of it was stored', async () => {
    expect((await ada.get(policyOf('refused'))).status).toBe(404)
  })
})

describe('A group that a policy names', () => {
  test('cannot be deleted; when no policy names it any more, it can', async () => {
    const { id } = await group('In use')
    await ada.put(policyOf('uses'), { approvers: [{ group_id: id, count: 2 }] })
    const refused = await ada.delete(`/api/v1/groups/${id}`)
    expect([refused.status, refused.body.code]).toEqual([409, 'group_in_use'])
    await ada.put(policyOf('uses'), { approvers: [] })
    expect((await ada.delete(`/api/v1/groups/${id}`)).status).toBe(204)
  })

  test('is either deleted or named, if both happen at once', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await group(`Raced ${round}`)
      const approvers = [{ group_id: id, count: 1 }]
      const [named, deleted] = await Promise.all([ada.put(policyOf('races'), { approvers }), ada.delete(`/api/v1/groups/${id}`)])
      const outcomes = `${named?.status} ${deleted?.status}`
      expect(['200 409', '422 204']).toContain(outcomes)
      await ada.put(policyOf('races'), { approvers: [] })
    }
  })

  test('is deleted with its organization, and policies with their project', async () => {
    const other = await box.site(ada, 'Deleted')
    const { id } = await ada.make(`/api/v1/organizations/${other.organization.id}/groups`, { name: 'Gone' })
    const second = await ada.make(`/api/v1/workspaces/${other.workspace.id}/projects`, { name: 'Second' })
    const approvers = [{ group_id: id, count: 1 }]
    for (const project of [other.project, second]) {
      expect((await ada.put(policyOf('production', project), { approvers })).status).toBe(200)
    }
    await ada.delete(`/api/v1/projects/${second.id}`)
    const policies = () => box.sql`select from environment_policies where organization_id = ${other.organization.id}`
    expect(await policies()).toHaveLength(1)
    await box.sql`delete from organizations where id = ${other.organization.id}`
    expect(await policies()).toHaveLength(0)
  })
})
