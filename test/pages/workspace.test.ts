import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PageClient, type Visit } from '../support/page-client.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

const MARKUP = '<i title="x">Name</i>'

let box: Box
let owner: Actor
let lead: Actor
let member: Actor
let site: Site
let home: string
let asLead: PageClient
let asMember: PageClient

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  owner = await box.user('Owner')
  lead = await box.user('Lead')
  member = await box.user(`Member ${MARKUP}`)
  site = await box.site(owner)
  await box.join(lead, site, 'member', 'admin')
  await box.join(member, site, 'member', 'member')
  await owner.put(`/api/v1/projects/${site.project.id}`, { name: MARKUP })
  home = `/app/workspaces/${site.workspace.id}`
  asLead = await PageClient.signedIn(box, lead)
  asMember = await PageClient.signedIn(box, member)
})
afterAll(() => box.close())

const tabsOf = ({ document }: Visit) => [...document.querySelectorAll('.tabs a')].map((link) => link.textContent)
const policyNow = async () => (await owner.get(`/api/v1/workspaces/${site.workspace.id}`)).body.gate_policy
const rolesNow = async (): Promise<Record<string, string>> => {
  const { body } = await owner.get(`/api/v1/workspaces/${site.workspace.id}/members`)
  return Object.fromEntries(body.map((each: { user_id: string; role: string }) => [each.user_id, each.role]))
}

describe('The page of a workspace', () => {
  test('shows projects, channels, members and the gate policy, with names as text', async () => {
    const channel = await owner.make(`/api/v1/workspaces/${site.workspace.id}/notification-channels`, {
      name: MARKUP,
      channel_type: 'webhook',
      config: { url: 'http://127.0.0.1:9/' },
    })
    await box.sql`update notification_channels set enabled = false, disabled_reason = 'It failed.' where id = ${channel.id}`
    const page = await asMember.open(home)
    for (const text of [`Member ${MARKUP}`, 'Lead', 'It failed.', 'disabled', '1 required', 'API, App, Slack, Mail', 'never'])
      expect(page.text).toContain(text)
    expect(page.document.querySelector(`main a[href="/app/projects/${site.project.id}"]`)?.textContent).toBe(MARKUP)
    expect(page.document.querySelector(`a[href="/app/notification-channels/${channel.id}"]`)?.textContent).toBe(MARKUP)
    expect(page.document.querySelector('main i')).toBeNull()
    expect([...page.document.querySelectorAll('.crumbs a')].map((link) => link.textContent)).toEqual([])
  })

  test('says what to do next where there is nothing', async () => {
    const empty = await owner.make(`/api/v1/organizations/${site.organization.id}/workspaces`, { name: 'Empty' })
    const page = await (await PageClient.signedIn(box, owner)).open(`/app/workspaces/${empty.id}`)
    for (const text of ['No projects yet.', 'No channels yet.']) expect(page.text).toContain(text)
  })

  test('has for each role what it may do', async () => {
    const seen = await asMember.open(home)
    expect([...seen.document.querySelectorAll('main form')].map((form) => form.getAttribute('action'))).toEqual([
      `${home}/members/${member.id}/remove`,
    ])
    expect(tabsOf(seen)).toEqual(['Overview', 'Workflow'])
    expect(tabsOf(await asLead.open(home))).toEqual(['Overview', 'Workflow', 'Budget', 'Settings'])
    const ownerTabs = await (await PageClient.signedIn(box, owner)).open(home)
    expect(tabsOf(ownerTabs)).toEqual(['Overview', 'Workflow', 'Budget', 'Settings', 'Audit log'])
    expect((await (await PageClient.signedIn(box, await box.user('Stranger'))).open(home)).status).toBe(404)
  })

  test('says so where a policy is set that no one can meet', async () => {
    const saved = await asLead.press(await asLead.open(home), 'Save policy', { required_approvals: '3' })
    expect(saved.text).toContain('Only 2 people can approve gates here, and this policy requires 3: no gate can be approved.')
    const all = await asLead.press(saved, 'Save policy', { required_approvals: '2', prevent_self_approval: ['false', 'true'] })
    expect(all.text).toContain('a gate that one of them asks for cannot be approved')
    const met = await asLead.press(all, 'Save policy', { required_approvals: '1', prevent_self_approval: 'false' })
    expect(met.text).not.toContain('can approve gates here')
  })

  test('refuses the actions of admins to a member, with a page', async () => {
    for (const [action, fields] of [
      ['/gate-policy', { required_approvals: '2' }],
      ['/members/add', { user_id: owner.id }],
      [`/members/${lead.id}/role`, { role: 'member' }],
      [`/members/${lead.id}/remove`, {}],
    ] as const) {
      expect([action, (await asMember.post(home + action, fields)).status]).toEqual([action, 403])
    }
    expect((await asMember.open(`${home}/members/add`)).status).toBe(403)
    expect([(await policyNow()).required_approvals, (await rolesNow())[lead.id]]).toEqual([1, 'admin'])
  })
})

describe('The gate policy', () => {
  test('that would leave no way to approve gates of an environment is refused at its field', async () => {
    const project = await lead.make(`/api/v1/workspaces/${site.workspace.id}/projects`, { name: 'Billing' })
    const path = `/api/v1/projects/${project.id}/environments/production/policy`
    expect((await lead.put(path, { decide_via: ['api'] })).status).toBe(200)
    const refused = await asLead.press(await asLead.open(home), 'Save policy', { decide_via: ['', 'mail', 'app'] })
    expect([refused.status, refused.document.querySelector('#decide_via-error')?.textContent]).toEqual([
      422,
      expect.stringContaining('would leave no way to approve gates for the environment production of the project Billing'),
    ])
    await lead.delete(path)
  })

  test('is saved as a whole, and audited', async () => {
    const page = await asLead.press(await asLead.open(home), 'Save policy', {
      required_approvals: '2',
      prevent_self_approval: ['false', 'true'],
      expires_in_seconds: '129600',
      decide_via: ['', 'mail', 'app'],
    })
    expect(page.text).toContain('The gate policy was saved.')
    expect(await policyNow()).toEqual({
      required_approvals: 2,
      prevent_self_approval: true,
      expires_in_seconds: 129_600,
      decide_via: ['app', 'mail'],
    })
    expect((await asMember.open(home)).text).toContain('after 36 hours')
    const { body } = await owner.get(`/api/v1/organizations/${site.organization.id}/audit-logs?action=workspace.updated`)
    expect(body.items[0].actor_id).toBe(lead.id)
    const unchanged = await asLead.press(page, 'Save policy')
    expect([unchanged.status, (await policyNow()).decide_via]).toEqual([200, ['app', 'mail']])
    await asLead.press(page, 'Save policy', { expires_in_seconds: '' })
    expect((await policyNow()).expires_in_seconds).toBeNull()
  })

  test('shows what is wrong next to the field: 422, with the values', async () => {
    const before = await policyNow()
    const page = await asLead.press(await asLead.open(home), 'Save policy', {
      required_approvals: '11',
      prevent_self_approval: 'false',
      decide_via: '',
    })
    expect(page.status).toBe(422)
    expect(page.document.querySelector('#required_approvals')?.getAttribute('value')).toBe('11')
    expect(page.document.querySelector('#required_approvals-error')?.textContent).toContain('must be <= 10')
    expect(page.document.querySelector('#decide_via-error')?.textContent).toContain('Can be decided via')
    expect(page.document.querySelectorAll('input[type="checkbox"][checked]')).toHaveLength(0)
    expect(await policyNow()).toEqual(before)
  })
})

describe('Members of a workspace', () => {
  test('are added from those of the organization', async () => {
    const newcomer = await box.user('Newcomer')
    await box.join(newcomer, site, 'member')
    const form = await asLead.open(`${home}/members/add?query=newc`)
    const labels = [...form.document.querySelectorAll('fieldset label')].map((label) => label.textContent?.trim())
    expect(labels).toEqual([`Newcomer, ${newcomer.email}`])
    const done = await asLead.press(form, 'Add', { user_id: newcomer.id, role: 'admin' })
    expect([done.path, done.text.includes('Newcomer was added to the workspace.')]).toEqual([home, true])
    expect((await rolesNow())[newcomer.id]).toBe('admin')
    const again = await asLead.press(form, 'Add', { user_id: newcomer.id })
    expect([again.status, again.text.includes('The user is already a member of the workspace.')]).toEqual([409, true])
    expect((await asLead.open(`${home}/members/add?query=newc`)).text).toContain('is already a member of this workspace')
  })

  test('have to be chosen, and to be in the organization: 422', async () => {
    await box.join(await box.user('Candidate'), site, 'member')
    const form = await asLead.open(`${home}/members/add`)
    const none = await asLead.press(form, 'Add', { role: 'member' })
    expect([none.status, none.text.includes('A person is required')]).toEqual([422, true])
    const stranger = await box.user('Outsider')
    const outside = await asLead.press(form, 'Add', { user_id: stranger.id })
    expect([outside.status, outside.document.querySelector('#user_id-error')?.textContent]).toEqual([
      422,
      'Member of the organization is not a member of the organization; add the user there first.',
    ])
  })

  test('get another role, are removed, and leave', async () => {
    const page = await asLead.press(await asLead.open(home), `Make admin: Member`)
    expect(page.text).toContain('is an admin of the workspace now.')
    expect((await rolesNow())[member.id]).toBe('admin')
    const removed = await asLead.press(page, 'Remove: Member')
    expect(removed.text).toContain('The member was removed from the workspace.')
    expect((await asMember.open(home)).status).toBe(404)
    const left = await asLead.press(removed, 'Leave')
    expect([left.path, left.text.includes('You left the workspace.')]).toEqual([
      `/app/organizations/${site.organization.id}`,
      true,
    ])
    expect(await rolesNow()).not.toHaveProperty(lead.id)
  })
})
