/** The examples of CONTRIBUTING.md, applied to a copy of the source. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dir, '../..')

let page: string
let copy: string

beforeAll(async () => {
  page = await Bun.file(join(root, 'CONTRIBUTING.md')).text()
  copy = await mkdtemp(join(tmpdir(), 'signalbox-contributing-'))
  for (const folder of ['api', 'bin', 'cli', 'core', 'sdk', 'sql', 'test', 'worker']) {
    await cp(join(root, folder), join(copy, folder), { recursive: true })
  }
  await cp(join(root, 'package.json'), join(copy, 'package.json'))
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
})
afterAll(() => rm(copy, { recursive: true, force: true }))

/** The text under a heading. */
const section = (title: string): string => page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''

/** The code blocks of a section, without the indentation that they may have as part of a list. */
const blocks = (title: string): string[] =>
  [...section(title).matchAll(/^( *)```(?:sql|tsx?)\n([\s\S]*?)\n\1```$/gm)].map(([, indent = '', code = '']) =>
    code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  )

/** The inline code of a section that begins with some text. */
function inline(title: string, start: string): string {
  const found = [...section(title).matchAll(/``(.+?)``|`([^`\n]+)`/g)].map(([, double, single]) => double ?? single ?? '')
  return found.find((code) => code.startsWith(start)) ?? `the section "${title}" has no ${start}`
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
  const [table = '', shapes = '', operation = '', route = '', ownTest = ''] = blocks('Add an endpoint')
  await write('sql/migrations/9999_requirement_comments.sql', table)
  await append('api/requirements/schema.ts', shapes)
  await write('api/requirements/comments.ts', operation)
  await append('api/requirements/routes.ts', route)
  await insert('api/requirements/routes.ts', 'import { Elysia }', "import { createComment } from './comments.ts'")
  await replace('api/requirements/routes.ts', 'import { Requirement,', 'import { Comment, CommentInput, Requirement,')
  await write('test/requirements/comments.test.ts', ownTest)
  await insert('test/api/required-access.ts', "  'GET /livez'", inline('Add an endpoint', "'POST /api/v1/requirements"))
  const created = '  const execute = async (agent: string) => {'
  await insert('test/sql/every-route.ts', created, inline('Add an endpoint', 'await walk.call'))
}

async function addPage(): Promise<void> {
  const [page = ''] = blocks('Add a page')
  await write('api/requirements/comments-page.tsx', page)
}

async function addEvent(): Promise<void> {
  const [declaration = ''] = blocks('Add an event')
  const code = (start: string) => inline('Add an event', start)
  await write('core/events/requirements.ts', declaration)
  await insert('core/events/catalogue.ts', '  ...runtimeEvents,', code('...requirementEvents'))
  await insert('core/events/catalogue.ts', 'import { runtimeEvents }', "import { requirementEvents } from './requirements.ts'")
  await insert('core/events/subjects.ts', '  runtime: Runtime', code('comment: { text'))
  await insert('api/docs/webhooks.ts', "    channel: component('NotificationChannel'),", code('comment: component('))
  await insert('api/requirements/comments.ts', 'import { record }', "import { emit } from '../../core/events/outbox.ts'")
  await insert('api/requirements/comments.ts', '  await record(', code('await emit('))
}

async function addChannelType(): Promise<void> {
  const [declaration = '', sender = ''] = blocks('Add a channel type')
  const folder = 'worker/notification-channels'
  await write('core/notification-channels/discord.ts', declaration)
  await write(`${folder}/discord/send.ts`, sender)
  await write(
    `${folder}/discord/card.ts`,
    "import type { EventMessage } from '../../event-messages/index.ts'\nexport const renderDiscord = ({ title }: EventMessage): object => ({ title })",
  )
  await write(`${folder}/discord/outcome.ts`, "export { classifyTeams as classifyDiscord } from '../teams/outcome.ts'")
  for (const [path, list] of [
    ['core/notification-channels/types.ts', 'const declared = {'],
    [`${folder}/senders.ts`, 'SENDERS: { [Type in ChannelType]: Sender<Type> } = {'],
  ] as const)
    await replace(path, list, `${list} discord,`)
  await insert('core/notification-channels/types.ts', 'import { slack }', "import { discord } from './discord.ts'")
  await insert(`${folder}/senders.ts`, 'import { slack }', "import { discord } from './discord/send.ts'")
}

async function addSweep(): Promise<void> {
  const [sweep = ''] = blocks('Add a sweep')
  await write('worker/requirements/old-comments.ts', sweep)
  await insert('worker/sweeps.ts', "  { name: 'late_events'", inline('Add a sweep', "{ name: 'old_comments'"))
  await insert('worker/sweeps.ts', 'import { markUnknown }', "import { deleteOldComments } from './requirements/old-comments.ts'")
}

test('the examples compile: an endpoint, a page, an event, a channel type, a sweep and a setting', async () => {
  await addEndpoint()
  await addPage()
  await addEvent()
  await addChannelType()
  await addSweep()
  await insert('core/platform/settings.ts', '  DATA_DIR: setting(', inline('Add a setting', 'COMMENT_LIMIT'))
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
