import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
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
const WEEKEND = 'Weekend | FREQ=WEEKLY;BYDAY=FR;BYHOUR=16 | 230400 | Europe/Berlin'

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

  const form = await visitor.open(page())
  expect(form.text).toContain('No policy yet.')
  const review = await visitor.press(form, 'Review', {
    required_approvals: '2',
    prevent_self_approval: 'true',
    expires_in_seconds: '3600',
    decide_via: ['', 'api', 'app'],
    approver_2: group.id,
    count_2: '1',
    require_subject: 'true',
    gate_required: 'true',
    freezes: `Holidays | 2026-12-20T00:00:00Z | 2027-01-02T00:00:00Z\r\n${WEEKEND}`,
  })
  expect(review.status).toBe(200)
  for (const text of ['Not saved yet.', 'required_approvals from none to 2', 'Waiting here', 'To production']) {
    expect(review.text).toContain(text)
  }
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
      { name: 'Holidays', from: '2026-12-20T00:00:00.000Z', until: '2027-01-02T00:00:00.000Z' },
      { name: 'Weekend', rrule: 'FREQ=WEEKLY;BYDAY=FR;BYHOUR=16', duration_seconds: 230_400, time_zone: 'Europe/Berlin' },
    ],
  }
  expect((await stored()).body).toMatchObject(policy)
  // The form shows what is stored.
  const again = await visitor.press(saved, 'Review', {})
  expect(again.text).toContain('Nothing changes.')
  const cleared = await visitor.press(saved, 'Review', { required_approvals: '', approver_1: '', freezes: '' })
  await visitor.press(cleared, 'Save the policy')
  expect((await stored()).body).toMatchObject({ ...policy, required_approvals: null, approvers: [], freezes: [] })
  const deleted = await visitor.press(await visitor.open(page()), 'Delete the policy')
  expect(deleted.text).toContain('The policy was deleted.')
  expect((await stored()).status).toBe(404)
})

test('what is refused is shown at its field, with what was entered', async () => {
  const form = await visitor.open(page())
  const freezes = `${WEEKEND}\r\nBad | FREQ=SECONDLY | 60 | UTC`
  const refused = await visitor.press(form, 'Review', { freezes, required_approvals: '3' })
  expect(refused.status).toBe(422)
  expect(refused.document.querySelector('#freezes-error')?.textContent).toContain('has a line 2 whose rrule starts 86,400 times')
  expect(refused.document.querySelector('#required_approvals')?.getAttribute('value')).toBe('3')
  expect(refused.document.querySelector('input[name=environment]')?.getAttribute('value')).toBe('production')
})

test('a member reads the policy and has no form', async () => {
  const max = await box.user('Max')
  await box.join(max, site, 'member', 'member')
  const reader = await PageClient.signedIn(box, max)
  const shown = await reader.open(page('staging'))
  expect([shown.status, shown.document.querySelectorAll('main form').length]).toEqual([200, 0])
})
