/**
 * Charts as inline SVG. Each stands next to its table, which says the same. They are stretched to the width of the page, so their texts are
 * outside. Series differ in how much they are filled, and lines in their dashes: they can be distinguished without colors.
 */
import type { ComponentChildren } from 'preact'

const HEIGHT = 100
const WIDTH = 10
const GAP = 3
/** Series that can be distinguished. */
export const MAX_SERIES = 5

interface Frame {
  /** What it shows, for screen readers. */
  label: string
  /** The names of the places on the x-axis; the first, the one in the middle and the last are shown. */
  names: string[]
  /** The names of the series, up to `MAX_SERIES`. */
  series: string[]
  /** A value as text, for the y-axis. */
  text: (value: number) => ComponentChildren
  /** Whether the last series is what went wrong. */
  failures?: boolean
}

/** How much the bars of each series are filled, and the dashes of its line. */
const FILLS = [1, 0.6, 0.3, 0.12, 0]
const DASHES = ['', '8 3', '2 3', '8 3 2 3', '14 6']

const barOf = (index: number, { length }: string[], failures = false) =>
  failures && index === length - 1 ? { class: 'over' } : { 'fill-opacity': FILLS[index] }

function Legend({ series, kind, failures }: Pick<Frame, 'series' | 'failures'> & { kind: 'bars' | 'lines' }) {
  if (series.length < 2) return null
  return (
    <p class="hint legend">
      {series.map((name, index) => (
        <span>
          <svg viewBox="0 0 12 12" aria-hidden="true">
            {kind === 'bars' ? (
              <rect {...barOf(index, series, failures)} x="1" y="1" width="10" height="10" />
            ) : (
              <line stroke-dasharray={DASHES[index]} x1="0" x2="12" y1="6" y2="6" />
            )}
          </svg>
          <bdi>{name}</bdi>
        </span>
      ))}
    </p>
  )
}

function Axes({
  label,
  names,
  series,
  text,
  top,
  failures,
  kind,
  children,
}: Frame & { top: number; kind: 'bars' | 'lines'; children: ComponentChildren }) {
  const width = names.length * WIDTH
  // What is counted has no halves.
  const marks = kind === 'bars' && top % 2 === 1 ? [top, 0] : [top, top / 2, 0]
  const shown = names.length > 7 ? [names[0], names[Math.floor(names.length / 2)], names.at(-1)] : names
  return (
    <div class="card chart">
      <div class="scale names" aria-hidden="true">
        {marks.map((mark) => (
          <span>{text(mark)}</span>
        ))}
      </div>
      <svg viewBox={`0 -2 ${width} ${HEIGHT + 3}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {marks.map((mark) => (
          <line class="base" x1={0} x2={width} y1={HEIGHT - (mark / top) * HEIGHT} y2={HEIGHT - (mark / top) * HEIGHT} />
        ))}
        {children}
      </svg>
      <div class="names" aria-hidden="true">
        {shown.map((name) => (
          <span>{name}</span>
        ))}
      </div>
      <Legend series={series} kind={kind} failures={failures} />
    </div>
  )
}

/**
 * Bars, in which the values of several series stand on each other.
 *
 * @param values by name, then by series
 * @param limit a value at which a line is drawn
 * @param isOver which bars are marked
 */
export function BarChart({
  values,
  limit = null,
  isOver = () => false,
  ...frame
}: Frame & { values: number[][]; limit?: number | null; isOver?: (index: number) => boolean }) {
  const sums = values.map((each) => each.reduce((sum, value) => sum + value, 0))
  const top = Math.max(...sums, limit ?? 0) || 1
  const at = (value: number) => Math.round((HEIGHT - (value / top) * HEIGHT) * 100) / 100
  return (
    <Axes {...frame} top={top} kind="bars">
      {values.flatMap((each, index) => {
        let below = 0
        return each.map((value, series) => {
          if (value === 0) return null
          const from = below
          below += value
          return (
            <rect
              {...(isOver(index) ? { class: 'over' } : barOf(series, frame.series, frame.failures))}
              x={index * WIDTH + GAP / 2}
              y={at(below)}
              width={WIDTH - GAP}
              height={at(from) - at(below)}
            />
          )
        })
      })}
      {limit !== null && <line class="limit" x1={0} x2={values.length * WIDTH} y1={at(limit)} y2={at(limit)} />}
    </Axes>
  )
}

/** Lines. @param values by name, then by series; null where there is none */
export function LineChart({ values, ...frame }: Frame & { values: (number | null)[][] }) {
  const top = Math.max(...values.flat().map((value) => value ?? 0)) || 1
  return (
    <Axes {...frame} top={top} kind="lines">
      {frame.series.map((_, series) => {
        const points = values.flatMap((each, index) => {
          const value = each[series] ?? null
          return value === null ? [] : [`${index * WIDTH + WIDTH / 2},${Math.round(HEIGHT - (value / top) * HEIGHT)}`]
        })
        return (
          <g>
            <polyline points={points.join(' ')} stroke-dasharray={DASHES[series]} />
            {points.map((point) => (
              // A dot as wide as it is high, however the chart is stretched.
              <line
                class="point"
                x1={point.split(',')[0]}
                x2={point.split(',')[0]}
                y1={point.split(',')[1]}
                y2={point.split(',')[1]}
              />
            ))}
          </g>
        )
      })}
    </Axes>
  )
}

/** The table of a chart with many rows. */
export const Figures = ({ children }: { children: ComponentChildren }) => (
  <details class="change">
    <summary>Figures</summary>
    {children}
  </details>
)
