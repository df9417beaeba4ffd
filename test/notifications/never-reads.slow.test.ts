import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { fill, inboxOf } from './inbox.ts'

let box: Box
let ada: Actor
let site: Site

/** Each has a body of a kilobyte: far more than all buffers on the way can hold. */
const COUNT = 40_000

beforeAll(async () => {
  box = await signalbox({ own: true, workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(() => box.close())

/** Resident memory of the API in MiB; 0 where the system does not report it. */
async function memory(): Promise<number> {
  const text = await readFile(`/proc/${box.api.pid}/status`, 'utf8').catch(() => '')
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(text) ?? []
  return Number(kilobytes) / 1024
}

test('a client that never reads does not grow memory, and gets everything once it reads', async () => {
  let text = ''
  const decoder = new TextDecoder()
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port: box.port,
    socket: {
      open(opened) {
        opened.write(
          `GET /api/v1/notifications/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ada.token}\r\nLast-Event-ID: 0\r\n\r\n`,
        )
      },
      data(_, data) {
        text += decoder.decode(data, { stream: true })
      },
    },
  })
  await box.until('the stream has begun', async () => text.includes('unread_count'))
  socket.pause()
  const before = await memory()
  await fill(box, ada, site, COUNT, 'x'.repeat(1_000))
  await box.sql`select pg_notify('signalbox_changes', ${`0 user/${ada.id}`})`
  // The inbox is read repeatedly while the stream is blocked.
  for (let poll = 0; poll < 20; poll++) {
    expect((await inboxOf(ada, '?page_size=1')).unread_count).toBe(COUNT)
    await Bun.sleep(500)
  }
  expect((await memory()) - before).toBeLessThan(48)

  const ids = () => [...text.matchAll(/^id: (\d+)\nevent: notification$/gm)].map(([, id]) => Number(id))
  expect(ids().length).toBeLessThan(COUNT / 2)
  socket.resume()
  await box.until('all of it arrived', async () => text.includes(`id: ${COUNT}\nevent: notification`))
  // Chunk boundaries may fall into an id; no complete id may be missing.
  const distinct = new Set(ids())
  expect(distinct.size).toBeGreaterThan(COUNT * 0.99)
  expect(ids()).toHaveLength(distinct.size)
  socket.end()
})
