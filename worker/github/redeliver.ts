/** Asks GitHub for deliveries that never arrived: it does not send them again by itself. */
import { appToken, keyOf, readApp, type StoredApp } from '../../core/github/app.ts'
import { callGitHub, GitHubAway, messageOf } from '../../core/github/client.ts'
import { sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { DAY_MS } from '../../core/values/instants.ts'
import { isObject, isWrittenNumber } from '../../core/values/json.ts'

/** How far back GitHub can send a delivery again. */
const REACH_MS = 3 * DAY_MS
const MAX_REQUESTS = 5
const PER_PAGE = 100
/** More than a busy service gets in three days. */
const MAX_PAGES = 500
/** One that has just been sent may still be answered. */
const YOUNG_MS = 10_000

interface Delivery {
  id: bigint
  guid: string
  at: number
  isAgain: boolean
  isSuccess: boolean
}

/** All deliveries of an event. */
interface Sent {
  /** The newest. */
  id: bigint
  at: number
  count: number
  hasArrived: boolean
}

/** Ids of deliveries are larger than what a number holds exactly. */
function bigOf(value: unknown): bigint | null {
  if (isWrittenNumber(value)) return BigInt(value.rawJSON)
  return Number.isSafeInteger(value) ? BigInt(value as number) : null
}

function deliveryOf(value: unknown): Delivery | null {
  const { id, guid, delivered_at, redelivery, status_code } = isObject(value) ? value : {}
  const at = Date.parse(String(delivered_at))
  const number = bigOf(id)
  if (number === null || typeof guid !== 'string' || Number.isNaN(at)) return null
  const isSuccess = typeof status_code === 'number' && status_code >= 200 && status_code < 300
  return { id: number, guid, at, isAgain: redelivery === true, isSuccess }
}

/** The cursor of the next page (https://docs.github.com/rest/apps/webhooks). */
const nextCursor = (link: string | undefined): string | null =>
  /[?&]cursor=([^&>]+)[^>]*>;\s*rel="next"/.exec(link ?? '')?.[1] ?? null

/** What was read so far, by the id of the event. The next round reads only what is newer. */
let known: { app_id: number; newest: bigint; sent: Map<string, Sent> } = { app_id: 0, newest: 0n, sent: new Map() }

function note({ id, guid, at, isAgain, isSuccess }: Delivery): void {
  const before = known.sent.get(guid)
  known.sent.set(guid, {
    id: before && before.id > id ? before.id : id,
    at: Math.max(at, before?.at ?? 0),
    count: (before?.count ?? 0) + Number(isAgain),
    hasArrived: isSuccess || (before?.hasArrived ?? false),
  })
}

/** @throws Error, GitHubAway */
async function readNew(app: StoredApp, token: string, now: number): Promise<void> {
  if (known.app_id !== app.app_id) known = { app_id: app.app_id, newest: 0n, sent: new Map() }
  const read: Delivery[] = []
  let cursor: string | null = ''
  for (let page = 0; cursor !== null && page < MAX_PAGES; page++) {
    const path: string = `/app/hook/deliveries?per_page=${PER_PAGE}${cursor === '' ? '' : `&cursor=${cursor}`}`
    const answer = await callGitHub(app.url, path, { token })
    if (answer.status !== 200 || !Array.isArray(answer.body))
      throw new Error(`GitHub did not list deliveries (${answer.status}): ${messageOf(answer)}`)
    const some = answer.body.flatMap((each: unknown) => deliveryOf(each) ?? [])
    const fresh = some.filter(({ id, at }: Delivery) => id > known.newest && now - at < REACH_MS)
    read.push(...fresh)
    // Newest first: behind what was read before, all was.
    cursor = fresh.length < some.length || some.length === 0 ? null : nextCursor(answer.headers.link)
  }
  // Only when all pages were read: the next round reads what this one could not.
  for (const delivery of read) note(delivery)
  for (const { id } of read) if (id > known.newest) known.newest = id
  for (const [guid, { at }] of known.sent) if (now - at >= REACH_MS) known.sent.delete(guid)
}

export async function redeliverMissed(): Promise<void> {
  const app = await readApp(sql)
  if (!app) return
  const token = await appToken(await keyOf(app))
  const now = Date.now()
  try {
    await readNew(app, token, now)
    for (const [guid, { id, at, count, hasArrived }] of known.sent) {
      if (hasArrived || count >= MAX_REQUESTS || now - at < YOUNG_MS) continue
      const answer = await callGitHub(app.url, `/app/hook/deliveries/${id}/attempts`, { method: 'POST', token })
      log.info({ guid, status: answer.status }, 'asked github for a delivery again')
      if (answer.status === 429 || answer.status === 403) return
    }
  } catch (error) {
    if (!(error instanceof GitHubAway)) throw error
    log.warn({ code: error.reason.code }, 'github did not list deliveries')
  }
}
