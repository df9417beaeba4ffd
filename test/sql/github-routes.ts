/** GitHub in the walk over every route: the app, an installation, a link, and runs that wait for gates. */
import { GithubBench, OPERATOR } from '../github/workbench.ts'
import { PageClient } from '../support/page-client.ts'
import type { Actor, Site } from '../support/signalbox.ts'
import { PageWalk } from './every-page.ts'
import type { Context, Walk } from './walk.ts'

const V1 = '/api/v1'
const APP = `${V1}/github-app`
const INSTALLATIONS = `${V1}/organizations/{org_id}/github-installations`
const LINK = `${V1}/projects/{project_id}/github`
const ORGANIZATION_PAGE = '/app/organizations/{org_id}/github'
const PROJECT_PAGE = '/app/projects/{project_id}/github'

/** What the workbench visits by itself. */
const VISITED = [
  'GET /app/github',
  `GET ${ORGANIZATION_PAGE}`,
  `POST ${ORGANIZATION_PAGE}/connect`,
  `POST ${ORGANIZATION_PAGE}/choose`,
]

/** Calls the routes of GitHub, and runs what workers do for it. */
export async function githubRoutes(walk: Walk, { box }: Context, ada: Actor): Promise<void> {
  const { org_id = '', workspace_id = '', gate_id = '' } = walk.ids
  const project = await ada.make(`${V1}/workspaces/${workspace_id}/projects`, { name: 'At GitHub' })
  const ids = { ...walk.ids }
  walk.ids.project_id = project.id
  const bench = new GithubBench(box, ada, { organization: { id: org_id }, workspace: { id: workspace_id }, project } as Site)
  const { github } = bench
  await bench.signIn()
  await bench.makeApp()
  // The service has a public address that only GitHub knows.
  if (bench.app.hook) bench.app.hook.url = `${box.base}/github/webhooks`
  await bench.connect()
  for (const route of VISITED) walk.succeeded.add(route)
  const pages = new PageWalk(walk, bench.browser)
  await walk.call(ada, `GET ${APP}`)
  await walk.call(ada, `PUT ${APP}`, { private_key: github.addPrivateKey(bench.app) })
  await walk.call(ada, `POST ${APP}/rotate-webhook-secret`)
  await pages.visit('POST /app/github/rotate')
  await pages.visit('POST /app/github', { private_key: '', client_secret: github.addClientSecret(bench.app), webhook_secret: '' })
  const { body: installations } = await walk.call(ada, `GET ${INSTALLATIONS}`)
  walk.ids.installation_id = installations[0].id
  const away = await bench.leave(await bench.browser.open('/app/account'), 'Link a GitHub account')
  await bench.browser.open(bench.pathOf(await github.authorize(bench.octocat, away)))
  walk.succeeded.add('POST /app/account/github')

  const repository = github.createRepository(bench.acme, 'shop', { isPrivate: true })
  await walk.call(ada, `PUT ${LINK}`, { repository: 'acme/shop' })
  await walk.call(ada, `GET ${LINK}`)
  await pages.visit(`GET ${PROJECT_PAGE}`, {}, '?query=shop')
  github.protect(repository, 'production', bench.app)
  await ada.put(`${V1}/projects/${project.id}/environments/production/policy`, { prevent_self_approval: true })
  const run = github.startRun(repository, { environment: 'production', actor: bench.octocat })
  const gate = await bench.gateOf(project.id)
  walk.ids.gate_id = gate.id
  await pages.visit('GET /app/gates/{gate_id}')
  await walk.call(ada, `POST ${V1}/gates/{gate_id}/github-answer`)
  await pages.visit('POST /app/gates/{gate_id}/github-answer')
  await bench.approval(gate)
  await ada.post(`${V1}/gates/${gate.id}/reject`)
  await github.until(() => run.gate('production').state === 'rejected', 'the rejection')
  github.startRun(repository, { environment: 'staging' }).finish('success')
  github.startRun(repository, { environment: 'staging' }).finish('failure')
  github.startRun(repository, { environment: 'production' }).bypass('production')
  await box.until('the deployments', async () => (await box.sql`select from rollouts where hook_id is null`).length > 1)
  await pages.visit('GET /app/projects/{project_id}/environment', {}, '?name=staging')
  const lonely = github.createRepository(bench.acme, 'lonely')
  github.protect(lonely, 'production', bench.app)
  const refused = github.startRun(lonely, { environment: 'production' })
  await github.until(() => refused.gate('production').state === 'rejected', 'the rejection')
  github.suspend(bench.installation)
  github.unsuspend(bench.installation)
  github.renameRepository(repository, 'store')
  await box.until(
    'the name',
    async () => (await box.sql`select from github_repositories where full_name = 'acme/store'`).length > 0,
  )

  await walk.call(ada, `DELETE ${LINK}`)
  await pages.visit(`POST ${PROJECT_PAGE}`, { repository: 'acme/store', commit_statuses: 'true' })
  await pages.visit(`POST ${PROJECT_PAGE}/unlink`)
  await walk.call(ada, `DELETE ${INSTALLATIONS}/{installation_id}`)
  await bench.connect(bench.octocat, bench.acme)
  const [again] = (await ada.get(`${V1}/organizations/${org_id}/github-installations`)).body
  walk.ids.installation_id = again.id
  await pages.visit(`POST ${ORGANIZATION_PAGE}/{installation_id}/remove`)
  await box.until('no job is left', async () => (await box.sql`select from graphile_worker.jobs`).length === 0)
  await walk.call(ada, `DELETE ${APP}`)
  await bench.makeApp()
  await pages.visit('POST /app/github/remove', { confirm_name: bench.app.slug })
  await box.sql`update users set email = ${ada.email} where email = ${OPERATOR}`
  await ada.delete(`${V1}/projects/${project.id}`)
  Object.assign(walk.ids, ids, { gate_id })
  await github[Symbol.asyncDispose]()
  await PageClient.signedIn(box, ada)
}
