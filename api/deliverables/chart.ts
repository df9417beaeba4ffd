/** Renders the Mermaid pie charts of documents as SVG bar charts, which are easier to read and print. */

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const COLORS = ['#2f7d4f', '#0b5cad', '#b7791f', '#7a8794', '#8a4fbf', '#b3403a']
const ROW = 30
const LABELS = 130
const WIDTH = 560

/** @returns a figure with an inline SVG; null if the text is not one of our pie charts */
export function chart(mermaid: string): string | null {
  const [first = '', ...rest] = mermaid.split('\n')
  const [, title] = /^pie showData title (.+)$/.exec(first) ?? []
  const parts = rest.flatMap((line) => {
    const [, name, value] = /^ {2}"([^"]+)" : (\d+(?:\.\d+)?)$/.exec(line) ?? []
    return name === undefined ? [] : [{ name, value: Number(value) }]
  })
  if (title === undefined || parts.length === 0) return null
  const maxValue = Math.max(...parts.map(({ value }) => value), 1)
  const bars = parts.map(({ name, value }, index) => {
    const y = index * ROW
    const width = Math.round((value / maxValue) * (WIDTH - LABELS - 60))
    return `<text x="${LABELS - 10}" y="${y + 20}" text-anchor="end">${escaped(name)}</text><rect x="${LABELS}" y="${y + 5}" width="${width}" height="${ROW - 10}" rx="3" fill="${COLORS[index % COLORS.length]}"/><text x="${LABELS + width + 8}" y="${y + 20}">${value}</text>`
  })
  const description = parts.map(({ name, value }) => `${name}: ${value}`).join(', ')
  return `<figure><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${parts.length * ROW}" width="100%" role="img" aria-label="${escaped(`${title}. ${description}`)}">${bars.join('')}</svg><figcaption>${escaped(title)}</figcaption></figure>\n`
}
