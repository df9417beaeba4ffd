import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createUsers } from '../support/many-users.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { remainingRows } from './remaining-rows.ts'

let box: Box
let owner: Actor
let admin: Actor
let member: Actor

// Without workers, everything is inaccessible before anything is deleted.
beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  owner = await box.user('Owner')
  admin = await box.user('Admin')
  member = await box.user('Member')
})
afterAll(() => box.close())

const pathOf = ({ organization }: Site) => `/api/v1/organizations/${organization.id}`

async function siteWithMembers(name: string): Promise<Site> {
  const site = await box.site(owner, name)
  await box.join(admin, site, 'admin')
  await box.join(member, site, 'member', 'member')
  return site
}

test('everything in it is inaccessible at once for everyone, and its slug and key are free', async () => {
  const site = await siteWithMembers('Gone at Once')
  await owner.put(pathOf(site), { registration_mode: 'open' })
  const execution = await box.running(owner, site.project.id)
  const gate = await owner.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Review' })
  const hook = await owner.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
    name: 'Deploy',
    url: 'http://127.0.0.1:9/',
    trigger_on: 'gate_approved',
  })
  const dispatch = await owner.make(`/api/v1/deployment-hooks/${hook.id}/test`)
  const invitation = await owner.make(`${pathOf(site)}/members`, { email: 'someone@example.com' })
  const paths = [
    ...['', '/my-role', '/members', '/workspaces', '/invitations', '/join'].map((end) => pathOf(site) + end),
    ...['', '/members', '/projects'].map((end) => `/api/v1/workspaces/${site.workspace.id}${end}`),
    ...['', '/requirements', '/gates', '/deployment-hooks'].map((end) => `/api/v1/projects/${site.project.id}${end}`),
    `/api/v1/requirements/${execution.requirement_id}`,
    `/api/v1/executions/${execution.id}`,
    `/api/v1/gates/${gate.id}`,
    `/api/v1/deployment-hooks/${hook.id}`,
    `/api/v1/dispatches/${dispatch.id}`,
  ]
  for (const path of paths) expect([path, (await owner.get(path)).status]).toEqual([path, 200])

  const deleted = await owner.delete(pathOf(site))
  expect([deleted.status, deleted.body]).toEqual([204, null])
  for (const actor of [owner, admin, member]) {
    for (const path of paths) expect([path, (await actor.get(path)).status]).toEqual([path, 404])
    expect((await actor.get('/api/v1/organizations')).body.map(({ id }: { id: string }) => id)).not.toContain(
      site.organization.id,
    )
  }
  const writes: [Promise<Answer>, string][] = [
    [owner.delete(pathOf(site)), 'delete'],
    [owner.put(pathOf(site), { name: 'Back' }), 'put'],
    [owner.post(`${pathOf(site)}/members`, { user_id: admin.id }), 'add'],
    [owner.post(`${pathOf(site)}/join`), 'join'],
    [owner.post(`${pathOf(site)}/workspaces`, { name: 'New' }), 'workspace'],
    [owner.post(`${pathOf(site)}/transfer-ownership`, { new_owner_id: admin.id }), 'transfer'],
    [owner.post(`${pathOf(site)}/invitations/${invitation.id}/resend`), 'resend'],
    [owner.post(`/api/v1/gates/${gate.id}/approve`), 'approve'],
  ]
  for (const [answer, what] of writes) expect([what, (await answer).status]).toEqual([what, 404])

  // No worker has run: everything still exists and is inaccessible.
  expect(await remainingRows(box, site.organization.id)).toMatchObject({ organizations: 1, projects: 1, dispatches: 1 })
  const again = await owner.make('/api/v1/organizations', { name: 'Gone at Once' })
  expect([again.slug, again.org_key]).toEqual([site.organization.slug, site.organization.org_key])
})

test('only the owner may delete it', async () => {
  const site = await siteWithMembers('Kept')
  for (const [actor, status] of [
    [member, 403],
    [admin, 403],
    [await box.user('Stranger'), 404],
  ] as const) {
    expect((await actor.delete(pathOf(site))).status).toBe(status)
  }
  expect((await owner.get(pathOf(site))).status).toBe(200)
})

test('concurrent deletions succeed once, and concurrent changes are refused or deleted with it', async () => {
  const site = await siteWithMembers('Five at Once')
  await owner.put(pathOf(site), { registration_mode: 'open' })
  const guests = await createUsers(box, 10)
  const [deletions, others] = await Promise.all([
    Promise.all(Array.from({ length: 5 }, () => owner.delete(pathOf(site)))),
    Promise.all([
      ...guests.map((guest) => guest.post(`${pathOf(site)}/join`)),
      ...Array.from({ length: 10 }, () => owner.post(`${pathOf(site)}/workspaces`, { name: 'Late' })),
      ...Array.from({ length: 10 }, () => owner.post(`${pathOf(site)}/transfer-ownership`, { new_owner_id: member.id })),
    ]),
  ])
  expect(deletions.filter(({ status }) => status === 204).length).toBeLessThanOrEqual(1)
  for (const { status, body } of others) expect([200, 201, 403, 404], JSON.stringify(body)).toContain(status)
  // If a transfer came first, the new owner deletes it.
  if (deletions.every(({ status }) => status !== 204)) expect((await member.delete(pathOf(site))).status).toBe(204)
  for (const actor of [owner, member, ...guests]) expect((await actor.get(pathOf(site))).status).toBe(404)
  expect(await box.sql`select from organization_members where organization_id = ${site.organization.id}`).toHaveLength(0)
})

test('its deletion is audited until the log is deleted as well; other logs stay immutable', async () => {
  const [site, neighbor] = [await siteWithMembers('Trailing'), await siteWithMembers('Neighbor')]
  await owner.delete(pathOf(site))
  const [entry] = await box.sql`
    select detail from audit_log_entries where organization_id = ${site.organization.id} and action = 'organization.deleted'
  `
  expect(entry?.detail).toBe('Owner deleted the organization Trailing and everything in it.')
  await box.sql`delete from audit_log_entries where organization_id = ${site.organization.id}`
  await expect(
    box.sql`delete from audit_log_entries where organization_id = ${neighbor.organization.id}`.execute(),
  ).rejects.toThrow('its rows are evidence')
})

test('its queued jobs are dropped', async () => {
  const [site, neighbor] = [await siteWithMembers('Queued'), await siteWithMembers('Queued Elsewhere')]
  await box.sql`
    select graphile_worker.add_job('dispatch_hook', '{}', flags := array['org:' || id]::text[])
    from unnest(${[site.organization.id, neighbor.organization.id]}::uuid[]) as id
  `
  const jobs = async ({ organization }: Site) =>
    (
      await box.sql<{ task_identifier: string }[]>`
        select task_identifier from graphile_worker.jobs where flags ? ${`org:${organization.id}`}
      `
    ).map(({ task_identifier }) => task_identifier)
  expect(await jobs(site)).toEqual(['dispatch_hook'])
  await owner.delete(pathOf(site))
  expect(await jobs(site)).toEqual(['purge_organization'])
  expect(await jobs(neighbor)).toEqual(['dispatch_hook'])
})
