import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PageClient, type Visit } from '../support/page-client.ts'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'

const MARKUP = '<u>Ada</u>'

let box: Box
let ada: Actor
let visitor: PageClient

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  visitor = await PageClient.signedIn(box, ada)
})
afterAll(() => box.close())

const preferencesNow = async () => (await ada.get('/api/v1/notifications/preferences')).body
const checked = ({ document }: Visit, name: string) =>
  [...document.querySelectorAll(`input[type="checkbox"][name="${name}"][checked]`)].map((box) => box.getAttribute('value'))

describe('The profile', () => {
  test('is saved, and shown as text', async () => {
    const page = await visitor.press(await visitor.open('/app/account'), 'Save', { name: MARKUP })
    expect(page.text).toContain('Your profile was saved.')
    expect(page.document.querySelector('#name')?.getAttribute('value')).toBe(MARKUP)
    expect(page.document.querySelector('body u')).toBeNull()
    expect((await ada.get('/api/v1/users/me')).body.name).toBe(MARKUP)
    for (const text of [ada.email, 'verified']) expect(page.text).toContain(text)
  })

  test('needs a name: 422, with the value and the message', async () => {
    for (const [name, message] of [
      ['  ', 'must not have fewer than 1 characters'],
      ['', 'is required'],
      ['x'.repeat(121), 'must not have more than 120 characters'],
    ] as const) {
      const page = await visitor.press(await visitor.open('/app/account'), 'Save', { name })
      expect([page.status, page.document.querySelector('#name')?.getAttribute('value')]).toEqual([422, name])
      expect(page.document.querySelector('#name-error')?.textContent).toContain(message)
    }
    expect((await ada.get('/api/v1/users/me')).body.name).toBe(MARKUP)
  })

  test('changes no password without the current one', async () => {
    const page = await visitor.post('/app/account', { password: 'another password 1' })
    expect(page.status).toBe(422)
    expect((await PageClient.signedIn(box, ada)).cookies.size).toBe(1)
  })
})

describe('Sessions', () => {
  test('are listed, and all but the present one can be ended', async () => {
    const other = await PageClient.signedIn(box, ada)
    const page = await visitor.open('/app/account')
    expect(page.text).toContain('this session')
    const sessions = (await ada.get('/api/v1/auth/sessions')).body
    expect(page.document.querySelectorAll('ul[aria-label="Sessions"] > li')).toHaveLength(sessions.length)
    const done = await visitor.post(`/app/account/sessions/${sessions[0].id}/end`)
    expect([done.path, done.text.includes('The session was ended.')]).toEqual(['/app/account', true])
    expect((await other.open('/app')).path).toBe('/sign-in?next=%2Fapp')
    expect((await visitor.press(await visitor.open('/app/account'), 'End')).status).toBe(200)
  })

  test('of other people cannot be ended', async () => {
    const stranger = await box.user('Stranger')
    const [{ id }] = (await stranger.get('/api/v1/auth/sessions')).body
    expect((await visitor.post(`/app/account/sessions/${id}/end`)).status).toBe(404)
    expect((await stranger.get('/api/v1/users/me')).status).toBe(200)
  })
})

describe('Linked identities', () => {
  test('are listed and unlinked by their owner alone', async () => {
    expect((await visitor.open('/app/account')).text).toContain('No account is linked.')
    const stranger = await box.user('Linked')
    const rows = await box.sql<{ id: string }[]>`
      insert into user_identities (user_id, provider, team_id, external_id)
      values (${ada.id}, 'slack', 'T0123456789', 'U0000000001'), (${stranger.id}, 'slack', 'T0123456789', 'U0000000002')
      returning id
    `
    const page = await visitor.open('/app/account')
    for (const text of ['Slack U0000000001', 'T0123456789']) expect(page.text).toContain(text)
    expect(page.text).not.toContain('U0000000002')
    expect((await visitor.post(`/app/account/identities/${rows[1]?.id}/unlink`)).status).toBe(404)
    const done = await visitor.press(page, 'Unlink')
    expect([done.path, done.text.includes('The account was unlinked.')]).toEqual(['/app/account', true])
    const left = await box.sql`select user_id from user_identities`
    expect(left.map(({ user_id }) => user_id)).toEqual([stranger.id])
  })
})

describe('Personal tokens', () => {
  test('are made once, however often the form is sent', async () => {
    const page = await visitor.open('/app/account/tokens')
    const named = async () => (await ada.get('/api/v1/auth/tokens')).body.filter(({ name }: { name: string }) => name === 'Once')
    const both = await Promise.all([1, 2].map(() => visitor.press(page, 'Make a token', { name: 'Once' })))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
    expect(both.find(({ status }) => status === 422)?.text).toContain('This form has made a token already')
    expect(await named()).toHaveLength(1)
    await box.sql`delete from personal_tokens where name = 'Once'`
  })

  test('are made with a page that shows them once, work, and are revoked', async () => {
    const organization = await ada.make('/api/v1/organizations', { name: MARKUP })
    const form = await visitor.open('/app/account/tokens')
    expect(form.text).toContain('No tokens yet.')
    const made = await visitor.press(form, 'Make a token', { name: MARKUP, scope: 'write', organization_id: organization.id })
    expect([made.status, made.path]).toEqual([200, '/app/account/tokens'])
    expect(made.headers.get('cache-control')).toBe('no-store')
    const token = made.document.querySelector('main code')?.textContent ?? ''
    expect(token).toMatch(/^sbx_pat_/)
    expect(made.document.querySelector('main u')).toBeNull()
    expect((await ada.as(token).get(`/api/v1/organizations/${organization.id}`)).status).toBe(200)
    const list = await visitor.open('/app/account/tokens')
    expect(list.html).not.toContain(token)
    for (const text of [MARKUP, 'reading and writing', 'valid']) expect(list.text).toContain(text)
    const [{ expires_at }] = (await ada.get('/api/v1/auth/tokens')).body
    expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(88 * 86_400_000)
    const done = await visitor.press(list, 'Revoke')
    expect(done.text).toContain('The token was revoked.')
    expect((await ada.as(token).get(`/api/v1/organizations/${organization.id}`)).status).toBe(401)
  })

  test('are made to decide gates if that is chosen, which the form explains', async () => {
    const form = await visitor.open('/app/account/tokens')
    expect(form.text).toContain('A token that decides gates approves and rejects in your name')
    await visitor.press(form, 'Make a token', { name: 'Decides', scope: 'decide' })
    expect((await ada.get('/api/v1/auth/tokens')).body[0]).toMatchObject({ name: 'Decides', scope: 'decide' })
    const list = await visitor.open('/app/account/tokens')
    expect(list.text).toContain('reading, writing and deciding gates')
    await visitor.press(list, 'Revoke')
  })

  test('need a name and a valid organization: 422, with the values', async () => {
    const form = await visitor.open('/app/account/tokens')
    const unnamed = await visitor.press(form, 'Make a token', { name: '', scope: 'write', expires_at: '' })
    expect([unnamed.status, unnamed.document.querySelector('#name-error')?.textContent]).toEqual([422, 'Name is required.'])
    expect(unnamed.document.querySelector('#scope option[selected]')?.getAttribute('value')).toBe('write')
    expect(unnamed.document.querySelector('#expires_at option[selected]')?.getAttribute('value')).toBe('')
    const theirs = await (await box.user('Other')).make('/api/v1/organizations', { name: 'Theirs' })
    const foreign = await visitor.press(form, 'Make a token', { name: 'Mine', organization_id: theirs.id })
    expect([foreign.status, foreign.document.querySelector('#name')?.getAttribute('value')]).toEqual([422, 'Mine'])
    expect(foreign.document.querySelector('#organization_id-error')?.textContent).toContain('is not an organization')
    expect((await ada.get('/api/v1/auth/tokens')).body).toEqual([])
  })

  test('are limited in number: 409', async () => {
    await box.sql`
      insert into personal_tokens (user_id, name, scope, hash)
      select ${ada.id}, 'Token ' || n, 'read', sha256(n::text::bytea)
      from generate_series(1, 100) as n
    `
    const page = await visitor.press(await visitor.open('/app/account/tokens'), 'Make a token', { name: 'One too many' })
    expect([page.status, page.text.includes('You can have at most 100 personal tokens.')]).toEqual([409, true])
    expect(page.document.querySelectorAll('main .rows > li')).toHaveLength(25)
    const next = page.document.querySelector('a[rel="next"]')?.getAttribute('href') ?? ''
    expect(next).toStartWith('/app/account/tokens?after=')
    expect((await visitor.open(next)).document.querySelectorAll('main .rows > li')).toHaveLength(25)
  })

  test('of other people cannot be revoked', async () => {
    const stranger = await box.user('Stranger')
    const { id } = await stranger.make('/api/v1/auth/tokens', { name: 'Theirs' })
    expect((await visitor.post(`/app/account/tokens/${id}/revoke`)).status).toBe(404)
    expect((await stranger.get('/api/v1/auth/tokens')).body).toHaveLength(1)
  })
})

describe('Notification preferences', () => {
  test('are shown and saved, also with nothing checked', async () => {
    const page = await visitor.open('/app/account/notifications')
    expect(checked(page, 'types')).toHaveLength((await preferencesNow()).types.length)
    expect([checked(page, 'email_enabled'), checked(page, 'desktop_enabled')]).toEqual([['true'], []])
    const saved = await visitor.press(page, 'Save', { types: ['', 'gate_pending', 'budget_alert'], email_types: '' })
    expect(saved.text).toContain('Your preferences were saved.')
    expect(await preferencesNow()).toMatchObject({
      types: ['gate_pending', 'budget_alert'],
      email_types: [],
      email_enabled: true,
      desktop_enabled: false,
    })
    expect([checked(saved, 'types'), checked(saved, 'email_types')]).toEqual([['gate_pending', 'budget_alert'], []])
    await visitor.press(saved, 'Save', { email_enabled: 'false', desktop_enabled: ['false', 'true'] })
    expect(await preferencesNow()).toMatchObject({
      types: ['gate_pending', 'budget_alert'],
      email_enabled: false,
      desktop_enabled: true,
    })
  })

  test('take only types that exist: 422', async () => {
    const page = await visitor.post('/app/account/notifications', { types: 'nonsense' })
    expect(page.status).toBe(422)
    expect((await preferencesNow()).types).toEqual(['gate_pending', 'budget_alert'])
  })
})

test('The pages of the account lead strangers to signing in', async () => {
  for (const path of ['/app/account', '/app/account/tokens', '/app/account/notifications']) {
    const page = await new PageClient(box).open(path)
    expect(page.path).toBe(`/sign-in?next=${encodeURIComponent(path)}`)
  }
})
