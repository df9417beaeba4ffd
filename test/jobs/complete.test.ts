import { expect, test } from 'bun:test'
import { completeAfter } from './failing-completion.ts'

/** The second hunk of patches/graphile-worker@0.18.0.patch. */
test('a job whose completion fails is completed by a retry, and the pool goes on', async () => {
  expect(await completeAfter(2)).toEqual({ runs: 1, left: 0 })
})
