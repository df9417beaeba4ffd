/** What is written to the terminal. Results go to standard output, everything else to standard error. */
import { stripVTControlCharacters } from 'node:util'

/** Control characters, line separators, and characters that change the direction of text. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/**
 * Text of others as one line, in which nothing controls the terminal or changes the direction of text.
 *
 * @param {string} text
 */
export const onTerminal = (text) => stripVTControlCharacters(text).replaceAll(UNSAFE, ' ')

/**
 * JSON in which such characters are escaped: the same value for a program that reads it.
 *
 * @param {unknown} value
 */
export const jsonOnTerminal = (value) =>
  JSON.stringify(value).replaceAll(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** @param {NodeJS.WriteStream} stream */
function styles(stream) {
  // No colors in a pipe, or where NO_COLOR asks for none.
  const colored = stream.isTTY && !process.env.NO_COLOR
  /** @type {(start: number, end: number) => (text: string) => string} */
  const style = (start, end) => (text) => (colored ? `\x1b[${start}m${text}\x1b[${end}m` : text)
  return {
    dim: style(2, 22),
    strong: style(1, 22),
    cyan: style(36, 39),
    green: style(32, 39),
    yellow: style(33, 39),
    red: style(31, 39),
  }
}

export const out = styles(process.stdout)
export const err = styles(process.stderr)

/** @param {string} text */
export const printResult = (text) => process.stdout.write(`${text}\n`)

/** @param {unknown} value */
export const printJson = (value) => printResult(jsonOnTerminal(value))

/** @param {string} text */
export const printProgress = (text) => process.stderr.write(`${text}\n`)

/**
 * The result of a check, with a tick or a cross.
 *
 * @param {boolean} good
 * @param {string} what
 */
export const checked = (good, what) => (good ? `${out.green('✓')} ${what}` : `${out.red('✗')} ${out.red(what)}`)

/**
 * One line of what goes on: seconds since the start, who, what.
 *
 * @param {string} who
 * @param {string} what
 * @param {NodeJS.WriteStream} stream
 */
export function printStep(who, what, stream = process.stdout) {
  const { dim, cyan } = stream === process.stdout ? out : err
  const seconds = `+${(performance.now() / 1000).toFixed(3)}s`
  stream.write(`  ${dim(seconds.padStart(8))}  ${cyan(who.padEnd(9))} ${what}\n`)
}
