import { expect, test } from 'bun:test'
import { Deadline, DeadlineExpired } from '../../core/outbound/deadline.ts'

const never = new Promise<never>(() => {})

test('wait() returns the result, or rejects when the deadline expires', async () => {
  const deadline = new Deadline(5)
  expect(await deadline.wait(Promise.resolve('done'))).toBe('done')
  await expect(deadline.wait(Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  await expect(deadline.wait(never)).rejects.toBeInstanceOf(DeadlineExpired)
  expect(deadline.hasExpired).toBeTrue()
  await expect(deadline.wait(never)).rejects.toBeInstanceOf(DeadlineExpired)
})

test('expiry abandons the step in progress, and none that has finished', async () => {
  const abandoned: string[] = []
  const deadline = new Deadline(5)
  deadline.begin(() => abandoned.push('first'))
  deadline.finish()
  const expired = Promise.withResolvers<void>()
  deadline.begin(() => {
    abandoned.push('second')
    expired.resolve()
  })
  await expired.promise
  deadline.begin(() => abandoned.push('late'))
  expect(abandoned).toEqual(['second', 'late'])
})

test('an ended deadline never expires', async () => {
  const [ended, other] = [new Deadline(1), new Deadline(2)]
  ended.begin(() => expect.unreachable())
  ended.end()
  await expect(other.wait(never)).rejects.toBeInstanceOf(DeadlineExpired)
  expect(ended.hasExpired).toBeFalse()
})
