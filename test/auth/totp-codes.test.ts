import { expect, test } from 'bun:test'
import { generateSecret, generateSync } from 'otplib'
import { stepOf } from '../../api/auth/totp.ts'
import { isSixDigits, typedCode } from '../../api/auth/typed-codes.ts'
import { typedUserCode } from '../../api/oauth/device-authorizations.ts'

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

const inScript = (zero: number) => (code: string) => code.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))
const between = (separator: string) => (code: string) => `${code.slice(0, 3)}${separator}${code.slice(3)}`
const WAYS: [string, (code: string) => string][] = [
  ['a blank', between(' ')],
  ['a hyphen', between('-')],
  ['a dash', between('–')],
  ['a minus sign', between('\u2212')],
  ['a point', between('.')],
  ['a no-break space', between('\u00a0')],
  ['a narrow no-break space', between('\u202f')],
  ['a figure space', between('\u2007')],
  ['blanks around', (code) => `\t ${code}\r\n`],
  ['blanks between all', (code) => [...code].join(' ')],
  ['characters that are not seen', (code) => `\u200e\u2066${between('\u200b')(code)}\u2069\ufeff`],
  ['full-width digits', inScript(0xff10)],
  ['Arabic-Indic digits', inScript(0x660)],
  ['Persian digits', inScript(0x6f0)],
  ['Devanagari digits', inScript(0x966)],
  ['Thai digits', inScript(0xe50)],
  ['Adlam digits', inScript(0x1e950)],
  ['bold digits of mathematics', inScript(0x1d7ce)],
  ['sans-serif digits of mathematics', inScript(0x1d7e2)],
]

test.each(WAYS)('a code may be typed with %s', (_, typed) => {
  for (const digits of ['012345', '678909']) expect(typedCode(typed(digits))).toBe(digits)
  expect(stepOf(secret, typed(codeAt(STEP)), 0, NOW)).toBe(STEP)
  // Recovery codes and codes of devices are typed by the same people.
  expect(typedCode(typed('K3vD7Q'))).toBe('k3vd7q')
  expect(typedUserCode(typed('wdjBmjht'))).toBe('WDJBMJHT')
})

test('letters of full width are letters', () => {
  expect(typedUserCode('ＷＤＪＢ－ｍｊｈｔ')).toBe('WDJBMJHT')
  expect(typedCode('Ｋ３ＶＤ—İ')).toBe('k3vdi')
})

test.each(['', '12345', '1234567', '12345a', 'ⅣⅣⅣⅣⅣⅣ', '½½½½½½', '一二三四五六', '\u0660'.repeat(7)])('%p is no code', (text) => {
  expect(isSixDigits(text)).toBe(false)
})
