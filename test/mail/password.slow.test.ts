import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rawSmtpServer } from '../notification-channels/mail-server.ts'
import { Workbench } from '../notification-channels/workbench.ts'
import { whereIs } from '../support/secrecy.ts'

const PASSWORD = 'mail-of/the service-31d7'

let bench: Workbench
let server: Awaited<ReturnType<typeof rawSmtpServer>>
const commands: string[] = []

beforeAll(async () => {
  server = await rawSmtpServer((socket) => {
    socket.write('220 odd ESMTP\r\n')
    socket.on('data', (chunk) => {
      const line = chunk.toString().trim()
      commands.push(line)
      socket.write(line.startsWith('EHLO') ? '250-odd\r\n250 AUTH PLAIN\r\n' : `535 5.7.8 Refused: ${line} ${PASSWORD}\r\n`)
    })
  })
  bench = await Workbench.open({
    environment: { SMTP_URL: `smtp://service:${encodeURIComponent(PASSWORD)}@127.0.0.1:${server.port}`, LOG_LEVEL: 'trace' },
  })
})

afterAll(async () => {
  await bench.close()
  await server.stop()
})

test('the SMTP password is masked in logs and job errors when the server echoes it', async () => {
  await bench.openGate(await bench.project())
  const failed = () => bench.box.sql`select last_error from graphile_worker.jobs where last_error is not null`
  await bench.box.until('a mail has failed', async () => (await failed()).length > 0)
  const [job] = await failed()
  expect(job?.last_error).toContain('Refused: AUTH PLAIN ********')
  const sent = Buffer.from(`\0service\0${PASSWORD}`).toString('base64')
  expect(commands).toContain(`AUTH PLAIN ${sent}`)
  for (const form of [PASSWORD, sent, sent.slice(16, 32)]) expect([form, await whereIs(bench.box, form)]).toEqual([form, []])
})
