/** The workflow run that waits for a gate, on its page. */
import type { Gate } from '../../core/gates/gates.ts'
import type { GateSource } from '../../core/gates/sources.ts'
import { Button } from '../pages/components/forms.tsx'
import { WebLink } from '../pages/components/links.tsx'
import { Facts, Section } from '../pages/components/structure.tsx'
import { Notice, State, Time, type Tone } from '../pages/components/text.tsx'

const STATES: Record<GateSource['state'], [text: string, tone: Tone]> = {
  open: ['waits', 'wait'],
  held: ['approved, and held', 'wait'],
  answered: ['answered', 'good'],
  closed: ['does not wait any more', 'off'],
}

/** @param mayAnswer whether the reader can have it answered again */
export function Source({ gate, mayAnswer }: { gate: Gate; mayAnswer: boolean }) {
  const { source } = gate
  if (!source) return null
  const { repository, run_url, environment, ref, asked_by, state, answered_at, error } = source
  const [text, tone] = STATES[state]
  const isWaiting = state === 'open' || state === 'held'
  return (
    <Section title="Workflow run at GitHub" live="source" aside={<State of={state} text={text} tone={tone} />}>
      <div class="card">
        <Facts
          of={[
            ['Repository', repository],
            ['Run', <WebLink href={run_url} />],
            ['Environment', environment],
            ['Ref', ref],
            ['Asked by', asked_by.length === 0 ? null : asked_by.map(({ login }) => login).join(', ')],
            ['Answered', answered_at && <Time at={answered_at} exact />],
          ]}
        />
        {error !== null && isWaiting && (
          <Notice tone="bad">GitHub does not take what is sent. {error.detail} It is tried again by itself.</Notice>
        )}
        {isWaiting && mayAnswer && (gate.status !== 'pending' || error !== null) && (
          <Button action={`/app/gates/${gate.id}/github-answer`}>Answer again</Button>
        )}
      </div>
    </Section>
  )
}
