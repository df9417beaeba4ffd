/** What the provider gave and took away. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import { SsoBench } from './workbench.ts'

let bench: SsoBench

beforeAll(async () => {
  bench = await SsoBench.open()
})
afterAll(() => bench.close())

test('an admin by mapping is none any more once an admin unlinks them', async () => {
  const company = await bench.company({ provision: true, mappings: [{ value: 'admins', role: 'admin' }] })
  const claims = company.person({ groups: ['admins'] })
  await company.enter(claims)
  const [{ id, user_id }] = (await company.owner.get(`${company.api}/identities`)).body
  const members = `/api/v1/organizations/${company.site.organization.id}/members`
  const roleOf = async () =>
    (await company.owner.get(members)).body.find((each: { user_id: string }) => each.user_id === user_id)?.role
  expect(await roleOf()).toBe('admin')
  expect((await company.owner.delete(`${company.api}/identities/${id}`)).status).toBe(204)
  expect(await roleOf()).toBe('member')
})

test('whom the provider takes the role of admin is not asked to decide gates any more', async () => {
  const company = await bench.company({ provision: true, mappings: [{ value: 'admins', role: 'admin' }] })
  const claims = company.person({ groups: ['admins'] })
  const browser = new PageClient(bench.box)
  await company.enter(claims, browser)
  const [{ user_id }] = (await company.owner.get(`${company.api}/identities`)).body
  await company.owner.make(`/api/v1/projects/${company.site.project.id}/gates`, { name: 'Release' })
  const unread = async () =>
    (
      await bench.box.sql`
        select from notifications where user_id = ${user_id} and type = 'gate_pending' and read_at is null
      `
    ).length
  await bench.box.until('the gate was announced', async () => (await unread()) > 0)
  await company.enter({ ...claims, groups: [] }, browser)
  expect(await unread()).toBe(0)
})
