import { expect, test } from 'bun:test'
import { completeAfter } from '../test/jobs/failing-completion.ts'

/** The first hunk of patches/graphile-worker@0.18.0.patch: without it, the pool gives up at the 20th failure. */
test('a job is completed even after its completion failed 22 times', async () => {
  expect(await completeAfter(22)).toEqual({ runs: 1, left: 0 })
})
