/** The most used paths, by keyboard alone, on a wide and a narrow screen, with and without scripts. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { Resource } from '../../bin/support/api-client.ts'
import { hasBrowser } from '../support/browser.ts'
import { SeededApp } from './app.ts'
import type { Look } from './person.ts'

const LOOKS: Look[] = [{ width: 1280 }, { width: 390, dark: true }, { width: 390, plain: true }]
const MAX_TABS = 300

interface Named extends Resource {
  name: string
}

/** The text by which a person knows the focused element. */
const FOCUSED = `(() => {
  const element = document.activeElement
  const label = element.labels?.[0]?.textContent ?? element.getAttribute('aria-label') ?? ''
  return (element.textContent + ' ' + label).replaceAll(/\\s+/g, ' ').trim()
})()`

/** Presses Tab until an element with a text has the focus. */
async function tabTo(page: Page, text: string, isWhole = false): Promise<void> {
  const seen: string[] = []
  for (let tabs = 0; tabs < MAX_TABS; tabs++) {
    await page.keyboard.press('Tab')
    const focused = String(await page.evaluate(FOCUSED))
    if (isWhole ? focused === text : focused.startsWith(text)) return
    seen.push(focused)
  }
  throw new Error(`${page.url()} has no "${text}" that Tab reaches, but: ${[...new Set(seen)].join(' | ')}`)
}

/** Opens the menu that the side bar is on a phone. */
async function openMenu(page: Page): Promise<void> {
  if (!(await page.locator('.side > summary').isVisible())) return
  await tabTo(page, 'NRNorthwind Robotics')
  await page.keyboard.press('Enter')
}

/** Reaches a link or button by Tab, presses it, and waits for the next page. */
async function press(page: Page, text: string, isWhole = false): Promise<void> {
  await tabTo(page, text, isWhole)
  await Promise.all([page.waitForEvent('framenavigated'), page.keyboard.press('Enter')])
  await page.waitForLoadState()
}

// biome-ignore lint/performance/useDomNodeTextContent: what a person reads, as it is laid out.
const textOf = (page: Page): Promise<string> => page.locator('main').innerText()

describe.skipIf(!hasBrowser)('By keyboard, a person', () => {
  let app: SeededApp
  let project: Named
  let workspace: Named
  let organization: Named

  beforeAll(async () => {
    app = await SeededApp.open()
    const { ada } = app.clients
    ;[organization] = (await ada.get<Named[]>('/organizations')) as [Named]
    ;[workspace] = (await ada.get<Named[]>(`/organizations/${organization.id}/workspaces`)) as [Named]
    ;[project] = (await ada.get<Named[]>(`/workspaces/${workspace.id}/projects`)) as [Named]
  })
  afterAll(() => app?.close())

  let made = 0

  /** Opens a gate with a name of its own. */
  async function openGate(): Promise<Named> {
    const { ada } = app.clients
    made += 1
    const requirement = await ada.post(`/projects/${project.id}/requirements`, { title: `Keyboard ${made}` })
    const execution = await ada.post(`/requirements/${requirement.id}/executions`, { agent: 'claude-code' })
    await ada.post(`/executions/${execution.id}/start`)
    return ada.post<Named>(`/executions/${execution.id}/gates`, { name: `Keyboard gate ${made}` })
  }

  for (const look of LOOKS) {
    describe(JSON.stringify(look), () => {
      let page: Page

      beforeAll(async () => {
        page = await app.signedIn('grace', look)
        page.on('dialog', (dialog) => void dialog.accept())
      })
      afterAll(() => page?.context().close())

      const go = (path: string) => page.goto(path)

      test('skips to the content', async () => {
        await go('/app')
        await page.keyboard.press('Tab')
        expect(await page.evaluate(FOCUSED)).toBe('Skip to content')
      })

      test('finds a gate that waits, and approves it with a comment', async () => {
        const gate = await openGate()
        await go('/app')
        await press(page, gate.name)
        await tabTo(page, 'Comment')
        await page.keyboard.type('Looks right.')
        await press(page, 'Approve')
        expect(await textOf(page)).toContain('You approved this gate.')
        expect(await app.clients.ada.get<object>(`/gates/${gate.id}`)).toMatchObject({
          status: 'approved',
          comment: 'Looks right.',
          decided_via: 'app',
        })
      })

      test('rejects a gate', async () => {
        const gate = await openGate()
        await go(`/app/gates/${gate.id}`)
        await press(page, 'Reject')
        expect(await textOf(page)).toContain('You rejected this gate.')
      })

      test('cancels an execution', async () => {
        const { execution_id } = (await openGate()) as Named & { execution_id: string }
        await go(`/app/executions/${execution_id}`)
        await press(page, 'Cancel')
        expect(await app.clients.ada.get<object>(`/executions/${execution_id}`)).toMatchObject({ status: 'cancelled' })
      })

      test('finds why a dispatch failed, and sends it again', async () => {
        const hook = await app.clients.grace.post(`/projects/${project.id}/deployment-hooks`, {
          name: `Broken ${look.width} ${look.plain ?? false}`,
          url: 'http://127.0.0.1:9/',
          trigger_on: 'gate_approved',
        })
        const dispatch = await app.clients.grace.post(`/deployment-hooks/${hook.id}/test`, {}, { Prefer: 'wait=10' })
        await go(`/app/deployment-hooks/${hook.id}`)
        await go(`/app/dispatches/${dispatch.id}`)
        expect(await textOf(page)).toContain('No server is listening')
        const before = page.url()
        await press(page, 'Redeliver')
        expect(page.url()).toMatch(/\/app\/dispatches\/[\w-]{36}$/)
        expect(page.url()).not.toBe(before)
        await app.clients.grace.delete(`/deployment-hooks/${hook.id}`)
      })

      test('pauses a hook and resumes it', async () => {
        const [hook] = await app.clients.grace.get<Named[]>(`/projects/${project.id}/deployment-hooks`)
        await go(`/app/deployment-hooks/${hook?.id}`)
        await press(page, 'Pause')
        const isPaused = async () => (await app.clients.grace.get<{ paused: boolean }>(`/deployment-hooks/${hook?.id}`)).paused
        expect(await isPaused()).toBe(true)
        await press(page, 'Resume')
        expect(await isPaused()).toBe(false)
      })

      test('sees who did what', async () => {
        await go(`/app/organizations/${organization.id}`)
        await openMenu(page)
        await press(page, 'Audit log')
        expect(new URL(page.url()).pathname).toBe(`/app/organizations/${organization.id}/audit-log`)
        expect(await textOf(page)).toContain('Ada Lovelace')
      })

      test('invites a person', async () => {
        const email = `keyboard.${look.width}.${look.plain ?? false}@example.com`
        await go(`/app/organizations/${organization.id}/people`)
        await tabTo(page, 'E-mail')
        await page.keyboard.type(email)
        await press(page, 'Invite')
        expect(await textOf(page)).toContain(email)
      })

      test('generates a document', async () => {
        await go(`/app/projects/${project.id}/deliverables`)
        await press(page, 'Generate', true)
        expect(page.url()).toMatch(/\/app\/deliverables\/[\w-]{36}$/)
      })

      test('makes a token, sees it once, and revokes it', async () => {
        await go('/app/account/tokens')
        await tabTo(page, 'Name')
        await page.keyboard.type('From the keyboard')
        await press(page, 'Make a token', true)
        expect(await textOf(page)).toMatch(/sbx_pat_\w+/)
        await go('/app/account/tokens')
        expect(await textOf(page)).toContain('From the keyboard')
        expect(await textOf(page)).not.toMatch(/sbx_pat_\w{8}/)
        await press(page, 'Revoke')
        expect(await textOf(page)).not.toContain('From the keyboard')
      })

      test('marks all notifications as read, and signs out', async () => {
        const { name } = await openGate()
        await app.box.until('she is notified of the gate', async () => {
          const { items } = await app.clients.grace.get<{ items: { title: string }[] }>('/notifications')
          return items.some(({ title }) => title.includes(`“${name}”`))
        })
        await go('/app/notifications')
        await press(page, 'Mark all')
        expect(await textOf(page)).toMatch(/notifications? marked as read/)
        await openMenu(page)
        await tabTo(page, 'GHGrace Hopper')
        await page.keyboard.press('Enter')
        await press(page, 'Sign out')
        expect(new URL(page.url()).pathname).toBe('/sign-in')
      })
    })
  }
})
