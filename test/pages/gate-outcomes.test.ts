/** What a gate's page shows of changes that are requested, overrides and revocations, and their forms. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Committee } from '../gates/committee.ts'
import { PageClient } from '../support/page-client.ts'
import type { Answer } from '../support/signalbox.ts'

type Body = Answer['body']

let committee: Committee
let ada: PageClient
let grace: PageClient
let reader: PageClient

beforeAll(async () => {
  committee = await Committee.meet({ workers: 0 })
  ada = await PageClient.signedIn(committee.box, committee.ada)
  grace = await PageClient.signedIn(committee.box, committee.grace)
  reader = await PageClient.signedIn(committee.box, committee.member)
})
afterAll(() => committee.close())

const pageOf = ({ id }: Body) => `/app/gates/${id}`

test('changes are requested with a comment, which the page shows with what happens next', async () => {
  const gate = await committee.opened()
  const page = await ada.open(pageOf(gate))
  const refused = await ada.press(page, 'Request changes', { comment: '' })
  expect([refused.status, refused.document.querySelector('#comment-error')?.textContent]).toEqual([
    422,
    'Comment is required: say what has to change.',
  ])
  const decided = await ada.press(page, 'Request changes', { comment: 'Split the <b>migration</b>.' })
  expect(decided.text).toContain('You requested changes at this gate. Its execution continues, and can open another gate.')
  expect(decided.document.querySelector('#state')?.textContent).toBe('changes requested')
  const seen = await reader.open(pageOf(gate))
  expect(seen.text).toContain('Ada requested changes at this gate in the app')
  expect(seen.text).toContain('Split the <b>migration</b>.')
  expect(seen.text).toContain('When the changes are made, it can open another gate.')
  const execution = await reader.open(`/app/executions/${gate.execution_id}`)
  expect(execution.text).toContain('Changes requested at the gate')
})

test('owners and admins of the organization override with a reason; another one reviews it, which the start page asks for', async () => {
  const gate = await committee.opened({ required_approvals: 2 })
  expect((await reader.open(pageOf(gate))).text).not.toContain('Override')
  const page = await ada.open(pageOf(gate))
  const refused = await ada.press(page, 'Override', { reason: '', incident_url: '' })
  expect([refused.status, refused.document.querySelector('#reason-error')?.textContent]).toEqual([422, 'Reason is required.'])
  const incident_url = 'https://status.acme.example/incidents/42'
  const overridden = await ada.press(page, 'Override', { reason: 'The checkout is down.', incident_url })
  for (const text of [
    'You overrode this gate: it is approved.',
    'Ada approved this gate by an override',
    'The checkout is down.',
  ])
    expect(overridden.text).toContain(text)
  expect(overridden.document.querySelector(`a[href="${incident_url}"]`)).not.toBeNull()
  expect(overridden.text).toContain('You overrode this gate. Another owner or admin of the organization has to review it.')
  expect((await ada.open('/app')).text).not.toContain('Overrides to review')
  expect((await reader.open('/app')).text).not.toContain('Overrides to review')
  expect((await reader.open(pageOf(gate))).text).toContain('The override has not been reviewed.')
  const start = await grace.open('/app')
  expect(start.document.querySelector(`#reviews a[href="${pageOf(gate)}"]`)).not.toBeNull()
  const reviewed = await grace.press(await grace.open(pageOf(gate)), 'Record my review', { comment: 'Right.' })
  expect(reviewed.text).toContain('Your review was recorded.')
  expect((await reader.open(pageOf(gate))).text).toMatch(/Grace reviewed the override, .*Right\./s)
  expect((await grace.open('/app')).text).not.toContain('Overrides to review')
})

test('an approval is revoked with a reason by those who may', async () => {
  const gate = await committee.opened()
  await committee.ada.make(`/api/v1/gates/${gate.id}/approve`)
  expect((await reader.open(pageOf(gate))).text).not.toContain('Revoke the approval')
  const page = await grace.open(pageOf(gate))
  const revoked = await grace.press(page, 'Revoke', { reason: 'The image is vulnerable.' })
  expect(revoked.text).toContain('You revoked the approval.')
  expect((await reader.open(pageOf(gate))).text).toMatch(/Grace revoked the approval, .*The image is vulnerable\./s)
  const again = await grace.press(page, 'Revoke', { reason: 'Twice.' })
  expect([again.status, again.document.querySelector('[role=alert]')?.textContent]).toEqual([
    409,
    expect.stringContaining('The approval of this gate has been revoked already.'),
  ])
  const timeline = (await reader.open(`/app/executions/${gate.execution_id}`)).text
  expect(timeline).toContain('Approval revoked')
})
