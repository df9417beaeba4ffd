/** Prints what happens, when it happened, and who did it. */
import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

// A person who pipes the output on, or asked for none, gets no colours.
const coloured = process.stdout.isTTY && !process.env.NO_COLOR

const paint = (style: Style, text: string): string => (coloured ? styleText(style, text) : text)

export const dim = (text: string): string => paint('dim', text)
export const strong = (text: string): string => paint('bold', text)

/** A tick or a cross before what was checked. */
export const checked = (good: boolean, what: string): string =>
  good ? `${paint('green', '✓')} ${what}` : `${paint('red', '✗')} ${paint('red', what)}`

const begun = performance.now()

/** One line: seconds since the start, who, and what. */
export function tell(who: string, what: string): void {
  const seconds = `+${((performance.now() - begun) / 1000).toFixed(3)}s`
  console.log(`  ${dim(seconds.padStart(8))}  ${paint('cyan', who.padEnd(9))} ${what}`)
}
