import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let max: Actor
let site: Site
let visitor: PageClient

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  max = await box.user('Max')
  site = await box.site(ada)
  await box.join(max, site, 'member')
  visitor = await PageClient.signedIn(box, ada)
})
afterAll(() => box.close())

test('an admin makes a group, adds and removes a member, renames and deletes it', async () => {
  const list = await visitor.open(`/app/organizations/${site.organization.id}/groups`)
  expect(list.text).toContain('No groups yet.')
  const group = await visitor.press(list, 'Create the group', { name: '<u>Security</u>', description: 'Reviews.' })
  expect(group.text).toContain('The group <u>Security</u> was created.')
  const taken = await visitor.press(list, 'Create the group', { name: '<U>SECURITY</U>' })
  expect([taken.status, taken.document.querySelector('#name-error')?.textContent]).toEqual([
    409,
    'Name is the name of another group.',
  ])
  const added = await visitor.press(group, 'Add', { user_id: max.id })
  expect(added.text).toContain('The member was added to the group.')
  expect(added.text).toContain(max.email)
  const removed = await visitor.press(added, 'Remove')
  expect(removed.text).toContain('No members yet.')
  const saved = await visitor.press(removed, 'Save', { name: 'Security', description: '' })
  expect(saved.text).toContain('The group was saved.')
  const { body } = await ada.get(`/api/v1/organizations/${site.organization.id}/groups`)
  expect(body).toMatchObject([{ name: 'Security', description: null, member_count: 0 }])
  const deleted = await visitor.press(saved, 'Delete the group')
  expect(deleted.path).toBe(`/app/organizations/${site.organization.id}/groups`)
  expect(deleted.text).toContain('The group was deleted.')
})

test('a member reads groups and changes nothing', async () => {
  const group = await ada.make(`/api/v1/organizations/${site.organization.id}/groups`, { name: 'Operations' })
  const reader = await PageClient.signedIn(box, max)
  const list = await reader.open(`/app/organizations/${site.organization.id}/groups`)
  expect(list.text).toContain('Operations')
  expect(list.text).not.toContain('New group')
  const page = await reader.open(`/app/groups/${group.id}`)
  expect(page.text).not.toContain('Settings')
  expect(page.document.querySelectorAll('main form')).toHaveLength(0)
})
