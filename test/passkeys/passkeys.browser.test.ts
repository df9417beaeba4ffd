/** Passkeys in a browser, whose authenticator is virtual: adding and removing them, signing in, and deciding gates. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { originOf } from '../support/authenticator.ts'
import { hasBrowser, openBrowser, violations } from '../support/browser.ts'
import { type Actor, type Box, PASSWORD, type Site, signalbox } from '../support/signalbox.ts'

/** An authenticator of a page: of the device, with a person who is verified at once. */
class Device {
  private constructor(
    readonly cdp: CDPSession,
    readonly id: string,
  ) {}

  static async of(page: Page): Promise<Device> {
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        ctap2Version: 'ctap2_1',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    return new Device(cdp, authenticatorId)
  }

  /** Whether someone touches it. */
  touch(enabled: boolean) {
    return this.cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: this.id, enabled })
  }

  /** Whether it recognizes the person. */
  recognize(isUserVerified: boolean) {
    return this.cdp.send('WebAuthn.setUserVerified', { authenticatorId: this.id, isUserVerified })
  }

  async credentials() {
    return (await this.cdp.send('WebAuthn.getCredentials', { authenticatorId: this.id })).credentials
  }
}

describe.skipIf(!hasBrowser)('Passkeys in a browser', () => {
  let box: Box
  let browser: Browser
  let ada: Actor
  let site: Site
  let context: BrowserContext
  let page: Page
  let device: Device
  let complaints: string[]

  beforeAll(async () => {
    ;[box, browser] = await Promise.all([signalbox({ workers: 0 }), openBrowser()])
  })
  afterAll(async () => {
    await browser.close()
    await box.close()
  })
  beforeEach(async () => {
    ada = await box.user('Ada')
    site = await box.site(ada)
    await ada.put(`/api/v1/projects/${site.project.id}/environments/production/policy`, { require_passkey: true })
    context = await browser.newContext({ baseURL: originOf(box) })
    page = await context.newPage()
    complaints = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    device = await Device.of(page)
  })

  const signIn = async () => {
    await page.goto('/sign-in')
    await page.fill('#email', ada.email)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.fill('#password', PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL('**/app')
  }

  const addPasskey = async (name: string) => {
    await page.goto('/app/account/passkeys')
    await page.fill('#name', name)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText(`The passkey ${name} was added.`).waitFor()
  }

  const signOut = async () => {
    await page.click('.me summary')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/sign-in')
  }

  /** Leaves passkeys to the button: at once touched, the authenticator would answer what the field of the address offers. */
  const offerNothing = () =>
    page.addInitScript({ content: 'PublicKeyCredential.isConditionalMediationAvailable = async () => false' })

  const openGate = async () =>
    ada.make(`/api/v1/projects/${site.project.id}/gates`, { name: 'Release', environment: 'production' })

  test('are added, used to sign in, and removed', async () => {
    await signIn()
    await addPasskey('Laptop')
    expect(await violations(page)).toEqual([])
    expect(await device.credentials()).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }])
    await offerNothing()
    await signOut()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL('**/app')
    await page.goto('/app/account/passkeys')
    page.on('dialog', (dialog) => dialog.accept())
    await page.getByRole('button', { name: 'Remove the passkey Laptop' }).click()
    await page.getByText('You have no passkey.').waitFor()
    expect(complaints).toEqual([])
  })

  test.each([
    [
      'without the functions for JSON',
      'delete PublicKeyCredential.parseCreationOptionsFromJSON; delete PublicKeyCredential.parseRequestOptionsFromJSON',
    ],
    [
      'whose objects throw, and have only what is required',
      `for (const name of ['create', 'get']) {
        const ask = navigator.credentials[name].bind(navigator.credentials)
        navigator.credentials[name] = async (options) => {
          const { id, rawId, response } = await ask(options)
          const { clientDataJSON, attestationObject, authenticatorData, signature, userHandle } = response
          const bytes = { clientDataJSON, attestationObject, authenticatorData, signature, userHandle }
          const toJSON = () => { throw new TypeError('Illegal invocation') }
          return { id, rawId, toJSON, getClientExtensionResults: toJSON, response: { ...bytes, toJSON, getTransports: toJSON } }
        }
      }`,
    ],
    [
      'whose objects have views of bytes, and members of other types',
      `for (const name of ['create', 'get']) {
        const ask = navigator.credentials[name].bind(navigator.credentials)
        navigator.credentials[name] = async (options) => {
          const { id, response } = await ask(options)
          const view = (bytes) => bytes && new Uint8Array([0, ...new Uint8Array(bytes)]).subarray(1)
          const { clientDataJSON, attestationObject, authenticatorData, signature, userHandle } = response
          const bytes = { clientDataJSON, attestationObject, authenticatorData, signature, userHandle }
          const views = Object.fromEntries(Object.entries(bytes).map(([name, value]) => [name, view(value)]))
          return {
            id, rawId: '', type: null,
            get authenticatorAttachment() { throw new TypeError('Illegal invocation') },
            response: { ...views, getTransports: () => new Set(['usb', 7]) },
          }
        }
      }`,
    ],
  ])('are added and used with a password manager or browser %s', async (_, content) => {
    await page.addInitScript({ content })
    await offerNothing()
    await signIn()
    await addPasskey('Laptop')
    await signOut()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL('**/app')
    expect(complaints).toEqual([])
  })

  test('are offered in the field of the address', async () => {
    await signIn()
    await addPasskey('Laptop')
    await signOut()
    // Who touches the authenticator chooses the passkey that the field offers.
    await page.waitForURL('**/app')
    expect(complaints).toEqual([])
  })

  test('approve a gate, with its answers', async () => {
    await signIn()
    await addPasskey('Laptop')
    const fields = [{ name: 'ticket', label: 'Change ticket', type: 'text' }]
    const gate = await ada.make(`/api/v1/projects/${site.project.id}/gates`, {
      name: 'Release',
      environment: 'production',
      fields,
    })
    await page.goto(`/app/gates/${gate.id}`)
    expect(await violations(page)).toEqual([])
    await page.getByLabel('Change ticket').fill('OPS-1')
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByText('You approved this gate.').waitFor()
    await page.getByText('in the app with a passkey').waitFor()
    const { body } = await ada.get(`/api/v1/gates/${gate.id}`)
    expect(body).toMatchObject({ status: 'approved', answers: { ticket: 'OPS-1' }, approvals: [{ proof: 'passkey' }] })
    expect(complaints).toEqual([])
  })

  test('override a gate', async () => {
    await signIn()
    await addPasskey('Laptop')
    const gate = await openGate()
    await page.goto(`/app/gates/${gate.id}`)
    page.on('dialog', (dialog) => dialog.accept())
    await page.getByText('Override the gate…').click()
    await page.getByLabel('Reason').fill('The checkout is down.')
    await page.getByRole('button', { name: 'Override', exact: true }).click()
    await page.getByText('You overrode this gate: it is approved.').waitFor()
    expect((await ada.get(`/api/v1/gates/${gate.id}`)).body).toMatchObject({ status: 'approved', decided_via: 'override' })
  })

  test('approve nothing if the authenticator does not recognize the person; the form can be sent again', async () => {
    await signIn()
    await addPasskey('Laptop')
    const gate = await openGate()
    await page.goto(`/app/gates/${gate.id}`)
    await page.getByLabel('Comment').fill('Ship it.')
    await device.recognize(false)
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByText('Nothing was sent: no passkey was used').waitFor()
    expect((await ada.get(`/api/v1/gates/${gate.id}`)).body.approvals).toEqual([])
    await device.recognize(true)
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByText('You approved this gate.').waitFor()
    expect((await ada.get(`/api/v1/gates/${gate.id}`)).body.comment).toBe('Ship it.')
  })

  test('complete a sign-in after the password', async () => {
    await signIn()
    await addPasskey('Laptop')
    await device.touch(false)
    await signOut()
    await page.fill('#email', ada.email)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.fill('#password', PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
    expect(await violations(page)).toEqual([])
    await device.touch(true)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.waitForURL('**/app')
  })

  test('with a counter that falls back sign nobody in', async () => {
    await signIn()
    await addPasskey('Laptop')
    await box.sql`update passkeys set sign_count = 1000 where user_id = ${ada.id}`
    await offerNothing()
    await signOut()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('its signature counter has fallen back').waitFor()
    const { items } = (await ada.get('/api/v1/users/me/security-log')).body
    expect(items[0].action).toBe('passkey.refused')
  })

  test('are missing without JavaScript, and the pages say so', async () => {
    const plain = await browser.newPage({ baseURL: originOf(box), javaScriptEnabled: false })
    await plain.goto('/sign-in')
    expect(await plain.textContent('main')).toContain('Passkeys need JavaScript, which is off in this browser.')
    await plain.getByRole('button', { name: 'Sign in with a passkey' }).click()
    expect(await plain.textContent('main')).toContain('The browser sent no passkey. Sign in with your password.')
  })
})
