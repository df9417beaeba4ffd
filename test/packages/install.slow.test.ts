/** The packages as the service hands them out: installed in an empty folder, where no registry can be reached. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { version } from '../../package.json'
import { Gateway, RUNTIMES } from '../cli/support.ts'
import { withoutRegistry } from '../support/no-registry.ts'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'

const npm = Bun.which('npm')
const root = join(import.meta.dir, '../..')

let box: Box
let ada: Actor
let folder: string
let environment: Record<string, string>

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  folder = await mkdtemp(join(tmpdir(), 'signalbox-packages-'))
  const own = { PATH: process.env.PATH ?? '', SIGNALBOX_URL: box.base, SIGNALBOX_TOKEN: ada.token }
  environment = { ...own, ...(await withoutRegistry()) }
})

afterAll(async () => {
  await box.close()
  await Promise.all([folder, environment.HOME ?? folder].map((each) => rm(each, { recursive: true, force: true })))
})

async function run(command: string[], cwd: string, more: Record<string, string> = {}) {
  const child = Bun.spawn(command, { cwd, env: { ...environment, ...more }, stdout: 'pipe', stderr: 'pipe' })
  const [out, complaint, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { out, complaint: complaint.replace(/^npm notice.*$/gm, '').trim(), code }
}

/** An empty folder for a project. */
async function project(name: string): Promise<string> {
  const target = join(folder, name)
  await mkdir(target)
  await Bun.write(join(target, 'package.json'), '{ "type": "module" }')
  return target
}

const INSTALLERS: [name: string, command: string[]][] = [
  ['npm', [npm ?? '', 'install', '--no-audit', '--no-fund']],
  ['Bun', [process.execPath, 'add']],
]

const PROGRAM = `import { createClient, verifyWebhook } from '@signalbox/sdk'
const { SIGNALBOX_URL, SIGNALBOX_TOKEN } = process.env
const { data } = await createClient({ url: SIGNALBOX_URL, token: SIGNALBOX_TOKEN }).GET('/api/v1/users/me')
console.log(data.name)
try { verifyWebhook('{}', {}, 'a') } catch (error) { console.log(error instanceof Error && error.name) }
`

describe.skipIf(!npm)('without a registry', () => {
  test('npx runs the command line, also from a file that was kept', async () => {
    const target = await project('npx')
    const me = { out: expect.stringContaining(`Ada <${ada.email}>`), complaint: '', code: 0 }
    expect(await run(['npx', '--yes', `${box.base}/cli.tgz`, 'whoami'], target)).toEqual(me)
    await Bun.write(join(target, 'cli.tgz'), await fetch(`${box.base}/cli-${version}.tgz`))
    expect(await run(['npx', '--yes', './cli.tgz', '--version'], target)).toEqual({ out: `${version}\n`, complaint: '', code: 0 })
  })

  test('the command line is installed without dependencies, and runs', async () => {
    const target = await project('cli')
    expect((await run([npm ?? '', 'install', '--no-audit', '--no-fund', `${box.base}/cli.tgz`], target)).code).toBe(0)
    const program = join(target, 'node_modules/.bin/signalbox')
    for (const [, runtime] of RUNTIMES) {
      expect(await run([runtime, program, 'whoami'], target)).toMatchObject({ out: expect.stringContaining(ada.email), code: 0 })
      expect((await run([runtime, program, 'help', 'listen'], target)).out).toContain('--forward URL')
    }
    expect((await run([program, 'help'], target)).out).toStartWith('signalbox COMMAND')
    expect([...new Bun.Glob('node_modules/*/package.json').scanSync(target)]).toEqual(['node_modules/signalbox/package.json'])
  })

  test.each(INSTALLERS)(
    'the SDK that %s has installed calls the API, verifies webhooks, and has its types',
    async (name, command) => {
      const target = await project(`sdk-${name}`)
      const installed = await run([...command, `${box.base}/sdk.tgz`], target)
      expect([installed.code, installed.code === 0 ? '' : installed.complaint]).toEqual([0, ''])
      await Bun.write(join(target, 'program.js'), PROGRAM)
      // What is in the package stays when the project is tidied or installed anew.
      if (name === 'npm') for (const again of ['prune', 'ci']) await run([npm ?? '', again, '--no-audit', '--no-fund'], target)
      for (const [, runtime] of RUNTIMES)
        expect(await run([runtime, 'program.js'], target)).toEqual({
          out: 'Ada\nWebhookVerificationError\n',
          complaint: '',
          code: 0,
        })
      await Bun.write(join(target, 'program.ts'), PROGRAM.replace('data.name', 'data?.nothing').replace("'a'", '1'))
      const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom']
      const { out } = await run(
        [process.execPath, join(root, 'node_modules/typescript-5/lib/tsc.js'), ...options, 'program.ts'],
        target,
      )
      expect([...out.matchAll(/error TS\d+: [^\n]*/g)].map(([line]) => line.slice(0, 80))).toEqual([
        expect.stringContaining("Cannot find name 'process'"),
        expect.stringContaining("'nothing' does not exist"),
        expect.stringContaining("'number' is not assignable"),
      ])
    },
  )

  test('the command line says so if the service has another minor version, and how to get that', async () => {
    const target = await project('versions')
    await run([npm ?? '', 'install', '--no-audit', '--no-fund', `${box.base}/cli.tgz`], target)
    const [major, minor, patch] = version.split('.').map(Number)
    const answer = (theirs: string) => Response.json({ name: 'Ada', email: 'a' }, { headers: { 'X-Signalbox-Version': theirs } })
    await using gateway = new Gateway(box.base)
    const complaints: string[] = []
    for (const theirs of [`${major}.${(minor ?? 0) + 1}.0`, `${major}.${minor}.${(patch ?? 0) + 1}`, 'x']) {
      gateway.turn = () => ({ instead: answer(theirs) })
      const { code, complaint } = await run(['node_modules/.bin/signalbox', 'whoami'], target, { SIGNALBOX_URL: gateway.url })
      expect(code).toBe(0)
      complaints.push(complaint)
    }
    const next = `${major}.${(minor ?? 0) + 1}.0`
    const said = `This is version ${version}; the service has ${next}. Run its own: npx --yes "${gateway.url}/cli-${next}.tgz"`
    expect(complaints).toEqual([said, '', ''])
  })
})
