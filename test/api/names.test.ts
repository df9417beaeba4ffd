/** Names that look like others, or change how the text around them is read. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
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

const HIDDEN = {
  'a right-to-left override': 'Ada\u202eevil',
  'an isolate': 'Ada\u2066evil',
  'a zero-width space': 'A\u200bda',
  'a word joiner': 'A\u2060da',
  'a soft hyphen': 'A\u00adda',
  'a byte order mark': '\ufeffA\ufeffda',
  'a joiner that joins nothing': 'A\u200dda',
  'a joiner at the end': 'Ada\u200d',
  'a Hangul filler': 'Ada\u3164',
  'a tag': 'Ada\u{e0041}',
  'a variation selector': 'Ada\ufe0f',
  'a mark on nothing': '\u0301',
  'a mark on what stands before it': '\u0338Ada',
  'a line break': 'Ada\nevil',
  'an escape': 'Ada\u001b[31m',
}

describe.each(Object.entries(HIDDEN))('%s', (_, name) => {
  test('is refused in the names of people and of what they make', async () => {
    const email = `someone.${crypto.randomUUID()}@example.com`
    const hook = { name: 'Deploy', url: 'http://127.0.0.1:9/', trigger_on: 'gate_approved' }
    const requirement = await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Pay' })
    const answers = await Promise.all([
      box.request('POST', '/api/v1/auth/register', { email, name, password: PASSWORD }),
      ada.put('/api/v1/users/me', { name }),
      ada.post('/api/v1/organizations', { name }),
      ada.post(`/api/v1/organizations/${site.organization.id}/workspaces`, { name }),
      ada.post(`/api/v1/organizations/${site.organization.id}/runtimes`, { name, hostname: 'farm-1', agents: ['a'] }),
      ada.post(`/api/v1/workspaces/${site.workspace.id}/projects`, { name }),
      ada.post(`/api/v1/projects/${site.project.id}/requirements`, { title: name }),
      ada.post(`/api/v1/projects/${site.project.id}/deployment-hooks`, { ...hook, name }),
      ada.post(`/api/v1/projects/${site.project.id}/deployment-hooks`, { ...hook, environment: name }),
      ada.post(`/api/v1/requirements/${requirement.id}/executions`, { agent: name }),
      ada.post('/api/v1/auth/tokens', { name }),
    ])
    for (const { status, body } of answers) {
      expect([status, body.errors?.map(({ code }: { code: string }) => code)]).toEqual([422, ['malformed']])
      expect(body.errors[0].detail).toContain('invisible')
    }
  })
})

test.each(['👩‍👩‍👧‍👦 ❤️‍🔥', 'می‌خواهم', 'श्री क्‍ष', '葛\u{e0100}城', 'Ψ. O’Neill-Łuczak', '1️⃣ Zoë'])(
  '%s is a name: joiners and selectors mean something there',
  async (name) => {
    expect((await ada.put('/api/v1/users/me', { name })).body).toMatchObject({ name: name.normalize('NFC') })
  },
)

describe('A person cannot be called', () => {
  test.each([
    'Signalbox',
    ' signal box ',
    'SIGNALBOX',
    'Ｓｉｇｎａｌｂｏｘ',
    'Sіgnаlbох',
    'S1gna1b0x',
    'Sígnálbóx',
    'Signalbox Support',
    '𝐒𝐢𝐠𝐧𝐚𝐥𝐛𝐨𝐱',
  ])('%s', async (name) => {
    const email = `someone.${crypto.randomUUID()}@example.com`
    for (const { status, body } of [
      await box.request('POST', '/api/v1/auth/register', { email, name, password: PASSWORD }),
      await ada.put('/api/v1/users/me', { name }),
    ])
      expect([status, body.errors]).toEqual([
        422,
        [{ pointer: '/name', code: 'malformed', detail: 'must not contain the name of this service' }],
      ])
  })

  test.each(['Signe Albrix', 'Sigrid Nalbo', 'Box'])('%s, who can', async (name) => {
    expect((await ada.put('/api/v1/users/me', { name })).status).toBe(200)
  })
})

test('what was stored as NFC is found by NFD, in queries and in paths', async () => {
  const zoe = await box.user('Zoë Ångström')
  await box.join(zoe, site, 'member')
  const query = encodeURIComponent('zoë ång'.normalize('NFD'))
  const { body } = await ada.get(`/api/v1/organizations/${site.organization.id}/members?query=${query}`)
  expect(body.map(({ user_id }: { user_id: string }) => user_id)).toEqual([zoe.id])
})
