import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Actor } from '../support/signalbox.ts'
import { GithubBench } from './workbench.ts'

let bench: GithubBench
let grace: Actor

beforeAll(async () => {
  bench = await GithubBench.connected()
  grace = await bench.box.user('Grace')
  await bench.box.join(grace, bench.site, 'admin')
})
afterAll(() => bench.close())

const link = (actor: Actor, id: number) => bench.box.sql`
  insert into user_identities (user_id, provider, team_id, external_id)
  values (${actor.id}, 'github', ${new URL(bench.github.url).host}, ${String(id)})
`

test('who sent, started or re-ran a run cannot approve its gate, and others show who they are at GitHub', async () => {
  const { github, admin } = bench
  const { project, repository } = await bench.linked()
  await admin.put(`/api/v1/projects/${project.id}/environments/production/policy`, { prevent_self_approval: true })
  const run = github.startRun(repository, { environment: 'production', actor: bench.octocat })
  const gate = await bench.gateOf(project.id)
  expect(gate.prevent_self_approval).toBe(true)
  const approve = (actor: Actor) => bench.approval(gate, actor)

  expect(await approve(grace)).toMatchObject({ status: 403, body: { code: 'github_identity_required' } })
  const page = await bench.browser.open(`/app/gates/${gate.id}`)
  expect(page.text).toContain('Link your GitHub account')
  expect(page.text).toContain('Workflow run at GitHub')
  expect(page.text).toContain('octocat')

  await link(admin, bench.octocat.id)
  expect(await approve(admin)).toMatchObject({ status: 403, body: { code: 'self_approval' } })
  await link(grace, 4_711)
  expect((await approve(grace)).status).toBe(200)
  await github.until(() => run.gate('production').state === 'approved', 'the approval')
})

test('a member who has linked the account that asked has opened the gate', async () => {
  const { github } = bench
  const { project, repository } = await bench.linked()
  github.startRun(repository, { environment: 'production', actor: bench.octocat })
  const gate = await bench.gateOf(project.id)
  expect(gate.created_by).toBe(bench.admin.id)
})
