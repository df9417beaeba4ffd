import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PageClient, type Visit } from '../support/page-client.ts'
import { buttonsOf, stateOf } from '../support/page-parts.ts'
import { Receiver } from '../support/receiver.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'

type Body = Answer['body']

const EVIL = '<img src=x onerror=alert(1)>'

let box: Box
let admin: Actor
let member: Actor
let site: Site
let visitor: PageClient
let reader: PageClient
const receiver = new Receiver()

beforeAll(async () => {
  box = await signalbox()
  admin = await box.user('Admin')
  member = await box.user('Member')
  site = await box.site(admin)
  await box.join(member, site, 'member', 'member')
  visitor = await PageClient.signedIn(box, admin)
  reader = await PageClient.signedIn(box, member)
})
afterAll(async () => {
  await box.close()
  await receiver.stop()
})

const makeHook = (input: object = {}): Promise<Body> =>
  admin.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
    name: 'Deploy',
    url: receiver.url,
    trigger_on: 'gate_approved',
    ...input,
  })
const pageOf = ({ id }: Body) => `/app/deployment-hooks/${id}`
const hookNow = async ({ id }: Body): Promise<Body> => (await admin.get(`/api/v1/deployment-hooks/${id}`)).body
const send = (hook: Body, wait = true): Promise<Body> =>
  admin.make(`/api/v1/deployment-hooks/${hook.id}/trigger`, undefined, wait ? { Prefer: 'wait=10' } : {})
const rows = ({ document }: Visit) => [...document.querySelectorAll('table[aria-label=Dispatches] tbody tr')]
const answer = (status: number, body = '', headers: Record<string, string> = {}) => {
  receiver.answer = () => new Response(body, { status, headers })
}

describe('The page of a hook', () => {
  test('shows its state, its settings and, before anything was sent, what to do next', async () => {
    const hook = await makeHook({ headers: { 'X-Api-Key': 'k-123456' }, max_age_seconds: 3600, supersede: true })
    const page = await visitor.open(pageOf(hook))
    expect([page.status, stateOf(page)]).toEqual([200, 'enabled'])
    for (const text of ['Deploy', receiver.url, 'a gate of the project is approved', 'production', 'X-Api-Key', '3,600 seconds'])
      expect(page.text).toContain(text)
    expect(page.text).toContain('No dispatches yet.')
    expect(page.html).not.toContain('k-123456')
    expect(page.html).not.toContain(hook.secret)
    const crumbs = [...page.document.querySelectorAll('.crumbs a')].map((link) => link.textContent)
    expect(crumbs).toEqual(['Platform', 'Checkout', 'Hooks'])
    expect(page.document.querySelector('.facts .number')?.textContent).toBe('0')
  })

  test('sends a test, whose page shows the outcome', async () => {
    answer(200, 'thanks')
    const hook = await makeHook()
    const done = await visitor.press(await visitor.open(pageOf(hook)), 'Send a test')
    expect(done.path).toMatch(/^\/app\/dispatches\/[0-9a-f-]{36}$/)
    expect(done.text).toContain('A test was sent.')
    await box.settled()
    const page = await visitor.open(done.path)
    expect([stateOf(page), page.document.querySelector('h1')?.textContent]).toEqual(['succeeded', 'Test ping'])
    const { body } = await admin.get(`/api/v1/organizations/${site.organization.id}/audit-logs?action=deployment_hook.tested`)
    expect(body.items[0]).toMatchObject({ resource_id: hook.id, actor_id: admin.id, actor_type: 'human' })
  })

  test('pauses and resumes: what waited is sent', async () => {
    answer(200)
    const hook = await makeHook()
    const paused = await visitor.press(await visitor.open(pageOf(hook)), 'Pause')
    expect([stateOf(paused), paused.path, (await hookNow(hook)).paused]).toEqual(['paused', pageOf(hook), true])
    expect(buttonsOf(paused)).toEqual([
      'Send a test',
      'Trigger',
      'Resume',
      'Disable',
      'Recover',
      'Count them',
      'Rotate the secret',
    ])
    const waiting = await send(hook, false)
    const page = await visitor.open(pageOf(hook))
    expect(page.document.querySelector('.facts .number')?.textContent).toBe('1')
    expect((await visitor.open(`/app/dispatches/${waiting.id}`)).text).toContain('The hook Deploy is paused.')
    const resumed = await visitor.press(page, 'Resume')
    expect([stateOf(resumed), (await hookNow(hook)).paused]).toEqual(['enabled', false])
    await box.settled()
    expect((await admin.get(`/api/v1/dispatches/${waiting.id}`)).body.status).toBe('succeeded')
  })

  test('is disabled by hand, which cancels what waits, and enabled again', async () => {
    answer(200)
    const hook = await makeHook()
    await visitor.press(await visitor.open(pageOf(hook)), 'Pause')
    const waiting = await send(hook, false)
    const disabled = await visitor.press(await visitor.open(pageOf(hook)), 'Disable')
    expect([stateOf(disabled), (await hookNow(hook)).enabled]).toEqual(['disabled', false])
    expect(disabled.text).toContain('A user disabled this hook.')
    // A worker that serves the hook cancels what waits.
    const isCancelled = async () => (await admin.get(`/api/v1/dispatches/${waiting.id}`)).body.status === 'cancelled'
    await box.until('what waits is cancelled', isCancelled)
    await visitor.press(disabled, 'Enable')
    const { enabled, paused } = await hookNow(hook)
    expect([enabled, paused]).toEqual([true, true])
    const page = await visitor.press(await visitor.open(pageOf(hook)), 'Resume')
    const form = { since: '2020-01-01T00:00', until: '2100-01-01T00:00' }
    expect((await visitor.press(page, 'Count them', form)).text).toContain('1 dispatch would be sent again.')
    const wrong = await visitor.press(page, 'Recover', { ...form, until: '2019-01-01T00:00' })
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('must not be earlier than since')])
  })

  test('says why the service disabled it, and enables it', async () => {
    answer(410)
    const hook = await makeHook()
    const gone = await send(hook)
    const page = await visitor.open(pageOf(hook))
    expect(stateOf(page)).toBe('disabled')
    expect(page.document.querySelector('.notice.bad')?.textContent).toContain((await hookNow(hook)).disabled_reason)
    const failures = [...page.document.querySelectorAll('ul.list li')]
    expect(failures.map((each) => each.querySelector('a')?.getAttribute('href'))).toEqual([`/app/dispatches/${gone.id}`])
    expect(failures[0]?.textContent).toContain('The receiver answered 410.')
    expect(buttonsOf(page)).toEqual(['Send a test', 'Enable', 'Rotate the secret'])
    answer(200)
    const enabled = await visitor.press(page, 'Enable')
    expect([stateOf(enabled), (await hookNow(hook)).enabled]).toEqual(['enabled', true])
  })

  test('counts the failures since the last success', async () => {
    answer(500)
    const hook = await makeHook()
    await send(hook)
    expect((await visitor.open(pageOf(hook))).text).toContain('The last 3 attempts failed')
    answer(200)
    await send(hook)
    expect((await visitor.open(pageOf(hook))).text).not.toContain('attempts failed')
  })

  test('filters dispatches by state and event, and has pages', async () => {
    answer(200)
    const hook = await makeHook()
    await Promise.all(Array.from({ length: 27 }, () => send(hook, false)))
    await admin.make(`/api/v1/deployment-hooks/${hook.id}/test`, undefined, { Prefer: 'wait=10' })
    await box.settled()
    answer(404)
    const failed = await send(hook)
    const first = await visitor.open(pageOf(hook))
    expect([rows(first).length, first.text.includes('Page 1 of 2'), first.text.includes('Dispatches29')]).toEqual([
      25,
      true,
      true,
    ])
    const second = await visitor.open(first.document.querySelector('a[rel=next]')?.getAttribute('href') ?? '')
    expect(rows(second)).toHaveLength(4)
    const unsuccessful = await visitor.open(`${pageOf(hook)}?status=failed&event=`)
    expect(rows(unsuccessful).map((row) => row.querySelector('a')?.getAttribute('href'))).toEqual([
      `/app/dispatches/${failed.id}`,
    ])
    expect(unsuccessful.document.querySelector('select[name=status] option[selected]')?.textContent).toBe('failed')
    const both = await visitor.open(`${pageOf(hook)}?status=succeeded&event=manual.trigger&page=2`)
    expect([rows(both).length, both.text.includes('Page 2 of 2')]).toEqual([2, true])
    expect(both.document.querySelector('a[rel=prev]')?.getAttribute('href')).toContain(
      'status=succeeded&event=manual.trigger&page=1',
    )
    const none = await visitor.open(`${pageOf(hook)}?status=cancelled`)
    expect(none.text).toContain('No dispatch matches.')
    expect((await visitor.open(`${pageOf(hook)}?status=lost`)).status).toBe(422)
  })

  test('offers a member no action, and refuses theirs', async () => {
    const hook = await makeHook()
    const page = await reader.open(pageOf(hook))
    expect([page.status, buttonsOf(page)]).toEqual([200, []])
    for (const name of ['test', 'pause', 'resume', 'enable', 'rotate-secret', 'pull-token']) {
      const forced = await reader.post(`${pageOf(hook)}/${name}`)
      expect([name, forced.status, forced.text.includes('requires the role admin')]).toEqual([name, 403, true])
    }
    expect(await hookNow(hook)).toMatchObject({ paused: false, updated_at: hook.updated_at })
  })

  test('is not found by strangers, also not by its actions, and needs a session', async () => {
    const hook = await makeHook()
    const stranger = await PageClient.signedIn(box, await box.user('Stranger'))
    const absent = pageOf({ id: crypto.randomUUID() })
    expect((await stranger.open(pageOf(hook))).text).toBe((await stranger.open(absent)).text)
    expect((await stranger.open(pageOf(hook))).status).toBe(404)
    expect((await stranger.post(`${pageOf(hook)}/pause`)).status).toBe(404)
    expect((await visitor.open('/app/deployment-hooks/nonsense')).status).toBe(404)
    const nobody = new PageClient(box)
    const sent = await nobody.send('GET', pageOf(hook))
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `/sign-in?next=${encodeURIComponent(pageOf(hook))}`])
  })

  test('shows markup in names, URLs, environments and header names as text', async () => {
    answer(500, EVIL)
    const hook = await makeHook({ name: EVIL, environment: EVIL, url: `${receiver.url}/?q=<script>` })
    const dispatch = await send(hook)
    for (const path of [pageOf(hook), `/app/dispatches/${dispatch.id}`]) {
      const page = await visitor.open(path)
      expect(page.text).toContain(EVIL)
      expect(page.document.querySelector('main img, main script')).toBeNull()
    }
  })
})
