/** Keys, the command menu and the page of components, in a real browser. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { hasBrowser, openBrowser, openSignedIn, violations } from '../support/browser.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let site: Site
let browser: Browser
let page: Page
let complaints: string[]
let project: string

beforeAll(async () => {
  if (!hasBrowser) return
  box = await signalbox({ environment: { DEVELOPMENT: 'on' } })
  ada = await box.user('Ada')
  site = await box.site(ada)
  project = `/app/projects/${site.project.id}`
  for (const title of ['First', 'Second', 'Third']) {
    await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title })
  }
  browser = await openBrowser()
  ;({ page, complaints } = await openSignedIn(browser, box.base, ada.email))
})
afterAll(async () => {
  await browser?.close()
  await box?.close()
})

const go = (path: string) => page.goto(box.base + path)
const focused = () => page.evaluate('document.activeElement.textContent || document.activeElement.getAttribute("aria-label")')

test.skipIf(!hasBrowser)(
  'g and a key lead to pages, also to those around this one',
  async () => {
    await go(project)
    await page.keyboard.press('g')
    await page.keyboard.press('i')
    await page.waitForURL('**/app/notifications')
    await go(project)
    await page.keyboard.press('g')
    await page.keyboard.press('w')
    await page.waitForURL(`**/app/workspaces/${site.workspace.id}`)
    await page.keyboard.press('g')
    await page.keyboard.press('o')
    await page.waitForURL(`**/app/organizations/${site.organization.id}`)
  },
  60_000,
)

test.skipIf(!hasBrowser)(
  'keys work where the browser keeps nothing for pages',
  async () => {
    const { page: other } = await openSignedIn(browser, box.base, ada.email)
    await other.addInitScript(
      `Object.defineProperty(globalThis, 'localStorage', { get() { throw new DOMException('', 'SecurityError') } })`,
    )
    await other.goto(box.base + project)
    await other.keyboard.press('?')
    await other.waitForSelector('dialog input[type=checkbox]:checked:disabled')
    await other.keyboard.press('Escape')
    await other.keyboard.press('g')
    await other.keyboard.press('i')
    await other.waitForURL('**/app/notifications')
    await other.close()
  },
  60_000,
)

test.skipIf(!hasBrowser)(
  'j and k move the focus among the links of lists, and Enter opens one',
  async () => {
    await go(`${project}/requirements`)
    await page.keyboard.press('j')
    const first = await focused()
    await page.keyboard.press('j')
    expect(await focused()).not.toBe(first)
    await page.keyboard.press('k')
    expect(await focused()).toBe(first)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/app/requirements/*')
  },
  60_000,
)

test.skipIf(!hasBrowser)(
  '/ focuses the search, in which no key acts',
  async () => {
    await go(project)
    await page.keyboard.press('/')
    expect(await focused()).toBe('Search')
    await page.keyboard.type('gi?jk/ fi')
    await page.keyboard.press('Control+k')
    expect(await page.locator('dialog').count()).toBe(0)
    expect(await page.inputValue('search input')).toStartWith('gi?jk/ fi')
    await page.fill('search input', 'firs')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/app/search?q=firs')
    expect(await page.textContent('.what')).toContain('First')
  },
  60_000,
)

test.skipIf(!hasBrowser)(
  '? shows the keys, and they can be switched off',
  async () => {
    await go('/app')
    await page.keyboard.press('?')
    await page.waitForSelector('dialog >> text=Next link of a list')
    expect(await violations(page)).toEqual([])
    await page.uncheck('dialog input[type=checkbox]')
    await page.keyboard.press('Escape')
    // It is removed after it was closed.
    await page.locator('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.keyboard.press('/')
    expect(await page.locator('dialog').count()).toBe(0)
    expect(await focused()).not.toBe('Search')
    await page.click('search button')
    await page.keyboard.type('keyb')
    await page.keyboard.press('Enter')
    await page.check('dialog input[type=checkbox]')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.waitForSelector('dialog >> text=Next link of a list')
    await page.keyboard.press('Escape')
  },
  60_000,
)

test.skipIf(!hasBrowser)(
  'the command menu filters by typing, searches, and gives the focus back',
  async () => {
    await go(project)
    await page.keyboard.press('j')
    const before = await focused()
    await page.keyboard.press('Control+k')
    expect(await focused()).toBe('Command or search')
    await page.keyboard.type('INBÓ')
    const selected = page.locator('dialog [aria-selected=true]')
    expect(await selected.textContent()).toContain('Inbox')
    expect(await page.getAttribute('dialog input', 'aria-activedescendant')).toBe(await selected.getAttribute('id'))
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await focused()).toBe(before)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('#2')
    await page.waitForSelector('dialog [role=option] >> text=#2 Second')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/app/requirements/*')
    expect(await page.textContent('h1')).toContain('Second')
    expect(complaints).toEqual([])
  },
  60_000,
)

test.skipIf(!hasBrowser)(
  'pages follow changes, and leave alone what a person does there',
  async () => {
    await go(`${project}/settings`)
    await page.fill('#description', 'Half a sen')
    await ada.put(`/api/v1/projects/${site.project.id}`, { name: 'Renamed by API' })
    await page.waitForSelector('.crumbs >> text=Renamed by API')
    await page.keyboard.type('tence')
    expect(await page.inputValue('#description')).toBe('Half a sentence')
    // The form is still that of the version that it was opened with.
    await page.click('main form:has(#description) button[type=submit]')
    await page.waitForSelector('text=This was changed while you were editing it')
    expect(await page.inputValue('#description')).toBe('Half a sentence')
    await go(`${project}/requirements`)
    await page.click('.side .menu summary')
    await page.focus('main .what a')
    const before = await focused()
    await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Fourth, live' })
    await page.waitForSelector('.what >> text=Fourth, live')
    expect(await focused()).toBe(before)
  },
  60_000,
)

test.skipIf(!hasBrowser)(
  'the page of components has no violation in light and dark, wide and narrow',
  async () => {
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 })
      for (const query of ['', '?scheme=light&form=refused', '?scheme=dark&form=outdated']) {
        await go(`/app/-/components${query}`)
        expect([query, await violations(page)]).toEqual([query, []])
        expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
      }
    }
    await page.setViewportSize({ width: 1280, height: 900 })
  },
  120_000,
)
