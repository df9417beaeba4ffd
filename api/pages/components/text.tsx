/** Small pieces of text: states, times, money, notices. */
import type { ComponentChildren } from 'preact'
import { usdText } from '../../../core/values/money.ts'

/** Colors for states. A word always says the same. */
export type Tone = 'good' | 'bad' | 'wait' | 'run' | 'off'

/** The words that have a tone; others are off. */
const WORDS: Record<Exclude<Tone, 'off'>, string[]> = {
  wait: ['pending', 'waiting', 'awaiting', 'awaiting_gate', 'changes_requested', 'paused', 'unknown'],
  run: ['running', 'generating', 'comparing', 'in_progress'],
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
}

export const TONES = Object.fromEntries(
  Object.entries(WORDS).flatMap(([tone, words]) => words.map((word) => [word, tone as Tone])),
)

type StateProps = { of: string; text?: ComponentChildren; tone?: Tone }

/** A state, in a word or two. */
export const State = ({ of, text = of.replaceAll('_', ' '), tone = TONES[of] ?? 'off' }: StateProps) => (
  <span class={`pill ${tone}`}>{text}</span>
)

/** A state where a word has no room. @param text the word, for screen readers */
export const Dot = ({ tone, text }: { tone: Tone; text: string }) => (
  <span class={`dot ${tone}`} title={text}>
    <span class="unseen">{text}</span>
  </span>
)

/** How many there are; nothing if there are none. @param what is counted, for screen readers */
export const Count = ({ of, most, what, isHot = false }: { of: number; most: number; what: string; isHot?: boolean }) =>
  of === 0 ? null : (
    <span class={isHot ? 'count hot' : 'count'}>
      {of > most ? `${most}+` : of}
      <span class="unseen"> {what}</span>
    </span>
  )

// Made once: a formatter takes much longer to make than to use.
const date = { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' } as const
const minute = { ...date, hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const
const toTheDay = new Intl.DateTimeFormat('en-GB', date)
const toTheDayOfThisYear = new Intl.DateTimeFormat('en-GB', { ...date, year: undefined })
const toTheMinute = new Intl.DateTimeFormat('en-GB', minute)
const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', hour: '2-digit', minute: '2-digit' })
const toTheSecond = new Intl.DateTimeFormat('en-GB', { ...minute, second: '2-digit' })

const DAY = 86_400

/** When, as people write it: "2 h ago", "yesterday", "17 Nov". The script of the pages computes it in the same way. */
function whenText(at: string): string {
  const seconds = (Date.parse(at) - Date.now()) / 1000
  const length = Math.abs(seconds)
  if (length >= 7 * DAY) {
    const isThisYear = at.slice(0, 4) === new Date().toISOString().slice(0, 4)
    return (isThisYear ? toTheDayOfThisYear : toTheDay).format(new Date(at))
  }
  if (length < 60) return seconds > 0 ? 'in a moment' : 'just now'
  const days = Math.trunc(length / DAY)
  if (days === 1) return seconds > 0 ? 'tomorrow' : 'yesterday'
  const amount = days ? `${days} days` : length < 3600 ? `${Math.trunc(length / 60)} min` : `${Math.trunc(length / 3600)} h`
  return seconds > 0 ? `in ${amount}` : `${amount} ago`
}

const FORMATS = { clock, date: toTheDay, true: toTheMinute, seconds: toTheSecond }

/** Relative to now, or exact: the hour and minute below a heading with the day, the date, to the minute, or to the second. The script shows it in the zone of the reader. */
export function Time({ at, exact = false }: { at: string; exact?: boolean | 'clock' | 'date' | 'seconds' }) {
  const then = new Date(at)
  return (
    <time datetime={at} title={toTheSecond.format(then)} data-exact={exact || undefined}>
      {exact ? FORMATS[`${exact}`].format(then) : whenText(at)}
    </time>
  )
}

/** A time by the clock of a zone, in words. The script adds the time by the reader's clock, and leaves this one as it is. */
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

/** A sentence that the reader should not miss. */
export const Notice = ({ tone, children }: { tone: 'good' | 'bad' | 'warn'; children: ComponentChildren }) => (
  <p class={`notice ${tone}`}>{children}</p>
)

export const Prose = ({ children }: { children: string }) => <div class="prose">{children}</div>
