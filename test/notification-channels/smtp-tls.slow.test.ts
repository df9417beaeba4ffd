import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type NameServer, nameServer } from '../deployment-hooks/name-server.ts'
import { certificateFor, type MailServer, mailServer, rawSmtpServer, refusal } from './mail-server.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench
let names: NameServer
let mailAddress = '127.0.0.1'
let trusted: { key: string; cert: string }
let untrusted: { key: string; cert: string }
let nameless: { key: string; cert: string }
let named: { key: string; cert: string }

beforeAll(async () => {
  ;[trusted, untrusted, nameless, named] = await Promise.all([
    certificateFor('mail.test'),
    certificateFor('mail.test'),
    certificateFor('mail.test', false),
    certificateFor('faulty.test'),
  ])
  names = await nameServer((name) => {
    if (name === 'mail.test') return [mailAddress]
    if (name === 'other.test') return ['127.0.0.1']
    if (name === 'two.test') return ['127.0.0.2', '127.0.0.1']
    if (name === 'faulty.test') return ['127.46.5.2', '127.46.5.1']
    if (name === 'implicit.test') return ['127.46.5.1']
    if (name === 'inside.test') return ['10.0.0.1']
    if (name === 'mixed.test') return ['127.0.0.1', '169.254.169.254']
    return []
  })
  bench = await Workbench.open({
    environment: {
      DNS_SERVERS: names.address,
      OUTBOUND_ALLOW: '127.0.0.0/8',
      OUTBOUND_CA: `${trusted.cert}\n${nameless.cert}\n${named.cert}\n`,
    },
  })
})

afterAll(async () => {
  await bench.close()
  await names.stop()
})

const startMailServer = async (...options: Parameters<typeof mailServer>): Promise<MailServer> =>
  bench.with(await mailServer(...options))

const testChannelAt = async (port: number, rest: object = {}) =>
  bench.tested(
    await bench.channel('email', {
      smtp_host: 'mail.test',
      smtp_port: port,
      from_address: 'signalbox@example.com',
      to_addresses: ['ada@example.com'],
      ...rest,
    }),
  )

const onAuth: NonNullable<Parameters<typeof mailServer>[0]>['onAuth'] = ({ username, password }, _, done) =>
  password === 'right' ? done(null, { user: username }) : done(refusal('535 5.7.8 Bad credentials'))

test('a server with two addresses, of which the first refuses, gets the mail at the second', async () => {
  const server = await startMailServer()
  expect(await testChannelAt(server.port, { smtp_host: 'two.test' })).toMatchObject({ status: 'succeeded' })
  expect(server.mails).toHaveLength(1)
})

test.each<[string, string | null]>([
  ['never greets', null],
  ['refuses every session', '554 5.3.2 Not here\r\n'],
  ['is too busy', '421 4.3.2 Later\r\n'],
  ['speaks another protocol', 'SSH-2.0-OpenSSH_9.9\r\n'],
])('a server with two addresses, of which the first %s, gets the mail once, at the second', async (_, greeting) => {
  const server = await startMailServer({}, { host: '127.46.5.1' })
  const seen: string[] = []
  const first = Bun.listen({
    hostname: '127.46.5.2',
    port: server.port,
    socket: {
      open: (socket) => void (greeting !== null && socket.write(greeting)),
      data: (_, bytes) => void seen.push(bytes.toString()),
    },
  })
  const entry = await testChannelAt(server.port, { smtp_host: 'faulty.test' })
  first.stop(true)
  expect([entry.status, server.mails.length, seen.join('').includes('MAIL FROM')]).toEqual(['succeeded', 1, false])
})

test.each([false, true])(
  'a server whose first address has another certificate gets the mail at the second (port 465: %p)',
  async (secure) => {
    if (secure && process.getuid?.() !== 0) return
    const second = await mailServer({ ...named, onAuth, secure }, { host: '127.46.5.1', port: secure ? 465 : 0 })
    const first = await mailServer({ ...untrusted, onAuth, secure }, { host: '127.46.5.2', port: second.port })
    const login = { smtp_host: 'faulty.test', smtp_user: 'signalbox', smtp_password: 'right' }
    const entry = await testChannelAt(second.port, login)
    await Promise.all([first.stop(), second.stop()])
    expect(entry).toMatchObject({ status: 'succeeded' })
    expect([first.mails, second.mails]).toMatchObject([[], [{ secure: true, user: 'signalbox' }]])
  },
)

describe('TLS', () => {
  test('is used when the server offers it, and protects the password', async () => {
    const server = await startMailServer({ ...trusted, onAuth })
    expect(await testChannelAt(server.port, { smtp_user: 'signalbox', smtp_password: 'right' })).toMatchObject({
      status: 'succeeded',
    })
    expect(server.mails).toMatchObject([{ secure: true, user: 'signalbox' }])
  })

  test('is optional for a mail without a password when the server does not offer it', async () => {
    const server = await startMailServer()
    expect(await testChannelAt(server.port)).toMatchObject({ status: 'succeeded' })
    expect(server.mails).toMatchObject([{ secure: false }])
  })

  test.each([
    ['of an unknown authority', 'mail.test', () => untrusted],
    ['for another name', 'other.test', () => trusted],
    ['without a subjectAltName', 'mail.test', () => nameless],
  ])('with a certificate %s fails permanently, and no mail is sent', async (_, smtp_host, certificate) => {
    const server = await startMailServer(certificate())
    expect(await testChannelAt(server.port, { smtp_host })).toMatchObject({ status: 'failed', error: { code: 'tls_error' } })
    expect(server.mails).toEqual([])
  })

  test('of an old version, or with a required client certificate, is named in the error', async () => {
    const old = await startMailServer({ ...trusted, minVersion: 'TLSv1', maxVersion: 'TLSv1' })
    expect((await testChannelAt(old.port)).error).toMatchObject({
      code: 'tls_error',
      detail: expect.stringContaining('TLS 1.2 or 1.3'),
    })
    const strict = await startMailServer({ ...trusted, requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' })
    expect((await testChannelAt(strict.port)).error).toMatchObject({
      code: 'tls_error',
      detail: expect.stringContaining('client certificate'),
    })
  })

  // Only root may listen on ports below 1024.
  test.skipIf(process.getuid?.() !== 0)('comes before the greeting on port 465', async () => {
    const server = await startMailServer({ ...trusted, onAuth, secure: true }, { host: '127.46.5.1', port: 465 })
    const login = { smtp_user: 'signalbox', smtp_password: 'right' }
    expect(await testChannelAt(465, { smtp_host: 'implicit.test', ...login })).toMatchObject({ error: { code: 'tls_error' } })
    expect(await testChannelAt(465, login)).toMatchObject({ status: 'failed', error: { code: 'connection_failed' } })
    mailAddress = '127.46.5.1'
    try {
      expect(await testChannelAt(465, login)).toMatchObject({ status: 'succeeded' })
      expect(server.mails).toMatchObject([{ secure: true, user: 'signalbox' }])
    } finally {
      mailAddress = '127.0.0.1'
    }
  })

  test('that is offered and then refused does not fall back to clear text', async () => {
    const commands: string[] = []
    const server = bench.with(
      await rawSmtpServer((socket) => {
        socket.write('220 odd ESMTP\r\n')
        socket.on('data', (chunk) => {
          commands.push(chunk.toString().trim().split(' ')[0] ?? '')
          socket.write(chunk.toString().startsWith('EHLO') ? '250-odd\r\n250 STARTTLS\r\n' : '454 4.7.0 Not now\r\n')
        })
      }),
    )
    expect(await testChannelAt(server.port)).toMatchObject({ status: 'failed', response_status: 454 })
    expect(commands).not.toContain('MAIL')
  })
})

describe('a password', () => {
  test('that is wrong fails permanently, and is not recorded', async () => {
    const server = await startMailServer({ ...trusted, onAuth })
    const entry = await testChannelAt(server.port, { smtp_user: 'signalbox', smtp_password: 'wrong-pass-3f7a' })
    expect(entry).toMatchObject({ status: 'failed', response_status: 535, error: { code: 'auth_failed' } })
    expect(JSON.stringify(entry)).not.toContain('wrong-pass-3f7a')
  })

  test('that the server echoes is masked', async () => {
    const server = await startMailServer({
      ...trusted,
      onAuth: ({ password }, _, done) => done(refusal(`535 5.7.8 ${password} is no password of ours`)),
    })
    const entry = await testChannelAt(server.port, { smtp_user: 'signalbox', smtp_password: 'echoed-pass-91c2' })
    expect(entry.error.detail).toContain('******** is no password')
  })
})

/** A server that offers these AUTH mechanisms and records the commands it gets. */
async function serverOffering(mechanisms: string, answer: (line: string) => string) {
  const commands: string[] = []
  const server = bench.with(
    await rawSmtpServer((socket) => {
      socket.write('220 odd ESMTP\r\n')
      socket.on('data', (chunk) => {
        const line = chunk.toString().trim()
        commands.push(line)
        socket.write(line.startsWith('EHLO') ? `250-odd\r\n250 AUTH ${mechanisms}\r\n` : answer(line))
      })
    }),
  )
  return { port: server.port, commands: commands }
}

describe('authentication', () => {
  const login = { smtp_host: '127.0.0.1', smtp_user: 'signalbox', smtp_password: 'quite-secret-77a0' }
  const inBase64 = Buffer.from('\0signalbox\0quite-secret-77a0').toString('base64')

  test.each(['XOAUTH2', 'NTLM GSSAPI', 'SCRAM-SHA-256'])('sends no password to a server that offers only %s', async (ways) => {
    const { port, commands } = await serverOffering(ways, () => '535 5.7.8 No\r\n')
    const entry = await testChannelAt(port, login)
    expect(entry).toMatchObject({ status: 'failed', error: { code: 'auth_failed' } })
    expect(entry.error.detail).toContain('offers no supported authentication method')
    expect(commands.join(' ')).not.toContain('AUTH')
    expect(commands.join(' ')).not.toContain(inBase64)
  })

  test('uses PLAIN when it is offered', async () => {
    const server = await startMailServer({ onAuth, authMethods: ['PLAIN'] })
    expect(await testChannelAt(server.port, { ...login, smtp_password: 'right' })).toMatchObject({ status: 'succeeded' })
    expect(server.mails).toMatchObject([{ user: 'signalbox' }])
  })

  test.each<[string, (line: string) => string]>([
    ['as sent', (line) => line],
    ['alone', (line) => line.split(' ')[2] ?? ''],
    ['after long padding', (line) => `${'padding '.repeat(40)}${line}`],
    ['where the reply is truncated', (line) => `${'x'.repeat(268)} ${line.split(' ')[2]}`],
    ['in clear', () => login.smtp_password],
    ['for AUTH LOGIN', () => Buffer.from(login.smtp_password).toString('base64')],
    ['over several lines', (line) => `you sent\r\n535 ${line}`],
  ])('echoed %s by the server shows no password in the log', async (_, repeat) => {
    const { port } = await serverOffering(
      'PLAIN',
      (line) => `535-5.7.8 ${repeat(line).replace('\r\n535 ', '\r\n535-')}\r\n535 refused\r\n`,
    )
    const entry = await testChannelAt(port, login)
    expect(entry).toMatchObject({ status: 'failed', response_status: 535, error: { code: 'auth_failed' } })
    const words: string[] = entry.error.detail.split(/\s+/)
    for (const word of words) {
      const opened = Buffer.from(word, 'base64').toString('latin1')
      for (const text of [word, opened]) expect(text).not.toMatch(/quite|secret|77a0/)
    }
    for (let at = 4; at + 6 <= inBase64.length; at++)
      expect([at, entry.error.detail.includes(inBase64.slice(at, at + 6))]).toEqual([at, false])
  })
})

describe('the host name of a mail server', () => {
  test.each([
    ['inside.test', '"private"'],
    ['mixed.test', '"linkLocal"'],
  ])('%s is resolved when connecting, and all of its addresses are checked', async (smtp_host, range) => {
    const entry = await testChannelAt(2525, { smtp_host })
    expect(entry).toMatchObject({ status: 'failed', response_status: null, error: { code: 'blocked_address' } })
    for (const word of [smtp_host, range, 'OUTBOUND_ALLOW']) expect(entry.error.detail).toContain(word)
  })

  test('that does not resolve is a failure', async () => {
    expect(await testChannelAt(2525, { smtp_host: 'nobody.test' })).toMatchObject({
      status: 'failed',
      error: { code: 'dns_failure' },
    })
  })
})
