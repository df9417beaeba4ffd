/** A team goes from signing up to a deployment that was approved, delivered and reported, without one call of the API by people. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { hasBrowser, openBrowser, violations } from '../support/browser.ts'
import { type Box, signalbox } from '../support/signalbox.ts'
import { playFirstHour } from './first-hour.ts'
import type { Look } from './person.ts'

const LOOKS: Record<string, Look> = {
  wide: { width: 1280 },
  dark: { width: 390, dark: true },
  plain: { width: 390, plain: true },
}

describe.skipIf(!hasBrowser)('In the first hour', () => {
  let box: Box
  let browser: Browser

  beforeAll(async () => {
    ;[box, browser] = await Promise.all([signalbox(), openBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await box?.close()
  })

  for (const [team, look] of Object.entries(LOOKS)) {
    test(`a team deploys what its agent made and a person approved: ${JSON.stringify(look)}`, async () => {
      const complaints: string[] = []
      const seen: string[] = []
      const { checklist, gate, project, posted } = await playFirstHour({
        browser,
        origin: box.base,
        look,
        team,
        picture: async (page, name) => {
          seen.push(name)
          const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
          if (isWide) complaints.push(`${name} scrolls sideways`)
          if (!look.plain) complaints.push(...(await violations(page)).map((each) => `${name}: ${each}`))
        },
      })
      expect(complaints).toEqual([])
      expect(seen.length).toBeGreaterThan(8)
      expect(checklist).toContain('9 of 9 done')
      expect(gate).toContain('Looks right.')
      expect(gate).toContain('Coding agent opened it')
      expect(gate).toContain('v1.0.0')
      expect(gate).toContain('succeeded')
      expect(project).not.toContain('Nothing yet')
      expect(project).toContain('v1.0.0')
      expect(posted.join()).toContain('Release v1.0.0')
    }, 180_000)
  }
})
