import { expect, test } from 'bun:test'
import { rollbackTarget } from '../../worker/deliverables/documents/running-versions.ts'
import type { Environment, FinishedRollout } from '../../worker/deliverables/project-data.ts'

type Step = [version: string | null, what?: 'failed' | 'rollback' | 'failed rollback']

/** The data of environments after rollouts, oldest first. */
function after(steps: Record<string, Step[]>, hooks: string[] = []): Parameters<typeof rollbackTarget>[0] {
  const rollouts = Object.entries(steps).flatMap(([environment, all]) =>
    all.map(([version, what = '']) => ({
      environment,
      version,
      event: what.endsWith('rollback') ? 'deployment.rollback' : 'gate.approved',
      state: what.startsWith('failed') ? 'failed' : 'succeeded',
    })),
  ) as FinishedRollout[]
  const environments = Object.keys(steps).map((environment) => {
    const of = rollouts.filter((each) => each.environment === environment)
    const succeeded = of.filter(({ state }) => state === 'succeeded')
    return { environment, current: succeeded.at(-1) ?? null, previous: succeeded.at(-2) ?? null, latest: of.at(-1) ?? null }
  }) as unknown as Environment[]
  return { rollouts, environments, hooks: hooks.map((environment) => ({ environment })) as never }
}

test('the target is the version before that of production, never that of another environment', () => {
  expect(rollbackTarget(after({ production: [['v1'], ['v2']], staging: [['v3'], ['v4']] }))).toBe('v1')
  expect(rollbackTarget(after({ production: [['v2']], staging: [['v3'], ['v4']] }))).toBeNull()
  expect(rollbackTarget(after({ staging: [['v3'], ['v4']] }, ['production']))).toBeNull()
})

test('without production it is that of the only environment in which it is known', () => {
  expect(rollbackTarget(after({ live: [['v1'], ['v2']], staging: [['v3']] }))).toBe('v1')
  expect(rollbackTarget(after({ live: [['v1'], ['v2']], staging: [['v1'], ['v2']] }))).toBeNull()
  expect(rollbackTarget(after({}))).toBeNull()
})

test('after a failed rollout it is the version that runs', () => {
  expect(rollbackTarget(after({ production: [['v1'], ['v2'], ['v3', 'failed']] }))).toBe('v2')
  // Who tried to leave v2 does not want it back.
  expect(rollbackTarget(after({ production: [['v1'], ['v2'], ['v1', 'failed rollback']] }))).toBe('v1')
})

test('it is never the version that runs, nor one that was rolled back', () => {
  expect(rollbackTarget(after({ production: [['v1'], ['v1']] }))).toBeNull()
  expect(rollbackTarget(after({ production: [['v0'], ['v1'], ['v1']] }))).toBe('v0')
  expect(rollbackTarget(after({ production: [['v0'], ['v1'], ['v2'], ['v1', 'rollback']] }))).toBe('v0')
  expect(rollbackTarget(after({ production: [['v1'], ['v2'], ['v1', 'rollback']] }))).toBeNull()
  expect(rollbackTarget(after({ production: [['v1'], [null]] }))).toBeNull()
})

test('after a rollback it is further back, not what was rolled out in between', () => {
  const steps: Step[] = [['v1'], ['v2'], ['v3'], ['v4'], ['v2', 'rollback']]
  expect(rollbackTarget(after({ production: steps }))).toBe('v1')
  expect(rollbackTarget(after({ production: [['v1'], ['v2'], ['v3'], ['v1', 'rollback']] }))).toBeNull()
  expect(rollbackTarget(after({ production: [...steps, ['v5']] }))).toBe('v2')
})
