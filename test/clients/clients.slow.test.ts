import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { freePort } from '../../bin/support/ports.ts'
import { nodeHere } from '../support/node.ts'
import { type Actor, type Box, Process, signalbox } from '../support/signalbox.ts'

const root = join(import.meta.dir, '../..')
const page = await Bun.file(join(root, 'docs/clients.md')).text()

/** The code block of a section in this language, or its commands if the language is empty. */
function program(section: string, language: string): string {
  const [, text = ''] = page.split(`\n## ${section}\n`)
  const [, code] = new RegExp(`\\n\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\`\\n`).exec(text.split('\n## ')[0] ?? '') ?? []
  if (!code) throw new Error(`docs/clients.md has no ${language || 'commands'} under ${section}`)
  return code
}

let box: Box
let ada: Actor
/** Below the sources, so that imports in it can be resolved. */
let folder: string
let environment: Record<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(import.meta.dir, '.made-'))
  box = await signalbox()
})
afterAll(async () => {
  await box?.close()
  await rm(folder, { recursive: true, force: true })
})

/** A new user for each program, because each creates the same organization. */
async function setUpUser(): Promise<void> {
  ada = await box.user('Ada')
  const PATH = `${await nodeHere()}:${process.env.PATH}`
  environment = { PATH, SIGNALBOX_URL: box.base, SIGNALBOX_TOKEN: ada.token }
}

async function run(command: string[], cwd = root): Promise<{ code: number; output: string }> {
  const child = Bun.spawn(command, { cwd, env: environment, stdout: 'pipe', stderr: 'pipe' })
  const [out, err, code] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited])
  return { code, output: out + err }
}

async function expectOneOrganization(): Promise<void> {
  const { body } = await ada.get('/api/v1/organizations')
  expect(body.map(({ name }: { name: string }) => name)).toEqual(['Acme Robotics'])
}

test('curl commands work as documented', async () => {
  await setUpUser()
  const { output } = await run(['bash', '-c', program('curl', 'sh')])
  const [made, mine, refused] = output.split(/(?<=[}\]])(?=[{[]")|(?<=[}\]])(?=\[\{)/).map((text) => JSON.parse(text))
  expect(made).toMatchObject({ name: 'Acme Robotics' })
  expect(mine).toMatchObject([{ id: made.id }])
  expect(refused).toMatchObject({ status: 422, code: 'validation_failed', errors: [{ pointer: '/name' }] })
  await expectOneOrganization()
})

/** For each program of the page, one with type errors on these lines. */
const SDK_WRONG = `import { createClient, type SignalboxEvent } from '@signalbox/sdk'
import { paginate } from '@signalbox/sdk'
const signalbox = createClient({ url: '', token: '' })
await signalbox.POST('/api/v1/organizations', { body: { name: 1 } })
await signalbox.GET('/api/v1/organisations')
const { data } = await signalbox.GET('/api/v1/organizations')
data?.map((each) => each.nothing)
type Approved = SignalboxEvent<'gate.approved'>
console.log((payload: Approved) => payload.data.gate.name + payload.data.nothing)
for await (const each of paginate(signalbox, '/api/v1/organizations')) each.nothing
paginate(signalbox, '/api/v1/users/me').next().then(({ value }) => value?.name)
`
const EDEN_WRONG = `import { treaty } from '@elysiajs/eden'
import type { App } from 'signalbox'
const { api } = treaty<App>('')
await api.v1.organizations.post({ name: 1 })
await api.v1.organisations.get()
const { data } = await api.v1.organizations.get({ query: { limit: 1 } })
data?.map((each) => each.nothing)
const made = await api.v1.organizations.post({ name: '' })
made.data?.nothing
made.error?.value.nothing
`

/** The locations of compiler errors. */
const errorLocations = (said: string): string[] =>
  [...said.matchAll(/^\S*?([\w-]+\.ts)\((\d+),\d+\): error/gm)].map(([, file, line]) => `${file}:${line}`).sort()

/** The output of both programs. */
const PRINTED = /^201 acme-robotics.*\n\[ "Acme Robotics" \]\n422 validation_failed \/name\n$/

/** Where a package is, if not where it is installed under its name. */
const SOURCES: Record<string, string> = { 'typescript@5': 'node_modules/typescript-5', '"$SIGNALBOX_URL/sdk.tgz"': 'sdk' }

/** Runs a command of the page, with the installed packages in place of the registry. */
async function runDocumented(command: string, project: string): Promise<void> {
  const [program, action, ...rest] = command.split(' ')
  if (command === 'npm init --yes') await Bun.write(join(project, 'package.json'), '{}')
  else if (command === 'npm pkg set type=module') await Bun.write(join(project, 'package.json'), '{ "type": "module" }')
  else if (program === 'npm' && action === 'install') {
    for (const name of rest.filter((each) => !each.startsWith('--'))) {
      const bare = name.endsWith('/sdk.tgz"') ? '@signalbox/sdk' : name.replace(/(?<=.)@\d+$/, '')
      const target = join(project, 'node_modules', bare)
      await mkdir(dirname(target), { recursive: true })
      await symlink(join(root, SOURCES[name] ?? `node_modules/${bare}`), target)
    }
  } else if (program === 'npx' && action === 'tsc') {
    const compiler = join(project, 'node_modules/typescript/lib/tsc.js')
    expect(await run([process.execPath, compiler, ...rest], project)).toMatchObject({ code: 0 })
  } else throw new Error(`The page says ${command}, which is not tried here`)
}

test('the SDK works as documented, in an empty folder', async () => {
  await setUpUser()
  const project = join(folder, 'project')
  await mkdir(project)
  for (const command of program('TypeScript', '').split('\n')) await runDocumented(command, project)
  await Bun.write(join(project, 'organizations.ts'), program('TypeScript', 'ts'))
  await runDocumented('npx tsc --noEmit', project)
  const { code, output } = await run([process.execPath, 'organizations.ts'], project)
  expect([code, output]).toEqual([0, expect.stringMatching(PRINTED)])
  await expectOneOrganization()

  await Bun.write(join(project, 'sdk-wrong.ts'), SDK_WRONG)
  const wrong = await run([process.execPath, join(project, 'node_modules/typescript/lib/tsc.js'), '--noEmit'], project)
  expect(errorLocations(wrong.output)).toEqual([
    'sdk-wrong.ts:10',
    'sdk-wrong.ts:11',
    'sdk-wrong.ts:4',
    'sdk-wrong.ts:5',
    'sdk-wrong.ts:7',
    'sdk-wrong.ts:9',
  ])
})

test('Eden works as documented, with the packages that are named', async () => {
  await setUpUser()
  const { dependencies, devDependencies } = await Bun.file(join(root, 'package.json')).json()
  const { elysia, '@elysiajs/eden': eden } = { ...dependencies, ...devDependencies }
  expect(program('Eden', '')).toBe(`npm install elysia@${elysia} @elysiajs/eden@${eden}`)

  const project = join(folder, 'eden')
  await mkdir(project)
  await Bun.write(join(project, 'tsconfig.json'), JSON.stringify({ extends: join(root, 'tsconfig.json'), include: ['*.ts'] }))
  await Bun.write(join(project, 'eden.ts'), program('Eden', 'ts'))
  await Bun.write(join(project, 'eden-wrong.ts'), EDEN_WRONG)
  const { output } = await run([process.execPath, 'x', 'tsc', '--project', project])
  expect(errorLocations(output)).toEqual([10, 4, 5, 7, 9].map((line) => `eden-wrong.ts:${line}`))

  const ran = await run([process.execPath, join(project, 'eden.ts')])
  expect([ran.code, ran.output]).toEqual([0, expect.stringMatching(PRINTED)])
  await expectOneOrganization()
})

/** The TypeScript programs of docs/sdk.md. */
const sdkPrograms = async (): Promise<string[]> => {
  const text = await Bun.file(join(root, 'docs/sdk.md')).text()
  return [...text.matchAll(/\n```ts\n([\s\S]*?)\n```\n/g)].map(([, code = '']) => code)
}

test('the programs of the page about the SDK compile and run, on Bun and on Node', async () => {
  await setUpUser()
  const { project } = await box.site(ada)
  Object.assign(environment, { PROJECT_ID: project.id })
  const target = join(folder, 'sdk')
  await mkdir(target)
  for (const command of program('TypeScript', '').split('\n')) await runDocumented(command, target)
  const programs = await sdkPrograms()
  for (const [index, code] of programs.entries()) await Bun.write(join(target, `program-${index}.ts`), code)
  const compile = [process.execPath, join(target, 'node_modules/typescript/lib/tsc.js'), '--outDir', join(target, 'made')]
  expect(await run(compile, target)).toMatchObject({ code: 0 })

  const [open, list, receive] = programs.map((_, index) => join(target, `made/program-${index}.js`)) as [string, string, string]
  expect(await run(['node', open], target)).toEqual({ code: 0, output: 'Release review pending\n' })
  expect(await run([process.execPath, list], target)).toEqual({ code: 0, output: 'Release review\n' })

  const port = String(await freePort('127.0.0.1'))
  const receiver = new Process(
    receive,
    { PORT: port, SIGNALBOX_SECRET: 'a secret' },
    Bun.which('node') ?? process.execPath,
    target,
  )
  await receiver.said('listening')
  const hook = { name: 'Deploy', url: `http://127.0.0.1:${port}/`, trigger_on: 'gate_approved', secret: 'a secret' }
  const { id } = await ada.make(`/api/v1/projects/${project.id}/deployment-hooks`, hook)
  await ada.make(`/api/v1/deployment-hooks/${id}/test`)
  await receiver.said('test.ping')
  expect((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' })).status).toBe(401)
  receiver.kill('SIGTERM')
  await receiver.exited
})
