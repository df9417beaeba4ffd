import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { StreamClient } from '../notifications/inbox.ts'
import type { Answer } from '../support/actor.ts'
import { registerPasskey } from '../support/authenticator.ts'
import { Mailbox } from '../support/mailbox.ts'
import { PageClient } from '../support/page-client.ts'
import { addTotp, codeOf, complete, forgetCodes, login, ticketOf } from '../support/second-factors.ts'
import { type Actor, type Box, PASSWORD, type Site, signalbox } from '../support/signalbox.ts'

const TOTP = '/api/v1/auth/totp'

let box: Box
let mail: Mailbox
let owner: Actor
let member: Actor
let site: Site
let organization: string

beforeAll(async () => {
  mail = await Mailbox.open()
  box = await signalbox({ environment: mail.environment })
})
afterAll(() => box.close())
beforeEach(async () => {
  owner = await box.user('Owner')
  member = await box.user('Member')
  site = await box.site(owner)
  organization = `/api/v1/organizations/${site.organization.id}`
  await box.join(member, site, 'admin')
})

const refusal = ({ status, body }: Answer) => [status, body?.code]
const MISSING = [403, 'second_factor_required']
const require = (isRequired = true) => owner.put(organization, { require_second_factor: isRequired })

/** Requires second factors, of which the owner has one. */
async function requireFactors(): Promise<string> {
  const { secret } = await addTotp(box, owner)
  expect((await require()).body.require_second_factor).toBe(true)
  return secret
}

test('only an owner who has a second factor can require one, and the audit log says so', async () => {
  expect(refusal(await require())).toEqual([409, 'second_factor_required'])
  await addTotp(box, member)
  expect(refusal(await member.put(organization, { require_second_factor: true }))).toEqual([403, 'forbidden'])
  expect((await owner.get(organization)).body.require_second_factor).toBe(false)
  await requireFactors()
  const [entry] = (await owner.get(`${organization}/audit-logs`)).body.items
  expect([entry.action, entry.detail.includes('require_second_factor')]).toEqual(['organization.updated', true])
  expect((await member.get(organization)).status).toBe(200)
})

test('a member without a second factor has no access in the organization, with a session or a token', async () => {
  const { token } = await member.make('/api/v1/auth/tokens', { name: 'Script' })
  const bound = await member.make('/api/v1/auth/tokens', { name: 'Bound', organization_id: site.organization.id })
  const own = await box.site(member)
  await requireFactors()
  const paths = [
    organization,
    `${organization}/members`,
    `/api/v1/workspaces/${site.workspace.id}`,
    `/api/v1/projects/${site.project.id}`,
  ]
  for (const caller of [member, member.as(token), member.as(bound.token)]) {
    for (const path of paths) expect([path, ...refusal(await caller.get(path))]).toEqual([path, ...MISSING])
    const requirement = { title: 'Pay by invoice' }
    expect(refusal(await caller.post(`/api/v1/projects/${site.project.id}/requirements`, requirement))).toEqual(MISSING)
  }
  // Their own organizations and their account are as before.
  expect((await member.get(`/api/v1/projects/${own.project.id}`)).status).toBe(200)
  expect((await member.get('/api/v1/users/me')).status).toBe(200)
  await addTotp(box, member)
  for (const path of paths) expect((await member.as(token).get(path)).status).toBe(200)
  await member.delete(TOTP)
  expect(refusal(await member.get(organization))).toEqual(MISSING)
  await require(false)
  expect((await member.get(organization)).status).toBe(200)
})

test('what a member must not see stays unknown', async () => {
  const stranger = await box.user('Stranger')
  const plain = await box.user('Plain')
  await owner.make(`${organization}/members`, { user_id: plain.id })
  await requireFactors()
  expect(refusal(await stranger.get(organization))).toEqual([404, 'not_found'])
  expect(refusal(await plain.get(`/api/v1/workspaces/${site.workspace.id}`))).toEqual([404, 'not_found'])
  expect(refusal(await plain.get(organization))).toEqual(MISSING)
})

test('who joins later needs one as well', async () => {
  await requireFactors()
  const late = await box.user('Late')
  await owner.make(`${organization}/members`, { user_id: late.id })
  expect(refusal(await late.get(organization))).toEqual(MISSING)
  await owner.put(organization, { registration_mode: 'open' })
  const joined = await box.user('Joined')
  await joined.make(`${organization}/join`)
  expect(refusal(await joined.get(organization))).toEqual(MISSING)
})

test('a mailed link and a page decide nothing without a second factor, and lead to setting one up', async () => {
  const execution = await box.running(owner, site.project.id)
  const gate = await owner.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Release review' })
  const links = () => mail.to(member.email).flatMap(({ text }) => /\/decide\?token=[\w.-]+/.exec(text)?.[0] ?? [])
  await box.until('the link came', async () => links().length === 1)
  await requireFactors()
  const [link = ''] = links()
  const visitor = await PageClient.signedIn(box, member)
  for (const path of [link, `/app/gates/${gate.id}`, `/app/organizations/${site.organization.id}`]) {
    const page = await visitor.open(path)
    expect([page.status, page.text.includes('Release review')]).toEqual([403, false])
    expect(page.document.querySelector('a[href="/app/account/security"]')).not.toBeNull()
  }
  expect((await visitor.open('/app')).text).toContain('No gate waits for you.')
  const posted = await visitor.post(link, { decision: 'approve' })
  expect(posted.status).toBe(403)
  expect((await owner.get(`/api/v1/gates/${gate.id}`)).body.status).toBe('pending')
})

const WITHHELD = 'Set up a second factor to read this'

test('notifications, their stream and mails tell a member without a second factor that a gate waits, and not which', async () => {
  await requireFactors()
  const execution = await box.running(owner, site.project.id)
  const gate = await owner.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Release review' })
  const inbox = async (by: Actor) => (await by.get('/api/v1/notifications')).body.items
  const toldOf = async () => (await inbox(member)).find(({ resource_id }: Answer['body']) => resource_id === gate.id)
  await box.until('the gate waits', async () => (await toldOf()) !== undefined)
  const told = await toldOf()
  expect(told).toMatchObject({ type: 'gate_pending', title: WITHHELD, data: {} })
  expect(told.body).toContain(site.organization.name)
  expect((await member.make(`/api/v1/notifications/${told.id}/read`)).title).toBe(WITHHELD)
  const client = new StreamClient(box.base, member.token)
  client.lastId = '0'
  await client.connect()
  await client.until('it was sent', () => client.events.some(({ data }) => data.resource_id === gate.id))
  client.disconnect()
  await box.until('it was mailed', async () => mail.to(member.email).some(({ subject }) => subject === WITHHELD))
  await mail.quiet(box)
  const pages = await (await PageClient.signedIn(box, member)).open('/app/notifications')
  const all = JSON.stringify([await inbox(member), client.events, mail.to(member.email), pages.text])
  for (const secret of ['Release review', '/decide?token=', site.project.name]) expect(all).not.toContain(secret)
  await addTotp(box, member)
  expect((await toldOf()).title).toContain('Release review')
})

test('a mail about a hook that was disabled tells an admin without a second factor that there is one, and not which', async () => {
  await requireFactors()
  const hook = await owner.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
    name: 'Deploy to production',
    url: 'https://deploy.example.com/hook',
    environment: 'production',
    trigger_on: 'gate_approved',
  })
  await box.sql`update deployment_hooks set enabled = false, disabled_reason = 'It failed.' where id = ${hook.id}`
  const payload = { organization_id: site.organization.id, hook_id: hook.id }
  await box.sql`select graphile_worker.add_job('mail_hook_disabled', ${box.sql.json(payload)}::json)`
  const subjects = ({ email }: Actor) => mail.to(email).map(({ subject }) => subject)
  const disabled = 'Deployment hook "Deploy to production" was disabled'
  await box.until('both were mailed', async () => subjects(owner).includes(disabled) && subjects(member).includes(WITHHELD))
  expect(JSON.stringify(mail.to(member.email))).not.toContain('Deploy to production')
})

test('an open page of a member without a second factor gets no more updates', async () => {
  const execution = await box.running(owner, site.project.id)
  const gate = await owner.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Release review' })
  const visitor = await PageClient.signedIn(box, member)
  const updates = await visitor.send('GET', `/app/live?pages=in:${site.organization.id}/${gate.workspace_id}/${gate.project_id}`)
  await requireFactors()
  expect(await updates.text()).toEndWith('event: ended\ndata: access\n\n')
})

test('the last factor of an owner stays while one is required, and only who has one can become the owner', async () => {
  const secret = await requireFactors()
  expect(refusal(await owner.delete(TOTP))).toEqual([409, 'second_factor_required'])
  const transfer = () => owner.post(`${organization}/transfer-ownership`, { new_owner_id: member.id })
  expect(refusal(await transfer())).toEqual([409, 'second_factor_required'])
  await addTotp(box, member)
  expect((await transfer()).status).toBe(200)
  expect((await owner.delete(TOTP)).status).toBe(204)
  expect(refusal(await member.delete(TOTP))).toEqual([409, 'second_factor_required'])
  expect(secret).toBeString()
})

test('requiring and removing the last factor at once leave no owner without one', async () => {
  for (let round = 0; round < 10; round++) {
    await addTotp(box, owner)
    await Promise.all([require(), owner.delete(TOTP)])
    const { body } = await owner.get('/api/v1/auth/second-factors')
    const [row] = await box.sql<[{ require_second_factor: boolean }]>`
      select require_second_factor from organizations where id = ${site.organization.id}
    `
    expect(row.require_second_factor && body.methods.length === 0).toBe(false)
    await box.sql`update organizations set require_second_factor = false where id = ${site.organization.id}`
    await box.sql`update organization_members set second_factor_required = false where organization_id = ${site.organization.id}`
    await owner.delete(TOTP)
  }
})

test('of two factors that an owner removes at once, one stays', async () => {
  for (let round = 0; round < 5; round++) {
    await registerPasskey(box, owner)
    await requireFactors()
    const [passkey] = (await owner.get('/api/v1/auth/passkeys')).body
    const answers = await Promise.all([owner.delete(TOTP), owner.delete(`/api/v1/auth/passkeys/${passkey.id}`)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409])
    expect((await owner.get('/api/v1/auth/second-factors')).body.methods).not.toEqual([])
    await require(false)
    await Promise.all([owner.delete(TOTP), owner.delete(`/api/v1/auth/passkeys/${passkey.id}`)])
  }
})

test('an owner has a member mailed a link that removes lost second factors, and the audit log says so', async () => {
  const { secret } = await addTotp(box, member)
  const reset = `${organization}/members/${member.id}/reset-second-factors`
  expect(refusal(await member.post(reset))).toEqual([403, 'forbidden'])
  expect((await owner.post(reset)).status).toBe(202)
  const [entry] = (await owner.get(`${organization}/audit-logs`)).body.items
  expect([entry.action, entry.resource_id]).toEqual(['member.second_factor_reset', member.id])
  const links = () => mail.to(member.email).flatMap(({ text }) => /\/reset-second-factors\?token=[\w-]+/.exec(text)?.[0] ?? [])
  await box.until('the link came', async () => links().length === 1)
  const [link = ''] = links()
  const visitor = new PageClient(box)
  const page = await visitor.open(link)
  // Opening the link changes nothing.
  expect((await complete(box, await ticketOf(box, member), { code: codeOf(secret) })).status).toBe(200)
  await forgetCodes(box, member)
  expect((await visitor.press(page, 'Remove my second factors', { current_password: PASSWORD })).path).toBe('/sign-in')
  expect((await login(box, member)).status).toBe(200)
  expect((await visitor.press(page, 'Remove my second factors', { current_password: PASSWORD })).status).toBe(422)
  const log = (await member.get('/api/v1/users/me/security-log')).body.items
  const actions = log.map(({ action }: { action: string }) => action)
  expect(actions).toContain('second_factor.reset_requested')
  expect(actions).toContain('second_factor.reset')
  expect(refusal(await owner.post(reset))).toEqual([409, 'invalid_transition'])
  expect(refusal(await owner.post(`${organization}/members/${owner.id}/reset-second-factors`))).toEqual([403, 'forbidden'])
  const stranger = await box.user('Stranger')
  expect(refusal(await owner.post(`${organization}/members/${stranger.id}/reset-second-factors`))).toEqual([404, 'not_found'])
})

test('the link that removes second factors is of no use once the account has another address', async () => {
  await addTotp(box, member)
  await owner.post(`${organization}/members/${member.id}/reset-second-factors`)
  const link = () => mail.to(member.email).flatMap(({ text }) => /\/reset-second-factors\?token=([\w-]+)/.exec(text)?.[1] ?? [])
  await box.until('the link came', async () => link().length === 1)
  const [token] = link()
  const fresh = `fresh.${member.email}`
  await member.put('/api/v1/users/me', { email: fresh, current_password: PASSWORD })
  const verification = { token: await mail.token(box, fresh, 'verify-email') }
  expect((await box.request('POST', '/api/v1/auth/verify-email', verification)).body.email).toBe(fresh)
  expect((await box.request('POST', '/api/v1/auth/second-factors/reset', { token, current_password: PASSWORD })).status).toBe(422)
  expect((await member.get('/api/v1/auth/second-factors')).body.methods).toContain('totp')
})

test('the page of the organization shows who lacks a second factor, and has the setting for its owner', async () => {
  const secret = (await addTotp(box, owner)).secret
  const visitor = new PageClient(box)
  const form = await visitor.post('/sign-in', { email: owner.email, password: PASSWORD })
  await visitor.press(form, 'Sign in', { code: codeOf(secret) })
  const path = `/app/organizations/${site.organization.id}/security`
  const page = await visitor.open(path)
  const rows = [...page.document.querySelectorAll('main .rows > li')].map((row) => row.textContent ?? '')
  expect(rows.map((row) => [row.includes('none'), row.includes('Member') ? 'Member' : 'Owner'])).toEqual([
    [true, 'Member'],
    [false, 'Owner'],
  ])
  const on = await visitor.press(page, 'Require a second factor')
  expect([on.status, on.text.includes('A second factor is required now.')]).toEqual([200, true])
  expect(refusal(await member.get(organization))).toEqual(MISSING)
  await visitor.press(on, 'Require it no more')
  expect((await member.get(organization)).status).toBe(200)
})
