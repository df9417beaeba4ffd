import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type MailServer, mailServer, rawSmtpServer, refusal } from './mail-server.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({ environment: { PUBLIC_URL: 'https://signalbox.example.com' } })
})

afterAll(() => bench.close())

const configFor = ({ port }: { port: number }, rest: object = {}) => ({
  smtp_host: '127.0.0.1',
  smtp_port: port,
  from_address: 'signalbox@example.com',
  to_addresses: ['ada@example.com', 'grace@example.com'],
  ...rest,
})

const startMailServer = async (...options: Parameters<typeof mailServer>): Promise<MailServer> =>
  bench.with(await mailServer(...options))

const testChannelAt = async (server: { port: number }, rest: object = {}) =>
  bench.tested(await bench.channel('email', configFor(server, rest)))

describe('a mail', () => {
  test('has text and HTML parts, is marked as auto-generated, and threads with others of its execution', async () => {
    const server = await startMailServer()
    const { channel, project } = await bench.subscribedChannel('email', configFor(server), '*')
    const gate = await bench.openGate(project, { description: 'Please look.\nIt is urgent.' })
    await bench.admin.make(`/api/v1/gates/${gate.id}/approve`)
    const entries = await bench.logged(
      channel,
      (found) => found.length === 3 && found.every(({ status }) => status === 'succeeded'),
    )
    expect(entries.map(({ event }) => event)).toEqual(['gate.approved', 'gate.pending', 'execution.started'])
    expect(entries[0]).toMatchObject({ response_status: 250, error: null, attempt_count: 1 })
    const mail = server.mails[1]
    expect(mail).toMatchObject({ from: 'signalbox@example.com', to: ['ada@example.com', 'grace@example.com'] })
    expect(mail?.headers).toMatchObject({
      subject: '[Checkout] Gate pending: Release review – #1 Pay by invoice',
      'auto-submitted': 'auto-generated',
      'message-id': `<${entries[1].id}@signalbox.example.com>`,
      'x-signalbox-event': 'gate.pending',
    })
    expect(mail?.headers['content-type']).toStartWith('multipart/alternative')
    for (const part of [mail?.text, mail?.html]) {
      for (const word of ['Gate pending', 'Release review', 'Please look.', `/app/gates/${gate.id}`]) expect(part).toContain(word)
    }
    const thread = `<execution-${gate.execution_id}@signalbox.example.com>`
    for (const { headers } of server.mails) expect([headers.references, headers['in-reply-to']]).toEqual([thread, thread])
  })

  test('contains no markup or header injected through a name', async () => {
    const server = await startMailServer()
    const { channel, project } = await bench.subscribedChannel('email', configFor(server))
    await bench.openGate(project, { name: '<script>alert(1)</script> Bcc: victim@example.com <b onclick="x">' })
    expect(await bench.settled(channel)).toMatchObject({ status: 'succeeded' })
    const [mail] = server.mails
    expect(mail?.to).toEqual(['ada@example.com', 'grace@example.com'])
    expect(Object.keys(mail?.headers ?? {})).not.toContain('bcc')
    expect(mail?.html).not.toMatch(/<script|<b onclick/)
    expect(mail?.html).toContain('&lt;script>')
    expect(mail?.headers.subject).toContain('<script>alert(1)</script> Bcc:')
  })

  test('of a test message looks like any other', async () => {
    const server = await startMailServer()
    expect(await testChannelAt(server)).toMatchObject({ event: 'test.ping', status: 'succeeded', response_status: 250 })
    expect(server.mails[0]?.headers.subject).toBe('[Platform] Test: Release room')
  })
})

describe('a server that refuses', () => {
  const stages = {
    'the greeting': (answer: string) => ({ onConnect: (_: unknown, done: (error: Error) => void) => done(refusal(answer)) }),
    'the sender': (answer: string) => ({
      onMailFrom: (_: unknown, __: unknown, done: (error: Error) => void) => done(refusal(answer)),
    }),
    'every address': (answer: string) => ({
      onRcptTo: (_: unknown, __: unknown, done: (error: Error) => void) => done(refusal(answer)),
    }),
    'the message': (answer: string) => ({
      onData: (_: unknown, __: unknown, done: (error: Error) => void) => done(refusal(answer)),
    }),
  }

  for (const [stage, options] of Object.entries(stages)) {
    test(`${stage} temporarily gets another attempt`, async () => {
      const server = await startMailServer(options('451 4.3.0 Come back later') as object)
      const { channel, project } = await bench.subscribedChannel('email', configFor(server))
      await bench.openGate(project)
      const entry = await bench.settled(channel)
      expect(entry).toMatchObject({ status: 'failed', attempt_count: 3, response_status: 451 })
      expect(entry.error.detail).toContain('Come back later')
      expect(server.connections()).toBe(3)
    })

    test(`${stage} permanently gets no other attempt`, async () => {
      const server = await startMailServer(options('550 5.7.1 Not for you') as object)
      const { channel, project } = await bench.subscribedChannel('email', configFor(server))
      await bench.openGate(project)
      const entry = await bench.settled(channel)
      expect(entry).toMatchObject({ status: 'failed', attempt_count: 1, response_status: 550 })
      expect(entry.error.detail).toContain('Not for you')
      expect(server.connections()).toBe(1)
    })
  }

  test('some recipients temporarily gets the mail for them later, and no recipient gets it twice', async () => {
    let attempts = 0
    const server = await startMailServer({
      onRcptTo: ({ address }, _, done) => {
        if (address !== 'grace@example.com') return done()
        attempts += 1
        done(attempts === 1 ? refusal('450 4.2.1 Greylisted') : null)
      },
    })
    const { channel, project } = await bench.subscribedChannel('email', configFor(server))
    await bench.openGate(project)
    expect(await bench.settled(channel)).toMatchObject({ status: 'succeeded', attempt_count: 2, error: null })
    expect(server.mails.map(({ to }) => to)).toEqual([['ada@example.com'], ['grace@example.com']])
    expect(server.mails[0]?.headers['message-id']).toBe(server.mails[1]?.headers['message-id'] as string)
  })

  test('one recipient permanently fails the message and names it, without counting against the channel', async () => {
    const server = await startMailServer({
      onRcptTo: ({ address }, _, done) => done(address === 'grace@example.com' ? refusal('550 5.1.1 No such user') : null),
    })
    const { channel, project } = await bench.subscribedChannel('email', configFor(server))
    await bench.openGate(project)
    const entry = await bench.settled(channel)
    expect(entry).toMatchObject({ status: 'failed', attempt_count: 1, error: { code: 'recipient_rejected' } })
    expect(entry.error.detail).toContain('1 of 2')
    expect(entry.error.detail).toContain('grace@example.com')
    expect(server.mails).toHaveLength(1)
    expect(await bench.health(channel)).toMatchObject({ failures: 0 })
  })
})

describe('a connection', () => {
  test('that is closed before the greeting is retried', async () => {
    let count = 0
    const server = bench.with(
      await rawSmtpServer((socket) => {
        count += 1
        socket.destroy()
      }),
    )
    const { channel, project } = await bench.subscribedChannel('email', configFor(server))
    await bench.openGate(project)
    expect(await bench.settled(channel)).toMatchObject({
      status: 'failed',
      attempt_count: 3,
      error: { code: 'connection_failed' },
    })
    expect(count).toBe(3)
  })

  test('that is closed in the middle of the SMTP dialog is retried', async () => {
    const server = bench.with(
      await rawSmtpServer((socket) => {
        socket.write('220 odd ESMTP\r\n')
        socket.on('data', (chunk) => {
          if (chunk.toString().startsWith('EHLO')) socket.write('250 odd\r\n')
          else socket.destroy()
        })
      }),
    )
    const { channel, project } = await bench.subscribedChannel('email', configFor(server))
    await bench.openGate(project)
    expect(await bench.settled(channel)).toMatchObject({
      status: 'failed',
      attempt_count: 3,
      error: { code: 'connection_failed' },
    })
  })

  test.each([
    ['250 Go on\r\n', 250],
    ['354 Go on\r\n250 Sent\r\n', 354],
  ])('whose server answers DATA with %j is retried, whatever it answers to the content', async (answer, response_status) => {
    const server = bench.with(
      await rawSmtpServer((socket) => {
        socket.write('220 odd ESMTP\r\n')
        socket.on('data', (chunk) => {
          for (const command of chunk.toString().split('\r\n')) {
            if (/^(EHLO|MAIL|RCPT)/.test(command) || command === '.') socket.write('250 Fine\r\n')
            if (command === 'DATA') socket.write(answer)
          }
        })
      }),
    )
    const { channel, project } = await bench.subscribedChannel('email', configFor(server))
    await bench.openGate(project)
    const entry = await bench.settled(channel)
    expect(entry).toMatchObject({ status: 'failed', attempt_count: 3, response_status, error: { code: 'smtp_error' } })
    expect(entry.error.detail).toContain('where only 354 may follow')
  })

  test('to a server that sends no greeting, or an endless one, times out after 15 seconds', async () => {
    const silent = bench.with(await rawSmtpServer(() => {}))
    const dripping = bench.with(
      await rawSmtpServer((socket) => {
        const drip = setInterval(() => socket.write('220-'), 200)
        socket.on('close', () => clearInterval(drip))
      }),
    )
    const found = await Promise.all([testChannelAt(silent), testChannelAt(dripping)])
    const detail = 'The mail server took longer than 15 seconds.'
    for (const entry of found)
      expect(entry).toMatchObject({ status: 'failed', response_status: null, error: { code: 'timeout', detail } })
  })

  test('to a private address is refused', async () => {
    const { status, body } = await bench.admin.post(bench.path, {
      name: 'Inside',
      channel_type: 'email',
      config: configFor({ port: 25 }, { smtp_host: '10.0.0.1' }),
    })
    expect([status, body.errors[0]]).toMatchObject([422, { pointer: '/config/smtp_host', code: 'blocked_address' }])
  })
})
