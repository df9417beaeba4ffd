import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { Workbench } from '../test/deployment-hooks/workbench.ts'
import { type MailServer, mailServer } from '../test/notification-channels/mail-server.ts'

setDefaultTimeout(120_000)

const MAILS = 10

let bench: Workbench
let server: MailServer
let silent = true

beforeAll(async () => {
  // Until it is to speak it accepts connections, and greets nobody.
  server = await mailServer({ onConnect: (_, greet) => void (silent || greet()) })
  const environment = { SMTP_URL: `smtp://127.0.0.1:${server.port}`, WORKER_CONCURRENCY: '2' }
  bench = await Workbench.open({ environment })
})

afterAll(async () => {
  await bench.close()
  await server.stop()
})

test('a mail server that is silent keeps no dispatch waiting for each mail, and gets them all when it speaks again', async () => {
  const { project, receiver } = await bench.hooked()
  const people = await Promise.all(Array.from({ length: MAILS }, (_, index) => bench.box.user(`Person ${'abcdefghij'[index]}`)))
  await Promise.all(people.map(({ email }) => bench.box.request('POST', '/api/v1/auth/password-reset', { email })))
  await bench.box.until('both places are held by mails', async () => server.connections() === 2)
  await bench.approve(project)
  await receiver.waitFor(1)
  expect(server.mails).toHaveLength(0)

  silent = false
  const addresses = new Set(people.map(({ email }) => email))
  // The admin is notified of the gate by mail, too; when is up to the retries.
  const come = () => server.mails.flatMap(({ to }) => to).filter((address) => addresses.has(address))
  await bench.box.until('all mails have come', async () => come().length >= MAILS, 100_000)
  expect(come().sort()).toEqual([...addresses].sort())
})
