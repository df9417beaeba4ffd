/** Durations, sizes and bars. */
import { NONE } from './text.tsx'

const STEPS: [unit: string, seconds: number][] = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
]

/** A duration in its two largest units, such as "2 h 5 min". */
export function durationText(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`
  const whole = Math.round(seconds)
  const at = STEPS.findIndex(([, length]) => whole >= length)
  const [[unit, length], next] = [STEPS[at] ?? ['s', 1], STEPS[at + 1]]
  const rest = next ? Math.floor((whole % length) / next[1]) : 0
  return `${Math.floor(whole / length)} ${unit}${next && rest > 0 ? ` ${rest} ${next[0]}` : ''}`
}

const UNITS: [name: string, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

/** A duration in its largest whole unit, such as "36 hours". */
export function wholeDurationText(seconds: number): string {
  const [name, length] = UNITS.find(([, each]) => seconds % each === 0) ?? ['second', 1]
  const count = seconds / length
  return `${count.toLocaleString('en')} ${name}${count === 1 ? '' : 's'}`
}

const percents = {
  0: new Intl.NumberFormat('en', { style: 'percent' }),
  1: new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 }),
}

export const percentText = (part: number, digits: keyof typeof percents = 1): string => percents[digits].format(part)

/** The time between two instants, until now if the second is null; a dash if it has not begun. */
export function Duration({ from, to }: { from: string | null; to: string | null }) {
  if (from === null) return NONE
  const end = to === null ? Date.now() : Date.parse(to)
  return <span class="number">{durationText(Math.max(0, (end - Date.parse(from)) / 1000))}</span>
}

/** The size of a text as UTF-8. */
export function Size({ of }: { of: string }) {
  const bytes = Buffer.byteLength(of)
  return <span class="number">{bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KiB`}</span>
}

export function Bar({ part, tone }: { part: number; tone: 'one' | 'other' }) {
  return (
    <svg class={`bar-of ${tone}`} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="whole" width="100" height="10" />
      <rect class="part" width={Math.min(1, Math.max(0, part)) * 100} height="10" />
    </svg>
  )
}

const WIDTH = 1000
const HEIGHT = 12

/** Milliseconds since the start of a request; null for what was not reached. */
interface Timing {
  dns_ms: number | null
  first_byte_ms: number | null
  duration_ms: number
}

export const Milliseconds = ({ of }: { of: number | null }) =>
  of === null ? NONE : <span class="number">{of.toLocaleString('en')} ms</span>

const inWords = (name: string, ms: number | null) => (ms === null ? '' : `${name} ${ms.toLocaleString('en')} ms, `)

/** The bar of one request. @param longest the duration that fills the width, so that several bars can be compared */
export function TimingBar({ dns_ms, first_byte_ms, duration_ms, longest }: Timing & { longest: number }) {
  const x = (ms: number) => Math.round((Math.min(ms, longest) / Math.max(longest, 1)) * WIDTH)
  const [dns, first, end] = [x(dns_ms ?? 0), x(first_byte_ms ?? duration_ms), x(duration_ms)]
  const label = `${inWords('DNS', dns_ms)}${inWords('first byte', first_byte_ms)}total ${duration_ms.toLocaleString('en')} ms`
  const parts: [name: string, from: number, to: number][] = [
    ['wait', 0, dns],
    [first_byte_ms === null ? 'off' : 'run', dns, first],
    ['good', first, Math.max(end, 4)],
  ]
  return (
    <svg class="timing" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {parts.map(([name, from, to]) => to > from && <rect class={name} x={from} width={to - from} height={HEIGHT} />)}
    </svg>
  )
}

export const TimingLegend = () => (
  <p class="hint legend">
    {[
      ['wait', 'DNS'],
      ['run', 'until the first byte'],
      ['good', 'rest of the response'],
      ['off', 'no response'],
    ].map(([name, text]) => (
      <span>
        <svg class="timing" viewBox="0 0 12 12" aria-hidden="true">
          <rect class={name} width="12" height="12" />
        </svg>
        {text}
      </span>
    ))}
  </p>
)
