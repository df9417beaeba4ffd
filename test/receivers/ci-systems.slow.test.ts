/** The hooks and pipelines of the page about CI systems, taken from the page itself. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { WITH_LATE_RETRIES, Workbench } from '../deployment-hooks/workbench.ts'
import type { Answer } from '../support/signalbox.ts'
import { answerAs, exampleOf, type Run, STAND_INS } from './ci-stand-ins.ts'

type Body = Answer['body']

const page = await Bun.file(join(import.meta.dir, '../../docs/receivers/ci-systems.md')).text()

const COMMIT = '7d3f1f0b4a0f7d9d4f3a4f2f2a7c6f7e0f1d2c3b'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open(WITH_LATE_RETRIES)
})

afterAll(() => bench.close())

/** The commands of a pipeline that report, as the shell of the job gets them. */
function reportScripts(node: unknown): string[] {
  if (typeof node === 'string') return node.includes('curl ') ? [node.replaceAll('$$', '$')] : []
  if (typeof node !== 'object' || node === null) return []
  return Object.values(node).flatMap(reportScripts)
}

/** The value of a variable of the job that has a name like this, whatever the style of the name. */
const variableOf = ({ variables }: Run, name: string): string => {
  const plain = (text: string) => text.toLowerCase().replaceAll('_', '')
  return String(Object.entries(variables).find(([key]) => plain(key) === plain(name))?.[1] ?? '')
}

test('the page has every stand-in, and every section with a hook a stand-in', () => {
  const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)
  const sections = headings.filter((heading) => page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0]?.includes('```json'))
  expect(sections).toEqual(STAND_INS.map(({ heading }) => heading))
})

describe.each(STAND_INS.map((standIn) => [standIn.heading, standIn] as const))('%s', (heading, standIn) => {
  const { hook: documented, pipeline, pipelineText } = exampleOf(page, heading)

  async function hooked(change: (hook: Body) => Body = (hook) => hook) {
    const runs: Run[] = []
    const receiver = bench.receiver()
    receiver.answer = answerAs(standIn, pipeline, runs)
    const { pathname, search } = new URL(String(documented.url))
    const { project, hook } = await bench.hookTo(`${receiver.url}${pathname}${search}`, change(withoutUrl(documented)))
    return { project, hook, runs, receiver }
  }
  const withoutUrl = ({ url: _, ...hook }: Body) => hook

  test('takes every event of the hook, within its limits', async () => {
    const { project, hook, runs } = await hooked()
    await bench.ask(hook, 'test', undefined, { Prefer: 'wait=25' })
    await bench.ask(hook, 'trigger', undefined, { Prefer: 'wait=25' })
    await bench.admin.post(
      `/api/v1/projects/${project.id}/deployment-rollback`,
      { target_version: 'v'.repeat(120) },
      { Prefer: 'wait=25' },
    )
    const execution = await bench.box.running(bench.admin, project.id)
    const gate = await bench.admin.make(`/api/v1/executions/${execution.id}/gates`, {
      name: '"Ünïcode" \\ {{/event}} '.repeat(8).trim(),
      environment: 'production',
      subject: { uri: 'git+https://git.example.com/acme/checkout', digest: { gitCommit: COMMIT } },
    })
    await bench.admin.make(`/api/v1/gates/${gate.id}/approve`, { binding: gate.binding })
    const found = await bench.dispatches(hook, (all) => all.length === 4 && all.every(({ status }) => status !== 'pending'))
    expect(found.map(({ status, response_status, response_body }) => [status, response_status, response_body])).toEqual(
      found.map(() => ['succeeded', standIn.status, expect.any(String)]),
    )
    const events = runs.map((run) => variableOf(run, 'event') || variableOf(run, 'SIGNALBOX_EVENT'))
    expect(events).toEqual(['test.ping', 'manual.trigger', 'deployment.rollback', 'gate.approved'])
    const rollback = runs[2] as Run
    const version = variableOf(rollback, 'target_version') || variableOf(rollback, 'SIGNALBOX_TARGET_VERSION').slice(1)
    expect(version).toBe('v'.repeat(120))
    const commits = runs.map((run) => variableOf(run, 'commit') || variableOf(run, 'SIGNALBOX_COMMIT').slice(1))
    expect(commits).toEqual(['', '', '', COMMIT])
    expect(pipelineText).toMatch(/ref: .*commit \|\||git checkout --quiet "\$+\{SIGNALBOX_COMMIT#@\}"/)
  })

  test('has a pipeline that uses what the template sends, and reports through it', async () => {
    const { hook, runs, receiver } = await hooked()
    const { body: dispatch } = await bench.ask(hook, 'trigger', undefined, { Prefer: 'wait=25' })
    const run = runs[0] as Run
    for (const name of ['report_url', 'report_token']) {
      const sent = Object.keys(run.variables).find((key) => key.toLowerCase().replaceAll('_', '') === name.replace('_', ''))
      expect(pipelineText).toContain(sent as string)
    }
    const reports = bench.receiver()
    const sent = receiver.requests[0]?.headers ?? {}
    const reportToken = sent['x-signalbox-report-token'] ?? ''
    expect(sent['x-signalbox-report-url']).toEndWith(`/api/v1/dispatches/${dispatch.id}/report`)
    expect(reportToken).toStartWith('sbx_rep_')
    expect(variableOf(run, 'report_url')).toBe(sent['x-signalbox-report-url'] ?? '')
    expect(variableOf(run, 'report_token')).toBe(reportToken)
    const job = { REPORT_URL: reports.url, REPORT_TOKEN: variableOf(run, 'report_token'), SIGNALBOX_EVENT: 'test.ping' }
    const states: string[] = []
    // First as for a test.ping, which has neither URL nor token and reports nothing.
    for (const script of [{ REPORT_URL: '', REPORT_TOKEN: '' }, {}].flatMap((absent) =>
      reportScripts(pipeline).map((text) => ({ text, environment: { ...process.env, ...job, ...absent } })),
    )) {
      // Each step runs in a shell of its own; `gh` is GitHub's command line tool.
      const shell = Bun.spawn(['bash', '-e', '-c', `gh() { :; }\n${script.text}`], { env: script.environment, stderr: 'pipe' })
      expect([await shell.exited, await new Response(shell.stderr).text()]).toEqual([0, ''])
    }
    for (const { method, headers, body } of reports.requests) {
      expect([method, headers.authorization, headers['content-type']]).toEqual([
        'POST',
        `Bearer ${reportToken}`,
        'application/json',
      ])
      states.push(JSON.parse(body).state)
    }
    const isOneScript = heading === 'Buildkite'
    expect(states).toEqual(isOneScript ? ['in_progress', 'succeeded'] : ['in_progress', 'succeeded', 'failed'])
  })
})

test('a stand-in rejects what its API would reject', async () => {
  const rejected = async (heading: string, change: (hook: Body) => void, status: number) => {
    const standIn = STAND_INS.find((each) => each.heading === heading)
    if (!standIn) throw new Error(`No stand-in ${heading}`)
    const { hook: documented, pipeline } = exampleOf(page, heading)
    const receiver = bench.receiver()
    receiver.answer = answerAs(standIn, pipeline, [])
    const input: Body = structuredClone(documented)
    input.url = `${receiver.url}${new URL(input.url).pathname}`
    change(input)
    const { hook } = await bench.hookTo(input.url, input)
    const { body } = await bench.ask(hook, 'test', undefined, { Prefer: 'wait=25' })
    expect([heading, body.response_status, body.response_body]).toEqual([heading, status, expect.any(String)])
  }
  const dispatchApi = 'GitHub Actions: repository_dispatch'
  await rejected(dispatchApi, (hook) => Object.assign(hook.body_template, { event_type: 'x'.repeat(101) }), 422)
  const eleven = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`p${index}`, '{{/event}}']))
  await rejected(dispatchApi, (hook) => Object.assign(hook.body_template, { client_payload: eleven }), 422)
  await rejected(dispatchApi, (hook) => Object.assign(hook, { headers: {} }), 401)
  const description = { description: `${'x'.repeat(140)}{{/event}}` }
  await rejected('GitHub Actions: deployments', (hook) => Object.assign(hook.body_template, description), 422)
  await rejected('GitLab', (hook) => Object.assign(hook.body_template.variables, { NUMBER: 1 }), 400)
  await rejected('GitLab', (hook) => Object.assign(hook, { template_secrets: { trigger_token: 'wrong' } }), 404)
  await rejected('Buildkite', (hook) => Object.assign(hook.body_template.env, { VERSION: '{{/data/target_version}}' }), 422)
  await rejected('CircleCI', (hook) => Object.assign(hook.body_template.parameters, { undeclared: 'x' }), 400)
  await rejected('CircleCI', (hook) => Object.assign(hook.body_template.parameters, { report_url: 'x'.repeat(513) }), 400)
  await rejected('Azure Pipelines', (hook) => Object.assign(hook.body_template.templateParameters, { undeclared: 'x' }), 400)
})
