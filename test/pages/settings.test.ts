/** Making, changing and deleting organizations, workspaces, projects and requirements in the pages. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PageClient, type Visit } from '../support/page-client.ts'
import { errorIn, noticeIn } from '../support/page-parts.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let owner: Actor
let stranger: Actor
let site: Site
let visitor: PageClient

beforeAll(async () => {
  box = await signalbox()
  owner = await box.user('Owner')
  stranger = await box.user('Stranger')
  site = await box.site(owner)
  visitor = await PageClient.signedIn(box, owner)
})
afterAll(() => box.close())

const alertIn = ({ document }: Visit) => document.querySelector('[role=alert]')?.textContent ?? ''
const linkIn = ({ document }: Visit, text: string) =>
  [...document.querySelectorAll('a')].find((link) => link.textContent === text)?.getAttribute('href') ?? ''

test('a person without an organization gets to a requirement by links and forms alone', async () => {
  const person = await PageClient.signedIn(box, await box.user('Newcomer'))
  const first = await person.open(linkIn(await person.open('/app'), 'New organization'))
  const organization = await person.press(first, 'Create the organization', { name: 'Acme', description: 'Robots' })
  expect(noticeIn(organization)).toBe('The organization Acme was created. You are its owner.')
  const nameless = await person.press(await person.open(linkIn(organization, 'New workspace')), 'Create the workspace', {
    name: ' ',
    budget_monthly_limit_usd: '250.5',
  })
  expect([nameless.status, errorIn(nameless, 'name')]).toEqual([422, expect.stringContaining('Name ')])
  const workspace = await person.press(nameless, 'Create the workspace', { name: 'Platform' })
  expect(workspace.text).toContain('$250.50')
  const project = await person.press(await person.open(linkIn(workspace, 'New project')), 'Create the project', {
    name: 'Checkout',
    version_scheme: 'semver',
  })
  const requirement = await person.press(await person.open(linkIn(project, 'Write the first requirement')), 'Create', {
    title: 'Pay by invoice',
    acceptance_criteria: ['An invoice is mailed.', '', 'It can be paid.'],
  })
  expect([...requirement.document.querySelectorAll('ol.prose li')].map((item) => item.textContent)).toEqual([
    'An invoice is mailed.',
    'It can be paid.',
  ])
  const execution = await person.press(requirement, 'Queue', { agent: 'claude' })
  expect([execution.path.slice(0, 16), noticeIn(execution)]).toEqual(['/app/executions/', 'An execution is queued for claude.'])
})

describe('A form that was opened before another change', () => {
  test('saves nothing, shows what was entered and what is stored, and can be sent again', async () => {
    const path = `/app/projects/${site.project.id}/settings`
    const page = await visitor.open(path)
    await owner.put(`/api/v1/projects/${site.project.id}`, { description: 'By another\nperson', version_scheme: 'calver' })
    const refused = await visitor.press(page, 'Save', { name: 'Mine', description: 'My\r\nown' })
    expect(refused.status).toBe(409)
    expect(alertIn(refused)).toContain('changed while you were editing')
    expect([...refused.document.querySelectorAll('.stored')].map((each) => each.textContent)).toEqual([
      `Stored now: ${site.project.name}`,
      'Stored now: By another\nperson',
      'Stored now: named by date',
    ])
    expect((await owner.get(`/api/v1/projects/${site.project.id}`)).body).toMatchObject({ description: 'By another\nperson' })
    const saved = await visitor.press(refused, 'Save')
    expect(noticeIn(saved)).toBe('The settings were saved.')
    expect((await owner.get(`/api/v1/projects/${site.project.id}`)).body).toMatchObject({
      name: 'Mine',
      description: 'My\nown',
      version_scheme: 'numbered',
    })
  })

  test('does not delete what was changed', async () => {
    const project = await owner.make(`/api/v1/workspaces/${site.workspace.id}/projects`, { name: 'Short-lived' })
    const page = await visitor.open(`/app/projects/${project.id}/settings`)
    await owner.put(`/api/v1/projects/${project.id}`, { description: 'Needed after all' })
    expect((await visitor.press(page, 'Delete the project', { confirm_name: 'Short-lived' })).status).toBe(409)
    expect((await owner.get(`/api/v1/projects/${project.id}`)).status).toBe(200)
  })

  test('saves nothing of a group, an account, or preferences either', async () => {
    const group = await owner.make(`/api/v1/organizations/${site.organization.id}/groups`, { name: 'Security' })
    const mailed = { email_types: ['gate_pending'] }
    for (const [path, record, change, typed, stored] of [
      [`/app/groups/${group.id}`, `/groups/${group.id}`, { name: 'Reviewers' }, { description: 'Typed' }, 'Reviewers'],
      ['/app/account', '/users/me', { name: 'The Owner' }, { name: 'Typed' }, 'The Owner'],
      ['/app/account/notifications', '/notifications/preferences', mailed, { email_enabled: 'true' }, 'no'],
    ] as const) {
      const page = await visitor.open(path)
      await owner.put(`/api/v1${record}`, change)
      const refused = await visitor.press(page, 'Save', typed)
      expect([path, refused.status]).toEqual([path, 409])
      expect(refused.document.querySelector('.stored')?.textContent).toBe(`Stored now: ${stored}`)
      expect([path, (await visitor.press(refused, 'Save')).status]).toEqual([path, 200])
      expect((await owner.get(`/api/v1${record}`)).body).toMatchObject(path.endsWith('notifications') ? {} : typed)
    }
  })

  test('of a requirement shows its stored criteria', async () => {
    const { id } = await owner.make(`/api/v1/projects/${site.project.id}/requirements`, {
      title: 'Old',
      acceptance_criteria: ['One'],
    })
    const page = await visitor.open(`/app/requirements/${id}/edit`)
    await owner.put(`/api/v1/requirements/${id}`, { acceptance_criteria: ['Two', 'Three'] })
    const refused = await visitor.press(page, 'Save', { status: 'done' })
    expect(refused.document.querySelector('.stored ol')?.textContent).toBe('TwoThree')
    expect(refused.document.querySelector('textarea[name=acceptance_criteria]')?.textContent).toBe('One')
  })
})

test('a requirement gets more rows for its criteria without a script', async () => {
  const page = await visitor.open(`/app/projects/${site.project.id}/requirements/new`)
  const criteria = ['One', 'Two', 'Three']
  const more = await visitor.press(page, 'More rows', { title: 'Many', acceptance_criteria: criteria })
  const rows = [...more.document.querySelectorAll('textarea[name=acceptance_criteria]')]
  expect([more.status, rows.map(({ textContent }) => textContent)]).toEqual([200, [...criteria, '', '', '']])
  expect(more.document.querySelector('#title')?.getAttribute('value')).toBe('Many')
})

test('a criterion that is too long is named by its number', async () => {
  const page = await visitor.open(`/app/projects/${site.project.id}/requirements/new`)
  const refused = await visitor.press(page, 'Create', { title: 'Long', acceptance_criteria: ['Short', 'x'.repeat(10_001)] })
  expect(errorIn(refused, 'acceptance_criteria')).toContain('(number 2)')
  expect(refused.document.querySelectorAll('textarea[name=acceptance_criteria]')[1]?.textContent).toHaveLength(10_001)
})

describe('Deleting', () => {
  test('asks for the exact name, and says what was deleted', async () => {
    const other = await box.site(owner)
    const inside = [
      [`/app/projects/${other.project.id}/settings`, 'Delete the project', other.project.name],
      [`/app/workspaces/${other.workspace.id}/settings`, 'Delete the workspace', other.workspace.name],
      [`/app/organizations/${other.organization.id}/settings`, 'Delete the organization', other.organization.name],
    ] as const
    for (const [path, button, name] of inside) {
      const page = await visitor.open(path)
      const refused = await visitor.press(page, button, { confirm_name: name.toLowerCase() })
      expect([refused.status, errorIn(refused, 'confirm_name')]).toEqual([422, `Name must be exactly: ${name}.`])
      expect(refused.document.querySelector('details[open] [name=confirm_name]')?.getAttribute('value')).toBe(name.toLowerCase())
      const done = await visitor.press(refused, button, { confirm_name: name })
      expect(noticeIn(done)).toBe(`${button.replace('Delete the', 'The')} ${name} and everything in it were deleted.`)
      expect((await visitor.open(path)).status).toBe(404)
    }
  })

  test('a requirement leads to its project', async () => {
    const { id, number } = await owner.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Unneeded' })
    const done = await visitor.press(await visitor.open(`/app/requirements/${id}/edit`), 'Delete the requirement')
    expect([done.path, noticeIn(done)]).toEqual([
      `/app/projects/${site.project.id}/requirements`,
      `Requirement #${number}, Unneeded, was deleted.`,
    ])
  })
})

test('an organization is handed over by its exact name, to a member', async () => {
  const other = await box.site(owner)
  const heir = await box.user('Heir')
  await owner.make(`/api/v1/organizations/${other.organization.id}/members`, { user_id: heir.id })
  const path = `/app/organizations/${other.organization.id}/settings`
  const page = await visitor.open(`${path}?query=heir`)
  const fields = { new_owner_id: heir.id, confirm_name: 'Another' }
  expect((await visitor.press(page, 'Transfer', fields)).status).toBe(422)
  const done = await visitor.press(page, 'Transfer', { ...fields, confirm_name: other.organization.name })
  expect(noticeIn(done)).toContain('has a new owner')
  expect((await visitor.open(path)).text).not.toContain('Delete the organization')
})

describe('The page of an organization', () => {
  test('offers Join to strangers if it is open, and is absent for them if it is not', async () => {
    const { organization } = await box.site(owner)
    const guest = await PageClient.signedIn(box, stranger)
    const path = `/app/organizations/${organization.id}`
    expect((await guest.open(path)).status).toBe(404)
    expect((await guest.open(`${path}/join`)).status).toBe(404)
    await owner.put(`/api/v1/organizations/${organization.id}`, { registration_mode: 'open' })
    const offered = await guest.open(path)
    expect(offered.text).not.toContain(owner.email)
    const joined = await guest.press(offered, 'Join')
    expect([joined.path, joined.status, noticeIn(joined)]).toEqual([path, 200, 'You are a member now.'])
  })

  test('lets only admins change its settings, and only the owner delete it', async () => {
    const member = await box.user('Member')
    const admin = await box.user('Admin')
    await box.join(member, site, 'member', 'member')
    await box.join(admin, site, 'admin', 'admin')
    const path = `/app/organizations/${site.organization.id}/settings`
    const plain = await PageClient.signedIn(box, member)
    expect((await plain.open(path)).status).toBe(403)
    expect((await plain.post(path, { name: 'Taken over' })).status).toBe(403)
    const second = await PageClient.signedIn(box, admin)
    expect((await second.open(path)).text).not.toContain('Delete the organization')
    expect((await second.post(`${path}/delete`, { confirm_name: site.organization.name })).status).toBe(403)
  })
})
