/** The loop of a queue, with a destination of the test instead of a database and receivers. */
import { expect, test } from 'bun:test'
import type { Lane } from '../../core/delivery/lanes.ts'
import { BodyBudget } from '../../worker/delivery/body-budget.ts'
import type { AttemptResult, Due, Fetched } from '../../worker/delivery/destination.ts'
import { type LaneTools, ServedLane } from '../../worker/delivery/served-lane.ts'
import { Slots } from '../../worker/delivery/slots.ts'

type Attempt = AttemptResult<Due>

const lane: Lane = { id: 'lane', organization_id: 'tenant', kind: 'hook', version: 1 }

/** A queue whose reads and requests the test ends. */
class Queue {
  version = 1
  paused = false
  releases = 0
  leases = 0
  reads = 0
  /** Ids of what was sent. */
  readonly sent: string[] = []
  /** Runs while a read goes on. */
  onRead: (read: number) => void | Promise<void> = () => {}
  /** Resolves when a request has been answered. */
  answer: (id: string) => Promise<void> = async () => {}
  #waiting: string[]

  constructor(count: number) {
    this.#waiting = Array.from({ length: count }, (_, index) => `item ${index}`)
  }

  add(id: string): void {
    this.version += 1
    this.#waiting.push(id)
  }

  readonly slots = new Slots(40)
  readonly bodies = new BodyBudget(4 * 1_048_576)

  tools(): LaneTools<null, Due, Attempt> {
    return {
      slots: this.slots,
      bodies: this.bodies,
      maySend: () => !this.paused,
      lease: async () => {
        this.leases += 1
        return { ...lane, version: this.version }
      },
      release: async ({ lane: { version }, isFinal }) => {
        this.releases += 1
        return isFinal || version === this.version ? null : { ...lane, version: this.version }
      },
      recorder: { record: async (attempt) => ({ attempt, current: { version: this.version, revision: 1 } }) },
      destination: {
        fetchDue: (_lane, inFlight) => this.#read(inFlight),
        attempt: async (of, _target, item) => {
          this.sent.push(item.id)
          await this.answer(item.id)
          this.#waiting = this.#waiting.filter((id) => id !== item.id)
          return { lane: of, item, target_since: '', succeeded: true }
        },
        observe: () => {},
      },
    }
  }

  async #read(inFlight: string[]): Promise<Fetched<null, Due>> {
    this.reads += 1
    const version = this.version
    const ids = this.#waiting.filter((id) => !inFlight.includes(id))
    await this.onRead(this.reads)
    const due = ids.slice(0, 10).map((id) => ({ id, attempt_count: 0, body: '{}' }))
    return {
      target: null,
      version,
      revision: 1,
      due,
      hasMore: ids.length > 10,
      limit: 10,
      isFailing: false,
      staleAt: null,
    }
  }
}

const serve = (queue: Queue): ServedLane<null, Due, Attempt> => new ServedLane(queue.tools(), lane, () => {})

test('sends everything in order, and is released', async () => {
  const queue = new Queue(35)
  await serve(queue).done
  expect(queue.sent).toEqual(Array.from({ length: 35 }, (_, index) => `item ${index}`))
  expect(queue.releases).toBe(1)
})

test('never has more than ten requests in flight', async () => {
  const queue = new Queue(35)
  let inFlight = 0
  let most = 0
  queue.answer = async () => {
    most = Math.max(most, ++inFlight)
    await Bun.sleep(1)
    inFlight -= 1
  }
  await serve(queue).done
  expect(most).toBe(10)
})

test('what is added while it is released is sent', async () => {
  const queue = new Queue(1)
  const tools = queue.tools()
  const release = tools.release
  tools.release = (given) => {
    if (queue.releases === 0) queue.add('late')
    return release(given)
  }
  await new ServedLane(tools, lane, () => {}).done
  expect(queue.sent).toEqual(['item 0', 'late'])
})

test('a queue that is woken during a pause is released, and not leased again and again', async () => {
  const queue = new Queue(1)
  const answered = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  queue.answer = () => {
    begun.resolve()
    return answered.promise
  }
  const served = serve(queue)
  await begun.promise
  queue.paused = true
  served.wake(1)
  answered.resolve()
  await served.done
  expect(queue.leases).toBeLessThanOrEqual(1)
  expect(queue.releases).toBeLessThanOrEqual(2)
})

test('what a slow read returns is sent', async () => {
  const queue = new Queue(3)
  // Longer than what was read may wait.
  queue.onRead = () => Bun.sleep(1_100)
  await serve(queue).done
  expect(queue.sent).toHaveLength(3)
  expect(queue.reads).toBe(1)
})

test('a wake during a read does not discard what is read', async () => {
  const queue = new Queue(3)
  const served = Promise.withResolvers<ServedLane<null, Due, Attempt>>()
  queue.onRead = async (read) => {
    if (read > 3) return
    queue.add(`added ${read}`)
    ;(await served.promise).wake(1)
  }
  const lane = serve(queue)
  served.resolve(lane)
  await lane.done
  expect(queue.sent.slice(0, 3)).toEqual(['item 0', 'item 1', 'item 2'])
  expect(queue.sent.toSorted()).toEqual(['added 1', 'added 2', 'added 3', 'item 0', 'item 1', 'item 2'])
  expect(queue.reads).toBeLessThanOrEqual(5)
})

test('slots and room for bodies are free afterwards', async () => {
  const queue = new Queue(35)
  const before = queue.bodies.room('tenant')
  await serve(queue).done
  expect(queue.bodies.room('tenant')).toBe(before)
  expect(queue.slots.tenants()).toEqual([])
})
