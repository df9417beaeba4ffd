/**
 * Requests that wait until something has changed, such as those with `Prefer: wait=N` (RFC 7240). One statement looks at all that requests
 * of this process wait for, so that a thousand of them cost no more statements than one. It is sent when a change in their
 * organizations is announced, and from time to time, since announcements may be lost.
 */

import { monotonicMs } from '../../core/platform/clock.ts'
import { sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { observeChanges } from '../../core/tenants/changes.ts'
import { isActiveOrganization } from '../../core/tenants/scopes.ts'
import type { Fragment } from '../../sql/index.ts'
import { ConcurrencyLimit } from './concurrency-limit.ts'
import { confirmAfterWait } from './confirm-access.ts'
import { contextOf } from './request-context.ts'
import { respond, toOutcome } from './responses.ts'

/** A change whose announcement is lost is noticed after this time. */
const LOOK_MS = 400
/** Between two statements at least. */
const PAUSE_MS = 50
/** Ids per statement. */
const BATCH_SIZE = 1_000

interface Key {
  id: string
  organization_id: string
}

/** @param isOver whether what was waited for may have happened */
type Wake = (isOver: boolean) => void

interface Waiting {
  organization_id: string
  /** In the order in which they came. */
  wakes: Set<Wake>
}

/** Which of some ids requests have to wait on for: not those that were deleted. */
type FindPending = (ids: string[], organization_ids: string[]) => PromiseLike<{ id: string }[]>

interface WaitOptions {
  /** Whether one request is woken at a time: the one that has waited longest. */
  wakesOne?: boolean
  /** Whether clients ask again, another process, when this one shuts down. */
  endsEarly?: boolean
  /** What announcements about an id begin with. Otherwise, it is looked for what has changed whenever something in its organization has. */
  announcedBy?: string
}

const all: Waits[] = []
let isEnding = false

/** The rows of a table that are pending. */
export const pendingIn =
  (table: Fragment, isPending: Fragment): FindPending =>
  (ids, organization_ids) =>
    sql<{ id: string }[]>`
      select waited.id
      from ${table} as waited
      where waited.id = any(${ids}::uuid[])
        and waited.organization_id = any(${organization_ids}::uuid[])
        and ${isPending}
        and ${isActiveOrganization(sql`waited.organization_id`)}
    `

/** What requests of this process wait for, of one kind. */
export class Waits {
  readonly #waiting = new Map<string, Waiting>()
  /** Organizations in which something may have happened since it was looked. */
  readonly #changed = new Set<string>()
  #isLooking = false

  constructor(
    readonly findPending: FindPending,
    private readonly options: WaitOptions = {},
  ) {
    all.push(this)
  }

  /** Whether no request waits any more, because the process shuts down. */
  get hasEnded(): boolean {
    return isEnding && this.options.endsEarly === true
  }

  /**
   * Waits until something may have happened to what has this id. To be called before it is read, so that nothing is missed in between.
   * @param ms how long at most
   * @returns whether to read again: false after that time, when the client is gone, or when the process shuts down
   */
  wait({ id, organization_id }: Key, ms: number, signal: AbortSignal): Promise<boolean> {
    if (this.hasEnded || signal.aborted) return Promise.resolve(false)
    listen()
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const waiting: Waiting = this.#waiting.get(id) ?? { organization_id, wakes: new Set() }
    this.#waiting.set(id, waiting)
    const wake = (isOver: boolean) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      waiting.wakes.delete(wake)
      if (waiting.wakes.size === 0 && this.#waiting.get(id) === waiting) this.#waiting.delete(id)
      resolve(isOver)
    }
    const abort = () => wake(false)
    const timer = setTimeout(abort, ms)
    signal.addEventListener('abort', abort)
    waiting.wakes.add(wake)
    return promise
  }

  wake(id: string): void {
    const wakes = [...(this.#waiting.get(id)?.wakes ?? [])]
    for (const wake of this.options.wakesOne ? wakes.slice(0, 1) : wakes) wake(true)
  }

  endEarly(): void {
    if (!this.options.endsEarly) return
    for (const { wakes } of [...this.#waiting.values()]) for (const wake of [...wakes]) wake(false)
  }

  /** @param paths by their first part, which is the id of an organization or a word */
  received(paths: Map<string, string[]>): void {
    const { announcedBy } = this.options
    if (announcedBy) for (const path of paths.get(announcedBy) ?? []) this.wake(path.slice(announcedBy.length + 1))
    else void this.look([...paths.keys()])
  }

  /**
   * Looks now, or shortly after it has looked last.
   * @param organization_ids where something has changed; everywhere by default
   */
  async look(organization_ids = this.#organizations()): Promise<void> {
    for (const id of organization_ids) this.#changed.add(id)
    if (this.#isLooking) return
    this.#isLooking = true
    while (this.#changed.size > 0) {
      const waiting = [...this.#waiting].filter(([, { organization_id }]) => this.#changed.has(organization_id))
      this.#changed.clear()
      for (let from = 0; from < waiting.length; from += BATCH_SIZE) await this.#lookAt(waiting.slice(from, from + BATCH_SIZE))
      if (waiting.length > 0) await Bun.sleep(PAUSE_MS)
    }
    this.#isLooking = false
  }

  #organizations(): string[] {
    return [...this.#waiting.values()].map(({ organization_id }) => organization_id)
  }

  async #lookAt(batch: [id: string, Waiting][]): Promise<void> {
    const organization_ids = new Set(batch.map(([, { organization_id }]) => organization_id))
    const ids = batch.map(([id]) => id)
    try {
      const found = new Set((await this.findPending(ids, [...organization_ids])).map(({ id }) => id))
      for (const id of ids) if (!found.has(id)) this.wake(id)
    } catch (error) {
      log.debug({ error }, 'could not look at what requests wait for')
    }
  }
}

function lookEverywhere(): void {
  for (const waits of all) void waits.look()
}

const listen = observeChanges({
  received(paths) {
    const byFirstPart = Map.groupBy(paths, (path) => path.split('/', 1)[0] ?? '')
    for (const waits of all) waits.received(byFirstPart)
  },
  missed: lookEverywhere,
})

setInterval(lookEverywhere, LOOK_MS).unref()

/** Answers requests that wait for long, when the process shuts down. */
export function endWaits(): void {
  isEnding = true
  for (const waits of all) waits.endEarly()
}

const TOO_LATE = new Error('A request that was woken has waited too long for its turn.')

/** A thousand that are woken at once are answered in turns: those of one caller do not hold up those of others. */
const answers = new ConcurrencyLimit(8, Number.POSITIVE_INFINITY, 30_000, () => TOO_LATE)

/** The end of something that requests wait for. */
export interface Ending<Result> {
  waits: Waits
  /** All of them have to end. */
  keys: Key[]
  /** Returns null until it has come. */
  read(): Promise<Result | null>
}

/**
 * Waits for an end. An early wake, such as while a part of the database is away, is followed by another wait.
 * @returns null if it has not come in time
 * @throws what `read` throws; after a wait, what `confirmAfterWait` throws
 */
export async function waitUntilFinished<Result>(request: Request, seconds: number, { waits, keys, read }: Ending<Result>) {
  const context = contextOf(request)
  const caller = context.caller?.id ?? context.address
  const until = monotonicMs() + seconds * 1000
  let finished: Result | null = null
  for (let hasWaited = false; ; hasWaited = true) {
    const left = Math.max(0, until - monotonicMs())
    const stop = new AbortController()
    const signal = AbortSignal.any([request.signal, stop.signal])
    const ended = Promise.all(keys.map((key) => waits.wait(key, left, signal)))
    try {
      finished = hasWaited ? await answers.run(caller, read).catch(nullIfTooLate) : await read()
      if (finished && !hasWaited) return finished
      if (finished || left === 0 || waits.hasEnded) break
      await ended
      if (request.signal.aborted) return null
    } finally {
      stop.abort()
    }
  }
  await confirmAfterWait(context)
  return finished
}

function nullIfTooLate(error: unknown): null {
  if (error === TOO_LATE) return null
  throw error
}

/** The longest wait that a client can ask for: proxies commonly time out after 30 seconds. */
const MAX_SECONDS = 25

/** Seconds that the client asks to wait; null if the header is absent or malformed. */
export function preferredSeconds(request: Request): number | null {
  const [, seconds] = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:;[^,]*)?(?:,|$)/i.exec(request.headers.get('prefer') ?? '') ?? []
  return seconds === undefined ? null : Math.min(Number(seconds), MAX_SECONDS)
}

/** Waits if the client asks for it with `Prefer: wait`. @returns 200 with the finished record, or `pending` */
export async function preferWait(request: Request, pending: Response, ending: Ending<object>): Promise<Response> {
  const seconds = preferredSeconds(request)
  if (seconds === null || pending.status !== 202) return pending
  const finished = await waitUntilFinished(request, seconds, ending)
  if (!finished) return pending
  const context = contextOf(request)
  context.headers['Preference-Applied'] = `wait=${seconds}`
  return respond(request, context, toOutcome(200, finished))
}
