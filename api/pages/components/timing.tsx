/** The duration of a request as a bar: DNS, until the first byte, and the rest of the response. */

const WIDTH = 1000
const HEIGHT = 12

/** Milliseconds since the start of a request; null for what was not reached. */
interface Timing {
  dns_ms: number | null
  first_byte_ms: number | null
  duration_ms: number
}

/** A duration in milliseconds. */
export const Milliseconds = ({ of }: { of: number | null }) =>
  of === null ? <span class="hint">–</span> : <span class="number">{of.toLocaleString('en')} ms</span>

const inWords = (name: string, ms: number | null) => (ms === null ? '' : `${name} ${ms.toLocaleString('en')} ms, `)

/**
 * The bar of one request.
 *
 * @param longest the duration that fills the width, so that several bars can be compared
 */
export function TimingBar({ dns_ms, first_byte_ms, duration_ms, longest }: Timing & { longest: number }) {
  const x = (ms: number) => Math.round((Math.min(ms, longest) / Math.max(longest, 1)) * WIDTH)
  const [dns, first, end] = [x(dns_ms ?? 0), x(first_byte_ms ?? duration_ms), x(duration_ms)]
  const label = `${inWords('DNS', dns_ms)}${inWords('first byte', first_byte_ms)}total ${duration_ms.toLocaleString('en')} ms`
  const parts: [name: string, from: number, to: number][] = [
    ['dns', 0, dns],
    [first_byte_ms === null ? 'unanswered' : 'awaited', dns, first],
    ['received', first, Math.max(end, 4)],
  ]
  return (
    <svg class="timing" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {parts.map(([name, from, to]) => to > from && <rect class={name} x={from} width={to - from} height={HEIGHT} />)}
    </svg>
  )
}

/** What the parts of the bars mean. */
export const TimingLegend = () => (
  <p class="hint legend">
    {[
      ['dns', 'DNS'],
      ['awaited', 'until the first byte'],
      ['received', 'rest of the response'],
      ['unanswered', 'no response'],
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
