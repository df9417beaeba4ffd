import { afterAll, describe, expect, test } from 'bun:test'
import { freePort } from '../../bin/support/ports.ts'
import { connect } from '../../sql/index.ts'
import { migrate } from '../../sql/migrate.ts'
import { Receiver } from '../support/receiver.ts'
import { emptyDatabase, freshDatabase, SECRETS } from '../support/server.ts'
import { Process, signalbox } from '../support/signalbox.ts'

const started: Process[] = []
afterAll(async () => {
  for (const process of started) process.kill('SIGKILL')
  await Promise.all(started.map(({ exited }) => exited))
})

async function start(script: string, environment: Record<string, string>): Promise<Process> {
  const port = String(await freePort('0.0.0.0'))
  const process = new Process(script, { ...SECRETS, EMAIL_VERIFICATION: 'off', PORT: port, ...environment })
  started.push(process)
  return process
}

const READY_LINE = { 'api/server.ts': 'database available', 'worker/main.ts': 'worker started' }
const scripts = Object.keys(READY_LINE) as (keyof typeof READY_LINE)[]

/** The URL of a database on the test server, changed as by a wrong setting. */
async function wrongUrl(change: (url: URL) => void): Promise<string> {
  const url = new URL(await emptyDatabase())
  change(url)
  return url.href
}

describe.each(scripts)('%s', (script) => {
  test.each([
    [
      'a wrong password',
      '28P01',
      (url: URL) => {
        url.password = 'wrong'
      },
    ],
    [
      'a server that does not exist',
      'ECONNREFUSED',
      (url: URL) => {
        url.port = '1'
      },
    ],
    [
      'a host name that does not resolve',
      'ENOTFOUND',
      (url: URL) => {
        url.hostname = 'nowhere.invalid'
      },
    ],
  ])('logs the setting of %s in one line of JSON, and waits', async (_, code, change) => {
    const process = await start(script, { DATABASE_URL: await wrongUrl(change) })
    const line = await process.said('The database cannot be used')
    expect(JSON.parse(line)).toMatchObject({ level: 'error', setting: 'DATABASE_URL', code })
    expect(line).not.toContain('wrong')
    expect(process.lines.every((each) => each.startsWith('{'))).toBe(true)
    process.kill('SIGTERM')
    expect(await process.exited).toBe(0)
  })

  test('starts once the database is created and migrated', async () => {
    const existing = await freshDatabase()
    const url = new URL(existing)
    url.pathname = `/signalbox_late_${crypto.randomUUID().replaceAll('-', '')}`
    const process = await start(script, { DATABASE_URL: url.href })
    expect(JSON.parse(await process.said('3D000'))).toMatchObject({ level: 'error', setting: 'DATABASE_URL' })

    const sql = connect(existing, 'signalbox test', 1)
    await sql`create database ${sql(url.pathname.slice(1))}`
    expect(JSON.parse(await process.said('not_migrated'))).toMatchObject({
      message: expect.stringContaining('bun sql/migrate.ts'),
    })
    await migrate(url.href)
    await process.said(READY_LINE[script])
    process.kill('SIGTERM')
    expect(await process.exited).toBe(0)
    await sql`drop database ${sql(url.pathname.slice(1))} with (force)`
    await sql.end()
  })

  test('names the setting of the direct connection that bypasses the pooler', async () => {
    const process = await start(script, {
      DATABASE_URL: await freshDatabase(),
      DATABASE_DIRECT_URL: await wrongUrl((url) => {
        url.password = 'wrong'
      }),
    })
    expect(JSON.parse(await process.said('28P01'))).toMatchObject({ setting: 'DATABASE_DIRECT_URL' })
  })
})

describe('web', () => {
  test('does not share its port, and names the setting', async () => {
    const PORT = String(await freePort('0.0.0.0'))
    const DATABASE_URL = await freshDatabase()
    await (await start('api/server.ts', { DATABASE_URL, PORT })).said('API listening')
    const second = await start('api/server.ts', { DATABASE_URL, PORT })
    expect(JSON.parse(await second.said('EADDRINUSE'))).toMatchObject({ level: 'fatal', setting: 'PORT' })
    expect(await second.exited).toBe(1)
  })

  test('listens on HOST', async () => {
    const PORT = String(await freePort('0.0.0.0'))
    const DATABASE_URL = await freshDatabase()
    const process = await start('api/server.ts', { DATABASE_URL, PORT, HOST: '127.0.0.2' })
    await process.said('API listening')
    expect((await fetch(`http://127.0.0.2:${PORT}/livez`)).status).toBe(200)
    await expect(fetch(`http://127.0.0.1:${PORT}/livez`)).rejects.toThrow()
    expect(process.lines.join('\n')).not.toContain('PUBLIC_URL')

    const elsewhere = await start('api/server.ts', { DATABASE_URL, PORT, HOST: '203.0.113.9' })
    expect(JSON.parse(await elsewhere.said('EADDRNOTAVAIL'))).toMatchObject({ level: 'fatal', setting: 'HOST' })
    expect(await elsewhere.exited).toBe(1)
  })

  test('answers probes whatever parameters they add', async () => {
    const PORT = String(await freePort('0.0.0.0'))
    const process = await start('api/server.ts', { DATABASE_URL: await freshDatabase(), PORT })
    await process.said('API listening')
    for (const path of ['/livez', '/readyz', '/metrics'])
      for (const query of ['?x=1', '?x=1&x=2', '?'])
        for (const method of ['GET', 'HEAD'])
          expect([method, path, query, (await fetch(`http://127.0.0.1:${PORT}${path}${query}`, { method })).status]).toEqual([
            method,
            path,
            query,
            200,
          ])
  })

  test('warns that links lead to localhost when others can reach it, unless PUBLIC_URL is set', async () => {
    const DATABASE_URL = await freshDatabase()
    const open = await start('api/server.ts', { DATABASE_URL })
    expect(JSON.parse(await open.said('PUBLIC_URL is not set'))).toMatchObject({ level: 'warn', setting: 'PUBLIC_URL' })
    const known = await start('api/server.ts', { DATABASE_URL, PUBLIC_URL: 'https://signalbox.example.com' })
    await known.said('API listening')
    known.kill('SIGTERM')
    await known.exited
    expect(known.lines.join('\n')).not.toContain('PUBLIC_URL')
  })

  test('answers new requests with 503 while it shuts down, also on new connections, and completes requests in progress', async () => {
    const receiver = new Receiver()
    const answer = Promise.withResolvers<void>()
    receiver.answer = async () => {
      await answer.promise
      return new Response('slow but sure')
    }
    const box = await signalbox({ own: true })
    try {
      const ada = await box.user('Ada')
      const site = await box.site(ada)
      const hook = await ada.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
        name: 'CI',
        url: receiver.url,
        trigger_on: 'gate_approved',
      })
      const waiting = ada.post(`/api/v1/deployment-hooks/${hook.id}/test`, undefined, { Prefer: 'wait=20' })
      await receiver.waitFor(1)
      box.api.kill('SIGTERM')
      await box.api.said('API shutting down')
      for (let request = 0; request < 5; request++) {
        const { status, body, headers } = await ada.get('/api/v1/organizations', { Connection: 'close' })
        expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'shutting_down', '1'])
      }
      expect((await box.request('GET', '/readyz')).status).toBe(503)
      expect((await box.request('GET', '/livez')).status).toBe(200)
      answer.resolve()
      const { status, body } = await waiting
      expect([status, body.status]).toEqual([200, 'succeeded'])
      expect(await box.api.exited).toBe(0)
    } finally {
      answer.resolve()
      await box.close()
      await receiver.stop()
    }
  })
})
