/** One leased lane: fetches what is due, sends and records it until nothing is due, and releases the lane. */

import type { Lane } from '../../core/delivery/lanes.ts'
import { monotonicMs } from '../../core/platform/clock.ts'
import { log } from '../../core/platform/log.ts'
import { UnreadableSecret } from '../../core/security/secrets.ts'
import { retryUntilDone } from '../process/errors.ts'
import type { BodyBudget } from './body-budget.ts'
import type { AttemptResult, Destination, Due, Fetched } from './destination.ts'
import { type LaneState, nextStep, type Step } from './next-step.ts'
import type { Recorder } from './recorder.ts'
import { RETRY_SECONDS, type Release } from './release.ts'
import type { Slot, Slots } from './slots.ts'

/** How often a lane looks for more to send while requests are in flight. */
const REFETCH_MS = 250

export interface LaneTools<Target, Item extends Due, Attempt extends AttemptResult<Item>> {
  destination: Pick<Destination<Target, Item, Attempt>, 'fetchDue' | 'attempt' | 'observe'>
  slots: Slots
  bodies: BodyBudget
  recorder: Pick<Recorder<Attempt>, 'record'>
  /** Whether new requests may be sent: not while the process stops, its heartbeat is late, or the work is paused. */
  maySend: (lane: Lane) => boolean
  /** @returns null if the lane is deleted, or another worker serves it */
  lease: (lane: Lane) => Promise<Lane | null>
  /** @returns null if the lane was released; the current one if there is new work */
  release: (release: Release) => Promise<Lane | null>
}

const unread = <Target, Item extends Due>(): LaneState<Target, Item> => ({
  fetched: null,
  fetchedAt: 0,
  refresh: 'now',
  inFlight: 0,
  isGone: false,
})

export class ServedLane<Target, Item extends Due, Attempt extends AttemptResult<Item>> {
  /** Resolves when the lane is released. */
  readonly done: Promise<void>
  #state = unread<Target, Item>()
  /** The highest revision with which it was woken since it was last read; null if it was not. */
  #woken: number | null = null
  #isReading = false
  #changed = Promise.withResolvers<void>()
  #failure: { error: unknown } | null = null
  readonly #sending = new Map<string, Promise<void>>()

  /** @param onReleased called when it is served no more */
  constructor(
    private readonly tools: LaneTools<Target, Item, Attempt>,
    private lane: Lane,
    private readonly onReleased: () => void,
  ) {
    this.done = this.#serve()
  }

  /** There is new work, or the lane has changed. @param revision of the lane, if it is known that only work was added to it */
  wake(revision = Number.POSITIVE_INFINITY): void {
    this.#woken = Math.max(this.#woken ?? 0, revision)
    // What is being read may have it already.
    if (!this.#isReading) this.#heed(this.#woken)
  }

  #heed(revision: number): void {
    const { fetched } = this.#state
    // New items come after the ones that were read.
    if (fetched && fetched.due.length > 0 && revision <= fetched.revision) fetched.hasMore = true
    else this.#update({ refresh: 'now' })
  }

  async #serve(): Promise<void> {
    let leased: Lane | null = this.lane
    while (leased !== null) {
      this.lane = leased
      this.#woken = null
      const error_code = await this.#deliver()
      leased = await this.#release(error_code)
      // The drain adds work to a lane that it found leased.
      if (leased === null && this.#woken !== null && error_code === null)
        leased = await retryUntilDone('leasing a lane', () => this.tools.lease(this.lane))
    }
    this.onReleased()
  }

  #release(error_code: string | null): Promise<Lane | null> {
    const { lane, tools } = this
    const isFinal = error_code !== null || !tools.maySend(lane)
    const { organization_id } = lane
    return retryUntilDone('releasing a lane', () => tools.release({ lane, organization_id, error_code, isFinal }))
  }

  /** Sends what is due. Resolves when the last attempt is recorded. @returns why the lane could not be served; null if it could */
  async #deliver(): Promise<string | null> {
    this.#state = unread()
    try {
      for (let step = this.#next(); step !== 'end'; step = this.#next()) await this.#perform(step)
    } catch (error) {
      this.#failure ??= { error }
    }
    this.#dropDue()
    await Promise.allSettled(this.#sending.values())
    return this.#takeErrorCode()
  }

  #next(): Step {
    return this.#failure === null && this.tools.maySend(this.lane) ? nextStep(this.#state, monotonicMs()) : 'end'
  }

  async #perform(step: Step): Promise<void> {
    const { slots, bodies } = this.tools
    const tenant = this.lane.organization_id
    if (step === 'wait') return this.#changeWithin(REFETCH_MS)
    if (step === 'fetch' && bodies.room(tenant) === 0) {
      // What it gives up may be what others wait for, or all the room that it needs itself.
      this.#dropDue()
      if (bodies.room(tenant) === 0) return bodies.freed()
    }
    // Also for reading, so that what was read does not wait for a slot.
    const slot = await slots.acquire(tenant, this.#state.fetched?.isFailing ?? false)
    let isUsed = false
    try {
      if (this.#next() === 'fetch') await this.#read()
      // The destination may have begun or ceased to fail since the slot was requested.
      if (this.#next() === 'send' && this.#state.fetched?.isFailing === slot.isFailing) isUsed = this.#launch(slot)
    } finally {
      if (!isUsed) slots.release(slot)
    }
  }

  async #read(): Promise<void> {
    const { destination, bodies } = this.tools
    const { organization_id } = this.lane
    this.#dropDue()
    this.#state.refresh = 'no'
    this.#woken = null
    this.#isReading = true
    const reading = destination.fetchDue(this.lane, [...this.#sending.keys()], bodies.room(organization_id))
    const fetched = await reading.finally(() => {
      this.#isReading = false
    })
    // Its age is counted from now: a read that takes longer than it may be sent would be repeated for ever.
    Object.assign(this.#state, { fetched, fetchedAt: monotonicMs(), isGone: fetched === null })
    for (const { body } of fetched?.due ?? []) bodies.hold(organization_id, body.length)
    if (fetched) this.lane = { ...this.lane, version: fetched.version }
    if (this.#woken !== null) this.#heed(this.#woken)
  }

  /** Gives up what was read and not sent. */
  #dropDue(): void {
    const { fetched } = this.#state
    if (!fetched || fetched.due.length === 0) return
    fetched.hasMore = true
    for (const { body } of fetched.due.splice(0)) this.tools.bodies.release(this.lane.organization_id, body.length)
  }

  /** Starts to send the first item. The slot is taken until its attempt is recorded. @returns false if there is none */
  #launch(slot: Slot): boolean {
    const { fetched } = this.#state
    const item = fetched?.due.shift()
    if (!fetched || !item) return false
    const sent = this.#send(item, fetched)
      .catch((error: unknown) => {
        this.#failure ??= { error }
      })
      .finally(() => {
        this.#sending.delete(item.id)
        this.tools.slots.release(slot)
        this.tools.bodies.release(this.lane.organization_id, item.body.length)
        this.#update({ inFlight: this.#sending.size })
      })
    this.#sending.set(item.id, sent)
    this.#state.inFlight = this.#sending.size
    return true
  }

  async #send(item: Item, { target, revision, limit, isFailing }: Fetched<Target, Item>): Promise<void> {
    const { destination, recorder } = this.tools
    const { attempt, current } = await recorder.record(await destination.attempt(this.lane, target, item))
    destination.observe(attempt)
    const { fetched, refresh } = this.#state
    // A failure may have cancelled the item or disabled the destination. The first success of a failing one raises its limit.
    const isStale = !attempt.succeeded || isFailing || limit === 1 || current === null || current.revision > revision
    if (isStale) this.#state.refresh = refresh === 'now' ? 'now' : 'soon'
    else if (fetched && current.version > fetched.version) fetched.hasMore = true
  }

  #update(change: Partial<LaneState<Target, Item>>): void {
    Object.assign(this.#state, change)
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }

  /** Resolves at the next change; after this time, the lane is read again. */
  async #changeWithin(ms: number): Promise<void> {
    const timer = setTimeout(() => this.#update({ refresh: 'now' }), ms)
    await this.#changed.promise
    clearTimeout(timer)
  }

  /** An attempt never throws, and recording is retried, so what was caught is an unreadable secret, an outage or a bug. */
  #takeErrorCode(): string | null {
    if (this.#failure === null) return null
    const { error } = this.#failure
    this.#failure = null
    const { id, kind } = this.lane
    const error_code = error instanceof UnreadableSecret ? 'secret_unreadable' : 'delivery_error'
    log.error({ error, [kind]: id, error_code }, `${kind} delivery failed; retrying in ${RETRY_SECONDS} s`)
    return error_code
  }
}
