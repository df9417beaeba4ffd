/** Members, invitations, tokens and times, as a browser shows them. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { tokenHash } from '../../core/security/tokens.ts'
import { hasBrowser, openBrowser, openPage, signIn } from '../support/browser.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

describe.skipIf(!hasBrowser)('In a browser', () => {
  let box: Box
  let browser: Browser
  let ada: Actor
  let site: Site

  beforeAll(async () => {
    ;[box, browser] = await Promise.all([signalbox(), openBrowser()])
    ada = await box.user('Ada')
    site = await box.site(ada)
    const lin = await box.user('Lin')
    await box.join(lin, site, 'member')
    const long = (name: string) => `${name}.${'of-a-large-company.'.repeat(2)}x@${'a-subdomain-of-it.'.repeat(5)}example.com`
    await box.sql`update users set email = ${long('lin')} where id = ${lin.id}`
    await ada.make(`/api/v1/organizations/${site.organization.id}/members`, { email: long('guest'), role: 'member' })
  })
  afterAll(async () => {
    await browser?.close()
    await box?.close()
  })

  async function signedIn(width: number, path: string): Promise<Page> {
    const context = await browser.newContext({ viewport: { width, height: 900 }, baseURL: box.base, timezoneId: 'Asia/Tokyo' })
    return signIn(await context.newPage(), box.base, ada.email, path)
  }

  test('long addresses break, and the roles next to them do not', async () => {
    const page = await signedIn(1280, `/app/organizations/${site.organization.id}/people`)
    const lines = `[...document.querySelectorAll('ul:is([aria-label=Members], [aria-label=Invitations]) .pill')].map((cell) => {
      const range = document.createRange()
      range.selectNodeContents(cell)
      return [cell.textContent, range.getClientRects().length]
    })`
    expect(await page.evaluate(lines)).toEqual([
      ['member', 1],
      ['owner', 1],
      ['member', 1],
    ])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1280)
    await page.context().close()
  })

  test('a member for whom there is nothing to do has no actions on a phone', async () => {
    const page = await signedIn(390, `/app/organizations/${site.organization.id}/people`)
    const row = (name: string) => page.locator('ul[aria-label=Members] li', { hasText: name }).locator('button').first()
    expect([await row('Ada').isVisible(), await row('Lin').isVisible()]).toEqual([false, true])
    await page.context().close()
  })

  test('an exact time names the zone in which it is shown', async () => {
    const page = await signedIn(1280, `/app/organizations/${site.organization.id}/audit-log`)
    const time = page.locator('.rows time').first()
    expect(await time.textContent()).toMatch(/GMT\+9/)
    expect(await time.getAttribute('title')).toBe(await time.textContent())
    await page.context().close()
  })

  test('a token that is shown once is copied by a button', async () => {
    const page = await signedIn(390, '/app/account/tokens')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.fill('#name', 'Nightly build')
    await page.getByRole('button', { name: 'Make a token' }).click()
    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByText('Copied.').waitFor()
    const token = await page.locator('#copyable').textContent()
    expect(token).toStartWith('sbx_pat_')
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(token)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    await page.context().close()
  })

  test('the form of an invitation asks for what the chosen account needs', async () => {
    await box.sql`
      insert into invitations (organization_id, email, role, invited_by, expires_at, token_hash)
      values (${site.organization.id}, 'new@example.com', 'member', ${ada.id}, now() + interval '1 day', ${tokenHash('open')})
    `
    const { page } = await openPage(browser, `${box.base}/invitations?token=open`)
    const needs = async () => [
      await page.locator('#name').isVisible(),
      await page.locator('#name').getAttribute('required'),
      await page.locator('#password').getAttribute('autocomplete'),
    ]
    expect(await needs()).toEqual([true, '', 'new-password'])
    await page.getByText('Yes, sign in').click()
    expect(await needs()).toEqual([false, null, 'current-password'])
    await page.getByText('No, create one').click()
    expect(await needs()).toEqual([true, '', 'new-password'])
    await page.close()
  })
})
