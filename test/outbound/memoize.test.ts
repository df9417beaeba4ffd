import { expect, test } from 'bun:test'
import { memoize } from '../../core/values/memoize.ts'

test('a result is computed once, and evicted by newer ones', () => {
  const computed: string[] = []
  const length = memoize(2, (text) => {
    computed.push(text)
    return text === 'null' ? null : text.length
  })
  expect(['a', 'null', 'a', 'null'].map(length)).toEqual([1, null, 1, null])
  expect(computed).toEqual(['a', 'null'])
  expect(['ccc', 'null', 'ccc', 'a'].map(length)).toEqual([3, null, 3, 1])
  expect(computed).toEqual(['a', 'null', 'ccc', 'a'])
})

test('an error is not cached', () => {
  let calls = 0
  const fails = memoize(2, () => {
    calls += 1
    throw new Error('no')
  })
  expect(() => fails('a')).toThrow('no')
  expect(() => fails('a')).toThrow('no')
  expect(calls).toBe(2)
})
