import { expect, test } from 'bun:test'
import { Receiver } from '../support/receiver.ts'
import { whereIs } from '../support/secrecy.ts'
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
