/** A Signalbox with the data of `bun run seed`, and a browser in which its people sign in. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type Clients, type Person, signInAll } from '../../bin/scenario/stage.ts'
import { openBrowser } from '../support/browser.ts'
import { type Box, Process, signalbox } from '../support/signalbox.ts'
import { type Look, openWindow, signIn } from './person.ts'

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
  window(look: Look): Promise<BrowserContext> {
    return openWindow(this.browser, this.box.base, look)
  }

  /** A page at /app. */
  async signedIn(person: Person, look: Look): Promise<Page> {
    return signIn(await this.window(look), person)
  }
}
