import { expect, test } from 'bun:test'
import { Receiver } from '../support/receiver.ts'
import { whereIs } from '../support/secrecy.ts'
import { SECRETS } from '../support/server.ts'
import { type Answer, signalbox } from '../support/signalbox.ts'

test('secrets are not stored in clear text, and appear in no job, event, audit entry, response or log line', async () => {
  const receiver = new Receiver()
  const open = await signalbox({ environment: { LOG_LEVEL: 'trace' } })
  try {
    const owner = await open.user('Ada Lovelace')
    const { project } = await open.site(owner)
    const secrets = ['s3cret-of-the-hook-7f1b', 'v4lue-of-a-header-93ac']
    const plain = 'Findable-name-of-the-hook'
    receiver.answer = (_, number) => new Response('no', { status: number === 1 ? 500 : 200 })
    const path = `/api/v1/projects/${project.id}/deployment-hooks`
    const input = {
      name: plain,
      url: receiver.url,
      trigger_on: 'gate_approved',
      secret: secrets[0],
      headers: { 'X-Api-Key': secrets[1] },
    }
    const key = { 'Idempotency-Key': 'once' }
    const responses = [await owner.post(path, input, key), await owner.post(path, input, key)]
    const [{ body: hook }] = responses as [Answer]
    // Error responses show no secret either.
    responses.push(await owner.post(path, { ...input, url: 'http://10.0.0.1/', headers: { ...input.headers, Host: secrets[1] } }))
    responses.push(await owner.post(path, { ...input, secret: `whsec_${secrets[0]}` }))
    await open.approval(owner, (await open.running(owner, project.id)).id)
    await receiver.waitFor(2)
    await open.settled()
    responses.push(await owner.post(`/api/v1/deployment-hooks/${hook.id}/test`, undefined, { Prefer: 'wait=10' }))
    const dispatches = await owner.get(`/api/v1/deployment-hooks/${hook.id}/dispatches`)
    responses.push(dispatches, await owner.get(`/api/v1/deployment-hooks/${hook.id}`), await owner.get(path))
    for (const { id } of dispatches.body.items) responses.push(await owner.get(`/api/v1/dispatches/${id}`))

    // The secrets do arrive at the receiver.
    expect(receiver.requests[0]?.headers['x-api-key']).toBe(secrets[1] as string)
    expect(receiver.requests[0]?.headers['x-signalbox-signature']).toStartWith('sha256=')
    // The same search finds values that are not secret.
    expect(await whereIs(open, plain)).toContain('public.deployment_hooks')
    expect(await whereIs(open, 'deployment_hook.created')).toContain('public.audit_log_entries')
    expect(await whereIs(open, hook.id)).toContain('output')
    for (const secret of secrets) {
      expect(await whereIs(open, secret)).toEqual([])
      expect(JSON.stringify(responses.map(({ body }) => body))).not.toContain(secret)
      for (const { body } of receiver.requests) expect(body).not.toContain(secret)
    }
  } finally {
    await open.close()
    await receiver.stop()
  }
})

test('secrets stay hidden after changes, rotations, verifications and failures, and so do passwords, tokens and the keys of the service', async () => {
  const receiver = new Receiver()
  const open = await signalbox({ environment: { LOG_LEVEL: 'trace', HOOK_RETRY_SECONDS: '0.1,0.1' } })
  try {
    const owner = await open.user('Ada Lovelace')
    const { project } = await open.site(owner)
    const responses: Answer[] = []
    const secrets = {
      first: 'f1rst-s3cret-4ab1',
      second: 's3cond-s3cret-77e0',
      header: 'v4lue-of-a-header-93ac',
      changed: 'ch4nged-"value"-of-a-header-0d2f',
      // A part of the value above that contains no quotes, to find it however they are escaped.
      part: '-of-a-header-0d2f',
      bearer: 'b34rer-credentials-77aa',
      wrongPassword: 'wr0ng-p4ssword-51cc',
      password: 'r1ght-p4ssword-e2f9',
      access: owner.token,
      refresh: owner.refreshToken,
      key: SECRETS.SECRETS_KEY,
      jwt: SECRETS.JWT_SECRET,
    }
    const hook = await owner.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
      name: 'Deploy',
      url: receiver.url,
      trigger_on: 'gate_approved',
      secret: secrets.first,
      headers: { 'X-Api-Key': secrets.header },
    })
    const path = `/api/v1/deployment-hooks/${hook.id}`
    const put = async (input: object) => responses.push(await owner.put(path, input))
    // Requests that succeed, and requests refused for each kind of error.
    await put({
      secret: secrets.second,
      headers: { 'X-Api-Key': '********', 'X-Other': secrets.changed, Authorization: `Bearer ${secrets.bearer}` },
    })
    await put({ url: 'https://ci.example.com/', headers: { 'X-Api-Key': '********', 'X-Other': secrets.changed } })
    await put({ secret: `whsec_${secrets.first}` })
    await put({ headers: { 'X-Other': `${secrets.changed}\n`, Host: secrets.header } })
    await put({ secret: secrets.first, headers: [secrets.header] })
    responses.push(await owner.request('PUT', path, `{"secret":"${secrets.second}",`))
    expect(responses.map(({ status }) => status)).toEqual([200, 422, 422, 422, 422, 400])

    const email = 'grace@example.com'
    const registered = await open.request('POST', '/api/v1/auth/register', { email, name: 'Grace', password: secrets.password })
    const refused = await open.request('POST', '/api/v1/auth/login', { email, password: secrets.wrongPassword })
    expect([registered.status, refused.status]).toEqual([201, 401])
    responses.push({ ...registered, body: registered.body.user }, refused)
    await open.request('POST', '/api/v1/auth/refresh', { refresh_token: secrets.refresh })

    const once = { 'Idempotency-Key': 'rotate' }
    const rotated = await owner.post(`${path}/rotate-secret`, {}, once)
    await owner.post(`${path}/rotate-secret`, {}, once)
    const shown = rotated.body.secret
    responses.push({ ...rotated, body: { ...rotated.body, secret: null } })

    // A receiver that echoes everything it was sent.
    receiver.answer = ({ headers }, number) =>
      Response.json(headers, {
        status: [307, 500][number - 1] ?? 200,
        headers: {
          Location: `/?key=${headers['x-api-key']}&other=${encodeURIComponent(headers['x-other'] ?? '')}`,
          'X-Echo': headers.authorization ?? '',
        },
      })
    await open.approval(owner, (await open.running(owner, project.id)).id)
    const [request] = await receiver.waitFor(3)
    await open.settled()
    for (const body of [request?.body, `${request?.body} `, ''])
      responses.push(await owner.post(`${path}/verify`, { headers: request?.headers, body }))
    responses.push(await owner.post(`${path}/verify`, { headers: { 'X-Signalbox-Signature': secrets.second }, body: shown }))
    await open.sql`update deployment_hooks set url = 'http://10.0.0.1/' where id = ${hook.id}`
    responses.push(await owner.post(`${path}/test`, undefined, { Prefer: 'wait=10' }))
    for (const { id } of (await owner.get(`${path}/dispatches`)).body.items)
      responses.push(await owner.get(`/api/v1/dispatches/${id}`))
    responses.push(await owner.get(path))
    for (const page of ['/docs/json', '/docs/events', '/docs/problems', '/docs/receivers'])
      responses.push(await open.request('GET', page))

    expect(request?.headers).toMatchObject({ 'x-api-key': secrets.header, 'x-other': secrets.changed })
    const text = JSON.stringify(responses.map(({ body }) => body))
    // The echoes are recorded with their secrets masked.
    expect(text).toContain('"x-echo":"********"')
    expect(text).toContain('to /?key=********&other=********')
    for (const [name, secret] of Object.entries({ ...secrets, shown, unwrapped: shown.slice('whsec_'.length) })) {
      expect([name, await whereIs(open, secret)]).toEqual([name, []])
      expect([name, text.includes(secret)]).toEqual([name, false])
    }
    // The bytes that a secret decodes to are not stored either.
    const bytes = Buffer.from(shown.slice('whsec_'.length), 'base64')
    const hex = bytes.toString('hex')
    for (const table of ['deployment_hooks', 'idempotency_keys'])
      expect(await open.sql`select from ${open.sql(table)} as row where strpos(row::text, ${hex}) > 0`).toHaveLength(0)
    expect(await whereIs(open, 'deployment_hook.secret_rotated')).toContain('public.audit_log_entries')
  } finally {
    await open.close()
    await receiver.stop()
  }
})
