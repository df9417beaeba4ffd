/** Forms that are sent without a session: what was typed goes through signing in, and is shown again without being carried out. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { isSecret } from '../../api/pages/forms.ts'
import { PageClient, type Visit } from '../support/page-client.ts'
import { type Actor, type Box, PASSWORD, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(() => box.close())

const valueIn = ({ document }: Visit, name: string) => document.querySelector(`[name="${name}"]`)?.getAttribute('value')
const textIn = ({ document }: Visit, name: string) => document.querySelector(`[name="${name}"]`)?.textContent
const credentials = ({ email }: Actor, password = PASSWORD) => ({ email, password })
const newRequirement = () => `/app/projects/${site.project.id}/requirements/new`

/** A browser with a page whose session has ended since. */
async function endedOn(path: string, person = ada): Promise<{ visitor: PageClient; page: Visit }> {
  const visitor = await PageClient.signedIn(box, person)
  const page = await visitor.open(path)
  await box.sql`
    update sessions
    set ended_at = now()
    where user_id = ${person.id}
      and id in (select session_id from session_cookies)
  `
  return { visitor, page }
}

async function titles(): Promise<string[]> {
  const { body } = await ada.get(`/api/v1/projects/${site.project.id}/requirements`)
  return body.items.map(({ title }: { title: string }) => title)
}

describe('A form that is sent after the session has ended', () => {
  test('comes back after signing in, is not carried out by that, and can be sent then', async () => {
    const { visitor, page } = await endedOn(newRequirement())
    const typed = { title: 'Typed <before> & "kept"', description: 'Two\nlines', acceptance_criteria: ['One', 'Two'] }
    const entrance = await visitor.press(page, 'Create the requirement', typed)
    expect([entrance.status, entrance.document.querySelector('h1')?.textContent]).toEqual([401, 'Sign in'])
    expect(entrance.text).toContain('Your session has ended, and nothing was changed.')
    const wrong = await visitor.signIn(entrance, credentials(ada, 'wrong'))
    expect(wrong.status).toBe(401)
    const between = await visitor.press(wrong, 'Sign in', credentials(ada))
    expect([between.status, between.document.querySelector('h1')?.textContent]).toEqual([200, 'You are signed in'])
    const shown = await visitor.press(between, 'Go on')
    expect([shown.status, valueIn(shown, 'title'), textIn(shown, 'description')]).toEqual([200, typed.title, 'Two\nlines'])
    expect(shown.text).toContain('Nothing was changed yet')
    expect(await titles()).toEqual([])
    const created = await visitor.press(shown, 'Create the requirement')
    expect(created.path).toStartWith('/app/requirements/')
    expect(await titles()).toEqual([typed.title])
  })

  test('goes with each form for signing in', async () => {
    const { visitor, page } = await endedOn(newRequirement())
    const entrance = await visitor.press(page, 'Create the requirement', { title: 'Second' })
    expect([...entrance.document.querySelectorAll('form')].map((form) => form.querySelector('[name=kept]') !== null)).toEqual([
      true,
      true,
    ])
  })

  test('says so when another account signs in, and acts for nobody', async () => {
    const { visitor, page } = await endedOn(newRequirement())
    const grace = await box.user('Grace')
    const entrance = await visitor.press(page, 'Create the requirement', { title: 'By Ada' })
    const between = await visitor.signIn(entrance, grace)
    const shown = await visitor.press(between, 'Go on')
    expect([shown.status, shown.text]).toEqual([409, expect.stringContaining('You are signed in as Grace')])
    expect(await titles()).not.toContain('By Ada')
  })

  test('is about the version that it was made from', async () => {
    const { visitor, page } = await endedOn(`/app/projects/${site.project.id}/settings`)
    const entrance = await visitor.press(page, 'Save', { name: 'Mine' })
    await ada.put(`/api/v1/projects/${site.project.id}`, { description: 'By another' })
    const shown = await visitor.press(await visitor.signIn(entrance, ada), 'Go on')
    expect(valueIn(shown, 'name')).toBe('Mine')
    const refused = await visitor.press(shown, 'Save')
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Stored now: By another')])
  })

  test('loses its passwords and secrets', async () => {
    const path = `/app/projects/${site.project.id}/deployment-hooks/new`
    const fields = { name: 'Deploy', url: 'https://ci.example.com/', secret: 'hidden-1', headers: 'X-Key: hidden-2' }
    const entrance = await new PageClient(box).post(path, fields)
    expect(entrance.html).toContain('ci.example.com')
    expect(entrance.html).not.toContain('hidden-')
    expect(entrance.text).toContain('You are not signed in')
  })

  test('that is empty, or very long, leads to signing in as before', async () => {
    for (const title of ['', 'x'.repeat(70_000)]) {
      const sent = await new PageClient(box).send('POST', newRequirement(), new URLSearchParams({ title }).toString())
      expect([sent.status, sent.headers.get('location')]).toEqual([303, `/sign-in?next=${encodeURIComponent(newRequirement())}`])
    }
  })
})

describe('What claims to be a kept form', () => {
  test('and is none is left out', async () => {
    for (const kept of [
      '',
      '{',
      '[]',
      'null',
      '{"action":"/app/account","fields":[["a"]]}',
      '{"action":1,"fields":[]}',
      '['.repeat(9_999),
    ]) {
      const sent = await new PageClient(box).post('/sign-in', { ...credentials(ada), kept })
      expect([kept.slice(0, 9), sent.status, sent.path]).toEqual([kept.slice(0, 9), 200, '/app'])
    }
  })

  test('leads only to forms of this service', async () => {
    for (const action of ['https://evil.example/', '//evil.example/', '/\\evil.example', '/api/v1/organizations', 'app', '']) {
      const kept = JSON.stringify({ action, fields: [['title', 'x']] })
      const sent = await new PageClient(box).post('/sign-in', { ...credentials(ada), kept })
      expect([action, sent.status, sent.path]).toEqual([action, 200, '/app'])
    }
  })

  test('from another origin signs nobody in', async () => {
    const body = new URLSearchParams({ ...credentials(ada), kept: '{"action":"/app","fields":[]}' }).toString()
    const sent = await new PageClient(box).send('POST', '/sign-in', body, { Origin: 'https://evil.example' })
    expect([sent.status, sent.headers.getSetCookie()]).toEqual([403, []])
  })

  test('is shown only to those who may see its page', async () => {
    const kept = JSON.stringify({ action: `/app/projects/${site.project.id}/settings/delete`, fields: [['confirm_name', 'x']] })
    const stranger = await box.user('Stranger')
    const visitor = new PageClient(box)
    const between = await visitor.post('/sign-in', { ...credentials(stranger), kept })
    expect((await visitor.press(between, 'Go on')).status).toBe(404)
    expect((await ada.get(`/api/v1/projects/${site.project.id}`)).status).toBe(200)
  })
})

test('every password field of a page is a secret', async () => {
  const names: string[] = []
  for await (const path of new Bun.Glob('api/**/*.tsx').scan(join(import.meta.dir, '../..'))) {
    const text = await Bun.file(join(import.meta.dir, '../..', path)).text()
    for (const [field] of text.matchAll(/<Field\b(?:[^>]|=>)*?type="password"/g))
      names.push(/name="([^"]+)"/.exec(field)?.[1] ?? field)
  }
  expect(names.length).toBeGreaterThan(5)
  expect(names.filter((name) => !isSecret(name))).toEqual([])
})
