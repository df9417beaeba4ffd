/** Bad networks: none, a proxy, a clock that is off. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { request as requestPatiently } from '../../cli/support/service.js'
import { Approvals, gitSubject, newCommit } from '../attestations/support.ts'
import { find } from '../support/programs.ts'
import { Receiver } from '../support/receiver.ts'
import { Gateway, Home, NOWHERE, RUNTIMES } from './support.ts'

const OPENSSL = find('openssl', 'the command line through a proxy, over https')
const FAKETIME = find('libfaketime', 'the command line with a clock that is off')

let approvals: Approvals
let home: Home
let environment: Record<string, string>

beforeAll(async () => {
  approvals = await Approvals.begin()
  home = await Home.make()
  const { token } = await approvals.ada.make('/api/v1/auth/tokens', { name: 'Command line' })
  environment = { SIGNALBOX_URL: approvals.box.base, SIGNALBOX_TOKEN: token }
})

afterAll(async () => {
  await home[Symbol.asyncDispose]()
  await approvals.close()
})

const portOf = (server: Server): number => (server.address() as AddressInfo).port

/** A proxy for http and https that asks for a password, and what went through it. */
async function openProxy(account = 'ci:secret'): Promise<{ url: string; seen: string[]; stop(): void }> {
  const seen: string[] = []
  const accepts = ({ headers }: IncomingMessage) =>
    headers['proxy-authorization'] === `Basic ${Buffer.from(account).toString('base64')}`
  const server = createServer((incoming, response) => {
    if (!accepts(incoming)) return void response.writeHead(407).end()
    seen.push(`${incoming.method} ${incoming.url}`)
    const { method, headers } = incoming
    incoming.pipe(
      request(incoming.url ?? '', { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      }),
    )
  })
  server.on('connect', (incoming, socket) => {
    if (!accepts(incoming)) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    seen.push(`CONNECT ${incoming.url}`)
    const target = connect(Number(incoming.url?.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(target).pipe(socket)
    })
    for (const each of [socket, target]) each.on('error', () => target.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://ci:secret@127.0.0.1:${portOf(server)}`, seen, stop: () => server.closeAllConnections() }
}

describe.each(RUNTIMES)('on %s', (_, runtime) => {
  test('without a network, nothing is allowed', async () => {
    const project = approvals.site.project.id
    const verify = ['verify', '--project', project, '--environment', 'production', '--digest', `gitCommit:${newCommit()}`]
    const away = { runtime, environment: { ...environment, SIGNALBOX_URL: NOWHERE } }
    const unknown = { runtime, environment: { ...environment, SIGNALBOX_URL: 'http://signalbox.invalid' } }
    for (const call of [away, unknown]) expect(await home.run(verify, call)).toMatchObject({ code: 3, stdout: '' })
    const { code, stderr } = await home.run(['whoami'], away)
    expect([code, stderr]).toEqual([1, expect.stringContaining('Check the URL (--url or SIGNALBOX_URL), the network')])
    // A page of someone else, such as that of a hotel, is no answer.
    await using portal = new Gateway(approvals.box.base)
    const page = new Response('<h1>Welcome</h1>', { headers: { 'Content-Type': 'text/html' } })
    for (const instead of [page, Response.json({ allowed: 'true', reasons: [] }), Response.json([true]), Response.json(null)]) {
      portal.turn = () => ({ instead })
      const answered = await home.run([...verify, '--url', portal.url], { runtime, environment })
      expect([answered.code, answered.stdout]).toEqual([3, ''])
    }
  })

  test('a proxy is used, save for what NO_PROXY names and for the local server of listen', async () => {
    const proxy = await openProxy()
    const receiver = new Receiver()
    try {
      const through = { ...environment, HTTP_PROXY: proxy.url }
      expect((await home.run(['whoami'], { runtime, environment: through })).code).toBe(0)
      expect(proxy.seen).toEqual([`GET ${approvals.box.base}/api/v1/users/me`])
      const excepted = { ...through, NO_PROXY: 'example.com, 127.0.0.1' }
      expect((await home.run(['whoami'], { runtime, environment: excepted })).code).toBe(0)
      expect(proxy.seen).toHaveLength(1)
      const wrong = { ...through, HTTP_PROXY: proxy.url.replace('secret', 'guess') }
      expect(await home.run(['whoami'], { runtime, environment: wrong })).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('407'),
      })

      const args = ['listen', '--project', approvals.site.project.id, '--forward', receiver.url, '--secret', 'a']
      const listener = home.start(args, { runtime, environment: through })
      await listener.said('/cli.tgz" trigger')
      const hook = /Hook (\S+):/.exec(listener.lines.join('\n'))?.[1]
      await approvals.ada.make(`/api/v1/deployment-hooks/${hook}/trigger`)
      await receiver.waitFor(1)
      listener.kill('SIGTERM')
      expect(await listener.exited).toBe(0)
      expect(proxy.seen.filter((each) => each.includes(receiver.url))).toEqual([])
    } finally {
      proxy.stop()
      await receiver.stop()
    }
  })

  test('NO_PROXY is heeded as curl heeds it', async () => {
    // A module of its own, because each case as a process would take long.
    const script = `
      import { proxyFor } from ${JSON.stringify(join(import.meta.dir, '../../cli/support/proxy.js'))}
      process.env.HTTP_PROXY = process.env.HTTPS_PROXY = 'http://proxy.example'
      const cases = JSON.parse(process.argv[2])
      console.log(JSON.stringify(cases.map(([no, url]) => { process.env.NO_PROXY = no; return proxyFor(url) === null })))
    `
    await Bun.write(join(home.path, 'cases.mjs'), script)
    const excepted = [
      ['::1', 'http://[::1]:8080/'],
      ['[::1]', 'http://[::1]/'],
      ['[::1]:8080', 'http://[::1]:8080/'],
      ['0:0:0:0:0:0:0:1', 'http://[::1]/'],
      ['::1/128', 'http://[::1]/'],
      ['fd00::/8', 'https://[fd12::1]/'],
      ['LOCALHOST', 'http://localhost:3000/'],
      ['localhost', 'http://LOCALHOST/'],
      ['Example.COM', 'https://signalbox.example.com/'],
      ['.example.com', 'https://signalbox.example.com/'],
      ['*.example.com', 'https://signalbox.example.com/'],
      ['.example.com', 'https://example.com/'],
      ['example.com.', 'https://example.com/'],
      ['example.com', 'https://example.com./'],
      ['example.com:8443', 'https://example.com:8443/'],
      ['example.com:443', 'https://example.com/'],
      ['bücher.example', 'https://xn--bcher-kva.example/'],
      ['*', 'https://anything.example/'],
      ['10.0.0.0/8', 'http://10.1.2.3/'],
      ['127.0.0.1', 'http://127.1/'],
      ['a.example, b.example', 'http://b.example/'],
      ['a.example b.example', 'http://b.example/'],
    ]
    const proxied = [
      ['', 'http://localhost/'],
      [',', 'http://localhost/'],
      ['::1', 'http://127.0.0.1/'],
      ['::2', 'http://[::1]/'],
      ['[::1]:8081', 'http://[::1]:8080/'],
      ['ample.com', 'https://example.com/'],
      ['example.com:8443', 'https://example.com/'],
      ['10.0.0.0/8', 'http://11.1.2.3/'],
      ['10.0.0.0/', 'http://10.0.0.0/'],
      ['10.0.0.0/99', 'http://10.0.0.0/'],
      ['0.0.0.0/0', 'http://example.com/'],
      ['.1', 'http://127.0.0.1/'],
    ]
    const child = Bun.spawn([runtime, 'cases.mjs', JSON.stringify([...excepted, ...proxied])], {
      cwd: home.path,
      env: { PATH: process.env.PATH ?? '' },
      stdout: 'pipe',
    })
    const results = JSON.parse(await new Response(child.stdout).text())
    expect(excepted.filter((_, index) => !results[index])).toEqual([])
    expect(proxied.filter((_, index) => results[excepted.length + index])).toEqual([])
  })

  test('the password of a proxy may have any character, and a proxy that is none is named', async () => {
    for (const [written, password] of [
      ['100%', '100%'],
      ['%zz%41%', '%zzA%'],
      ['%C3%A9%', 'é%'],
      ['p%40ss', 'p@ss'],
    ]) {
      const proxy = await openProxy(`ci:${password}`)
      try {
        const through = { ...environment, HTTP_PROXY: proxy.url.replace('secret', written ?? '') }
        const ran = await home.run(['whoami'], { runtime, environment: through })
        expect([written, ran.code, ran.stderr]).toEqual([written, 0, ''])
        expect(proxy.seen).toHaveLength(1)
      } finally {
        proxy.stop()
      }
    }
    for (const wrong of ['http://ci:a#b@127.0.0.1:9', 'http://ci:a/b@127.0.0.1:9', 'socks5://127.0.0.1:9', 'http://'])
      for (const args of [['whoami'], ['wait', crypto.randomUUID(), '--timeout', '60']]) {
        const { code, stderr } = await home.run(args, { runtime, environment: { ...environment, HTTP_PROXY: wrong } })
        expect([code, stderr]).toEqual([args[0] === 'wait' ? 3 : 1, expect.stringContaining('✗ HTTP_PROXY must be')])
        expect(stderr).not.toContain('ci:a')
      }
  })

  test.skipIf(OPENSSL === null)(
    'https goes through a tunnel of the proxy, to a server that has the right certificate',
    async () => {
      const proxy = await openProxy()
      const [key, cert] = [join(home.path, 'key.pem'), join(home.path, 'cert.pem')]
      const subject = ['-subj', '/CN=signalbox.example', '-addext', 'subjectAltName=DNS:signalbox.example']
      const made = Bun.spawnSync([
        OPENSSL ?? '',
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '2',
        '-keyout',
        key,
        '-out',
        cert,
        ...subject,
      ])
      expect(made.exitCode).toBe(0)
      const server = Bun.serve({
        port: 0,
        hostname: '127.0.0.1',
        tls: { key: Bun.file(key), cert: Bun.file(cert) },
        fetch: () => Response.json({ name: 'Ada', email: 'ada@example.com' }),
      })
      try {
        const url = `https://signalbox.example:${server.port}`
        const through = { ...environment, SIGNALBOX_URL: url, HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: cert }
        const { code, stdout } = await home.run(['whoami'], { runtime, environment: through })
        expect([code, stdout]).toEqual([0, expect.stringContaining('Ada <ada@example.com>')])
        expect(proxy.seen).toEqual([`CONNECT signalbox.example:${server.port}`])
        const { NODE_EXTRA_CA_CERTS: _cert, ...untrusting } = through
        const refused = await home.run(['whoami'], { runtime, environment: untrusting })
        expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('NODE_EXTRA_CA_CERTS')])
      } finally {
        proxy.stop()
        await server.stop(true)
      }
    },
  )

  test.skipIf(FAKETIME === null).each(['+1h', '-1h'])('a clock that is off by %s changes nothing', async (offset) => {
    const clock = { runtime, environment: { ...environment, LD_PRELOAD: FAKETIME ?? '', FAKETIME: offset } }
    const commit = newCommit()
    const gate = await approvals.approved({ subject: gitSubject(commit) })
    await approvals.attestation(gate)
    const verify = ['verify', '--project', gate.project_id, '--environment', 'production', '--digest', `gitCommit:${commit}`]
    expect((await home.run(verify, clock)).code).toBe(0)
    expect((await home.run(['wait', gate.id, '--timeout', '20'], clock)).code).toBe(0)
    const receiver = new Receiver()
    const args = ['listen', '--project', gate.project_id, '--forward', receiver.url, '--secret', 'a']
    const listener = home.start(args, clock)
    await listener.said('/cli.tgz" trigger')
    const hook = /Hook (\S+):/.exec(listener.lines.join('\n'))?.[1]
    const { id } = await approvals.ada.make(`/api/v1/deployment-hooks/${hook}/trigger`)
    await approvals.box.until(
      'it is acknowledged',
      async () => (await approvals.ada.get(`/api/v1/dispatches/${id}`)).body.status === 'succeeded',
    )
    listener.kill('SIGTERM')
    expect(await listener.exited).toBe(0)
    await receiver.stop()
  })
})

test.each(['3600', '3600.5', new Date(Date.now() + 3_600_000).toUTCString()])(
  'a service that asks for an hour is not asked again within seconds: %s',
  async (after) => {
    const receiver = new Receiver()
    receiver.answer = () => new Response('busy', { status: 503, headers: { 'Retry-After': after } })
    const { status } = await requestPatiently(receiver.url, {}, 'Signalbox', { ms: 1_000 })
    await receiver.stop()
    expect([status, receiver.requests.length]).toEqual([503, 1])
  },
)
