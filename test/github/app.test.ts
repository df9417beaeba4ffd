import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { PageClient } from '../support/page-client.ts'
import type { Answer } from '../support/signalbox.ts'
import { GithubBench, SETTINGS } from './workbench.ts'

const APP = '/api/v1/github-app'

let bench: GithubBench

beforeAll(async () => {
  bench = await GithubBench.open({ environment: SETTINGS })
  await bench.signIn()
})
afterAll(() => bench.close())

const remove = () => bench.admin.delete(APP)

describe('Without an app', () => {
  test('nothing of it is there', async () => {
    expect(await bench.admin.get(APP)).toMatchObject({ status: 404 })
    expect(await bench.box.request('POST', '/github/webhooks', {})).toMatchObject({ status: 404, body: { code: 'not_found' } })
    for (const path of [`organizations/${bench.site.organization.id}/github`, `projects/${bench.site.project.id}/github`])
      expect((await bench.browser.open(`/app/${path}`)).status).toBe(404)
    expect((await bench.browser.open('/app/account')).text).not.toContain('GitHub')
    expect((await bench.browser.open(`/app/organizations/${bench.site.organization.id}/settings`)).html).not.toContain('GitHub')
  })

  test('only operators see the page, whose address is proven', async () => {
    const grace = await bench.box.user('Grace')
    const visitor = await PageClient.signedIn(bench.box, grace)
    expect((await visitor.open('/app/github')).status).toBe(404)
    expect(await grace.get(APP)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    await bench.box.sql`update users set email_verified = false where id = ${bench.admin.id}`
    expect((await bench.browser.open('/app/github')).status).toBe(404)
    await bench.box.sql`update users set email_verified = true where id = ${bench.admin.id}`
    const { token } = await bench.admin.make('/api/v1/auth/tokens', { name: 'Token' })
    expect(await bench.admin.as(token).get(APP)).toMatchObject({ status: 403, body: { code: 'session_required' } })
  })

  test('the page has one button, which posts the manifest to that GitHub alone', async () => {
    const { github, browser, box } = bench
    const page = await browser.open(`/app/github?url=${encodeURIComponent(github.url)}&public=true`)
    expect(page.document.querySelectorAll('main button')).toHaveLength(1)
    expect(page.headers.get('content-security-policy')).toContain(`form-action 'self' ${github.url};`)
    const form = page.document.querySelector('main form')
    expect(form?.getAttribute('action')).toStartWith(`${github.url}/settings/apps/new?state=`)
    const manifest = JSON.parse(form?.querySelector('input[name="manifest"]')?.getAttribute('value') ?? '')
    const own = box.base.replace('127.0.0.1', 'localhost')
    expect(manifest).toEqual({
      name: 'Signalbox localhost',
      url: own,
      hook_attributes: { url: `${own}/github/webhooks`, active: true },
      redirect_url: `${own}/github/app`,
      callback_urls: [`${own}/github/callback`],
      setup_url: `${own}/github/installed`,
      setup_on_update: true,
      request_oauth_on_install: false,
      public: true,
      default_permissions: {
        actions: 'read',
        checks: 'read',
        contents: 'read',
        members: 'read',
        metadata: 'read',
        pull_requests: 'read',
        deployments: 'write',
        statuses: 'write',
      },
      default_events: ['deployment_protection_rule', 'deployment_status', 'repository', 'workflow_run'],
    })
    expect(page.text).toContain('github.com refuses it')
    const usual = await browser.open('/app/github?organization=acme')
    expect(usual.document.querySelector('main form')?.getAttribute('action')).toStartWith(
      'https://github.com/organizations/acme/settings/apps/new?state=',
    )
  })

  test('only an origin by https is taken, or one that the operator has allowed', async () => {
    for (const url of [
      'http://github.example.com',
      'https://github.com/acme',
      'https://user@github.com',
      'ftp://github.com',
      'http://10.0.0.1',
    ])
      expect((await bench.browser.open(`/app/github?url=${encodeURIComponent(url)}`)).status).toBe(422)
  })

  test('a state is good once, for its session', async () => {
    const { github, browser, octocat, box } = bench
    const page = await browser.open(`/app/github?url=${encodeURIComponent(github.url)}`)
    const form = page.document.querySelector('main form')
    const manifest = form?.querySelector('input[name="manifest"]')?.getAttribute('value') ?? ''
    const back = bench.pathOf(await github.createApp(octocat, form?.getAttribute('action') ?? '', manifest))
    const other = await PageClient.signedIn(box, { ...bench.admin, email: SETTINGS.OPERATORS } as never)
    expect(await other.open(back)).toMatchObject({ status: 400 })
    expect((await browser.send('HEAD', back)).status).toBe(400)
    const wrong = back.replace(/code=\w+/, 'code=wrong')
    expect(await browser.open(wrong)).toMatchObject({ status: 400 })
    expect((await browser.open(back)).text).toContain('This was used before')
    expect(await bench.admin.get(APP)).toMatchObject({ status: 404 })
  })
})

describe('An app', () => {
  let stored: Answer['body']

  beforeAll(async () => {
    await bench.makeApp()
    stored = (await bench.admin.get(APP)).body
  })

  test('is shown without its secrets', async () => {
    expect(stored).toMatchObject({
      url: bench.github.url,
      app_id: bench.app.id,
      slug: bench.app.slug,
      client_id: bench.app.clientId,
      html_url: `${bench.github.url}/github-apps/${bench.app.slug}`,
      webhook_secret_confirmed: true,
      previous_webhook_secret_until: null,
    })
    expect(JSON.stringify(stored)).not.toContain('PRIVATE')
    const rows = await bench.box.sql`select private_key, webhook_secret from github_apps`
    expect(Buffer.from(rows[0]?.private_key).toString()).not.toContain('PRIVATE')
    const page = await bench.browser.open('/app/github')
    expect(page.text).toContain(bench.app.slug)
    expect(page.text).not.toContain('PRIVATE')
    const { body: log } = await bench.admin.get('/api/v1/users/me/security-log')
    expect(log.items[0]).toMatchObject({ action: 'github_app.created' })
  })

  test('is the only one', async () => {
    const { pem, id } = { pem: bench.github.addPrivateKey(bench.app), id: bench.app.id }
    await bench.box.sql`update github_apps set app_id = app_id`
    const given = {
      url: bench.github.url,
      app_id: id + 1,
      client_id: 'x',
      private_key: pem,
      client_secret: 'x',
      webhook_secret: 'x',
    }
    expect(await bench.admin.put(APP, given)).toMatchObject({
      status: 422,
      body: {
        errors: [
          { pointer: '/app_id', code: 'fixed' },
          { pointer: '/client_id', code: 'fixed' },
        ],
      },
    })
  })

  test('takes another key once GitHub agrees', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const foreign = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    expect(await bench.admin.put(APP, { private_key: foreign })).toMatchObject({ status: 422, body: { code: 'github_refused' } })
    expect(await bench.admin.put(APP, { private_key: 'nonsense' })).toMatchObject({
      status: 422,
      body: { code: 'validation_failed' },
    })
    const pem = bench.github.addPrivateKey(bench.app)
    bench.github.keepLatestKey(bench.app)
    const { status, body } = await bench.admin.put(APP, { private_key: pem })
    expect(status).toBe(200)
    expect(Date.parse(body.private_key_at)).toBeGreaterThan(Date.parse(stored.private_key_at))
    expect(body.client_secret_at).toBe(stored.client_secret_at)
  })

  test('is not changed while GitHub is away', async () => {
    const fault = bench.github.failFor()
    const given = { private_key: bench.github.addPrivateKey(bench.app) }
    expect(await bench.admin.put(APP, given)).toMatchObject({ status: 503, body: { code: 'github_unavailable' } })
    const page = await bench.browser.open('/app/github')
    expect((await bench.browser.press(page, 'Rotate the webhook secret')).text).toContain('GitHub answered 502')
    fault.end()
    const { body } = await bench.admin.get(APP)
    expect(body.webhook_secret_confirmed).toBe(false)
    const rotated = await bench.admin.post(`${APP}/rotate-webhook-secret`)
    expect(rotated).toMatchObject({ status: 200, body: { webhook_secret_confirmed: true } })
    const hours = (Date.parse(rotated.body.previous_webhook_secret_until) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23.9)
    expect(hours).toBeLessThan(24.1)
  })

  test('is made by hand, too, and removed', async () => {
    expect((await remove()).status).toBe(204)
    expect(await bench.admin.put(APP, {})).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    const secret = bench.github.addClientSecret(bench.app)
    const given = {
      url: bench.github.url,
      app_id: bench.app.id,
      client_id: bench.app.clientId,
      private_key: bench.github.addPrivateKey(bench.app),
      client_secret: secret,
      webhook_secret: bench.app.webhookSecret,
    }
    expect(await bench.admin.put(APP, given)).toMatchObject({ status: 200, body: { slug: bench.app.slug } })
    const page = await bench.browser.open('/app/github')
    expect((await bench.browser.press(page, 'Remove the app', { confirm_name: bench.app.slug })).text).toContain(
      'The app was removed',
    )
    expect((await bench.admin.get(APP)).status).toBe(404)
  })
})
