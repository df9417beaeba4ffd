/** Pages that follow changes, in a real browser. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { modern } from '../mcp/agents.ts'
import { hasBrowser, openBrowser, openSignedIn, signIn } from '../support/browser.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { apiRequest, sendLogs } from '../usage/otlp.ts'

let box: Box
let ada: Actor
let lin: Actor
let site: Site
let browser: Browser
let page: Page
let complaints: string[]

beforeAll(async () => {
  box = await signalbox()
  ada = await box.user('Ada')
  lin = await box.user('Lin')
  site = await box.site(ada)
  await box.join(lin, site, 'member', 'admin')
  if (!hasBrowser) return
  browser = await openBrowser()
  ;({ page, complaints } = await openSignedIn(browser, box.base, ada.email))
})
afterAll(async () => {
  await browser?.close()
  await box.close()
})

async function openGate(name: string, input: object = {}) {
  const execution = await box.running(lin, site.project.id)
  return lin.make(`/api/v1/executions/${execution.id}/gates`, { name, ...input })
}

test.skipIf(!hasBrowser)(
  'a gate that is opened appears, and one that is decided disappears',
  async () => {
    await page.waitForSelector('text=No gate waits for you.')
    const gate = await openGate('Live review')
    await page.waitForSelector('#gates >> text=Live review')
    await page.waitForSelector('.side a[href="/app/notifications"] .count >> text=1')
    await lin.make(`/api/v1/gates/${gate.id}/approve`)
    await page.waitForSelector('text=No gate waits for you.')
    expect(complaints).toEqual([])
  },
  60_000,
)

test.skipIf(!hasBrowser)(
  'a link that has the focus keeps it when a gate appears',
  async () => {
    const gate = await openGate('Focused review')
    const link = `#gates a[href="/app/gates/${gate.id}"]`
    await page.focus(link)
    const other = await openGate('Another review')
    await page.waitForSelector('#gates >> text=Another review')
    expect(await page.evaluate('document.activeElement.getAttribute("href")')).toBe(`/app/gates/${gate.id}`)
    for (const { id } of [gate, other]) await lin.make(`/api/v1/gates/${id}/approve`)
    await page.waitForSelector('text=No gate waits for you.')
    expect(complaints).toEqual([])
  },
  60_000,
)

test.skipIf(!hasBrowser)(
  'the page of a gate follows its approvals, and keeps what is being typed',
  async () => {
    const fields = [
      { name: 'rehearsed', label: 'Rehearsed?', type: 'boolean', required: false },
      { name: 'window', label: 'Window', type: 'choice', choices: ['today', 'tonight'], required: false },
    ]
    const gate = await openGate('Typed review', { required_approvals: 2, fields })
    await page.goto(`${box.base}/app/gates/${gate.id}`)
    await page.check('[name="answers/rehearsed"][value="true"]')
    await page.selectOption('[name="answers/window"]', 'tonight')
    await page.click('#comment')
    await page.keyboard.type('Half a sen')
    await lin.make(`/api/v1/gates/${gate.id}/approve`)
    await page.waitForSelector('text=Approvals: 1 of 2')
    await page.keyboard.type('tence')
    expect(await page.inputValue('#comment')).toBe('Half a sentence')
    expect(await page.isChecked('[name="answers/rehearsed"][value="true"]')).toBe(true)
    expect(await page.inputValue('[name="answers/window"]')).toBe('tonight')
    await lin.make(`/api/v1/gates/${gate.id}/reject`, { comment: 'No' })
    await page.waitForSelector('#decision >> text=Lin rejected this gate')
    await page.waitForSelector('text=What you had typed: Half a sentence')
    expect(complaints).toEqual([])
  },
  60_000,
)

/** Windows of one browser, with the session of Ada. */
const signedInContext = async () => browser.newContext({ storageState: await page.context().storageState() })

test.skipIf(!hasBrowser)(
  'more windows than a browser has connections all follow changes, and still load pages',
  async () => {
    const context = await signedInContext()
    const windows: Page[] = []
    for (let index = 0; index < 8; index += 1) {
      const each = await context.newPage()
      await each.goto(`${box.base}/app`)
      windows.push(each)
    }
    const gate = await openGate('Review in all windows')
    await Promise.all(windows.map((each) => each.waitForSelector('#gates >> text=Review in all windows')))
    await windows[0]?.goto(`${box.base}/app/gates/${gate.id}`)
    await lin.make(`/api/v1/gates/${gate.id}/approve`)
    await windows[0]?.waitForSelector('#decision >> text=Lin approved this gate')
    await Promise.all(windows.slice(1).map((each) => each.waitForSelector('text=No gate waits for you.')))
    await context.close()
  },
  60_000,
)

test.skipIf(!hasBrowser).each([
  ['without shared workers', 'delete globalThis.SharedWorker'],
  ['that refuses them', 'globalThis.SharedWorker = class { constructor() { throw new DOMException("", "SecurityError") } }'],
  ['of a few years ago', 'delete Map.groupBy'],
])(
  'a browser %s follows changes too',
  async (_, content) => {
    const context = await signedInContext()
    const other = await context.newPage()
    await other.addInitScript(content)
    await other.goto(`${box.base}/app`)
    const gate = await openGate('Review without shared workers')
    await other.waitForSelector('#gates >> text=Review without shared workers')
    await lin.make(`/api/v1/gates/${gate.id}/approve`)
    await other.waitForSelector('text=No gate waits for you.')
    await context.close()
  },
  60_000,
)

test.skipIf(!hasBrowser)(
  'the page of a gate follows what its approval has sent',
  async () => {
    await ada.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
      name: 'Deploys',
      environment: 'staging',
      mode: 'pull',
      trigger_on: 'gate_approved',
      report_within_seconds: 600,
    })
    const gate = await openGate('Sent review')
    await page.goto(`${box.base}/app/gates/${gate.id}`)
    await lin.make(`/api/v1/gates/${gate.id}/approve`)
    await page.waitForSelector('#sent >> text=pending')
    const [{ id }] = await box.sql<[{ id: string }]>`select id from dispatches where gate_id = ${gate.id}`
    await lin.make(`/api/v1/dispatches/${id}/report`, { state: 'failed' })
    await page.waitForSelector('#sent >> text=failed')
  },
  60_000,
)

/** Adds up how far things move that nobody has moved (Cumulative Layout Shift), from the beginning of a page. */
const MEASURE_SHIFTS = `globalThis.shift = 0
new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shift += entry.value })
  .observe({ type: 'layout-shift', buffered: true })`

test.skipIf(!hasBrowser)(
  'hardly anything moves when the font arrives, and when a gate appears',
  async () => {
    const context = await signedInContext()
    const window = await context.newPage()
    await window.addInitScript(MEASURE_SHIFTS)
    const font = Promise.withResolvers<void>()
    await window.route('**/*.woff2', async (route) => {
      await font.promise
      await route.continue()
    })
    await window.goto(`${box.base}/app`, { waitUntil: 'commit' })
    await window.waitForSelector('#gates')
    const nextFrame = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))'
    await window.evaluate(nextFrame)
    font.resolve()
    await window.evaluate('document.fonts.load("500 1rem Inter").then(() => document.fonts.ready)')
    await window.evaluate(nextFrame)
    expect(await window.evaluate('globalThis.shift')).toBeLessThan(0.02)
    const gate = await openGate('Review that appears')
    await window.waitForSelector('#gates >> text=Review that appears')
    await window.evaluate(nextFrame)
    expect(await window.evaluate('globalThis.shift')).toBeLessThan(0.05)
    await lin.make(`/api/v1/gates/${gate.id}/approve`)
    await context.close()
  },
  60_000,
)

test.skipIf(!hasBrowser)(
  'a page stays that of its person when another signs in, and says when a session has ended',
  async () => {
    const [context, elsewhere] = [await browser.newContext(), await browser.newContext()]
    const signedIn = async ({ email }: Actor, window = context) => signIn(await window.newPage(), box.base, email)
    const first = await signedIn(ada)
    await openGate('Review that is followed')
    await first.waitForSelector('#gates >> text=Review that is followed')
    // Signed out in between, the first page might end because nobody is signed in.
    await signedIn(lin, elsewhere)
    await context.addCookies(await elsewhere.cookies())
    const second = await context.newPage()
    await second.goto(`${box.base}/app`)
    await openGate('Review for another person')
    await first.waitForSelector('text=You are signed in as another person now.')
    expect(await first.textContent('.me')).toContain('Ada')
    await openGate('Review of this person')
    await second.waitForSelector('#gates >> text=Review of this person')
    await box.sql`update sessions set ended_at = now() where user_id = ${lin.id}`
    await second.waitForSelector('text=Your session has ended.')
    await Promise.all([context.close(), elsewhere.close()])
  },
  60_000,
)

test.skipIf(!hasBrowser)(
  'the lights of an agent turn on with its first call and its first usage, and the page of its execution follows',
  async () => {
    const { project } = await box.site(ada, 'Lights')
    await page.goto(`${box.base}/app/projects/${project.id}/connect`)
    await page.waitForSelector('text=waiting for the first call')
    const execution = await box.running(ada, project.id, { cost_from: 'telemetry' })
    await sendLogs(ada, execution.id, apiRequest())
    await page.waitForSelector('text=connected')
    await page.waitForSelector('text=waiting for the first call')
    await using agent = await modern(box.base, (await ada.make('/api/v1/auth/tokens', { name: 'Agent' })).token)
    await agent.call('list_work', { project_id: project.id })
    await page.waitForSelector('text=waiting for the first call', { state: 'detached' })
    await page.goto(`${box.base}/app/executions/${execution.id}`)
    await page.waitForSelector('text=$0.0123')
    await sendLogs(ada, execution.id, apiRequest({ cost_usd: '2' }))
    await page.waitForSelector('text=$2.01')
  },
  60_000,
)
