/** Where an environment stands in its chain, what may come to it next, and what hinders that. */
import { subjectText } from '../../core/gates/gates.ts'
import { line } from '../../core/values/plain-text.ts'
import { wholeDurationText } from '../pages/components/measures.tsx'
import { Section } from '../pages/components/structure.tsx'
import { Notice, Time } from '../pages/components/text.tsx'
import { type Before, chainTo, nextOf } from './chains.ts'
import { environmentPath, policyPath, type ShownEnvironment } from './environments.ts'

type Props = { project_id: string; of: ShownEnvironment }

const Name = ({ project_id, environment }: { project_id: string; environment: string }) => (
  <a href={environmentPath(project_id, environment)}>
    <bdi>{environment}</bdi>
  </a>
)

/** The chain as a picture: what comes before the environment, and what follows at once. A list, also without style. */
const Chain = ({ project_id, environment, before }: { project_id: string; environment: string; before: Before }) => (
  // biome-ignore lint/a11y/noRedundantRoles: Safari takes a list without bullets for none
  <ol class="track" role="list" aria-label="From environment to environment">
    {[...chainTo(environment, before), ...nextOf(environment, before)].map((name) => (
      <li class={`station ${name === environment ? 'run' : 'off'}`}>
        <div class="what">
          {name === environment ? <bdi aria-current="page">{name}</bdi> : <Name project_id={project_id} environment={name} />}
        </div>
      </li>
    ))}
  </ol>
)

/** How far the soak is, as a bar with words. */
function Soak({ of: { candidate, soak_seconds, promotes_from } }: { of: ShownEnvironment }) {
  if (candidate === null) return null
  const passed = Math.max(0, Math.min(soak_seconds, Math.floor((Date.now() - Date.parse(candidate.since)) / 1000)))
  const text = `${wholeDurationText(passed)} of ${wholeDurationText(soak_seconds)} in ${line(promotes_from, 64)}`
  return (
    <p>
      <progress value={passed} max={soak_seconds} aria-label={text} /> {text}. It may come here{' '}
      <Time at={candidate.soak_until} exact />.
    </p>
  )
}

/** What hinders the candidate, in one sentence with a link. */
function Hindrance({ project_id, of }: Props) {
  const { environment, promotes_from, candidate, obstacle } = of
  const before = <Name project_id={project_id} environment={promotes_from ?? ''} />
  const gate = candidate?.gate_id == null ? null : `/app/gates/${candidate.gate_id}`
  if (candidate?.state === 'failed')
    return (
      <Notice tone="bad">
        It failed in {before}, or was rolled back there: it cannot come here before it succeeds there again.
      </Notice>
    )
  if (candidate?.state === 'waiting' && gate !== null)
    return (
      <p>
        It waits for <a href={gate}>its gate</a>, or for what the gate triggers.
      </p>
    )
  if (candidate?.state !== 'ready') return null
  if (obstacle !== null)
    return (
      <Notice tone="warn">
        Its gate cannot be opened: {line(obstacle, 500)} <a href={policyPath(project_id, environment)}>Policy</a>
      </Notice>
    )
  return gate === null ? (
    <p>
      No one was asked yet: <a href={`/app/projects/${project_id}/gates/new`}>Open a gate</a>
    </p>
  ) : (
    <p>
      <a href={gate}>Its gate</a> was decided against it.
    </p>
  )
}

/** Nothing if the environment is in no chain. */
export function PromotionSection({ project_id, of }: Props) {
  const { environment, promotes_from, candidate } = of
  const before: Before = new Map(Object.entries(of.before ?? {}))
  if (promotes_from === null && nextOf(environment, before).length === 0) return null
  return (
    <Section title="Promotion" aside={<a href={policyPath(project_id, environment)}>Who is asked, and what is required</a>}>
      <Chain project_id={project_id} environment={environment} before={before} />
      {promotes_from !== null &&
        (candidate === null ? (
          <p class="hint">Nothing waits in {promotes_from} to come here.</p>
        ) : (
          <>
            <p>
              Next: <bdi>{subjectText(candidate.subject)}</bdi>
            </p>
            {candidate.state === 'soaking' && <Soak of={of} />}
            <Hindrance project_id={project_id} of={of} />
          </>
        ))}
    </Section>
  )
}
