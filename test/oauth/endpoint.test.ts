import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Box, signalbox } from '../support/signalbox.ts'

const FORM = 'application/x-www-form-urlencoded'

let box: Box

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
})
afterAll(() => box.close())

const token = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
  box.request('POST', '/oauth/token', body, { 'Content-Type': FORM, ...headers })

const WRONG: [name: string, body: string | Uint8Array, headers: Record<string, string>, status: number, error: string][] = [
  ['JSON', '{"grant_type":"x"}', { 'Content-Type': 'application/json' }, 415, 'invalid_request'],
  ['no type', 'grant_type=x', { 'Content-Type': '' }, 415, 'invalid_request'],
  ['an empty form', '', {}, 400, 'invalid_request'],
  ['an empty parameter', 'grant_type=', {}, 400, 'invalid_request'],
  ['a repeated parameter', 'grant_type=x&grant_type=x', {}, 400, 'invalid_request'],
  ['an unknown grant', 'grant_type=password', {}, 400, 'unsupported_grant_type'],
  ['a grant with the name of a method', 'grant_type=constructor', {}, 400, 'unsupported_grant_type'],
  ['a form that is not UTF-8', Buffer.from('grant_type=\xff', 'latin1'), {}, 400, 'invalid_request'],
  ['a form that is too large', `grant_type=${'x'.repeat(300_000)}`, {}, 413, 'invalid_request'],
  ['a form of too many fields', 'a&'.repeat(2_000), {}, 400, 'invalid_request'],
  ['a missing parameter', 'grant_type=urn:ietf:params:oauth:grant-type:device_code', {}, 400, 'invalid_request'],
]

test.each(WRONG)('%s is refused as RFC 6749 says, and stored nowhere', async (_, body, headers, status, error) => {
  const answer = await token(body, headers)
  expect([answer.status, answer.body]).toEqual([status, { error, error_description: expect.stringMatching(/^[\x20-\x7e]+$/) }])
  expect(answer.body.error_description).not.toMatch(/["\\]/)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('content-type')).toStartWith('application/json')
})

test('parameters in the query are refused', async () => {
  const { status, body } = await box.request('POST', '/oauth/token?grant_type=x', 'grant_type=x', { 'Content-Type': FORM })
  expect([status, body.error]).toEqual([400, 'invalid_request'])
})

test('other methods and paths are refused as everywhere', async () => {
  expect((await box.request('GET', '/oauth/token')).body.code).toBe('method_not_allowed')
  expect((await box.request('POST', '/oauth/nothing', '')).body.code).toBe('not_found')
})

test('the metadata name this service and what it offers', async () => {
  const { body: server } = await box.request('GET', '/.well-known/oauth-authorization-server')
  const { body: resource } = await box.request('GET', '/.well-known/oauth-protected-resource')
  expect(server.issuer).toBe(box.base.replace('127.0.0.1', 'localhost'))
  expect(server.token_endpoint).toBe(`${server.issuer}/oauth/token`)
  expect(resource).toMatchObject({ resource: server.issuer, authorization_servers: [server.issuer] })
  for (const grant_type of server.grant_types_supported) {
    const { body } = await token(new URLSearchParams({ grant_type }).toString())
    expect([grant_type, body.error]).toEqual([grant_type, expect.stringMatching(/^invalid_(request|client)$/)])
  }
})
