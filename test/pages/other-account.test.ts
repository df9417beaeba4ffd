/** One browser, in which another person signs in while a tab still shows the page of the first. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Committee } from '../gates/committee.ts'
import { PageClient, type Visit } from '../support/page-client.ts'
import { type Actor, PASSWORD } from '../support/signalbox.ts'

let committee: Committee
let browser: PageClient

beforeAll(async () => {
  committee = await Committee.meet({ workers: 0 })
  browser = await PageClient.signedIn(committee.box, committee.ada)
})
afterAll(() => committee.close())

const signIn = async ({ email }: Actor): Promise<void> => {
  expect((await browser.post('/sign-in', { email, password: PASSWORD })).status).toBe(200)
}

/** A gate, and its page as the first person sees it. */
async function shownTo(person: Actor, input: object = {}): Promise<{ id: string; page: Visit }> {
  const { id } = await committee.opened(input)
  await signIn(person)
  return { id, page: await browser.open(`/app/gates/${id}`) }
}

const gateOf = async (id: string) => (await committee.ada.get(`/api/v1/gates/${id}`)).body

describe('A form of the first person', () => {
  test('does not decide as the second, says who is signed in, and can be sent again', async () => {
    const { id, page } = await shownTo(committee.ada)
    await signIn(committee.grace)
    const refused = await browser.press(page, 'Approve', { comment: 'Looks good.' })
    expect(refused.status).toBe(409)
    expect(refused.text).toContain(`You are signed in as Grace (${committee.grace.email}) now`)
    expect(refused.document.querySelector('textarea')?.textContent).toBe('Looks good.')
    expect(await gateOf(id)).toMatchObject({ status: 'pending', approvals: [] })
    await browser.press(refused, 'Approve')
    expect(await gateOf(id)).toMatchObject({ status: 'approved', decided_by: committee.grace.id })
  })

  test('says so too where the second may not see the page', async () => {
    const { id, page } = await shownTo(committee.ada)
    const stranger = await committee.box.user('Stranger')
    await signIn(stranger)
    const refused = await browser.press(page, 'Approve')
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('You are signed in as Stranger')])
    expect((await gateOf(id)).status).toBe('pending')
  })

  test('does not sign the second out', async () => {
    const { page } = await shownTo(committee.ada)
    await signIn(committee.grace)
    expect((await browser.press(page, 'Sign out')).status).toBe(409)
    expect((await browser.open('/app')).status).toBe(200)
  })

  test('works while the first is signed in, also in a new session', async () => {
    const { id, page } = await shownTo(committee.ada)
    await signIn(committee.ada)
    expect((await browser.press(page, 'Approve')).status).toBe(200)
    expect((await gateOf(id)).status).toBe('approved')
  })
})

test('every form names the account for which its page was made', async () => {
  const { site, ada } = committee
  const channel = { name: 'Ops', channel_type: 'webhook', config: { url: 'https://example.com/' } }
  const { id } = await ada.make(`/api/v1/workspaces/${site.workspace.id}/notification-channels`, channel)
  await shownTo(ada)
  let forms = 0
  for (const path of [
    '',
    '/notifications',
    '/account',
    '/account/tokens',
    '/account/preferences',
    `/organizations/${site.organization.id}`,
    `/organizations/${site.organization.id}/audit-log`,
    `/workspaces/${site.workspace.id}`,
    `/projects/${site.project.id}`,
    `/projects/${site.project.id}/rollback`,
    `/notification-channels/${id}`,
  ]) {
    const { document } = await browser.open(`/app${path}`)
    for (const form of document.querySelectorAll('form[method=post]')) {
      forms += 1
      const field = form.querySelector('input[name=account_id]')
      expect([path, form.getAttribute('action'), field?.getAttribute('value')]).toEqual([
        path,
        form.getAttribute('action'),
        ada.id,
      ])
    }
  }
  expect(forms).toBeGreaterThan(20)
})

test('a form whose session has ended says so, and leads back', async () => {
  const { id, page } = await shownTo(committee.ada)
  await committee.box.sql`update sessions set ended_at = now() where id in (select session_id from session_cookies)`
  const shown = await browser.press(page, 'Approve')
  expect(shown.path).toBe(`/sign-in?next=${encodeURIComponent(`/app/gates/${id}`)}`)
  expect(shown.text).toContain('Your session has ended, and nothing was changed. Sign in again.')
  const opened = await browser.open(`/app/gates/${id}`)
  expect(opened.text).toContain('Your session has ended. Sign in again.')
  expect((await new PageClient(committee.box).open('/app')).text).not.toContain('has ended')
})

describe('A session cookie', () => {
  const cookieOf = async (person: Actor) => (await PageClient.signedIn(committee.box, person)).cookies.get('signalbox') ?? ''

  /** The account that a request with these cookies acts as; null for none. */
  async function accountOf(cookies: string): Promise<string | null> {
    const response = await new PageClient(committee.box).send('GET', '/app/account', undefined, { Cookie: cookies })
    if (response.status === 303) return null
    return /data-account="([^"]+)"/.exec(await response.text())?.[1] ?? null
  }

  test('counts only under its exact name', async () => {
    const [mine, other] = [await cookieOf(committee.ada), await cookieOf(committee.grace)]
    for (const name of ['\xA0signalbox', 'signalbox\xA0', 'Signalbox', '"signalbox"', 'x-signalbox']) {
      expect([name, await accountOf(`a=b; ${name}=${other}`)]).toEqual([name, null])
      expect([name, await accountOf(`${name}=${other}; signalbox=${mine}`)]).toEqual([name, committee.ada.id])
    }
    for (const blanks of ['', ' ', '  ', '\t']) {
      expect(await accountOf(`a=b;${blanks}signalbox=${mine}${blanks};c`)).toBe(committee.ada.id)
    }
  })

  test('that is sent twice counts as none', async () => {
    const [mine, other] = [await cookieOf(committee.ada), await cookieOf(committee.grace)]
    expect(await accountOf(`signalbox=${other}; signalbox=${mine}`)).toBeNull()
    expect(await accountOf(`signalbox=${mine}; signalbox=${mine}`)).toBeNull()
    expect(await accountOf(`signalbox=; signalbox=${mine}`)).toBeNull()
  })
})
