/** Small pieces of text: states, times, money, notices. */
import type { ComponentChildren } from 'preact'
import { usdText } from '../../../core/values/money.ts'

type Tone = 'good' | 'bad' | 'warn' | 'active' | 'wait' | 'quiet'

/** A shape for each tone, so that a state can be told without its color. */
const SHAPES: Record<Tone, string> = {
  good: 'M3.5 8.5l3 3 6-7',
  bad: 'M4 4l8 8M12 4l-8 8',
  warn: 'M8 2.5l6 11H2zM8 6.5v3.5M8 11.8v.2',
  active: 'M5 3.5l7 4.5-7 4.5z',
  wait: 'M8 2.5a5.5 5.5 0 1 0 .01 0M8 5v3.2l2 1.6',
  quiet: 'M4 8h8',
}

/** The words that have a tone; others are quiet. */
const WORDS: Record<Exclude<Tone, 'quiet'>, string[]> = {
  wait: ['pending', 'queued', 'waiting', 'awaiting', 'draft', 'open', 'created', 'awaiting_gate'],
  active: ['running', 'generating', 'comparing', 'in_progress'],
  good: [
    'approved',
    'completed',
    'done',
    'compared',
    'decided',
    'succeeded',
    'delivered',
    'published',
    'enabled',
    'online',
    'ready',
  ],
  bad: ['rejected', 'revoked', 'failed', 'not_delivered', 'disabled', 'exhausted'],
  warn: ['expired', 'changes_requested', 'paused', 'offline', 'unknown'],
}

export const TONES = Object.fromEntries(
  Object.entries(WORDS).flatMap(([tone, words]) => words.map((word) => [word, tone as Tone])),
)

type StateProps = { of: string; text?: string; tone?: Tone }

export function State({ of, text = of.replaceAll('_', ' '), tone = TONES[of] ?? 'quiet' }: StateProps) {
  return (
    <span class={`state ${tone}`}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <path d={SHAPES[tone]} />
      </svg>
      {text}
    </span>
  )
}

const UNITS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })

/** A duration from now, such as "2 hr. ago". The script of the pages computes it in the same way. */
function fromNow(at: string): string {
  const seconds = (Date.parse(at) - Date.now()) / 1000
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit)
  }
  return seconds > 0 ? 'in a moment' : 'just now'
}

/** Relative to now, or exact, to the minute or to the second. The script shows it in the zone of the reader. */
export function Time({ at, exact = false }: { at: string; exact?: boolean | 'seconds' }) {
  const utc = (digits: number) => `${at.slice(0, digits).replace('T', ' ')} UTC`
  return (
    <time datetime={at} title={utc(19)} data-exact={exact || undefined}>
      {exact ? utc(exact === 'seconds' ? 19 : 16) : fromNow(at)}
    </time>
  )
}

/** A time by the clock of a zone, in words. The script adds what it is by that of the reader, and leaves it as it is. */
export function FixedTime({ at, zone }: { at: Date; zone: string }) {
  const text = at.toLocaleString('en-GB', {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })
  return (
    <time datetime={at.toISOString()} data-fixed>
      {text}
    </time>
  )
}

/** The name of an event. Where there is little room it breaks at its dot, not within a word. */
export function EventName({ of }: { of: string }) {
  const [noun, ...rest] = of.split('.')
  return (
    <>
      {noun}.<wbr />
      {rest.join('.')}
    </>
  )
}

/** What stands in place of a value that is absent. */
export const NONE = <span class="hint">–</span>

export function Money({ usd: amount }: { usd: number | null }) {
  return amount === null ? NONE : <span class="number">{usdText(amount)}</span>
}

export function MoneyOf({ usd: amount, limit }: { usd: number; limit: number | null }) {
  return (
    <>
      <Money usd={amount} />
      {limit !== null && (
        <>
          {' '}
          of <Money usd={limit} />
        </>
      )}
    </>
  )
}

export function Notice({ tone, children }: { tone: 'good' | 'bad' | 'warn'; children: ComponentChildren }) {
  return (
    <p class={`notice ${tone}`}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d={SHAPES[tone]} />
      </svg>
      <span>{children}</span>
    </p>
  )
}

export const Prose = ({ children }: { children: string }) => <div class="prose">{children}</div>
