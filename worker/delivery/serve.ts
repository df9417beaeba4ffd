/** The lanes that this process serves. A job or the drain says which; from there on each serves itself. */

import { LANE_FLAG } from '../../core/jobs/lanes.ts'
import type { Lane, LaneKind } from '../../core/lanes.ts'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { hookDestination } from '../deployment-hooks/destination.ts'
import { channelDestination } from '../notification-channels/destination.ts'
import { workerId } from '../process/heartbeat.ts'
import type { Attempted, Destination, Due } from './destination.ts'
import { type Fault, faultOf } from './faults.ts'
import { type Means, maySend, notRunning, runLane, type Wake } from './lane-run.ts'
import { lease, release, retryUntilDone } from './lease.ts'
import { Permits } from './permits.ts'
import { Recorder } from './recorder.ts'

/** With so many lanes a worker takes only those of tenants that have none here; others go to other workers. */
const MOST_LANES = 500
/** After so long a lane that could not be served, such as one whose secret opens with no key, is tried again. */
const BROKEN_SECONDS = 5

const permits = new Permits(config.DELIVERY_IN_FLIGHT)

type Run = (lane: Lane, wake: Wake) => Promise<{ lane: Lane; fault: Fault | null }>

/** Binds a kind of destination to what its lanes share. */
function runOf<Target, Item extends Due, Attempt extends Attempted<Item>>(
  destination: Destination<Target, Item, Attempt>,
): { run: Run; leave: (lane: Lane, fault: Fault | null) => Promise<Lane | null> } {
  const means: Means<Target, Item, Attempt> = { destination, permits, recorder: new Recorder(destination) }
  return {
    run: async (lane, wake) => {
      try {
        return { lane: await runLane(means, lane, wake), fault: null }
      } catch (error) {
        const fault = faultOf(error)
        log.error({ error, [lane.kind]: lane.id, fault }, `${lane.kind} delivery failed; retrying in ${BROKEN_SECONDS} s`)
        return { lane, fault }
      }
    },
    leave: (lane, fault) =>
      retryUntilDone('releasing a lane', () =>
        release(lane, destination.nextDueAt, fault, fault !== null || !maySend(lane), fault === null ? 0 : BROKEN_SECONDS),
      ),
  }
}

const RUNS: Record<LaneKind, ReturnType<typeof runOf>> = {
  hook: runOf(hookDestination),
  channel: runOf(channelDestination),
}

/** A lane that this process serves. */
interface Served {
  organization_id: string
  /** It was woken since it was last looked at. */
  isWoken: boolean
  wake: Wake
  done: Promise<void>
}

const served = new Map<string, Served>()

/** Serves a lane that is leased until nothing is due, releases it, and begins anew where it was woken meanwhile. */
async function serve(leased: Lane, entry: Served): Promise<void> {
  let lane: Lane | null = leased
  while (lane !== null) {
    entry.isWoken = false
    const { run, leave }: ReturnType<typeof runOf> = RUNS[lane.kind]
    const { lane: seen, fault }: { lane: Lane; fault: Fault | null } = await run(lane, entry.wake)
    Object.assign(entry.wake, notRunning())
    const { id }: Lane = seen
    lane = await leave(seen, fault)
    if (lane === null && entry.isWoken && fault === null) lane = await retryUntilDone('leasing a lane', () => lease(id))
  }
  served.delete(leased.id)
}

/** Serves lanes that the drain has leased for this process; those that it serves already have more to send. */
export function serveLeased(lanes: (Lane & { revision: number })[]): void {
  for (const lane of lanes) {
    const entry = served.get(lane.id)
    if (!entry) start(lane)
    else {
      entry.isWoken = true
      entry.wake.more(lane.revision)
    }
  }
}

function start(lane: Lane): void {
  const entry: Served = {
    organization_id: lane.organization_id,
    isWoken: false,
    wake: notRunning(),
    done: Promise.resolve(),
  }
  served.set(lane.id, entry)
  entry.done = serve(lane, entry)
}

/**
 * dispatch_hook, deliver_channel: leases a lane and leaves it to this process to serve. The job ends at once, so that slow
 * receivers occupy no slots for jobs.
 */
export async function serveLane(lane_id: string): Promise<void> {
  const entry = served.get(lane_id)
  if (entry) {
    entry.isWoken = true
    entry.wake.now()
    return
  }
  const lane = await lease(lane_id)
  if (lane) serveLeased([lane])
}

/** Whether the drain may lease lanes for this process. */
export const hasRoom = (): boolean => served.size < MOST_LANES

/** Flags of jobs that a full worker does not take: of tenants whose lanes it serves already. */
export const flagsOfFullTenants = (): string[] => (hasRoom() ? [] : permits.tenants().map((tenant) => LANE_FLAG + tenant))

/** Serves lanes that this process owns without knowing it: the drain leased them, and the answer to its commit was lost. */
export async function serveForgotten(): Promise<void> {
  const owned = await sql<{ id: string }[]>`select id from lanes where owner_id = ${workerId}`
  await Promise.all(owned.filter(({ id }) => !served.has(id)).map(({ id }) => serveLane(id)))
}

/** Resolves when nothing is in flight any more. */
export async function deliveriesDone(): Promise<void> {
  while (served.size > 0) await Promise.all([...served.values()].map(({ done }) => done))
}
