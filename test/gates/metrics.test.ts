/** Metrics of a gate as people read them. */
import { expect, test } from 'bun:test'
import { metricsText, numberText } from '../../core/gates/metrics.ts'

test('metrics that changed come first, with the difference', () => {
  const before = { coverage: 81.5, lint: 0, tests: 406, bytes: 10 }
  expect(metricsText({ bytes: 10, coverage: 81.2, lint: 0.0002, tests: 418, new_ones: 3 }, before)).toBe(
    'coverage 81.2 (−0.3 since the execution before); lint 0.0002 (+0.0002); tests 418 (+12); bytes 10; new ones 3',
  )
  expect(metricsText({ tests: 418 }, null)).toBe('tests 418')
  expect(metricsText({}, before)).toBeNull()
})

test('huge and tiny numbers are short', () => {
  const values = [1e308, -1.7976931348623157e308, 5e-324, 123_456_789.123456, 0.1 + 0.2, 0, 2 ** 53]
  expect(values.map(numberText)).toEqual(['1E308', '-1.798E308', '5E-324', '123,456,789.123', '0.3', '0', '9.007E15'])
  expect(metricsText({ x: 1e308 }, { x: -1e308 })).toBe('x 1E308 (+∞ since the execution before)')
})

test('long and hostile names, and many of them, stay one short line', () => {
  const names = ['a\u202egnp.exe', 'b\nSubject: harmless', 'c'.repeat(10_000), '&'.repeat(200), '<@U1>', 'z1', 'z2']
  const text = metricsText(Object.fromEntries(names.map((name, index) => [name, index])), null) ?? ''
  expect(text).not.toMatch(/[\n\u202e]/)
  expect(text.length).toBeLessThan(250)
  expect(text).toEndWith('; 2 more')
})
