/** An API whose clock is behind the clock of the database. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import { freePort } from '../bin/support/ports.ts'
import { Issuer, makeKey, now } from '../test/oauth/issuer.ts'
import { BEARER, Machines } from '../test/oauth/machine.ts'
import { Process } from '../test/support/signalbox.ts'

const HOUR = 3_600

let machines: Machines
let issuer: Issuer
let late: Process
let base: string
let folder: string

beforeAll(async () => {
  machines = await Machines.open()
  issuer = new Issuer()
  issuer.keys = [await makeKey('ES256', 'one')]
  folder = await mkdtemp(join(tmpdir(), 'signalbox-clock-'))
  const file = join(folder, 'offset')
  writeFileSync(file, String(-2 * HOUR))
  const port = await freePort('127.0.0.1')
  base = `http://localhost:${port}`
  const environment = { ...machines.box.environment, PORT: String(port), CLOCK_OFFSET: file }
  late = new Process(['--preload', `${import.meta.dir}/shifted-clock.ts`, 'api/server.ts'], environment)
  await late.said('API listening')
})
afterAll(async () => {
  late.kill('SIGKILL')
  await late.exited
  await issuer.stop()
  await machines.box.close()
  await rm(folder, { recursive: true })
})

test('gives nothing for an assertion that the database has forgotten as expired', async () => {
  const account = await machines.account([{ issuer: issuer.url, claims: { sub: ['job'] }, audience: 'late' }])
  const [key] = issuer.keys
  const issued = now() - 2 * HOUR
  const assertion = await new SignJWT({ sub: 'job', jti: crypto.randomUUID() })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setIssuer(issuer.url)
    .setAudience('late')
    .setIssuedAt(issued)
    .setExpirationTime(issued + 300)
    .sign(key?.secret as CryptoKey)
  const fields = { grant_type: BEARER, service_account: account, assertion }
  const response = await fetch(`${base}/oauth/token`, { method: 'POST', body: new URLSearchParams(fields) })
  expect([response.status, (await response.json()).error]).toEqual([400, 'invalid_grant'])
  expect(await machines.refusals(account)).toEqual(['The assertion has expired.'])
})
