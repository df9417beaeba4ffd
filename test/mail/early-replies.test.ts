/** A mail counts as sent once the server accepted all of it, not by a reply that came before its end. */
import { afterAll, expect, test } from 'bun:test'
import { PassThrough } from 'node:stream'
import { createMailer } from '../../worker/mail/smtp.ts'
import { rawSmtpServer } from '../notification-channels/mail-server.ts'

const stops: (() => Promise<void>)[] = []

afterAll(() => Promise.all(stops.map((stop) => stop())))

/** Starts a server that answers the first bytes of the content, and its end. @returns the outcome of a mail sent there */
async function sendTo(extensions: string, early: string, reply: string, text: PassThrough | string): Promise<unknown> {
  const server = await rawSmtpServer((socket) => {
    let isContent = false
    let isAnswered = false
    socket.write('220 odd ESMTP\r\n')
    socket.on('data', (chunk) => {
      if (isContent) {
        if (!isAnswered) socket.write(early)
        isAnswered = true
        if (chunk.toString().endsWith('\r\n.\r\n')) socket.write(reply)
        return
      }
      for (const command of chunk.toString().split('\r\n')) {
        if (command.startsWith('EHLO')) socket.write(`250-odd\r\n250 ${extensions}\r\n`)
        if (/^(MAIL|RCPT)/.test(command)) socket.write('250 Fine\r\n')
        if (command !== 'DATA') continue
        isContent = true
        socket.write('354 Go on\r\n')
      }
    })
  })
  stops.push(server.stop)
  const mailer = createMailer({ host: '127.0.0.1', port: server.port })
  const mail = { from: 'signalbox@example.com', to: 'ada@example.com', subject: 'Hello', text }
  return mailer.sendMail(mail).catch((error: unknown) => error)
}

test.each(['PIPELINING', '8BITMIME'])('a mail that is accepted before its end is not sent (%s)', async (extensions) => {
  const text = new PassThrough()
  text.write('The beginning')
  const outcome = await sendTo(extensions, '250 Queued\r\n', '550 Refused\r\n', text)
  text.destroy()
  expect(outcome).toMatchObject({ code: 'EPROTOCOL', responseCode: 250 })
})

test('a mail that is refused before its end is refused', async () => {
  const text = new PassThrough()
  text.write('The beginning')
  const outcome = await sendTo('8BITMIME', '552 Too large\r\n', '250 Queued\r\n', text)
  text.destroy()
  expect(outcome).toMatchObject({ code: 'EMESSAGE', responseCode: 552, permanent: true })
})

test('a mail of several megabytes that is accepted at its end is sent', async () => {
  const outcome = await sendTo('8BITMIME', '', '250 Queued\r\n', 'A long line of text. '.repeat(200_000))
  expect(outcome).toMatchObject({ accepted: ['ada@example.com'], response: '250 Queued' })
})

test.each(['25', '2 Fine', '2500 Fine', '221 Bye', '252 Perhaps'])(
  'a mail whose end is answered with %j is not sent',
  async (reply) => {
    const outcome = await sendTo('8BITMIME', '', `${reply}\r\n`, 'Hello')
    expect(outcome).toMatchObject({ code: 'EMESSAGE' })
  },
)
