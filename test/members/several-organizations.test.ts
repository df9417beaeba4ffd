/** A member of several organizations finds the resources of each. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let owner: Actor
let member: Actor
const sites: Site[] = []

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  owner = await box.user('Owner')
  member = await box.user('Member of Several')
  for (const name of ['One of Several', 'Two of Several', 'Three of Several', 'Four of Several']) {
    const site = await box.site(owner, name)
    await box.join(member, site, 'member', 'member')
    sites.push(site)
  }
})
afterAll(() => box.close())

const statusesOf = async (by: Actor) => {
  const paths = sites.flatMap(({ organization, workspace, project }) => [
    `/api/v1/organizations/${organization.id}`,
    `/api/v1/workspaces/${workspace.id}`,
    `/api/v1/projects/${project.id}`,
  ])
  const responses = await Promise.all(paths.map((path) => by.get(path)))
  return responses.map(({ status }) => status)
}

test('the resources of each are found, the first time as later, with the role there', async () => {
  for (let time = 1; time <= 3; time++) expect(await statusesOf(member)).toEqual(Array(12).fill(200))
  const rename = ({ workspace }: Site) => member.put(`/api/v1/workspaces/${workspace.id}`, { name: 'Renamed' })
  const [first, second] = sites as [Site, Site, Site, Site]
  await box.setRole(member, second.organization.id, 'admin')
  expect([(await rename(first)).status, (await rename(second)).status]).toEqual([403, 200])
})

test('a resource that others have found is absent for those who are no members', async () => {
  await statusesOf(owner)
  expect(await statusesOf(await box.user('Stranger'))).toEqual(Array(12).fill(404))
})

test('a resource that was found before is absent once its organization is left', async () => {
  const [left] = sites as [Site]
  await statusesOf(member)
  await box.leave(member, left.organization.id)
  expect(await statusesOf(member)).toEqual([...Array(3).fill(404), ...Array(9).fill(200)])
})
