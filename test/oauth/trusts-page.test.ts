import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import { Machines } from './machine.ts'

let machines: Machines
let account: string
let path: string
let browser: PageClient

beforeAll(async () => {
  machines = await Machines.open()
  account = await machines.account([])
  path = `/app/service-accounts/${account}/trusts`
  browser = await PageClient.signedIn(machines.box, machines.ada)
})
afterAll(() => machines.box.close())

test('admins make and delete trusts, copy the workflow, and read why sign-ins were refused', async () => {
  const refused = await browser.press(await browser.open(path), 'Trust the issuer', { claims: 'repository: acme/shop' })
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('must name repository_id')])
  expect((await browser.press(refused, 'Trust the issuer', { claims: 'nothing' })).text).toContain('a name, a colon and a value')
  const made = await browser.press(refused, 'Trust the issuer', {
    claims: 'repository_id: 74\nref: refs/heads/main\nref: refs/heads/next\n',
  })
  for (const shown of [
    'repository_id: 74',
    'ref: refs/heads/main or refs/heads/next',
    account,
    'id-token: write',
    machines.audience,
  ])
    expect(made.text).toContain(shown)
  await machines.signIn(account, 'x')
  const page = await browser.open(path)
  expect(page.text).toContain('was refused. The assertion is not a JSON Web Token.')
  expect((await browser.press(page, 'Delete')).text).toContain('No trusts yet')
})

test('members do not see it', async () => {
  const member = await machines.box.user('Member')
  await machines.box.join(member, machines.site, 'member')
  expect((await (await PageClient.signedIn(machines.box, member)).open(path)).status).toBe(403)
})
