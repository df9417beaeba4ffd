import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signatureHeaders, signingKeys } from '../../core/security/signing.ts'
import { Workbench } from '../deployment-hooks/workbench.ts'
import { sendRaw } from '../support/raw.ts'
import type { Receiver } from '../support/receiver.ts'
import { Process } from '../support/signalbox.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

/** The variables that every pipeline gets. */
const VARIABLES = {
  SIGNALBOX_EVENT: 'gate.approved',
  SIGNALBOX_ENVIRONMENT: 'staging',
  SIGNALBOX_SEQUENCE: '1',
  SIGNALBOX_PROJECT: 'Checkout',
  SIGNALBOX_COMMIT: '',
  SIGNALBOX_TARGET_VERSION: '',
}

interface Recipe {
  file: string
  /** Its settings, with the URL of the stub. */
  environment: (api: string) => Record<string, string>
  /** The request and response that the CI/CD system documents. */
  path: string
  headers: Record<string, string>
  body: (text: string) => unknown
  expected: unknown
  answer: () => Response
}

const form = (text: string) => Object.fromEntries(new URLSearchParams(text))

const RECIPES: Recipe[] = [
  {
    file: 'github.mjs',
    environment: (api) => ({ GITHUB_API_URL: api, GITHUB_TOKEN: 'ghp_1', GITHUB_REPOSITORY: 'acme/checkout' }),
    path: '/repos/acme/checkout/dispatches',
    headers: {
      accept: 'application/vnd.github+json',
      authorization: 'Bearer ghp_1',
      'content-type': 'application/json',
      'user-agent': 'signalbox-receiver',
      'x-github-api-version': '2022-11-28',
    },
    body: JSON.parse,
    expected: { event_type: 'signalbox', client_payload: VARIABLES },
    answer: () => new Response(null, { status: 204 }),
  },
  {
    file: 'gitlab.mjs',
    environment: (api) => ({
      GITLAB_URL: api,
      GITLAB_PROJECT: 'acme/checkout',
      GITLAB_TRIGGER_TOKEN: 'glptt-1',
      GITLAB_REF: 'v1',
    }),
    path: '/api/v4/projects/acme%2Fcheckout/trigger/pipeline',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form,
    expected: {
      token: 'glptt-1',
      ref: 'v1',
      ...Object.fromEntries(Object.entries(VARIABLES).map(([name, value]) => [`variables[${name}]`, value])),
    },
    answer: () => Response.json({ id: 7, status: 'pending' }, { status: 201 }),
  },
  {
    file: 'jenkins.mjs',
    environment: (api) => ({
      JENKINS_URL: `${api}/`,
      JENKINS_JOB: 'deploy/check out',
      JENKINS_USER: 'ci',
      JENKINS_TOKEN: '11ab',
    }),
    path: '/job/deploy/job/check%20out/buildWithParameters',
    headers: {
      authorization: `Basic ${Buffer.from('ci:11ab').toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: form,
    expected: VARIABLES,
    answer: () => new Response(null, { status: 201, headers: { Location: 'https://ci.example.com/queue/item/1/' } }),
  },
  {
    file: 'argo-cd.mjs',
    environment: (api) => ({ ARGOCD_SERVER: api, ARGOCD_APPLICATION: 'checkout', ARGOCD_TOKEN: 'jwt-1' }),
    path: '/api/v1/applications/checkout/sync',
    headers: { authorization: 'Bearer jwt-1', 'content-type': 'application/json' },
    body: JSON.parse,
    expected: { infos: Object.entries(VARIABLES).map(([name, value]) => ({ name, value })) },
    answer: () => Response.json({ metadata: { name: 'checkout' } }),
  },
  {
    file: 'buildkite.mjs',
    environment: (api) => ({
      BUILDKITE_API_URL: api,
      BUILDKITE_ORGANIZATION: 'acme',
      BUILDKITE_PIPELINE: 'checkout',
      BUILDKITE_TOKEN: 'bkua_1',
    }),
    path: '/v2/organizations/acme/pipelines/checkout/builds',
    headers: { authorization: 'Bearer bkua_1', 'content-type': 'application/json' },
    body: JSON.parse,
    expected: { commit: 'HEAD', branch: 'main', message: 'gate.approved for staging (#1)', env: VARIABLES },
    answer: () => Response.json({ id: 'b-1', state: 'scheduled' }, { status: 201 }),
  },
]

const docs = join(import.meta.dir, '../../docs/receivers')
// The recipes promise to run on plain Node; Bun is used where it is missing.
const node = Bun.which('node') ?? process.execPath

let bench: Workbench
let folder: string
const running: Process[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-recipes-'))
  bench = await Workbench.open({ environment: { HOOK_RETRY_SECONDS: '0.1,0.1,0.1' } })
})

afterAll(async () => {
  await bench.close()
  for (const each of running) each.kill('SIGKILL')
  await Promise.all(running.map((each) => each.exited))
  await rm(folder, { recursive: true })
})

/** Runs a recipe with a stub of its CI/CD system. With the same state file, it keeps its state. */
async function start({ file, environment }: Recipe, api: Receiver, state = crypto.randomUUID()): Promise<string> {
  const recipe = new Process(
    join(docs, file),
    {
      SIGNALBOX_SECRET: SECRET,
      PORT: '0',
      HOST: '127.0.0.1',
      STATE_FILE: join(folder, state),
      ...environment(api.url),
    },
    node,
  )
  running.push(recipe)
  const port = (await recipe.said('listening on port')).split(' ').at(-1)
  return `http://127.0.0.1:${port}/`
}

/** Sends an event as Signalbox would. */
async function send(url: string, event: object, { secret = SECRET, id = crypto.randomUUID() as string } = {}) {
  const body = JSON.stringify(event)
  const signed = signatureHeaders(signingKeys([secret]), { id, timestamp: Math.floor(Date.now() / 1000), body })
  const response = await fetch(url, { method: 'POST', body, headers: { 'X-Signalbox-Event': 'x', ...signed } })
  return [response.status, (await response.text()).trim()]
}

const event = (sequence: number, more: object = {}) => ({
  event: 'gate.approved',
  environment: 'staging',
  sequence,
  project: { name: 'Checkout' },
  hook: { id: 'h-1' },
  data: {},
  ...more,
})

describe.each(RECIPES.map((recipe) => [recipe.file, recipe] as const))('%s', (_, recipe) => {
  test('starts the documented pipeline for a dispatch, and tries again after an error', async () => {
    const api = bench.receiver()
    api.answer = (_, number) => (number === 1 ? new Response('busy', { status: 500 }) : recipe.answer())
    const { project, hook } = await bench.hookTo(await start(recipe, api), { secret: SECRET, environment: 'staging' })
    await bench.approve(project)
    const dispatch = await bench.settled(hook)
    expect(dispatch).toMatchObject({ status: 'succeeded', attempt_count: 2, response_body: 'done\n' })
    expect(dispatch.attempts[0]).toMatchObject({
      response_status: 502,
      response_body: expect.stringContaining('answered 500: busy'),
    })
    expect(api.requests).toHaveLength(2)
    for (const request of api.requests) {
      expect([request.method, request.path]).toEqual(['POST', recipe.path])
      expect(request.headers).toMatchObject(recipe.headers)
      expect(recipe.body(request.body)).toEqual(recipe.expected)
    }
  })

  test('refuses other keys, ignores repeated and late dispatches, and keeps its state', async () => {
    const api = bench.receiver()
    api.answer = recipe.answer
    const state = crypto.randomUUID()
    const url = await start(recipe, api, state)
    expect(await send(url, event(5), { secret: 'another' })).toEqual([401, 'X-Signalbox-Signature does not match'])
    expect(await send(url, { event: 'test.ping' })).toEqual([200, 'pong'])
    expect(api.requests).toHaveLength(0)
    expect(await send(url, event(5), { id: 'd-5' })).toEqual([200, 'done'])
    const again = await start(recipe, api, state)
    for (const each of [url, again]) {
      expect(await send(each, event(5), { id: 'd-5' })).toEqual([200, 'already processed'])
      expect(await send(each, event(4))).toEqual([200, 'late: 5 arrived before 4'])
    }
    expect(api.requests).toHaveLength(1)
    expect(await send(again, event(6))).toEqual([200, 'done'])
    expect(await send(again, event(1, { hook: { id: 'h-2' } }))).toEqual([200, 'done'])
    expect(api.requests).toHaveLength(3)
  })
})

test('pipelines get the commit that was approved', async () => {
  const api = bench.receiver()
  const recipe = RECIPES.find(({ file }) => file === 'github.mjs') as Recipe
  api.answer = recipe.answer
  const url = await start(recipe, api)
  const digest = { gitCommit: '7d3f1f0b4a0f7d9d4f3a4f2f2a7c6f7e0f1d2c3b' }
  expect(await send(url, event(1, { data: { gate: { subject: { digest } } } }))).toEqual([200, 'done'])
  expect(await send(url, event(2, { data: { gate: { subject: null } } }))).toEqual([200, 'done'])
  const commits = api.requests.map(({ body }) => JSON.parse(body).client_payload.SIGNALBOX_COMMIT)
  expect(commits).toEqual([digest.gitCommit, ''])
})

test('argo-cd.mjs syncs the target version of a rollback', async () => {
  const api = bench.receiver()
  const recipe = RECIPES.find(({ file }) => file === 'argo-cd.mjs') as Recipe
  api.answer = recipe.answer
  const url = await start(recipe, api)
  const rollback = event(2, { event: 'deployment.rollback', data: { target_version: 'v1.4.2', reason: null } })
  expect(await send(url, rollback)).toEqual([200, 'done'])
  expect(JSON.parse(api.requests[0]?.body ?? '')).toMatchObject({ revision: 'v1.4.2' })
})

describe('the shared receiver', () => {
  const github = RECIPES[0] as Recipe

  test('answers 503 to a repeat while the first request is in progress, and forwards Retry-After', async () => {
    const api = bench.receiver()
    const answer = Promise.withResolvers<Response>()
    api.answer = () => answer.promise
    const url = await start(github, api)
    const first = send(url, event(1), { id: 'd-1' })
    await api.waitFor(1)
    expect(await send(url, event(1), { id: 'd-1' })).toEqual([503, 'in progress'])
    answer.resolve(new Response('slow down', { status: 429, headers: { 'Retry-After': '30' } }))
    expect((await first)[0]).toBe(503)
    // A failed dispatch is not remembered, so it can be sent again.
    api.answer = github.answer
    expect(await send(url, event(1), { id: 'd-1' })).toEqual([200, 'done'])
  })

  test('accepts only POST', async () => {
    const api = bench.receiver()
    const url = await start(github, api)
    expect((await fetch(url)).status).toBe(400)
    const tooLarge = await sendRaw(Number(new URL(url).port), 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\n\r\n')
    expect(tooLarge.status).toBe(400)
    expect(await send(url, event(1), { secret: 'another' })).toEqual([401, 'X-Signalbox-Signature does not match'])
  })
})
