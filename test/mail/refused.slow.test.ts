import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type MailServer, mailServer, rawSmtpServer, refusal } from '../notification-channels/mail-server.ts'
import { Workbench } from '../notification-channels/workbench.ts'
import { signalbox } from '../support/signalbox.ts'

let bench: Workbench
let server: MailServer
/** Replies per recipient, one per attempt; afterwards it is accepted. */
const answers = new Map<string, string[]>()
/** All recipients tried, in order. */
const recipients: string[] = []

beforeAll(async () => {
  server = await mailServer({
    onRcptTo({ address }, _, done) {
      recipients.push(address)
      const answer = answers.get(address)?.shift()
      done(answer ? refusal(answer) : null)
    },
  })
  bench = await Workbench.open({ environment: { SMTP_URL: `smtp://127.0.0.1:${server.port}` } })
})

afterAll(async () => {
  await bench.close()
  await server.stop()
})

test('an address that is refused permanently or temporarily does not affect other admins, and no mail is sent twice', async () => {
  const lead = await bench.box.user('Lead\r\n\r\nPay at https://evil.test\u202e')
  const late = await bench.box.user('Late')
  await bench.box.join(lead, bench.site, 'member', 'admin')
  await bench.box.join(late, bench.site, 'member', 'admin')
  const receiver = bench.receiver()
  receiver.answer = () => new Response('', { status: 410 })
  const { channel, project } = await bench.subscribedChannel('webhook', { url: receiver.url })
  const jobs = () => bench.box.sql`select from graphile_worker.jobs`
  await bench.box.until('no mail waits', async () => (await jobs()).count === 0)
  // They get mail about the gate as well; only mails about the channel are counted.
  for (const user of [bench.admin, lead, late]) await user.put('/api/v1/notifications/preferences', { email_enabled: false })
  recipients.length = 0
  answers.set(bench.admin.email, Array(9).fill('550 5.1.1 No such mailbox'))
  answers.set(late.email, ['450 4.2.1 Greylisted'])
  await bench.openGate(project)
  await bench.box.until('it is disabled', async () => {
    const { body } = await bench.admin.get(`${bench.path}/${channel.id}`)
    return body.enabled === false
  })
  const subject = 'Notification channel "Release room" was disabled'
  const mails = () => server.mails.filter(({ headers }) => headers.subject === subject)
  await bench.box.until('the two others have it', async () => mails().length === 2)
  await bench.box.until('no mail waits', async () => (await jobs()).count === 0)
  expect(recipients.toSorted()).toEqual([bench.admin.email, lead.email, late.email, late.email].toSorted())
  expect(mails().map(({ to }) => to)).toEqual([[lead.email], [late.email]])
  // A line break in a name is replaced.
  expect(mails()[0]?.text).toStartWith('Hello Lead Pay at https://evil.test,\n\nSignalbox disabled')
})

test('a mail refused by the last line of a reply counts as refused', async () => {
  const odd = bench.with(
    await rawSmtpServer((socket) => {
      socket.write('220 odd\r\n')
      socket.on('data', (chunk) => {
        for (const command of chunk.toString().split('\r\n')) {
          if (/^(EHLO|MAIL|RCPT)/.test(command)) socket.write('250 Fine\r\n')
          if (command === 'DATA') socket.write('354 Go on\r\n')
          if (command === '.') socket.write('250-Scanned\r\n550 5.7.1 It is spam\r\n')
        }
      })
    }),
  )
  const box = await signalbox({ environment: { SMTP_URL: `smtp://127.0.0.1:${odd.port}` } })
  const ada = await box.user('Ada')
  await box.request('POST', '/api/v1/auth/password-reset', { email: ada.email })
  expect(await box.workers[0]?.said('mail refused permanently by the mail server')).toContain('Set a new password')
  await box.close()
})
