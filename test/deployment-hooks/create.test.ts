import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'

const MASK = '********'

let box: Box
let admin: Actor
let site: Site
let hooks: string

const valid = { name: 'Deploy', url: 'https://ci.example.com/hooks', trigger_on: 'gate_approved' }

beforeAll(async () => {
  // Nothing is open here: an empty setting counts as unset.
  box = await signalbox({ environment: { OUTBOUND_ALLOW: '' } })
  admin = await box.user('Ada Lovelace')
  site = await box.site(admin)
  hooks = `/api/v1/projects/${site.project.id}/deployment-hooks`
})

afterAll(() => box.close())

/** What is wrong, as `[pointer, code]`. */
async function faults(input: object): Promise<[string, string][]> {
  const { status, body } = await admin.post(hooks, input)
  expect(status).toBe(422)
  expect(body.code).toBe('validation_failed')
  return body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code])
}

describe('creating a hook', () => {
  test('answers the hook with its defaults, and where it is', async () => {
    const { status, body, headers } = await admin.post(hooks, valid)
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`/api/v1/deployment-hooks/${body.id}`)
    expect(body).toEqual({
      ...valid,
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      project_id: site.project.id,
      environment: 'production',
      headers: {},
      enabled: true,
      disabled_reason: null,
      has_secret: false,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      updated_at: body.created_at,
    })
    expect((await admin.get(`/api/v1/deployment-hooks/${body.id}`)).body).toEqual(body)
    expect((await admin.get(hooks)).body[0]).toEqual(body)
  })

  test('takes every field, and shows no secret', async () => {
    const input = {
      ...valid,
      name: '  Nightly  ',
      trigger_on: 'workflow_done',
      environment: 'staging',
      enabled: false,
      secret: 'hush',
      headers: { 'X-Api-Key': 'k-1', Authorization: 'Bearer k-2' },
    }
    const { status, body } = await admin.post(hooks, input)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      name: 'Nightly',
      trigger_on: 'workflow_done',
      environment: 'staging',
      enabled: false,
      has_secret: true,
      headers: { 'X-Api-Key': MASK, Authorization: MASK },
    })
    expect(body).not.toHaveProperty('secret')
  })

  test('takes null for what may be absent, and lengths up to their limits', async () => {
    const headers = Object.fromEntries(Array.from({ length: 32 }, (_, index) => [`X-Header-${index}`, 'v']))
    for (const input of [
      { secret: null, headers: null },
      { name: '𝄞'.repeat(120), environment: 'e'.repeat(64), secret: 's'.repeat(256), headers },
      { url: `https://ci.example.com/${'p'.repeat(2048 - 23)}` },
      { url: 'https://8.8.8.8/hook' },
      { url: 'http://[2606:4700:4700::1111]:8080/hook' },
      { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
      { headers: { 'X-Tab': 'a\tb', 'X-Empty': '', "!#$%&'*+-.^_`|~": 'token' } },
    ]) {
      expect([input, (await admin.post(hooks, { ...valid, ...input })).status]).toEqual([input, 201])
    }
  })

  test.each<[string, object, [string, string]]>([
    ['no name', { name: undefined }, ['/name', 'required']],
    ['an empty name', { name: '   ' }, ['/name', 'too_short']],
    ['a name of 121', { name: 'n'.repeat(121) }, ['/name', 'too_long']],
    ['a name that is a number', { name: 7 }, ['/name', 'wrong_type']],
    ['no url', { url: undefined }, ['/url', 'required']],
    ['no trigger', { trigger_on: undefined }, ['/trigger_on', 'required']],
    ['an unknown trigger', { trigger_on: 'test.ping' }, ['/trigger_on', 'not_allowed']],
    ['an empty environment', { environment: '' }, ['/environment', 'too_short']],
    ['an environment of 65', { environment: 'e'.repeat(65) }, ['/environment', 'too_long']],
    ['enabled as text', { enabled: 'true' }, ['/enabled', 'wrong_type']],
    ['an unknown field', { secrets: 'x' }, ['/secrets', 'unknown_field']],
    ['a field of the answer', { has_secret: true }, ['/has_secret', 'unknown_field']],
    ['a secret of 257', { secret: 's'.repeat(257) }, ['/secret', 'too_long']],
    ['an empty secret', { secret: '' }, ['/secret', 'too_short']],
    ['a whsec_ secret that is not base64', { secret: 'whsec_not base64!' }, ['/secret', 'malformed']],
    ['a whsec_ secret that is empty', { secret: 'whsec_' }, ['/secret', 'malformed']],
    ['the mask as secret', { secret: MASK }, ['/secret', 'nothing_to_keep']],
    ['the mask as header', { headers: { 'X-Key': MASK } }, ['/headers/X-Key', 'nothing_to_keep']],
    ['headers as a list', { headers: ['X-Key'] }, ['/headers', 'wrong_type']],
    ['a header that is a number', { headers: { 'X-Key': 1 } }, ['/headers/X-Key', 'wrong_type']],
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
  ])('refuses %s', async (_, change, fault) => {
    expect(await faults({ ...valid, ...change })).toEqual([fault])
  })

  test('refuses a NUL in a name and in a secret', async () => {
    expect((await faults({ ...valid, name: 'a\0b' })).map(([pointer]) => pointer)).toEqual(['/name'])
    expect((await faults({ ...valid, secret: 'a\0b' })).map(([pointer]) => pointer)).toEqual(['/secret'])
  })

  test('names every fault at once', async () => {
    const wrong = { ...valid, url: 'http://127.0.0.1/', secret: 'whsec_?', headers: { Host: 'x', 'X-Ok': 'ok', 'X-Bad': 'ü' } }
    expect(await faults(wrong)).toEqual([
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
    expect(await faults({ ...valid, url })).toEqual([['/url', 'malformed']])
  })

  test('refuses a url that is too long, or holds credentials', async () => {
    expect(await faults({ ...valid, url: `https://ci.example.com/${'p'.repeat(2049 - 23)}` })).toEqual([['/url', 'too_long']])
    for (const url of ['https://user:pass@ci.example.com/', 'https://user@ci.example.com/', 'https://:pass@ci.example.com/'])
      expect(await faults({ ...valid, url })).toEqual([['/url', 'credentials_in_url']])
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
  ])('refuses to go to %s', async (url) => {
    const { status, body } = await admin.post(hooks, { ...valid, url })
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
  ])('keeps the header %s for itself, in any case', async (name) => {
    for (const written of [name, name.toLowerCase(), name.toUpperCase()])
      expect(await faults({ ...valid, headers: { [written]: 'v' } })).toEqual([[`/headers/${written}`, 'reserved']])
  })

  test('leaves nothing behind when it is refused', async () => {
    const count = async () => (await box.sql<[{ count: number }]>`select count(*) as count from deployment_hooks`)[0].count
    const before = await count()
    await faults({ ...valid, url: 'http://127.0.0.1/' })
    await faults({ ...valid, name: '' })
    expect(await count()).toBe(before)
  })

  test('a project has a hundred hooks and no more, also when many are made at once', async () => {
    const project = await admin.make(`/api/v1/workspaces/${site.workspace.id}/projects`, { name: 'Crowded' })
    const answers = await Promise.all(
      Array.from({ length: 103 }, () => admin.post(`/api/v1/projects/${project.id}/deployment-hooks`, valid)),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(100)
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([409, 'hook_limit_reached']))
  })
})

describe('a hook belongs to its project', () => {
  let hook: Answer['body']
  let paths: [string, string][]

  beforeAll(async () => {
    hook = await admin.make(hooks, valid)
    const dispatch = await admin.make(`/api/v1/deployment-hooks/${hook.id}/test`)
    paths = [
      ['GET', hooks],
      ['POST', hooks],
      ['GET', `/api/v1/deployment-hooks/${hook.id}`],
      ['GET', `/api/v1/deployment-hooks/${hook.id}/dispatches`],
      ['POST', `/api/v1/deployment-hooks/${hook.id}/test`],
      ['GET', `/api/v1/dispatches/${dispatch.id}`],
    ]
  })

  const ask = (actor: Actor) =>
    Promise.all(
      paths.map(
        async ([method, path]) =>
          (await actor.request(method, path, path === hooks && method === 'POST' ? valid : undefined)).status,
      ),
    )

  test('a stranger finds none of it', async () => {
    expect(await ask(await box.user('Eve Stranger'))).toEqual([404, 404, 404, 404, 404, 404])
  })

  test('a member of the organization without a role in the workspace finds none of it', async () => {
    const member = await box.user('Otto Outside')
    await box.join(member, site, 'member')
    expect(await ask(member)).toEqual([404, 404, 404, 404, 404, 404])
  })

  test('a member of the workspace reads it, and needs to be its admin to make or test one', async () => {
    const member = await box.user('Mia Member')
    await box.join(member, site, 'member', 'member')
    expect(await ask(member)).toEqual([200, 403, 200, 200, 403, 200])
    const lead = await box.user('Lea Lead')
    await box.join(lead, site, 'member', 'admin')
    expect(await ask(lead)).toEqual([200, 201, 200, 200, 202, 200])
  })

  test('an id that is none is a 422, one that is unknown a 404', async () => {
    expect((await admin.get('/api/v1/deployment-hooks/7')).status).toBe(422)
    expect((await admin.get('/api/v1/deployment-hooks/019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d')).status).toBe(404)
  })
})
