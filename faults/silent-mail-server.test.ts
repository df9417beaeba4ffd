import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Workbench } from '../test/deployment-hooks/workbench.ts'
import { type MailServer, mailServer } from '../test/notification-channels/mail-server.ts'

const MAILS = 10

let bench: Workbench
let server: MailServer
let silent = true

beforeAll(async () => {
  // While silent, it accepts connections and sends no greeting.
  server = await mailServer({ onConnect: (_, greet) => void (silent || greet()) })
  const environment = { SMTP_URL: `smtp://127.0.0.1:${server.port}`, WORKER_CONCURRENCY: '2' }
  bench = await Workbench.open({ environment })
})

afterAll(async () => {
  await bench.close()
  await server.stop()
})

test('a silent mail server does not delay dispatches, and gets all mails once it responds', async () => {
  const { project, receiver } = await bench.hooked()
  const people = await Promise.all(Array.from({ length: MAILS }, (_, index) => bench.box.user(`Person ${'abcdefghij'[index]}`)))
  await Promise.all(people.map(({ email }) => bench.box.request('POST', '/api/v1/auth/password-reset', { email })))
  await bench.box.until('both job slots are taken by mails', async () => server.connections() === 2)
  await bench.approve(project)
  await receiver.waitFor(1)
  expect(server.mails).toHaveLength(0)

  silent = false
  const addresses = new Set(people.map(({ email }) => email))
  // The admin also gets mail about the gate, at a time that depends on retries.
  const arrived = () => server.mails.flatMap(({ to }) => to).filter((address) => addresses.has(address))
  await bench.box.until('all mails have arrived', async () => arrived().length >= MAILS, 100_000)
  expect(arrived().sort()).toEqual([...addresses].sort())
})
