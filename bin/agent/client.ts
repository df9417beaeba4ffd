/** The requests of the agent. They are repeated while Signalbox cannot be reached, or is busy. */
import { Failure } from '../support/failure.ts'
import { printStep } from '../support/timeline.ts'
import type { Options } from './options.ts'

/** A claimed dispatch, with the fields that the agent uses. */
export interface ClaimedDispatch {
  dispatch: { id: string; event: string }
  payload: string
  headers: Record<string, string>
  lease_until: string
}

export type Outcome = 'succeeded' | 'failed' | 'retry'

const WAIT_SECONDS = 25
/** Longer than a claim waits. */
const TIMEOUT_MS = 35_000
const MAX_DELAY_MS = 30_000

/**
 * Posts a request until it is answered.
 *
 * @returns null if the signal was aborted first
 */
async function post(url: string, token: string, body: object, stopping: AbortSignal): Promise<Response | null> {
  for (let tries = 1; !stopping.aborted; tries++) {
    let delay = Math.min(MAX_DELAY_MS, 250 * 2 ** tries)
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]),
      })
      if (response.status < 500 && response.status !== 429) return response
      delay = Math.max(delay, Number(response.headers.get('retry-after') ?? 0) * 1000)
      printStep('agent', `Signalbox answered ${response.status}; trying again`)
    } catch (error) {
      if (!stopping.aborted) printStep('agent', `Signalbox cannot be reached (${(error as Error).message}); trying again`)
    }
    await Promise.race([Bun.sleep(delay), new Promise((resolve) => stopping.addEventListener('abort', resolve, { once: true }))])
  }
  return null
}

const detailOf = async (response: Response): Promise<string> => {
  const text = await response.text()
  try {
    return JSON.parse(text).detail ?? text
  } catch {
    return text
  }
}

/**
 * Claims a dispatch, waiting for it.
 *
 * @returns null if there was none, or the agent stops
 * @throws Failure if the hook cannot be claimed from with this token
 */
export async function claim(
  { url, hook, token, lease_seconds }: Options,
  stopping: AbortSignal,
): Promise<ClaimedDispatch | null> {
  const input = { limit: 1, wait: WAIT_SECONDS, lease_seconds }
  const response = await post(`${url}/api/v1/deployment-hooks/${hook}/claim`, token, input, stopping)
  if (!response) return null
  if (!response.ok) throw new Failure(`Signalbox answered ${response.status}: ${await detailOf(response)}`)
  const [claimed] = (await response.json()) as ClaimedDispatch[]
  return claimed ?? null
}

/** Acknowledges a dispatch. @param lease aborted when the lease ends */
export async function acknowledge(
  { url, token }: Options,
  { dispatch, lease_until }: ClaimedDispatch,
  outcome: Outcome,
  detail: string,
  lease: AbortSignal,
): Promise<void> {
  const input = { outcome, lease_until, ...(detail === '' ? {} : { detail }) }
  const response = await post(`${url}/api/v1/dispatches/${dispatch.id}/acknowledge`, token, input, lease)
  if (!response?.ok) printStep('agent', `could not acknowledge: ${response ? await detailOf(response) : 'the lease has ended'}`)
}

/** Reports what becomes of a dispatch, if it has a rollout. */
export async function report({ headers }: ClaimedDispatch, state: string, lease: AbortSignal): Promise<void> {
  const [url, token] = [headers['X-Signalbox-Report-Url'], headers['X-Signalbox-Report-Token']]
  if (!url || !token) return
  const response = await post(url, token, { state }, lease)
  if (!response?.ok)
    printStep('agent', `could not report ${state}: ${response ? await detailOf(response) : 'the lease has ended'}`)
}
