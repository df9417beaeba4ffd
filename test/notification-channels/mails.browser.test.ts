/** Mails as mail programs show them, on a phone and on a desk, light and dark. `SCREENSHOTS=1` makes their pictures in docs anew. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { messageOf } from '../../worker/event-messages/index.ts'
import { mailOf } from '../../worker/notification-channels/email/mail.ts'
import { hasBrowser, openBrowser, violations } from '../support/browser.ts'
import { EXAMPLE_DATA, exampleOf } from './examples.ts'

const SIZES = [390, 1280]
const LOOKS = ['light', 'dark'] as const

const gateOf = (name: string) => {
  const data = EXAMPLE_DATA['gate.pending'] as { gate: object; requirement: object }
  return { gate: { ...data.gate, name, description: name }, requirement: { ...data.requirement, title: name } }
}

const MAILS: [what: string, event: string, data: object | undefined][] = [
  ['a pending gate', 'gate.pending', undefined],
  ['a comparison', 'dual_track.compared', undefined],
  ['a failed execution', 'execution.failed', undefined],
  ['a name of 200 characters without spaces', 'gate.pending', gateOf('W'.repeat(200))],
  ['a right-to-left name', 'gate.pending', gateOf('مراجعة الإصدار')],
]

/** Mails with a picture in the documentation. */
const PICTURES: Record<string, string> = { 'a comparison': 'mail-comparison' }

const htmlOf = (event: string, data: object | undefined): string =>
  mailOf('c', { from_address: 'a@example.com', to_addresses: ['b@example.com'] }, { id: 'm' }, messageOf(exampleOf(event, data)))
    .html as string

describe.skipIf(!hasBrowser)('The mail about', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  describe.each(MAILS)('%s', (what, event, data) => {
    test.each(SIZES.flatMap((width) => LOOKS.map((look) => [width, look] as const)))(
      'fits %i px in %s and is readable',
      async (width, look) => {
        const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme: look })
        await page.setContent(htmlOf(event, data))
        const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
        expect(overflow).toBe(0)
        // A mail is a part of the page of its program, which has the landmarks.
        expect((await violations(page)).filter((each) => !/^(landmark|region)/.test(each))).toEqual([])
        const action = page.getByRole('link', { name: 'Open in Signalbox' })
        expect(await action.isVisible()).toBeTrue()
        const picture = PICTURES[what]
        const name = width === 1280 ? look : look === 'light' ? 'phone' : null
        if (process.env.SCREENSHOTS && picture && name) {
          const folder = `${import.meta.dir}/../../docs/screenshots`
          await page.locator('body').screenshot({ path: `${folder}/${picture}-${name}.png` })
        }
        await page.close()
      },
    )
  })
})
