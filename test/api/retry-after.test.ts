import { expect, test } from 'bun:test'
import { PROBLEMS, Problem, type ProblemCode } from '../../api/problems.ts'

test('every 503 says when to try again', () => {
  const codes = (Object.keys(PROBLEMS) as ProblemCode[]).filter((code) => PROBLEMS[code][0] === 503)
  expect(codes.length).toBeGreaterThan(0)
  for (const code of codes) {
    expect([code, new Problem(code, '').headers]).toEqual([code, { 'Retry-After': '2' }])
    expect(new Problem(code, '', undefined, { 'Retry-After': '9' }).headers).toEqual({ 'Retry-After': '9' })
  }
})
