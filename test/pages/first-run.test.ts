/** What someone sees who has no organization, and the list of what a new one still lacks. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PageClient, type Visit } from '../support/page-client.ts'
import { errorIn } from '../support/page-parts.ts'
import { Receiver } from '../support/receiver.ts'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'

let box: Box
const receiver = new Receiver()

beforeAll(async () => {
  box = await signalbox()
})
afterAll(async () => {
  await box.close()
  await receiver.stop()
})

const organizationsOf = async (actor: Actor) => (await actor.get('/api/v1/organizations')).body
/** The list, by what it says of each step. */
const stepsIn = ({ document }: Visit): [string, string][] =>
  [...document.querySelectorAll('#setup li')].map((step) => [
    step.querySelector('.pill')?.textContent ?? '',
    step.querySelector('.what > :first-child')?.textContent ?? '',
  ])
const openSteps = (page: Visit) => stepsIn(page).flatMap(([state, text]) => (state === 'done' ? [] : [text]))

describe('Someone without an organization', () => {
  test('makes it with a project, invites people, and connects Slack and a CI system, with one form', async () => {
    const founder = await box.user('Founder')
    const known = await box.user('Known')
    const visitor = await PageClient.signedIn(box, founder)
    const first = await visitor.open('/app')
    expect(first.document.querySelector('h1')?.textContent).toBe('Welcome to Signalbox')
    const done = await visitor.press(first, 'Create the organization', {
      name: 'Beginning',
      project: 'Checkout',
      invited: `${known.email}, unknown@example.com\r\n${known.email}`,
      slack_webhook_url: `${receiver.url}/slack`,
      ci: 'gitlab',
    })
    expect(done.document.querySelector('#status')?.textContent).toBe(
      'Beginning was created. You are its owner. 2 people were added or invited.',
    )
    expect(done.path).toEndWith('/deployment-hooks/new?template=gitlab')
    expect(done.document.querySelector('#name')?.getAttribute('value')).toBe('GitLab')
    const [organization] = await organizationsOf(founder)
    expect(organization).toMatchObject({ name: 'Beginning', member_count: 2, workspace_count: 1 })
    const [workspace] = (await founder.get(`/api/v1/organizations/${organization.id}/workspaces`)).body
    const [channel] = (await founder.get(`/api/v1/workspaces/${workspace.id}/notification-channels`)).body
    expect(channel).toMatchObject({ channel_type: 'slack', config: { webhook_url: '********' } })
    expect((await founder.get(`/api/v1/notification-channels/${channel.id}/subscriptions`)).body).toHaveLength(3)
    expect((await founder.get(`/api/v1/organizations/${organization.id}/invitations`)).body).toMatchObject([
      { email: 'unknown@example.com', role: 'member' },
    ])
    expect(openSteps(await visitor.open('/app'))[0]).toBe('Connect your CI system')
    // Those who joined see what needs them.
    expect((await (await PageClient.signedIn(box, known)).open('/app')).document.querySelector('#setup')).toBeNull()
  })

  test.each([
    ['invited', 'nobody', 'People to invite include nobody, which '],
    ['invited', 'founder', 'People to invite include founder'],
    ['slack_webhook_url', 'ftp://example.com', 'Slack webhook '],
    ['project', ' ', 'First project '],
  ])('makes nothing if %s is %p, and keeps what was typed', async (field, value, message) => {
    const founder = await box.user('Founder')
    const visitor = await PageClient.signedIn(box, founder)
    const typed = value === 'founder' ? founder.email : value
    const fields = { name: 'Never', project: 'Checkout', [field]: typed }
    const refused = await visitor.press(await visitor.open('/app'), 'Create the organization', fields)
    expect([refused.status >= 400, errorIn(refused, field)]).toEqual([true, expect.stringContaining(message)])
    expect(refused.document.querySelector('#name')?.getAttribute('value')).toBe('Never')
    expect(await organizationsOf(founder)).toEqual([])
  })

  test('sees the invitations to join others', async () => {
    const owner = await box.user('Owner')
    const { organization } = await box.site(owner, 'Inviting')
    const email = `late.${organization.id}@example.com`
    await owner.make(`/api/v1/organizations/${organization.id}/members`, { email })
    const late = await box.user('Late')
    await box.sql`update users set email = ${email} where id = ${late.id}`
    const page = await (await PageClient.signedIn(box, { ...late, email } as Actor)).open('/app')
    expect(page.text).toContain('invites you as a member')
  })
})

describe('The list of what a new organization lacks', () => {
  let ada: Actor
  let visitor: PageClient

  beforeAll(async () => {
    ada = await box.user('Ada')
    visitor = await PageClient.signedIn(box, ada)
    await visitor.press(await visitor.open('/app'), 'Create the organization', { name: 'Acme', project: 'Checkout' })
  })

  test('is ticked by what really happens, and dismissed by each person', async () => {
    const [organization] = await organizationsOf(ada)
    const [workspace] = (await ada.get(`/api/v1/organizations/${organization.id}/workspaces`)).body
    const [project] = (await ada.get(`/api/v1/workspaces/${workspace.id}/projects`)).body
    const next = async () => {
      const page = await visitor.open('/app')
      return [openSteps(page).length, openSteps(page)[0]]
    }
    expect(await next()).toEqual([8, 'Invite your team'])
    await ada.make(`/api/v1/organizations/${organization.id}/members`, { email: 'grace@example.com' })
    expect(await next()).toEqual([7, 'Connect Slack, or another channel'])
    await ada.make(`/api/v1/workspaces/${workspace.id}/notification-channels`, {
      name: 'Room',
      channel_type: 'webhook',
      config: { url: receiver.url },
    })
    expect(await next()).toEqual([6, 'Connect your CI system'])
    const hook = await ada.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
      name: 'Deploy',
      url: receiver.url,
      trigger_on: 'gate_approved',
      report_within_seconds: 600,
    })
    // A test is no deployment.
    await ada.make(`/api/v1/deployment-hooks/${hook.id}/test`, {}, { Prefer: 'wait=10' })
    expect(await next()).toEqual([5, 'Write the first requirement'])
    const requirement = await ada.make(`/api/v1/projects/${project.id}/requirements`, { title: 'Pay by invoice' })
    const execution = await ada.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'claude' })
    expect(await next()).toEqual([4, 'An agent starts to work'])
    await ada.make(`/api/v1/executions/${execution.id}/start`)
    expect(await next()).toEqual([3, 'The first gate is approved'])
    const gate = await ada.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Release' })
    await ada.make(`/api/v1/gates/${gate.id}/approve`)
    await box.settled()
    expect(await next()).toEqual([1, 'The first rollout is reported'])
    const { items } = (await ada.get(`/api/v1/deployment-hooks/${hook.id}/dispatches`)).body
    const { id } = items.find(({ event }: { event: string }) => event === 'gate.approved')
    expect((await ada.post(`/api/v1/dispatches/${id}/report`, { state: 'succeeded' })).status).toBe(200)
    const complete = await visitor.open('/app')
    expect([openSteps(complete), complete.text.includes('Everything is set up.')]).toEqual([[], true])
    const closed = await visitor.press(complete, 'Close')
    expect([closed.path, stepsIn(closed)]).toEqual(['/app', []])
  })

  test('ends after two months by itself', async () => {
    const late = await box.user('Late')
    const browser = await PageClient.signedIn(box, late)
    const begun = await browser.press(await browser.open('/app'), 'Create the organization', { name: 'Slow', project: 'One' })
    expect(stepsIn(begun)).toHaveLength(9)
    await box.sql`update organization_members set setup_until = now() - interval '1 minute' where user_id = ${late.id}`
    expect(stepsIn(await browser.open('/app'))).toEqual([])
  })
})
