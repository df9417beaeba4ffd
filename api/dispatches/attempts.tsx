/** The attempts of a dispatch: a table to compare them, and the responses or acknowledgements. */

import type { Hook } from '../deployment-hooks/schema.ts'
import { durationText, Milliseconds, TimingBar, TimingLegend } from '../pages/components/measures.tsx'
import { type Column, Empty, Section, Table } from '../pages/components/structure.tsx'
import { NONE, State, Time } from '../pages/components/text.tsx'
import { type Excerpt, excerptOf, headerLines, Verbatim } from '../pages/components/verbatim.tsx'
import type { Attempt, DispatchDetail } from './schema.ts'

/** Attempts that are shown, the newest first. */
const MAX_ATTEMPTS = 20
/** What all responses together take of the page. */
const RESPONSE_BYTES = 32_768

interface Response {
  number: number
  /** Null for an acknowledgement, which has only a detail. */
  headers: Excerpt | null
  body: Excerpt
}

/** The responses, newest first, as far as the page has room. */
function responsesOf(attempts: Attempt[]): Response[] {
  let left = RESPONSE_BYTES
  const take = (text: string): Excerpt => {
    const excerpt = excerptOf(text, left)
    left -= excerpt.bytes
    return excerpt
  }
  return attempts
    .filter(({ response_status, response_body }) => response_status !== null || response_body !== null)
    .map(({ number, response_status, response_headers, response_body }) => ({
      number,
      headers: response_status === null ? null : take(headerLines(response_headers ?? {})),
      body: take(response_body ?? ''),
    }))
}

/** Nothing is measured of an attempt that was claimed, except how long its lease was held. */
const claimColumns: Column<Attempt>[] = [
  { head: 'Claimed', cell: ({ started_at }) => <Time at={started_at} /> },
  { head: 'Held', numeric: true, cell: ({ duration_ms }) => <span class="number">{durationText(duration_ms / 1000)}</span> },
]

function requestColumns(shown: Attempt[]): Column<Attempt>[] {
  const longest = Math.max(...shown.map(({ duration_ms }) => duration_ms))
  return [
    { head: 'Status', numeric: true, cell: (attempt) => attempt.response_status ?? NONE },
    { head: 'Started', cell: ({ started_at }) => <Time at={started_at} /> },
    { head: 'Timing', cell: (attempt) => <TimingBar {...attempt} longest={longest} /> },
    { head: 'DNS', numeric: true, cell: ({ dns_ms }) => <Milliseconds of={dns_ms} /> },
    { head: 'First byte', numeric: true, cell: ({ first_byte_ms }) => <Milliseconds of={first_byte_ms} /> },
    { head: 'Total', numeric: true, cell: ({ duration_ms }) => <Milliseconds of={duration_ms} /> },
  ]
}

function columnsFor({ status }: DispatchDetail, shown: Attempt[], mode: Hook['mode']): Column<Attempt>[] {
  // A success ends the dispatch.
  const succeeded = status === 'succeeded' ? shown[0]?.number : undefined
  return [
    { head: 'Attempt', numeric: true, cell: ({ number }) => number },
    {
      head: 'Outcome',
      main: true,
      cell: ({ number, error }) => (
        <>
          <State of={number === succeeded ? 'succeeded' : 'failed'} />
          {error && <p class="hint">{error.detail}</p>}
        </>
      ),
    },
    ...(mode === 'pull' ? claimColumns : requestColumns(shown)),
  ]
}

function ResponseDetails({ response, open, whole }: { response: Response; open: boolean; whole: string }) {
  const { number, headers, body } = response
  return (
    <details open={open}>
      <summary>
        {headers === null ? 'Detail of' : 'Response to'} attempt {number}
      </summary>
      {headers !== null && (
        <>
          <h3>Headers</h3>
          <Verbatim label={`Headers of the response to attempt ${number}`} excerpt={headers} whole={whole} />
          <h3>Body</h3>
        </>
      )}
      {body.text === '' && !body.isCut ? (
        <p class="hint">{headers === null ? 'The detail is empty.' : 'The body is empty.'}</p>
      ) : (
        <Verbatim
          label={`${headers === null ? 'Detail of' : 'Body of the response to'} attempt ${number}`}
          excerpt={body}
          whole={whole}
        />
      )}
    </details>
  )
}

export function Attempts({ dispatch, mode }: { dispatch: DispatchDetail; mode: Hook['mode'] }) {
  const { id, attempts } = dispatch
  const shown = attempts.slice(-MAX_ATTEMPTS).reverse()
  const responses = responsesOf(shown)
  return (
    <>
      <Section title="Attempts" count={attempts.length}>
        {shown.length === 0 ? (
          <Empty>
            {mode === 'pull' ? 'It has not been claimed yet, or the first claim has not ended.' : 'No request has been sent yet.'}
          </Empty>
        ) : (
          <>
            <Table label="Attempts" columns={columnsFor(dispatch, shown, mode)} rows={shown} />
            {mode === 'push' && <TimingLegend />}
            {shown.length < attempts.length && (
              <p class="hint">
                The newest {shown.length} of {attempts.length} attempts are shown.
              </p>
            )}
          </>
        )}
      </Section>
      {responses.length > 0 && (
        <Section title={mode === 'pull' ? 'Acknowledgements' : 'Responses'}>
          {responses.map((response, index) => (
            <ResponseDetails response={response} open={index === 0} whole={`GET /api/v1/dispatches/${id}`} />
          ))}
        </Section>
      )}
    </>
  )
}
