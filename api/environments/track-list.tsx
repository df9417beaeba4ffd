/** The track of a project: what is in work, what stands before each environment, and what runs there. A list, also without style. */
import type { ComponentChildren } from 'preact'
import { subjectText } from '../../core/gates/gates.ts'
import { line } from '../../core/values/plain-text.ts'
import { Mismatch, Outcome, RolloutOutcome } from '../dispatches/outcome.tsx'
import { State, Time, type Tone } from '../pages/components/text.tsx'
import { projectPath } from '../projects/tabs.tsx'
import { environmentPath, policyPath } from './environments.ts'
import type { Track as Read, TrackPlace, WaitingGates } from './track.ts'

/** Requirements in work that are named. */
const MAX_NAMED = 3
/** Characters of a title that there is room for. */
const MAX_TITLE = 50

interface Work {
  running: number
  queued: number
  awaiting_gate: number
  requirements: { number: number; title: string }[]
}

type StopProps = { kind: 'station' | 'signal'; tone: Tone; name: ComponentChildren; children: ComponentChildren }

const Stop = ({ kind, tone, name, children }: StopProps) => (
  <li class={`${kind} ${tone}`}>
    <div class="what">{name}</div>
    {children}
  </li>
)

const agents = (count: number): string => `${count} agent${count === 1 ? '' : 's'}`

function workText({ running, queued, awaiting_gate }: Work): string {
  const parts = [
    running > 0 && `${agents(running)} running`,
    awaiting_gate > 0 && `${running > 0 ? awaiting_gate : agents(awaiting_gate)} waiting at a gate`,
    queued > 0 && `${queued} queued`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? 'No agent at work' : parts.join(', ')
}

const InWork = ({ of }: { of: Work }) => (
  <Stop kind="station" tone={of.running > 0 ? 'run' : of.awaiting_gate > 0 ? 'wait' : 'off'} name={<span>In work</span>}>
    <p class="hint">{workText(of)}</p>
    {of.requirements.length > 0 && (
      <p class="hint">
        {[...new Map(of.requirements.map((each) => [each.number, each])).values()]
          .slice(0, MAX_NAMED)
          .map(({ number, title }) => `#${number} ${line(title, MAX_TITLE)}`)
          .join(' · ')}
      </p>
    )}
  </Stop>
)

type NextOf = { of: NonNullable<TrackPlace['candidate']>; from: string | null }

/** What may come here next, while no gate asks about it. */
const Next = ({ of: { subject, state, soak_until }, from }: NextOf) => (
  <p class="hint">
    <bdi>{subjectText(subject)}</bdi>{' '}
    {state === 'soaking' ? (
      <>
        soaks until <Time at={soak_until} exact />
      </>
    ) : state === 'failed' ? (
      `does not run in ${line(from, MAX_TITLE)} any more`
    ) : state === 'waiting' ? (
      'was approved'
    ) : (
      'may come here'
    )}
  </p>
)

type SignalProps = WaitingGates &
  Pick<TrackPlace, 'freeze' | 'candidate' | 'promotes_from'> & { project_id: string; environment: string | null }

/** Why nothing may pass: a gate that waits, a freeze, or a subject that has to run in the environment before. */
function Signal({ project_id, environment, gates: [gate], gates_count, freeze, candidate, promotes_from }: SignalProps) {
  if (!gate && !freeze && !candidate) return null
  const policy = environment === null ? '' : policyPath(project_id, environment)
  const name = gate ? (
    <a href={`/app/gates/${gate.id}`}>{line(gate.name, MAX_TITLE)}</a>
  ) : freeze ? (
    <a href={policy}>Frozen</a>
  ) : (
    <a href={environmentPath(project_id, environment ?? '')}>Next</a>
  )
  return (
    <Stop kind="signal" tone={gate ? 'wait' : candidate?.state === 'failed' ? 'bad' : 'off'} name={name}>
      {candidate && !gate && <Next of={candidate} from={promotes_from} />}
      {gate && (
        <>
          <p>{gate.waits_for_reader ? <State of="waiting" text="needs you" /> : <State of="pending" />}</p>
          <p class="hint">
            {gate.approvals} of {gate.required_approvals} approval{gate.required_approvals === 1 ? '' : 's'}
            {gates_count > 1 && (
              <>
                {' · '}
                <a href={`${projectPath(project_id, 'gates')}?status=pending`}>{gates_count - 1} more</a>
              </>
            )}
          </p>
        </>
      )}
      {freeze && (
        <p class="hint">
          {gate && (
            <>
              <a href={policy}>Frozen</a>{' '}
            </>
          )}
          until <Time at={freeze.until} exact />
          {freeze.names.length > 0 && `: ${freeze.names.join(', ')}`}
        </p>
      )}
    </Stop>
  )
}

const BAD = ['failed', 'not_delivered']

function toneOf({ current, newest }: TrackPlace): Tone {
  if (newest && BAD.includes(newest.state)) return 'bad'
  if (newest) return newest.state === 'in_progress' ? 'run' : 'wait'
  return current ? 'good' : 'off'
}

const Version = ({ of: { version, dispatch_id } }: { of: { version: string | null; dispatch_id: string | null } }) => {
  const text =
    version === null ? (
      'no version reported'
    ) : (
      <code>
        <bdi>{version}</bdi>
      </code>
    )
  return dispatch_id === null ? <span>{text}</span> : <a href={`/app/dispatches/${dispatch_id}`}>{text}</a>
}

const NewestState = ({ of: { state, status } }: { of: NonNullable<TrackPlace['newest']> }) =>
  status === null ? <RolloutOutcome state={state} /> : <Outcome of={{ status, rollout: { state } }} />

function Station({ of, project_id }: { of: TrackPlace; project_id: string }) {
  const { environment, has_page, current, newest } = of
  return (
    <Stop
      kind="station"
      tone={toneOf(of)}
      name={
        <a href={has_page ? environmentPath(project_id, environment) : policyPath(project_id, environment)}>
          <bdi>{environment}</bdi>
        </a>
      }
    >
      {current ? (
        <>
          <div class="what">
            <Version of={current} />
          </div>
          <p class="hint">
            <Time at={current.at} /> <Mismatch of={current} />
          </p>
        </>
      ) : (
        <p class="hint">{has_page ? 'Nothing yet' : 'Not reported'}</p>
      )}
      {newest && (
        <p class="hint">
          <NewestState of={newest} /> {newest.version !== null && <Version of={newest} />} <Time at={newest.at} />
        </p>
      )}
    </Stop>
  )
}

/** @param of as read with `readTrack` */
export const Track = ({ of, work, project_id }: { of: Read; work: Work; project_id: string }) => (
  <>
    {/* biome-ignore lint/a11y/noRedundantRoles: Safari takes a list without bullets for none */}
    <ol class="track" role="list" aria-label="What runs where">
      <InWork of={work} />
      <Signal project_id={project_id} environment={null} {...of.general} freeze={null} candidate={null} promotes_from={null} />
      {of.places.map((place) => (
        <>
          <Signal project_id={project_id} {...place} />
          <Station project_id={project_id} of={place} />
        </>
      ))}
    </ol>
    {of.places.length === 0 && (
      <p class="hint">
        Where it is deployed is shown here, once a hook names an environment.{' '}
        <a href={projectPath(project_id, 'deployment-hooks')}>Hooks</a>
      </p>
    )}
    {of.hasMore && (
      <p class="hint">
        <a href={projectPath(project_id, 'environments')}>More environments</a>
      </p>
    )}
  </>
)
