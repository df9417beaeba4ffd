/** Members of a group who are mere members of the workspace decide by mail and in Slack; others learn nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SlackWorkbench } from '../slack/workbench.ts'
import { PageClient } from '../support/page-client.ts'
import type { Actor, Answer } from '../support/signalbox.ts'
import type { Committee } from './committee.ts'
import { LinkMails } from './link-mails.ts'

type Body = Answer['body']

let mails: LinkMails
let committee: Committee
let bench: SlackWorkbench
let visitor: PageClient
let ada: Actor
let max: Actor
let olga: Actor
let outsider: Actor
let group: Body

beforeAll(async () => {
  mails = await LinkMails.open()
  committee = mails.committee
  ;({ ada, member: max } = committee)
  olga = await committee.box.user('Olga')
  await committee.box.join(olga, committee.site, 'member', 'member')
  outsider = await committee.box.user('Otto')
  await committee.box.join(outsider, committee.site, 'member')
  group = await ada.make(`/api/v1/organizations/${committee.site.organization.id}/groups`, { name: 'Security' })
  for (const person of [max, outsider]) await enter(person)
  bench = new SlackWorkbench(committee.box, ada, committee.site)
  visitor = new PageClient(committee.box)
})
afterAll(() => committee.close())

const place = ({ id }: Actor) => `/api/v1/groups/${group.id}/members/${id}`
const enter = (person: Actor) => ada.put(place(person))
const leave = (person: Actor) => ada.delete(place(person))

/** Has gates of an environment of a project approved by the group. @returns the environment */
async function guarded({ id }: Body): Promise<string> {
  const environment = crypto.randomUUID()
  const path = `/api/v1/projects/${id}/environments/${environment}/policy`
  expect((await ada.put(path, { approvers: [{ group_id: group.id, count: 1 }] })).status).toBe(200)
  return environment
}

const openedFor = async (project: Body): Promise<Body> =>
  ada.make(`/api/v1/projects/${project.id}/gates`, { name: 'Release', environment: await guarded(project) })

describe('by mail', () => {
  test('a member of the group approves', async () => {
    const gate = await openedFor(committee.site.project)
    const page = await visitor.open(await mails.linkOf(gate, max))
    expect((await visitor.press(page, 'Approve')).status).toBe(200)
    expect(await committee.gateOf(gate)).toMatchObject({ status: 'approved', decided_by: max.id, decided_via: 'mail' })
  })

  test('no one outside of the group and the admins gets a link, nor a member of the group without the workspace', async () => {
    const gate = await openedFor(committee.site.project)
    await mails.linkOf(gate, max)
    await mails.linkOf(gate, committee.grace)
    const to = (await mails.rowsOf(gate)).map(({ user_id }) => user_id)
    expect(to).toContain(max.id)
    expect(to).not.toContain(olga.id)
    expect(to).not.toContain(outsider.id)
  })

  test('someone who left the group between mail and click decides nothing, and can if they are back', async () => {
    const gate = await openedFor(committee.site.project)
    const link = await mails.linkOf(gate, max)
    const page = await visitor.open(link)
    await leave(max)
    expect((await visitor.press(page, 'Approve')).status).toBe(403)
    expect(await committee.gateOf(gate)).toMatchObject({ status: 'pending', approvals: [] })
    await enter(max)
    expect((await visitor.press(await visitor.open(link), 'Approve')).status).toBe(200)
  })
})

describe('in Slack', () => {
  async function shown() {
    const room = await bench.room('gate.pending')
    return { room, ...(await bench.gateIn(room, { environment: await guarded(room.project) })) }
  }
  const refused = (room: Body, user: string): string | undefined =>
    room.slack.ephemerals.filter((each: Body) => each.user === user).at(-1)?.text

  beforeAll(async () => {
    await bench.link(max, 'U0MAX')
    await bench.link(olga, 'U0OLGA')
    await bench.link(outsider, 'U0OTTO')
  })

  test('a member of the group approves', async () => {
    const { room, gate, message } = await shown()
    await room.slack.click(bench.box, message, 'Approve', 'U0MAX')
    expect(await bench.gate(gate)).toMatchObject({ status: 'approved', decided_by: max.id, decided_via: 'slack' })
  })

  test('someone without a role in the workspace is answered as for a gate that does not exist', async () => {
    const { room, gate, message } = await shown()
    const { message: absent } = await shown()
    await room.slack.click(bench.box, message, 'Approve', 'U0OTTO')
    await bench.shows('the refusal', () => refused(room, 'U0OTTO') !== undefined)
    expect(refused(room, 'U0OTTO')).toBe('This gate does not exist, or you have no access to it.')
    expect(absent.blocks.length).toBeGreaterThan(0)
    const answers = await Promise.all([gate.id, crypto.randomUUID()].map((id) => outsider.post(`/api/v1/gates/${id}/approve`)))
    const [known, unknown] = answers.map(({ status, body: { instance: _, request_id: __, ...body } }) => ({ status, body }))
    expect(known).toEqual(unknown)
    await bench.expectPending(gate)
  })

  test('someone outside of the group, and someone who left it between message and click, decide nothing', async () => {
    const { room, gate, message } = await shown()
    await leave(max)
    for (const user of ['U0OLGA', 'U0MAX']) {
      await room.slack.click(bench.box, message, 'Approve', user)
      await bench.shows('the refusal', () => refused(room, user)?.includes('to be in a group that the gate names') === true)
    }
    await bench.expectPending(gate)
    await enter(max)
  })
})

test('an override is mailed to everybody who could have approved, and its review to the other admins of the organization', async () => {
  const { grace, mary, box } = committee
  const gate = await openedFor(committee.site.project)
  await ada.make(`/api/v1/gates/${gate.id}/override`, { reason: 'The checkout is down.' })
  const about = (person: Actor, what: string) =>
    mails.about(gate, person).filter(({ headers }) => headers.subject?.includes(what)).length
  await box.until('the override is mailed', async () => [max, grace, mary].every((each) => about(each, 'was overridden') > 0))
  await box.sql`update gates set review_due_at = now() where id = ${gate.id}`
  await box.until('the review is mailed', async () => [grace, mary].every((each) => about(each, 'is not reviewed') > 0))
  await box.settled()
  expect([ada, outsider, olga].map((each) => about(each, 'overridden'))).toEqual([0, 0, 0])
  expect(about(max, 'is not reviewed')).toBe(0)
})
