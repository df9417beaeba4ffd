import { expect, test } from 'bun:test'
import { startGithub } from './github.ts'
import { createSite, send } from './plain-client.ts'

test('github.com counts requests and refuses them when they are used up', async () => {
  await using github = startGithub({ flavor: 'github.com', rateLimit: 3 })
  const { call, installation, token } = createSite(github, null)
  const first = await call('GET', '/repos/acme/shop')
  expect(Object.fromEntries([...first.headers].filter(([name]) => name.startsWith('x-ratelimit')))).toEqual({
    'x-ratelimit-limit': '3',
    'x-ratelimit-remaining': '2',
    'x-ratelimit-used': '1',
    'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/),
    'x-ratelimit-resource': 'core',
  })
  // A conditional request that finds nothing new does not count.
  const again = await call('GET', '/repos/acme/shop', undefined, { 'If-None-Match': first.headers.get('etag') ?? '' })
  expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', first.headers.get('etag')])
  expect((await call('GET', '/rate_limit')).json.rate).toMatchObject({ limit: 3, used: 1, remaining: 2 })
  await call('GET', '/repos/acme/shop')
  await call('GET', '/repos/acme/shop')
  const over = await call('GET', '/repos/acme/shop')
  expect([over.status, over.json.message]).toEqual([403, `API rate limit exceeded for installation ID ${installation.id}.`])
  expect(over.headers.get('x-ratelimit-remaining')).toBe('0')
  github.clock.advance({ hours: 1 })
  // The limit is that of the installation, and outlives its tokens.
  expect((await send(github, 'GET', '/repos/acme/shop', await token())).headers.get('x-ratelimit-remaining')).toBe('2')
})

test('an Enterprise Server has no limits, until they are reached on demand', async () => {
  await using github = startGithub()
  const { call, installation } = createSite(github)
  expect((await call('GET', '/repos/acme/shop')).headers.has('x-ratelimit-limit')).toBe(false)
  expect((await call('GET', '/rate_limit')).json.message).toBe('Rate limiting is not enabled.')
  github.exhaust(installation)
  const over = await call('GET', '/repos/acme/shop')
  expect([over.status, over.headers.get('x-ratelimit-remaining')]).toEqual([403, '0'])
  const wait = Number(over.headers.get('x-ratelimit-reset')) - github.clock.now() / 1000
  expect(wait).toBeGreaterThan(3_500)
  github.limits.lift()
  expect((await call('GET', '/repos/acme/shop')).status).toBe(200)
})

test('a secondary limit says for how long, or does not', async () => {
  await using github = startGithub()
  const { call, installation } = createSite(github)
  github.limitSecondary(installation, 30)
  const held = await call('GET', '/repos/acme/shop')
  expect([held.status, held.headers.get('retry-after')]).toEqual([403, '30'])
  expect(held.json.message).toBe('You have exceeded a secondary rate limit. Please wait a few minutes before you try again.')
  github.clock.advance({ seconds: 30 })
  expect((await call('GET', '/repos/acme/shop')).status).toBe(200)
  github.limitSecondary(null, null, 429)
  const silent = await call('GET', '/repos/acme/shop')
  expect([silent.status, silent.headers.has('retry-after')]).toEqual([429, false])
})

test('more than 900 points in a minute are too many on github.com', async () => {
  await using github = startGithub({ flavor: 'github.com' })
  const { call, shop } = createSite(github, null)
  const sha = shop.branches.get('main')
  const statuses: number[] = []
  for (let count = 0; count < 181; count += 1)
    statuses.push((await call('POST', `/repos/acme/shop/statuses/${sha}`, { state: 'success' })).status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(180)
  expect(statuses.at(-1)).toBe(403)
})

test('requests fail as asked, and those of other paths do not', async () => {
  await using github = startGithub()
  const { call } = createSite(github)
  await call('GET', '/repos/acme/shop')
  const fault = github.failFor({ path: /environments/, times: 2 })
  const first = await call('GET', '/repos/acme/shop/environments')
  expect([first.status, first.headers.get('content-type')]).toEqual([502, 'text/html'])
  expect((await call('GET', '/repos/acme/shop')).status).toBe(200)
  expect((await call('GET', '/repos/acme/shop/environments')).status).toBe(502)
  expect((await call('GET', '/repos/acme/shop/environments')).status).toBe(200)
  expect(fault.hits).toBe(2)
  const lasting = github.failFor({ status: 500, method: 'GET' })
  expect((await call('GET', '/repos/acme/shop')).status).toBe(500)
  lasting.end()
  expect((await call('GET', '/repos/acme/shop')).status).toBe(200)
})

test('a request can hang until its sender gives up', async () => {
  await using github = startGithub()
  const fault = github.failFor({ hangs: true })
  const stop = new AbortController()
  const asked = fetch(`${github.api}/rate_limit`, { signal: stop.signal }).catch((error: Error) => error.name)
  await github.until(() => fault.hits === 1)
  stop.abort()
  expect(await asked).toBe('AbortError')
})

test('each call is recorded with what it sent and got', async () => {
  await using github = startGithub()
  const { call, shop } = createSite(github)
  const sha = shop.branches.get('main')
  await call('POST', `/repos/acme/shop/statuses/${sha}`, { state: 'pending', context: 'x' })
  const [recorded] = await github.waitForCalls('POST /repos/{owner}/{repo}/statuses/{sha}')
  expect(recorded).toMatchObject({
    method: 'POST',
    path: `/repos/acme/shop/statuses/${sha}`,
    caller: 'installation',
    body: { state: 'pending', context: 'x' },
    status: 201,
    answer: { state: 'pending', context: 'x' },
  })
  await call('GET', '/repos/acme/shop/')
  expect(github.calls.at(-1)).toMatchObject({ operation: null, status: 404 })
})

test('a version of the API that does not exist is refused, and so is a request without a user agent', async () => {
  await using github = startGithub()
  const { call } = createSite(github)
  expect((await call('GET', '/repos/acme/shop', undefined, { 'X-GitHub-Api-Version': '2022-11-28' })).status).toBe(200)
  expect((await call('GET', '/repos/acme/shop', undefined, { 'X-GitHub-Api-Version': '2020-01-01' })).status).toBe(400)
  expect((await call('GET', '/repos/acme/shop', undefined, { 'User-Agent': '' })).status).toBe(403)
})
