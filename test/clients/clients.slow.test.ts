import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { nodeHere } from '../support/node.ts'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'

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
  box = await signalbox({ workers: 0 })
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
const OPENAPI_WRONG = `import createClient from 'openapi-fetch'
import type { paths, webhooks } from './signalbox.d.ts'
const signalbox = createClient<paths>()
await signalbox.POST('/api/v1/organizations', { body: { name: 1 } })
await signalbox.GET('/api/v1/organisations')
const { data } = await signalbox.GET('/api/v1/organizations')
data?.map((each) => each.nothing)
type Approved = webhooks['gate.approved']['post']['requestBody']['content']['application/json']
console.log((payload: Approved) => payload.data.gate.name + payload.data.nothing)
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

/** Runs a command of the page, with the installed packages in place of the registry. */
async function runDocumented(command: string, project: string): Promise<void> {
  const [program, action, ...rest] = command.split(' ')
  if (command === 'npm init --yes') await Bun.write(join(project, 'package.json'), '{}')
  else if (command === 'npm pkg set type=module') await Bun.write(join(project, 'package.json'), '{ "type": "module" }')
  else if (program === 'npm' && action === 'install') {
    for (const name of rest.filter((each) => !each.startsWith('--'))) {
      const bare = name.replace(/(?<=.)@\d+$/, '')
      const target = join(project, 'node_modules', bare)
      await mkdir(dirname(target), { recursive: true })
      await symlink(join(root, 'node_modules', name === 'typescript@5' ? 'typescript-5' : bare), target)
    }
  } else if (program === 'npx' && action === 'tsc') {
    const compiler = join(project, 'node_modules/typescript/lib/tsc.js')
    expect(await run([process.execPath, compiler, ...rest], project)).toMatchObject({ code: 0 })
  } else if (program === 'npx' && action === 'openapi-typescript') {
    expect(rest).toEqual(['"$SIGNALBOX_URL/docs/json"', '--output', 'signalbox.d.ts'])
    const generated = [process.execPath, 'test/clients/generate.ts', `${box.base}/docs/json`, join(project, 'signalbox.d.ts')]
    expect(await run(generated)).toEqual({ code: 0, output: '' })
  } else throw new Error(`The page says ${command}, which is not tried here`)
}

test('openapi-typescript works as documented, in an empty folder', async () => {
  await setUpUser()
  const project = join(folder, 'project')
  await mkdir(project)
  for (const command of program('openapi-typescript', '').split('\n')) await runDocumented(command, project)
  await Bun.write(join(project, 'organizations.ts'), program('openapi-typescript', 'ts'))
  await runDocumented('npx tsc --noEmit', project)
  const { code, output } = await run([process.execPath, 'organizations.ts'], project)
  expect([code, output]).toEqual([0, expect.stringMatching(PRINTED)])
  await expectOneOrganization()

  await Bun.write(join(project, 'openapi-wrong.ts'), OPENAPI_WRONG)
  const wrong = await run([process.execPath, join(project, 'node_modules/typescript/lib/tsc.js'), '--noEmit'], project)
  expect(errorLocations(wrong.output)).toEqual([
    'openapi-wrong.ts:4',
    'openapi-wrong.ts:5',
    'openapi-wrong.ts:7',
    'openapi-wrong.ts:9',
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
