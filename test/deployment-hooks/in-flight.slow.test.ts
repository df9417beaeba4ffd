import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Receiver } from '../support/receiver.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let admin: Actor
let site: Site
const receivers: Receiver[] = []

beforeAll(async () => {
  box = await signalbox({ workers: 2 })
  admin = await box.user('Ada Lovelace')
  site = await box.site(admin)
})

afterAll(async () => {
  await box.close()
  await Promise.all(receivers.map((receiver) => receiver.stop()))
})

function newReceiver(): Receiver {
  const receiver = new Receiver()
  receivers.push(receiver)
  return receiver
}

/**
 *
 * Makes a project with hooks.
 *
 * @returns approves a number of gates in it at once
 */
async function projectWithHooks(...urls: string[]): Promise<(count: number) => Promise<void>> {
  const project = await admin.make(`/api/v1/workspaces/${site.workspace.id}/projects`, { name: 'Checkout' })
  for (const url of urls)
    await admin.make(`/api/v1/projects/${project.id}/deployment-hooks`, { name: 'Deploy', url, trigger_on: 'gate_approved' })
  const execution = await box.running(admin, project.id)
  return async (count) => {
    await Promise.all(Array.from({ length: count }, () => box.approval(admin, execution.id)))
  }
}

describe('with two workers', () => {
  test('a slow receiver gets at most ten requests at once, and each dispatch once', async () => {
    const receiver = newReceiver()
    const ten = Promise.withResolvers<void>()
    receiver.answer = async (_, number) => {
      if (number === 10) ten.resolve()
      await ten.promise
      await Bun.sleep(100)
      return new Response('ok')
    }
    const approve = await projectWithHooks(receiver.url)
    await approve(90)
    await receiver.waitFor(90)
    await box.settled()
    expect(receiver.inFlightMax).toBe(10)
    expect(receiver.requests).toHaveLength(90)
    expect(new Set(receiver.requests.map(({ headers }) => headers['x-signalbox-delivery'])).size).toBe(90)
  })

  test('each hook may have ten requests in flight', async () => {
    const receiver = newReceiver()
    const answers = Promise.withResolvers<void>()
    receiver.answer = async () => {
      await answers.promise
      return new Response('ok')
    }
    const approve = await projectWithHooks(`${receiver.url}/a`, `${receiver.url}/b`, `${receiver.url}/c`)
    await approve(12)
    await receiver.waitFor(30)
    answers.resolve()
    await receiver.waitFor(36)
    await box.settled()
    expect(receiver.inFlightMax).toBe(30)
  })

  test('a hook that hangs does not delay others', async () => {
    const hanging = newReceiver()
    const answers = Promise.withResolvers<void>()
    hanging.answer = async () => {
      await answers.promise
      return new Response('at last')
    }
    const live = newReceiver()
    const approve = await projectWithHooks(hanging.url, live.url)
    await approve(30)
    await live.waitFor(30)
    await hanging.waitFor(10)
    await approve(1)
    await live.waitFor(31)
    expect(hanging.inFlight).toBe(10)
    expect(hanging.requests).toHaveLength(10)
    answers.resolve()
    await hanging.waitFor(31)
    await box.settled()
    expect(hanging.inFlightMax).toBe(10)
  })

  test('requests that hang do not delay others of their hook while a slot is free', async () => {
    const receiver = newReceiver()
    const answers = Promise.withResolvers<void>()
    receiver.answer = async ({ headers }) => {
      if (Number(headers['x-signalbox-sequence']) <= 9) await answers.promise
      return new Response('ok')
    }
    const approve = await projectWithHooks(receiver.url)
    await approve(9)
    await receiver.waitFor(9)
    await box.until('everything is drained', async () => {
      const [{ drained }] = await box.sql<[{ drained: boolean }]>`
        select not exists (select 1 from waiting_events) as drained
      `
      return drained
    })
    await approve(5)
    await receiver.waitFor(14)
    expect(receiver.inFlight).toBeGreaterThanOrEqual(9)
    answers.resolve()
    await box.settled()
  })
})
