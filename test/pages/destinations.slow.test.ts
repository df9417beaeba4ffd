/** The pages of hooks, dispatches and channels in a real browser. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { hasBrowser, openBrowser, openSignedIn, violations } from '../support/browser.ts'
import { Receiver } from '../support/receiver.ts'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let browser: Browser
let paths: string[]
const receiver = new Receiver()

beforeAll(async () => {
  box = await signalbox()
  ada = await box.user('Ada')
  const site = await box.site(ada)
  receiver.answer = () => new Response('x'.repeat(5_000), { status: 500 })
  const hook = await ada.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
    name: 'Deploy',
    url: `${receiver.url}/${'path'.repeat(100)}`,
    trigger_on: 'gate_approved',
  })
  const dispatch = await ada.make(`/api/v1/deployment-hooks/${hook.id}/trigger`, undefined, { Prefer: 'wait=10' })
  const channels = `/api/v1/workspaces/${site.workspace.id}/notification-channels`
  const channel = await ada.make(channels, { name: 'Room', channel_type: 'webhook', config: { url: receiver.url } })
  await ada.make(`/api/v1/notification-channels/${channel.id}/subscriptions`, { event_pattern: 'gate.*' })
  await ada.make(`${channels}/${channel.id}/test`, undefined, { Prefer: 'wait=10' })
  paths = [`/app/deployment-hooks/${hook.id}`, `/app/dispatches/${dispatch.id}`, `/app/notification-channels/${channel.id}`]
  if (hasBrowser) browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await box.close()
  await receiver.stop()
})

test.skipIf(!hasBrowser).each([
  [1280, false],
  [1280, true],
  [390, false],
  [390, true],
])(
  'at %p pixels, dark %p: accessible, without scrolling sideways',
  async (width, dark) => {
    const { page, complaints } = await openSignedIn(browser, box.base, ada.email, { width, dark })
    for (const path of paths) {
      await page.goto(box.base + path)
      expect([path, await violations(page)]).toEqual([path, []])
      expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, width])
    }
    expect(complaints).toEqual([])
    await page.close()
  },
  60_000,
)
