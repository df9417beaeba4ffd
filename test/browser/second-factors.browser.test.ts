/** An authenticator app is set up, and a sign-in completed with it, on every kind of screen, also without scripts. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { hasBrowser, openBrowser, violations } from '../support/browser.ts'
import { codeOf, forgetCodes, letSignInAge } from '../support/second-factors.ts'
import { type Box, PASSWORD, signalbox } from '../support/signalbox.ts'
import { type Look, openWindow } from './person.ts'

const LOOKS: Look[] = [
  { width: 1280 },
  { width: 1280, dark: true },
  { width: 390 },
  { width: 390, dark: true },
  { width: 390, plain: true },
]

describe.skipIf(!hasBrowser)('In a browser', () => {
  let box: Box
  let browser: Browser

  beforeAll(async () => {
    ;[box, browser] = await Promise.all([signalbox({ workers: 0 }), openBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await box?.close()
  })

  /** Presses a button and waits for the page that follows. */
  async function press(page: Page, button: string): Promise<void> {
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: button, exact: true }).click()])
  }

  for (const look of LOOKS) {
    test(`an app is set up, used and required: ${JSON.stringify(look)}`, async () => {
      const owner = await box.user('Owner')
      const site = await box.site(owner)
      await box.join(await box.user('Member'), site, 'member')
      const complaints: string[] = []
      const check = async (page: Page, name: string) => {
        const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
        if (isWide) complaints.push(`${name} scrolls sideways`)
        if (!look.plain) complaints.push(...(await violations(page)).map((each) => `${name}: ${each}`))
      }
      const signIn = async (page: Page, next: string) => {
        await page.goto(`/sign-in?next=${next}`)
        await page.fill('#email', owner.email)
        await press(page, 'Continue')
        await page.fill('#password', PASSWORD)
        await press(page, 'Sign in')
      }
      const window = await openWindow(browser, box.base, look)
      const page = await window.newPage()
      await signIn(page, '/app/account/security')
      await check(page, 'without a second factor')
      await letSignInAge(box, owner)
      await page.reload()
      await check(page, 'with a password')
      await page.fill('#current_password', PASSWORD)
      await press(page, 'Set up an app')
      expect(await page.getByRole('img', { name: 'QR code for the authenticator app' }).isVisible()).toBe(true)
      await check(page, 'set-up')
      const secret = ((await page.locator('main code').textContent()) ?? '').replaceAll(' ', '')
      await page.fill('#code', '000000')
      await press(page, 'Confirm')
      await check(page, 'wrong code')
      await page.fill('#code', codeOf(secret))
      await press(page, 'Confirm')
      expect(((await page.locator('main pre').textContent()) ?? '').trim().split('\n')).toHaveLength(10)
      await check(page, 'recovery codes')
      await page.goto('/app/account/security')
      await check(page, 'with a second factor')
      await window.clearCookies()
      await forgetCodes(box, owner)
      const organization = `/app/organizations/${site.organization.id}/security`
      await signIn(page, organization)
      await check(page, 'second step')
      await page.fill('#code', codeOf(secret))
      await press(page, 'Sign in')
      expect(new URL(page.url()).pathname).toBe(organization)
      await check(page, 'organization')
      page.on('dialog', (dialog) => void dialog.accept())
      await press(page, 'Require a second factor')
      await check(page, 'required')
      expect((await owner.get(`/api/v1/organizations/${site.organization.id}`)).body.require_second_factor).toBe(true)
      expect(complaints).toEqual([])
      await window.close()
    }, 120_000)
  }
})
