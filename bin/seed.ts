/** `bun run seed`: fills a Signalbox with an organization that has a history, through the HTTP API as any client would. */

import { stopSignal } from '../cli/support/stop-signal.js'
import { type Clients, PASSWORD, PEOPLE, signInAll } from './seed/accounts.ts'
import { createChannels, createHooks, rollBack, untilDelivered } from './seed/deliveries.ts'
import { createPipelines, type Known } from './seed/history.ts'
import { createSite, isSeeded, markSeeded } from './seed/organization.ts'
import { moveIntoPast } from './seed/past.ts'
import { claimTwo, createPullHook } from './seed/pull.ts'
import { startReceiver } from './seed/receiver.ts'
import { createRules } from './seed/rules.ts'
import { playWork, writeDocuments } from './seed/work.ts'
import { Failure } from './support/failure.ts'
import { answerHelp } from './support/help.ts'
import { embeddedDatabaseUrl, isReady, signalboxUrl, startSignalbox } from './support/own-signalbox.ts'
import { runToEnd } from './support/run-to-end.ts'
import { dim, printStep, strong } from './support/timeline.ts'

answerHelp(`npx --yes bun run seed

Creates an organization with a history: users, workspaces, projects, executions, gates, hooks with dispatches and rollouts,
channels, budgets, documents and a comparison. Uses the Signalbox at SIGNALBOX_URL or the one of \`bun start\` here; where none runs,
it starts one on the data of \`bun start\` and stops it again. A second run changes nothing. With DATABASE_URL, or the database of
\`bun start\`, finished work is dated back by weeks, and four months of deployments are added; not on a
cluster.`)

const stopping = stopSignal()

/** Uses the Signalbox that runs, or runs the one of `bun start` for the time of this command. */
async function findSignalbox(started: AsyncDisposableStack): Promise<{ url: string; own: boolean }> {
  const url = signalboxUrl()
  if (await isReady(url)) return { url, own: false }
  if (process.env.SIGNALBOX_URL) throw new Failure(`SIGNALBOX_URL is ${url}, but ${url}/readyz does not answer that it is ready.`)
  printStep('signalbox', dim(`none runs at ${url}: starting one`))
  started.use(await startSignalbox(url, process.env, stopping))
  return { url, own: true }
}

/** Moves finished work into the past, if it can. @returns what it did */
async function dateBack(organization_id: string, pipelines: Known[]): Promise<string> {
  const database = process.env.DATABASE_URL || (await embeddedDatabaseUrl())
  if (!database) return dim('without DATABASE_URL everything is dated today')
  const isMoved = await moveIntoPast(database, organization_id, pipelines)
  return isMoved
    ? 'dated finished work back by weeks, and added four months of deployments'
    : dim('on a cluster everything is dated today')
}

async function seed(url: string, clients: Clients): Promise<void> {
  const site = await createSite(clients)
  printStep('seed', 'created the organization, its members, workspaces, projects and runtimes')
  await using receiver = startReceiver()
  const hooks = await createHooks(clients, site, receiver.url)
  const pullHook = await createPullHook(clients, site)
  await createChannels(clients, site, receiver.url)
  printStep('seed', `created hooks and channels, which lead to ${receiver.url}`)
  await playWork(clients, site)
  printStep('seed', 'created requirements, executions, gates and a comparison')
  await untilDelivered(clients.ada, hooks)
  await receiver.reported()
  await rollBack(clients, site)
  await untilDelivered(clients.ada, hooks)
  await receiver.reported()
  await claimTwo(clients, url, pullHook)
  printStep('seed', 'the dispatches are delivered or claimed, their rollouts reported, and one was rolled back')

  await createRules(clients, site, url)
  const pipelines = await createPipelines(clients, site, receiver.url)
  printStep('seed', 'created groups, the policies of environments, service accounts, and further hooks')
  printStep('seed', await dateBack(site.organization.id, pipelines))
  await writeDocuments(clients, site)
  printStep('seed', 'wrote a changelog, a deployment guide and a project summary')
  await markSeeded(clients, site)
}

function showAccounts(url: string, own: boolean): void {
  const accounts = Object.values(PEOPLE).map(({ email, role }) => `    ${email.padEnd(24)}${role}`)
  console.log(`
  Sign in with the password ${strong(`"${PASSWORD}"`)}:

${accounts.join('\n')}

  Docs   ${url}/docs${own ? ' (after npx --yes bun start)' : ''}
  curl   curl ${url}/api/v1/auth/login --json '{"email": "${PEOPLE.ada.email}", "password": "${PASSWORD}"}'
  Hooks  npx --yes bun run listen receives what they send from now on
`)
}

async function run(): Promise<void> {
  await using started = new AsyncDisposableStack()
  const { url, own } = await findSignalbox(started)
  const clients = await signInAll(url)
  if (await isSeeded(clients)) printStep('seed', 'the seed data is already there; nothing was changed')
  else await seed(url, clients)
  showAccounts(url, own)
}

await runToEnd(run, stopping)
