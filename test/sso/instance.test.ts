import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { Mailbox } from '../support/mailbox.ts'
import { PageClient, type Visit } from '../support/page-client.ts'
import { codeOf, forgetCodes } from '../support/second-factors.ts'
import { type Actor, type Box, PASSWORD, signalbox } from '../support/signalbox.ts'
import { leave, Provider, pathOf, signOn, totpOf } from './provider.ts'

let box: Box
let mail: Mailbox
let provider: Provider
let client: PageClient
let count = 0

beforeAll(async () => {
  mail = await Mailbox.open()
  provider = await Provider.open()
  box = await signalbox({
    own: true,
    environment: { ...mail.environment, ...provider.environment, OIDC_CLAIMS: 'team=core,team=ops' },
  })
})
afterAll(async () => {
  await box.close()
  await provider.stop()
})
beforeEach(() => {
  client = new PageClient(box)
  provider.userinfo = null
  provider.answer = null
})

/** Claims of a person whom nobody has seen before. */
function someone(more: object = {}) {
  count += 1
  const sub = `person-${count}`
  return { sub, email: `${sub}@acme.example`, email_verified: true, name: `Person ${count}`, team: ['core'], ...more }
}

const usersWith = (email: string) => box.sql<{ id: string; name: string; password_hash: string | null }[]>`
  select id, name, password_hash from users where email = ${email} and email_verified
`
const identitiesOf = async (user_id: string) => [
  ...(await box.sql<{ subject: string }[]>`select subject from sso_identities where user_id = ${user_id} order by subject`),
]
const who = async (browser: PageClient): Promise<string> => (await browser.open('/sign-out')).text
const titleOf = ({ document }: Visit): string => document.querySelector('h1')?.textContent ?? ''

describe('Signing in with the provider of the instance', () => {
  test('begins at the sign-in page, whose link leads to a page that names the provider, and nowhere by itself', async () => {
    const page = await client.open('/sign-in?next=/app/account')
    const link = [...page.document.querySelectorAll('a')].find((each) => each.textContent?.includes('Sign in with Acme ID'))
    expect(link?.getAttribute('href')).toBe('/sign-in/sso/instance?next=%2Fapp%2Faccount')
    const start = await client.open(link?.getAttribute('href') ?? '')
    expect(start.text).toContain(new URL(provider.url).host)
    expect([...client.cookies.keys()]).toEqual([])
    const at = await leave(client, start.path)
    expect(at.origin + at.pathname).toBe(`${provider.url}/authorize`)
    expect(Object.fromEntries(at.searchParams)).toMatchObject({
      ...{
        tenant: '1',
        response_type: 'code',
        client_id: 'signalbox',
        scope: 'openid email profile',
        code_challenge_method: 'S256',
      },
      redirect_uri: expect.stringMatching(/\/sign-in\/sso\/instance\/callback$/),
      ...{ state: expect.stringMatching(/^[\w-]{43}$/), nonce: expect.stringMatching(/^[\w-]{43}$/) },
    })
    expect(at.searchParams.has('max_age')).toBe(false)
    expect((await leave(client, '/sign-in/sso/instance?fresh=1')).searchParams.get('max_age')).toBe('0')
    const claims = someone()
    const done = await client.open(pathOf(provider.signIn(at, { claims })))
    expect(done.path).toBe('/app/account')
    expect(await who(client)).toContain(claims.email)
  })

  test('leads nowhere else: `next` of another origin, and connections that do not exist', async () => {
    for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
      const done = await signOn(client, provider, { claims: someone() }, `/sign-in/sso/instance?next=${encodeURIComponent(next)}`)
      expect(done.path).toBe('/app')
      client = new PageClient(box)
    }
    for (const id of [crypto.randomUUID(), '00000000-0000-0000-0000-000000000000', 'x', '%00']) {
      expect((await client.open(`/sign-in/sso/${id}`)).status).toBe(404)
      expect((await client.open(`/sign-in/sso/${id}/callback?code=1&state=2`)).status).toBe(404)
    }
    const foreign = await client.send('POST', '/sign-in/sso/instance', '', { Origin: 'https://evil.example' })
    expect(foreign.status).toBe(403)
  })

  test('makes an account without a password, which the next sign-in finds by the subject, whatever its address is then', async () => {
    const claims = someone()
    await signOn(client, provider, { claims })
    const [user] = await usersWith(claims.email)
    expect(user).toMatchObject({ name: claims.name, password_hash: null })
    const again = new PageClient(box)
    await signOn(again, provider, { claims: { ...claims, email: 'other@acme.example', name: 'Renamed', email_verified: false } })
    expect(await who(again)).toContain(claims.email)
    expect(await usersWith('other@acme.example')).toHaveLength(0)
    const login = await box.request('POST', '/api/v1/auth/login', { email: claims.email, password: '' })
    expect(login.body.code).not.toBe('internal')
    for (const password of ['x', PASSWORD]) {
      const { status, body } = await box.request('POST', '/api/v1/auth/login', { email: claims.email, password })
      expect([status, body.code]).toEqual([401, 'invalid_credentials'])
    }
  })

  test('links the account that has proved the address, once, and mails it', async () => {
    const ada = await box.user('Ada')
    const claims = someone({ email: ada.email.toUpperCase() })
    await signOn(client, provider, { claims })
    expect(await who(client)).toContain(ada.email)
    expect(await identitiesOf(ada.id)).toEqual([{ subject: claims.sub }])
    const notice = await mail.newest(box, ada.email, 'Your account was changed')
    expect(notice.text).toContain('An account at Acme ID')
    const other = await signOn(new PageClient(box), provider, { claims: { ...claims, sub: 'somebody else' } })
    expect([other.status, titleOf(other)]).toEqual([409, 'Another account is linked'])
    expect(await identitiesOf(ada.id)).toHaveLength(1)
    const { body } = await ada.get('/api/v1/users/me/identities')
    expect(body).toEqual([
      {
        ...{ id: expect.any(String), provider: 'oidc', team_id: null, external_id: claims.sub, issuer: provider.url },
        ...{ organization_id: null, created_at: expect.any(String) },
      },
    ])
  })

  test('links no account by an address that the provider does not call verified', async () => {
    const ada = await box.user('Ada')
    for (const email_verified of [undefined, false, 'true', 1, null, ['true']]) {
      const page = await signOn(new PageClient(box), provider, { claims: someone({ email: ada.email, email_verified }) })
      expect([page.status, titleOf(page)]).toEqual([403, 'Your address is not verified'])
    }
    for (const email of [undefined, null, 7, '', 'ada', 'ada@', `${ada.email}\0`, [ada.email], 'x@unproven.invalid']) {
      expect((await signOn(new PageClient(box), provider, { claims: someone({ email }) })).status).toBe(403)
    }
    expect(await identitiesOf(ada.id)).toEqual([])
  })

  test('does not take look-alikes for one address', async () => {
    const kim = await box.user('Kim')
    // In NFC, the Kelvin sign is the letter K: the same mailbox. A dotless i is another letter than i.
    expect(
      (await signOn(new PageClient(box), provider, { claims: someone({ email: kim.email.replace('i', '\u0131') }) })).status,
    ).toBe(200)
    expect(await identitiesOf(kim.id)).toEqual([])
    expect((await signOn(client, provider, { claims: someone({ email: kim.email.replace('k', '\u212a') }) })).status).toBe(200)
    expect(await identitiesOf(kim.id)).toHaveLength(1)
  })

  test('replaces an account that never proved the address, whose sessions and password end', async () => {
    const mallory = await box.register('Mallory')
    const session = await box.request('GET', '/api/v1/users/me', undefined, { Authorization: `Bearer ${mallory.token}` })
    expect(session.status).toBe(200)
    await signOn(client, provider, { claims: someone({ email: mallory.email }) })
    const [owner] = await usersWith(mallory.email)
    expect(owner?.id).not.toBe(mallory.id)
    expect((await mallory.get('/api/v1/users/me')).status).toBe(401)
    expect(await box.sql`select from sso_identities where user_id = ${mallory.id}`).toHaveLength(0)
    expect((await box.request('POST', '/api/v1/auth/login', { email: mallory.email, password: PASSWORD })).status).toBe(401)
  })

  test('needs the claims of the settings each time; one element of a list is enough', async () => {
    const claims = someone({ team: 'ops' })
    expect((await signOn(client, provider, { claims })).status).toBe(200)
    for (const team of ['sales', ['sales'], undefined, { core: true }, ['CORE'], [['core']], 'core,ops']) {
      const page = await signOn(new PageClient(box), provider, { claims: { ...claims, team } })
      expect([page.status, titleOf(page)]).toEqual([403, 'You are not allowed to sign in'])
    }
    expect((await signOn(new PageClient(box), provider, { claims: { ...claims, team: ['x', 'core'] } })).status).toBe(200)
  })

  test('asks for the second factor, as after a password; the ticket opens no session of the API', async () => {
    const claims = someone()
    await signOn(client, provider, { claims })
    const [user] = await usersWith(claims.email)
    const ada = { email: claims.email, id: user?.id ?? '' } as Actor
    const secret = await totpOf(client)
    const browser = new PageClient(box)
    const step = await signOn(browser, provider, { claims }, '/sign-in/sso/instance?next=/app/account')
    expect(titleOf(step)).toBe('Second factor')
    expect((await browser.open('/app')).path).toStartWith('/sign-in')
    const ticket = step.document.querySelector('input[name=ticket]')?.getAttribute('value') ?? ''
    await forgetCodes(box, ada)
    const code = codeOf(secret)
    const api = await box.request('POST', '/api/v1/auth/login/second-factor', { ticket, code })
    expect([api.status, api.body.code]).toEqual([401, 'invalid_ticket'])
    await forgetCodes(box, ada)
    const done = await browser.press(step, 'Sign in', { code: codeOf(secret) })
    expect(done.path).toBe('/app/account')
    expect(await who(browser)).toContain(claims.email)
    const [session] = await box.sql<{ opened_by: string; ends: boolean }[]>`
      select opened_by, expires_at between now() + interval '11 hours' and now() + interval '13 hours' as ends
      from sessions where user_id = ${ada.id} order by created_at desc limit 1
    `
    expect({ ...session }).toEqual({ opened_by: '00000000-0000-0000-0000-000000000000', ends: true })
  })

  test('ends the session when the sign-on has lasted for its hours, and signing on again renews it', async () => {
    const claims = someone()
    await signOn(client, provider, { claims })
    const age = () => box.sql`
      update sessions
      set expires_at = expires_at - interval '11 hours'
      where user_id = (select id from users where email = ${claims.email})
    `
    await age()
    expect((await signOn(client, provider, { claims })).path).toBe('/app')
    await age()
    expect(await who(client)).toContain(claims.email)
    await age()
    await age()
    expect((await client.open('/app')).path).toStartWith('/sign-in')
  })

  test('in the session of another account is refused, and changes nothing', async () => {
    const ada = await box.user('Ada')
    const claims = someone()
    await signOn(new PageClient(box), provider, { claims })
    const grace = await box.user('Grace')
    const browser = await PageClient.signedIn(box, ada)
    for (const answer of [claims, someone({ email: grace.email })]) {
      const page = await signOn(browser, provider, { claims: answer })
      expect([page.status, titleOf(page)]).toEqual([409, 'Another account is linked'])
    }
    expect(await who(browser)).toContain(ada.email)
    expect(await identitiesOf(ada.id)).toEqual([])
    expect(
      await box.sql`select from sso_proofs join sessions on sessions.id = session_id where user_id = ${ada.id}`,
    ).toHaveLength(0)
  })

  test('of an unknown person, in the session of an account, connects both on a page, with a proof, for that session alone', async () => {
    const ada = await box.user('Ada')
    const claims = someone()
    const browser = await PageClient.signedIn(box, ada)
    const page = await signOn(browser, provider, { claims }, '/sign-in/sso/instance?next=/app/account')
    expect([page.path, titleOf(page)]).toEqual(['/sign-in/sso/instance/connect', 'Connect your account'])
    for (const text of ['Acme ID', new URL(provider.url).host, claims.email, ada.email]) expect(page.text).toContain(text)
    expect(await usersWith(claims.email)).toHaveLength(0)
    expect(await identitiesOf(ada.id)).toEqual([])
    const other = await PageClient.signedIn(box, ada)
    expect((await other.open(page.path)).status).toBe(410)
    expect((await other.post(page.path)).status).toBe(410)
    await box.sql`update sessions set created_at = created_at - interval '11 minutes' where user_id = ${ada.id}`
    expect((await browser.post(page.path)).status).toBe(403)
    expect((await browser.post(page.path, { current_password: 'wrong' })).status).toBe(422)
    const done = await browser.press(await browser.open(page.path), 'Connect', { current_password: PASSWORD })
    expect(done.path).toBe('/app/account')
    expect(await identitiesOf(ada.id)).toEqual([{ subject: claims.sub }])
    expect((await mail.newest(box, ada.email, 'Your account was changed')).text).toContain('An account at Acme ID')
    expect((await browser.post(page.path)).status).toBe(410)
    await signOn(client, provider, { claims })
    expect(await who(client)).toContain(ada.email)
    // Meanwhile the address has become that of another account.
    const [late, mia] = [someone(), await box.user('Mia')]
    const second = await PageClient.signedIn(box, mia)
    const waiting = await signOn(second, provider, { claims: late })
    await signOn(new PageClient(box), provider, { claims: late })
    expect((await second.press(waiting, 'Connect')).status).toBe(409)
    expect(await identitiesOf(mia.id)).toEqual([])
  })

  test('connects no account that has not proved its address: the next owner of the address would get it with the link', async () => {
    const mallory = await box.register('Mallory')
    const browser = await PageClient.signedIn(box, mallory)
    const page = await signOn(browser, provider, { claims: someone() })
    const refused = await browser.press(page, 'Connect')
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('Verify the address of your account first')])
    expect(await identitiesOf(mallory.id)).toEqual([])
  })

  test('does not answer in another session than that in which it was started', async () => {
    const [ada, grace] = [await box.user('Ada'), await box.user('Grace')]
    const browser = await PageClient.signedIn(box, ada)
    const at = await leave(browser)
    await browser.press(await browser.open('/sign-out'), 'Sign out')
    await browser.post('/sign-in', { email: grace.email, password: PASSWORD })
    const page = await browser.open(pathOf(provider.signIn(at, { claims: someone({ email: grace.email }) })))
    expect(page.status).toBe(409)
    expect(await identitiesOf(grace.id)).toEqual([])
  })

  test('signing out ends the session here alone, and does not lead back to the provider', async () => {
    const claims = someone()
    await signOn(client, provider, { claims })
    const asked = provider.asked.length
    const page = await client.press(await client.open('/sign-out'), 'Sign out')
    expect(page.path).toBe('/sign-in')
    expect(provider.asked.length).toBe(asked)
  })
})
