/** Every command against a real service, on Bun and on Node: what it does, prints and returns. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Approvals, gitSubject, newCommit } from '../attestations/support.ts'
import type { Answer } from '../support/signalbox.ts'
import { Gateway, Home, NOWHERE, type Ran, RUNTIMES, STRANGERS } from './support.ts'

type Body = Answer['body']

let approvals: Approvals
let home: Home
let token: string
let environment: Record<string, string>

beforeAll(async () => {
  approvals = await Approvals.begin()
  home = await Home.make()
  ;({ token } = await approvals.ada.make('/api/v1/auth/tokens', { name: 'Command line' }))
  environment = { SIGNALBOX_URL: approvals.box.base, SIGNALBOX_TOKEN: token }
})

afterAll(async () => {
  await home[Symbol.asyncDispose]()
  await approvals.close()
})

const json = ({ stdout }: Ran): Body => JSON.parse(stdout)
const problemOf = ({ stderr }: Ran): Body => JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error

describe.each(RUNTIMES)('on %s', (_, runtime) => {
  const run = (args: string[], stdin?: string): Promise<Ran> => home.run(args, { runtime, environment, stdin })

  test('gate open asks for an approval of exactly this, and prints the id', async () => {
    const { id } = approvals.site.project
    const commit = newCommit()
    await Bun.write(
      join(home.path, 'evidence.json'),
      '\uFEFF{\r\n  "checks": [{ "name": "unit tests", "state": "passed" }]\r\n}\r\n',
    )
    const args = ['gate', 'open', '--project', id, '--name', 'Release review', '--environment', 'production']
    const subject = [
      '--digest',
      `gitCommit:${commit.toUpperCase()}`,
      '--uri',
      'git+https://github.com/acme/shop',
      '--version',
      'v1',
    ]
    const opened = await run([...args, ...subject, '--evidence', 'evidence.json'])
    expect([opened.code, opened.stdout]).toEqual([0, expect.stringMatching(/^[0-9a-f-]{36}\n$/)])
    expect(opened.stderr).toContain(`/app/gates/${opened.stdout.trim()}`)
    const { body: gate } = await approvals.ada.get(`/api/v1/gates/${opened.stdout.trim()}`)
    expect(gate).toMatchObject({
      name: 'Release review',
      environment: 'production',
      subject: { uri: 'git+https://github.com/acme/shop', digest: { gitCommit: commit }, version: 'v1' },
      evidence: { checks: [{ name: 'unit tests', state: 'passed' }] },
    })

    const again = await run([...args, ...subject, '--json'])
    expect([again.code, again.stdout, problemOf(again).code]).toEqual([1, '', 'gate_open'])
    expect(problemOf(again).next).toEqual(
      expect.stringMatching(new RegExp(`^Wait for it: npx --yes "http.+/cli.tgz" wait ${gate.id}$`)),
    )

    const shown = await run(['gate', 'show', gate.id])
    expect(shown).toMatchObject({ code: 0, stderr: '' })
    for (const part of ['Release review  pending', 'production', commit, 'missing      1 of 1'])
      expect(shown.stdout).toContain(part)
    const { updated_at } = json(await run(['gate', 'show', gate.id, '--json']))
    expect(updated_at).toBe(gate.updated_at)
  })

  test('evidence is read in every encoding that Windows writes, and any other is refused', async () => {
    const text = '{ "summary": "Übung 東京" }'
    const little = Buffer.from(text, 'utf16le')
    const encodings: Buffer[] = [
      Buffer.from(text),
      Buffer.from(`\uFEFF${text}`),
      little,
      Buffer.from(`\uFEFF${text}`, 'utf16le'),
      Buffer.from(little).swap16(),
      Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
    ]
    const open = ['gate', 'open', '--project', approvals.site.project.id, '--name', 'Release review', '--json', '--evidence']
    for (const bytes of encodings) {
      await Bun.write(join(home.path, 'encoded.json'), bytes)
      expect(json(await run([...open, 'encoded.json'])).evidence).toMatchObject({ summary: 'Übung 東京' })
    }
    for (const bytes of [Buffer.from(text, 'latin1'), Buffer.from(text.slice(0, -1)), Buffer.from('')]) {
      await Bun.write(join(home.path, 'encoded.json'), bytes)
      const refused = await run([...open, 'encoded.json'])
      expect([refused.code, problemOf(refused).next]).toEqual([1, expect.stringContaining('in UTF-8 or UTF-16')])
    }
  })

  test('gate open makes an execution wait, and reads evidence from standard input', async () => {
    const execution = await approvals.box.running(approvals.ada, approvals.site.project.id)
    const args = ['gate', 'open', '--execution', execution.id, '--name', 'Review', '--evidence', '-', '--json']
    const gate = json(await run(args, '{ "summary": "All green." }'))
    expect([gate.execution_id, gate.evidence.summary]).toEqual([execution.id, 'All green.'])
    expect((await run(['usage', execution.id, '--cost', '0.25'])).stdout).toBe('0.25 USD\n')
    expect(json(await run(['usage', execution.id, '--cost', '.5', '--json'])).cost_usd).toBe(0.75)
  })

  test('verify allows what is approved, and denies the rest with the reasons', async () => {
    const [commit, other] = [newCommit(), newCommit()]
    const gate = await approvals.approved({ subject: gitSubject(commit) })
    await approvals.attestation(gate)
    const args = ['verify', '--project', gate.project_id, '--environment', 'production', '--digest']
    expect(await run([...args, `gitCommit:${commit}`])).toEqual({ code: 0, stdout: `allowed  by gate ${gate.id}\n`, stderr: '' })
    const denied = await run([...args, `gitCommit:${other}`])
    expect([denied.code, denied.stdout]).toEqual([1, expect.stringMatching(/^denied\n {2}\S.+\n$/)])
    const verdict = await run([...args, `gitCommit:${other}`, '--json'])
    expect([verdict.code, json(verdict).allowed]).toEqual([1, false])
    for (const wrong of ['sha256:12', `sha1:${other}`, other])
      expect(await run([...args, wrong])).toMatchObject({
        code: 3,
        stdout: '',
        stderr: expect.stringContaining('--digest must be'),
      })
  })

  test('trigger and report', async () => {
    const { id } = approvals.site.project
    const hook = await approvals.ada.make(`/api/v1/projects/${id}/deployment-hooks`, {
      name: `Deploy ${runtime}`,
      mode: 'pull',
      trigger_on: 'workflow_done',
      report_within_seconds: 600,
    })
    const triggered = await run(['trigger', hook.id])
    expect([triggered.code, triggered.stdout]).toEqual([0, expect.stringMatching(/^[0-9a-f-]{36}\n$/)])
    const dispatch = triggered.stdout.trim()
    expect(triggered.stderr).toContain(`manual.trigger is pending: ${approvals.box.base}/app/dispatches/${dispatch}`)
    expect((await run(['report', dispatch, '--state', 'in_progress'])).stdout).toBe('in_progress\n')
    const digest = `sha256:${'a'.repeat(64)}`
    const report = [
      '--version',
      'v2',
      '--link',
      'https://ci.example.com/1',
      '--digest',
      digest,
      '--description',
      'Done.',
      '--json',
    ]
    expect(json(await run(['report', dispatch, '--state', 'succeeded', ...report])).rollout).toMatchObject({
      state: 'succeeded',
      version: 'v2',
      url: 'https://ci.example.com/1',
      description: 'Done.',
    })
    const late = await run(['report', dispatch, '--state', 'failed', '--json'])
    expect([late.code, problemOf(late).code]).toEqual([1, 'invalid_transition'])
    expect((await run(['report', dispatch, '--state', 'done'])).stderr).toContain(
      '--state must be in_progress or succeeded or failed.',
    )
  })

  test('a command of an agent reports with the token of its dispatch alone', async () => {
    const { id } = approvals.site.project
    const hook = await approvals.ada.make(`/api/v1/projects/${id}/deployment-hooks`, {
      name: `Reporting ${runtime}`,
      mode: 'pull',
      trigger_on: 'workflow_done',
      report_within_seconds: 600,
    })
    await approvals.ada.make(`/api/v1/deployment-hooks/${hook.id}/trigger`)
    const [claimed] = await approvals.ada.make(`/api/v1/deployment-hooks/${hook.id}/claim`, { wait: 20 })
    const variables = {
      SIGNALBOX_REPORT_URL: claimed.headers['X-Signalbox-Report-Url'],
      SIGNALBOX_REPORT_TOKEN: claimed.headers['X-Signalbox-Report-Token'],
    }
    const args = ['report', claimed.dispatch.id, '--state', 'failed', '--json']
    const { rollout } = json(await home.run(args, { runtime, environment: variables }))
    expect([rollout.state, rollout.reported_by]).toEqual(['failed', null])
  })

  test('whoami and open', async () => {
    const { name, email } = approvals.ada
    expect(await run(['whoami'])).toEqual({
      code: 0,
      stdout: `${name} <${email}>\nat  ${approvals.box.base}\nby  SIGNALBOX_TOKEN\n`,
      stderr: '',
    })
    expect(json(await run(['whoami', '--json']))).toMatchObject({ email, url: approvals.box.base })
    expect((await run(['open', '--print'])).stdout).toBe(`${approvals.box.base}/app\n`)
    const kinds = ['gate', 'execution', 'requirement', 'project', 'workspace', 'organization', 'dispatch', 'hook']
    for (const kind of kinds) {
      const { url } = json(await run(['open', `${kind}/${crypto.randomUUID()}`, '--json']))
      expect((await approvals.box.request('OPTIONS', new URL(url).pathname)).status).toBe(204)
    }
    expect((await run(['open', 'planet/1'])).code).toBe(1)
  })

  test('an answer that is not of Signalbox is none', async () => {
    await using gateway = new Gateway(approvals.box.base)
    const id = crypto.randomUUID()
    const digest = `gitCommit:${newCommit()}`
    const commands: [number, string[]][] = [
      [1, ['whoami']],
      [1, ['login']],
      [1, ['gate', 'open', '--project', id, '--name', 'x']],
      [1, ['gate', 'show', id]],
      [3, ['wait', id, '--timeout', '1']],
      [3, ['verify', '--project', id, '--environment', 'production', '--digest', digest]],
      [1, ['report', id, '--state', 'failed']],
      [1, ['usage', id, '--cost', '1']],
      [1, ['trigger', id]],
      [1, ['listen', '--project', id, '--forward', NOWHERE]],
    ]
    // The others stand in for gates and claims in the tests of `wait` and `agent`.
    for (const [name, stranger] of STRANGERS.filter((_, index) => index % 2 === 0)) {
      gateway.turn = () => ({ instead: stranger() })
      await Promise.all(
        commands.map(async ([wanted, args]) => {
          const { code, stdout, stderr } = await home.run([...args, '--json', '--url', gateway.url], { runtime, environment })
          expect([name, args[0], code, stdout]).toEqual([name, args[0], wanted, ''])
          expect(problemOf({ code, stdout, stderr }).code).toBe('not_signalbox')
        }),
      )
    }
    // JSON of the right kind, but not whole.
    const gate = { id, name: 'Release', status: 'approved' }
    for (const [wanted, args, answer] of [
      [3, ['wait', id, '--timeout', '0'], gate],
      [1, ['gate', 'show', id], { ...gate, approvals: 1 }],
      [3, commands[5]?.[1] ?? [], { allowed: false }],
      [1, ['report', id, '--state', 'failed'], { id, rollout: null }],
    ] as const) {
      gateway.turn = () => ({ instead: Response.json(answer) })
      const { code, stdout } = await home.run([...args, '--url', gateway.url], { runtime, environment })
      expect([args[0], code, stdout]).toEqual([args[0], wanted, ''])
    }
  })

  test('errors say what to do next, also as JSON', async () => {
    const id = crypto.randomUUID()
    const missing = await run(['gate', 'show', id])
    expect([missing.code, missing.stdout]).toEqual([1, ''])
    expect(missing.stderr).toMatch(/^✗ Signalbox answered 404: .+\n {2}Check the id, .+ npx --yes "http.+\/cli.tgz" whoami\n$/)
    const wrong = await home.run(['whoami'], { runtime, environment: { ...environment, SIGNALBOX_TOKEN: 'sbx_pat_no' } })
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('The token is from SIGNALBOX_TOKEN.')])
    const none = await home.run(['whoami', '--json'], { runtime, environment: { SIGNALBOX_URL: approvals.box.base } })
    expect([none.code, problemOf(none).code, problemOf(none).next]).toEqual([
      1,
      'no_token',
      expect.stringContaining('/cli.tgz" login'),
    ])
    const invalid = await run(['gate', 'open', '--project', approvals.site.project.id, '--name', 'x'.repeat(300)])
    expect(invalid.stderr).toContain('/name ')
    const away = await home.run(['whoami', '--url', NOWHERE, '--json'], { runtime, environment })
    expect([away.code, problemOf(away).code]).toEqual([1, 'unreachable'])
    for (const [args, said] of [
      [['wate'], 'Did you mean wait?'],
      [['gate', 'close'], 'Did you mean gate open or gate show?'],
      [['gate', 'show'], 'GATE is missing.'],
      [['gate', 'show', 'a', 'b'], '"b" is one argument too many.'],
      [['gate', 'open', '--name', 'x'], 'Either --execution or --project is required.'],
      [['gate', 'open', '--project', 'x'], '--name is required.'],
      [['whoami', '--colour'], "Unknown option '--colour'"],
      [['whoami', '--', 'x'], 'Nothing may follow --.'],
      [['whoami', '--url', 'ftp://x'], '--url must be'],
      [['whoami', '--url', 'signalbox.example.com'], '--url must be'],
      [['listen', '--project', 'x', '--forward', 'ftp://x'], '--forward must be'],
      [['listen', '--project', 'x', '--forward', 'http://'], '--forward must be'],
      [['usage', 'x', '--cost', 'much'], '--cost must be'],
    ] as const)
      expect(await run([...args])).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(said) })
  })
})

test('colors are for terminals only, and not where NO_COLOR asks for none', async () => {
  expect((await home.run(['wate'])).stderr).not.toContain('\x1b[')
  if (!Bun.which('script')) return
  const inTerminal = async (more: Record<string, string>): Promise<string> => {
    const command = `${process.execPath} ${join(import.meta.dir, '../../cli/signalbox.js')} wate`
    const child = Bun.spawn(['script', '-qec', command, '/dev/null'], {
      env: { PATH: process.env.PATH ?? '', HOME: home.path, TERM: 'xterm', ...more },
      stdout: 'pipe',
    })
    return new Response(child.stdout).text()
  }
  expect(await inTerminal({})).toContain('\x1b[31m✗')
  expect(await inTerminal({ NO_COLOR: '1' })).not.toContain('\x1b[')
})
