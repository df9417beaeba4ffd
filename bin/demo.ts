/**
 * `bun run demo`: plays one story from end to end. Changes come in over HTTP, the worker sends their events as signed
 * requests, and a receiver on this machine verifies the signatures.
 */

import { stopSignal } from '../cli/support/stop-signal.js'
import { SETTINGS } from '../core/platform/settings.ts'
import { newSecret } from '../core/security/signing.ts'
import { approveByTwo, askTwice, requireTwoGroups, type Surroundings } from './demo/approvals.ts'
import { showBudget, showTrail } from './demo/organization.ts'
import { type Account, PASSWORD, register } from './demo/people.ts'
import { type Dispatch, type Hook, showRecord } from './demo/record.ts'
import { compareAgents, writeChangelog } from './demo/results.ts'
import { PRODUCTION, reportAs, showEnvironment } from './demo/rollouts.ts'
import { type ApiClient, apiClient, type Resource } from './support/api-client.ts'
import { Failure } from './support/failure.ts'
import { answerHelp } from './support/help.ts'
import { isLoopbackBlocked, loopbackBlocked } from './support/loopback.ts'
import { embeddedDatabaseUrl, isReady, signalboxUrl, startThrowawaySignalbox } from './support/own-signalbox.ts'
import { runToEnd } from './support/run-to-end.ts'
import { checkSignatures, type Received, type SignedReceiver, startSignedReceiver } from './support/signed-receiver.ts'
import { checked, dim, printStep, strong } from './support/timeline.ts'

answerHelp(`npx --yes bun run demo

Plays one story through the API and verifies the signatures of the requests that arrive: hooks, a commit that two people of two groups
approve for production, in the browser and by mail, a retry, a budget, a comparison of two agents, a changelog, and a rollout that fails and is
rolled back. Uses the Signalbox at SIGNALBOX_URL or the one of \`bun start\` here; where none runs, it starts one and removes it at
the end.`)

/** A dispatch takes milliseconds, a worker that has just started a little longer. */
const TIMEOUT_MS = 10_000

const stopping = stopSignal()

/** The cost of the first execution exceeds the alert threshold, but not the limit. */
const LIMIT_USD = 0.5

async function run(): Promise<void> {
  await using started = new AsyncDisposableStack()
  const { url, mailUrl, own } = await findSignalbox(started)

  const secrets = { '/gates': newSecret(), '/staging': newSecret(), '/workflows': newSecret() }
  const receiver = startSignedReceiver(secrets, showReceived, statusFor)
  started.defer(receiver.stop)
  printStep('receiver', `listens on ${receiver.url}`)

  const api = apiClient(url)
  const ada = await register(api, 'Ada Lovelace')
  const grace = await register(apiClient(url), 'Grace Hopper')
  const { organization, project } = await createProject(api, grace)
  const hook = (path: keyof typeof secrets, others: HookFields) =>
    createHook(api, project, `${receiver.url}${path}`, secrets[path], others)
  const gateHook = await hook('/gates', { trigger_on: 'gate_approved', environment: PRODUCTION })
  const stagingHook = await hook('/staging', { trigger_on: 'gate_approved', environment: 'staging' })
  const workflowHook = await hook('/workflows', {
    trigger_on: 'workflow_done',
    environment: PRODUCTION,
    report_within_seconds: 600,
  })
  await requireTwoGroups(api, { organization, project }, { Security: ada, Release: grace })

  await testHook(api, gateHook, receiver)
  const requirement = await completeWorkflow(api, project, receiver, { url, mailUrl, stopping }, [ada, grace])
  await showNothingSent(api, stagingHook)
  const first = await showRetry(api, workflowHook, receiver)
  await showBudget(api, organization)
  await compareAgents(api, project, requirement)
  await writeChangelog(api, project, requirement)
  rejectForgedBody(receiver, secrets['/gates'])
  await rollOut(api, project, receiver, first)
  await showRecord(api, [gateHook, stagingHook, workflowHook], receiver, stopping)
  await showTrail(api, organization)
  await showWhereToLook(url, own, ada.email, [gateHook, stagingHook, workflowHook])
}

/** Finds the Signalbox that runs, or starts one for the demo. */
async function findSignalbox(started: AsyncDisposableStack): Promise<{ url: string; mailUrl: string | null; own: boolean }> {
  const url = signalboxUrl()
  if (await isReady(url)) {
    printStep('signalbox', `runs at ${url}`)
    // The mail catcher of the `bun start` here; that of a Signalbox elsewhere is not known.
    const mailUrl = `http://localhost:${process.env.MAIL_WEB_PORT || SETTINGS.MAIL_WEB_PORT.fallback}`
    return { url, mailUrl: process.env.SIGNALBOX_URL ? null : mailUrl, own: false }
  }
  if (process.env.SIGNALBOX_URL) throw new Failure(`SIGNALBOX_URL is ${url}, but ${url}/readyz does not answer that it is ready.`)
  printStep('signalbox', dim(`none runs at ${url}: starting one for the demo, with a database of its own`))
  const own = started.use(await startThrowawaySignalbox(stopping))
  printStep('signalbox', `runs at ${own.url}`)
  return { url: own.url, mailUrl: own.mailUrl, own: true }
}

async function createProject(api: ApiClient, { user_id }: Account): Promise<{ organization: Resource; project: Resource }> {
  const organization = await api.post<Resource & { slug: string }>('/organizations', { name: 'Analytical Engines' })
  printStep('ada', `creates the organization Analytical Engines ${dim(organization.slug)}`)
  await api.put(`/organizations/${organization.id}`, { budget_monthly_limit_usd: LIMIT_USD })
  printStep('ada', `gives it a budget of ${LIMIT_USD} USD a month`)
  await api.post(`/organizations/${organization.id}/members`, { user_id, role: 'admin' })
  printStep('ada', 'adds Grace as an admin')
  const workspace = await api.post(`/organizations/${organization.id}/workspaces`, { name: 'Platform' })
  printStep('ada', 'creates the workspace Platform')
  const project = await api.post(`/workspaces/${workspace.id}/projects`, { name: 'Checkout' })
  printStep('ada', 'creates the project Checkout')
  return { organization, project }
}

interface HookFields {
  trigger_on: string
  environment: string
  report_within_seconds?: number
}

async function createHook(api: ApiClient, project: Resource, url: string, secret: string, others: HookFields): Promise<Hook> {
  try {
    const input = { name: `Deploy to ${others.environment}`, url, secret, ...others }
    const hook = await api.post<Hook>(`/projects/${project.id}/deployment-hooks`, input)
    printStep('ada', `creates the hook ${hook.name} → ${url}`)
    return hook
  } catch (error) {
    throw isLoopbackBlocked(error) ? loopbackBlocked() : error
  }
}

async function testHook(api: ApiClient, hook: Hook, receiver: SignedReceiver): Promise<void> {
  printStep('ada', `tests the hook ${hook.name} ${dim('Prefer: wait=10')}`)
  const dispatch = await api.post<Dispatch & { response_status: number | null; error: { code: string; detail: string } | null }>(
    `/deployment-hooks/${hook.id}/test`,
    {},
    { Prefer: 'wait=10' },
  )
  if (dispatch.error?.code === 'blocked_address') throw loopbackBlocked()
  if (dispatch.status === 'pending') throw new Failure('The test.ping was not sent within 10 seconds. Is a worker running?')
  if (dispatch.status !== 'succeeded') {
    throw new Failure(`The test.ping ${dispatch.status}: ${dispatch.error?.code}, ${dispatch.error?.detail}`)
  }
  printStep('signalbox', `answers: ${dispatch.status}, the receiver answered ${dispatch.response_status}`)
  await arrivalOf(receiver, 'test.ping')
}

async function completeWorkflow(
  api: ApiClient,
  project: Resource,
  receiver: SignedReceiver,
  surroundings: Surroundings,
  [ada, grace]: [Account, Account],
): Promise<Resource> {
  const requirement = await api.post<Resource & { number: number }>(`/projects/${project.id}/requirements`, {
    title: 'Pay by invoice',
    acceptance_criteria: ['An invoice is sent within a minute of the order.'],
  })
  printStep('ada', `writes requirement #${requirement.number}, Pay by invoice`)
  const { id } = await api.post(`/requirements/${requirement.id}/executions`, { agent: 'claude-code' })
  printStep('ada', 'queues an execution of it by claude-code')
  await api.post(`/executions/${id}/start`, {})
  printStep('ada', 'starts the execution')
  await approveByTwo(api, surroundings, await askTwice(api, id), ada, grace)
  await arrivalOf(receiver, 'gate.approved')
  const metrics = { tests_passed: 42, tests_failed: 0, lines_added: 312, lines_removed: 40 }
  await api.post(`/executions/${id}/complete`, { summary: 'Invoices are sent.', cost_usd: 0.42, metrics })
  printStep('ada', 'completes the execution: 0.42 USD, 42 tests passed')
  await arrivalOf(receiver, 'workflow.completed')
  return requirement
}

/** The gate was for production: the hook of staging, which listens to approvals too, got nothing. */
async function showNothingSent(api: ApiClient, hook: Hook): Promise<void> {
  const { items } = await api.get<{ items: Dispatch[] }>(`/deployment-hooks/${hook.id}/dispatches`)
  if (items.length > 0) throw new Failure(`${hook.name} got ${items.length} dispatches.`)
  printStep('signalbox', checked(true, 'production alone was deployed to: staging got nothing'))
}

/** The receiver fails the first attempt of the first workflow event. */
const statusFor = ({ event, sequence, attempt }: Received): number =>
  event === 'workflow.completed' && sequence === 1 && attempt === 1 ? 503 : 200

/** Signalbox retries the failed dispatch: the same body arrives again. */
async function showRetry(api: ApiClient, hook: Hook, receiver: SignedReceiver): Promise<Received> {
  const failed = await arrivalOf(receiver, 'workflow.completed')
  for (let waiting: Dispatch | undefined; !waiting; await Bun.sleep(20)) {
    stopping.throwIfAborted()
    const { items } = await api.get<{ items: Dispatch[] }>(`/deployment-hooks/${hook.id}/dispatches`)
    // The attempt is recorded a moment after the answer.
    waiting = items.find(({ id, attempt_count }) => id === failed.dispatch_id && attempt_count > 0)
    if (!waiting?.next_attempt_at) continue
    const seconds = (Date.parse(waiting.next_attempt_at) - Date.now()) / 1000
    printStep('signalbox', `keeps the dispatch and retries it in ${seconds.toFixed(1)} s`)
  }
  const again = await arrivalOf(receiver, 'workflow.completed', 2)
  if (again.body !== failed.body) throw new Failure('The second attempt had another body than the first.')
  return again
}

/** The first deployment succeeds. The next one fails and is rolled back, so that the first version runs again. */
async function rollOut(api: ApiClient, project: Resource, receiver: SignedReceiver, first: Received): Promise<void> {
  await reportAs(first, { state: 'in_progress', version: 'v1.5.0' })
  await reportAs(first, { state: 'succeeded', version: 'v1.5.0' })
  await showEnvironment(api, project, 'v1.5.0', 'succeeded')
  const next = await arrivalOf(receiver, 'workflow.completed', 1, ({ sequence }) => sequence === 2)
  await reportAs(next, { state: 'failed', version: 'v1.6.0', description: 'Invoices are sent twice.' })
  await showEnvironment(api, project, 'v1.5.0', 'failed')
  const rollback = await rollBack(api, project, receiver)
  await reportAs(rollback, { state: 'succeeded', version: 'v1.5.0' })
  await showEnvironment(api, project, 'v1.5.0', 'succeeded')
}

/** Every hook of the project receives a rollback, whatever its trigger is. @returns the one whose receiver reports */
async function rollBack(api: ApiClient, project: Resource, receiver: SignedReceiver): Promise<Received> {
  printStep('ada', `rolls back to v1.5.0 ${dim('Prefer: wait=10')}`)
  const { dispatches } = await api.post<{ dispatches: Dispatch[] }>(
    `/projects/${project.id}/deployment-rollback`,
    { target_version: 'v1.5.0', reason: 'Invoices are sent twice.' },
    { Prefer: 'wait=10' },
  )
  const reported = await arrivalOf(receiver, 'deployment.rollback', 1, ({ headers }) => headers.has('x-signalbox-report-url'))
  printStep('signalbox', `answers: ${dispatches.map(({ status }) => status).join(' and ')}, once for each hook of the project`)
  return reported
}

function showReceived({ event, sequence, attempt, signature, standard, status }: Received): void {
  const number = sequence === null ? '' : `sequence ${sequence}, `
  const proof = `${checked(signature, 'X-Signalbox-Signature')}  ${checked(standard, 'webhook-signature')}`
  const failure = status === 200 ? '' : `  ${strong(`answers ${status}`)}`
  printStep('receiver', `${strong(event.padEnd(19))} ${`${number}attempt ${attempt}`.padEnd(21)} ${proof}${failure}`)
}

async function arrivalOf(
  receiver: SignedReceiver,
  event: string,
  attempt = 1,
  isMeant: (received: Received) => boolean = () => true,
): Promise<Received> {
  for (const deadline = performance.now() + TIMEOUT_MS; performance.now() < deadline; await Bun.sleep(5)) {
    stopping.throwIfAborted()
    const found = receiver.received.find((each) => each.event === event && each.attempt === attempt && isMeant(each))
    if (!found) continue
    if (!found.signature || !found.standard) throw new Failure(`A signature of ${event} does not match the secret of its hook.`)
    return found
  }
  throw new Failure(`${event} did not arrive at the receiver within ${TIMEOUT_MS / 1000} seconds. Is a worker running?`)
}

/** Proves that the receiver checks signatures: with one changed word, neither fits. */
function rejectForgedBody({ received }: SignedReceiver, secret: string): void {
  for (const { headers, body, event } of received.filter(({ event }) => event === 'gate.approved')) {
    const forged = body.replace('"production"', '"staging"')
    const { signature, standard } = checkSignatures(headers, forged, secret)
    const rejected = forged !== body && !signature && !standard
    if (!rejected) throw new Failure('The receiver accepted a changed body.')
    printStep(
      'receiver',
      checked(rejected, `would reject ${event} with "staging" instead of "production": neither signature fits`),
    )
  }
}

async function showWhereToLook(url: string, own: boolean, email: string, hooks: Hook[]): Promise<void> {
  console.log()
  if (own) {
    console.log('  The Signalbox of this demo is now stopped and removed. To keep one and look around:')
    console.log(`  ${strong('npx --yes bun start')}, and ${strong('npx --yes bun run demo')} in a second terminal.\n`)
    return
  }
  const embedded = await embeddedDatabaseUrl()
  const ids = hooks.map(({ id }) => `'${id}'`).join(', ')
  const query = `select event, status, sequence, number as attempt, started_at, attempt.response_status from dispatches join dispatch_attempts as attempt on attempt.organization_id = dispatches.organization_id and dispatch_id = id where hook_id in (${ids}) order by started_at`
  console.log('  Look around:')
  console.log(`    App   ${url}/sign-in as ${email} with the password "${PASSWORD}"`)
  console.log(`    API   ${url}/docs, with the same account`)
  console.log(`    SQL   psql "${embedded ?? '$DATABASE_URL'}" -c "${query}"\n`)
}

await runToEnd(run, stopping)
