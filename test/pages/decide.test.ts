import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { letGatesChange, moveExpiry } from '../support/fixed-gates.ts'
import { PageClient } from '../support/page-client.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let owner: Actor
let lead: Actor
let member: Actor
let site: Site
let visitor: PageClient

beforeAll(async () => {
  box = await signalbox()
  owner = await box.user('Owner')
  lead = await box.user('Lead')
  member = await box.user('Member')
  site = await box.site(owner)
  await box.join(lead, site, 'member', 'admin')
  await box.join(member, site, 'member', 'member')
  visitor = await PageClient.signedIn(box, lead)
})
afterAll(() => box.close())

/** Opens a gate as a member. */
async function openGate(input: object = {}): Promise<Answer['body']> {
  const requirement = await member.make(`/api/v1/projects/${site.project.id}/requirements`, {
    title: 'Pay by invoice',
    acceptance_criteria: ['An invoice has a due date.'],
  })
  const execution = await member.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'claude' })
  await member.make(`/api/v1/executions/${execution.id}/start`)
  return member.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Release review', ...input })
}

const gateNow = async ({ id }: { id: string }) => (await owner.get(`/api/v1/gates/${id}`)).body

describe('The page of a gate', () => {
  test('shows what is asked, the requirement with its criteria, and the policy', async () => {
    const gate = await openGate({ description: 'Is it ready?', required_approvals: 2, prevent_self_approval: true })
    const page = await visitor.open(`/app/gates/${gate.id}`)
    expect(page.status).toBe(200)
    for (const text of [
      'Release review',
      'Is it ready?',
      'Pay by invoice',
      'An invoice has a due date.',
      'pending',
      '2 required',
    ])
      expect(page.text).toContain(text)
    expect(page.text).toContain('Approvals: 0 of 2')
    const crumbs = [...page.document.querySelectorAll('.crumbs a')].map((link) => link.textContent)
    expect(crumbs).toEqual(['Platform', 'Checkout'])
  })

  test('approves with a comment, and then shows who decided, when and how', async () => {
    const gate = await openGate()
    const page = await visitor.open(`/app/gates/${gate.id}`)
    const done = await visitor.press(page, 'Approve', { comment: 'Two\r\nlines' })
    expect([done.status, done.path]).toEqual([200, `/app/gates/${gate.id}`])
    expect(done.text).toContain('You approved this gate.')
    expect(done.text).toContain('Lead approved this gate in the app')
    expect(done.document.querySelector('form[action$="/approve"], form[action$="/reject"]')).toBeNull()
    expect(await gateNow(gate)).toMatchObject({
      status: 'approved',
      decided_by: lead.id,
      decided_via: 'app',
      comment: 'Two\nlines',
    })
    const { body } = await owner.get(`/api/v1/organizations/${site.organization.id}/audit-logs?action=gate.approved`)
    expect(body.items[0]).toMatchObject({ resource_id: gate.id, actor_id: lead.id, actor_type: 'human' })
  })

  test('rejects, without a comment', async () => {
    const gate = await openGate()
    const done = await visitor.press(await visitor.open(`/app/gates/${gate.id}`), 'Reject')
    expect(done.text).toContain('You rejected this gate. Its execution failed.')
    expect(await gateNow(gate)).toMatchObject({ status: 'rejected', comment: null, decided_via: 'app' })
  })

  test('counts approvals; who has approved can only reject', async () => {
    const gate = await openGate({ required_approvals: 2 })
    const done = await visitor.press(await visitor.open(`/app/gates/${gate.id}`), 'Approve', { comment: 'Fine' })
    expect(done.text).toContain('You approved this gate: 1 of 2 approvals.')
    expect(done.text).toContain('You have approved this gate. Others have to approve it as well.')
    const buttons = [...done.document.querySelectorAll('#decision button')].map((button) => button.textContent)
    expect(buttons).toEqual(['Reject', 'Request changes'])
    const again = await visitor.post(`/app/gates/${gate.id}/approve`)
    expect(again.status).toBe(409)
    expect(again.text).toContain('You approved this gate in the app on')
    expect(again.text).toContain('You have already approved this gate.')
    expect((await gateNow(gate)).approvals).toHaveLength(1)
  })

  test('says why the reader cannot decide it', async () => {
    const gate = await openGate()
    const reader = await PageClient.signedIn(box, member)
    const page = await reader.open(`/app/gates/${gate.id}`)
    expect(page.text).toContain('An admin of the workspace has to decide this gate.')
    expect(page.document.querySelector('main form')).toBeNull()
  })

  test('names those who must not approve their own gate, who can reject it', async () => {
    const gate = await openGate({ prevent_self_approval: true })
    await box.sql`update workspace_members set role = 'admin' where user_id = ${member.id}`
    const own = await PageClient.signedIn(box, member)
    const page = await own.open(`/app/gates/${gate.id}`)
    expect(page.text).toContain('another person has to approve it')
    const forced = await own.post(`/app/gates/${gate.id}/approve`)
    expect([forced.status, (await gateNow(gate)).status]).toEqual([403, 'pending'])
    expect((await own.press(page, 'Reject')).status).toBe(200)
    await box.sql`update workspace_members set role = 'member' where user_id = ${member.id}`
  })

  test('does not decide where the policy has no app', async () => {
    const gate = await openGate()
    await box.sql.begin(async (tx) => {
      await letGatesChange(tx)
      await tx`update gates set decide_via = '{api,mail}' where id = ${gate.id}`
    })
    expect((await visitor.open(`/app/gates/${gate.id}`)).text).toContain('cannot be decided in the app. Allowed: API, mail.')
    const forced = await visitor.post(`/app/gates/${gate.id}/approve`)
    expect([forced.status, (await gateNow(gate)).status]).toEqual([403, 'pending'])
  })

  test('shows an expired gate as expired, before a worker has recorded it', async () => {
    const gate = await openGate()
    await moveExpiry(box.sql, gate.id, -1)
    const page = await visitor.open(`/app/gates/${gate.id}`)
    expect(page.document.querySelector('#state')?.textContent).toBe('expired')
    expect((await visitor.post(`/app/gates/${gate.id}/approve`)).status).toBe(409)
  })
})

describe('A decision', () => {
  test('that comes too late shows the gate as it is now, and what was typed', async () => {
    const gate = await openGate()
    const page = await visitor.open(`/app/gates/${gate.id}`)
    await owner.make(`/api/v1/gates/${gate.id}/reject`, { comment: 'Not yet' })
    const late = await visitor.press(page, 'Approve', { comment: 'Looks good' })
    expect(late.status).toBe(409)
    for (const text of ['The gate is rejected and cannot become approved.', 'Owner rejected this gate', 'Not yet'])
      expect(late.text).toContain(text)
    expect(late.text).toContain('Looks good')
  })

  test('that is posted twice is made once', async () => {
    const gate = await openGate()
    const page = await visitor.open(`/app/gates/${gate.id}`)
    const both = await Promise.all([visitor.press(page, 'Approve'), visitor.press(page, 'Approve')])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(both.every(({ text }) => text.includes('Lead approved this gate in the app'))).toBe(true)
    // The first answer may have been lost.
    expect(both.find(({ status }) => status === 409)?.text).toContain('You approved this gate in the app on')
    const { body } = await owner.get(`/api/v1/organizations/${site.organization.id}/audit-logs?action=gate.approved`)
    expect(body.items.filter((entry: { resource_id: string }) => entry.resource_id === gate.id)).toHaveLength(1)
  })

  test('with a comment that is too long shows the form again', async () => {
    const gate = await openGate()
    const comment = 'x'.repeat(10_001)
    const page = await visitor.press(await visitor.open(`/app/gates/${gate.id}`), 'Approve', { comment })
    expect(page.status).toBe(422)
    const field = page.document.querySelector('#comment')
    expect([field?.textContent, field?.getAttribute('aria-invalid')]).toEqual([comment, 'true'])
    expect(page.document.querySelector(`#${field?.getAttribute('aria-describedby')?.split(' ')[1]}`)?.textContent).toBe(
      'Comment must not have more than 10000 characters.',
    )
  })

  test('needs the role at the click: an admin who became a member, or left, decides nothing', async () => {
    const gate = await openGate()
    const page = await visitor.open(`/app/gates/${gate.id}`)
    await box.sql`update workspace_members set role = 'member' where user_id = ${lead.id}`
    const demoted = await visitor.press(page, 'Approve')
    expect([demoted.status, demoted.text.includes('requires the role admin in the workspace; your role is member')]).toEqual([
      403,
      true,
    ])
    await box.sql`delete from workspace_members where user_id = ${lead.id}`
    const removed = await visitor.press(page, 'Approve')
    expect(removed.status).toBe(404)
    expect((await gateNow(gate)).status).toBe('pending')
    await box.sql`
      insert into workspace_members (workspace_id, organization_id, user_id, role)
      values (${site.workspace.id}, ${site.organization.id}, ${lead.id}, 'admin')
    `
  })

  test('after the session has ended leads to signing in, and back to the gate', async () => {
    const gate = await openGate()
    const other = await PageClient.signedIn(box, lead)
    const page = await other.open(`/app/gates/${gate.id}`)
    await box.sql`
      update sessions set ended_at = now()
      where user_id = ${lead.id} and id in (select session_id from session_cookies)
    `
    const done = await other.press(page, 'Approve')
    expect(done.path).toBe(`/sign-in?next=${encodeURIComponent(`/app/gates/${gate.id}`)}`)
    expect((await gateNow(gate)).status).toBe('pending')
    visitor = await PageClient.signedIn(box, lead)
  })
})

describe('What needs me', () => {
  test('lists the pending gates that I may decide, oldest first, until I have approved them', async () => {
    await box.sql`update gates set status = 'cancelled' where status = 'pending'`
    const [first, second] = [await openGate({ name: 'First', required_approvals: 2 }), await openGate({ name: 'Second' })]
    const names = async (who: PageClient) =>
      [...(await who.open('/app')).document.querySelectorAll('#gates .what > a')].map((link) => link.textContent)
    expect(await names(visitor)).toEqual(['First', 'Second'])
    expect(await names(await PageClient.signedIn(box, owner))).toEqual(['First', 'Second'])
    expect(await names(await PageClient.signedIn(box, member))).toEqual([])
    expect(await names(await PageClient.signedIn(box, await box.user('Stranger')))).toEqual([])
    await visitor.post(`/app/gates/${first.id}/approve`)
    expect(await names(visitor)).toEqual(['Second'])
    await visitor.post(`/app/gates/${second.id}/approve`)
    expect(await names(visitor)).toEqual([])
    expect((await visitor.open('/app')).text).toContain('No gate waits for you.')
  })

  test('lists hooks and channels that the service disabled, and budgets over their threshold, to admins', async () => {
    const hook = await owner.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
      name: 'Production deploy',
      url: 'http://127.0.0.1:9/',
      trigger_on: 'gate_approved',
    })
    const channel = await owner.make(`/api/v1/workspaces/${site.workspace.id}/notification-channels`, {
      name: 'Alerts',
      channel_type: 'webhook',
      config: { url: 'http://127.0.0.1:9/' },
    })
    await box.sql`update deployment_hooks set enabled = false, disabled_reason = 'It failed for a day.' where id = ${hook.id}`
    await box.sql`update notification_channels set enabled = false, disabled_reason = 'Gone.' where id = ${channel.id}`
    await owner.put(`/api/v1/workspaces/${site.workspace.id}`, { budget_monthly_limit_usd: 10 })
    const execution = await box.running(member, site.project.id)
    await member.make(`/api/v1/executions/${execution.id}/usage`, { cost_usd: 9 })
    const page = await visitor.open('/app')
    for (const text of ['Production deploy', 'It failed for a day.', 'Alerts', 'Gone.', '$9.00', '$10.00', 'nearly used'])
      expect(page.text).toContain(text)
    const unconcerned = await (await PageClient.signedIn(box, member)).open('/app')
    for (const text of ['Production deploy', 'Alerts', '$9.00']) expect(unconcerned.text).not.toContain(text)
  })

  test('lists unread notifications, which can be marked as read, one or all', async () => {
    const gate = await openGate({ name: 'Noticed' })
    await box.until('the lead is notified', async () =>
      (await visitor.open('/app/notifications')).text.includes('The gate “Noticed” awaits your review'),
    )
    // The gate itself is listed there.
    expect((await visitor.open('/app')).text).not.toContain('The gate “Noticed” awaits your review')
    const page = await visitor.open('/app/notifications')
    expect(page.document.querySelector(`a[href="/app/gates/${gate.id}"]`)?.textContent).toContain('Noticed')
    const before = page.document.querySelectorAll('.dot.run').length
    const one = await visitor.press(page, 'Mark read')
    expect(one.document.querySelectorAll('.dot.run')).toHaveLength(before - 1)
    const all = await visitor.press(await visitor.open('/app'), 'Mark all read')
    expect([all.path, all.document.querySelectorAll('.dot.run').length]).toEqual(['/app', 0])
    expect((await lead.get('/api/v1/notifications')).body.unread_count).toBe(0)
    const [{ id }] = await box.sql<[{ id: string }]>`select id from notifications where user_id = ${owner.id} limit 1`
    expect((await visitor.post(`/app/notifications/${id}/read`)).status).toBe(404)
  })
})
