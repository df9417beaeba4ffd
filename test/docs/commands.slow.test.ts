/** Each shell command of the documents is run by a test: those that no other test runs, here. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chmod, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from '../../bin/support/ports.ts'
import { version } from '../../package.json'
import { sealed } from '../audit-logs/support.ts'
import { nodeHere } from '../support/node.ts'
import { find } from '../support/programs.ts'
import { type Machine, makeMachine } from '../support/service-accounts.ts'
import { type Actor, type Answer, type Box, Process, type Site, signalbox } from '../support/signalbox.ts'
import { RUN_IN } from './run-in.ts'

// A clone installs its packages and starts a database.
setDefaultTimeout(180_000)

const root = join(import.meta.dir, '../..')
/** Whether a block without a language has commands. */
const HAS_COMMANDS = /^(?:\$ |curl |npm |npx |pg_|psql |heroku |docker |fly |export |bun )/m

const read = (path: string): Promise<string> => Bun.file(join(root, path)).text()

/** The shell blocks of a document that contain a text. */
async function blocks(path: string, containing = ''): Promise<string[]> {
  const all = [...(await read(path)).matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)].map(
    ([, indent = '', language = '', block = '']) => ({ language, block: block.replaceAll(new RegExp(`^${indent}`, 'gm'), '') }),
  )
  return all
    .filter(({ language, block }) => ['sh', 'bash'].includes(language) || (language === '' && HAS_COMMANDS.test(block)))
    .map(({ block }) => block)
    .filter((block) => block.includes(containing))
}

let box: Box
let ada: Actor
let site: Site
let machine: Machine
let folder: string
let environment: Record<string, string>

beforeAll(async () => {
  box = await signalbox()
  ada = await box.user('Ada')
  site = await box.site(ada)
  machine = await makeMachine(box, ada, site, ['usage:write', 'gates:read', 'executions:write'])
  folder = await mkdtemp(join(tmpdir(), 'signalbox-commands-'))
  // The command line of the service is this checkout, and Bun the one of this test.
  const npx = `#!/bin/sh\ncase "$2" in *cli*.tgz) shift 2; exec node '${root}/cli/signalbox.js' "$@" ;; bun) shift 2; exec '${process.execPath}' "$@" ;; esac\nexit 9\n`
  await Bun.write(join(folder, 'npx'), npx)
  await Bun.write(join(folder, 'deploy.sh'), '#!/bin/sh\necho deployed\n')
  for (const each of ['npx', 'deploy.sh']) await chmod(join(folder, each), 0o755)
  environment = {
    PATH: [folder, dirname(process.execPath), await nodeHere(), process.env.PATH].join(':'),
    HOME: folder,
    SIGNALBOX_URL: box.base,
    PUBLIC_URL: box.base,
    DATABASE_URL: box.url,
    PROJECT_ID: site.project.id,
    SIGNALBOX_TOKEN: machine.key.key,
  }
})
afterAll(async () => {
  await box.close()
  await rm(folder, { recursive: true, force: true })
})

/** The block with this service in place of the example. */
const here = (block: string): string => block.replaceAll('https://signalbox.example.com', box.base)

/** Runs a block, and returns what it prints. */
async function run(block: string, more: Record<string, string> = {}): Promise<string> {
  const child = Bun.spawn(['bash', '-euo', 'pipefail', '-c', here(block)], {
    cwd: folder,
    env: { ...environment, ...more },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited])
  expect([code, code === 0 ? '' : out + err]).toEqual([0, ''])
  return out
}

const only = async (path: string, containing: string): Promise<string> => {
  const found = await blocks(path, containing)
  expect([path, containing, found.length]).toEqual([path, containing, 1])
  return found[0] ?? ''
}

test('each block of shell commands has a test that runs it', async () => {
  const documents = ['{README,CONTRIBUTING,SECURITY,CHANGELOG}.md', '{cli,docs,sdk}/**/*.md'].flatMap((pattern) => [
    ...new Bun.Glob(pattern).scanSync(root),
  ])
  const untested: string[] = []
  const used = new Set<unknown>()
  for (const path of documents) {
    for (const block of await blocks(path)) {
      const tests = RUN_IN.filter(([document, containing]) => document === path && block.includes(containing))
      if (tests.length === 0) untested.push(`${path}: ${block}`)
      for (const each of tests) used.add(each)
    }
  }
  expect(untested).toEqual([])
  expect(RUN_IN.filter((each) => !used.has(each))).toEqual([])
  for (const [, , file] of RUN_IN) expect([file, await Bun.file(join(root, file)).exists()]).toEqual([file, true])
})

/** A line of the demo without what differs in each run. */
const untimed = (line: string): string => line.replaceAll(/[\d.]+ ?s(?:econds?)?\b/g, '… s').trim()

test('README: in a clone, the service starts, the demo prints what is shown, and the tests run', async () => {
  const block = await only('README.md', 'git clone')
  const [clone = '', start = '', runTests = ''] = block.trim().split('\n')
  const checkout = join(folder, 'signalbox')
  await run(clone.replace('<URL of this repository>', `'${root}'`))

  const ports = await Promise.all([1, 2, 3].map(() => freePort('127.0.0.1')))
  const [PORT = '', MAIL_PORT = '', MAIL_WEB_PORT = ''] = ports.map(String)
  const variables = { PATH: environment.PATH ?? '', PORT, MAIL_PORT, MAIL_WEB_PORT }
  const started = new Process(['-c', `exec 2>&1\nexec ${start}`], variables, 'bash', checkout)
  await started.said('Signalbox is ready')
  for (const path of ['/readyz', '/register', '/docs'])
    expect([path, (await fetch(`http://localhost:${PORT}${path}`)).status]).toEqual([path, 200])
  expect((await fetch(`http://localhost:${MAIL_WEB_PORT}`)).status).toBe(200)
  const printed = await run('cd signalbox && npx --yes bun run demo 2>&1', { ...variables, SIGNALBOX_URL: '', DATABASE_URL: '' })
  const printedLines = printed.split('\n').map(untimed)
  const [, shown = ''] = /```\n( +\+[\s\S]*?)```/.exec(await read('README.md')) ?? []
  const lines = shown.trimEnd().split('\n').map(untimed)
  expect(lines.length).toBe(8)
  expect(lines.filter((line) => !printedLines.includes(line))).toEqual([])
  started.kill('SIGTERM')
  await started.exited

  // Those of one file stand for all.
  const [command = ''] = runTests.split('#')
  await run(`cd signalbox && ${command.trim()} --unchecked test/gates/gates.test.ts`)
})

test('CONTRIBUTING: the examples name tests that exist', async () => {
  const text = await read('CONTRIBUTING.md')
  const named = [...text.matchAll(/bun (?:test|run test)[^#\n]*? ((?:test|faults)\/[\w./-]+)/g)].map(([, path = '']) => path)
  expect(named.length).toBeGreaterThan(3)
  for (const path of named)
    expect([path, await Bun.$`test -e ${join(root, path)}`.nothrow().then(({ exitCode }) => exitCode)]).toEqual([path, 0])
  const [, name = ''] = /-t '([^']+)'/.exec(text) ?? []
  expect(await read('test/gates/gates.test.ts')).toContain(name)
})

test('agents: what clients are given is the address of the tools, which says how to sign in', async () => {
  const added = await blocks('docs/agents.md', ' mcp add ')
  expect(added.length).toBe(3)
  for (const block of added) {
    const [url = ''] = /https:\/\/\S+\/mcp/.exec(block) ?? []
    const { status, headers } = await fetch(here(url), { method: 'POST', headers: { Accept: 'application/json' } })
    expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('resource_metadata')])
  }
})

test('command line: the function runs it, and completions are written', async () => {
  const define = await only('docs/cli.md', 'signalbox() {')
  const completions = await only('docs/cli.md', 'completions bash')
  for (const path of ['.local/share/bash-completion/completions', '.zfunc', '.config/fish/completions'])
    await mkdir(join(folder, path), { recursive: true })
  expect(await run(`${define}\nsignalbox --version\n${completions}`)).toBe(`${version}\n`)
  const written = [...new Bun.Glob('.{local,zfunc,config}/**/*signalbox*').scanSync({ cwd: folder, dot: true })]
  expect(written.sort()).toEqual([
    '.config/fish/completions/signalbox.fish',
    '.local/share/bash-completion/completions/signalbox',
    '.zfunc/_signalbox',
  ])
})

test('machines: the file of a version is checked and runs', async () => {
  const block = (await only('docs/machines.md', 'sha512sum')).replaceAll(/cli-\d+\.\d+\.\d+\.tgz/g, `cli-${version}.tgz`)
  const bytes = await (await fetch(`${box.base}/cli.tgz`)).bytes()
  const SHA512 = new Bun.CryptoHasher('sha512').update(bytes).digest('hex')
  expect(await run(block, { SHA512 })).toContain(`cli-${version}.tgz: OK\nRelease pipeline, a service account`)
})

test('service accounts: a key says whose it is', async () => {
  const block = await only('docs/service-accounts.md', 'users/me')
  const answer = JSON.parse(await run(block.replace('sbx_svc_…', machine.key.key)))
  expect(answer).toMatchObject({ type: 'service_account', id: machine.account.id })
})

test('Slack: a channel is made', async () => {
  const block = await only('docs/slack.md', 'notification-channels')
  const more = { WORKSPACE: site.workspace.id, TOKEN: ada.token }
  expect(JSON.parse(await run(block.replace('xoxb-…', 'xoxb-1'), more))).toMatchObject({ channel_type: 'slack' })
})

test('usage: it is reported, and the settings of agents are those of this service', async () => {
  const { id } = await box.running(ada, site.project.id)
  const answer = JSON.parse(await run(await only('docs/usage.md', '/usage \\'), { EXECUTION_ID: id }))
  expect(answer.usage).toMatchObject([{ model: 'gpt-5', input_tokens: 12_000 }])
  for (const block of await blocks('docs/usage.md', 'export OTEL_'))
    expect(await run(`claude() { :; }; codex() { :; }\n${block}\nenv | grep -c ^OTEL_`, { EXECUTION_ID: id })).not.toBe('0\n')
})

test('verify: what was not approved is denied', async () => {
  const answer = JSON.parse(await run(await only('docs/verify/README.md', '/verify"')))
  expect(answer).toMatchObject({ allowed: false, gate_id: null })
})

test('verify: an attestation is checked offline, and the audit log against it', async () => {
  const { project, organization } = await box.site(ada)
  const page = 'docs/verify/README.md'
  const offline = await only(page, 'node verify-attestation.mjs')
  const [, gitCommit = ''] = /gitCommit:(\w+)/.exec(offline) ?? []
  const gate = await ada.make(`/api/v1/projects/${project.id}/gates`, {
    name: 'Release 1.5.0',
    environment: 'production',
    subject: { uri: 'git+https://git.example.com/acme/checkout', digest: { gitCommit } },
  })
  await ada.make(`/api/v1/gates/${gate.id}/approve`, { binding: gate.binding })
  await box.until('the attestation is signed', async () => (await ada.get(`/api/v1/gates/${gate.id}/attestation`)).status === 200)
  await sealed(box)
  // The terminal of the quickstart is in a copy of the repository.
  for (const name of ['package.json', 'bin', 'node_modules']) await symlink(join(root, name), join(folder, name))
  const functions = [...(await read('docs/quickstart.md')).matchAll(/^(?:field|call)\(\) .*$/gm)].map(([line]) => line)
  const script = [
    ...functions,
    await only(page, '/attestation"'),
    `cp '${root}/docs/verify/verify-attestation.mjs' .`,
    offline,
    await only(page, 'verify-audit'),
  ].join('\n')
  const { token: SIGNALBOX_TOKEN } = await ada.make('/api/v1/auth/tokens', { name: 'Quickstart', scope: 'write' })
  const more = { GATE_ID: gate.id, ORG_ID: organization.id, PROJECT_ID: project.id, SIGNALBOX_TOKEN }
  expect(await run(script, more)).toMatch(/^ok\n[\s\S]*attestation/)
})

describe('pull hooks', () => {
  let hook: Answer['body']
  let token: string

  beforeAll(async () => {
    const [, json = ''] = /```json\n([\s\S]*?)```/.exec(await read('docs/receivers/pull.md')) ?? []
    hook = await ada.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, JSON.parse(json))
    ;({ token } = await ada.make(`/api/v1/deployment-hooks/${hook.id}/pull-token`))
  })

  test('the agent runs the command for a dispatch', async () => {
    const block = await only('docs/receivers/pull.md', ' agent ')
    const command = here(block).replace('sbx_pull_…', token).replace('0198…', hook.id).replace('npx --yes', 'exec npx --yes')
    const agent = new Process(['-c', `exec 2>&1\n${command}`], environment, 'bash', folder)
    await agent.said('Claiming from')
    await ada.make(`/api/v1/deployment-hooks/${hook.id}/trigger`)
    await agent.said('exit code 0: succeeded')
    agent.kill('SIGTERM')
    await agent.exited
    expect(agent.lines.join('\n')).toContain('deployed')
  })

  test('a dispatch is claimed, reported and acknowledged without the agent', async () => {
    const { id } = await ada.make(`/api/v1/deployment-hooks/${hook.id}/trigger`)
    const more = { SIGNALBOX: box.base, HOOK: hook.id, SIGNALBOX_TOKEN: token, DISPATCH: id }
    const [claimed] = JSON.parse(await run(await only('docs/receivers/pull.md', '/claim"'), more))
    expect(claimed.dispatch.id).toBe(id)
    const report = await only('docs/receivers/README.md', '"$REPORT_URL"')
    const { 'X-Signalbox-Report-Token': REPORT_TOKEN = '' } = claimed.headers
    const reported = await run(report, { REPORT_URL: `${box.base}/api/v1/dispatches/${id}/report`, REPORT_TOKEN })
    expect(JSON.parse(reported).rollout).toMatchObject({ state: 'succeeded', version: 'v1.5.0' })
    const acknowledge = (await only('docs/receivers/pull.md', '/acknowledge"')).replace(
      '2026-03-01T12:10:00.000Z',
      claimed.lease_until,
    )
    expect(JSON.parse(await run(acknowledge, more))).toMatchObject({ id, status: 'succeeded' })
  })
})

test('receivers: the command that shows dispatches starts', async () => {
  const block = await only('docs/receivers/README.md', 'run listen')
  const [, command = ''] = /^\$ npx --yes bun run listen (.*)$/m.exec(block) ?? []
  const port = String(await freePort('127.0.0.1'))
  const script = ['cli/signalbox.js', 'listen', ...command.split(' '), '--port', port]
  const listener = new Process(script, environment, process.execPath, root)
  await listener.said(port)
  listener.kill('SIGTERM')
  await listener.exited
})

describe('operating', () => {
  const hasPsql = find('pg_dump', 'the commands of the operating manual') !== null

  test.skipIf(!hasPsql)('the smoke test passes on a service that is ready', async () => {
    const printed = await run(await only('docs/operating.md', '/livez'))
    expect(printed).toContain(version)
    expect(printed).toContain(String(box.workers[0]?.pid ?? 'no worker'))
  })

  test.skipIf(!hasPsql)('a person whom no mail reaches gets a password', async () => {
    const grace = await box.user('Grace')
    const block = (await only('docs/operating.md', 'Bun.password.hash')).replace('ada@example.com', grace.email)
    await run(block.replace('$(bun ', `$('${process.execPath}' `))
    expect((await grace.get('/api/v1/users/me')).status).toBe(401)
    // The processes of tests take only cheap hashes.
    const [user] = await box.sql<{ password_hash: string }[]>`select password_hash from users where email = ${grace.email}`
    expect(await Bun.password.verify('a long new password', user?.password_hash ?? '')).toBe(true)
  })

  test('the timeouts of the role for a pooler are set', async () => {
    const [, statements = ''] = /```sql\n(alter role[\s\S]*?)```/.exec(await read('docs/operating.md')) ?? []
    const name = `signalbox_role_${process.pid}`
    const failure = new Error('undo')
    await box.sql
      .begin(async (tx) => {
        await tx.unsafe(`create role ${name}`)
        for (const statement of statements.trim().split('\n'))
          await tx.unsafe(statement.replace('role signalbox', `role ${name}`))
        const [row] = await tx`select setconfig from pg_db_role_setting join pg_roles on oid = setrole where rolname = ${name}`
        expect(row?.setconfig).toEqual(['statement_timeout=30s', 'idle_in_transaction_session_timeout=30s'])
        throw failure
      })
      .catch((error) => {
        if (error !== failure) throw error
      })
  })
})
