import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
const MARKUP = '<img src=x onerror=alert(1)>"\'</title><script>alert(1)</script>&amp;'

let box: Box
let ada: Actor
let site: Site
let gate: Answer['body']
let visitor: PageClient

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user(`Ada ${MARKUP}`)
  site = await box.site(ada, MARKUP)
  await ada.put(`/api/v1/workspaces/${site.workspace.id}`, { name: MARKUP })
  await ada.put(`/api/v1/projects/${site.project.id}`, { name: MARKUP })
  const requirement = await ada.make(`/api/v1/projects/${site.project.id}/requirements`, {
    title: MARKUP,
    description: MARKUP,
    acceptance_criteria: [MARKUP],
  })
  const execution = await ada.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: MARKUP.slice(0, 60) })
  await ada.make(`/api/v1/executions/${execution.id}/start`)
  gate = await ada.make(`/api/v1/executions/${execution.id}/gates`, { name: MARKUP, description: MARKUP, required_approvals: 2 })
  visitor = await PageClient.signedIn(box, ada)
})
afterAll(() => box.close())

const statusNow = async () => (await ada.get(`/api/v1/gates/${gate.id}`)).body

describe('A POST', () => {
  test('without an Origin of this service is refused with a page, and changes nothing', async () => {
    const port = new URL(box.base).port
    for (const origin of [
      '',
      'null',
      'https://evil.example',
      `http://evil.example:${port}`,
      `${box.base}.evil.example`,
      `http://localhost:${Number(port) + 1}`,
    ]) {
      const headers = { Origin: origin }
      const response = await visitor.send('POST', `/app/gates/${gate.id}/approve`, 'comment=', headers)
      expect([origin, response.status, response.headers.get('content-type')]).toEqual([origin, 403, 'text/html; charset=utf-8'])
      expect((await visitor.send('POST', '/sign-out', '', headers)).status).toBe(403)
      expect((await visitor.send('POST', '/sign-in', '', headers)).status).toBe(403)
    }
    expect((await statusNow()).approvals).toEqual([])
    expect((await visitor.open('/app')).path).toBe('/app')
  })

  test('may have the origin of PUBLIC_URL, or that of the host that was asked', async () => {
    const { port } = new URL(box.base)
    for (const origin of [`http://localhost:${port}`, box.base]) {
      const response = await visitor.send('POST', '/app/notifications/read-all', '', { Origin: origin })
      expect([origin, response.status]).toEqual([origin, 303])
    }
  })

  test('takes forms only, of a limited size, and only fields of the API', async () => {
    const path = `/app/gates/${gate.id}/approve`
    const status = async (body: string, headers = {}) => (await visitor.send('POST', path, body, headers)).status
    expect(await status('{}', { 'Content-Type': 'application/json' })).toBe(415)
    expect(await status('x', { 'Content-Type': 'text/plain' })).toBe(415)
    expect(await status(`comment=${'x'.repeat(262_144)}`)).toBe(413)
    // The longest comment, in characters that take the most bytes.
    expect(await status(`comment=${encodeURIComponent('\u{1F469}'.repeat(10_000))}&status=approved`)).toBe(422)
    expect(await status('x=1&'.repeat(1_000))).toBe(400)
    expect(await status('x=1&'.repeat(998))).toBe(422)
    expect(await status('comment=%00')).toBe(422)
    expect(await status('status=approved')).toBe(422)
    expect(await status('__proto__=x')).toBe(422)
    expect((await statusNow()).approvals).toEqual([])
  })
})

test('opening every page, with GET or HEAD, changes nothing', async () => {
  const snapshot = async () => {
    const tables = ['gates', 'gate_approvals', 'executions', 'outbox', 'audit_log_entries', 'notification_inboxes', 'users']
    const rows = []
    for (const table of tables) rows.push(await box.sql`select to_jsonb(t) - 'updated_at' as row from ${box.sql(table)} as t`)
    return [rows, await box.sql`select id, ended_at from sessions order by id`]
  }
  const before = await snapshot()
  const paths = ['/', '/sign-in', '/register', '/sign-out', '/app', '/app/notifications', `/app/gates/${gate.id}`]
  for (const path of [
    ...paths,
    '/verify-email?token=x',
    '/restore-email?token=x',
    '/reset-password?token=x',
    '/invitations?token=x',
    '/unsubscribe?token=x',
  ]) {
    for (const method of ['GET', 'HEAD']) {
      const response = await visitor.send(method, path)
      expect([path, method, [200, 303, 410].includes(response.status)]).toEqual([path, method, true])
      if (method === 'HEAD') expect(await response.text()).toBe('')
    }
  }
  for (const path of [`/app/gates/${gate.id}/approve`, `/app/gates/${gate.id}/reject`, '/app/notifications/read-all']) {
    expect([path, (await visitor.send('GET', path)).status]).toEqual([path, 405])
  }
  expect(await snapshot()).toEqual(before)
})

test('every page has the headers of pages, and loads only files of this origin, at most 100 KiB in all', async () => {
  for (const path of ['/sign-in', '/app', '/app/notifications', `/app/gates/${gate.id}`, '/app/nothing']) {
    // Who is signed in is redirected.
    const response = path === '/sign-in' ? await fetch(box.base + path) : await visitor.send('GET', path)
    const { headers } = response
    expect(headers.get('content-security-policy')).toBe(POLICY)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    const html = await response.text()
    expect(html).not.toMatch(/ style=|<style|<script>| on[a-z]+="/)
    let bytes = html.length
    const files = [...html.matchAll(/(?:src|<link [^>]*href)="([^"]+)"/g)].map(([, file = '']) => file)
    expect(files).not.toBeEmpty()
    for (const file of files) {
      const asset = await fetch(box.base + file)
      expect([file, asset.status]).toEqual([file, 200])
      if (file.startsWith('/assets/')) expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      bytes += (await asset.arrayBuffer()).byteLength
    }
    expect(bytes).toBeLessThan(100 * 1024)
  }
  // A process of another version gets what this one has, and does not keep it.
  const stale = await fetch(`${box.base}/assets/0123456789ab/style.css`)
  expect([stale.status, stale.headers.get('cache-control')]).toEqual([200, 'no-store'])
})

test('markup in names is text on every page', async () => {
  for (const path of ['/app', `/app/gates/${gate.id}`, '/app/notifications']) {
    const page = await visitor.open(path)
    expect([path, page.status]).toEqual([path, 200])
    expect(page.html).not.toMatch(/<img src=x|<script>alert/)
    expect(page.document.querySelectorAll('img, body script, head script:not([src])')).toHaveLength(0)
  }
  expect((await visitor.open(`/app/gates/${gate.id}`)).document.querySelector('h1')?.textContent).toBe(MARKUP)
  const typed = await new PageClient(box).post('/sign-in', { email: MARKUP, password: MARKUP })
  expect(typed.document.querySelector('#email')?.getAttribute('value')).toBe(MARKUP)
  const notice = new PageClient(box)
  notice.cookies.set('signalbox-notice', encodeURIComponent(MARKUP))
  expect((await notice.open('/sign-in')).document.querySelector('#status')?.textContent).toBe(MARKUP)
})

describe('Refusals are pages', () => {
  test('a foreign gate, an absent one and a malformed id look alike', async () => {
    const stranger = await PageClient.signedIn(box, await box.user('Stranger'))
    const pages = []
    for (const id of [gate.id, crypto.randomUUID(), 'nonsense', '%00', "'"]) pages.push(await stranger.open(`/app/gates/${id}`))
    expect(pages.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    expect(new Set(pages.map(({ text }) => text)).size).toBe(1)
    const post = await stranger.post(`/app/gates/${gate.id}/approve`)
    expect([post.status, post.text]).toEqual([404, pages[0]?.text ?? ''])
    expect(pages[0]?.headers.get('content-type')).toBe('text/html; charset=utf-8')
  })

  test('an unknown page is a page, an unknown path of the API is a problem', async () => {
    const page = await visitor.open('/app/nothing')
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    for (const path of ['/api/v1/nothing', '/nothing', '/apple']) {
      const response = await fetch(box.base + path)
      expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 404, 'application/problem+json'])
    }
  })

  test('malformed cookies are no session', async () => {
    for (const cookie of [
      'signalbox',
      'signalbox=',
      'signalbox=x',
      'signalbox=sbx_sc_',
      `=; signalbox=%00`,
      `signalbox=${'x'.repeat(5000)}`,
    ]) {
      const response = await fetch(`${box.base}/app`, { headers: { Cookie: cookie }, redirect: 'manual' })
      expect([cookie.slice(0, 30), response.status, response.headers.get('location')]).toEqual([
        cookie.slice(0, 30),
        303,
        '/sign-in?next=%2Fapp',
      ])
    }
  })
})

test('pages are not in the API docs', () => {
  const paths = Object.keys(box.contract.document.paths)
  expect(paths.filter((path) => !path.startsWith('/api/v1/')).sort()).toEqual([
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
    '/github/webhooks',
    '/livez',
    '/mcp',
    '/metrics',
    '/oauth/device_authorization',
    '/oauth/revoke',
    '/oauth/token',
    '/otlp/v1/logs',
    '/otlp/v1/metrics',
    '/otlp/v1/traces',
    '/readyz',
    '/slack/interactions',
    '/unsubscribe',
  ])
})
