import { expect, test } from 'bun:test'
import { generateSecret, generateSync } from 'otplib'
import { stepOf } from '../../api/auth/totp.ts'

const NOW = 1_764_000_010
const STEP = Math.floor(NOW / 30)
const secret = generateSecret()
const codeAt = (step: number) => generateSync({ secret, epoch: step * 30 })

test('the example of RFC 6238 is a code of its second', () => {
  // "12345678901234567890" in base 32; the RFC lists 8 digits, of which an app shows the last 6.
  expect(stepOf('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', '287082', 0, 59)).toBe(1)
  expect(stepOf('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', '081804', 0, 1_111_111_109)).toBe(37_037_036)
})

test('a code counts one step early and late, not two, and not with a clock that is off by minutes', () => {
  const accepted = [-10, -2, -1, 0, 1, 2, 10].filter((steps) => stepOf(secret, codeAt(STEP + steps), 0, NOW) !== null)
  expect(accepted).toEqual([-1, 0, 1])
  for (const second of [0, 1, 15, 29]) {
    expect(stepOf(secret, codeAt(STEP - 1), 0, STEP * 30 + second)).toBe(STEP - 1)
    expect(stepOf(secret, codeAt(STEP + 1), 0, STEP * 30 + second)).toBe(STEP + 1)
    expect(stepOf(secret, codeAt(STEP - 2), 0, STEP * 30 + second)).toBeNull()
    expect(stepOf(secret, codeAt(STEP + 2), 0, STEP * 30 + second)).toBeNull()
  }
})

test('no code counts after it or a later one was used', () => {
  expect(stepOf(secret, codeAt(STEP), STEP, NOW)).toBeNull()
  expect(stepOf(secret, codeAt(STEP - 1), STEP, NOW)).toBeNull()
  expect(stepOf(secret, codeAt(STEP + 1), STEP, NOW)).toBe(STEP + 1)
})

test('a code may be typed with a blank', () => {
  const code = codeAt(STEP)
  expect(stepOf(secret, `${code.slice(0, 3)} ${code.slice(3)}`, 0, NOW)).toBe(STEP)
})
