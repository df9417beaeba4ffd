import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { Issuer, makeKey } from './issuer.ts'
import { Machines } from './machine.ts'

let machines: Machines
const opened: Issuer[] = []

beforeAll(async () => {
  // 127.0.0.2 is not allowed, as private addresses are not.
  machines = await Machines.open({ OUTBOUND_ALLOW: '127.0.0.1/32' })
})
afterAll(async () => {
  await machines.box.close()
  await Promise.all(opened.map((issuer) => issuer.stop()))
})

const DISCOVERY = '/.well-known/openid-configuration'

/** An issuer of its own with an account that trusts it, and a sign-in with its token. */
async function arrange(answer: (path: string, issuer: Issuer) => Response | Promise<Response> | undefined) {
  const issuer = new Issuer()
  opened.push(issuer)
  issuer.keys = [await makeKey('ES256', 'one')]
  issuer.answer = (path) => answer(path, issuer)
  const id = await machines.account([{ issuer: issuer.url, claims: { sub: ['job'] } }])
  const signIn = async () => machines.signIn(id, await issuer.sign({ aud: machines.audience, sub: 'job' }))
  return { issuer, id, signIn }
}

type Fault = [name: string, answer: (path: string, issuer: Issuer) => Response | undefined | Promise<Response>, reason: RegExp]

const jwksAt = (url: (issuer: Issuer) => string) => (path: string, issuer: Issuer) =>
  path === DISCOVERY ? Response.json({ issuer: issuer.url, jwks_uri: url(issuer) }) : undefined

const forKeys = (answer: () => Response | Promise<Response>) => (path: string) => (path === '/jwks' ? answer() : undefined)

const FAULTS: Fault[] = [
  ['answers 500', () => new Response('', { status: 500 }), /status 500/],
  ['answers with a page', () => new Response('<html>'), /not a JSON object/],
  ['answers with a list', () => Response.json([]), /not a JSON object/],
  ['answers with nested lists without an end', () => new Response('['.repeat(100_000)), /not a JSON object/],
  ['redirects', (_, issuer) => Response.redirect(`${issuer.url}/elsewhere`, 302), /redirect \(302\), which is not followed/],
  ['redirects for its keys', forKeys(() => Response.redirect('http://169.254.169.254/', 307)), /redirect \(307\)/],
  ['has keys at a private address', jwksAt(() => 'http://127.0.0.2/jwks'), /jwks_uri .* special-purpose range/],
  ['has keys at the address of metadata', jwksAt(() => 'http://169.254.169.254/latest'), /jwks_uri .* special-purpose range/],
  ['has keys without TLS elsewhere', jwksAt(() => 'http://keys.example.com/jwks'), /jwks_uri .* must be an https URL/],
  ['has keys in a file', jwksAt(() => 'file:///etc/passwd'), /jwks_uri .* must be an http/],
  [
    'says nothing of keys',
    (path, issuer) => (path === DISCOVERY ? Response.json({ issuer: issuer.url }) : undefined),
    /jwks_uri .* is missing/,
  ],
  ['has a huge key set', forKeys(() => new Response(`{"keys":["${'x'.repeat(200_000)}"]}`)), /longer than 131072 bytes/],
  ['has an endless key set', forKeys(endless), /longer than 131072 bytes/],
  [
    'has a compressed key set',
    forKeys(() => new Response(gzipSync('{"keys":[]}'), { headers: { 'Content-Encoding': 'gzip' } })),
    /compressed/,
  ],
  ['has keys that are no list', forKeys(() => Response.json({ keys: {} })), /no list of keys/],
]

function endless(): Response {
  const chunk = new TextEncoder().encode('x'.repeat(10_000))
  return new Response(new ReadableStream({ pull: (controller) => controller.enqueue(chunk) }))
}

describe('An issuer gives 503, and the reason to admins, if it', () => {
  test.each(FAULTS)('%s', async (_, answer, reason) => {
    const { issuer, id, signIn } = await arrange(answer)
    const { status, headers, body } = await signIn()
    expect([status, body.error]).toEqual([503, 'temporarily_unavailable'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await machines.refusals(id))[0]).toMatch(reason)
    // It is not asked again within a minute, and not at another address.
    const asked = { ...issuer.asked }
    expect((await signIn()).status).toBe(503)
    expect(issuer.asked).toEqual(asked)
    expect(issuer.asked['/elsewhere']).toBeUndefined()
  })

  test('is at a blocked address, which is not asked', async () => {
    const { issuer } = await arrange(() => undefined)
    const hidden = issuer.url.replace('127.0.0.1', '127.0.0.2')
    const id = await machines.account([{ issuer: hidden, claims: { sub: ['job'] } }])
    const assertion = await issuer.sign({ iss: hidden, aud: machines.audience, sub: 'job' })
    expect((await machines.signIn(id, assertion)).status).toBe(503)
    expect((await machines.refusals(id))[0]).toMatch(/special-purpose range/)
    expect(issuer.asked).toEqual({})
  })

  test('is slow, while requests to others are answered', async () => {
    const slow = Promise.withResolvers<Response>()
    const { id, signIn } = await arrange(() => slow.promise)
    const waiting = signIn()
    const quick = await arrange(() => undefined)
    expect((await quick.signIn()).status).toBe(200)
    expect((await waiting).status).toBe(503)
    expect((await machines.refusals(id))[0]).toMatch(/within 5 seconds/)
    slow.resolve(new Response(''))
  }, 30_000)
})

test('an issuer that says to be another one is no issuer: the assertion is refused', async () => {
  const { id, signIn } = await arrange((path, issuer) =>
    path === DISCOVERY ? Response.json({ issuer: `${issuer.url}/`, jwks_uri: `${issuer.url}/jwks` }) : undefined,
  )
  const { status, body } = await signIn()
  expect([status, body.error]).toEqual([400, 'invalid_grant'])
  expect((await machines.refusals(id))[0]).toMatch(/names another issuer/)
})

test('an issuer with a path has its documents below it', async () => {
  const { issuer } = await arrange(() => undefined)
  const url = `${issuer.url}/id/EXAMPLE`
  const id = await machines.account([{ issuer: url, claims: { sub: ['job'] } }])
  expect((await machines.signIn(id, await issuer.sign({ iss: url, aud: machines.audience, sub: 'job' }))).status).toBe(200)
  expect(issuer.asked[`/id/EXAMPLE${DISCOVERY}`]).toBe(1)
})

test('keys that are no public keys are skipped', async () => {
  const { issuer, signIn } = await arrange((path) =>
    path === '/jwks'
      ? Response.json({
          keys: [null, 1, 'x', [], { kty: 'oct', k: 'c2VjcmV0', kid: 'one' }, { kty: 'RSA', kid: 'one' }, issuer.keys[0]?.jwk],
        })
      : undefined,
  )
  expect((await signIn()).status).toBe(200)
})

test('sign-ins at the same time fetch the keys once', async () => {
  const { issuer, signIn } = await arrange(() => undefined)
  expect((await Promise.all([signIn(), signIn(), signIn()])).map(({ status }) => status)).toEqual([200, 200, 200])
  expect([issuer.fetches, issuer.asked[DISCOVERY]]).toEqual([1, 1])
})
