/** Each recipient of a mail has its own outcome. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type MailServer, mailServer, rawSmtpServer, refusal } from './mail-server.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(() => bench.close())

const configFor = ({ port }: { port: number }, to_addresses: string[], rest: object = {}) => ({
  smtp_host: '127.0.0.1',
  smtp_port: port,
  from_address: 'signalbox@example.com',
  to_addresses,
  ...rest,
})

const startMailServer = async (...options: Parameters<typeof mailServer>): Promise<MailServer> =>
  bench.with(await mailServer(...options))

/** Sends one message to these addresses; returns its log entry once it is no longer pending. */
async function sendTo(server: { port: number }, to_addresses: string[], rest: object = {}) {
  const { channel, project } = await bench.subscribedChannel('email', configFor(server, to_addresses, rest))
  await bench.openGate(project)
  return { channel, entry: await bench.settled(channel) }
}

const [ADA, BOB, GRACE] = ['ada@example.com', 'bob@example.com', 'grace@example.com'] as const

/** Refuses recipients: each address has replies, one per attempt, and is accepted after those. */
function refusingServer(answers: Record<string, string[]>) {
  const recipients: string[] = []
  const onRcptTo = ({ address }: { address: string }, _: unknown, done: (error?: Error | null) => void) => {
    const answer = answers[address]?.[recipients.filter((each) => each === address).length]
    recipients.push(address)
    done(answer ? refusal(answer) : null)
  }
  return { recipients: recipients, onRcptTo }
}

test('a reply that is truncated within a character can be recorded', async () => {
  const reply = `550 x${'😀'.repeat(200)}`
  const server = await startMailServer({ onMailFrom: (_address, _session, done) => done(refusal(reply)) })
  const { entry } = await sendTo(server, [ADA])
  expect(entry).toMatchObject({
    status: 'failed',
    error: { code: 'sender_rejected', detail: expect.stringContaining('550 x😀') },
  })
})

describe('a recipient that is permanently refused', () => {
  const GONE = Array(3).fill('550 5.1.1 No such user')

  test('is not tried again when another recipient is retried', async () => {
    const { recipients, onRcptTo } = refusingServer({ [GRACE]: GONE, [ADA]: ['450 4.2.1 Greylisted'] })
    const server = await startMailServer({ onRcptTo })
    const { channel, entry } = await sendTo(server, [GRACE, ADA, BOB])
    expect(server.mails.map(({ to }) => to)).toEqual([[BOB], [ADA]])
    expect(recipients).toEqual([GRACE, ADA, BOB, ADA])
    expect(entry).toMatchObject({
      status: 'failed',
      attempt_count: 2,
      error: { code: 'recipient_rejected', detail: `1 of 3 addresses were refused: ${GRACE} (550 5.1.1)` },
    })
    expect(await bench.health(channel)).toMatchObject({ failures: 0 })
  })

  test('is not tried again when no other recipient was accepted at first', async () => {
    const { recipients, onRcptTo } = refusingServer({ [GRACE]: GONE, [ADA]: ['450 4.2.1 Greylisted'] })
    const server = await startMailServer({ onRcptTo })
    const { entry } = await sendTo(server, [GRACE, ADA])
    expect(server.mails.map(({ to }) => to)).toEqual([[ADA]])
    expect(recipients).toEqual([GRACE, ADA, ADA])
    expect(entry).toMatchObject({ status: 'failed', attempt_count: 2, error: { code: 'recipient_rejected' } })
  })

  test('is not tried again when the message is temporarily refused', async () => {
    const { recipients, onRcptTo } = refusingServer({ [GRACE]: GONE })
    const server = await startMailServer({ onRcptTo, onData: (_, __, done) => done(refusal('451 4.3.0 Disk full')) })
    const { entry } = await sendTo(server, [GRACE, ADA])
    expect(recipients).toEqual([GRACE, ADA, ADA, ADA])
    expect(entry).toMatchObject({ status: 'failed', attempt_count: 3, response_status: 451 })
  })

  test('is tried at the next mail server, which has not refused it', async () => {
    const first = refusingServer({ [GRACE]: GONE, [ADA]: ['450 4.2.1 Greylisted'] })
    const [asked, moved] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const before = await startMailServer({
      // The second attempt is in flight, and will be refused permanently, while the channel changes to another server.
      onRcptTo: async ({ address }: { address: string }, session: unknown, done: (error?: Error | null) => void) => {
        if (address === ADA && first.recipients.includes(ADA)) {
          asked.resolve()
          await moved.promise
          return done(refusal('550 5.7.1 Relaying denied'))
        }
        first.onRcptTo({ address }, session, done)
      },
    })
    const after = await startMailServer()
    const { channel, project } = await bench.subscribedChannel('email', configFor(before, [GRACE, ADA]))
    await bench.openGate(project)
    await asked.promise
    const { status } = await bench.admin.put(`${bench.path}/${channel.id}`, { config: { smtp_port: after.port } })
    expect(status).toBe(200)
    moved.resolve()
    expect(await bench.settled(channel)).toMatchObject({ status: 'succeeded', attempt_count: 3, error: null })
    expect(after.mails.map(({ to }) => to)).toEqual([[GRACE, ADA]])
  })

  test('is tried again when an operator retries the message', async () => {
    const { recipients, onRcptTo } = refusingServer({ [GRACE]: GONE.slice(0, 1) })
    const server = await startMailServer({ onRcptTo })
    const { channel, entry } = await sendTo(server, [GRACE, ADA])
    expect(entry.status).toBe('failed')
    await bench.box.sql`select from ops.retry(${[entry.id]})`
    const [again] = await bench.logged(channel, ([first]) => first?.status === 'succeeded')
    expect(again).toMatchObject({ id: entry.id, error: null })
    expect(recipients).toEqual([GRACE, ADA, GRACE])
    expect(server.mails.map(({ to }) => to)).toEqual([[ADA], [GRACE]])
  })
})

/** An SMTP server with scripted replies: one per command, a success by default. */
const scriptedServer = async (answers: Record<string, string>) => {
  const commands: string[] = []
  const server = bench.with(
    await rawSmtpServer((socket) => {
      let inData = false
      const answer = (command: string, otherwise: string) => socket.write(`${answers[command] ?? otherwise}\r\n`)
      answer('greeting', '220 odd ESMTP')
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk.toString()
        const lines = text.split('\r\n')
        text = lines.pop() ?? ''
        for (const line of lines) {
          if (inData && line !== '.') continue
          commands.push(inData ? 'message' : line)
          const command = inData ? 'message' : (line.split(/[ :]/)[0] ?? '')
          inData = command === 'DATA'
          answer(command, command === 'DATA' ? '354 Go on' : '250 Fine')
        }
      })
    }),
  )
  return { ...server, commands: commands }
}

describe('a multi-line reply counts by its last line', () => {
  test('to RCPT', async () => {
    const server = await scriptedServer({ RCPT: '250-Checking\r\n550 5.1.1 No such user' })
    const { entry } = await sendTo(server, [ADA])
    expect(entry).toMatchObject({
      status: 'failed',
      attempt_count: 1,
      response_status: 550,
      error: { code: 'recipient_rejected' },
    })
    expect(entry.error.detail).toContain('No such user')
    expect(server.commands).not.toContain('message')
  })

  test('to DATA', async () => {
    const server = await scriptedServer({ message: '250-Scanned\r\n550 5.7.1 It is spam' })
    const { entry } = await sendTo(server, [ADA])
    expect(entry).toMatchObject({ status: 'failed', attempt_count: 1, response_status: 550, error: { code: 'message_rejected' } })
    expect(entry.error.detail).toContain('It is spam')
  })

  test('to MAIL, which may be tried again', async () => {
    const server = await scriptedServer({ MAIL: '550-Wait\r\n451 4.7.1 Later' })
    expect((await sendTo(server, [ADA])).entry).toMatchObject({ status: 'failed', attempt_count: 3, response_status: 451 })
  })

  test('also when the last line is better than those before', async () => {
    const server = await scriptedServer({
      greeting: '554-Hm\r\n220 odd',
      RCPT: '550-Hm\r\n250 Fine',
      message: '451-Hm\r\n250 Queued',
    })
    expect((await sendTo(server, [ADA])).entry).toMatchObject({ status: 'succeeded', response_status: 250 })
  })
})

describe('different spellings', () => {
  test('of one address get one mail', async () => {
    const spellings = ['Ada@Example.COM', ADA, 'eve@Bücher.example', 'eve@xn--bcher-kva.example']
    const server = await startMailServer()
    expect((await sendTo(server, spellings)).entry).toMatchObject({ status: 'succeeded', attempt_count: 1 })
    expect(server.mails).toHaveLength(1)
    expect(server.mails[0]?.headers.to).toBe('ada@example.com, eve@xn--bcher-kva.example')
    const wire = await scriptedServer({})
    await sendTo(wire, spellings)
    expect(wire.commands.filter((line) => /^(MAIL|RCPT)/.test(line))).toEqual([
      'MAIL FROM:<signalbox@example.com>',
      'RCPT TO:<ada@example.com>',
      'RCPT TO:<eve@xn--bcher-kva.example>',
    ])
  })

  test('of accepted addresses are not sent to again', async () => {
    const { recipients, onRcptTo } = refusingServer({ [GRACE]: ['450 4.2.1 Greylisted'] })
    const server = await startMailServer({ onRcptTo })
    const { entry } = await sendTo(server, ['Ada@EXAMPLE.com', GRACE])
    expect(entry).toMatchObject({ status: 'succeeded', attempt_count: 2 })
    expect(recipients).toEqual([ADA, GRACE, GRACE])
  })
})

describe('a non-ASCII address', () => {
  const JOSE = 'jösé@example.com'

  test('gets the mail from a server that offers SMTPUTF8', async () => {
    const senders: unknown[] = []
    const server = await startMailServer({
      onMailFrom: (address, _, done) => {
        senders.push(address.args)
        done()
      },
    })
    expect((await sendTo(server, [JOSE, 'ada@bücher.example'])).entry).toMatchObject({ status: 'succeeded' })
    expect(server.mails.map(({ to }) => to)).toEqual([[JOSE, 'ada@bücher.example']])
    expect(senders).toEqual([expect.objectContaining({ SMTPUTF8: true })])
  })

  test('is refused permanently without SMTPUTF8; the other recipients get the mail with ASCII headers', async () => {
    const { recipients, onRcptTo } = refusingServer({ [GRACE]: ['450 4.2.1 Greylisted'] })
    const server = await startMailServer({ onRcptTo, hideSMTPUTF8: true })
    const { entry } = await sendTo(server, [JOSE, ADA, GRACE, 'eve@bücher.example'])
    expect(recipients).toEqual([ADA, GRACE, 'eve@bücher.example', GRACE])
    expect(entry).toMatchObject({ status: 'failed', attempt_count: 2, error: { code: 'recipient_rejected' } })
    expect(entry.error.detail).toBe(
      `1 of 4 addresses were refused: ${JOSE} (The mail server does not support non-ASCII addresses (SMTPUTF8))`,
    )
    expect(server.mails).not.toBeEmpty()
    for (const { raw } of server.mails) {
      const head = raw.slice(0, raw.indexOf('\r\n\r\n'))
      expect(head).not.toMatch(/[^\p{ASCII}]/u)
      expect(head.replaceAll('\r\n ', ' ')).toContain(`To: ${ADA}, ${GRACE}, eve@xn--bcher-kva.example`)
    }
  })

  test('fails at once when it is the only recipient, or the sender', async () => {
    const server = await startMailServer({ hideSMTPUTF8: true })
    expect((await sendTo(server, [JOSE])).entry).toMatchObject({
      status: 'failed',
      attempt_count: 1,
      response_status: null,
      error: { code: 'recipient_rejected', detail: expect.stringContaining('SMTPUTF8') },
    })
    expect((await sendTo(server, [ADA], { from_address: JOSE })).entry).toMatchObject({
      status: 'failed',
      attempt_count: 1,
      error: { code: 'sender_rejected', detail: expect.stringContaining('SMTPUTF8') },
    })
    expect(server.mails).toEqual([])
  })
})
