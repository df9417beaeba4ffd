import { expect, test } from 'bun:test'
import { verify } from '@octokit/webhooks-methods'
import { type Received, Receiver } from '../receiver.ts'
import { startGithub } from './github.ts'
import { createSite } from './plain-client.ts'

/** A GitHub whose app listens. */
async function listening() {
  const receiver = new Receiver()
  const github = startGithub()
  const site = createSite(github, `${receiver.url}/github/webhooks`)
  await github.settled()
  const stop = async () => {
    await github[Symbol.asyncDispose]()
    await receiver.stop()
  }
  return { github, receiver, ...site, [Symbol.asyncDispose]: stop }
}

const idsOf = (text: string) => [...text.matchAll(/"id":(\d+)/g)].map(([, id = '']) => id)

test('a webhook is signed over its bytes and says what it is', async () => {
  await using given = await listening()
  const { github, receiver, shop, app, installation } = given
  github.renameRepository(shop, 'store')
  const [got] = await receiver.waitFor(1, ({ headers }) => headers['x-github-event'] === 'repository')
  const { headers, body }: Pick<Received, 'headers' | 'body'> = got ?? { headers: {}, body: '' }
  expect(await verify(app.webhookSecret ?? '', body, headers['x-hub-signature-256'] ?? '')).toBe(true)
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'x-github-delivery': expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f-]{27}$/),
    'x-github-hook-installation-target-id': String(app.id),
    'x-github-hook-installation-target-type': 'integration',
    'x-github-enterprise-host': new URL(github.url).host,
  })
  expect(headers['user-agent']).toStartWith('GitHub-Hookshot/')
  expect(JSON.parse(body)).toMatchObject({
    action: 'renamed',
    changes: { repository: { name: { from: 'shop' } } },
    repository: { id: shop.id, full_name: 'acme/store' },
    installation: { id: installation.id },
  })
})

test('events of installations reach every app, others only those subscribed, and none while it is suspended', async () => {
  await using given = await listening()
  const { github, receiver, shop, installation } = given
  github.createStatus(shop, { context: 'ci' })
  github.suspend(installation)
  github.renameRepository(shop, 'store')
  github.unsuspend(installation)
  await github.settled()
  const told = receiver.requests.map(({ headers, body }) => [headers['x-github-event'], JSON.parse(body).action])
  expect(told).toEqual([
    ['ping', undefined],
    ['installation', 'created'],
    ['installation', 'suspend'],
    ['installation', 'unsuspend'],
  ])
})

test('a delivery is sent again on request only, under the same GUID and by the present secret', async () => {
  await using given = await listening()
  const { github, receiver, shop, app, asApp } = given
  receiver.answer = () => new Response('no', { status: 500 })
  github.renameRepository(shop, 'store')
  await github.settled()
  const failures = await asApp('GET', '/app/hook/deliveries?status=failure')
  expect(failures.json).toMatchObject([
    { event: 'repository', action: 'renamed', redelivery: false, status: 'Invalid HTTP Response: 500', status_code: 500 },
  ])
  const [id = ''] = idsOf(failures.text)
  // Ids have 19 digits, which a JavaScript number does not hold.
  expect([id.length, String(failures.json[0].id) === id]).toEqual([19, false])
  expect((await asApp('POST', `/app/hook/deliveries/${failures.json[0].id}/attempts`)).status).toBe(404)
  receiver.answer = () => new Response('', { status: 202 })
  app.webhookSecret = 'another'
  expect((await asApp('POST', `/app/hook/deliveries/${id}/attempts`)).status).toBe(202)
  await github.settled()
  const [first, second] = receiver.requests.filter(({ headers }) => headers['x-github-event'] === 'repository')
  expect(second?.headers['x-github-delivery']).toBe(first?.headers['x-github-delivery'] ?? '')
  expect(second?.body).toBe(first?.body ?? '')
  expect(await verify('another', second?.body ?? '', second?.headers['x-hub-signature-256'] ?? '')).toBe(true)
  const all = await asApp('GET', '/app/hook/deliveries')
  expect(all.json.slice(0, 2)).toMatchObject([
    { redelivery: true, status: 'OK', status_code: 202, guid: failures.json[0].guid },
    { redelivery: false, status_code: 500, guid: failures.json[0].guid },
  ])
  expect((await asApp('GET', `/app/hook/deliveries/${id}`)).json).toMatchObject({
    request: { payload: { action: 'renamed' } },
    response: { payload: 'no' },
  })
})

test('deliveries are listed by a cursor, and for three days', async () => {
  await using given = await listening()
  const { github, shop, asApp } = given
  for (let number = 0; number < 5; number += 1) github.renameRepository(shop, `shop-${number}`)
  await github.settled()
  const seen: string[] = []
  let path = '/app/hook/deliveries?per_page=3'
  for (let pages = 0; path && pages < 10; pages += 1) {
    const page = await asApp('GET', path)
    seen.push(...idsOf(page.text))
    path = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
  }
  expect(seen).toHaveLength(7)
  expect(seen).toEqual([...new Set(seen)].sort().reverse())
  github.clock.advance({ days: 3 })
  expect((await asApp('GET', '/app/hook/deliveries')).json).toEqual([])
  expect((await asApp('POST', `/app/hook/deliveries/${seen[0]}/attempts`)).status).toBe(404)
})

test('a receiver that is away is recorded as such', async () => {
  await using given = await listening()
  const { github, receiver, shop, asApp } = given
  await receiver.stop()
  github.renameRepository(shop, 'store')
  await github.settled()
  const [{ status, status_code: code }] = (await asApp('GET', '/app/hook/deliveries')).json
  expect([status, code]).toEqual(['failed to connect to host', 502])
})

test('webhooks can be held back and come in another order', async () => {
  await using given = await listening()
  const { github, receiver, shop, app, ada } = given
  github.protect(shop, 'production', app)
  github.webhooks.pause()
  const run = github.startRun(shop, { environment: 'production', actor: ada })
  run.cancel()
  await github.settled()
  const before = receiver.requests.length
  github.webhooks.resume('reversed')
  await github.settled()
  const told = receiver.requests.slice(before).map(({ headers }) => headers['x-github-event'])
  expect(told).toEqual(['workflow_run', 'deployment_status', 'deployment_protection_rule', 'deployment_status', 'workflow_run'])
})

test('a transfer is told to the new owner, and the former one loses the repository', async () => {
  await using given = await listening()
  const { github, receiver, shop, app, asApp } = given
  const other = github.createOrganization('other', { owners: [github.createPerson('eve')] })
  const second = github.install(app, other)
  await github.settled()
  const before = receiver.requests.length
  github.transferRepository(shop, other)
  await github.settled()
  const told = receiver.requests.slice(before).map(({ headers, body }) => [headers['x-github-event'], JSON.parse(body)])
  expect(told).toMatchObject([
    ['installation_repositories', { action: 'removed', repositories_removed: [{ id: shop.id }] }],
    [
      'repository',
      {
        action: 'transferred',
        changes: { owner: { from: { organization: { login: 'acme' } } } },
        installation: { id: second.id },
      },
    ],
  ])
  expect((await asApp('GET', '/repos/other/shop/installation')).json.id).toBe(second.id)
})
