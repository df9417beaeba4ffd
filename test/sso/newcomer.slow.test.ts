/** docs/sso.md, step by step, with a certified provider. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { freePort } from '../../bin/support/ports.ts'
import { PUBLIC_URL } from '../support/mail.ts'
import { PageClient, type Visit } from '../support/page-client.ts'
import { codeOf, forgetCodes } from '../support/second-factors.ts'
import { PASSWORD } from '../support/signalbox.ts'
import { pathOf, SECRET, totpOf } from './provider.ts'
import { SsoBench } from './workbench.ts'

let bench: SsoBench
let port: number
let issuer: string
let child: Bun.Subprocess<'ignore', 'pipe', 'inherit'> | null = null

async function provider(redirect: string): Promise<void> {
  child?.kill()
  await child?.exited
  const script = join(import.meta.dir, 'openid-provider.mjs')
  const command = [Bun.which('node') ?? process.execPath, script, String(port), 'signalbox', SECRET, redirect]
  child = Bun.spawn(command, { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' })
  for await (const chunk of child.stdout) if (new TextDecoder().decode(chunk).includes('listening')) break
}

beforeAll(async () => {
  port = await freePort('127.0.0.1')
  issuer = `http://127.0.0.1:${port}`
  bench = await SsoBench.open({ PUBLIC_URL })
})
afterAll(async () => {
  await bench.close()
  child?.kill()
})

async function signInAt(from: URL): Promise<URL> {
  const cookies = new Map<string, string>()
  let at = from
  for (let steps = 0; steps < 10; steps++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(at, { redirect: 'manual', headers: cookie === '' ? {} : { Cookie: cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${at} answered ${response.status}: ${await response.text()}`)
    at = new URL(location, at)
    if (at.origin === PUBLIC_URL) return at
  }
  throw new Error('The provider leads in a circle')
}

const be = (claims: object) => fetch(`${issuer}/be?claims=${encodeURIComponent(JSON.stringify(claims))}`)

const hrefOf = ({ document }: Visit, text: string): string =>
  [...document.querySelectorAll('a')].find((each) => each.textContent === text)?.getAttribute('href') ?? ''

test('a newcomer follows the steps', async () => {
  const owner = await bench.box.user('Olga')
  const site = await bench.box.site(owner)
  const path = `/app/organizations/${site.organization.id}/sso`
  const browser = await PageClient.signedIn(bench.box, owner)
  // "As the owner, open People, then Single sign-on."
  const people = await browser.open(`/app/organizations/${site.organization.id}/people`)
  expect([...people.document.querySelectorAll('a')].map((each) => each.textContent)).toContain('Single sign-on')
  // 1. The redirect URI is known only after the first step.
  await provider(`${PUBLIC_URL}/later`)
  const made = await browser.press(await browser.open(path), 'Connect', { issuer, client_id: 'signalbox', client_secret: SECRET })
  const redirect = /https?:\/\/\S+\/callback/.exec(made.text)?.[0] ?? ''
  expect(redirect).not.toBe('')
  await provider(redirect)
  // 2. Domains.
  const domain = bench.newDomain()
  const claimed = await browser.press(made, 'Add the domain', { domain })
  const value = /signalbox-domain-verification=[\w-]+/.exec(claimed.html)?.[0] ?? ''
  bench.names.records.set(`_signalbox.${domain}`, [value])
  const verified = await browser.press(claimed, 'Check the record')
  // 3. "Try it", and connect your own account.
  await be({ sub: 'olga', email: `olga@${domain}`, email_verified: true, name: 'Olga' })
  const start = await browser.open(hrefOf(verified, 'Try it'))
  const at = (await browser.send('POST', start.path, '')).headers.get('location') ?? ''
  const confirm = await browser.open(pathOf(await signInAt(new URL(at))))
  expect(confirm.text).toContain(`Olga (olga@${domain})`)
  const done = await browser.press(confirm, 'Connect')
  expect(done.status).toBe(200)
  // 4. Groups, with the scope of this provider.
  const group = await owner.make(`/api/v1/organizations/${site.organization.id}/groups`, { name: 'Releases' })
  const settings = await browser.open(path)
  await browser.post(path, { scopes: 'openid email profile groups', provision: 'true' })
  expect(settings.status).toBe(200)
  const mapped = await browser.press(await browser.open(`${path}/groups`), 'Add the mapping', {
    value: 'releases',
    gives: `group ${group.id}`,
  })
  expect(mapped.text).toContain('Group Releases')
  // 5. Who must sign in with it: "You need a second factor".
  await forgetCodes(bench.box, owner)
  const secret = await totpOf(browser)
  const required = await browser.press(await browser.open(path), 'Save', { required: 'everyone' })
  expect([required.status, required.text]).toEqual([200, expect.stringContaining('Single sign-on was saved.')])
  // A colleague: the address leads to the provider.
  await be({ sub: 'ada', email: `ada@${domain}`, email_verified: true, name: 'Ada', groups: ['releases'] })
  const ada = new PageClient(bench.box)
  const led = await ada.press(await ada.open('/sign-in'), 'Continue', { email: `ada@${domain}` })
  const away = (await ada.send('POST', led.path, '')).headers.get('location') ?? ''
  expect((await ada.open(pathOf(await signInAt(new URL(away))))).path).toBe('/app')
  const members = await browser.open(`${path}/people`)
  expect(members.text).toContain('Ada')
  // "If the provider is lost": the owner opens "Sign in in another way".
  child?.kill()
  await child?.exited
  const lost = new PageClient(bench.box)
  await forgetCodes(bench.box, owner)
  const page = await lost.open(`/sign-in/sso/${redirect.split('/').at(-2)}`)
  const other = await lost.open(hrefOf(page, 'Sign in in another way'))
  const step = await lost.press(other, 'Sign in', { email: owner.email, password: PASSWORD })
  await lost.press(step, 'Sign in', { code: codeOf(secret) })
  const glass = await lost.press(await lost.open(path), 'Save', { required: 'none' })
  expect(glass.text).toContain('Single sign-on was saved.')
}, 60_000)
