/** The packages as they are published: installed alone, in an empty folder. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'
import { RUNTIMES } from './support.ts'

const root = join(import.meta.dir, '../..')
const npm = Bun.which('npm')

let box: Box
let ada: Actor
let folder: string

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  folder = await mkdtemp(join(tmpdir(), 'signalbox-packages-'))
})

afterAll(async () => {
  await box.close()
  await rm(folder, { recursive: true })
})

async function run(command: string[], cwd: string): Promise<string> {
  const environment = { PATH: process.env.PATH ?? '', HOME: folder, SIGNALBOX_URL: box.base, SIGNALBOX_TOKEN: ada.token }
  const child = Bun.spawn(command, { cwd, env: environment, stdout: 'pipe', stderr: 'pipe' })
  const [out, complaint, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  expect([complaint.replace(/^npm notice.*$/gm, '').trim(), code]).toEqual(['', 0])
  return out
}

/** Packs what Git has of a package, and installs it in an empty folder. */
async function installed(name: 'cli' | 'sdk'): Promise<string> {
  const [source, target] = [join(folder, `${name}-source`), join(folder, name)]
  await Promise.all([mkdir(source), mkdir(target)])
  await run(['sh', '-c', `git -C '${root}' archive HEAD ${name} | tar -x -C '${source}'`], folder)
  const packed = (await run([npm ?? '', 'pack', '--silent', '--pack-destination', target], join(source, name))).trim()
  await Bun.write(join(target, 'package.json'), '{ "type": "module" }')
  await run([npm ?? '', 'install', '--no-audit', '--no-fund', `./${packed}`], target)
  return target
}

describe.skipIf(!npm)('installed alone', () => {
  test('the command line has no dependencies, and runs', async () => {
    const target = await installed('cli')
    const program = join(target, 'node_modules/.bin/signalbox')
    for (const [, runtime] of RUNTIMES) {
      expect(await run([runtime, program, 'whoami'], target)).toContain(`Ada <${ada.email}>`)
      expect(await run([runtime, program, '--version'], target)).toBe(
        `${(await Bun.file(join(root, 'package.json')).json()).version}\n`,
      )
      expect(await run([runtime, program, 'help', 'listen'], target)).toContain('--forward URL')
    }
    expect(await run([program, 'help'], target)).toContain('npx signalbox COMMAND')
    expect([...new Bun.Glob('node_modules/*/package.json').scanSync(target)]).toEqual(['node_modules/signalbox/package.json'])
  })

  test('the SDK calls the API, and verifies webhooks', async () => {
    const target = await installed('sdk')
    await Bun.write(
      join(target, 'program.js'),
      `import { createClient, verifyWebhook } from '@signalbox/sdk'
      const { SIGNALBOX_URL, SIGNALBOX_TOKEN } = process.env
      const { data } = await createClient({ url: SIGNALBOX_URL, token: SIGNALBOX_TOKEN }).GET('/api/v1/users/me')
      console.log(data.name)
      try { verifyWebhook('{}', {}, 'a') } catch (error) { console.log(error.name) }`,
    )
    for (const [, runtime] of RUNTIMES) expect(await run([runtime, 'program.js'], target)).toBe('Ada\nWebhookVerificationError\n')
  })
})
