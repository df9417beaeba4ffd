/** Single sign-on in a browser, on every kind of screen, also without scripts: signing in, connecting, and the pages of the owner. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { type Look, openWindow } from '../browser/person.ts'
import { hasBrowser, openBrowser, smallTargets, violations } from '../support/browser.ts'
import { letSignInAge } from '../support/second-factors.ts'
import { type Actor, PASSWORD } from '../support/signalbox.ts'
import { type Company, SsoBench } from './workbench.ts'

const LOOKS: Look[] = [
  { width: 1280 },
  { width: 1280, dark: true },
  { width: 390 },
  { width: 390, dark: true },
  { width: 390, plain: true },
]

describe.skipIf(!hasBrowser)('In a browser', () => {
  let bench: SsoBench
  let browser: Browser
  let origin: string
  /** Whom the provider names next. */
  let claims: object = {}

  beforeAll(async () => {
    // Empty: the address of the service itself.
    ;[bench, browser] = await Promise.all([SsoBench.open({ PUBLIC_URL: '' }), openBrowser()])
    origin = bench.box.base.replace('127.0.0.1', 'localhost')
    bench.provider.answer = (path, request) =>
      path === '/authorize' ? Response.redirect(bench.provider.signIn(new URL(request.url), { claims }).href, 302) : undefined
  })
  afterAll(async () => {
    await browser?.close()
    await bench?.close()
  })

  async function press(page: Page, button: string): Promise<void> {
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: button }).first().click()])
  }

  async function signIn(page: Page, { email }: Pick<Actor, 'email'>, next = '/app'): Promise<void> {
    await page.goto(`/sign-in?next=${next}`)
    await page.fill('#email', email)
    await press(page, 'Continue')
    await page.fill('#password', PASSWORD)
    await press(page, 'Sign in')
  }

  const titleOf = (page: Page) => page.textContent('h1')

  for (const look of LOOKS) {
    const complaints: string[] = []
    const check = async (page: Page, name: string): Promise<void> => {
      const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
      if (isWide) complaints.push(`${name} scrolls sideways`)
      if (look.plain) return
      complaints.push(...[...(await violations(page)), ...(await smallTargets(page))].map((each) => `${name}: ${each}`))
    }
    const opened = async (): Promise<Page> => {
      const window = await openWindow(browser, origin, look)
      const page = await window.newPage()
      page.on('pageerror', ({ message }) => complaints.push(message))
      return page
    }

    const enter = async (company: Company): Promise<void> => {
      const page = await opened()
      claims = company.person()
      await page.goto('/sign-in?next=/app/account')
      await check(page, 'address')
      await page.fill('#email', `anyone@${company.domain}`)
      await press(page, 'Continue')
      await check(page, 'start')
      await press(page, 'Continue to')
      expect(new URL(page.url()).pathname).toBe('/app/account')
      await page.goto('/app/account/confirm')
      await check(page, 'confirm with the provider')
      await page.context().close()
    }

    const connect = async (company: Company): Promise<void> => {
      const member = await bench.box.user('Mia')
      await bench.box.join(member, company.site, 'member', 'member')
      claims = company.person()
      const page = await opened()
      await page.goto(company.path)
      claims = company.person({ email: 'mia@private.example' })
      await press(page, 'Continue to')
      expect(await titleOf(page)).toBe('Sign in first')
      await check(page, 'sign in first')
      await page.click('main a.button')
      await check(page, 'password')
      await page.fill('#email', member.email)
      await page.fill('#password', PASSWORD)
      await press(page, 'Sign in')
      await press(page, 'Continue to')
      expect(await titleOf(page)).toBe('Connect your account')
      await check(page, 'connect')
      await letSignInAge(bench.box, member)
      await page.reload()
      await check(page, 'connect with a password')
      await page.fill('#current_password', PASSWORD)
      await press(page, 'Connect')
      expect(await page.textContent('main')).toContain('Your account is connected with Acme Robotics.')
      await page.goto('/app/account')
      await check(page, 'account')
      await page.goto(`${company.path}/callback?code=1&state=2`)
      expect(await titleOf(page)).toBe('The sign-in was refused')
      await check(page, 'refused')
      await page.context().close()
    }

    const administer = async (company: Company): Promise<void> => {
      const { owner, site } = company
      const page = await opened()
      page.on('dialog', (dialog) => void dialog.accept())
      await signIn(page, owner)
      const path = `/app/organizations/${site.organization.id}/sso`
      await page.goto(path)
      await page.fill('#domain', 'not-yet.example')
      await press(page, 'Add the domain')
      await check(page, 'domains')
      await press(page, 'Check the record')
      expect(await page.textContent('main')).toContain('There is no TXT record')
      await check(page, 'a domain that is not proven')
      await page.goto(`${path}/groups`)
      await page.fill('#value', 'leads')
      await page.selectOption('#gives', { label: 'Admin of the workspace Platform' })
      await press(page, 'Add the mapping')
      await page.fill('#filter-groups', 'leads')
      await page.fill('#filter-person', owner.email)
      await press(page, 'Show what they would get')
      expect(await page.textContent('main')).toContain('admin')
      await check(page, 'groups')
      await page.goto(`${path}/people`)
      await check(page, 'people')
      await letSignInAge(bench.box, owner)
      await page.goto(path)
      await check(page, 'unconfirmed')
      await page.click('text=Confirm that it is you')
      await check(page, 'confirm with a password')
      await page.fill('#current_password', PASSWORD)
      await press(page, 'Confirm')
      expect(await page.getByText('Your sign-in is older').count()).toBe(0)
      const { organization } = await bench.box.site(owner, 'Harbor')
      await page.goto(`/app/organizations/${organization.id}/sso`)
      await check(page, 'without a connection')
      await page.context().close()
    }

    /** What is not open to a member who has not signed on. */
    const refuse = async (company: Company): Promise<void> => {
      const member = await bench.box.user('Late')
      await bench.box.join(member, company.site, 'member', 'member')
      await bench.box.sql`
        update organization_members
        set sso_connection_id = ${company.connection.id}, sso_required = 'everyone'
        where organization_id = ${company.site.organization.id}
      `
      const page = await opened()
      await signIn(page, member, `/app/projects/${company.site.project.id}`)
      expect(await page.textContent('main')).toContain('This organization requires single sign-on.')
      await check(page, 'required')
      // The group gives the role in the workspace.
      claims = company.person({ groups: ['leads'] })
      await page.click('main a.button')
      await press(page, 'Continue to')
      await press(page, 'Connect')
      expect(await titleOf(page)).toContain('Checkout')
      await page.context().close()
    }

    test(`people sign in and connect, and the owner sets it up: ${JSON.stringify(look)}`, async () => {
      const company = await bench.company({ provision: true })
      await enter(company)
      await connect(company)
      await administer(company)
      await refuse(company)
      expect(complaints).toEqual([])
    }, 180_000)
  }
})
