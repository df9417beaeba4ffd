/** Markdown (CommonMark with the tables of GFM) whose structure is ours alone, whatever stands in the data. */

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** @see https://spec.commonmark.org/0.31.2/#backslash-escapes */
const escaped = (text: string): string => text.replaceAll(/[\\`*_[\]<>|~&#!$]/g, '\\$&')

/**
 * Escapes also what GFM makes a link of by itself: `http://`, `www.`, an e-mail address.
 *
 * @see https://github.github.com/gfm/#autolinks-extension-
 */
const unlinked = (text: string): string => escaped(text).replaceAll(/:(?=\/\/)|(?<=www)\.|@/gi, '\\$&')

/** Where a line begins, a list, a quotation, a rule, an underline of a heading or of a table would begin too. */
const atStart = (markdown: string): string => markdown.replace(/^[-+=:]/, '\\$&').replace(/^(\d{1,9})([.)])/, '$1\\$2')

/** Text on one line, for a place inside a line: what would be markup is escaped. */
export const inline = (text: string): string => unlinked(flat(text))

/** Text at the beginning of a line. */
export const line = (text: string): string => atStart(inline(text))

/** Text as `inline` has it, but what was put between single backticks is code. In a table a bar would end it. */
export const withCode = (text: string): string =>
  flat(text)
    .split(/((?<!`)`[^`]*[^`\s][^`]*`(?!`))/)
    .map((each, index) => (index % 2 === 1 && !each.includes('|') ? code(each.slice(1, -1)) : unlinked(each)))
    .join('')

const ITEM = /^(?:[-*+•]|(?<number>\d{1,9})[.)])\s+(?<item>.+)$/

/** Running text: its paragraphs, simple lists and code in a line stay, all other markup arrives as it was typed. */
export function prose(text: string): string {
  const blocks: string[][] = []
  let kind = ''
  for (const each of text.split(/\r\n|\r|\n/)) {
    const { number, item } = ITEM.exec(each.trim())?.groups ?? {}
    const now = each.trim() === '' ? '' : item === undefined ? 'paragraph' : number === undefined ? 'list' : 'steps'
    if (now !== '') {
      if (now !== kind) blocks.push([])
      const mark = number === undefined ? '-' : `${number}.`
      blocks.at(-1)?.push(item === undefined ? atStart(withCode(each)) : `${mark} ${atStart(withCode(item))}`)
    }
    kind = now
  }
  return blocks.map((lines) => lines.join('\n')).join('\n\n')
}

/** A link whose words come from the data; inside a link no other begins. Its address is ours, or was checked to be http(s) when it was stored. */
export const link = (words: string, address: string): string =>
  `[${escaped(flat(words))}](<${address.replaceAll(/[<>\s\\|`]/g, encodeURIComponent).replaceAll('&', '\\&')}>)`

/** Code in a line, also where it holds backticks. */
export function code(text: string): string {
  const words = flat(text)
  // Two backticks with nothing between them would open code that ends at the next two.
  if (words === '') return ''
  // A table ends its cell at a bar after two backslashes, and code has no other way to write them.
  if (words.includes('\\|')) return unlinked(words)
  const longest = Math.max(0, ...[...words.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  const pad = words.startsWith('`') || words.endsWith('`') ? ' ' : ''
  // In a cell of a table a bar would end the cell, even in code.
  return `${fence}${pad}${words.replaceAll('|', '\\|')}${pad}${fence}`
}

/** A block of code. */
export function block(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

export const heading = (level: number, text: string): string => `${'#'.repeat(level)} ${inline(text)}`

/** A list. Its items are Markdown already, of one line each; what they begin with begins no list inside the list. */
export const bullets = (items: string[]): string => items.map((item) => `- ${atStart(item)}`).join('\n')

/** A list of steps, with items as those of `bullets`. */
export const steps = (items: string[]): string => items.map((item, index) => `${index + 1}. ${atStart(item)}`).join('\n')

/** A table; its cells are Markdown already. Columns of numbers are named in `right`. */
export function table(head: string[], rows: string[][], right: number[] = []): string {
  const rule = head.map((_, index) => (right.includes(index) ? '---:' : '---'))
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** A pie chart as Mermaid writes it, which forges draw; the HTML of a document draws it too. */
export const pie = (title: string, parts: [string, number][]): string =>
  block(
    [`pie showData title ${title}`, ...parts.map(([name, value]) => `  "${name.replaceAll(/["\n]/g, "'")}" : ${value}`)].join(
      '\n',
    ),
    'mermaid',
  )

/** A document of blocks; what is empty leaves no gap. */
export const joined = (blocks: (string | null | false)[]): string => `${blocks.filter(Boolean).join('\n\n')}\n`
