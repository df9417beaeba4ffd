/** The consent page in a real browser, which applies the policy of the page to where its form leads. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { hasBrowser, openBrowser, violations } from '../support/browser.ts'
import { type Actor, PASSWORD } from '../support/signalbox.ts'
import { ClientFlow, callbackIn } from './client-flow.ts'

describe.skipIf(!hasBrowser)('The consent page', () => {
  let flow: ClientFlow
  let ada: Actor
  let browser: Browser

  beforeAll(async () => {
    flow = await ClientFlow.open({ RATE_LIMIT: '0' })
    ada = await flow.box.user('Ada')
    await flow.box.site(ada)
    await flow.box.site(ada)
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await flow?.close()
  })

  /** Comes from the client, and signs in. */
  async function open(options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
    const page = await browser.newPage(options)
    await page.goto(flow.issuer + flow.path())
    await page.fill('[name=email]', ada.email)
    await page.fill('[name=password]', PASSWORD)
    await page.click('button:text-is("Sign in")')
    await page.waitForSelector('h1:text-is("Allow this client?")')
    return page
  }

  test.each([
    [1280, 'light'],
    [1280, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)('is accessible and fits at %i px, %s', async (width, colorScheme) => {
    const page = await open({ viewport: { width, height: 900 }, colorScheme })
    expect(await violations(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    await page.goto(`${flow.issuer}${flow.path({ client_id: flow.host.answering(() => new Response('', { status: 404 })) })}`)
    expect(await page.textContent('h1')).toBe('This client cannot be allowed')
    expect(await violations(page)).toEqual([])
    await page.close()
  })

  test.each([true, false])('leads back to the client, with JavaScript: %p', async (javaScriptEnabled) => {
    for (const button of ['Allow', 'Deny']) {
      const page = await open({ javaScriptEnabled })
      if (button === 'Allow') await page.selectOption('[name=organization_id]', 'all')
      await page.click(`button:text-is("${button}")`)
      await page.waitForURL(`${flow.redirect_uri}?**`)
      const { parameters } = callbackIn(page.url())
      expect([parameters.state, parameters.iss, 'code' in parameters]).toEqual(['a state', flow.issuer, button === 'Allow'])
      await page.close()
    }
  })

  test.each([true, false])(
    'says after signing in what a client asks wrongly, and leads back to it, with JavaScript: %p',
    async (javaScriptEnabled) => {
      const page = await browser.newPage({ javaScriptEnabled })
      await page.goto(flow.issuer + flow.path({ scope: 'decide' }))
      await page.fill('[name=email]', ada.email)
      await page.fill('[name=password]', PASSWORD)
      await page.click('button:text-is("Sign in")')
      await page.waitForSelector('h1:text-is("This client cannot be allowed")')
      if (javaScriptEnabled) expect(await violations(page)).toEqual([])
      await page.click('a:text-is("Go back to the program")')
      await page.waitForURL(`${flow.redirect_uri}?**`)
      expect(callbackIn(page.url()).parameters).toMatchObject({ error: 'invalid_scope', state: 'a state', iss: flow.issuer })
      // Without the form it leads to the client at once.
      await page.goto(flow.issuer + flow.path({ scope: 'decide' }))
      expect(page.url()).toStartWith(flow.redirect_uri)
      await page.close()
    },
  )

  test('is not shown in a frame of another page', async () => {
    const page = await open()
    await page.goto('data:text/html,<title>Win a prize</title>')
    await page.evaluate((src) => {
      const frame = document.createElement('iframe')
      frame.src = src
      document.body.append(frame)
      return new Promise((resolve) => frame.addEventListener('load', resolve))
    }, flow.issuer + flow.path())
    expect(page.frames().map((frame) => new URL(frame.url() || 'about:blank').protocol)).not.toContain('http:')
    await page.close()
  })
})
