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

function listening(): Receiver {
  const receiver = new Receiver()
  receivers.push(receiver)
  return receiver
}

/** A project of its own, with hooks; and a way to approve many gates in it at once. */
async function hooked(...urls: string[]): Promise<(count: number) => Promise<void>> {
  const project = await admin.make(`/api/v1/workspaces/${site.workspace.id}/projects`, { name: 'Checkout' })
  for (const url of urls)
    await admin.make(`/api/v1/projects/${project.id}/deployment-hooks`, { name: 'Deploy', url, trigger_on: 'gate_approved' })
  const execution = await box.running(admin, project.id)
  return async (count) => {
    await Promise.all(Array.from({ length: count }, () => box.approval(admin, execution.id)))
  }
}

describe('over two workers', () => {
  test('a slow receiver has ten requests at once and never more, and gets all of them once', async () => {
    const receiver = listening()
    receiver.answer = async () => {
      await Bun.sleep(100)
      return new Response('ok')
    }
    const approve = await hooked(receiver.url)
    await approve(90)
    await receiver.waitFor(90)
    await box.settled()
    expect(receiver.inFlightMax).toBe(10)
    expect(receiver.requests).toHaveLength(90)
    expect(new Set(receiver.requests.map(({ headers }) => headers['x-signalbox-delivery'])).size).toBe(90)
  })

  test('each hook has ten of its own', async () => {
    const receiver = listening()
    const answers = Promise.withResolvers<void>()
    receiver.answer = async () => {
      await answers.promise
      return new Response('ok')
    }
    const approve = await hooked(`${receiver.url}/a`, `${receiver.url}/b`, `${receiver.url}/c`)
    await approve(12)
    await receiver.waitFor(30)
    answers.resolve()
    await receiver.waitFor(36)
    await box.settled()
    expect(receiver.inFlightMax).toBe(30)
  })

  test('a hook that hangs holds up no other', async () => {
    const hanging = listening()
    const answers = Promise.withResolvers<void>()
    hanging.answer = async () => {
      await answers.promise
      return new Response('at last')
    }
    const live = listening()
    const approve = await hooked(hanging.url, live.url)
    await approve(30)
    await live.waitFor(30)
    await hanging.waitFor(10)
    const at = performance.now()
    await approve(1)
    await live.waitFor(31)
    expect(performance.now() - at).toBeLessThan(2_000)
    expect(hanging.requests).toHaveLength(10)
    answers.resolve()
    await hanging.waitFor(31)
    await box.settled()
    expect(hanging.inFlightMax).toBe(10)
  })

  test('requests that hang hold up no other of their hook, for as long as a slot is left', async () => {
    const receiver = listening()
    const answers = Promise.withResolvers<void>()
    receiver.answer = async ({ headers }) => {
      if (Number(headers['x-signalbox-sequence']) <= 9) await answers.promise
      return new Response('ok')
    }
    const approve = await hooked(receiver.url)
    await approve(9)
    await receiver.waitFor(9)
    // Longer than a lane is served in one go.
    await Bun.sleep(2_500)
    const at = performance.now()
    await approve(5)
    await receiver.waitFor(14)
    expect(performance.now() - at).toBeLessThan(3_000)
    expect(receiver.inFlight).toBeGreaterThanOrEqual(9)
    answers.resolve()
    await box.settled()
  })
})
