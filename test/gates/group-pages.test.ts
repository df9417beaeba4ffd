/** Members of the groups of a gate find it among what needs them, and decide it on its page; others read why they cannot. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import type { Actor, Answer } from '../support/signalbox.ts'
import { approve, Committee } from './committee.ts'

let committee: Committee
let gate: Answer['body']

beforeAll(async () => {
  committee = await Committee.meet({ workers: 0 })
  const { ada, grace, member, site } = committee
  const group = await ada.make(`/api/v1/organizations/${site.organization.id}/groups`, { name: 'Security' })
  for (const { id } of [member, grace]) await ada.put(`/api/v1/groups/${group.id}/members/${id}`)
  await ada.put(`/api/v1/projects/${site.project.id}/environments/production/policy`, {
    approvers: [{ group_id: group.id, count: 2 }],
  })
  gate = await ada.make(`/api/v1/projects/${site.project.id}/gates`, { name: 'Release review', environment: 'production' })
  await approve(grace, gate)
  await ada.delete(`/api/v1/groups/${group.id}/members/${grace.id}`)
})
afterAll(() => committee.close())

const readAs = async (person: Actor, path: string): Promise<string> =>
  (await (await PageClient.signedIn(committee.box, person)).open(path)).text

test('members see it among what needs them, and its page says what is missing and what does not count', async () => {
  const first = await readAs(committee.member, '/app')
  for (const shown of ['Release review', '0 of 2']) expect(first).toContain(shown)
  const text = await readAs(committee.member, `/app/gates/${gate.id}`)
  for (const shown of ['Approve', '2 more approvals by members of Security.', 'Does not count', '2 of Security'])
    expect(text).toContain(shown)
})

test('an admin of the workspace who is in no group reads why they can only reject it', async () => {
  const text = await readAs(committee.mary, `/app/gates/${gate.id}`)
  expect(text).toContain('Only members of Security can approve this gate. As an admin of the workspace you can reject it.')
})

test('a member of the workspace who is in no group reads who decides', async () => {
  const olga = await committee.box.user('Olga')
  await committee.box.join(olga, committee.site, 'member', 'member')
  const text = await readAs(olga, `/app/gates/${gate.id}`)
  expect(text).toContain('Only members of Security can approve this gate. Admins of the workspace can reject it.')
  expect(await readAs(olga, '/app')).not.toContain('Release review')
})

test('who has approved decides on the page once approvals that count again are enough', async () => {
  const { ada, grace, member, site, box } = committee
  const [group] = (await ada.get(`/api/v1/organizations/${site.organization.id}/groups`)).body
  const one = await ada.make(`/api/v1/projects/${site.project.id}/gates`, { name: 'Back again', environment: 'production' })
  await ada.put(`/api/v1/groups/${group.id}/members/${grace.id}`)
  await approve(grace, one)
  const page = await PageClient.signedIn(box, grace)
  expect((await page.open(`/app/gates/${one.id}`)).text).toContain(
    'You have approved this gate. Others have to approve it as well.',
  )
  await ada.delete(`/api/v1/groups/${group.id}/members/${grace.id}`)
  await approve(member, one)
  const isNeeded = async (person: Actor) => (await readAs(person, '/app')).includes('Back again')
  expect([await isNeeded(grace), await isNeeded(member)]).toEqual([false, false])
  await ada.put(`/api/v1/groups/${group.id}/members/${grace.id}`)
  expect([await isNeeded(grace), await isNeeded(member)]).toEqual([true, true])
  const done = await page.press(await page.open(`/app/gates/${one.id}`), 'Approve')
  expect(done.text).toContain('You approved this gate.')
  expect((await committee.gateOf(one)).status).toBe('approved')
})
