/** A real browser for tests of pages. */
import { type Browser, chromium, type Page } from 'playwright-core'
import { PASSWORD } from './actor.ts'
import { find } from './programs.ts'

const path = find('chromium', 'pages in a browser')

/** Tests that need a browser are skipped without one. */
export const hasBrowser = path !== null

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: path ?? '', args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] })

const axe = Bun.file(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir)).text()

/** The violations that axe-core reports for the current page: rule, and the first element that violates it. */
export async function violations(page: Page): Promise<string[]> {
  // Evaluated as in the developer console, so that the Content-Security-Policy of the page stays in force.
  const session = await page.context().newCDPSession(page)
  const { result } = await session.send('Runtime.evaluate', {
    expression: `${await axe}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
    awaitPromise: true,
    returnByValue: true,
  })
  return result.value
}

/**
 * What can be pressed on the current page and is smaller than 24 by 24 CSS pixels (WCAG 2.2, 2.5.8), with its size. Links in a sentence may be
 * as high as its lines. A label is a part of what it names.
 */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const PRESSED = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]'
    const words = /[\\p{L}\\p{N}]/u
    const blockOf = (element) => {
      let block = element.parentElement
      while (/^inline|^contents/.test(getComputedStyle(block).display)) block = block.parentElement
      return block
    }
    const isInSentence = (element) => {
      if (getComputedStyle(element).display !== 'inline') return false
      const walker = document.createTreeWalker(blockOf(element), NodeFilter.SHOW_TEXT)
      for (let text = walker.nextNode(); text; text = walker.nextNode())
        if (blockOf(text) === blockOf(element) && words.test(text.data) && !text.parentElement.closest(PRESSED)) return true
      return false
    }
    const boxOf = (element) => {
      const boxes = [element, ...(element.labels ?? [])].map((each) => each.getBoundingClientRect())
      const side = (of, name) => of(...boxes.map((box) => box[name]))
      return { width: side(Math.max, 'right') - side(Math.min, 'left'), height: side(Math.max, 'bottom') - side(Math.min, 'top') }
    }
    return [...document.querySelectorAll(PRESSED)]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.matches('.skip, .unseen, .unseen *'))
      .filter((element) => !isInSentence(element))
      .map((element) => ({ element, ...boxOf(element) }))
      .filter(({ width, height }) => Math.min(width, height) < 23.9)
      .map(({ element, width, height }) =>
        element.tagName.toLowerCase() + ' "' + (element.textContent || element.name).trim() + '" ' + Math.round(width) + 'x' + Math.round(height))
  })()`)

/** Opens a page and records its errors and its requests to other origins. */
export async function openPage(
  browser: Browser,
  url: string,
  look: { width?: number; dark?: boolean } = {},
): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage({
    viewport: { width: look.width ?? 1280, height: 900 },
    colorScheme: look.dark ? 'dark' : 'light',
  })
  const complaints: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin) complaints.push(`asks ${request.url()}`)
  })
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`)
  })
  await page.goto(url)
  return { page, complaints }
}

/** Signs a user in. @param next the page that is shown then */
export async function signIn(page: Page, origin: string, email: string, next = '/app'): Promise<Page> {
  await page.goto(`${origin}/sign-in?next=${next}`)
  await page.fill('#email', email)
  await page.fill('#password', PASSWORD)
  await Promise.all([page.waitForURL(origin + next), page.keyboard.press('Enter')])
  return page
}

/** As `openPage`, with the first page of a user who is signed in. */
export async function openSignedIn(browser: Browser, origin: string, email: string, look = {}): ReturnType<typeof openPage> {
  const opened = await openPage(browser, `${origin}/sign-in`, look)
  await signIn(opened.page, origin, email)
  return opened
}
