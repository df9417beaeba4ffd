/** A Signalbox with the data of `bun run seed`, and a browser in which its people sign in. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type Clients, PASSWORD, PEOPLE, type Person, signInAll } from '../../bin/seed/accounts.ts'
import { openBrowser } from '../support/browser.ts'
import { type Box, Process, signalbox } from '../support/signalbox.ts'

export interface Look {
  width: number
  dark?: boolean
  /** Without JavaScript. */
  plain?: boolean
}

export class SeededApp {
  private constructor(
    readonly box: Box,
    readonly browser: Browser,
    /** The API, by person. */
    readonly clients: Clients,
  ) {}

  static async open(): Promise<SeededApp> {
    const [box, browser] = await Promise.all([signalbox({ environment: { HOOK_RETRY_SECONDS: '0.2,60' } }), openBrowser()])
    const seeding = new Process('bin/seed.ts', { SIGNALBOX_URL: box.base, DATABASE_URL: box.url })
    if ((await seeding.exited) !== 0) throw new Error(`The seed failed:\n${seeding.lines.join('\n')}`)
    return new SeededApp(box, browser, await signInAll(box.base))
  }

  async close(): Promise<void> {
    await this.browser.close()
    await this.box.close()
  }

  /** A browser window without a session. */
  window({ width, dark = false, plain = false }: Look = { width: 1280 }): Promise<BrowserContext> {
    return this.browser.newContext({
      baseURL: this.box.base,
      viewport: { width, height: 900 },
      colorScheme: dark ? 'dark' : 'light',
      javaScriptEnabled: !plain,
    })
  }

  /** A page at /app, after signing in by keyboard. */
  async signedIn(person: Person, look?: Look): Promise<Page> {
    const page = await (await this.window(look)).newPage()
    await page.goto('/sign-in')
    await page.focus('#email')
    await page.keyboard.type(PEOPLE[person].email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/app')
    return page
  }
}
