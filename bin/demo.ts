/** `bun run demo`: plays the story of one release aloud, and checks what arrives and what is on record. */

import { stopSignal } from '../cli/support/stop-signal.js'
import { checked, onTerminal, out, printStep } from '../cli/support/terminal.js'
import type { Named } from './scenario/play.ts'
import {
  createHook,
  createSite,
  generate,
  playTask,
  production,
  promoteFix,
  requireTwoGroups,
  rollBack,
} from './scenario/play.ts'
import { type Received, type Report, startReceiver } from './scenario/receiver.ts'
import { arrivalOf, PASSWORD, type Site, type Stage, signInAll, waitFor } from './scenario/stage.ts'
import { STORY } from './scenario/story.ts'
import type { Resource } from './support/api-client.ts'
import { answerHelp, Failure, runToEnd } from './support/command.ts'
import { findSignalbox, startThrowawaySignalbox } from './support/find-signalbox.ts'

answerHelp(`npx --yes bun run demo

Plays one story through the API and verifies the signatures of the requests that arrive: hooks, a commit that two people of two groups
approve for production, in the browser and by mail, a retry, a budget, a comparison of two agents, a changelog, a rollout that fails and is
rolled back, and the fix, which comes from staging to production with one click. Uses the Signalbox at SIGNALBOX_URL or the one of \`bun start\` here; where none runs, it starts one and removes it at
the end.`)

type Attempt = { number: number; duration_ms: number; response_status: number | null }
type Progress = { status: string; attempt_count: number; next_attempt_at: string | null; error: { detail: string } | null }
type Dispatch = Resource & Progress & { event: string; attempts: Attempt[] }

const stopping = stopSignal()

/** The second deployment fails. */
const FAILING = 2

async function run(): Promise<void> {
  await using started = new AsyncDisposableStack()
  const { url, mailUrl, own } = await findSignalbox(() => startThrowawaySignalbox(started, stopping))
  printStep('signalbox', `runs at ${url}`)
  await using receiver = startReceiver(FAILING, 0, showReceived, showReported)
  printStep('receiver', `listens on ${receiver.url}`)
  const clients = await signInAll(url, `-${crypto.randomUUID().slice(0, 8)}`)
  const { email } = clients.ada
  printStep('ada', `registers as ${email}; so do Grace, Alan and Margaret`)
  const stage: Stage = { url, mailUrl, clients, receiver, say: printStep, stopping }

  // The release exceeds the alert threshold; what both agents cost is within the limit.
  const budget = { budget_monthly_limit_usd: 50, budget_alert_threshold: 0.6 }
  const site = await createSite(stage, { name: 'Analytical Engines' }, budget)
  const hooks: Named[] = []
  for (const hook of STORY.hooks) hooks.push(await createHook(stage, site, hook))
  const [approvals, staging, deployments] = hooks as [Named, Named, Named]
  const [, managers] = await requireTwoGroups(stage, site)
  await testHook(stage, approvals)
  await playTask(stage, site, STORY.release, async () => {
    await arrivalOf(stage, 'gate.approved')
    await showRetry(stage, deployments)
    if ((await dispatchesOf(stage, staging)).length > 0) throw new Failure(`${staging.name} got a dispatch.`)
    printStep('signalbox', checked(true, 'production alone was deployed to: staging got nothing'))
    await receiver.reported()
    await production(stage, site, 'succeeded')
    await showBudget(stage)
  })
  const { content } = await generate(stage, site.checkout, 'changelog')
  for (const line of content.split('\n').filter((each) => /^(##|-) /.test(each)))
    printStep('signalbox', out.dim(line.replaceAll(/\\|\(<[^>]+>\)/g, '')))
  await rollBack(stage, site, FAILING)
  await promoteFix(stage, site, deployments, managers ? [managers] : [])
  await showRecord(stage, hooks)
  await showTrail(stage, site)
  console.log(
    own
      ? `\n  The Signalbox of this demo is now stopped and removed. To keep one: ${out.strong('npx --yes bun start')}\n`
      : `\n  Look around: ${url}/sign-in as ${email} with the password "${PASSWORD}"\n`,
  )
}

const dispatchesOf = async ({ clients }: Stage, { id }: Named): Promise<Dispatch[]> =>
  (await clients.ada.get<{ items: Dispatch[] }>(`/deployment-hooks/${id}/dispatches`)).items

async function testHook(stage: Stage, hook: Named): Promise<void> {
  printStep('grace', `tests the hook ${hook.name} ${out.dim('Prefer: wait=10')}`)
  const path = `/deployment-hooks/${hook.id}/test`
  const { status, error } = await stage.clients.grace.post<Dispatch>(path, {}, { Prefer: 'wait=10' })
  if (status !== 'succeeded') throw new Failure(`The test.ping is ${status}: ${error?.detail ?? 'is a worker running?'}`)
  printStep('signalbox', `answers: ${status}`)
  await arrivalOf(stage, 'test.ping')
}

/** The receiver failed the first deployment, and Signalbox retries it: the same body arrives again. */
async function showRetry(stage: Stage, hook: Named): Promise<void> {
  const failed = await arrivalOf(stage, 'workflow.completed')
  const at = await waitFor(stage, 'No retry was planned', async () => {
    const [dispatch] = await dispatchesOf(stage, hook)
    // The attempt is recorded a moment after the answer.
    return dispatch?.attempt_count ? (dispatch.next_attempt_at ?? undefined) : undefined
  })
  printStep('signalbox', `keeps the dispatch and retries it in ${((Date.parse(at) - Date.now()) / 1000).toFixed(1)} s`)
  const again = await arrivalOf(stage, 'workflow.completed', ({ attempt }) => attempt === 2)
  if (again.body !== failed.body) throw new Failure('The second attempt had another body than the first.')
}

function showReceived({ event, sequence, attempt, signatures, status }: Received): void {
  const number = sequence === null ? '' : `sequence ${sequence}, `
  const proof = `${checked(signatures[0], 'X-Signalbox-Signature')}  ${checked(signatures[1], 'webhook-signature')}`
  const failure = status === 200 ? '' : `  ${out.strong(`answers ${status}`)}`
  printStep('receiver', `${out.strong(event.padEnd(19))} ${`${number}attempt ${attempt}`.padEnd(21)} ${proof}${failure}`)
}

function showReported({ state, version, description }: Report, environment: string): void {
  const outcome = `${out.strong(state.replace('_', ' '))} ${out.dim(description ?? '')}`
  printStep('receiver', `reports ${version} to ${environment}: ${outcome}`)
}

/** The execution exceeded the alert threshold, so the owner gets one notification. */
async function showBudget(stage: Stage): Promise<void> {
  const { ada } = stage.clients
  const alert = await waitFor(stage, 'No budget alert arrived', async () => {
    const { items } = await ada.get<{ items: { type: string; title: string }[] }>('/notifications')
    const [first, ...others] = items.filter(({ type }) => type === 'budget_alert')
    if (others.length > 0) throw new Failure(`${1 + others.length} budget alerts arrived instead of one.`)
    return first
  })
  printStep('ada', `${checked(true, 'is notified, once:')} ${alert.title}`)
}

/** Prints the recorded attempts. @throws Failure unless the receiver saw the same */
async function showRecord(stage: Stage, hooks: Named[]): Promise<void> {
  for (const hook of hooks) {
    console.log(`\n  ${onTerminal(hook.name)}  ${out.dim(`GET /api/v1/deployment-hooks/${hook.id}/dispatches`)}`)
    const finished = await waitFor(stage, `Not every dispatch of ${hook.name} was finished`, async () => {
      const dispatches = await dispatchesOf(stage, hook)
      return dispatches.some(({ status }) => status === 'pending') ? undefined : dispatches.reverse()
    })
    for (const { id, event, status } of finished) {
      const { attempts } = await stage.clients.ada.get<Dispatch>(`/dispatches/${id}`)
      const seen = stage.receiver.received.filter(({ headers }) => headers.get('x-signalbox-delivery') === id)
      const same = attempts.map((each) => each.response_status).join() === seen.map((each) => each.status).join()
      const story = attempts.map((each) => `attempt ${each.number}: ${each.response_status} in ${each.duration_ms} ms`)
      console.log(`    ${checked(same, `${event.padEnd(19)} ${status}`)}  ${out.dim(story.join(', '))}`)
      if (!same || status !== 'succeeded')
        throw new Failure(`The dispatch ${id} is ${status}, or the receiver saw other attempts.`)
    }
  }
}

/** Has the hash chain of the audit log verified. */
async function showTrail({ clients: { ada } }: Stage, { organization }: Site): Promise<void> {
  const path = `/organizations/${organization.id}/audit-logs/verify`
  const { valid, sealed } = await ada.get<{ valid: boolean; sealed: number }>(path)
  console.log(`\n  ${checked(valid, `The audit trail is unbroken: ${sealed} entries`)}  ${out.dim(`GET /api/v1${path}`)}`)
}

await runToEnd(run, stopping)
