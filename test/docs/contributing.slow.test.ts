/** The examples of CONTRIBUTING.md and its recipes, applied to a copy of the source. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const root = join(import.meta.dir, '../..')

/** The recipes by their name, and CONTRIBUTING.md. */
const texts = new Map<string, string>()
let copy: string

beforeAll(async () => {
  const recipes = new Bun.Glob('*.md').scanSync(join(root, 'docs/contributing'))
  for (const path of ['CONTRIBUTING.md', ...[...recipes].map((file) => `docs/contributing/${file}`)]) {
    texts.set(basename(path, '.md'), await Bun.file(join(root, path)).text())
  }
  copy = await mkdtemp(join(tmpdir(), 'signalbox-contributing-'))
  for (const folder of ['api', 'bin', 'cli', 'core', 'sdk', 'sql', 'test', 'worker']) {
    await cp(join(root, folder), join(copy, folder), { recursive: true })
  }
  await cp(join(root, 'package.json'), join(copy, 'package.json'))
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
})
afterAll(() => rm(copy, { recursive: true, force: true }))

const recipe = (name: string): string => texts.get(name) ?? ''

/** The code blocks of a recipe. */
const blocks = (name: string): string[] =>
  [...recipe(name).matchAll(/^```(?:sql|tsx?)\n([\s\S]*?)\n```$/gm)].map(([, code = '']) => code)

/** The inline code of a recipe that begins with some text. */
function inline(name: string, start: string): string {
  const found = [...recipe(name).matchAll(/``(.+?)``|`([^`\n]+)`/g)].map(([, double, single]) => double ?? single ?? '')
  return found.find((code) => code.startsWith(start)) ?? `${name} has no ${start}`
}

const write = (path: string, text: string) => Bun.write(join(copy, path), `${text}\n`)

async function replace(path: string, anchor: string, text: string): Promise<void> {
  const before = await Bun.file(join(copy, path)).text()
  if (!before.includes(anchor)) throw new Error(`${path} has no ${anchor}`)
  await Bun.write(
    join(copy, path),
    before.replace(anchor, () => text),
  )
}

const insert = (path: string, anchor: string, text: string) => replace(path, anchor, `${text}\n${anchor}`)
const append = async (path: string, text: string) =>
  write(path, `${(await Bun.file(join(copy, path)).text()).trimEnd()}\n${text}`)

async function addEndpoint(): Promise<void> {
  const [table = '', shapes = '', operation = '', route = ''] = blocks('endpoint')
  await write('sql/migrations/9999_requirement_comments.sql', table)
  await append('api/requirements/schema.ts', shapes)
  await write('api/requirements/comments.ts', operation)
  await append('api/requirements/routes.ts', route)
  await insert('api/requirements/routes.ts', 'import { Elysia }', "import { createComment } from './comments.ts'")
  await replace('api/requirements/routes.ts', 'import { Requirement,', 'import { Comment, CommentInput, Requirement,')
  await insert('test/api/required-access.ts', "  'GET /livez'", inline('endpoint', "'POST /api/v1/requirements"))
  const created = '  const execute = async (agent: string) => {'
  await insert('test/sql/every-route.ts', created, inline('endpoint', 'await walk.call'))
}

async function addEvent(): Promise<void> {
  const [declaration = '', emission = ''] = blocks('event')
  await insert('core/events/destinations.ts', "  'channel.disabled': declare({", declaration)
  const channels = 'api/notification-channels/channels.ts'
  const end = ' await restart(tx, channel)\n'
  await replace(channels, `${end}  return getChannel(tx, channel)`, end + emission)
  await replace(channels, 'import { emitAll }', 'import { emit, emitAll }')
}

/** The sender is that of Teams, under another name. */
async function addChannelType(): Promise<void> {
  const [declaration = ''] = blocks('channel')
  const folder = 'worker/notification-channels'
  await write('core/notification-channels/discord.ts', declaration)
  const code = await Bun.file(join(root, folder, 'teams.ts')).text()
  await write(`${folder}/discord.ts`, code.replaceAll('Teams', 'Discord').replaceAll('teams', 'discord'))
  for (const [path, list] of [
    ['core/notification-channels/types.ts', 'const declared = {'],
    [`${folder}/senders.ts`, 'SENDERS: { [Type in ChannelType]: Sender<Type> } = {'],
  ] as const)
    await replace(path, list, `${list} discord,`)
  await insert('core/notification-channels/types.ts', 'import { slack }', "import { discord } from './discord.ts'")
  await insert(`${folder}/senders.ts`, 'import { slack }', "import { discord } from './discord.ts'")
}

async function addSweep(): Promise<void> {
  const [sweep = ''] = blocks('sweep')
  await write('worker/requirements/old-comments.ts', sweep)
  await insert('worker/sweeps.ts', "  { name: 'late_events'", inline('sweep', "{ name: 'orphaned_comments'"))
  await insert('worker/sweeps.ts', 'import { markUnknown, ', "import { deleteOrphaned } from './requirements/old-comments.ts'")
}

test('the examples compile: an endpoint, a page, an event, a channel type, a sweep, a test and a setting', async () => {
  await addEndpoint()
  await write('api/requirements/comments-page.tsx', blocks('page').join(''))
  await addEvent()
  await addChannelType()
  await addSweep()
  await write('test/requirements/example.test.ts', blocks('CONTRIBUTING').join(''))
  await insert('core/platform/settings.ts', '  DATA_DIR: setting(', inline('CONTRIBUTING', 'COMMENT_LIMIT'))
  await append(
    'api/requirements/comments.ts',
    "import { config } from '../../core/platform/config.ts'\nexport const limit: number = config.COMMENT_LIMIT",
  )
  const { compilerOptions, exclude } = await Bun.file(join(root, 'tsconfig.json')).json()
  const include = ['api', 'core', 'worker', 'test/requirements', 'test/api/required-access.ts', 'test/sql/every-route.ts']
  await write('tsconfig.json', JSON.stringify({ compilerOptions, include, exclude }))
  const tsc = Bun.spawn([join(root, 'node_modules/.bin/tsc')], { cwd: copy, stdout: 'pipe', stderr: 'pipe' })
  expect([await new Response(tsc.stdout).text(), await tsc.exited]).toEqual(['', 0])
})
