import { expect, test } from 'bun:test'
import { createPrivateKey, sign } from 'node:crypto'
import { startGithub } from './github.ts'

const MANIFEST = {
  name: 'Signalbox',
  url: 'https://signalbox.example.com',
  hook_attributes: { url: 'http://127.0.0.1:9/github/webhooks' },
  redirect_url: 'https://signalbox.example.com/github/app',
  callback_urls: ['https://signalbox.example.com/github/callback'],
  default_permissions: { actions: 'read', deployments: 'write' } as const,
  default_events: ['deployment_protection_rule'],
}

function jwt(pem: string, iss: string | number, now = Math.floor(Date.now() / 1000)): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ iat: now - 60, exp: now + 540, iss })}`
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), createPrivateKey(pem)).toString('base64url')}`
}

test('a run waits until the app approves it', async () => {
  await using github = startGithub()
  const ada = github.createPerson('ada')
  const acme = github.createOrganization('acme', { owners: [ada] })
  const shop = github.createRepository(acme, 'shop', { isPrivate: true })
  const { app, credentials } = github.registerApp(acme, MANIFEST)
  const installation = github.install(app, acme)
  github.protect(shop, 'production', app)
  const run = github.startRun(shop, { environment: 'production', actor: ada })
  expect(run.status).toBe('waiting')
  const api = (method: string, path: string, token: string, body?: object) =>
    fetch(`${github.api}${path}`, { method, headers: { Authorization: `Bearer ${token}` }, body: body && JSON.stringify(body) })
  const issued = await api('POST', `/app/installations/${installation.id}/access_tokens`, jwt(credentials.pem, app.id), {
    permissions: { deployments: 'write' },
    repository_ids: [shop.id],
  })
  expect(issued.status).toBe(201)
  const { token } = (await issued.json()) as { token: string }
  const answered = await api('POST', `/repos/acme/shop/actions/runs/${run.id}/deployment_protection_rule`, token, {
    environment_name: 'production',
    state: 'approved',
  })
  expect(await answered.text()).toBe('')
  expect(answered.status).toBe(204)
  expect(run.gate('production').state).toBe('approved')
  expect(run.status).toBe('in_progress')
  run.finish()
  expect(run.conclusion).toBe('success')
  await github.settled()
  expect(github.webhooks.deliveries.map(({ event, action }) => `${event} ${action}`)).toEqual([
    'installation created',
    'deployment_protection_rule requested',
  ])
})
