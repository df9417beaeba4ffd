/** Each recipient of a mail has an outcome of its own. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type MailServer, mailServer, oddServer, refusal } from './mail-server.ts'
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

const served = async (...options: Parameters<typeof mailServer>): Promise<MailServer> => bench.with(await mailServer(...options))

/** One message to these addresses, once nothing more becomes of it. */
async function settled(server: { port: number }, to_addresses: string[], rest: object = {}) {
  const { channel, project } = await bench.told('email', configFor(server, to_addresses, rest))
  await bench.openGate(project)
  return { channel, entry: await bench.settled(channel) }
}

const [ADA, BOB, GRACE] = ['ada@example.com', 'bob@example.com', 'grace@example.com'] as const

/** Refuses addresses: each has its answers, one a try, and takes what comes after them. */
function refusing(answers: Record<string, string[]>) {
  const asked: string[] = []
  const onRcptTo = ({ address }: { address: string }, _: unknown, done: (error?: Error | null) => void) => {
    const answer = answers[address]?.[asked.filter((each) => each === address).length]
    asked.push(address)
    done(answer ? refusal(answer) : null)
  }
  return { asked, onRcptTo }
}

test('a reply that is cut within a character is on record', async () => {
  const reply = `550 x${'😀'.repeat(200)}`
  const server = await served({ onMailFrom: (_address, _session, done) => done(refusal(reply)) })
  const { entry } = await settled(server, [ADA])
  expect(entry).toMatchObject({
    status: 'failed',
    error: { code: 'sender_rejected', detail: expect.stringContaining('550 x😀') },
  })
})

describe('an address that is refused for good', () => {
  const GONE = Array(3).fill('550 5.1.1 No such user')

  test('is not asked again while another is', async () => {
    const { asked, onRcptTo } = refusing({ [GRACE]: GONE, [ADA]: ['450 4.2.1 Greylisted'] })
    const server = await served({ onRcptTo })
    const { channel, entry } = await settled(server, [GRACE, ADA, BOB])
    expect(server.mails.map(({ to }) => to)).toEqual([[BOB], [ADA]])
    expect(asked).toEqual([GRACE, ADA, BOB, ADA])
    expect(entry).toMatchObject({
      status: 'failed',
      attempt_count: 2,
      error: { code: 'recipient_rejected', detail: `1 of 3 addresses were refused: ${GRACE} (550 5.1.1)` },
    })
    expect(await bench.health(channel)).toMatchObject({ failures: 0 })
  })

  test('is not asked again where no other was accepted at first', async () => {
    const { asked, onRcptTo } = refusing({ [GRACE]: GONE, [ADA]: ['450 4.2.1 Greylisted'] })
    const server = await served({ onRcptTo })
    const { entry } = await settled(server, [GRACE, ADA])
    expect(server.mails.map(({ to }) => to)).toEqual([[ADA]])
    expect(asked).toEqual([GRACE, ADA, ADA])
    expect(entry).toMatchObject({ status: 'failed', attempt_count: 2, error: { code: 'recipient_rejected' } })
  })

  test('is not asked again where the message is refused for now', async () => {
    const { asked, onRcptTo } = refusing({ [GRACE]: GONE })
    const server = await served({ onRcptTo, onData: (_, __, done) => done(refusal('451 4.3.0 Disk full')) })
    const { entry } = await settled(server, [GRACE, ADA])
    expect(asked).toEqual([GRACE, ADA, ADA, ADA])
    expect(entry).toMatchObject({ status: 'failed', attempt_count: 3, response_status: 451 })
  })

  test('is asked at the next mail server, by which it was not refused', async () => {
    const first = refusing({ [GRACE]: GONE, [ADA]: ['450 4.2.1 Greylisted'] })
    const [asked, moved] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const before = await served({
      // The second try is under way, and refused for good, while the channel is led elsewhere.
      onRcptTo: async ({ address }: { address: string }, session: unknown, done: (error?: Error | null) => void) => {
        if (address === ADA && first.asked.includes(ADA)) {
          asked.resolve()
          await moved.promise
          return done(refusal('550 5.7.1 Relaying denied'))
        }
        first.onRcptTo({ address }, session, done)
      },
    })
    const after = await served()
    const { channel, project } = await bench.told('email', configFor(before, [GRACE, ADA]))
    await bench.openGate(project)
    await asked.promise
    const { status } = await bench.admin.put(`${bench.path}/${channel.id}`, { config: { smtp_port: after.port } })
    expect(status).toBe(200)
    moved.resolve()
    expect(await bench.settled(channel)).toMatchObject({ status: 'succeeded', attempt_count: 3, error: null })
    expect(after.mails.map(({ to }) => to)).toEqual([[GRACE, ADA]])
  })

  test('is asked again when an operator has the message tried again', async () => {
    const { asked, onRcptTo } = refusing({ [GRACE]: GONE.slice(0, 1) })
    const server = await served({ onRcptTo })
    const { channel, entry } = await settled(server, [GRACE, ADA])
    expect(entry.status).toBe('failed')
    await bench.box.sql`select from ops.retry(${[entry.id]})`
    const [again] = await bench.logged(channel, ([first]) => first?.status === 'succeeded')
    expect(again).toMatchObject({ id: entry.id, error: null })
    expect(asked).toEqual([GRACE, ADA, GRACE])
    expect(server.mails.map(({ to }) => to)).toEqual([[ADA], [GRACE]])
  })
})

/** A server that answers each command as it is told, whatever else is right. */
const scripted = async (answers: Record<string, string>) => {
  const said: string[] = []
  const server = bench.with(
    await oddServer((socket) => {
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
          said.push(inData ? 'message' : line)
          const command = inData ? 'message' : (line.split(/[ :]/)[0] ?? '')
          inData = command === 'DATA'
          answer(command, command === 'DATA' ? '354 Go on' : '250 Fine')
        }
      })
    }),
  )
  return { ...server, said }
}

describe('a reply of several lines counts by its last line,', () => {
  test('at an address', async () => {
    const server = await scripted({ RCPT: '250-Checking\r\n550 5.1.1 No such user' })
    const { entry } = await settled(server, [ADA])
    expect(entry).toMatchObject({
      status: 'failed',
      attempt_count: 1,
      response_status: 550,
      error: { code: 'recipient_rejected' },
    })
    expect(entry.error.detail).toContain('No such user')
    expect(server.said).not.toContain('message')
  })

  test('at the message', async () => {
    const server = await scripted({ message: '250-Scanned\r\n550 5.7.1 It is spam' })
    const { entry } = await settled(server, [ADA])
    expect(entry).toMatchObject({ status: 'failed', attempt_count: 1, response_status: 550, error: { code: 'message_rejected' } })
    expect(entry.error.detail).toContain('It is spam')
  })

  test('at the sender, who may come again', async () => {
    const server = await scripted({ MAIL: '550-Wait\r\n451 4.7.1 Later' })
    expect((await settled(server, [ADA])).entry).toMatchObject({ status: 'failed', attempt_count: 3, response_status: 451 })
  })

  test('also where it is better than what came before', async () => {
    const server = await scripted({ greeting: '554-Hm\r\n220 odd', RCPT: '550-Hm\r\n250 Fine', message: '451-Hm\r\n250 Queued' })
    expect((await settled(server, [ADA])).entry).toMatchObject({ status: 'succeeded', response_status: 250 })
  })
})

describe('spellings', () => {
  test('of one address get one mail', async () => {
    const spellings = ['Ada@Example.COM', ADA, 'eve@Bücher.example', 'eve@xn--bcher-kva.example']
    const server = await served()
    expect((await settled(server, spellings)).entry).toMatchObject({ status: 'succeeded', attempt_count: 1 })
    expect(server.mails).toHaveLength(1)
    expect(server.mails[0]?.headers.to).toBe('ada@example.com, eve@xn--bcher-kva.example')
    const wire = await scripted({})
    await settled(wire, spellings)
    expect(wire.said.filter((line) => /^(MAIL|RCPT)/.test(line))).toEqual([
      'MAIL FROM:<signalbox@example.com>',
      'RCPT TO:<ada@example.com>',
      'RCPT TO:<eve@xn--bcher-kva.example>',
    ])
  })

  test('that are accepted are not sent to again', async () => {
    const { asked, onRcptTo } = refusing({ [GRACE]: ['450 4.2.1 Greylisted'] })
    const server = await served({ onRcptTo })
    const { entry } = await settled(server, ['Ada@EXAMPLE.com', GRACE])
    expect(entry).toMatchObject({ status: 'succeeded', attempt_count: 2 })
    expect(asked).toEqual([ADA, GRACE, GRACE])
  })
})

describe('an address outside ASCII', () => {
  const JOSE = 'jösé@example.com'

  test('gets the mail from a server that offers SMTPUTF8', async () => {
    const senders: unknown[] = []
    const server = await served({
      onMailFrom: (address, _, done) => {
        senders.push(address.args)
        done()
      },
    })
    expect((await settled(server, [JOSE, 'ada@bücher.example'])).entry).toMatchObject({ status: 'succeeded' })
    expect(server.mails.map(({ to }) => to)).toEqual([[JOSE, 'ada@bücher.example']])
    expect(senders).toEqual([expect.objectContaining({ SMTPUTF8: true })])
  })

  test('is refused for good before a server without it is asked; the others have the mail, in ASCII', async () => {
    const { asked, onRcptTo } = refusing({ [GRACE]: ['450 4.2.1 Greylisted'] })
    const server = await served({ onRcptTo, hideSMTPUTF8: true })
    const { entry } = await settled(server, [JOSE, ADA, GRACE, 'eve@bücher.example'])
    expect(asked).toEqual([ADA, GRACE, 'eve@bücher.example', GRACE])
    expect(entry).toMatchObject({ status: 'failed', attempt_count: 2, error: { code: 'recipient_rejected' } })
    expect(entry.error.detail).toBe(
      `1 of 4 addresses were refused: ${JOSE} (The mail server takes no address outside ASCII: it does not offer SMTPUTF8)`,
    )
    for (const { raw } of server.mails) {
      const head = raw.slice(0, raw.indexOf('\r\n\r\n'))
      expect(head).not.toMatch(/[^\p{ASCII}]/u)
      expect(head.replaceAll('\r\n ', ' ')).toContain(`To: ${ADA}, ${GRACE}, eve@xn--bcher-kva.example`)
    }
  })

  test('fails at once where it is the only one, or the sender', async () => {
    const server = await served({ hideSMTPUTF8: true })
    expect((await settled(server, [JOSE])).entry).toMatchObject({
      status: 'failed',
      attempt_count: 1,
      response_status: null,
      error: { code: 'recipient_rejected', detail: expect.stringContaining('SMTPUTF8') },
    })
    expect((await settled(server, [ADA], { from_address: JOSE })).entry).toMatchObject({
      status: 'failed',
      attempt_count: 1,
      error: { code: 'sender_rejected', detail: expect.stringContaining('SMTPUTF8') },
    })
    expect(server.mails).toEqual([])
  })
})
