import { describe, expect, test } from 'bun:test'
import { type Slot, Slots } from '../../worker/delivery/slots.ts'

/** Slots, with a record of which lanes were granted one, in order. */
function recordingSlots(size: number) {
  const slots = new Slots(size)
  const granted: string[] = []
  const held = new Map<string, Slot>()
  const acquire = (tenant: string, lane = tenant, isFailing = false) =>
    void slots.acquire(tenant, isFailing).then((slot) => {
      granted.push(lane)
      held.set(lane, slot)
    })
  const release = (lane: string) => {
    const slot = held.get(lane)
    if (!slot) throw new Error(`${lane} holds no slot`)
    held.delete(lane)
    slots.release(slot)
  }
  /** The lanes granted since the last call. */
  const newlyGranted = async () => {
    await Promise.resolve()
    return granted.splice(0)
  }
  return { slots, acquire, release, newlyGranted: newlyGranted }
}

describe('slots', () => {
  test('go to the tenant that holds the fewest, and among those to the one that has waited longest', async () => {
    const { acquire, release, newlyGranted, slots } = recordingSlots(3)
    for (const lane of ['a1', 'a2', 'a3', 'a4']) acquire('a', lane)
    for (const lane of ['b1', 'b2']) acquire('b', lane)
    acquire('c', 'c1')
    expect(await newlyGranted()).toEqual(['a1', 'a2', 'a3'])
    release('a1')
    expect(await newlyGranted()).toEqual(['b1'])
    release('a2')
    expect(await newlyGranted()).toEqual(['c1'])
    release('a3')
    // b and c hold one each, a holds none.
    expect(await newlyGranted()).toEqual(['a4'])
    release('c1')
    expect(await newlyGranted()).toEqual(['b2'])
    for (const lane of ['a4', 'b1', 'b2']) release(lane)
    expect(slots.tenants()).toEqual([])
  })

  test('alternate between tenants that hold equally many', async () => {
    const { acquire, release, newlyGranted } = recordingSlots(1)
    for (const lane of ['a1', 'a2', 'a3']) acquire('a', lane)
    for (const lane of ['b1', 'b2']) acquire('b', lane)
    for (const next of ['a1', 'b1', 'a2', 'b2', 'a3']) {
      expect(await newlyGranted()).toEqual([next])
      release(next)
    }
  })

  test('of the last quarter go to tenants that hold none', async () => {
    const { acquire, release, newlyGranted } = recordingSlots(12)
    for (let each = 1; each <= 12; each++) acquire('a', `a${each}`)
    expect(await newlyGranted()).toHaveLength(9)
    acquire('b')
    expect(await newlyGranted()).toEqual(['b'])
    release('b')
    expect(await newlyGranted()).toEqual([])
    release('a1')
    expect(await newlyGranted()).toEqual(['a10'])
  })

  test('are left although fifty tenants, one after the other, have ten slow requests each', async () => {
    const { acquire, newlyGranted } = recordingSlots(256)
    for (let tenant = 1; tenant <= 50; tenant++) {
      for (let each = 1; each <= 10; each++) acquire(`slow ${tenant}`)
      await newlyGranted()
    }
    acquire('quiet')
    expect(await newlyGranted()).toEqual(['quiet'])
  })

  test('go to failing lanes up to a half, and healthy lanes behind them are not delayed', async () => {
    const { acquire, release, newlyGranted } = recordingSlots(4)
    for (const lane of ['a1', 'a2', 'a3']) acquire('a', lane, true)
    acquire('b', 'b1', true)
    expect(await newlyGranted()).toEqual(['a1', 'a2'])
    acquire('a', 'a4')
    acquire('c')
    expect(await newlyGranted()).toEqual(['a4', 'c'])
    release('a1')
    expect(await newlyGranted()).toEqual(['b1'])
    release('c')
    expect(await newlyGranted()).toEqual([])
    release('b1')
    expect(await newlyGranted()).toEqual(['a3'])
  })
})
