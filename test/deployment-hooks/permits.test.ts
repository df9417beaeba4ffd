import { describe, expect, test } from 'bun:test'
import { type Permit, Permits } from '../../worker/delivery/permits.ts'

/** Permits, with a record of which lanes were granted one, in order. */
function recordingPermits(size: number) {
  const permits = new Permits(size)
  const granted: string[] = []
  const held = new Map<string, Permit>()
  const acquire = (tenant: string, lane = tenant, isFailing = false) =>
    void permits.acquire(tenant, isFailing).then((permit) => {
      granted.push(lane)
      held.set(lane, permit)
    })
  const release = (lane: string) => {
    const permit = held.get(lane)
    if (!permit) throw new Error(`${lane} holds no permit`)
    held.delete(lane)
    permits.release(permit)
  }
  /** The lanes granted since the last call. */
  const newlyGranted = async () => {
    await Promise.resolve()
    return granted.splice(0)
  }
  return { permits, acquire, release, newlyGranted: newlyGranted }
}

describe('permits', () => {
  test('go to the tenant that holds the fewest, and among those to the one that has waited longest', async () => {
    const { acquire, release, newlyGranted, permits } = recordingPermits(3)
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
    expect(permits.tenants()).toEqual([])
  })

  test('alternate between tenants that hold equally many', async () => {
    const { acquire, release, newlyGranted } = recordingPermits(1)
    for (const lane of ['a1', 'a2', 'a3']) acquire('a', lane)
    for (const lane of ['b1', 'b2']) acquire('b', lane)
    for (const next of ['a1', 'b1', 'a2', 'b2', 'a3']) {
      expect(await newlyGranted()).toEqual([next])
      release(next)
    }
  })

  test('of the last quarter go to tenants that hold none', async () => {
    const { acquire, release, newlyGranted } = recordingPermits(12)
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
    const { acquire, newlyGranted } = recordingPermits(256)
    for (let tenant = 1; tenant <= 50; tenant++) {
      for (let each = 1; each <= 10; each++) acquire(`slow ${tenant}`)
      await newlyGranted()
    }
    acquire('quiet')
    expect(await newlyGranted()).toEqual(['quiet'])
  })

  test('go to failing lanes up to a half, and healthy lanes behind them are not delayed', async () => {
    const { acquire, release, newlyGranted } = recordingPermits(4)
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
