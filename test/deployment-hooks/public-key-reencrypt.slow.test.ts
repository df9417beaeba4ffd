import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Receiver } from '../support/receiver.ts'
import { type Actor, type Answer, type Box, Process, signalbox } from '../support/signalbox.ts'

const [FIRST = '', SECOND = ''] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'))

let receiver: Receiver
let box: Box
let ada: Actor
let hook: Answer['body']
let rotated: Answer['body']

beforeAll(async () => {
  receiver = new Receiver()
  box = await signalbox({ own: true, workers: 0, environment: { SECRETS_KEY: FIRST } })
  ada = await box.user('Ada')
  const { project } = await box.site(ada)
  const input = { name: 'Deploy', url: receiver.url, trigger_on: 'gate_approved', signature: 'ed25519' }
  hook = await ada.make(`/api/v1/projects/${project.id}/deployment-hooks`, input)
  rotated = await ada.make(`/api/v1/deployment-hooks/${hook.id}/rotate-secret`, { overlap_seconds: 3600 })
})

afterAll(async () => {
  await box.close()
  await receiver.stop()
})

test('after reencrypting, both private keys of a hook sign without the old key of the service', async () => {
  const reencrypt = new Process('bin/reencrypt.ts', { ...box.environment, SECRETS_KEY: `${SECOND},${FIRST}` })
  expect(await reencrypt.exited).toBe(0)
  expect(reencrypt.lines).toContain('deployment_hooks.secret: 1 encrypted again')
  expect(reencrypt.lines).toContain('deployment_hooks.previous_secret: 1 encrypted again')

  await box.close()
  box = await signalbox({ url: box.url, environment: { SECRETS_KEY: SECOND } })
  const key = { Authorization: `Bearer ${ada.token}`, Prefer: 'wait=10' }
  const { body } = await box.request('POST', `/api/v1/deployment-hooks/${hook.id}/test`, undefined, key)
  expect(body.status).toBe('succeeded')
  const request = receiver.requests[0]
  // The documented snippet accepts either public key.
  const { refusal } = await import(join(import.meta.dir, '../../docs/receivers/verify-public-key.mjs'))
  for (const { public_key } of [hook, rotated])
    expect(refusal(public_key, request?.headers ?? {}, Buffer.from(request?.body ?? ''))).toBeNull()
})
