/** The walkthrough on the page about CI systems: its commands, with a stand-in for GitHub that runs the workflow. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WITH_LATE_RETRIES, Workbench } from '../deployment-hooks/workbench.ts'
import { nodeHere } from '../support/node.ts'
import { answerAs, exampleOf, type Run, STAND_INS } from './ci-stand-ins.ts'

const docs = join(import.meta.dir, '../../docs')
const page = await Bun.file(join(docs, 'receivers/ci-systems.md')).text()
const quickstart = await Bun.file(join(docs, 'quickstart.md')).text()

let bench: Workbench
let folder: string

beforeAll(async () => {
  bench = await Workbench.open(WITH_LATE_RETRIES)
  folder = await mkdtemp(join(tmpdir(), 'signalbox-walkthrough-'))
})

afterAll(async () => {
  await bench.close()
  await rm(folder, { recursive: true })
})

interface Step {
  run?: string
  if?: string
}

/** Runs a script in a shell. @returns what it prints */
async function shell(script: string, cwd: string, environment: Record<string, string>): Promise<string> {
  const PATH = [await nodeHere(), process.env.PATH].join(':')
  const author = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' }
  const committer = { GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com', GIT_CONFIG_GLOBAL: '/dev/null' }
  const child = Bun.spawn(['bash', '-e', '-c', script], {
    cwd,
    env: { PATH, HOME: folder, ...author, ...committer, ...environment },
    stderr: 'pipe',
  })
  const [printed, errors, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  expect([exitCode, errors]).toEqual([0, ''])
  return printed
}

/** Runs the job of a workflow that succeeds, in a checkout of the pushed repository. @returns what it prints */
async function runWorkflow(steps: Step[], { variables }: Run): Promise<string> {
  const checkout = join(folder, `run-${crypto.randomUUID()}`)
  await shell(`git clone --quiet '${join(folder, 'remote.git')}' '${checkout}'`, folder, {})
  const event = String(variables.event)
  const environment = {
    EVENT: event,
    COMMIT: String(variables.commit ?? ''),
    TARGET_VERSION: String(variables.target_version ?? ''),
    REPORT_URL: String(variables.report_url),
    REPORT_TOKEN: String(variables.report_token),
    GITHUB_SHA: (await shell('git rev-parse HEAD', checkout, {})).trim(),
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_REPOSITORY: 'acme/checkout',
    GITHUB_RUN_ID: '4711',
  }
  let printed = ''
  for (const { run = '', if: condition = '' } of steps) {
    const isSkipped = condition.startsWith('failure()') || (event === 'test.ping' && condition.includes('test.ping'))
    if (!isSkipped) printed += await shell(run, checkout, environment)
  }
  return printed
}

test('leads from an empty repository to a deploy that the environment shows', async () => {
  const heading = 'GitHub Actions: repository_dispatch'
  const standIn = STAND_INS.find((each) => each.heading === heading)
  if (!standIn) throw new Error('There is no stand-in')
  const { hook, pipeline, pipelineText } = exampleOf(page, heading)
  const runs: Run[] = []
  const github = bench.receiver()
  github.answer = answerAs(standIn, pipeline, runs)
  const project = await bench.project()
  const { token } = await bench.admin.make('/api/v1/auth/tokens', { name: 'Quickstart', scope: 'write' })

  const [, section = ''] = page.split('\n## Walkthrough: from an empty repository to a deployment\n')
  const [own = ''] = section.split('\n## ')
  const blocks = [...own.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(([, text = '']) => text.replaceAll(/^ {3}/gm, ''))
  expect(blocks).toHaveLength(6)
  const functions = [...quickstart.matchAll(/^(?:field|call|post)\(\) .*$/gm)].map(([line]) => line).join('\n')
  const remote = join(folder, 'remote.git')
  await shell(`git init --quiet --bare --initial-branch main '${remote}'`, folder, {})
  await Bun.write(join(folder, 'hook.json'), JSON.stringify(hook).replace('https://api.github.com', github.url))

  const environment = { SIGNALBOX_URL: bench.box.base, SIGNALBOX_TOKEN: token, PROJECT_ID: project.id }
  let kept = ''
  let step = 0
  // Each step starts where the one before ended: in the repository, with its variables.
  const next = async () => {
    const block = (blocks[step] as string).replaceAll('https://github.com/acme/checkout.git', remote)
    const where = step === 0 ? folder : join(folder, 'checkout')
    step += 1
    const printed = await shell(
      `${functions}\n${kept}\n${block}\ndeclare -p HOOK_ID DISPATCH_ID 2> /dev/null > '${folder}/kept' || true`,
      where,
      environment,
    )
    kept = await Bun.file(join(folder, 'kept')).text()
    return printed
  }
  await next()
  await Bun.write(join(folder, 'checkout/.github/workflows/deploy.yml'), pipelineText)
  await next()
  await next()
  expect((await next()).trim()).toBe('succeeded')
  const { steps } = (pipeline.jobs as { deploy: { steps: Step[] } }).deploy
  expect(await runWorkflow(steps, runs[0] as Run)).not.toContain('Deployed')
  await next()
  expect(runs).toHaveLength(2)
  const log = await runWorkflow(steps, runs[1] as Run)
  const [, version] = /Deployed ([0-9a-f]{40})/.exec(log) ?? []
  expect(version).toBeString()
  const [environments, dispatch] = (await next())
    .replace(/\}\]\s*\{/, '}]\n{')
    .split('\n')
    .map((line) => JSON.parse(line))
  const url = 'https://github.com/acme/checkout/actions/runs/4711'
  expect(environments).toMatchObject([
    {
      environment: 'production',
      current: { dispatch_id: dispatch.id, event: 'manual.trigger', state: 'succeeded', version, url },
    },
  ])
  // The whole life of the dispatch is one record.
  expect(dispatch).toMatchObject({
    event: 'manual.trigger',
    status: 'succeeded',
    attempts: [{ number: 1, response_status: 204 }],
    rollout: { state: 'succeeded', version, url, reported_by: null },
  })
  expect(JSON.parse(dispatch.payload)).toMatchObject({ event_type: 'signalbox', client_payload: { event: 'manual.trigger' } })
})
