/** Renders the Mermaid charts of documents as SVG, without a script, so that they print. */
import type { ComponentChildren, VNode } from 'preact'

interface Bar {
  name: string
  value: number
}

const COLORS = ['#2f7d4f', '#0b5cad', '#b7791f', '#7a8794', '#8a4fbf', '#b3403a']
const ROW = 30
const LABELS = 130
const WIDTH = 560

function figure(title: string, bars: Bar[], width: number, height: number, shapes: ComponentChildren, kind?: string): VNode {
  const description = `${title}. ${bars.map(({ name, value }) => `${name}: ${value}`).join(', ')}`
  return (
    <figure class={kind}>
      <figcaption>{title}</figcaption>
      <svg xmlns="http://www.w3.org/2000/svg" viewBox={`0 0 ${width} ${height}`} width="100%" role="img" aria-label={description}>
        {shapes}
      </svg>
    </figure>
  )
}

/** Parts of a whole, as horizontal bars: they are easier to read than a pie. */
function parts(title: string, lines: string[]): VNode | null {
  const bars = lines.flatMap((line) => {
    const [, name, value] = /^ {2}"([^"]+)" : (\d+(?:\.\d+)?)$/.exec(line) ?? []
    return name === undefined ? [] : [{ name, value: Number(value) }]
  })
  if (bars.length === 0) return null
  const most = Math.max(...bars.map(({ value }) => value), 1)
  const shapes = bars.map(({ name, value }, index) => {
    const y = index * ROW
    const width = Math.round((value / most) * (WIDTH - LABELS - 60))
    return [
      <text x={LABELS - 10} y={y + 20} text-anchor="end">
        {name}
      </text>,
      <rect x={LABELS} y={y + 5} width={width} height={ROW - 10} rx={3} fill={COLORS[index % COLORS.length]} />,
      <text x={LABELS + width + 8} y={y + 20}>
        {value}
      </text>,
    ]
  })
  return figure(title, bars, WIDTH, bars.length * ROW, shapes)
}

const COLUMN = 30
const PLOT = 90
const TOP = 18

/** Values over time, as vertical bars; the first and the last are labelled, and each has its value above. */
function columns(title: string, lines: string[]): VNode | null {
  const [, names] = /^ {2}x-axis \[(.+)\]$/.exec(lines.find((line) => line.startsWith('  x-axis')) ?? '') ?? []
  const [, values] = /^ {2}bar \[([\d., ]+)\]$/.exec(lines.find((line) => line.startsWith('  bar')) ?? '') ?? []
  if (names === undefined || values === undefined) return null
  const labels = [...names.matchAll(/"([^"]*)"/g)].map(([, name = '']) => name)
  const bars = values.split(', ').map((value, index) => ({ name: labels[index] ?? '', value: Number(value) }))
  const most = Math.max(...bars.map(({ value }) => value)) || 1
  const shapes = bars.map(({ name, value }, index) => {
    const x = index * COLUMN
    const height = value === 0 ? 1 : Math.max(2, Math.round((value / most) * PLOT))
    const isFirst = index === 0
    return [
      <rect x={x + 3} y={TOP + PLOT - height} width={COLUMN - 6} height={height} rx={2} />,
      <text x={x + COLUMN / 2} y={TOP + PLOT - height - 5} text-anchor="middle">
        {value === 0 ? '' : value >= 100 ? Math.round(value) : value}
      </text>,
      (isFirst || index === bars.length - 1) && (
        <text x={isFirst ? x + 3 : x + COLUMN - 3} y={TOP + PLOT + 16} text-anchor={isFirst ? 'start' : 'end'}>
          {name}
        </text>
      ),
    ]
  })
  return figure(title, bars, bars.length * COLUMN, TOP + PLOT + 22, shapes, 'bars')
}

/** @returns a figure with an inline SVG; null if the text is not one of our charts */
export function chart(mermaid: string): VNode | null {
  const [first = '', ...rest] = mermaid.split('\n')
  const [, pie] = /^pie showData title (.+)$/.exec(first) ?? []
  if (pie !== undefined) return parts(pie, rest)
  const [, title] = /^ {2}title "([^"]+)"$/.exec(rest[0] ?? '') ?? []
  return first === 'xychart-beta' && title !== undefined ? columns(title, rest) : null
}
