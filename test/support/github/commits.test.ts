import { expect, test } from 'bun:test'
import { startGithub } from './github.ts'
import { createSite } from './plain-client.ts'

const SHOP = '/repos/acme/shop'

test('a comparison lists what the head has and the base lacks, oldest first, and the files once', async () => {
  await using github = startGithub()
  const { shop, call, ada } = createSite(github)
  const base = shop.branches.get('main') ?? ''
  github.pushCommit(shop, {
    message: 'Add the cart',
    author: ada,
    files: [{ filename: 'cart.ts', status: 'added', additions: 40 }],
  })
  const head = github.pushCommit(shop, { message: 'Mend the cart', files: [{ filename: 'cart.ts', additions: 3, deletions: 2 }] })
  const { json } = await call('GET', `${SHOP}/compare/${base}...${head.sha}`)
  expect(json).toMatchObject({ status: 'ahead', ahead_by: 2, behind_by: 0, total_commits: 2, merge_base_commit: { sha: base } })
  const titles = json.commits.map(({ commit }: { commit: { message: string } }) => commit.message)
  expect(titles).toEqual(['Add the cart', 'Mend the cart'])
  expect(json.files).toMatchObject([{ filename: 'cart.ts', status: 'added', additions: 43, deletions: 2, changes: 45 }])
  const back = await call('GET', `${SHOP}/compare/${head.sha}...${base}`)
  expect(back.json).toMatchObject({ status: 'behind', ahead_by: 0, behind_by: 2, commits: [], files: [] })
  expect((await call('GET', `${SHOP}/compare/main...main`)).json.status).toBe('identical')
  expect((await call('GET', `${SHOP}/compare/main...nowhere`)).status).toBe(404)
  const unknown = await call('GET', `${SHOP}/commits/${'0'.repeat(40)}`)
  expect([unknown.status, unknown.json.message]).toEqual([422, `No commit found for SHA: ${'0'.repeat(40)}`])
})

test('branches that went apart have diverged since their merge base', async () => {
  await using github = startGithub()
  const { shop, call } = createSite(github)
  const base = shop.branches.get('main')
  github.pushCommit(shop, { branch: 'feature/pay', message: 'Pay' })
  github.pushCommit(shop, { message: 'Other' })
  const { json } = await call('GET', `${SHOP}/compare/main...feature/pay`)
  expect(json).toMatchObject({ status: 'diverged', ahead_by: 1, behind_by: 1, merge_base_commit: { sha: base } })
})

test('a large comparison shows 300 files, and 250 commits unless it is paged', async () => {
  await using github = startGithub()
  const { shop, call } = createSite(github)
  const base = shop.branches.get('main')
  for (let count = 0; count < 260; count += 1)
    github.pushCommit(shop, { files: [{ filename: `a${count}` }, { filename: `b${count}` }] })
  const whole = await call('GET', `${SHOP}/compare/${base}...main`)
  expect([whole.json.total_commits, whole.json.commits.length, whole.json.files.length]).toEqual([260, 250, 300])
  expect(whole.json.commits.at(-1).sha).toBe(shop.branches.get('main'))
  const third = await call('GET', `${SHOP}/compare/${base}...main?per_page=100&page=3`)
  expect([third.json.commits.length, third.json.files]).toEqual([60, undefined])
  expect(third.headers.get('link')).toContain('rel="prev"')
})

test('the pull requests of a commit are those that it heads or merged', async () => {
  await using github = startGithub()
  const { shop, call, ada } = createSite(github)
  const commit = github.pushCommit(shop, { branch: 'feature', author: ada })
  const pull = github.openPullRequest(shop, { head: 'feature', title: 'Feature' })
  const of = async (sha: string) => (await call('GET', `${SHOP}/commits/${sha}/pulls`)).json
  expect(await of(commit.sha)).toMatchObject([{ number: pull.number, title: 'Feature', state: 'open', merged_at: null }])
  const merge = github.mergePullRequest(shop, pull)
  expect(await of(merge.sha)).toMatchObject([{ number: pull.number, state: 'closed', merge_commit_sha: merge.sha }])
  expect(await of(github.pushCommit(shop).sha)).toEqual([])
})

test('of check runs with the same name the latest is listed, unless all are asked for', async () => {
  await using github = startGithub()
  const { shop, call } = createSite(github)
  const sha = shop.branches.get('main')
  github.createCheckRun(shop, { name: 'unit', conclusion: 'failure' })
  github.createCheckRun(shop, { name: 'unit' })
  const slow = github.createCheckRun(shop, { name: 'slow', status: 'in_progress' })
  const path = `${SHOP}/commits/${sha}/check-runs`
  const latest = await call('GET', path)
  expect(latest.json.total_count).toBe(2)
  expect(latest.json.check_runs).toMatchObject([
    { name: 'slow', status: 'in_progress', conclusion: null, completed_at: null },
    { name: 'unit', status: 'completed', conclusion: 'success', app: { slug: 'github-actions' } },
  ])
  expect((await call('GET', `${path}?filter=all`)).json.total_count).toBe(3)
  expect((await call('GET', `${path}?check_name=unit&status=completed`)).json.total_count).toBe(1)
  github.completeCheckRun(shop, slow)
  const suites = await call('GET', `${SHOP}/commits/${sha}/check-suites`)
  expect(suites.json.check_suites).toMatchObject([{ status: 'completed', conclusion: 'success', latest_check_runs_count: 2 }])
})

test('the jobs of a run are check runs of its commit, in a suite of their own', async () => {
  await using github = startGithub()
  const { shop, app, call } = createSite(github)
  github.createCheckRun(shop, { name: 'unit' })
  github.protect(shop, 'production', app)
  const run = github.startRun(shop, { environment: 'production' })
  const { json } = await call('GET', `${SHOP}/commits/main/check-runs`)
  const suites = json.check_runs.map((each: { name: string; check_suite: { id: number } }) => [
    each.name,
    each.check_suite.id === run.suite.id,
  ])
  expect(suites).toEqual([
    ['production', true],
    ['unit', false],
  ])
  expect((await call('GET', `${SHOP}/actions/runs/${run.id}`)).json.check_suite_id).toBe(run.suite.id)
  expect((await call('GET', `${SHOP}/actions/runs/${run.id}/jobs`)).json).toMatchObject({
    jobs: [{ name: 'production', status: 'waiting' }],
  })
})

test('a commit status is pending until each context succeeded, whose latest counts', async () => {
  await using github = startGithub()
  const { shop, call } = createSite(github)
  const sha = shop.branches.get('main')
  const set = (body: object) => call('POST', `${SHOP}/statuses/${sha}`, body)
  const combined = async () => (await call('GET', `${SHOP}/commits/${sha}/status`)).json
  expect(await combined()).toMatchObject({ state: 'pending', total_count: 0 })
  const made = await set({ state: 'pending', context: 'signalbox/production', target_url: 'https://signalbox.example.com/g' })
  expect([made.status, made.json.creator.login]).toEqual([201, 'signalbox[bot]'])
  expect(made.headers.get('location')).toBe(`${github.api}${SHOP}/statuses/${sha}`)
  await set({ state: 'success', context: 'Signalbox/Production' })
  expect(await combined()).toMatchObject({ state: 'success', total_count: 1 })
  github.createStatus(shop, { context: 'ci', state: 'error' })
  expect((await combined()).state).toBe('failure')
  expect((await call('GET', `${SHOP}/commits/${sha}/statuses`)).json).toHaveLength(3)
})

test('a commit status that GitHub does not take is refused', async () => {
  await using github = startGithub()
  const { shop, call } = createSite(github)
  const sha = shop.branches.get('main')
  const set = async (body: object, at = sha) => {
    const { status, json } = await call('POST', `${SHOP}/statuses/${at}`, body)
    expect(status).toBe(422)
    return json
  }
  expect((await set({ state: 'passed' })).message).toContain('passed is not a member of ["error","failure","pending","success"].')
  expect((await set({})).message).toBe(`Invalid request.\n\n"state" wasn't supplied.`)
  expect((await set({ state: 'success', url: 'x' })).message).toContain('"url" is not a permitted key.')
  expect(await set({ state: 'success', description: 'x'.repeat(141) })).toMatchObject({
    message: 'Validation Failed',
    errors: [
      {
        resource: 'Status',
        code: 'custom',
        field: 'description',
        message: 'description is too long (maximum is 140 characters)',
      },
    ],
  })
  expect((await set({ state: 'success', target_url: 'ftp://a' })).errors[0].field).toBe('target_url')
  expect((await set({ state: 'success' }, 'f'.repeat(40))).message).toBe(`No commit found for SHA: ${'f'.repeat(40)}`)
  for (let count = 0; count < 1000; count += 1) github.createStatus(shop, { context: 'ci' })
  expect((await set({ state: 'success', context: 'ci' })).errors[0].message).toContain(
    'has reached the maximum number of statuses',
  )
})

test('a deployment succeeds earlier ones away, except in production, and no webhook tells of that', async () => {
  await using github = startGithub()
  const { shop, call } = createSite(github)
  const deploy = async (environment: string) => {
    const { status, json } = await call('POST', `${SHOP}/deployments`, { ref: 'main', environment, required_contexts: [] })
    expect(status).toBe(201)
    expect((await call('POST', `${SHOP}/deployments/${json.id}/statuses`, { state: 'success' })).status).toBe(201)
    return json.id
  }
  const stateOf = async (id: number) => (await call('GET', `${SHOP}/deployments/${id}/statuses`)).json[0].state
  const [first, second] = [await deploy('staging'), await deploy('staging')]
  expect([await stateOf(first), await stateOf(second)]).toEqual(['inactive', 'success'])
  const [third, fourth] = [await deploy('production'), await deploy('production')]
  expect([await stateOf(third), await stateOf(fourth)]).toEqual(['success', 'success'])
  await github.settled()
  const told = github.webhooks.of('deployment_status').map(({ payload }) => JSON.parse(payload).deployment_status.state)
  expect(told).toEqual(['success', 'success', 'success', 'success'])
  expect(shop.deployments).toHaveLength(4)
  expect((await call('GET', `${SHOP}/deployments?environment=staging`)).json).toHaveLength(2)
})
