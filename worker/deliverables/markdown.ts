/** Markdown (CommonMark with the tables of GFM) whose structure is ours alone, whatever stands in the data. */

/**
 * Text on one line, for a place inside a line: what would be markup is escaped.
 *
 * @see https://spec.commonmark.org/0.31.2/#backslash-escapes
 */
export function inline(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_[\]<>|~&#!$]/g, '\\$&')
}

/** Text at the beginning of a line, where a list, a quotation or a rule would begin too. */
export function line(text: string): string {
  return inline(text)
    .replace(/^([-+=])/, '\\$1')
    .replace(/^(\d{1,9})([.)])/, '$1\\$2')
}

const ITEM = /^\s*(?:[-*+•]|\d{1,9}[.)])\s+(.+)$/

/** Running text: its paragraphs and its simple lists stay, all other markup arrives as it was typed. */
export function prose(text: string): string {
  const blocks: string[][] = []
  let kind = ''
  for (const each of text.split(/\r\n|\r|\n/)) {
    const [, item] = ITEM.exec(each) ?? []
    const now = each.trim() === '' ? '' : item === undefined ? 'paragraph' : 'list'
    if (now !== '') {
      if (now !== kind) blocks.push([])
      blocks.at(-1)?.push(item === undefined ? line(each) : `- ${line(item)}`)
    }
    kind = now
  }
  return blocks.map((lines) => lines.join('\n')).join('\n\n')
}

/** A link whose words come from the data. Its address is ours, or was checked to be http(s) when it was stored. */
export const link = (words: string, address: string): string =>
  `[${inline(words)}](<${address.replaceAll(/[<>\s\\]/g, encodeURIComponent)}>)`

/** Code in a line, also where it holds backticks. */
export function code(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim()
  const longest = Math.max(0, ...[...flat.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  const pad = flat.startsWith('`') || flat.endsWith('`') ? ' ' : ''
  // In a cell of a table a bar would end the cell, even in code.
  return `${fence}${pad}${flat.replaceAll('|', '\\|')}${pad}${fence}`
}

/** A block of code. */
export function block(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

export const heading = (level: number, text: string): string => `${'#'.repeat(level)} ${inline(text)}`

/** A list; its items are Markdown already. */
export const bullets = (items: string[]): string => items.map((item) => `- ${item}`).join('\n')

/** A list of steps; its items are Markdown already. */
export const steps = (items: string[]): string => items.map((item, index) => `${index + 1}. ${item}`).join('\n')

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
