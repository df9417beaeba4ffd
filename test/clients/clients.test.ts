import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'

const root = join(import.meta.dir, '../..')
const page = await Bun.file(join(root, 'docs/clients.md')).text()

/** The program of a section of the page. */
function program(section: string, language: string): string {
  const [, text = ''] = page.split(`\n## ${section}\n`)
  const [, code] = new RegExp(`\\n\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\`\\n`).exec(text.split('\n## ')[0] ?? '') ?? []
  if (!code) throw new Error(`docs/clients.md has no ${language} under ${section}`)
  return code
}

let box: Box
let ada: Actor
/** Beneath the sources, as what is imported there is found from there. */
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

/** Somebody new, as each program makes the same organization. */
async function newcomer(): Promise<void> {
  ada = await box.user('Ada')
  environment = { PATH: process.env.PATH ?? '', SIGNALBOX_URL: box.base, SIGNALBOX_TOKEN: ada.token }
}

async function run(command: string[]): Promise<{ code: number; said: string }> {
  const child = Bun.spawn(command, { cwd: root, env: environment, stdout: 'pipe', stderr: 'pipe' })
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, said: out + err }
}

async function madeOne(): Promise<void> {
  const { body } = await ada.get('/api/v1/organizations')
  expect(body.map(({ name }: { name: string }) => name)).toEqual(['Acme Robotics'])
}

test('curl does what the page says', async () => {
  await newcomer()
  const { said } = await run(['bash', '-c', program('curl', 'sh').replaceAll('$(uuidgen)', crypto.randomUUID())])
  const [made, mine, refused] = said.split(/(?<=[}\]])(?=[{[]")|(?<=[}\]])(?=\[\{)/).map((text) => JSON.parse(text))
  expect(made).toMatchObject({ name: 'Acme Robotics' })
  expect(mine).toMatchObject([{ id: made.id }])
  expect(refused).toMatchObject({ status: 422, code: 'validation_failed', errors: [{ pointer: '/name' }] })
  await madeOne()
})

/** Names the programs of the page, and beside each one that asks for what is not there. */
const PROGRAMS: Record<string, string> = {
  'openapi.ts': program('openapi-typescript', 'ts'),
  'openapi-wrong.ts': `import createClient from 'openapi-fetch'
import type { paths } from './signalbox.d.ts'
const signalbox = createClient<paths>()
await signalbox.POST('/api/v1/organizations', { body: { name: 1 } })
await signalbox.GET('/api/v1/organisations')
const { data } = await signalbox.GET('/api/v1/organizations')
data?.map((each) => each.nothing)
`,
  'eden.ts': program('Eden', 'ts'),
  'eden-wrong.ts': `import { treaty } from '@elysiajs/eden'
import type { App } from 'signalbox'
const { api } = treaty<App>('')
await api.v1.organizations.post({ name: 1 })
await api.v1.organisations.get()
const { data } = await api.v1.organizations.get({ query: { limit: 1 } })
data?.map((each) => each.nothing)
const made = await api.v1.organizations.post({ name: '' })
made.data?.nothing
made.error?.value.nothing
`,
}

test('types fit the programs of the page, and refuse what the API does not have', async () => {
  await newcomer()
  const made = await run([process.execPath, 'test/clients/generate.ts', `${box.base}/docs/json`, join(folder, 'signalbox.d.ts')])
  expect(made).toEqual({ code: 0, said: '' })
  for (const [name, code] of Object.entries(PROGRAMS)) await Bun.write(join(folder, name), code)
  const { compilerOptions } = await Bun.file(join(root, 'tsconfig.json')).json()
  await Bun.write(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(PROGRAMS) }))

  const { said } = await run([process.execPath, 'x', 'tsc', '--project', folder])
  const faults = [...said.matchAll(/^\S*?([\w-]+\.ts)\((\d+),\d+\): error/gm)].map(([, file, line]) => `${file}:${line}`)
  expect(faults.sort()).toEqual([
    'eden-wrong.ts:10',
    'eden-wrong.ts:4',
    'eden-wrong.ts:5',
    'eden-wrong.ts:7',
    'eden-wrong.ts:9',
    'openapi-wrong.ts:4',
    'openapi-wrong.ts:5',
    'openapi-wrong.ts:7',
  ])
}, 180_000)

for (const [client, file] of [
  ['openapi-typescript', 'openapi.ts'],
  ['Eden', 'eden.ts'],
] as const) {
  test(`${client} does what the page says`, async () => {
    await newcomer()
    const { code, said } = await run([process.execPath, join(folder, file)])
    const lines = /^201 acme-robotics.*\n\[ "Acme Robotics" \]\n422 validation_failed \/name\n$/
    expect([code, said]).toEqual([0, expect.stringMatching(lines)])
    await madeOne()
  })
}
