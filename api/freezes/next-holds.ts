/** When freezes hold next, for people who look over a policy. */

import { type Freeze, holdAt, isRecurring, nextStart } from '../../core/freezes/held-until.ts'
import { DAY_MS } from '../../core/values/instants.ts'
import { convertEach } from '../plugins/long-lists.ts'

/** A time in which a freeze holds; starts that overlap are joined. */
export interface Hold {
  /** Null if it holds now. */
  from: Date | null
  until: Date
}

export interface ExpectedFreeze {
  freeze: Freeze
  /** Those to come, earliest first. None: it is over. */
  holds: Hold[]
}

const MAX_HOLDS = 3

/** Leap days can be eight years apart. */
const HORIZON_MS = 9 * 366 * DAY_MS

function holdsOf(freeze: Freeze, now: Date): Hold[] {
  if (!isRecurring(freeze)) {
    const [from, until] = [new Date(freeze.from), new Date(freeze.until)]
    return until > now ? [{ from: from > now ? from : null, until }] : []
  }
  const holds: Hold[] = []
  let at = now
  while (holds.length < MAX_HOLDS) {
    const already = holdAt([freeze], at)
    const from = already ? at : nextStart([freeze], at, HORIZON_MS)
    const hold = already ?? holdAt([freeze], from)
    if (!hold) break
    holds.push({ from: from === now ? null : from, until: hold.until })
    at = hold.until
  }
  return holds
}

/** What to expect of freezes, one after the other, as each may take milliseconds. */
export const expectedFreezes = (freezes: Freeze[], now: Date): Promise<ExpectedFreeze[]> =>
  convertEach(freezes, (freeze) => ({ freeze, holds: holdsOf(freeze, now) }))
