/** Durations, sizes and bars. */

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

export const percentText = (part: number): string => part.toLocaleString('en', { style: 'percent', maximumFractionDigits: 1 })

/** The time between two instants, until now if the second is null; a dash if it has not begun. */
export function Duration({ from, to }: { from: string | null; to: string | null }) {
  if (from === null) return <span class="hint">–</span>
  const end = to === null ? Date.now() : Date.parse(to)
  return <span class="number">{durationText(Math.max(0, (end - Date.parse(from)) / 1000))}</span>
}

/** The size of a text as UTF-8. */
export function Size({ of }: { of: string }) {
  const bytes = Buffer.byteLength(of)
  return <span class="number">{bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KiB`}</span>
}

/** A part of a whole as a bar. The number must stand beside it. */
export function Bar({ part, tone }: { part: number; tone: 'one' | 'other' }) {
  return (
    <svg class={`bar-of ${tone}`} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width="100" height="10" />
      <rect class="part" width={Math.min(1, Math.max(0, part)) * 100} height="10" />
    </svg>
  )
}
