import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { CHOSEN, LEFT_OUT, PROVEN_ELSEWHERE, SLOW, WITHOUT_DATABASE } from './citus-files.ts'

const root = join(import.meta.dir, '..')

interface Source {
  path: string
  text: string
  /** The files of this repository that it imports, as paths from the root. */
  files: string[]
  packages: string[]
}

/** The files of a folder. */
async function readSources(folder: string, pattern = '**/*.{ts,tsx}'): Promise<Source[]> {
  const read: Source[] = []
  for await (const found of new Bun.Glob(pattern).scan(join(root, folder))) {
    if (found.includes('node_modules')) continue
    const path = join(folder, found)
    const text = await Bun.file(join(root, path)).text()
    // Comments of JavaScript import types.
    const imports = path.endsWith('.js') ? code(text) : text
    const named = [...imports.matchAll(/(?:\bfrom|^import|\bimport\()\s*'([^']+)'/gm)].map(([, name = '']) => name)
    const files = named.filter((name) => name.startsWith('.')).map((name) => relative(root, join(root, dirname(path), name)))
    read.push({ path, text, files, packages: named.filter((name) => !name.startsWith('.')) })
  }
  return read
}

const code = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
const sources = (await Promise.all(['api', 'worker', 'core', 'sql'].map((folder) => readSources(folder)))).flat()
const cli = await readSources('cli', '**/*.js')

const inside = (...folders: string[]) => sources.filter(({ path }) => folders.some((folder) => path.startsWith(`${folder}/`)))
const whichUse = (pattern: RegExp) =>
  sources
    .filter(({ text }) => pattern.test(code(text)))
    .map(({ path }) => path)
    .sort()

/** What every slice of `api/` builds on. */
const API_BASE = /^api\/((plugins|credentials)\/|(problems|roles)\.ts$)/

/** The slice, a folder of `api/`, that a file belongs to. */
const sliceOf = (path: string): string | undefined => (API_BASE.test(path) ? undefined : /^api\/([^/]+)\//.exec(path)?.[1])

test('the sources are found', () => {
  for (const folder of ['api', 'worker', 'core', 'sql']) expect(inside(folder).length).toBeGreaterThan(1)
  expect(sources.flatMap(({ files }) => files).length).toBeGreaterThan(100)
})

test('sql imports only sql, core imports core and sql, and api and worker never import each other', () => {
  const may: Record<string, string[]> = {
    sql: ['sql'],
    core: ['core', 'sql'],
    api: ['api', 'core', 'sql'],
    worker: ['worker', 'core', 'sql'],
  }
  const violations = sources.flatMap(({ path, files }) => {
    const [folder = ''] = path.split('/')
    return files.filter((file) => !may[folder]?.includes(file.split('/')[0] ?? '')).map((file) => `${path} → ${file}`)
  })
  // The release process is also a program: run directly, it reads the settings.
  expect(violations).toEqual([
    'sql/version.ts → package.json',
    ...['direct-database', 'settings', 'settings-or-exit'].map((name) => `sql/migrate.ts → core/platform/${name}.ts`),
  ])
  const release = sources.find(({ path }) => path === 'sql/migrate.ts')?.text ?? ''
  expect(release.slice(0, release.indexOf('import.meta.main'))).not.toContain("'../core/")
})

/** The folders of `core`, each below those that may import it. */
const CORE = [
  'values',
  'platform',
  'tenants',
  'markdown',
  'jobs',
  'notifications',
  'security',
  'records',
  'gates',
  'rollouts',
  'freezes',
  'promotions',
  'events',
  'budgets',
  'executions',
  'openings',
  'delivery',
  'deployment-hooks',
  'dispatches',
  'clearance',
  'outbound',
  'github',
  'notification-channels',
  'openapi',
]

test('every file of core is in a folder, which imports only the folders below it', () => {
  const levelOf = (path: string): number => CORE.indexOf(path.split('/').slice(1, -1)[0] ?? '')
  const core = inside('core')
  expect(core.filter(({ path }) => levelOf(path) === -1).map(({ path }) => path)).toEqual([])
  const up = core.flatMap(({ path, files }) =>
    files.filter((file) => file.startsWith('core/') && levelOf(file) > levelOf(path)).map((file) => `${path} → ${file}`),
  )
  expect(up).toEqual([])
})

test('runtime code imports no development dependency', async () => {
  const { dependencies } = await Bun.file(join(root, 'package.json')).json()
  const nameOf = (from: string) =>
    from
      .split('/')
      .slice(0, from.startsWith('@') ? 2 : 1)
      .join('/')
  const against = sources.flatMap(({ path, packages }) =>
    packages
      .filter((from) => /^@?[a-z][\w./-]*$/.test(from) && from !== 'bun' && !(nameOf(from) in dependencies))
      .map((from) => `${path} → ${from}`),
  )
  expect(against).toEqual([])
})

test('core uses neither Elysia nor graphile-worker, and no Request', () => {
  const against = inside('core').flatMap(({ path, packages }) =>
    packages.filter((name) => /^(elysia|@elysiajs\/|graphile-)/.test(name)).map((name) => `${path} → ${name}`),
  )
  expect(against).toEqual([])
  const typed = inside('core').filter(({ text }) => /:\s*Request\b/.test(code(text)))
  expect(typed.map(({ path }) => path)).toEqual([])
})

test('only the API imports Elysia, and only worker and release import graphile-worker', () => {
  const users = (pattern: RegExp) => sources.filter(({ packages }) => packages.some((name) => pattern.test(name)))
  expect(
    users(/^(elysia|@elysiajs\/)/)
      .filter(({ path }) => !path.startsWith('api/'))
      .map(({ path }) => path),
  ).toEqual([])
  const graphile = users(/^graphile-worker/).filter(({ path }) => !path.startsWith('worker/'))
  expect(graphile.map(({ path }) => path)).toEqual(['sql/migrate-jobs.ts'])
})

test('only sql/queue.sql, and for a cluster sql/citus/views.ts, name the private tables of graphile-worker', async () => {
  const naming: string[] = []
  for await (const path of new Bun.Glob('{api,worker,core,sql,bin}/**/*.{ts,sql}').scan(root)) {
    // A dump of data is read by a program.
    if (path.includes('node_modules') || /^faults\/upgrade\/.*\.sql$/.test(path)) continue
    if ((await Bun.file(join(root, path)).text()).includes('_private_')) naming.push(path)
  }
  expect(naming.sort()).toEqual(['sql/citus/views.ts', 'sql/queue.sql'])
})

test('only worker/model calls the model', () => {
  expect(sources.filter(({ packages }) => packages.some((name) => /^openai/.test(name))).map(({ path }) => path)).toEqual([
    'worker/model/model.ts',
  ])
})

test('a slice imports another through its noun file, never its routes', () => {
  const across = inside('api').flatMap(({ path, files }) =>
    files
      .filter((file) => sliceOf(path) && sliceOf(file) && sliceOf(path) !== sliceOf(file))
      .map((file) => ({ from: path, to: file })),
  )
  expect(across.length).toBeGreaterThan(0)
  expect(across.filter(({ to }) => to.endsWith('routes.ts'))).toEqual([])
  // A session contains its user, and a dispatch its rollout. Hooks, claims and reports are answered with dispatches, the
  // track of a project with its environments.
  const shapes = across.filter(({ to }) => to.endsWith('/schema.ts') && !/^api\/docs\//.test(to))
  expect([...new Set(shapes.map(({ from, to }) => `${sliceOf(from)} → ${to}`))].sort()).toEqual([
    'auth → api/users/schema.ts',
    'deployment-hooks → api/dispatches/schema.ts',
    'deployment-hooks → api/rollouts/schema.ts',
    'dispatches → api/deployment-hooks/schema.ts',
    'dispatches → api/rollouts/schema.ts',
    'projects → api/environments/schema.ts',
    'pull-hooks → api/dispatches/schema.ts',
    'rollouts → api/dispatches/schema.ts',
  ])
})

test('what slices build on imports no slice', () => {
  const base = sources.filter(({ path }) => API_BASE.test(path))
  expect(base.length).toBeGreaterThan(20)
  const up = base.flatMap(({ path, files }) =>
    files.filter((file) => file.startsWith('api/') && !API_BASE.test(file)).map((file) => `${path} → ${file}`),
  )
  expect(up).toEqual([])
})

test('the engine of the worker imports nothing that it drives', () => {
  const engine = /^worker\/(delivery|outbox|process|outbound)\//
  const up = sources
    .filter(({ path }) => engine.test(path))
    .flatMap(({ path, files }) =>
      files.filter((file) => file.startsWith('worker/') && !engine.test(file)).map((file) => `${path} → ${file}`),
    )
  expect(up).toEqual([])
})

test('core holds only what both processes use', () => {
  const reachableFrom = (start: string) => {
    const found = new Set<string>()
    const queue = [start]
    for (const path of queue) {
      if (found.has(path)) continue
      found.add(path)
      queue.push(...(sources.find((source) => source.path === path)?.files ?? []))
    }
    return found
  }
  const [api, worker] = [reachableFrom('api/server.ts'), reachableFrom('worker/main.ts')]
  const elsewhere = inside('core').filter(({ path }) => !api.has(path) || !worker.has(path))
  expect(elsewhere.map(({ path }) => path)).toEqual([])
})

test('the packages that the service hands out import only themselves, what they contain and what Node and Bun both have', async () => {
  const violations: string[] = []
  for await (const path of new Bun.Glob('{cli,sdk}/**/*.js').scan(root)) {
    if (path.includes('node_modules')) continue
    const [folder = ''] = path.split('/')
    const { bundleDependencies = [] } = await Bun.file(join(root, folder, 'package.json')).json()
    const text = code(await Bun.file(join(root, path)).text())
    for (const [, name = ''] of text.matchAll(/(?:\bfrom|^import|\bimport\()\s*'([^']+)'/gm)) {
      const isOwn = name.startsWith('.') && join(path, '..', name).startsWith(`${folder}/`)
      if (!isOwn && !name.startsWith('node:') && !bundleDependencies.includes(name)) violations.push(`${path} → ${name}`)
    }
    if (/\bBun\./.test(text)) violations.push(`${path} uses Bun`)
  }
  expect(violations).toEqual([])
})

test('pages are escaped: no HTML is inserted as it is', () => {
  expect(whichUse(/dangerouslySetInnerHTML|\binnerHTML\b/)).toEqual([])
})

test('pages have no queries of their own: they call the operations of the API', () => {
  const statement = /\b(?:sql|tx)(?:<.*>)?`\s*(?:select|insert|update|delete|with)\b/
  expect(whichUse(statement).filter((path) => path.endsWith('.tsx'))).toEqual([])
})

test('the command line imports only itself, and its support no command', () => {
  expect(cli.length).toBeGreaterThan(20)
  expect(cli.flatMap(({ files }) => files).filter((file) => !file.startsWith('cli/'))).toEqual([])
  const up = cli.filter(({ path }) => path.startsWith('cli/support/')).flatMap(({ files }) => files)
  expect(up.filter((file) => !file.startsWith('cli/support/'))).toEqual([])
})

test('there are no circular imports', () => {
  const imports = new Map([...sources, ...cli].map(({ path, files }) => [path, files]))
  const done = new Set<string>()
  const circles: string[] = []
  const walk = (path: string, trail: string[]) => {
    if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
    else if (!done.has(path)) for (const next of imports.get(path) ?? []) walk(next, [...trail, path])
    done.add(path)
  }
  for (const path of imports.keys()) walk(path, [])
  expect(circles).toEqual([])
})

test('only worker/outbound/outbound.ts and core/outbound/http/exchange.ts send requests, over our own connections', () => {
  // It calls the URL of the operator, never that of a tenant, and a person waits for the response.
  expect(whichUse(/(?<![.\w])fetch\(/)).toEqual(['api/slack/exchange.ts'])
  const connecting = inside('api', 'worker', 'core').filter(({ packages }) => packages.includes('node:net'))
  expect(connecting.map(({ path }) => path).sort()).toEqual([
    'core/outbound/http/connection.ts',
    'worker/notification-channels/email/send.ts',
  ])
  const users = sources.filter(({ files }) => files.includes('core/outbound/http/connection.ts')).map(({ path }) => path)
  expect(users.sort()).toEqual(['core/outbound/http/exchange.ts', 'worker/outbound/outbound.ts'])
})

test('the environment is read only in core/platform/settings-or-exit.ts, so that nothing changes it for others', () => {
  // sql/index.ts hides a variable from the driver, which reads it by itself.
  expect(whichUse(/process\.env|Bun\.env|import\.meta\.env/)).toEqual(['core/platform/settings-or-exit.ts', 'sql/index.ts'])
})

test('no file has more than 320 lines', async () => {
  const long: string[] = []
  for await (const path of new Bun.Glob('{api,worker,cli,core,sdk,sql,bin,test,faults}/**/*.{ts,tsx,js,sql}').scan(root)) {
    // A dump of data and what is generated are read by programs.
    if (path.includes('node_modules') || /^faults\/upgrade\/.*\.sql$|^sdk\/openapi\.d\.ts$/.test(path)) continue
    const lines = (await Bun.file(join(root, path)).text()).split('\n').length - 1
    if (lines > 320) long.push(`${path}: ${lines}`)
  }
  expect(long).toEqual([])
})

test('the tests that a cluster runs or leaves out exist', () => {
  const named = [...Object.keys(CHOSEN), ...Object.keys(PROVEN_ELSEWHERE), ...WITHOUT_DATABASE, ...SLOW, ...Object.keys(LEFT_OUT)]
  expect(named.filter((path) => !existsSync(join(root, 'test', path)))).toEqual([])
})

test('the packages have the version of the service', async () => {
  const versions = await Promise.all(
    ['package.json', 'cli/package.json', 'sdk/package.json'].map(
      async (path) => (await Bun.file(join(root, path)).json()).version,
    ),
  )
  expect(new Set(versions).size).toBe(1)
})
