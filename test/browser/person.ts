/** Browser windows of the people of `bun run seed`. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { PASSWORD, PEOPLE, type Person } from '../../bin/scenario/stage.ts'
import { PATIENCE_MS } from '../support/patience.ts'

export interface Look {
  width: number
  dark?: boolean
  /** Without JavaScript. */
  plain?: boolean
}

/** A browser window without a session. @param origin of the Signalbox */
export async function openWindow(
  browser: Browser,
  origin: string,
  { width, dark = false, plain = false }: Look,
): Promise<BrowserContext> {
  const window = await browser.newContext({
    baseURL: origin,
    viewport: { width, height: 900 },
    colorScheme: dark ? 'dark' : 'light',
    javaScriptEnabled: !plain,
  })
  window.setDefaultTimeout(PATIENCE_MS)
  return window
}

/** Signs a person in by keyboard. @returns the page at /app */
export async function signIn(window: BrowserContext, person: Person): Promise<Page> {
  const page = await window.newPage()
  await page.goto('/sign-in')
  await page.focus('#email')
  await page.keyboard.type(PEOPLE[person].email)
  await page.keyboard.press('Enter')
  await page.focus('#password')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/app')
  return page
}
