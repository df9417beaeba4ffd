import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { hasBrowser, openBrowser, openPage, violations } from '../support/browser.ts'
import { type Box, signalbox } from '../support/signalbox.ts'

const PAGES = [
  '/docs',
  ...['quickstart', 'events', 'receivers', 'clients', 'problems', 'operating', 'monitoring', 'settings', 'scaling'].map(
    (name) => `/docs/${name}`,
  ),
  '/docs/architecture',
  '/docs/decisions',
  '/docs/decisions/lanes',
]

describe.skipIf(!hasBrowser)('The docs in a browser', () => {
  let box: Box
  let browser: Browser

  beforeAll(async () => {
    ;[box, browser] = await Promise.all([signalbox({ workers: 0 }), openBrowser()])
  })
  afterAll(async () => {
    await Promise.all([box?.close(), browser?.close()])
  })

  const open = (path: string, options?: { width?: number; dark?: boolean }) => openPage(browser, box.base + path, options)

  const openAll = (page: Page) =>
    page.$$eval('details', (all) => {
      for (const each of all) each.setAttribute('open', '')
    })

  const isWiderThanScreen = (page: Page) => page.evaluate('document.documentElement.scrollWidth > innerWidth') as Promise<boolean>

  for (const path of PAGES) {
    for (const look of [{ dark: false }, { dark: true }, { width: 390 }]) {
      test(`${path} passes axe-core and does not scroll sideways: ${JSON.stringify(look)}`, async () => {
        const { page, complaints: errors } = await open(path, look)
        // The complete reference takes a minute, and its operations are alike.
        await page.$$eval('.operation', (all) => {
          for (const each of all.slice(20)) each.remove()
        })
        await openAll(page)
        expect(await isWiderThanScreen(page)).toBe(false)
        expect(await violations(page)).toEqual([])
        expect(errors).toEqual([])
        await page.close()
      })
    }
  }

  test('the reference fits a phone with everything expanded', async () => {
    const { page } = await open('/docs', { width: 390 })
    await openAll(page)
    expect(await isWiderThanScreen(page)).toBe(false)
    await page.close()
  })

  test('the filter shows only matching operations with their tags, and a URL fragment opens its operation', async () => {
    const { page } = await open('/docs#createDeploymentHook')
    expect(await page.isVisible('#createDeploymentHook textarea')).toBe(true)
    await page.keyboard.press('/')
    await page.keyboard.type('rotate secret')
    const shown = await page.$$eval('main .operation:not([hidden])', (all) => all.map(({ id }) => id))
    expect(shown).toEqual(['rotateDeploymentHookSecret'])
    expect(await page.$$eval('main section:not([hidden]) h2', (all) => all.map(({ textContent }) => textContent))).toEqual([
      'Deployment hooks',
    ])
    expect(await page.$$eval('#contents li:not([hidden])', (all) => all.length)).toBe(1)
    expect(await page.textContent('#found')).toBe('1 entry')
    await page.fill('#filter', '')
    expect(await page.$$eval('main .operation[hidden]', (all) => all.length)).toBe(0)
    await page.close()
  })

  test('a request is sent as its form is filled in, with the token of the last sign-in', async () => {
    const ada = await box.user('Ada')
    const { page, complaints } = await open('/docs#refreshSession')
    const send = async (id: string, fields: Record<string, string> = {}) => {
      await page.evaluate(`location.hash = '${id}'`)
      for (const [name, value] of Object.entries(fields)) await page.fill(`#${id}-${name}`, value)
      await page.click(`#${id} button`)
      await page.waitForSelector(`#${id} output pre:not(:text("Sending"))`)
      return (await page.textContent(`#${id} output`)) ?? ''
    }
    const body = JSON.stringify({ refresh_token: ada.refreshToken })
    expect(await send('refreshSession', { body })).toStartWith('200 OK')
    expect(await send('getMe')).toContain(ada.email)
    for (const _ of [1, 2]) expect(await send('createOrganization', { 'Idempotency-Key': 'once' })).toStartWith('201 Created')
    const [{ id: org_id, slug }, ...others] = (await ada.get('/api/v1/organizations')).body
    expect(others).toEqual([])
    expect(await send('getOrganization', { org_id })).toContain(`"slug": "${slug}"`)
    expect(complaints).toEqual([])
    await page.close()
  })
})
