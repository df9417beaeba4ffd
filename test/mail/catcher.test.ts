/** The pages of the mail catcher of `bun start`. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createTransport } from 'nodemailer'
import { type MailCatcher, startMailCatcher } from '../../bin/support/mail-catcher.ts'
import { freePort } from '../../bin/support/ports.ts'

let catcher: MailCatcher
let origin: string

beforeAll(async () => {
  const webPort = await freePort()
  catcher = await startMailCatcher({ smtpPort: await freePort(), webPort })
  origin = `http://localhost:${webPort}`
  const mailer = createTransport(catcher.smtpUrl)
  const common = { from: 'post@example.com', to: 'ada@example.com' }
  await mailer.sendMail({ ...common, subject: 'First', text: 'Open http://localhost/x?a=1&b=2 <now>.' })
  await mailer.sendMail({ ...common, subject: '<b>Second</b>', text: 'Hello', html: '<p title="a">Hello</p>' })
})
afterAll(() => catcher?.stop())

const page = async (path: string): Promise<string> => (await fetch(origin + path)).text()

test('lists what it caught, newest first, as JSON and as a page', async () => {
  const listed = (await (await fetch(`${origin}/messages`)).json()) as { id: string; subject: string; to: string[] }[]
  expect(listed.map(({ subject, to }) => [subject, to])).toEqual([
    ['<b>Second</b>', ['ada@example.com']],
    ['First', ['ada@example.com']],
  ])
  const html = await page('/')
  expect(html.indexOf('&lt;b&gt;Second')).toBeLessThan(html.indexOf('First'))
  for (const { id } of listed) expect(html).toContain(`href="/${id}"`)
})

test('shows a message as text, in which addresses are links, and its HTML in a frame without scripts', async () => {
  const [second, first] = catcher.messages
  expect(await page(`/${first?.id}`)).toContain(
    'Open <a href="http://localhost/x?a=1&amp;b=2">http://localhost/x?a=1&amp;b=2</a> &lt;now&gt;.',
  )
  const html = await page(`/${second?.id}`)
  expect(html).toContain('&lt;p title=&quot;a&quot;&gt;Hello')
  expect(html).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"')
  expect(html).not.toContain('<b>')
})

test('answers only to its own names', async () => {
  expect((await fetch(origin, { headers: { Host: 'evil.example.com' } })).status).toBe(403)
  expect((await fetch(`${origin}/nothing`)).status).toBe(404)
})
