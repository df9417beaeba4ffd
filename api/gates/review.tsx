/** What a reviewer reads before deciding: what changes, what an approval does, and on what evidence. */
import type { ComponentChildren } from 'preact'
import type { Circumstances } from '../../core/dispatches/circumstances.ts'
import { heldUntil, isAtOnce, sentText, triggeredHooks } from '../../core/dispatches/effects.ts'
import { type Evidence, type Gate, type Subject, subjectUrl } from '../../core/gates/gates.ts'
import { metricsOf, numberText } from '../../core/gates/metrics.ts'
import { ShortDigest } from '../dispatches/outcome.tsx'
import { environmentPath } from '../environments/environments.ts'
import { WebLink } from '../pages/components/links.tsx'
import { percentText } from '../pages/components/measures.tsx'
import { Empty, Facts, Rows, Section } from '../pages/components/structure.tsx'
import { Money, Prose, State, Time } from '../pages/components/text.tsx'
import { excerptOf } from '../pages/components/verbatim.tsx'
import { countText, firstOf, MAX_SHOWN, More } from './excerpts.tsx'
import type { RequirementsSince } from './requirements-since.ts'
import { isOpen } from './words.ts'

const CHECK_STATES = [
  ['failed', 'bad'],
  ['passed', 'good'],
  ['skipped', 'off'],
] as const
const SUMMARY_BYTES = 12_000
/** Characters of an address that tell it from others. */
const MAX_ADDRESS = 100

/** An address that is no link. */
const Address = ({ of: uri }: { of: string }) => (
  <bdi class="address" title={uri}>
    {uri.length <= MAX_ADDRESS ? uri : `${uri.slice(0, MAX_ADDRESS)}…`}
  </bdi>
)

const SubjectAddress = ({ of: { uri } }: { of: Subject }) =>
  /^https:/.test(uri) ? <WebLink href={uri} limit={MAX_ADDRESS} /> : <Address of={uri} />

/** The environment of a gate, with its page if it has one: nothing may have been set up for it yet. */
function EnvironmentLink({ gate, circumstances }: GateProps) {
  const { environment, project_id } = gate
  if (environment === null) return null
  const isReported = circumstances.hooks.some((hook) => hook.environment === environment && hook.report_within_seconds !== null)
  const name = <bdi>{environment}</bdi>
  if (circumstances.running === null && !isReported) return name
  return <a href={environmentPath(project_id, environment)}>{name}</a>
}

interface GateProps {
  gate: Gate
  circumstances: Circumstances
}

type Running = NonNullable<Circumstances['running']>

/**
 * Where the host of a repository compares two commits: GitHub, GitLab, Gitea and Forgejo have the page at the same path. Null if what runs,
 * or the subject, is no commit in a repository that can be opened, or if both are the same.
 */
function comparisonUrl({ digest: { gitCommit }, ...subject }: Subject, running: Running | null): string | null {
  const repository = subjectUrl({ digest: { gitCommit }, ...subject })
  const from = running?.digest?.gitCommit
  if (!repository || !gitCommit || !from || from === gitCommit) return null
  return `${repository.replace(/(?:\.git)?\/?$/, '')}/compare/${from}...${gitCommit}`
}

const VersionOf = ({ version, digest }: Pick<Running, 'version' | 'digest'>) =>
  version !== null ? <bdi>{version}</bdi> : digest !== null ? <ShortDigest of={digest} /> : <>unknown version</>

/** Where, what runs there, and what is to take its place. */
function Replacement({ gate, circumstances, running }: GateProps & { running: Running | null }) {
  const { subject, environment } = gate
  return (
    <p class="buttons">
      {environment !== null && <EnvironmentLink gate={gate} circumstances={circumstances} />}
      {running && <VersionOf {...running} />}
      {running && subject && (
        <>
          <span aria-hidden="true">→</span>
          <span class="unseen">is to be replaced by</span>
        </>
      )}
      {subject && (
        <>
          <strong>
            <VersionOf {...subject} />
          </strong>
          {subject.version !== null && <ShortDigest of={subject.digest} />}
        </>
      )}
    </p>
  )
}

const RunningFact = ({ of: { version, digest, since } }: { of: Running }) => (
  <>
    {version === null ? 'no version reported' : <bdi>{version}</bdi>}
    {digest !== null && (
      <>
        {' '}
        (<ShortDigest of={digest} />)
      </>
    )}
    , deployed <Time at={since} />
  </>
)

function CompletedSince({ of: { version, count, requirements } }: { of: RequirementsSince }) {
  if (count === 0) return null
  const shown = requirements.slice(0, MAX_SHOWN)
  return (
    <>
      <h3>
        {count} requirement{count === 1 ? '' : 's'} completed since {version === null ? 'then' : <bdi>{version}</bdi>}
      </h3>
      <Rows
        label="Completed requirements"
        of={shown}
        row={({ id, number, title, kind, completed_at }) => ({
          state: <State of={kind} />,
          href: `/app/requirements/${id}`,
          what: `#${number} ${title}`,
          end: <Time at={completed_at} />,
        })}
      />
      <More count={count - shown.length} />
    </>
  )
}

/** @param since what was completed since what runs was deployed; null if that is not known */
export function WhatChanges({ gate, circumstances, since }: GateProps & { since: RequirementsSince | null }) {
  const { subject, environment } = gate
  const { change_failure_rate: rate, now } = circumstances
  const open = isOpen(gate, now)
  // Once it is decided, its own subject may run.
  const running = open ? circumstances.running : null
  if (subject === null && (environment === null || !open)) return null
  const comparison = subject && comparisonUrl(subject, running)
  return (
    <Section
      title={open ? 'What changes' : 'Subject'}
      live="changes"
      aside={
        comparison && (
          <span>
            <WebLink href={comparison}>Compare commits</WebLink>
          </span>
        )
      }
    >
      <div class="card">
        <Replacement gate={gate} circumstances={circumstances} running={running} />
        <Facts
          of={[
            ['Runs there now', running ? <RunningFact of={running} /> : environment !== null && open ? 'nothing reported' : null],
            ['Failure rate', running === null || rate === null ? null : `${percentText(rate)} of rollouts in 30 days`],
            ['From', subject && <SubjectAddress of={subject} />],
          ]}
        />
      </div>
      {since !== null && open && <CompletedSince of={since} />}
    </Section>
  )
}

function Triggered({
  gate,
  hooks,
  held_until,
}: {
  gate: Gate
  hooks: ReturnType<typeof triggeredHooks>
  held_until: string | null
}) {
  const sent = sentText(gate)
  return (
    <ul class="rows" aria-label="What is sent">
      {hooks.slice(0, MAX_SHOWN).map((hook) => (
        <li>
          <div class="what">
            {isAtOnce(hook) ? (
              <>Sends {sent === null ? 'the approval' : <bdi>{sent}</bdi>}</>
            ) : (
              'When the workflow is completed, it is sent'
            )}{' '}
            to <a href={`/app/deployment-hooks/${hook.id}`}>{hook.name}</a> for <bdi>{hook.environment}</bdi>
          </div>
          {held_until !== null && (
            <span class="end">
              Held until <Time at={held_until} exact />
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

/** What the approval of an open gate does. */
export function Effects({ gate, circumstances }: GateProps) {
  const hooks = triggeredHooks(gate, circumstances)
  return (
    <Section title="What an approval does" live="effects">
      {circumstances.others.length > 0 ? (
        <Empty>It sends nothing yet: other gates for the same environment are pending.</Empty>
      ) : hooks.length === 0 ? (
        <Empty>It sends nothing: no enabled hook of the project would be triggered.</Empty>
      ) : (
        <Triggered gate={gate} hooks={hooks} held_until={heldUntil(gate, circumstances)} />
      )}
      <More count={hooks.length - MAX_SHOWN} />
    </Section>
  )
}

/** How many checks came out how. */
export function Checks({ of: checks }: { of: Evidence['checks'] }) {
  if (checks.length === 0) return null
  return (
    <p class="buttons">
      {CHECK_STATES.map(([state, tone]) => {
        const text = countText(checks, state)
        return text && <State of={state} tone={tone} text={text} />
      })}
    </p>
  )
}

/** A summary, cut to what the page has room for. */
function Summary({ of }: { of: string }) {
  const { text, isCut } = excerptOf(of, SUMMARY_BYTES)
  return <Prose>{isCut ? `${text}…` : text}</Prose>
}

interface FiguresProps {
  of: Evidence
  before: Circumstances['previous_metrics']
  /** Of the execution; null if the gate has none, or it reported none. */
  cost_usd: number | null
}

/** Metrics, each with what changed since the execution before, the cost, and links. */
function Figures({ of: { metrics, links }, before, cost_usd }: FiguresProps) {
  const entries = metricsOf(metrics, before)
  const shown = entries.slice(0, MAX_SHOWN)
  const shownLinks = firstOf(links, ({ label, url }) => [label, url])
  return (
    <>
      <Facts
        of={[
          ...shown.map(({ name, value, changed }): [string, ComponentChildren] => [
            name,
            <>
              <span class="number">{numberText(value)}</span>
              {changed !== null && <span class="hint"> {changed}</span>}
            </>,
          ]),
          ['More metrics', entries.length > shown.length ? entries.length - shown.length : null],
          ['Cost', cost_usd === null ? null : <Money usd={cost_usd} />],
          [
            'Links',
            links.length === 0 ? null : (
              <ul class="list">
                {shownLinks.map(({ label, url }) => (
                  <li>
                    <WebLink href={url}>{label}</WebLink>
                  </li>
                ))}
              </ul>
            ),
          ],
        ]}
      />
      <More count={links.length - shownLinks.length} />
      {before !== null && shown.length > 0 && <p class="hint">Differences are to the previous execution of the requirement.</p>}
    </>
  )
}

export function EvidenceSection({ gate: { evidence }, circumstances, cost_usd }: GateProps & Pick<FiguresProps, 'cost_usd'>) {
  if (evidence === null) return null
  return (
    <Section title="Evidence" live="evidence">
      <div class="card">
        <Checks of={evidence.checks} />
        {evidence.summary !== null && <Summary of={evidence.summary} />}
        <Figures of={evidence} before={circumstances.previous_metrics} cost_usd={cost_usd} />
      </div>
    </Section>
  )
}
