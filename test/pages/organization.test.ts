import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PageClient, type Visit } from '../support/page-client.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

const MARKUP = '<script>alert(1)</script>"\'&amp;'

let box: Box
let owner: Actor
let admin: Actor
let member: Actor
let site: Site
let home: string
let people: string
let asOwner: PageClient
let asAdmin: PageClient
let asMember: PageClient

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  owner = await box.user(`Owner ${MARKUP}`)
  admin = await box.user('Admin')
  member = await box.user('Member')
  site = await box.site(owner, MARKUP)
  await box.join(admin, site, 'admin')
  await box.join(member, site, 'member')
  home = `/app/organizations/${site.organization.id}`
  people = `${home}/people`
  asOwner = await PageClient.signedIn(box, owner)
  asAdmin = await PageClient.signedIn(box, admin)
  asMember = await PageClient.signedIn(box, member)
})
afterAll(() => box.close())

const membersNow = async (): Promise<Record<string, string>> => {
  const { body } = await owner.get(`/api/v1/organizations/${site.organization.id}/members`)
  return Object.fromEntries(body.map((each: { user_name: string; role: string }) => [each.user_name, each.role]))
}
const actions = ({ document }: Visit) =>
  [...document.querySelectorAll('main form[method="post"]')].map((form) =>
    (form.getAttribute('action') ?? '').replace(people, ''),
  )

/** A new member of the organization. */
async function newMember(name: string): Promise<Actor> {
  const actor = await box.user(name)
  await box.join(actor, site, 'member')
  return actor
}

describe('The page of an organization', () => {
  test('shows its members, workspaces and facts, with names as text', async () => {
    const page = await asOwner.open(home)
    expect([page.status, page.document.querySelector('h1')?.textContent]).toEqual([200, MARKUP])
    expect(page.document.querySelector(`main a[href="/app/workspaces/${site.workspace.id}"]`)?.textContent).toBe('Platform')
    const members = await asOwner.open(people)
    for (const text of [`Owner ${MARKUP}`, owner.email, 'Admin', '(you)']) expect(members.text).toContain(text)
    expect(page.document.querySelectorAll('body script')).toHaveLength(0)
    expect(page.html.length).toBeLessThan(60_000)
  })

  test('gives a member nothing to do but to leave', async () => {
    const page = await asMember.open(people)
    expect(page.text).not.toContain('Invitations')
    expect(actions(page)).toEqual([`/${member.id}/remove`])
    const tabs = [...page.document.querySelectorAll('.tabs a')].map((link) => link.textContent)
    expect(tabs).toEqual(['Members', 'Groups'])
    const pages = [...page.document.querySelectorAll('[aria-labelledby=side-organization] li a')].map((link) => link.textContent)
    expect(pages).toEqual(['People', 'Agents and machines', 'Settings'])
  })

  test('is a 404 for everyone else, and for what does not exist', async () => {
    const stranger = await PageClient.signedIn(box, await box.user('Stranger'))
    const answers = await Promise.all([home, `/app/organizations/${crypto.randomUUID()}`].map((path) => stranger.open(path)))
    expect(answers.map(({ status }) => status)).toEqual([404, 404])
    expect(answers[0]?.text).toBe(answers[1]?.text)
  })

  test('refuses the actions and pages of admins to a member, with a page', async () => {
    const { id } = await owner.make(`/api/v1/organizations/${site.organization.id}/members`, { email: 'kept@example.com' })
    for (const path of [
      people,
      `${people}/${admin.id}/role`,
      `${people}/invitations/${id}/revoke`,
      `${people}/invitations/${id}/resend`,
      `${home}/audit-log/export`,
    ]) {
      const page = await asMember.post(path, { email: 'x@example.com', role: 'member', format: 'csv' })
      expect([path, page.status, page.document.querySelector('h1')?.textContent]).toEqual([path, 403, 'You cannot do this'])
    }
    for (const path of ['/budget', '/audit-log']) expect((await asMember.open(home + path)).status).toBe(403)
    expect((await asMember.post(`${people}/${admin.id}/remove`)).status).toBe(403)
    expect((await membersNow()).Admin).toBe('admin')
  })

  test('searches members, and shows them in parts', async () => {
    const names = Array.from({ length: 26 }, (_, index) => `Crowd ${String(index).padStart(2, '0')}`)
    for (const name of names) await newMember(name)
    const rows = ({ document }: Visit) =>
      [...document.querySelectorAll('ul[aria-label="Members"] .what > :first-child')].map((each) => each.textContent)
    const first = await asOwner.open(`${people}?query=crowd`)
    expect(rows(first)).toHaveLength(25)
    const more = first.document.querySelector('nav[aria-label="Parts of members"] a[rel="next"]')?.getAttribute('href') ?? ''
    const second = await asOwner.open(more)
    expect([...rows(first), ...rows(second)].sort()).toEqual(names)
    expect(second.document.querySelector('nav[aria-label="Parts of members"] a[rel="first"]')?.getAttribute('href')).toBe(
      `${people}?query=crowd`,
    )
    expect((await asOwner.open(`${people}?query=nobody`)).text).toContain('No member has such a name or address.')
    await box.sql`delete from organization_members where user_id in (select id from users where name like 'Crowd %')`
  })
})

describe('Members', () => {
  test('are added at once if they have an account, and invited otherwise', async () => {
    const known = await box.user('Known')
    const page = await asOwner.open(people)
    const added = await asOwner.press(page, 'Invite', { email: known.email, role: 'admin' })
    expect([added.status, added.path]).toEqual([200, people])
    expect(added.text).toContain('Known is a member now.')
    expect((await membersNow()).Known).toBe('admin')
    const invited = await asOwner.press(page, 'Invite', { email: 'guest@example.com' })
    expect(invited.text).toContain('An invitation is on its way to guest@example.com.')
    const { body } = await owner.get(`/api/v1/organizations/${site.organization.id}/audit-logs?action=invitation.created`)
    expect(body.items[0]).toMatchObject({ actor_id: owner.id, actor_type: 'human' })
    const again = await asOwner.press(invited, 'Send again: guest@example.com')
    expect(again.text).toContain('A new invitation is on its way to guest@example.com.')
    const resent = await owner.get(`/api/v1/organizations/${site.organization.id}/audit-logs?action=invitation.resent`)
    expect(resent.body.items).toMatchObject([{ actor_id: owner.id, actor_type: 'human' }])
    const revoked = await asOwner.press(again, 'Revoke: guest@example.com')
    expect(revoked.text).toContain('The invitation was revoked.')
    expect(revoked.document.querySelector('[aria-label="Invitations"]')?.textContent ?? '').not.toContain('guest@')
  })

  test('are not added twice: 409, with what was typed', async () => {
    const page = await asAdmin.press(await asAdmin.open(people), 'Invite', { email: member.email })
    expect(page.status).toBe(409)
    expect(page.text).toContain('is a member of the organization already')
    expect(page.document.querySelector('#email')?.getAttribute('value')).toBe(member.email)
    expect(page.document.querySelector('.filters')?.getAttribute('action')).toBe(people)
  })

  test('need a valid address: 422, next to the field', async () => {
    const page = await asAdmin.press(await asAdmin.open(people), 'Invite', { email: `no ${MARKUP}` })
    expect(page.status).toBe(422)
    const field = page.document.querySelector('#email')
    expect(field?.getAttribute('value')).toBe(`no ${MARKUP}`)
    expect(field?.getAttribute('aria-describedby')).toContain('email-error')
    expect(page.document.querySelector('#email-error')?.textContent).toContain('must be a valid e-mail address')
  })

  test('get another role from the owner alone', async () => {
    await newMember('Riser')
    const raised = await asOwner.press(await asOwner.open(people), 'Make admin: Riser')
    expect(raised.text).toContain('Riser is an admin now.')
    expect((await membersNow()).Riser).toBe('admin')
    const seen = await asAdmin.open(people)
    expect(actions(seen).filter((path) => path.endsWith('/role'))).toEqual([])
    const forced = await asAdmin.post(`${people}/${member.id}/role`, { role: 'admin' })
    expect([forced.status, (await membersNow()).Member]).toEqual([403, 'member'])
    expect(forced.text).toContain('This requires the role owner')
    const fixed = await asOwner.post(`${people}/${owner.id}/role`, { role: 'member' })
    expect([fixed.status, fixed.text.includes('The role of the owner cannot be changed.')]).toEqual([409, true])
  })

  test('are removed, and can leave', async () => {
    await newMember('Removed')
    const page = await asAdmin.press(await asAdmin.open(people), 'Remove: Removed')
    expect(page.text).toContain('The member was removed.')
    const leaver = await PageClient.signedIn(box, await newMember('Leaver'))
    const left = await leaver.press(await leaver.open(people), 'Leave')
    expect([left.path, left.text.includes('You left the organization.')]).toEqual(['/app', true])
    expect((await leaver.open(people)).status).toBe(404)
    expect(Object.keys(await membersNow())).not.toContain('Removed')
    const held = await asOwner.post(`${people}/${owner.id}/remove`)
    expect([held.status, held.text.includes('The owner cannot leave or be removed.')]).toEqual([409, true])
  })
})

test('Runtimes are listed with their state', async () => {
  expect((await asMember.open(`${home}/runtimes`)).text).toContain('No runtimes yet.')
  await member.make(`/api/v1/organizations/${site.organization.id}/runtimes`, {
    name: MARKUP,
    hostname: 'farm.example.com',
    agents: ['claude'],
  })
  const page = await asMember.open(`${home}/runtimes`)
  for (const text of [MARKUP, 'farm.example.com', 'claude', 'online', 'Member']) expect(page.text).toContain(text)
})

describe('The budget', () => {
  test('shows this month, and twelve months as a chart and a table', async () => {
    await owner.put(`/api/v1/organizations/${site.organization.id}`, { budget_monthly_limit_usd: 100 })
    await owner.put(`/api/v1/workspaces/${site.workspace.id}`, { budget_monthly_limit_usd: 80 })
    const execution = await box.running(owner, site.project.id)
    await owner.make(`/api/v1/executions/${execution.id}/usage`, { cost_usd: 90 })
    await box.sql`
      insert into organization_spend (organization_id, month, used_usd)
      values (${site.organization.id}, (date_trunc('month', now()) - interval '2 months')::date, 45.5)
    `
    const page = await asAdmin.open(`${home}/budget`)
    for (const text of ['nearly used', 'exhausted', '$90.00', '$100.00', '90%', 'above 80%']) expect(page.text).toContain(text)
    const months = [...page.document.querySelectorAll('table[aria-label="Spend per month"] tbody tr')]
    expect(months.map((row) => row.querySelector('td.numeric')?.textContent).slice(0, 4)).toEqual([
      '$90.00',
      '$0.00',
      '$45.50',
      '$0.00',
    ])
    expect(months).toHaveLength(12)
    const chart = page.document.querySelector('.chart svg')
    expect(chart?.getAttribute('aria-label')).toContain('Spend of the last 12 months')
    const bars = [...(chart?.querySelectorAll('rect') ?? [])].map((bar) =>
      ['x', 'height'].map((name) => Number(bar.getAttribute(name))),
    )
    const [[first = 0] = [], [second = 0] = []] = bars
    // A month without spend has no bar.
    expect([bars.map(([, height]) => height), second - first]).toEqual([[45.5, 90], 20])
    expect(page.html).not.toContain('style=')
  })

  test('of a workspace is for its admins', async () => {
    const path = `/app/workspaces/${site.workspace.id}/budget`
    const page = await asOwner.open(path)
    for (const text of ['exhausted', '$90.00', '$80.00']) expect(page.text).toContain(text)
    const months = [...page.document.querySelectorAll('table[aria-label="Spend per month"] td.numeric')]
    expect(months.slice(0, 3).map((cell) => cell.textContent)).toEqual(['$90.00', '$0.00', '$0.00'])
    await box.sql`
      insert into workspace_members (workspace_id, organization_id, user_id, role)
      values (${site.workspace.id}, ${site.organization.id}, ${member.id}, 'member')
    `
    expect((await asMember.open(path)).status).toBe(403)
  })
})
