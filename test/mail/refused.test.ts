import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type MailServer, mailServer, refusal } from '../notification-channels/mail-server.ts'
import { Workbench } from '../notification-channels/workbench.ts'

let bench: Workbench
let server: MailServer
let refused = ''
let answers = 0

beforeAll(async () => {
  server = await mailServer({
    onRcptTo({ address }, _, done) {
      if (address !== refused) return done()
      answers += 1
      done(refusal('550 5.1.1 No such mailbox'))
    },
  })
  bench = await Workbench.open({ environment: { SMTP_URL: `smtp://127.0.0.1:${server.port}` } })
})

afterAll(async () => {
  await bench.close()
  await server.stop()
})

test('an address that is refused for good keeps no other admin from the mail, and is not asked again', async () => {
  const lead = await bench.box.user('Lead\r\n\r\nPay at https://evil.test\u202e')
  await bench.box.join(lead, bench.site, 'member', 'admin')
  refused = bench.admin.email
  const receiver = bench.receiver()
  receiver.answer = () => new Response('', { status: 410 })
  const { project } = await bench.told('webhook', { url: receiver.url })
  await bench.openGate(project)
  const subject = 'Notification channel "Release room" was switched off'
  const mails = () => server.mails.filter(({ headers }) => headers.subject === subject)
  await bench.box.until('the other admin has it', async () => mails().length > 0)
  const jobs = () => bench.box.sql`select from graphile_worker.jobs`
  await bench.box.until('no mail waits', async () => (await jobs()).count === 0)
  // Each of its mails was refused once: of the gate, and of the channel.
  expect(answers).toBe(2)
  expect(mails().map(({ to }) => to)).toEqual([[lead.email]])
  // The name is one line, which it does not end.
  expect(mails()[0]?.text).toStartWith('Hello Lead Pay at https://evil.test,\n\nSignalbox switched off')
})
