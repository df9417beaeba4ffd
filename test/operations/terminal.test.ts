import { expect, test } from 'bun:test'
import { readable } from '../../bin/support/lines.ts'
import { jsonOnTerminal, onTerminal } from '../../cli/support/terminal.js'

const HOSTILE = 'a\u202Eb\x1b[31mc\x9bd\u2028e\u061cf\rg'

test('a text becomes one line that controls nothing', () => {
  expect(onTerminal(HOSTILE)).toMatch(/^a b ?c[^\p{Cc}\p{Bidi_Control}\p{Zl}]*g$/u)
  expect(onTerminal('Grüße, 北京 👩‍🚀')).toBe('Grüße, 北京 👩‍🚀')
})

test('JSON has the same value, and only visible characters', () => {
  expect(JSON.parse(jsonOnTerminal({ name: HOSTILE }))).toEqual({ name: HOSTILE })
  expect(jsonOnTerminal({ name: HOSTILE })).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}]/u)
})

test('a line of the log has no such characters either', () => {
  const line = JSON.stringify({
    level: 'info',
    time: '2026-01-01T00:00:00Z',
    message: 'stored',
    name: 'a\u202Eb',
    error: { message: 'x\x9by' },
  })
  expect(readable(line)).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
})
