import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Mailbox, PUBLIC_URL } from '../support/mailbox.ts'
import { type Actor, type Answer, type Box, PASSWORD, signalbox } from '../support/signalbox.ts'
import { refused } from './mailing-box.ts'

let mail: Mailbox
let box: Box

beforeAll(async () => {
  mail = await Mailbox.open()
  box = await signalbox({ environment: mail.environment })
})
afterAll(() => box.close())

/** Registers, and opens the link mailed to an address. */
async function registerAndVerify(
  email: string,
  mailedTo: string,
): Promise<(method: string, path: string, body?: unknown) => Promise<Answer>> {
  const { status, body } = await box.request('POST', '/api/v1/auth/register', { email, name: 'Person', password: PASSWORD })
  expect([status, body.user.email]).toEqual([201, mailedTo])
  const token = await mail.token(box, mailedTo, 'verify-email')
  expect((await box.request('POST', '/api/v1/auth/verify-email', { token })).body.email_verified).toBeTrue()
  return (method, path, input) => box.request(method, path, input, { Authorization: `Bearer ${body.access_token}` })
}

test('an invitation is neither shown to nor accepted by a user with a look-alike address', async () => {
  const owner: Actor = await box.user('Owner')
  const { organization } = await box.site(owner)
  const invited = { email: 'Victim@GitHub.example', role: 'admin' }
  const invitation = await owner.make(`/api/v1/organizations/${organization.id}/members`, invited)
  expect(invitation.email).toBe('victim@github.example')
  const { text } = await mail.newest(box, 'victim@github.example', '“Owner” invites you to “Acme Robotics”')
  const [, token] = new RegExp(`${PUBLIC_URL}/invitations\\?token=([\\w-]+)\\s`).exec(text) ?? []

  const attacker = await registerAndVerify('victim@gİthub.example', 'victim@xn--github-qyd.example')
  const neighbor = await registerAndVerify('vİctim@github.example', 'vİctim@github.example')
  for (const stranger of [attacker, neighbor]) {
    expect((await stranger('GET', '/api/v1/users/me/invitations')).body).toEqual([])
    expect((await stranger('GET', '/api/v1/notifications')).body.total).toBe(0)
    for (const path of [
      `/api/v1/users/me/invitations/${invitation.id}/accept`,
      `/api/v1/users/me/invitations/${invitation.id}/decline`,
    ])
      expect(await stranger('POST', path)).toMatchObject(refused)
    expect(await stranger('POST', '/api/v1/invitations/accept', { token })).toMatchObject(refused)
    expect((await stranger('GET', `/api/v1/organizations/${organization.id}`)).status).toBe(404)
  }

  const victim = await registerAndVerify('victim@GITHUB.example', 'victim@github.example')
  expect((await victim('GET', '/api/v1/users/me/invitations')).body).toEqual([invitation])
  const accepted = await victim('POST', `/api/v1/users/me/invitations/${invitation.id}/accept`)
  expect([accepted.status, accepted.body.role]).toEqual([200, 'admin'])
})
