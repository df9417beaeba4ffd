import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Answer, type Box, signalbox } from '../support/signalbox.ts'

const MASK = '********'

let box: Box
let admin: Actor
let hooks: string
let hook: Answer['body']

const valid = { name: 'Deploy', url: 'https://ci.example.com/hooks', trigger_on: 'gate_approved' }

beforeAll(async () => {
  // An empty OUTBOUND_ALLOW counts as unset: no private address may be used.
  box = await signalbox({ workers: 0, environment: { OUTBOUND_ALLOW: '' } })
  admin = await box.user('Ada Lovelace')
  hooks = `/api/v1/projects/${(await box.site(admin)).project.id}/deployment-hooks`
  hook = await admin.make(hooks, { ...valid, secret: null })
})

afterAll(() => box.close())

describe.each(['POST', 'PUT'])('%s of a hook', (method) => {
  /** Sends one change: as a new hook that is otherwise valid, or as an update of the existing one. */
  const send = (change: object) =>
    method === 'POST' ? admin.post(hooks, { ...valid, ...change }) : admin.put(`/api/v1/deployment-hooks/${hook.id}`, change)

  /** The validation errors, as `[pointer, code]`. */
  async function errorsOf(change: object): Promise<[string, string][]> {
    const { status, body } = await send(change)
    expect(status).toBe(422)
    expect(body.code).toBe('validation_failed')
    return body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code])
  }

  test.each<[string, object, [string, string]]>([
    ['an empty name', { name: '   ' }, ['/name', 'too_short']],
    ['a name of 121 characters', { name: 'n'.repeat(121) }, ['/name', 'too_long']],
    ['a name that is a number', { name: 7 }, ['/name', 'wrong_type']],
    ['an unknown trigger', { trigger_on: 'test.ping' }, ['/trigger_on', 'not_allowed']],
    ['an empty environment', { environment: '' }, ['/environment', 'too_short']],
    ['an environment of 65 characters', { environment: 'e'.repeat(65) }, ['/environment', 'too_long']],
    ['a name that is null', { name: null }, ['/name', 'wrong_type']],
    ['a url that is null', { url: null }, ['/url', 'wrong_type']],
    ['a url that is a number', { url: 7 }, ['/url', 'wrong_type']],
    ['a trigger that is null', { trigger_on: null }, ['/trigger_on', 'wrong_type']],
    ['an environment that is null', { environment: null }, ['/environment', 'wrong_type']],
    ['an environment that is a list', { environment: ['staging'] }, ['/environment', 'wrong_type']],
    ['enabled as text', { enabled: 'true' }, ['/enabled', 'wrong_type']],
    ['enabled as null', { enabled: null }, ['/enabled', 'wrong_type']],
    ['paused as a number', { paused: 1 }, ['/paused', 'wrong_type']],
    ['paused as null', { paused: null }, ['/paused', 'wrong_type']],
    ['supersede as text', { supersede: 'yes' }, ['/supersede', 'wrong_type']],
    ['supersede as null', { supersede: null }, ['/supersede', 'wrong_type']],
    ['a max age of 59 seconds', { max_age_seconds: 59 }, ['/max_age_seconds', 'too_small']],
    ['a negative max age', { max_age_seconds: -1 }, ['/max_age_seconds', 'too_small']],
    ['a max age over a week', { max_age_seconds: 604_801 }, ['/max_age_seconds', 'too_large']],
    ['a fractional max age', { max_age_seconds: 60.5 }, ['/max_age_seconds', 'wrong_type']],
    ['a max age as text', { max_age_seconds: '3600' }, ['/max_age_seconds', 'wrong_type']],
    ['a secret that is a number', { secret: 7 }, ['/secret', 'wrong_type']],
    ['an unknown field', { secrets: 'x' }, ['/secrets', 'unknown_field']],
    ['a read-only field', { has_secret: true }, ['/has_secret', 'unknown_field']],
    ['the reason set by the service', { disabled_reason: null }, ['/disabled_reason', 'unknown_field']],
    ['the id of its project', { project_id: '019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d' }, ['/project_id', 'unknown_field']],
    ['a secret of 257 characters', { secret: 's'.repeat(257) }, ['/secret', 'too_long']],
    ['an empty secret', { secret: '' }, ['/secret', 'too_short']],
    ['a whsec_ secret that is not base64', { secret: 'whsec_not base64!' }, ['/secret', 'malformed']],
    ['a whsec_ secret that is empty', { secret: 'whsec_' }, ['/secret', 'malformed']],
    ['the mask as secret', { secret: MASK }, ['/secret', 'nothing_to_keep']],
    ['the mask as header', { headers: { 'X-Key': MASK } }, ['/headers/X-Key', 'nothing_to_keep']],
    ['headers as a list', { headers: ['X-Key'] }, ['/headers', 'wrong_type']],
    ['a header that is a number', { headers: { 'X-Key': 1 } }, ['/headers/X-Key', 'wrong_type']],
    ['a header value of 4097 characters', { headers: { 'X-Key': 'v'.repeat(4097) } }, ['/headers/X-Key', 'too_long']],
    ['a header name of 257 characters', { headers: { ['X'.repeat(257)]: 'v' } }, [`/headers/${'X'.repeat(257)}`, 'too_long']],
    ['a header that is null', { headers: { 'X-Key': null } }, ['/headers/X-Key', 'wrong_type']],
    ['headers as text', { headers: 'X-Key: v' }, ['/headers', 'wrong_type']],
    ['a secret that is a list', { secret: ['s'] }, ['/secret', 'wrong_type']],
    ['a max age that is true', { max_age_seconds: true }, ['/max_age_seconds', 'wrong_type']],
    ['a trigger that is a list', { trigger_on: ['gate_approved'] }, ['/trigger_on', 'wrong_type']],
    ['enabled as a number', { enabled: 1 }, ['/enabled', 'wrong_type']],
    [
      '33 headers',
      { headers: Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`X-${index}`, 'v'])) },
      ['/headers', 'too_many'],
    ],
    ['two names that differ in case', { headers: { 'X-Key': 'a', 'x-key': 'b' } }, ['/headers/x-key', 'repeated']],
    ['CR and LF in a value', { headers: { 'X-Key': 'a\r\nX-Evil: b' } }, ['/headers/X-Key', 'malformed']],
    ['LF in a value', { headers: { 'X-Key': 'a\n' } }, ['/headers/X-Key', 'malformed']],
    ['a value outside ASCII', { headers: { 'X-Key': 'grün' } }, ['/headers/X-Key', 'malformed']],
    ['DEL in a value', { headers: { 'X-Key': 'a\x7f' } }, ['/headers/X-Key', 'malformed']],
    ['a name with a space', { headers: { 'X Key': 'a' } }, ['/headers/X Key', 'malformed']],
    ['a name with a colon', { headers: { 'X-Key:': 'a' } }, ['/headers/X-Key:', 'malformed']],
    ['a name with a line break', { headers: { 'X-Key\r\nX-Evil': 'a' } }, ['/headers/X-Key\r\nX-Evil', 'malformed']],
    ['a name with a slash', { headers: { 'a/b~c': 'a' } }, ['/headers/a~1b~0c', 'malformed']],
    ['an empty header name', { headers: { '': 'a' } }, ['/headers/', 'malformed']],
  ])('refuses %s', async (_, change, error) => {
    expect(await errorsOf(change)).toEqual([error])
  })

  test('refuses a NUL in a name and in a secret', async () => {
    expect((await errorsOf({ name: 'a\0b' })).map(([pointer]) => pointer)).toEqual(['/name'])
    expect((await errorsOf({ secret: 'a\0b' })).map(([pointer]) => pointer)).toEqual(['/secret'])
  })

  test('reports all errors at once', async () => {
    const wrong = { url: 'http://127.0.0.1/', secret: 'whsec_?', headers: { Host: 'x', 'X-Ok': 'ok', 'X-Bad': 'ü' } }
    expect(await errorsOf(wrong)).toEqual([
      ['/url', 'blocked_address'],
      ['/secret', 'malformed'],
      ['/headers/Host', 'reserved'],
      ['/headers/X-Bad', 'malformed'],
    ])
  })

  test.each([
    'ci.example.com/hook',
    '/hook',
    'ftp://ci.example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'gopher://ci.example.com/',
    'http:/ci.example.com',
    'http://',
    'http://[::1',
    'http://ci.example.com:0/',
    'http://ci.example.com:99999/',
    '',
  ])('refuses the url %p', async (url) => {
    expect(await errorsOf({ url })).toEqual([['/url', 'malformed']])
  })

  test('refuses a url that is too long or contains credentials', async () => {
    expect(await errorsOf({ url: `https://ci.example.com/${'p'.repeat(2049 - 23)}` })).toEqual([['/url', 'too_long']])
    for (const url of ['https://user:pass@ci.example.com/', 'https://user@ci.example.com/', 'https://:pass@ci.example.com/'])
      expect(await errorsOf({ url })).toEqual([['/url', 'credentials_in_url']])
  })

  test.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0177.0.0.1/',
    'http://0x7f.0.0.1/',
    'http://0x7f000001/',
    'http://０x7f000001/',
    'http://127.0.0.1./',
    'http://0.0.0.0/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://198.18.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[::]/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://localhost/',
    'http://LOCALHOST/',
    'http://localhost./',
    'http://api.localhost:8080/',
    'http://%6cocalhost/',
    'http://ⓛocalhost/',
  ])('refuses the blocked address %s', async (url) => {
    const { status, body } = await send({ url })
    expect(status).toBe(422)
    expect(body.errors).toEqual([{ pointer: '/url', code: 'blocked_address', detail: expect.stringContaining('OUTBOUND_ALLOW') }])
  })

  test.each([
    'Host',
    'Content-Type',
    'Content-Length',
    'Content-Encoding',
    'Content-Anything',
    'Connection',
    'Keep-Alive',
    'Transfer-Encoding',
    'TE',
    'Trailer',
    'Upgrade',
    'Expect',
    'Accept-Encoding',
    'Proxy-Authorization',
    'Proxy-Connection',
    'Cookie',
    'User-Agent',
    'webhook-id',
    'webhook-signature',
    'X-Signalbox-Signature',
    'X-Signalbox-Anything',
  ])('reserves the header %s, in any case', async (name) => {
    for (const written of [name, name.toLowerCase(), name.toUpperCase()])
      expect(await errorsOf({ headers: { [written]: 'v' } })).toEqual([[`/headers/${written}`, 'reserved']])
  })
})

test.each(['name', 'url', 'trigger_on'])('a new hook requires %s', async (field) => {
  const { status, body } = await admin.post(hooks, { ...valid, [field]: undefined })
  expect(status).toBe(422)
  expect(body.errors).toEqual([{ pointer: `/${field}`, code: 'required', detail: 'is required' }])
})

test('a refused request changes nothing', async () => {
  const all = () => box.sql`select * from deployment_hooks order by id`
  const before = await all()
  for (const wrong of [{ url: 'http://127.0.0.1/' }, { name: '' }, { headers: { Host: 'x' } }, { enabled: 'no' }]) {
    expect((await admin.post(hooks, { ...valid, ...wrong })).status).toBe(422)
    expect((await admin.put(`/api/v1/deployment-hooks/${hook.id}`, { environment: 'staging', ...wrong })).status).toBe(422)
  }
  expect(await all()).toEqual(before)
})
