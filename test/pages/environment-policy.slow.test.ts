import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PageClient, type Visit } from '../support/page-client.ts'
import { errorIn } from '../support/page-parts.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let site: Site
let visitor: PageClient

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
  visitor = await PageClient.signedIn(box, ada)
})
afterAll(() => box.close())

const page = (name = 'production') => `/app/projects/${site.project.id}/environment/policy?name=${name}`
const stored = () => ada.get(`/api/v1/projects/${site.project.id}/environments/production/policy`)

/** A form with a row more, as a button of it makes one. */
async function withRow(form: Visit, button: string, typed: Record<string, string | string[]> = {}): Promise<Visit> {
  const page = await visitor.press(form, button, typed)
  expect(page.status).toBe(200)
  return page
}
const row = (index: number, fields: object) =>
  Object.fromEntries(Object.entries(fields).map(([name, text]) => [`freezes/${index}/${name}`, text]))
const HOLIDAYS = row(0, { name: 'Holidays', from: '2126-12-20T00:00', until: '2127-01-02T00:00' })
const WEEKEND = row(1, {
  name: 'Weekend',
  rrule: 'FREQ=WEEKLY;BYDAY=FR;BYHOUR=16',
  duration: '64',
  unit: 'hours',
  time_zone: 'Europe/Berlin',
})

/** The rows of the table of changes. */
const changesOf = ({ document }: Visit) =>
  [...document.querySelectorAll('table[aria-label=Changes] tbody tr')].map((each) =>
    [...each.querySelectorAll('td')].map((cell) => cell.textContent),
  )

test('a policy is reviewed before it is saved: what changes, which gates wait, which hooks deploy there', async () => {
  const group = await ada.make(`/api/v1/organizations/${site.organization.id}/groups`, { name: 'Security' })
  const hook = (name: string, environment: string) =>
    ada.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
      name,
      environment,
      url: 'http://127.0.0.1:9/',
      trigger_on: 'gate_approved',
    })
  await hook('To production', 'production')
  await hook('To staging', 'staging')
  const gate = (name: string, environment: string) => ada.make(`/api/v1/projects/${site.project.id}/gates`, { name, environment })
  await gate('Waiting here', 'production')
  await gate('Waiting elsewhere', 'staging')

  const opened = await visitor.open(page())
  expect(opened.text).toContain('No policy yet.')
  const form = await withRow(await withRow(opened, 'Add dates'), 'Add a repeating freeze')
  const review = await visitor.press(form, 'Review', {
    required_approvals: '2',
    prevent_self_approval: 'true',
    expires_in_seconds: '3600',
    decide_via: ['', 'api', 'app'],
    approver_2: group.id,
    count_2: '1',
    require_subject: 'true',
    gate_required: 'true',
    ...HOLIDAYS,
    ...WEEKEND,
  })
  expect(review.status).toBe(200)
  for (const text of [
    'Not saved yet.',
    'Waiting here',
    'To production',
    'Fri, 20 Dec 2126, 00:00 until Thu, 2 Jan 2127, 00:00',
    'each time for 64 hours',
    'Next times, in Europe/Berlin',
    'No one in Security can approve: the group needs members with access to the workspace.',
  ]) {
    expect(review.text).toContain(text)
  }
  expect(changesOf(review)).toEqual([
    ['Approvals required', 'Same as the workspace', '2'],
    ['Approving groups', 'None: admins of the workspace approve', '1 of Security'],
    ['People cannot approve what they asked for', 'Same as the workspace', 'Yes'],
    ['Expires', 'Same as the workspace', 'After 1 hour'],
    ['Can be decided via', 'Same as the workspace', 'API, App'],
    ['Gates must name what is deployed', 'No', 'Yes'],
    ['Nothing is deployed without an approved gate', 'No', 'Yes'],
    [
      'Freezes',
      'None',
      'Holidays, 2126-12-20 00:00 UTC to 2127-01-02 00:00 UTC; Weekend, FREQ=WEEKLY;BYDAY=FR;BYHOUR=16 for 64 hours in Europe/Berlin',
    ],
  ])
  for (const text of ['Waiting elsewhere', 'To staging']) expect(review.text).not.toContain(text)
  expect((await stored()).status).toBe(404)

  const saved = await visitor.press(review, 'Save the policy')
  expect(saved.text).toContain('The policy was saved.')
  expect(saved.text).toContain('1 of Security')
  const policy = {
    required_approvals: 2,
    prevent_self_approval: true,
    expires_in_seconds: 3600,
    decide_via: ['api', 'app'],
    approvers: [{ group_id: group.id, count: 1 }],
    require_subject: true,
    require_checks: false,
    gate_required: true,
    freezes: [
      { name: 'Holidays', from: '2126-12-20T00:00:00.000Z', until: '2127-01-02T00:00:00.000Z' },
      { name: 'Weekend', rrule: 'FREQ=WEEKLY;BYDAY=FR;BYHOUR=16', duration_seconds: 230_400, time_zone: 'Europe/Berlin' },
    ],
  }
  expect((await stored()).body).toMatchObject(policy)
  // The form shows what is stored.
  const again = await visitor.press(saved, 'Review', {})
  expect(again.text).toContain('Nothing changes.')
  const without = await visitor.press(await visitor.press(saved, 'Remove freeze 1'), 'Remove freeze 1')
  const cleared = await visitor.press(without, 'Review', { required_approvals: '', approver_1: '' })
  await visitor.press(cleared, 'Save the policy')
  expect((await stored()).body).toMatchObject({ ...policy, required_approvals: null, approvers: [], freezes: [] })
  const deleted = await visitor.press(await visitor.open(page()), 'Delete the policy')
  expect(deleted.text).toContain('The policy was deleted.')
  expect((await stored()).status).toBe(404)
})

test('what is refused is shown at its field, with what was entered', async () => {
  const form = await withRow(
    await withRow(await visitor.open(page()), 'Add dates', { required_approvals: '3' }),
    'Add a repeating',
  )
  const fields = { ...HOLIDAYS, ...WEEKEND, 'freezes/1/rrule': 'FREQ=SECONDLY' }
  const refused = await visitor.press(form, 'Review', fields)
  expect(refused.status).toBe(422)
  expect(errorIn(refused, 'freezes/1/rrule')).toStartWith('Starts starts 86,400 times a day')
  expect(refused.document.querySelector('#required_approvals')?.getAttribute('value')).toBe('3')
  expect(refused.document.querySelector('input[name=environment]')?.getAttribute('value')).toBe('production')
  expect(refused.document.getElementById('freezes/0/from')?.getAttribute('value')).toBe('2126-12-20T00:00')

  for (const [field, text, message] of [
    ['freezes/0/name', '', 'Name is required.'],
    ['freezes/0/from', '', 'From, in UTC is required.'],
    ['freezes/0/until', '2026-12-19T00:00', 'Until, in UTC must be after from.'],
    ['freezes/1/duration', '0.5', 'Duration must be >= 60 seconds.'],
    ['freezes/1/duration', 'long', 'Duration must be integer.'],
    ['freezes/1/time_zone', 'Berlin', 'Time zone must be the name of a time zone'],
  ] as const) {
    const typed = { ...HOLIDAYS, ...WEEKEND, ...(text === '0.5' && { 'freezes/1/unit': 'minutes' }), [field]: text }
    const wrong = await visitor.press(form, 'Review', typed)
    expect([wrong.status, errorIn(wrong, field)]).toEqual([422, expect.stringContaining(message)])
  }
  const endless = await visitor.press(form, 'Review', { ...HOLIDAYS, ...WEEKEND, 'freezes/1/unit': 'days' })
  expect([endless.status, endless.text]).toEqual([422, expect.stringContaining('Freezes leave no moment free')])
})

test('rows are added and removed without losing what was typed, however unfinished it is', async () => {
  const first = await withRow(await visitor.open(page()), 'Add dates')
  expect(first.document.querySelector('[autofocus]')?.id).toBe('freezes/0/name')
  const second = await withRow(first, 'Add a repeating', {
    required_approvals: 'many',
    'freezes/0/name': 'Gone',
    decide_via: ['', 'app'],
  })
  const third = await withRow(second, 'Add dates', { 'freezes/1/name': 'Kept', 'freezes/1/duration': '1,5' })
  const left = await withRow(third, 'Remove freeze 1')
  const typedAt = (id: string) => left.document.getElementById(id)?.getAttribute('value')
  expect([typedAt('freezes/0/name'), typedAt('freezes/0/duration'), typedAt('required_approvals')]).toEqual([
    'Kept',
    '1,5',
    'many',
  ])
  expect(left.document.querySelector('input[name=decide_via][checked]')?.getAttribute('value')).toBe('app')
  expect(left.document.getElementById('freezes/2/name')).toBeNull()
  expect(left.text).not.toContain('Gone')
  const review = await visitor.press(await visitor.open(page('staging')), 'Review', { required_approvals: '4' })
  const back = await visitor.press(review, 'Change it again')
  expect(back.document.getElementById('required_approvals')?.getAttribute('value')).toBe('4')
  let full = back
  for (let count = 0; count < 20; count++) full = await withRow(full, 'Add a repeating')
  expect(full.text).toContain('at most 20 freezes')
  expect(Buffer.byteLength(full.html)).toBeLessThan(62_000)
})

test('what another person has changed meanwhile is shown next to what was entered, at the review and when it is saved', async () => {
  const change = (input: object) => ada.put(`/api/v1/projects/${site.project.id}/environments/shared/policy`, input)
  await change({ required_approvals: 2 })
  const storedIn = ({ document }: Visit) => [...document.querySelectorAll('.stored')].map((each) => each.textContent)
  const form = await withRow(await visitor.open(page('shared')), 'Add dates', { required_approvals: '4' })
  await change({ require_subject: true })
  const refused = await visitor.press(form, 'Review', { ...HOLIDAYS, require_subject: 'false' })
  expect(refused.status).toBe(409)
  expect(refused.text).toContain('changed while you were editing')
  expect(storedIn(refused)).toEqual(['Stored now: 2', 'Stored now: yes', 'Stored now: None'])
  expect(refused.document.getElementById('freezes/0/name')?.getAttribute('value')).toBe('Holidays')

  const review = await visitor.press(refused, 'Review', {})
  expect(review.status).toBe(200)
  await change({ decide_via: ['app'] })
  const late = await visitor.press(review, 'Save the policy')
  expect([late.status, storedIn(late)]).toEqual([409, expect.arrayContaining(['Stored now: yes'])])
  const saved = await visitor.press(await visitor.press(late, 'Review', {}), 'Save the policy')
  expect(saved.text).toContain('The policy was saved.')
  const { body } = await ada.get(`/api/v1/projects/${site.project.id}/environments/shared/policy`)
  expect(body).toMatchObject({ required_approvals: 4, require_subject: false, freezes: [{ name: 'Holidays' }] })
})

test('a member reads the policy and has no form', async () => {
  const max = await box.user('Max')
  await box.join(max, site, 'member', 'member')
  const reader = await PageClient.signedIn(box, max)
  const shown = await reader.open(page('staging'))
  expect([shown.status, shown.document.querySelectorAll('main form').length]).toEqual([200, 0])
})

test('the policy of an environment without hooks is found from the environments of its project', async () => {
  const project = await visitor.open(`/app/projects/${site.project.id}/environments`)
  const finder = project.document.querySelector('form[method=get] input[name=name]')?.closest('form')
  expect(finder?.getAttribute('action')).toBe(page().replace(/\?.*/, ''))
  const environment = `/app/projects/${site.project.id}/environment?name=new`
  expect((await visitor.open(environment)).status).toBe(404)
  await ada.put(`/api/v1/projects/${site.project.id}/environments/new/policy`, { require_subject: true })
  expect((await visitor.open(environment)).document.querySelector(`main a[href="${page('new')}"]`)).not.toBeNull()
})

test('without a name there is no form that could only be refused, but one that asks for it', async () => {
  const path = `/app/projects/${site.project.id}/environment/policy`
  for (const nameless of [path, `${path}?name=`, `${path}?name=%20`]) {
    const { document, status } = await visitor.open(nameless)
    const forms = [...document.querySelectorAll('main form')].map((form) => form.getAttribute('method'))
    expect([nameless, forms, status < 500]).toEqual([nameless, ['get'], true])
  }
  const { id } = await ada.make(`/api/v1/workspaces/${site.workspace.id}/notification-channels`, {
    name: 'Room',
    channel_type: 'webhook',
    config: { url: 'https://example.com/' },
  })
  const subscriptions = `/app/notification-channels/${id}/subscriptions?project_id=`
  expect((await visitor.open(subscriptions + site.project.id)).status).toBe(200)
  expect((await visitor.open(subscriptions + id)).status).toBe(404)
})
