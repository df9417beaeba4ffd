import { afterAll, beforeAll, expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeHere } from '../support/node.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

const root = join(import.meta.dir, '../..')

let box: Box
let owner: Actor
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox()
  ;[owner, ada] = await Promise.all([box.user('Owner'), box.user('Ada')])
  site = await box.site(owner)
  await box.join(ada, site, 'member', 'admin')
})
afterAll(() => box.close())

/** The only snippet in this language in a document. */
async function snippet(path: string, language: string): Promise<string> {
  const text = await Bun.file(join(root, path)).text()
  const [found, ...others] = [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))]
  expect(others).toEqual([])
  return found?.[1] ?? ''
}

/** The constructor of asynchronous functions. */
const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor

test('the documented client of the notification stream shows what arrives', async () => {
  const shown: { event: string; data: { title?: string; unread_count?: number } }[] = []
  const stopping = new AbortController()
  // As in a browser, where paths are relative to the server of the page.
  const ownFetch = (path: string, options: RequestInit) => fetch(box.base + path, { ...options, signal: stopping.signal })
  const program = new AsyncFunction(
    'fetch',
    'accessToken',
    'show',
    'setTimeout',
    await snippet('api/notifications/stream.md', 'js'),
  )
  const show = (event: string, data: object) => shown.push({ event, data })
  // It retries forever after it is stopped, with a timer that never fires.
  void program(ownFetch, ada.token, show, () => {})
  await box.until('the stream is open', async () => shown.length === 1)
  const execution = await box.running(owner, site.project.id)
  await owner.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Release' })
  await box.until('the count has changed', async () => shown.length === 3)
  stopping.abort()
  expect(shown).toMatchObject([
    { event: 'unread_count', data: { unread_count: 0 } },
    { event: 'notification', data: { title: 'The gate “Release” awaits your review: #1 Pay by invoice' } },
    { event: 'unread_count', data: { unread_count: 1 } },
  ])
})

test('the documented command starts a receiver', async () => {
  const command = (await snippet('docs/receivers/README.md', 'sh'))
    .replace('whsec_…', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
    .replace('GITHUB_TOKEN=…', 'GITHUB_TOKEN=ghp_1')
    .replace('PORT=8787', 'PORT=0')
  const child = Bun.spawn(['sh', '-c', `exec env ${command}`], {
    cwd: join(root, 'docs/receivers'),
    env: { PATH: `${await nodeHere()}:${process.env.PATH}`, STATE_FILE: join(tmpdir(), crypto.randomUUID()) },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const { value } = await child.stdout.getReader().read()
  child.kill()
  expect(new TextDecoder().decode(value)).toContain('listening on port')
  await child.exited
})
