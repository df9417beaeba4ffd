import { expect, test } from 'bun:test'
import { startGithub } from './github.ts'
import { createSite, manifestFor, type Site, send } from './plain-client.ts'
import type { WorkflowRun } from './runs.ts'

const pathOf = ({ id }: WorkflowRun) => `/repos/acme/shop/actions/runs/${id}/deployment_protection_rule`

const review = ({ call }: Site, run: WorkflowRun, body: object) =>
  call('POST', pathOf(run), { environment_name: 'production', ...body })

test('a job waits at its environment, the app is asked, and its approval starts the job', async () => {
  await using github = startGithub()
  const site = createSite(github)
  const { shop, app, installation, ada } = site
  github.protect(shop, 'production', app)
  const run = github.startRun(shop, { environment: 'production', actor: ada, workflow: 'Release' })
  expect([run.status, run.job('production').deployment?.statuses[0]?.state]).toEqual(['waiting', 'waiting'])
  const [asked] = await github.delivered('deployment_protection_rule', 'requested')
  expect(JSON.parse(asked?.payload ?? '')).toMatchObject({
    action: 'requested',
    environment: 'production',
    event: 'push',
    sha: shop.branches.get('main'),
    ref: 'main',
    deployment_callback_url: `${github.api}${pathOf(run)}`,
    deployment: {
      sha: shop.branches.get('main'),
      environment: 'production',
      creator: { login: 'github-actions[bot]', type: 'Bot' },
    },
    repository: { id: shop.id, full_name: 'acme/shop', private: true },
    organization: { login: 'acme' },
    installation: { id: installation.id },
    sender: { login: 'ada' },
  })
  const pending = await site.call('GET', `/repos/acme/shop/actions/runs/${run.id}/pending_deployments`)
  expect(pending.json).toMatchObject([{ environment: { name: 'production' }, current_user_can_approve: false }])
  const answered = await review(site, run, { state: 'approved', comment: 'Ship it' })
  expect([answered.status, answered.text]).toEqual([204, ''])
  expect([run.status, run.gate('production').comment]).toEqual(['in_progress', 'Ship it'])
  expect((await site.call('GET', `/repos/acme/shop/actions/runs/${run.id}/pending_deployments`)).json).toEqual([])
  expect((await site.call('GET', `/repos/acme/shop/actions/runs/${run.id}/approvals`)).json).toMatchObject([
    { state: 'approved', comment: 'Ship it', user: { login: 'signalbox[bot]' }, environments: [{ name: 'production' }] },
  ])
  run.finish()
  expect(run.conclusion).toBe('success')
  await github.settled()
  const states = github.webhooks.of('deployment_status').map(({ payload }) => JSON.parse(payload).deployment_status.state)
  expect(states).toEqual(['waiting', 'queued', 'in_progress', 'success'])
  expect(github.webhooks.of('workflow_run').map(({ action }) => action)).toEqual(['requested', 'in_progress', 'completed'])
})

test('a rejection fails the job and the run', async () => {
  await using github = startGithub()
  const site = createSite(github)
  github.protect(site.shop, 'production', site.app)
  const run = github.startRun(site.shop, { environment: 'production' })
  expect((await review(site, run, { state: 'rejected', comment: 'No' })).status).toBe(204)
  expect([run.status, run.conclusion, run.job('production').conclusion]).toEqual(['completed', 'failure', 'failure'])
})

test('an answer is refused after an answer, after a bypass, and when the run ended', async () => {
  await using github = startGithub()
  const site = createSite(github)
  github.protect(site.shop, 'production', site.app)
  const start = () => github.startRun(site.shop, { environment: 'production' })
  const refused = async (run: WorkflowRun, message: string) => {
    const got = await review(site, run, { state: 'approved' })
    expect([got.status, got.json.message, got.json.errors]).toEqual([422, 'Validation Failed', message])
  }
  const answered = start()
  await review(site, answered, { state: 'approved' })
  await refused(answered, 'Deployment protection rule has already been reviewed')
  const bypassed = start()
  bypassed.bypass('production')
  expect(bypassed.status).toBe('in_progress')
  await refused(bypassed, 'No pending deployment requests to approve or reject')
  const cancelled = start()
  cancelled.cancel()
  await refused(cancelled, 'No pending deployment requests to approve or reject')
  const got = await site.call('POST', pathOf(start()), { environment_name: 'staging', state: 'approved' })
  expect(got.status).toBe(422)
  expect(
    (
      await site.call('POST', '/repos/acme/shop/actions/runs/1/deployment_protection_rule', {
        environment_name: 'production',
        state: 'approved',
      })
    ).status,
  ).toBe(404)
})

test('a status report has a comment of at most 1,024 characters, and there are at most ten', async () => {
  await using github = startGithub()
  const site = createSite(github)
  github.protect(site.shop, 'production', site.app)
  const run = github.startRun(site.shop, { environment: 'production' })
  expect((await review(site, run, { comment: 'é'.repeat(1025) })).status).toBe(422)
  for (let count = 0; count < 10; count += 1) expect((await review(site, run, { comment: `${count} of 2` })).status).toBe(204)
  const eleventh = await review(site, run, { comment: 'one more' })
  expect([eleventh.status, eleventh.json.errors]).toEqual([422, expect.stringContaining('maximum of 10 status reports')])
  expect(run.gate('production')).toMatchObject({ state: 'pending', reports: { length: 10 } })
  expect((await review(site, run, { state: 'approved' })).status).toBe(204)
})

test('what GitHub does not know in an answer is refused', async () => {
  await using github = startGithub()
  const site = createSite(github)
  github.protect(site.shop, 'production', site.app)
  const run = github.startRun(site.shop, { environment: 'production' })
  const messageOf = async (body: object) => {
    const { status, json } = await site.call('POST', pathOf(run), body)
    expect(status).toBe(422)
    return json.message
  }
  expect(await messageOf({ environment_name: 'production', state: 'pending' })).toContain(
    'pending is not a member of ["approved","rejected"].',
  )
  expect(await messageOf({ environment_name: 'production' })).toContain(`"comment" wasn't supplied.`)
  expect(await messageOf({ state: 'approved' })).toBe(`Invalid request.\n\n"environment_name" wasn't supplied.`)
  expect(await messageOf({ environment_name: 'production', state: 'approved', reason: 'x' })).toContain(
    '"reason" is not a permitted key.',
  )
  expect(run.status).toBe('waiting')
})

test('reviews of the same run and environment fail each other', async () => {
  await using github = startGithub()
  const site = createSite(github)
  github.protect(site.shop, 'production', site.app)
  const run = github.startRun(site.shop, { environment: 'production' })
  const hold = github.hold(/deployment_protection_rule$/)
  const first = review(site, run, { comment: 'Waiting' })
  await github.until(() => hold.hits === 1)
  const second = await review(site, run, { state: 'approved' })
  expect([second.status, second.json.errors]).toEqual([422, 'There was a problem approving one of the gates'])
  hold.end()
  expect((await first).status).toBe(204)
  expect((await review(site, run, { state: 'approved' })).status).toBe(204)
})

test('jobs of the same environment are asked about one by one and answered together, and a later one is asked about anew', async () => {
  await using github = startGithub()
  const site = createSite(github)
  github.protect(site.shop, 'production', site.app)
  const run = github.startRun(site.shop, {
    jobs: [
      { name: 'web', environment: 'production' },
      { name: 'worker', environment: 'Production' },
      { name: 'smoke', environment: 'production', needs: ['web', 'worker'] },
    ],
  })
  expect(await github.delivered('deployment_protection_rule', 'requested', 2)).toHaveLength(2)
  // Names of environments are not case sensitive.
  expect((await site.call('POST', pathOf(run), { environment_name: 'PRODUCTION', state: 'approved' })).status).toBe(204)
  expect(run.current.map(({ status }) => status)).toEqual(['in_progress', 'in_progress', 'pending'])
  run.finish()
  expect([run.status, run.current.at(-1)?.status]).toEqual(['waiting', 'waiting'])
  expect(await github.delivered('deployment_protection_rule', 'requested', 3)).toHaveLength(3)
  expect((await review(site, run, { state: 'approved' })).status).toBe(204)
  run.finish()
  expect(run.conclusion).toBe('success')
})

test('a run that runs again waits again, under the same id', async () => {
  await using github = startGithub()
  const site = createSite(github)
  const bo = github.createPerson('bo')
  github.protect(site.shop, 'production', site.app)
  const run = github.startRun(site.shop, { environment: 'production', actor: site.ada })
  await review(site, run, { state: 'rejected' })
  run.rerun(bo)
  expect((await site.call('GET', `/repos/acme/shop/actions/runs/${run.id}`)).json).toMatchObject({
    run_attempt: 2,
    status: 'waiting',
    actor: { login: 'ada' },
    triggering_actor: { login: 'bo' },
  })
  expect((await review(site, run, { state: 'approved' })).status).toBe(204)
  expect(run.status).toBe('in_progress')
})

test('a job fails that waited for 30 days', async () => {
  await using github = startGithub()
  const site = createSite(github)
  github.protect(site.shop, 'production', site.app)
  const run = github.startRun(site.shop, { environment: 'production' })
  github.clock.advance({ days: 29, hours: 23 })
  expect(run.status).toBe('waiting')
  github.clock.advance({ hours: 1 })
  expect([run.status, run.conclusion]).toEqual(['completed', 'failure'])
  expect(await github.delivered('workflow_run', 'completed')).toHaveLength(1)
})

test("GitHub's own reviewers and other apps must agree as well", async () => {
  await using github = startGithub()
  const site = createSite(github)
  const other = github.registerApp(site.acme, { ...manifestFor(), name: 'Watcher' }).app
  github.install(other, site.acme)
  github.createEnvironment(site.shop, 'production', { reviewers: [site.ada] })
  github.protect(site.shop, 'production', site.app)
  github.protect(site.shop, 'production', other)
  const run = github.startRun(site.shop, { environment: 'production' })
  expect((await review(site, run, { state: 'approved' })).status).toBe(204)
  expect(run.status).toBe('waiting')
  run.reviewInGithub('production', site.ada, 'approved')
  expect(run.status).toBe('waiting')
  run.review(other, 'production', 'approved', '')
  expect(run.status).toBe('in_progress')
})

test('only an installation with write access to deployments answers', async () => {
  await using github = startGithub()
  const site = createSite(github)
  github.protect(site.shop, 'production', site.app)
  const run = github.startRun(site.shop, { environment: 'production' })
  const body = { environment_name: 'production', state: 'approved' }
  const reader = await site.token({ permissions: { deployments: 'read' } })
  expect((await send(github, 'POST', pathOf(run), reader, body)).status).toBe(403)
  const user = github.oauth.issueToken(site.app, site.ada).access_token
  const byPerson = await send(github, 'POST', pathOf(run), user, body)
  expect([byPerson.status, byPerson.json.message]).toEqual([403, 'Resource not accessible by integration'])
  expect(run.status).toBe('waiting')
})

test('a workflow may leave the deployment out of its request', async () => {
  await using github = startGithub()
  const { shop, app } = createSite(github)
  github.protect(shop, 'production', app)
  github.startRun(shop, { environment: 'production', deployment: false })
  const [asked] = await github.delivered('deployment_protection_rule', 'requested')
  expect(JSON.parse(asked?.payload ?? '')).toMatchObject({ deployment: null, sha: shop.branches.get('main') })
})

test('a pull request from a fork is not named in the request', async () => {
  await using github = startGithub()
  const { shop, app, call } = createSite(github)
  github.protect(shop, 'production', app)
  const eve = github.createPerson('eve')
  const fork = github.createRepository(eve, 'shop', { parent: shop, isPrivate: true })
  const commit = github.pushCommit(fork, { branch: 'patch', author: eve })
  const pull = github.openPullRequest(shop, { head: 'patch', from: fork })
  const run = github.startRun(shop, { environment: 'production', pull })
  const [asked] = await github.delivered('deployment_protection_rule', 'requested')
  expect(JSON.parse(asked?.payload ?? '')).toMatchObject({
    event: 'pull_request',
    sha: commit.sha,
    pull_requests: [],
    sender: { login: 'eve' },
  })
  const shown = await call('GET', `/repos/acme/shop/actions/runs/${run.id}`)
  expect(shown.json).toMatchObject({
    head_repository: { full_name: 'eve/shop' },
    repository: { full_name: 'acme/shop' },
    pull_requests: [],
  })
  // The commits of a fork can be read in the repository that it came from.
  expect((await call('GET', `/repos/acme/shop/commits/${commit.sha}`)).json.sha).toBe(commit.sha)
})

test('the custom rules of an environment are listed, and changed only by who administrates', async () => {
  await using github = startGithub()
  const { shop, app, call } = createSite(github)
  github.protect(shop, 'production', app)
  const path = '/repos/acme/shop/environments/production/deployment_protection_rules'
  const { json } = await call('GET', path)
  expect(json).toMatchObject({
    total_count: 1,
    custom_deployment_protection_rules: [{ enabled: true, app: { id: app.id, slug: 'signalbox' } }],
  })
  expect((await call('GET', `${path}/apps`)).json.total_count).toBe(1)
  expect((await call('DELETE', `${path}/${json.custom_deployment_protection_rules[0].id}`)).status).toBe(403)
  expect(
    (await call('GET', '/repos/acme/shop/environments')).json.environments.map(({ name }: { name: string }) => name),
  ).toEqual(['production'])
  expect((await call('GET', '/repos/acme/shop/environments/none')).status).toBe(404)
})
