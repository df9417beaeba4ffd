import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createUsers } from '../support/many-users.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let owner: Actor
let crowd: Actor[]

const PEOPLE = 50

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  owner = await box.user('Owner')
  crowd = await createUsers(box, PEOPLE)
})
afterAll(() => box.close())

const pathOf = ({ organization }: Site) => `/api/v1/organizations/${organization.id}`

/** The number of members, counted and as stored in the organization. */
async function counts(site: Site): Promise<[number, number]> {
  const [{ rows, counter }] = await box.sql<[{ rows: number; counter: number }]>`
    select count(*) as rows, max(organization.member_count) as counter
    from organizations as organization
    join organization_members as member on member.organization_id = organization.id
    where organization.id = ${site.organization.id}
  `
  return [rows, counter]
}

function tally(answers: Answer[]): Record<string, number> {
  const tallies: Record<string, number> = {}
  for (const { status, body } of answers) {
    const key = body?.code ? `${status} ${body.code}` : String(status)
    tallies[key] = (tallies[key] ?? 0) + 1
  }
  return tallies
}

test('fifty concurrent joins fill the available seats exactly', async () => {
  const site = await box.site(owner, 'Open House')
  await owner.put(pathOf(site), { registration_mode: 'open', max_members: 11 })
  const answers = await Promise.all(crowd.map((each) => each.post(`${pathOf(site)}/join`)))
  expect(tally(answers)).toEqual({ '201': 10, '409 member_limit_reached': 40 })
  expect(await counts(site)).toEqual([11, 11])
})

test('one of fifty concurrent additions gets the last seat, by any route', async () => {
  const site = await box.site(owner, 'Last Seat')
  await owner.put(pathOf(site), { registration_mode: 'open', max_members: 2 })
  const answers = await Promise.all(
    crowd.map((each, index) =>
      index % 2
        ? each.post(`${pathOf(site)}/join`)
        : owner.post(`${pathOf(site)}/members`, index % 4 ? { user_id: each.id } : { email: each.email }),
    ),
  )
  expect(tally(answers)).toEqual({ '201': 1, '409 member_limit_reached': 49 })
  expect(await counts(site)).toEqual([2, 2])
})

test('fifty concurrent additions of a user add one member', async () => {
  const site = await box.site(owner, 'Same Person')
  const [guest] = crowd as [Actor]
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      owner.post(`${pathOf(site)}/members`, index % 2 ? { user_id: guest.id } : { email: guest.email }),
    ),
  )
  expect(tally(answers)).toEqual({ '201': 1, '409 already_member': 49 })
  expect(await counts(site)).toEqual([2, 2])
  expect(await box.sql`select from outbox where organization_id = ${site.organization.id}`).toHaveLength(1)
})

test('concurrent joins and removals keep the count exact', async () => {
  const site = await box.site(owner, 'Coming and Going')
  await owner.put(pathOf(site), { registration_mode: 'open' })
  const half = crowd.slice(0, PEOPLE / 2)
  await Promise.all(half.map((each) => each.make(`${pathOf(site)}/join`)))
  const answers = await Promise.all(
    crowd.flatMap((each, index) =>
      index < PEOPLE / 2
        ? [each.delete(`${pathOf(site)}/members/${each.id}`), owner.delete(`${pathOf(site)}/members/${each.id}`)]
        : [each.post(`${pathOf(site)}/join`), owner.post(`${pathOf(site)}/members`, { user_id: each.id })],
    ),
  )
  expect(tally(answers)).toEqual({ '204': 25, '404 not_found': 25, '201': 25, '409 already_member': 25 })
  expect(await counts(site)).toEqual([26, 26])
})

test('concurrent role changes and removals end consistently, without the owner being affected', async () => {
  const site = await box.site(owner, 'Turmoil')
  for (const each of crowd.slice(0, 5)) await box.join(each, site, 'member', 'member')
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => {
      const path = `${pathOf(site)}/members/${(crowd[index % 5] as Actor).id}`
      return index >= 45 ? owner.delete(path) : owner.put(path, { role: index % 2 ? 'admin' : 'member' })
    }),
  )
  expect(answers.every(({ status }) => [200, 204, 404].includes(status))).toBeTrue()
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(5)
  expect(await counts(site)).toEqual([1, 1])
  const places = await box.sql`
    select from workspace_members where workspace_id = ${site.workspace.id} and user_id <> ${owner.id}
  `
  expect(places).toHaveLength(0)
})

test('the database counts members and enforces the limit', async () => {
  const site = await box.site(owner, 'Counted Below')
  await owner.put(pathOf(site), { max_members: 3 })
  const [one, two, three] = crowd as [Actor, Actor, Actor]
  await box.join(one, site, 'member')
  await box.join(two, site, 'admin')
  await expect(box.join(three, site, 'member')).rejects.toThrow('has all the members')
  expect(await counts(site)).toEqual([3, 3])
  await box.sql`delete from organization_members where organization_id = ${site.organization.id} and role <> 'owner'`
  expect(await counts(site)).toEqual([1, 1])
})
