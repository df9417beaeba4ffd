/** The packages that the service hands out, and that nothing else is said to have them. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { version } from '../../package.json'
import { type Box, signalbox } from '../support/signalbox.ts'

const root = join(import.meta.dir, '../..')

let box: Box
beforeAll(async () => {
  box = await signalbox({ workers: 0 })
})
afterAll(() => box.close())

/** The files of an archive by their paths, as `tar` reads them. */
async function unpack(archive: ArrayBuffer): Promise<Map<string, string>> {
  const tar = async (...args: string[]) => new Response(Bun.spawn(['tar', ...args], { stdin: new Blob([archive]) }).stdout).text()
  const paths = (await tar('-tz')).trim().split('\n')
  const wanted = paths.filter((path) => /package\.json$/.test(path))
  const texts = new Map(paths.map((path) => [path, '']))
  for (const path of wanted) texts.set(path, await tar('-xzO', path))
  return texts
}

describe.each(['cli', 'sdk'])('/%s.tgz', (name) => {
  const get = (path: string, init?: RequestInit) => fetch(box.base + path, init)

  test('is the package of this version, the same bytes under each address and in each process', async () => {
    const response = await get(`/${name}.tgz`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/gzip'])
    expect(response.headers.get('x-signalbox-version')).toBe(version)
    const bytes = await response.bytes()
    for (const path of [`/${name}-${version}.tgz`, `//${name}.tgz`]) expect(await (await get(path)).bytes()).toEqual(bytes)
    // In a process of its own.
    const made = `const { packageOf } = await import('${root}/api/packages/packages.ts'); const { bytes } = await packageOf('${name}'); await Bun.write(Bun.stdout, bytes)`
    const other = Bun.spawn([process.execPath, '-e', made], { cwd: root, env: { ...process.env, TZ: 'Pacific/Apia' } })
    expect(await new Response(other.stdout).bytes()).toEqual(bytes)
  })

  test('has its version, and what it exports', async () => {
    const files = await unpack(await (await get(`/${name}.tgz`)).arrayBuffer())
    const manifest = JSON.parse(files.get('package/package.json') ?? '')
    expect(manifest).toMatchObject({ version, name: name === 'cli' ? 'signalbox' : '@signalbox/sdk', private: true })
    const entries: string[] = name === 'cli' ? Object.values(manifest.bin) : Object.values(manifest.exports['.'])
    for (const entry of [...entries, 'README.md', 'LICENSE']) expect([...files.keys()]).toContain(join('package', entry))
    expect([...files.keys()].every((path) => path.startsWith('package/'))).toBe(true)
    const bundled = [...files.keys()].filter((path) => /node_modules\/[^/]+\/package\.json$/.test(path))
    const expected = ['openapi-fetch', 'openapi-typescript-helpers'].map((each) => `package/node_modules/${each}/package.json`)
    expect(bundled).toEqual(name === 'cli' ? [] : expected)
  })

  test('is not sent again to those who have it, and HEAD answers as GET does', async () => {
    const { headers } = await get(`/${name}.tgz`)
    const tag = headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[0-9a-f]{32}"$/)
    expect((await get(`/${name}.tgz`, { headers: { 'If-None-Match': tag } })).status).toBe(304)
    const head = await get(`/${name}.tgz`, { method: 'HEAD' })
    expect([head.status, head.headers.get('etag'), head.headers.get('content-type')]).toEqual([200, tag, 'application/gzip'])
    expect(await head.text()).toBe('')
  })

  test('is of no other version', async () => {
    for (const other of ['0.2.0', '99.0.0', 'latest']) expect((await get(`/${name}-${other}.tgz`)).status).toBe(404)
  })
})

/** Commands that would get a package from a public registry by one of our names, which anyone may register there. */
const FROM_A_REGISTRY = [
  /\b(?:npx|bunx|pnpx|npm (?:exec|x)|pnpm dlx|yarn dlx|bun x)(?: +-\S+)* +["']?@?signalbox\b(?![^\s"']*\.tgz)/,
  /\b(?:npm|pnpm|yarn|bun) +(?:i|install|add|update)\b[^\n]*? ["']?@?signalbox(?:\/sdk)?\b(?![^\s"']*\.tgz)/,
  /"@?signalbox(?:\/sdk)?": *"[\^~]?\d/,
  /\bnpm publish\b/,
]

test('nothing gets the command line or the SDK from a public registry', async () => {
  const found: string[] = []
  for (const path of new Bun.Glob('**/*').scanSync({ cwd: root, dot: true })) {
    if (/^(node_modules|\.git|\.data)\b|\.(png|woff2|lock|sql)$|^test\/packages\//.test(path)) continue
    for (const [index, line] of (await Bun.file(join(root, path)).text()).split('\n').entries())
      if (FROM_A_REGISTRY.some((pattern) => pattern.test(line))) found.push(`${path}:${index + 1}: ${line.trim()}`)
  }
  expect(found).toEqual([])
})

test('what would get them from there is found', () => {
  const wrong = [
    'npx signalbox wait',
    'npx --yes signalbox gate open',
    'bunx signalbox',
    'npm install @signalbox/sdk',
    'npm install --global signalbox',
    'bun add @signalbox/sdk',
    '"@signalbox/sdk": "^0.4.0"',
    'npm publish --access public',
  ]
  for (const line of wrong) expect([line, FROM_A_REGISTRY.some((pattern) => pattern.test(line))]).toEqual([line, true])
  const right = [
    'npx --yes "$SIGNALBOX_URL/cli.tgz" wait',
    'npm install "$SIGNALBOX_URL/sdk.tgz"',
    'npm install https://signalbox.example.com/sdk-0.4.0.tgz',
    'npx --yes bun run cli',
  ]
  for (const line of right) expect([line, FROM_A_REGISTRY.some((pattern) => pattern.test(line))]).toEqual([line, false])
})
