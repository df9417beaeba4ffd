import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import { sendRaw } from '../support/raw.ts'
import { type Actor, type Box, PASSWORD, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
})
afterAll(() => box.close())

const signIn = async (path = '/sign-in') => {
  const visitor = new PageClient(box)
  const done = await visitor.signIn(await visitor.open(path), ada)
  return { visitor, done }
}

describe('Signing in', () => {
  test('leads to what needs the person, with a cookie that scripts cannot read', async () => {
    const visitor = new PageClient(box)
    expect((await visitor.open('/')).path).toBe('/sign-in')
    const body = new URLSearchParams({ email: ada.email, password: PASSWORD }).toString()
    const response = await visitor.send('POST', '/sign-in', body)
    expect([response.status, response.headers.get('location')]).toEqual([303, '/app'])
    const [cookie = ''] = response.headers.getSetCookie()
    expect(cookie).toMatch(/^signalbox=sbx_sc_[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/)
    const page = await visitor.open('/')
    expect([page.status, page.path]).toEqual([200, '/app'])
    expect(page.html).toContain('Ada')
  })

  test('stores only the hash of the cookie', async () => {
    const { visitor } = await signIn()
    const cookie = visitor.cookies.get('signalbox') ?? ''
    const rows = await box.sql<{ hash: Uint8Array }[]>`select hash from session_cookies`
    const hash = new Bun.CryptoHasher('sha256').update(cookie).digest()
    expect(rows.some((row) => Buffer.from(row.hash).equals(hash))).toBe(true)
    expect(JSON.stringify(await box.sql`select hash::text, sessions.* from session_cookies, sessions`)).not.toContain(cookie)
  })

  test('is recorded in the security log, and failures are too', async () => {
    await signIn()
    const visitor = new PageClient(box)
    const wrong = await visitor.signIn(await visitor.open('/sign-in'), { email: ada.email, password: 'wrong' })
    expect(wrong.status).toBe(401)
    expect(wrong.text).toContain('The e-mail address or the password is wrong.')
    expect(wrong.document.querySelector('#email')?.getAttribute('value')).toBe(ada.email)
    expect(wrong.html).not.toContain('wrong"')
    const { body } = await ada.get('/api/v1/users/me/security-log')
    expect(body.items.slice(0, 2).map(({ action }: { action: string }) => action)).toEqual([
      'sign_in.failed',
      'sign_in.succeeded',
    ])
  })

  test('says next to the address that another account has it', async () => {
    const { email } = await box.user('Taken')
    const fields = { email, name: 'Second', password: PASSWORD }
    const visitor = new PageClient(box)
    const page = await visitor.press(await visitor.open('/register'), 'Create', fields)
    expect(page.status).toBe(409)
    expect(page.document.querySelector('#email')?.getAttribute('aria-describedby')).toContain('email-error')
    expect(page.document.querySelector('#email-error')?.textContent).toContain('is the address of an account; sign in')
    const { body } = await box.request('POST', '/api/v1/auth/register', fields)
    expect(body).toMatchObject({ code: 'email_taken', errors: [{ pointer: '/email', code: 'email_taken' }] })
  })

  test('shows what is wrong with a field next to it', async () => {
    const visitor = new PageClient(box)
    const page = await visitor.press(await visitor.open('/register'), 'Create', { email: 'no address', password: 'short' })
    expect(page.status).toBe(422)
    for (const [field, message] of [
      ['email', 'must be a valid e-mail address'],
      ['password', 'must not have fewer than 12 characters'],
      ['name', 'is required'],
    ] as const) {
      const input = page.document.querySelector(`#${field}`)
      expect(input?.getAttribute('aria-describedby')).toContain(`${field}-error`)
      expect(page.document.querySelector(`#${field}-error`)?.textContent).toContain(message)
    }
    expect(page.document.querySelector('#email')?.getAttribute('value')).toBe('no address')
    expect(page.html).not.toContain('"short"')
  })

  test('leads back to where the person wanted to go', async () => {
    const visitor = new PageClient(box)
    const page = await visitor.open('/app/notifications?page=1')
    expect(page.path).toBe('/sign-in?next=%2Fapp%2Fnotifications%3Fpage%3D1')
    const done = await visitor.signIn(page, ada)
    expect([done.status, done.path]).toEqual([200, '/app/notifications?page=1'])
  })

  test('leads to a path with any characters, percent-encoded', async () => {
    const known = (await signIn()).visitor
    for (const [next, location] of [
      ['/app/北京', '/app/%E5%8C%97%E4%BA%AC'],
      ['/app/a\u00a0b\u3000c', '/app/a%C2%A0b%E3%80%80c'],
      ['/。。/app', '/%E3%80%82%E3%80%82/app'],
      ['/．．/app', '/%EF%BC%8E%EF%BC%8E/app'],
      ['/app?q=北京#é', '/app?q=%E5%8C%97%E4%BA%AC#%C3%A9'],
      ['/app\ud800', '/app%EF%BF%BD'],
      ['/app%20a', '/app%20a'],
    ] as const) {
      const path = `/sign-in?next=${encodeURIComponent(next.toWellFormed())}`
      const fields = new URLSearchParams({ email: ada.email, password: PASSWORD }).toString()
      for (const response of [await new PageClient(box).send('POST', path, fields), await known.send('GET', path)]) {
        expect([next, response.status, response.headers.get('location')]).toEqual([next, 303, location])
      }
    }
    // Unencoded, as no browser sends it.
    const { status, text } = await sendRaw(Number(new URL(box.base).port), 'GET /app?q=北京 HTTP/1.1\r\nHost: localhost\r\n\r\n')
    expect([status, /^location: (.*)\r$/im.exec(text)?.[1]]).toEqual([
      303,
      '/sign-in?next=%2Fapp%3Fq%3D%25E5%258C%2597%25E4%25BA%25AC',
    ])
  })

  test('never leads to another origin', async () => {
    for (const next of [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example/',
      '\\\\evil.example',
      '/\t/evil.example',
      '/\n/evil.example',
      '/%0a\\evil.example',
      'javascript:alert(1)',
      'app',
      ' //evil.example',
      '/app\r\nSet-Cookie: a=b',
      '/.//evil.example/',
      '/app/..//evil.example/',
      '/%2e//evil.example/',
      '',
    ]) {
      const { done } = await signIn(`/sign-in?next=${encodeURIComponent(next)}`)
      expect([next, done.status, done.path]).toEqual([next, 200, '/app'])
    }
  })
})

describe('A session of the app', () => {
  test('is listed with the others, and ends with the same operations', async () => {
    const { visitor } = await signIn()
    const sessions = (await ada.get('/api/v1/auth/sessions')).body
    const [newest] = sessions
    expect(newest.current).toBe(false)
    expect((await ada.delete(`/api/v1/auth/sessions/${newest.id}`)).status).toBe(204)
    expect((await visitor.open('/app')).path).toBe('/sign-in?next=%2Fapp')
  })

  test('ends by signing out, which is a POST', async () => {
    const { visitor } = await signIn()
    const page = await visitor.open('/sign-out')
    expect((await visitor.open('/app')).status).toBe(200)
    const copy = new PageClient(box)
    for (const [name, value] of visitor.cookies) copy.cookies.set(name, value)
    const done = await visitor.press(page, 'Sign out')
    expect([done.path, visitor.cookies.has('signalbox')]).toEqual(['/sign-in', false])
    expect(done.text).toContain('You have signed out.')
    expect((await copy.open('/app')).path).toBe('/sign-in?next=%2Fapp')
    // The notice is shown once.
    expect((await visitor.open('/sign-in')).text).not.toContain('You have signed out.')
  })

  test('expires 30 days after its last use', async () => {
    const { visitor } = await signIn()
    const age = (days: number) => box.sql`
      update sessions set last_used_at = now() - ${days} * interval '1 day'
      where id in (select session_id from session_cookies)
    `
    await age(29.9)
    expect((await visitor.open('/app')).path).toBe('/app')
    expect((await visitor.send('GET', '/app')).headers.getSetCookie().join()).toContain('Max-Age=2592000')
    await age(30.1)
    expect((await visitor.open('/app')).path).toBe('/sign-in?next=%2Fapp')
    const listed = (await ada.get('/api/v1/auth/sessions')).body
    const [{ id }] = await box.sql<
      [{ id: string }]
    >`select session_id as id from session_cookies order by session_id desc limit 1`
    expect(listed.map((session: { id: string }) => session.id)).not.toContain(id)
  })

  test('is only for pages, and tokens are only for the API', async () => {
    const { visitor } = await signIn()
    expect((await visitor.send('GET', '/api/v1/users/me')).status).toBe(401)
    const withToken = await new PageClient(box).send('GET', '/app', undefined, { Authorization: `Bearer ${ada.token}` })
    expect([withToken.status, withToken.headers.get('location')]).toEqual([303, '/sign-in?next=%2Fapp'])
  })
})
