/** Prints the steps of a command: when, who, what. */
import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

// No colors in a pipe, or where NO_COLOR asks for none.
const colored = process.stdout.isTTY && !process.env.NO_COLOR

export const paint = (style: Style, text: string): string => (colored ? styleText(style, text) : text)

export const dim = (text: string): string => paint('dim', text)
export const strong = (text: string): string => paint('bold', text)

/** Puts a tick or a cross before the result of a check. */
export const checked = (good: boolean, what: string): string =>
  good ? `${paint('green', '✓')} ${what}` : `${paint('red', '✗')} ${paint('red', what)}`

const begun = performance.now()

/** Prints one line: seconds since the start, who, what. */
export function printStep(who: string, what: string): void {
  const seconds = `+${((performance.now() - begun) / 1000).toFixed(3)}s`
  console.log(`  ${dim(seconds.padStart(8))}  ${paint('cyan', who.padEnd(9))} ${what}`)
}
