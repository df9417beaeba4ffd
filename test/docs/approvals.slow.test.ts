/** The commands of the page about approvals, in the terminal of the quickstart. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Workbench } from '../deployment-hooks/workbench.ts'
import { nodeHere } from '../support/node.ts'

const docs = join(import.meta.dir, '../../docs')
const page = await Bun.file(join(docs, 'approvals.md')).text()
const quickstart = await Bun.file(join(docs, 'quickstart.md')).text()
const FUNCTIONS = [...quickstart.matchAll(/^(?:field|call|post)\(\) .*$/gm)].map(([line]) => line).join('\n')

let bench: Workbench
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

afterAll(() => bench.close())

async function start(script: string, more: Record<string, string> = {}) {
  const PATH = [await nodeHere(), process.env.PATH].join(':')
  const child = Bun.spawn(['bash', '-e', '-c', script], { env: { PATH, ...environment, ...more }, stderr: 'pipe' })
  const ended = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited])
  return ended.then(([printed, errors, code]) => ({ printed: printed.trim().split('\n'), errors, code }))
}

test('its commands set up groups and a policy, and open a gate that says what is missing', async () => {
  const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text]) => text)
  const { printed, errors, code } = await start([FUNCTIONS, ...blocks].join('\n'))
  expect([code, errors]).toEqual([0, ''])
  expect(printed.slice(0, 3)).toEqual(['production', 'true', 'production'])
  expect(printed[3]).toContain('Security')
  expect(printed[3]).toContain('Release')
})

test('its workflow waits for the decision about the commit, and fails unless it is approved', async () => {
  const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? []
  const { jobs } = Bun.YAML.parse(yaml) as { jobs: { approval: { steps: { run: string }[] } } }
  const run = jobs.approval.steps[0]?.run.replace('sleep 15', 'sleep 0.2') ?? ''
  const gates = `/api/v1/projects/${environment.PROJECT_ID}/gates`
  const pending = async (commit: string) => {
    const find = async () =>
      (await bench.admin.get(`${gates}?status=pending`)).body.find(
        ({ subject }: { subject: { digest: { gitCommit: string } } | null }) => subject?.digest.gitCommit === commit,
      )
    await bench.box.until(`a gate for ${commit}`, async () => (await find()) !== undefined)
    return find()
  }
  const commits = ['a', 'b', 'c'].map((digit) => digit.repeat(40))
  const runs = commits.map(
    (COMMIT) => () => start(run, { COMMIT, NUMBER: '12', REPOSITORY: 'https://git.example.com/acme/checkout' }),
  )

  const first = runs[0]?.()
  await pending(commits[0] ?? '')
  // The push of another commit replaces its gate.
  const second = runs[1]?.()
  const { id, binding } = await pending(commits[1] ?? '')
  expect(await first).toMatchObject({ code: 1, printed: [expect.any(String), 'The gate is cancelled.'] })
  await bench.admin.post(`/api/v1/gates/${id}/approve`, { binding })
  expect(await second).toMatchObject({ code: 0, printed: [expect.stringContaining(`/app/gates/${id}`), 'The gate is approved.'] })
  // A repeated run finds the gate that it has opened.
  expect(await runs[1]?.()).toMatchObject({
    code: 0,
    printed: [expect.stringContaining(`/app/gates/${id}`), 'The gate is approved.'],
  })

  const third = runs[2]?.()
  await bench.admin.post(`/api/v1/gates/${(await pending(commits[2] ?? '')).id}/reject`, { comment: 'No tests.' })
  expect(await third).toMatchObject({ code: 1, printed: [expect.any(String), 'The gate is rejected.'] })
})
