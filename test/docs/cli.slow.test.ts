/** The transcripts of the page about the command line are what its commands print (`bun run generate` writes them). */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeHere } from '../support/node.ts'
import { PageClient } from '../support/page-client.ts'
import { type Actor, type Box, Process, type Site, signalbox } from '../support/signalbox.ts'

const root = join(import.meta.dir, '../..')
const file = join(root, 'docs/cli.md')
const page = await Bun.file(file).text()

let box: Box
let ada: Actor
let site: Site
let visitor: PageClient
let folder: string
let environment: Record<string, string>

/** What the page shows instead of what differs in each run. */
const SHOWN = {
  url: 'https://signalbox.example.com',
  gate: '01a21684-3c4a-7553-b632-c614a202d1cf',
  hook: '01a21684-98b6-70bc-9e82-4e99e80970db',
  commit: '7d3f1f0c0ffee2d5a1f0b7f6b3b5a9d8e7c6b5a4',
  code: 'WDJB-MJHT',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwo9dVOCXa7oA=',
  config: '/home/ada/.config/signalbox/config.json',
  receiver: 'http://localhost:3000',
}
const real = new Map<string, string>()
const learn = (name: keyof typeof SHOWN, value: string) => real.set(SHOWN[name], value)

const asShown = (text: string): string => [...real].reduce((all, [shown, own]) => all.replaceAll(own, shown), text)
const asReal = (text: string): string => [...real].reduce((all, [shown, own]) => all.replaceAll(shown, own), text)

beforeAll(async () => {
  box = await signalbox({ environment: { HOOK_RETRY_SECONDS: '0.2,0.2' } })
  ada = await box.user('Ada Lovelace')
  site = await box.site(ada)
  visitor = await PageClient.signedIn(box, ada)
  folder = await mkdtemp(join(tmpdir(), 'signalbox-transcripts-'))
  const program = join(folder, 'bin/signalbox')
  await Bun.write(program, `#!/bin/sh\nexec node '${root}/cli/signalbox.js' "$@"\n`)
  await Bun.write(join(folder, 'deploy.sh'), '#!/bin/sh\n')
  for (const each of [program, join(folder, 'deploy.sh')]) await chmod(each, 0o755)
  learn('url', box.base.replace('127.0.0.1', 'localhost'))
  environment = {
    PATH: `${join(folder, 'bin')}:${await nodeHere()}:${process.env.PATH}`,
    HOME: folder,
    XDG_CONFIG_HOME: '',
    PROJECT: site.project.id,
  }
  const git =
    'git init -q && git -c user.name=Ada -c user.email=ada@example.com commit -q --allow-empty -m Pay && git rev-parse HEAD'
  learn('commit', (await finish(git)).join(''))
  learn('config', join(folder, '.config/signalbox/config.json'))
  const { token } = await ada.make('/api/v1/auth/tokens', { name: 'Command line' })
  Object.assign(environment, { SIGNALBOX_URL: real.get(SHOWN.url), SIGNALBOX_TOKEN: token })
})
afterAll(async () => {
  await box.close()
  await rm(folder, { recursive: true })
})

/** Starts a command of the page, with both outputs in one. */
const start = async (command: string, more: Record<string, string> = {}): Promise<Process> =>
  new Process(['-c', `exec 2>&1\n${asReal(command)}`], { ...environment, ...more }, 'bash', folder)

/** The block of the page that begins with a command, and its commands. */
function transcript(beginning: string): { block: string; commands: string[] } {
  const block = [...page.matchAll(/```\n(\$ [\s\S]*?\n)```/g)]
    .map(([, text = '']) => text)
    .find((text) => text.startsWith(beginning))
  const commands = [...(block ?? '').matchAll(/^\$ ((?:.*\\\n)*.*)$/gm)].map(([, command = '']) => command)
  return { block: block ?? '', commands }
}

/** Compares what was printed after each command with the page. */
async function compare({ block, commands }: ReturnType<typeof transcript>, outputs: string[][]): Promise<void> {
  const printed = commands.map((command, index) => `$ ${command}\n${(outputs[index] ?? []).map((line) => `${line}\n`).join('')}`)
  const made = asShown(printed.join(''))
  if (!process.env.UPDATE_GOLDEN) return expect(made).toBe(block)
  await Bun.write(
    file,
    (await Bun.file(file).text()).replace(block, () => made),
  )
}

async function finish(command: string): Promise<string[]> {
  const running = await start(command)
  await running.isRead
  return running.lines
}

test('asking for an approval, waiting for it, and deploying what it allows', async () => {
  const page = transcript('$ signalbox gate open')
  const [open = '', wait = '', verify = ''] = page.commands
  const opened = await finish(open)
  const id = opened.at(-1) ?? ''
  learn('gate', id)
  const approved = await visitor.press(await visitor.open(`/app/gates/${id}`), 'Approve', { comment: 'Ship it.' })
  expect(approved.status).toBe(200)
  const digest = `gitCommit:${real.get(SHOWN.commit)}`
  await box.until('it may be deployed', async () => {
    const path = `/api/v1/projects/${site.project.id}/verify`
    return (await ada.post(path, { environment: 'production', digest })).body.allowed
  })
  await compare(page, [opened, await finish(wait), await finish(verify)])
})

test('signing in', async () => {
  const page = transcript('$ signalbox login')
  const login = await start(page.commands[0] ?? '', { SIGNALBOX_TOKEN: '', SIGNALBOX_URL: '' })
  const [, code = ''] = /type the code (\S+)/.exec(await login.said('type the code')) ?? []
  learn('code', code)
  await visitor.press(await visitor.press(await visitor.open('/device'), 'Continue', { user_code: code }), 'Allow')
  expect(await login.exited).toBe(0)
  await login.isRead
  await compare(page, [login.lines])
})

test('forwarding dispatches', async () => {
  const page = transcript('$ signalbox listen')
  const serve = (port = 0) => Bun.serve({ port, hostname: 'localhost', fetch: () => new Response('ok') })
  let server = serve()
  const { port } = server
  learn('receiver', server.url.origin)
  const listener = await start(page.commands[0] ?? '')
  const [, hook = ''] = /Hook (\S+):/.exec(await listener.said('Hook ')) ?? []
  learn('hook', hook)
  learn('secret', (await listener.said('Its secret')).split(' ').at(-1) ?? '')
  await ada.make(`/api/v1/deployment-hooks/${hook}/trigger`)
  await listener.said('sequence 1, attempt 1')
  await server.stop(true)
  const gate = await ada.make(`/api/v1/projects/${site.project.id}/gates`, { name: 'Release review' })
  await ada.make(`/api/v1/gates/${gate.id}/approve`)
  await listener.said('is attempted again')
  server = serve(port)
  await listener.said('sequence 2, attempt 2')
  listener.kill('SIGTERM')
  expect(await listener.exited).toBe(0)
  await listener.isRead
  await server.stop(true)
  const [seconds, milliseconds] = [
    ['12.402', '15.118', '20.431'],
    [3, 1, 4],
  ].map((each) => each.values())
  const shown = listener.lines
    .filter((line) => !/(ECONNREFUSED|attempt [3-9])/.test(line) || line.includes('attempt 1 '))
    .map((line) =>
      line
        .replace(/\+\d+\.\d{3}s/, () => `+${seconds?.next().value}s`)
        .replace(/in \d+ ms/, () => `in ${milliseconds?.next().value} ms`),
    )
  await compare(page, [shown])
})
