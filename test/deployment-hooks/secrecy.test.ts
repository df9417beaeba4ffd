import { expect, test } from 'bun:test'
import { Receiver } from '../support/receiver.ts'
import { whereIs } from '../support/secrecy.ts'
import { SECRETS } from '../support/server.ts'
import { type Answer, signalbox } from '../support/signalbox.ts'

test('secrets are in no table in clear, in no job, event or audit entry, in no answer and in no log line', async () => {
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
    const told = [await owner.post(path, input, key), await owner.post(path, input, key)]
    const [{ body: hook }] = told as [Answer]
    // Refusals show no secret either.
    told.push(await owner.post(path, { ...input, url: 'http://10.0.0.1/', headers: { ...input.headers, Host: secrets[1] } }))
    told.push(await owner.post(path, { ...input, secret: `whsec_${secrets[0]}` }))
    await open.approval(owner, (await open.running(owner, project.id)).id)
    await receiver.waitFor(2)
    await open.settled()
    told.push(await owner.post(`/api/v1/deployment-hooks/${hook.id}/test`, undefined, { Prefer: 'wait=10' }))
    const dispatches = await owner.get(`/api/v1/deployment-hooks/${hook.id}/dispatches`)
    told.push(dispatches, await owner.get(`/api/v1/deployment-hooks/${hook.id}`), await owner.get(path))
    for (const { id } of dispatches.body.items) told.push(await owner.get(`/api/v1/dispatches/${id}`))

    // They do arrive where they should, so they were not merely lost.
    expect(receiver.requests[0]?.headers['x-api-key']).toBe(secrets[1] as string)
    expect(receiver.requests[0]?.headers['x-signalbox-signature']).toStartWith('sha256=')
    // What is no secret is found by the same search.
    expect(await whereIs(open, plain)).toContain('public.deployment_hooks')
    expect(await whereIs(open, 'deployment_hook.created')).toContain('public.audit_log_entries')
    expect(await whereIs(open, hook.id)).toContain('output')
    for (const secret of secrets) {
      expect(await whereIs(open, secret)).toEqual([])
      expect(JSON.stringify(told.map(({ body }) => body))).not.toContain(secret)
      for (const { body } of receiver.requests) expect(body).not.toContain(secret)
    }
  } finally {
    await open.close()
    await receiver.stop()
  }
})

test('nor are they after changes, rotations, checks and failures, and neither are passwords, tokens and the keys of the service', async () => {
  const receiver = new Receiver()
  const open = await signalbox({ environment: { LOG_LEVEL: 'trace', HOOK_RETRY_SECONDS: '0.1,0.1' } })
  try {
    const owner = await open.user('Ada Lovelace')
    const { project } = await open.site(owner)
    const told: Answer[] = []
    const secrets = {
      first: 'f1rst-s3cret-4ab1',
      second: 's3cond-s3cret-77e0',
      header: 'v4lue-of-a-header-93ac',
      changed: 'ch4nged-"value"-of-a-header-0d2f',
      // Of the one before, however its quotes are written.
      part: '-of-a-header-0d2f',
      bearer: 'b34rer-credentials-77aa',
      tried: 'wr0ng-p4ssword-51cc',
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
    const put = async (input: object) => told.push(await owner.put(path, input))
    // What is carried out, and what is refused for every reason there is.
    await put({
      secret: secrets.second,
      headers: { 'X-Api-Key': '********', 'X-Other': secrets.changed, Authorization: `Bearer ${secrets.bearer}` },
    })
    await put({ url: 'https://ci.example.com/', headers: { 'X-Api-Key': '********', 'X-Other': secrets.changed } })
    await put({ secret: `whsec_${secrets.first}` })
    await put({ headers: { 'X-Other': `${secrets.changed}\n`, Host: secrets.header } })
    await put({ secret: secrets.first, headers: [secrets.header] })
    told.push(await owner.request('PUT', path, `{"secret":"${secrets.second}",`))
    expect(told.map(({ status }) => status)).toEqual([200, 422, 422, 422, 422, 400])

    const email = 'grace@example.com'
    const registered = await open.request('POST', '/api/v1/auth/register', { email, name: 'Grace', password: secrets.password })
    const refused = await open.request('POST', '/api/v1/auth/login', { email, password: secrets.tried })
    expect([registered.status, refused.status]).toEqual([201, 401])
    told.push({ ...registered, body: registered.body.user }, refused)
    await open.request('POST', '/api/v1/auth/refresh', { refresh_token: secrets.refresh })

    const once = { 'Idempotency-Key': 'rotate' }
    const rotated = await owner.post(`${path}/rotate-secret`, {}, once)
    await owner.post(`${path}/rotate-secret`, {}, once)
    const shown = rotated.body.secret
    told.push({ ...rotated, body: { ...rotated.body, secret: null } })

    // A receiver that repeats all that it was sent: for debugging, or out of malice.
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
      told.push(await owner.post(`${path}/verify`, { headers: request?.headers, body }))
    told.push(await owner.post(`${path}/verify`, { headers: { 'X-Signalbox-Signature': secrets.second }, body: shown }))
    await open.sql`update deployment_hooks set url = 'http://10.0.0.1/' where id = ${hook.id}`
    told.push(await owner.post(`${path}/test`, undefined, { Prefer: 'wait=10' }))
    for (const { id } of (await owner.get(`${path}/dispatches`)).body.items)
      told.push(await owner.get(`/api/v1/dispatches/${id}`))
    told.push(await owner.get(path))
    for (const page of ['/docs/json', '/docs/events', '/docs/problems', '/docs/receivers'])
      told.push(await open.request('GET', page))

    expect(request?.headers).toMatchObject({ 'x-api-key': secrets.header, 'x-other': secrets.changed })
    const text = JSON.stringify(told.map(({ body }) => body))
    // The echoes are on record, and what was secret in them is not.
    expect(text).toContain('"x-echo":"********"')
    expect(text).toContain('to /?key=********&other=********')
    for (const [name, secret] of Object.entries({ ...secrets, shown, unwrapped: shown.slice('whsec_'.length) })) {
      expect([name, await whereIs(open, secret)]).toEqual([name, []])
      expect([name, text.includes(secret)]).toEqual([name, false])
    }
    // Nor is the key that a secret stands for anywhere as bytes.
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
