/** `bun run seed`: plays the scenario silently, and fills what is around it, through the HTTP API as any client would. */

import { stopSignal } from '../cli/support/stop-signal.js'
import { out, printStep } from '../cli/support/terminal.js'
import { directTarget } from '../core/platform/direct-database.ts'
import { readConnectionSettings } from '../core/platform/settings.ts'
import { type Known, moveIntoPast } from './scenario/past.ts'
import { createHook, createSite, generate, type Named, playTask, requireTwoGroups, rollBack } from './scenario/play.ts'
import { startReceiver } from './scenario/receiver.ts'
import { arrivalOf, type Clients, PASSWORD, PEOPLE, type Site, type Stage, signInAll } from './scenario/stage.ts'
import { PRODUCTION, STORY } from './scenario/story.ts'
import { apiClient, type Resource } from './support/api-client.ts'
import { answerHelp, runToEnd } from './support/command.ts'
import { findSignalbox } from './support/find-signalbox.ts'
import { freePort } from './support/ports.ts'
import { startSignalbox } from './support/run-signalbox.ts'

answerHelp(`npx --yes bun run seed

Creates an organization with a history: users, workspaces, projects, executions, gates, hooks with dispatches and rollouts,
channels, budgets, documents and a comparison. Uses the Signalbox at SIGNALBOX_URL or the one of \`bun start\` here; where none runs,
it starts one on the data of \`bun start\` and stops it again. A second run changes nothing. With DATABASE_URL, or the database of
\`bun start\`, finished work is dated back by weeks, and four months of deployments are added; not on a cluster.`)

const stopping = stopSignal()

const ORGANIZATION = { name: 'Northwind Robotics', description: 'Robots that pick, pack and load, and the shop that sells them.' }

/** @returns whether a run has completed; the organization of one that was interrupted is deleted */
async function isSeeded({ ada }: Clients): Promise<boolean> {
  const found = (await ada.get<Named[]>('/organizations?limit=100')).filter(({ name }) => name === ORGANIZATION.name)
  for (const { id } of found) {
    const { settings } = await ada.get<{ settings: { seed?: string } }>(`/organizations/${id}`)
    if (settings.seed === 'complete') return true
    await ada.delete(`/organizations/${id}`)
  }
  return false
}

/** Plays the story. @returns when each task began, and at last when all had ended */
async function playAll(stage: Stage, site: Site): Promise<Date[]> {
  const { ada, grace } = stage.clients
  const { checkout } = site
  await grace.put(`/projects/${checkout.id}/api-description`, STORY.api_description)
  const starts: Date[] = []
  for (const task of [STORY.release, ...STORY.tasks]) {
    starts.push(new Date())
    await playTask(stage, site, task)
    // Its deployment is retried: reported after later ones, it would be what runs.
    if (task === STORY.release) await arrivalOf(stage, 'workflow.completed', ({ attempt }) => attempt === 2)
    for (const type of task.publish ?? [])
      await ada.post(`/deliverables/${(await generate(stage, checkout, type)).id}/publish`, {})
  }
  await rollBack(stage, site, deploymentsOfCheckout)
  // From here on, people judge failed checks themselves.
  await grace.put(`/projects/${checkout.id}/environments/${PRODUCTION}/policy`, { require_checks: false })
  for (const task of STORY.unfinished) {
    starts.push(new Date())
    await playTask(stage, site, task)
  }
  return [...starts, new Date()]
}

/** The last deployment of Checkout fails; each execution that ends well is one. */
const deploymentsOfCheckout = 2 + STORY.tasks.filter(({ project, outcome }) => project === 'checkout' && !outcome).length

async function seed(url: string, databaseUrl: string | undefined, clients: Clients): Promise<void> {
  // The port of `bun run listen`, which receives what the hooks send later.
  await using receiver = startReceiver(deploymentsOfCheckout, await freePort('127.0.0.1', 9000))
  const stage: Stage = { url, mailUrl: null, clients, receiver, say: () => {}, stopping }
  const site = await createSite(stage, ORGANIZATION, { budget_monthly_limit_usd: 450, budget_alert_threshold: 0.8 })
  const home = `/organizations/${site.organization.id}`
  await clients.ada.post(`${home}/members`, { email: 'katherine@example.com', role: 'member' })
  for (const hook of STORY.hooks) await createHook(stage, site, { ...hook, ...STORY.fields_of_hooks[hook.path ?? ''] })
  const approvers = await requireTwoGroups(stage, site)
  const stores = await createListeners(stage, site)
  printStep('seed', `created the organization, and hooks and channels that lead to ${receiver.url}`)
  const starts = await playAll(stage, site)
  await claimOne(stage, stores)
  await receiver.reported()
  printStep('seed', 'played requirements, executions, gates, a comparison, rollouts and a rollback')

  await createRules(stage, site, approvers)
  const pipelines = await createPipelines(stage, site)
  printStep('seed', 'created policies of environments, service accounts, and further hooks')
  const database = databaseUrl && directTarget(readConnectionSettings({ ...process.env, DATABASE_URL: databaseUrl }))
  const isMoved = database && (await moveIntoPast(database, site.organization.id, starts, pipelines))
  const today = `${database ? 'on a cluster' : 'without DATABASE_URL'} everything is dated today`
  printStep('seed', isMoved ? 'dated finished work back by weeks, and added four months of deployments' : out.dim(today))
  for (const type of ['deployment_guide', 'project_summary']) await generate(stage, site.checkout, type)
  await clients.ada.put(home, { settings: { seed: 'complete' } })
}

/** Created before the story is played: they get its events. @returns the pull hook */
async function createListeners(stage: Stage, site: Site): Promise<Resource> {
  const { grace } = stage.clients
  for (const { field, path, patterns, ...fields } of STORY.channels) {
    const channel = { ...fields, config: { [field]: `${stage.receiver.url}${path}` } }
    const { id } = await grace.post(`/workspaces/${site.platform.id}/notification-channels`, channel)
    for (const event_pattern of patterns) await grace.post(`/notification-channels/${id}/subscriptions`, { event_pattern })
  }
  for (const hook of STORY.other_hooks) await createHook(stage, site, hook)
  return createHook(stage, site, STORY.pull_hook)
}

/** The CI system of the stores claims a dispatch, and has an hour to deploy it. */
async function claimOne({ clients: { grace }, url }: Stage, { id }: Resource): Promise<void> {
  const { token } = await grace.post<{ token: string }>(`/deployment-hooks/${id}/pull-token`)
  await apiClient(url, token).post(`/deployment-hooks/${id}/claim`, { lease_seconds: 3600, wait: 10 })
}

/** Policies, programs that have used their key once, and limits of agents. Set after the story was played. */
async function createRules({ clients: { ada, grace }, url }: Stage, site: Site, approvers: object[]): Promise<void> {
  const home = `/organizations/${site.organization.id}`
  for (const { project, environment, by_groups, ...policy } of STORY.policies) {
    const path = `/projects/${site[project].id}/environments/${environment}/policy`
    await grace.put(path, by_groups ? { ...policy, approvers } : policy)
  }
  const expires_at = new Date(Date.now() + 90 * 86_400_000).toISOString()
  for (const account of STORY.accounts) {
    const { id } = await ada.post(`${home}/service-accounts`, account)
    const { key } = await ada.post<{ key: string }>(`/service-accounts/${id}/keys`, { name: 'Vault', expires_at })
    await apiClient(url, key).get('/users/me')
  }
  await ada.put(`${home}/agent-limits`, STORY.agent_limits)
}

/** Makes a hook for each pipeline, after the story was played: they get no events of it. */
async function createPipelines(stage: Stage, site: Site): Promise<Known[]> {
  const made: Known[] = []
  for (const pipeline of STORY.pipelines) {
    const { project, name, environment } = pipeline
    const fields = { trigger_on: 'gate_approved', report_within_seconds: 14_400 }
    const { id } = await createHook(stage, site, { project, name, environment, path: `/${environment}`, ...fields })
    made.push({ ...pipeline, hook_id: id })
  }
  return made
}

function showAccounts(url: string, own: boolean): void {
  const accounts = Object.values(PEOPLE).map(({ email, role }) => `    ${email.padEnd(24)}${role}`)
  console.log(`
  Sign in with the password ${out.strong(`"${PASSWORD}"`)}:

${accounts.join('\n')}

  Docs   ${url}/docs${own ? ' (after npx --yes bun start)' : ''}
  curl   curl ${url}/api/v1/auth/login --json '{"email": "${PEOPLE.ada.email}", "password": "${PASSWORD}"}'
  Hooks  npx --yes bun run listen receives what they send from now on
`)
}

await runToEnd(async () => {
  await using started = new AsyncDisposableStack()
  const { url, databaseUrl, own } = await findSignalbox(() =>
    startSignalbox(started, { LOG_LEVEL: 'error', ...process.env }, stopping),
  )
  const clients = await signInAll(url)
  if (await isSeeded(clients)) printStep('seed', 'the seed data is already there; nothing was changed')
  else await seed(url, databaseUrl, clients)
  showAccounts(url, own)
}, stopping)
