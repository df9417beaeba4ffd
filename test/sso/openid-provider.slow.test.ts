import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { freePort } from '../../bin/support/ports.ts'
import { PUBLIC_URL } from '../support/mail.ts'
import { PageClient } from '../support/page-client.ts'
import { type Box, signalbox } from '../support/signalbox.ts'
import { leave, pathOf, SECRET } from './provider.ts'

let box: Box
let issuer: string
let child: Bun.Subprocess<'ignore', 'pipe', 'inherit'>

beforeAll(async () => {
  const port = await freePort('127.0.0.1')
  issuer = `http://127.0.0.1:${port}`
  const script = join(import.meta.dir, 'openid-provider.mjs')
  const redirect = `${PUBLIC_URL}/sign-in/sso/instance/callback`
  const command = [Bun.which('node') ?? process.execPath, script, String(port), 'signalbox', SECRET, redirect]
  child = Bun.spawn(command, { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' })
  for await (const chunk of child.stdout) if (new TextDecoder().decode(chunk).includes('listening')) break
  box = await signalbox({
    own: true,
    workers: 0,
    environment: {
      PUBLIC_URL,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: 'signalbox',
      OIDC_CLIENT_SECRET: SECRET,
      OIDC_NAME: 'Acme ID',
    },
  })
})
afterAll(async () => {
  await box.close()
  child.kill()
})

/** Follows the provider through its pages, with its cookies. @returns where it leads back */
async function signInAt(from: URL): Promise<URL> {
  const cookies = new Map<string, string>()
  let at = from
  for (let steps = 0; steps < 10; steps++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(at, { redirect: 'manual', headers: cookie === '' ? {} : { Cookie: cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${at} answered ${response.status}: ${await response.text()}`)
    at = new URL(location, at)
    if (at.origin === PUBLIC_URL) return at
  }
  throw new Error('The provider leads in a circle')
}

const be = (claims: object) => fetch(`${issuer}/be?claims=${encodeURIComponent(JSON.stringify(claims))}`)

test('a person signs in with a certified provider, whose claims come from its userinfo endpoint', async () => {
  const claims = { sub: 'ada', email: 'ada@acme.example', email_verified: true, name: 'Ada Lovelace' }
  await be(claims)
  const client = new PageClient(box)
  const done = await client.open(pathOf(await signInAt(await leave(client))))
  expect(done.path).toBe('/app')
  const [user] = await box.sql`select name, email_verified from users where email = ${claims.email}`
  expect({ ...user }).toEqual({ name: 'Ada Lovelace', email_verified: true })
})

test('it is asked to prove a person anew, and says when it did', async () => {
  await be({ sub: 'grace', email: 'grace@acme.example', email_verified: true, name: 'Grace' })
  const client = new PageClient(box)
  await client.open(pathOf(await signInAt(await leave(client, '/sign-in/sso/instance?fresh=1'))))
  const [session] = await box.sql`
    select authenticated_at > now() - interval '1 minute' as is_fresh from sessions order by created_at desc limit 1
  `
  expect({ ...session }).toEqual({ is_fresh: true })
  expect((await client.post('/app/account/password', { password: 'a new password for me' })).status).toBe(200)
})

test('an answer that was changed on the way is refused', async () => {
  await be({ sub: 'eve', email: 'eve@acme.example', email_verified: true })
  const client = new PageClient(box)
  const back = await signInAt(await leave(client))
  back.searchParams.set('code', 'another')
  expect((await client.open(pathOf(back))).status).toBe(400)
})
