/** The commands of the page about approvals, in the terminal of the quickstart. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Workbench } from '../deployment-hooks/workbench.ts'
import { OpenIdProvider } from '../oauth/openid-provider.ts'
import { nodeHere } from '../support/node.ts'
import { makeMachine } from '../support/service-accounts.ts'

const docs = join(import.meta.dir, '../../docs')
const page = await Bun.file(join(docs, 'approvals.md')).text()
const quickstart = await Bun.file(join(docs, 'quickstart.md')).text()
const FUNCTIONS = [...quickstart.matchAll(/^(?:field|call|post)\(\) .*$/gm)].map(([line]) => line).join('\n')

let bench: Workbench
/** Vouches for the jobs of GitHub. */
let provider: OpenIdProvider
/** What the terminal of the quickstart has. */
let environment: Record<string, string>

beforeAll(async () => {
  bench = await Workbench.open()
  const project = await bench.project()
  const { token } = await bench.admin.make('/api/v1/auth/tokens', { name: 'Quickstart', scope: 'write' })
  environment = {
    SIGNALBOX_URL: bench.box.base,
    SIGNALBOX_TOKEN: token,
    ACCESS_TOKEN: bench.admin.token,
    ORG_ID: bench.site.organization.id,
    PROJECT_ID: project.id,
  }
})

afterAll(async () => {
  await bench.close()
  await provider?.close()
})

async function start(script: string, more: Record<string, string> = {}) {
  const PATH = [await nodeHere(), process.env.PATH].join(':')
  const child = Bun.spawn(['bash', '-e', '-c', script], { env: { PATH, ...environment, ...more }, stderr: 'pipe' })
  const ended = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited])
  return ended.then(([printed, errors, code]) => ({ printed: printed.trim().split('\n'), errors, code }))
}

test('its commands set up groups and policies, open a gate that says what is missing, and chain environments', async () => {
  const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text]) => text)
  const { printed, errors, code } = await start([FUNCTIONS, ...blocks].join('\n'))
  expect([code, errors]).toEqual([0, ''])
  expect(printed.slice(0, 3)).toEqual(['production', 'true', 'production'])
  expect(printed[3]).toContain('Security')
  expect(printed[3]).toContain('Release')
  expect(printed.slice(4)).toEqual(['dev', 'staging', 'production', 'dev → staging → production'])
})

/** What GitHub gives the job of the workflow. */
async function jobEnvironment(job: { environment: string }): Promise<Record<string, string>> {
  const [, json = ''] = /## Gate a pull request[\s\S]*?```json\n([\s\S]*?)```/.exec(page) ?? []
  const url = bench.box.base.replace('127.0.0.1', 'localhost')
  provider = await OpenIdProvider.open(url)
  const { account } = await makeMachine(bench.box, bench.admin, bench.site, ['gates:open'])
  const trust = { ...JSON.parse(json), issuer: provider.url }
  await bench.admin.make(`/api/v1/service-accounts/${account.id}/trusts`, trust)
  const { environment } = job
  const sub = `repo:acme/checkout:environment:${environment}`
  return {
    SIGNALBOX_URL: url,
    SIGNALBOX_SERVICE_ACCOUNT: account.id,
    SIGNALBOX_TOKEN: '',
    ACTIONS_ID_TOKEN_REQUEST_URL: provider.requestUrl({
      sub,
      repository_id: '123456789',
      environment,
      ref: 'refs/pull/12/merge',
    }),
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'job',
  }
}

/** A folder for the PATH in which the command line of the service is this checkout. */
async function npxHere(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-npx-'))
  const program = join(docs, '../cli/signalbox.js')
  await Bun.write(
    join(folder, 'npx'),
    `#!/bin/sh\n[ "$1 $2" = "--yes $SIGNALBOX_URL/cli.tgz" ] || exit 9\nshift 2\nexec node '${program}' "$@"\n`,
  )
  await chmod(join(folder, 'npx'), 0o755)
  return folder
}

test('its workflow waits for the decision about the commit, and fails unless it is approved', async () => {
  const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? []
  const { jobs, permissions } = Bun.YAML.parse(yaml) as {
    jobs: { approval: { environment: string; steps: { run: string }[] } }
    permissions: Record<string, string>
  }
  expect(permissions['id-token']).toBe('write')
  const run = jobs.approval.steps[0]?.run ?? ''
  const [job, npx] = await Promise.all([jobEnvironment(jobs.approval), npxHere()])
  const gates = `/api/v1/projects/${environment.PROJECT_ID}/gates`
  const pending = async (commit: string) => {
    const find = async () =>
      (await bench.admin.get(`${gates}?status=pending`)).body.find(
        ({ subject }: { subject: { digest: { gitCommit: string } } | null }) => subject?.digest.gitCommit === commit,
      )
    await bench.box.until(`a gate for ${commit}`, async () => (await find()) !== undefined)
    return find()
  }
  const REPOSITORY = 'https://git.example.com/acme/checkout'
  const commits = ['a', 'b', 'c'].map((digit) => digit.repeat(40))
  const runs = commits.map((COMMIT) => () => start(`PATH=${npx}:$PATH\n${run}`, { ...job, COMMIT, NUMBER: '12', REPOSITORY }))

  const first = runs[0]?.()
  await pending(commits[0] ?? '')
  // The push of another commit replaces its gate.
  const second = runs[1]?.()
  const { id, binding } = await pending(commits[1] ?? '')
  expect(await first).toMatchObject({ code: 1, printed: expect.arrayContaining(['Pull request 12  cancelled']) })
  await bench.admin.post(`/api/v1/gates/${id}/approve`, { binding })
  const approved = { code: 0, printed: expect.arrayContaining(['Pull request 12  approved']) }
  expect(await second).toMatchObject({ ...approved, errors: expect.stringContaining(`/app/gates/${id}`) })
  // A repeated run finds the gate that it has opened.
  expect(await runs[1]?.()).toMatchObject({ ...approved, errors: expect.stringContaining(`/app/gates/${id}`) })

  const third = runs[2]?.()
  await bench.admin.post(`/api/v1/gates/${(await pending(commits[2] ?? '')).id}/reject`, { comment: 'No tests.' })
  expect(await third).toMatchObject({ code: 1, printed: expect.arrayContaining(['Pull request 12  rejected']) })
  await rm(npx, { recursive: true })
})
