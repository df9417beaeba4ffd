/** Where an environment stands in its chain, what may come to it next, who is asked about it, and what stands in the way. */
import type { ComponentChildren } from 'preact'
import { subjectText } from '../../core/gates/gates.ts'
import { line } from '../../core/values/plain-text.ts'
import { wholeDurationText } from '../pages/components/measures.tsx'
import { Section } from '../pages/components/structure.tsx'
import { Notice, Time } from '../pages/components/text.tsx'
import type { NextGate } from './candidates.ts'
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

/** What was decided about the candidate, or why it cannot be. */
function Standing({ project_id, of }: Props) {
  const { environment, promotes_from, candidate, obstacle } = of
  const before = <Name project_id={project_id} environment={promotes_from ?? ''} />
  const gate = candidate?.gate_id == null ? null : `/app/gates/${candidate.gate_id}`
  if (candidate?.state === 'failed')
    return (
      <Notice tone="bad">
        It does not run in {before} any more: it failed, or the environment was rolled back. It cannot come here before it
        succeeds there again.
      </Notice>
    )
  if (candidate?.state === 'waiting' && gate !== null)
    return (
      <p>
        <a href={gate}>Its gate</a> is pending, or approved and not deployed yet.
      </p>
    )
  if (candidate?.state !== 'ready') return null
  if (obstacle !== null)
    return (
      <Notice tone="warn">
        Its gate cannot be opened: {line(obstacle, 500)} <a href={policyPath(project_id, environment)}>Policy</a>
      </Notice>
    )
  return (
    gate !== null && (
      <p>
        <a href={gate}>The last gate for it</a> was not approved, or its approval was revoked.
      </p>
    )
  )
}

const approvals = (count: number): string => `${count} approval${count === 1 ? '' : 's'}`

/** Joined as in a sentence: one, two and three. */
const joined = (parts: ComponentChildren[]): ComponentChildren[] =>
  parts.map((part, index) => [index === 0 ? '' : index === parts.length - 1 ? ' and ' : ', ', part])

function Approvers({ of: { required_approvals, groups, admins, admin_count } }: { of: NextGate }) {
  if (groups.length === 0) {
    const more = admin_count - admins.length
    return (
      <>
        {approvals(required_approvals)} by admins of the workspace: {joined([...admins, ...(more > 0 ? [`${more} more`] : [])])}
      </>
    )
  }
  const more = required_approvals - groups.reduce((sum, { count }) => sum + count, 0)
  const parts = groups.map(({ id, name, count }) => (
    <>
      {approvals(count)} by <a href={`/app/groups/${id}`}>{name}</a>
    </>
  ))
  return <>{joined([...parts, ...(more > 0 ? [`${more} more by any of them`] : [])])}</>
}

/** Who decides about what has no gate yet, and who opens it. */
function Asked({ project_id, of: { candidate, obstacle, next_gate } }: Props) {
  if (next_gate === null || candidate?.state === 'failed' || candidate?.state === 'waiting') return null
  // People were asked about a candidate that has had a gate.
  const opensItself = next_gate.opens_itself && candidate?.gate_id == null
  return (
    <p>
      {candidate === null ? 'The next gate' : 'Its gate'} needs <Approvers of={next_gate} />.{' '}
      {obstacle === null &&
        (opensItself ? 'Signalbox opens it.' : <a href={`/app/projects/${project_id}/gates/new`}>Open a gate</a>)}
    </p>
  )
}

/** Nothing if the environment is in no chain. */
export function PromotionSection({ project_id, of }: Props) {
  const { environment, promotes_from, candidate, current, has_digest } = of
  const before: Before = new Map(Object.entries(of.before ?? {}))
  const following = nextOf(environment, before)
  if (promotes_from === null && following.length === 0) return null
  return (
    <Section title="Promotion" aside={<a href={policyPath(project_id, environment)}>What is required</a>}>
      <Chain project_id={project_id} environment={environment} before={before} />
      {following.length > 0 && current !== null && !has_digest && (
        <Notice tone="warn">
          What runs here cannot be promoted, because its digest is not known. The receiver can report the digest, or a gate for
          this environment can name it.
        </Notice>
      )}
      {promotes_from !== null &&
        (candidate === null ? (
          <p class="hint">Nothing in {promotes_from} can come here now. A rollout there counts only if its digest is known.</p>
        ) : (
          <>
            <p>
              Next: <bdi>{subjectText(candidate.subject)}</bdi>
            </p>
            {candidate.state === 'soaking' && <Soak of={of} />}
            <Standing project_id={project_id} of={of} />
          </>
        ))}
      <Asked project_id={project_id} of={of} />
    </Section>
  )
}
