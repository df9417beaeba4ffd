/** What a reviewer reads before deciding: what changed, on what evidence, and what an approval will do. */
import type { ComponentChildren } from 'preact'
import { isAtOnce, sentText, triggeredHooks } from '../../core/dispatches/effects.ts'
import { type Evidence, type Gate, type Subject, shortDigest } from '../../core/gates/gates.ts'
import { metricsOf, numberText } from '../../core/gates/metrics.ts'
import { environmentPath } from '../environments/environments.ts'
import { WebLink } from '../pages/components/links.tsx'
import { percentText } from '../pages/components/measures.tsx'
import { Facts, Section } from '../pages/components/structure.tsx'
import { Money, Prose, State, Time } from '../pages/components/text.tsx'
import { excerptOf } from '../pages/components/verbatim.tsx'
import { type Circumstances, effectsOf } from './clearance.ts'

/** Checks, links and metrics that are shown; the API shows all. */
const MAX_SHOWN = 12
/** What the checks and the links, and the summary, take of the page. */
const LIST_BYTES = 12_000
const SUMMARY_BYTES = 12_000
const MAX_DETAIL = 300
/** Characters of an address that tell it from others. */
const MAX_ADDRESS = 100

const excerpt = (text: string): string => (text.length <= MAX_DETAIL ? text : `${[...text].slice(0, MAX_DETAIL).join('')}…`)

/** The first of some items, as far as there is room for their texts; at least one. */
function firstOf<Item>(items: Item[], textsOf: (item: Item) => (string | null)[]): Item[] {
  let bytes = 0
  return items.slice(0, MAX_SHOWN).filter((item, index) => {
    bytes += excerptOf(textsOf(item).join(''), Number.POSITIVE_INFINITY).bytes
    return index === 0 || bytes <= LIST_BYTES
  })
}

/** A summary, cut to what the page has room for. */
function Summary({ of }: { of: string }) {
  const { text, isCut } = excerptOf(of, SUMMARY_BYTES)
  return <Prose>{isCut ? `${text}…` : text}</Prose>
}

const More = ({ count }: { count: number }) => (count > 0 ? <p class="hint">and {count} more</p> : null)

/** An address that is no link. */
const Address = ({ of: uri }: { of: string }) => (
  <bdi class="address" title={uri}>
    {uri.length <= MAX_ADDRESS ? uri : `${uri.slice(0, MAX_ADDRESS)}…`}
  </bdi>
)

const SubjectFacts = ({ of: { uri, digest, version }, environment }: { of: Subject; environment: ComponentChildren }) => (
  <Facts
    of={[
      ['Version', version && <bdi>{version}</bdi>],
      [
        digest.gitCommit === undefined ? 'Digest' : 'Commit',
        <code title={digest.gitCommit ?? digest.sha256}>{shortDigest(digest)}</code>,
      ],
      ['From', /^https:/.test(uri) ? <WebLink href={uri} limit={MAX_ADDRESS} /> : <Address of={uri} />],
      ['Environment', environment],
    ]}
  />
)

type Check = Evidence['checks'][number]

const FailedCheck = ({ of: { name, url, detail } }: { of: Check }) => (
  <li>
    <State of="failed" /> <strong>{url === null ? <bdi>{name}</bdi> : <WebLink href={url}>{name}</WebLink>}</strong>
    {detail !== null && <Prose>{excerpt(detail)}</Prose>}
  </li>
)

const counted = (count: number, what: string): string => `${count} check${count === 1 ? '' : 's'} ${what}`

/** Failed checks by name, then how many did not fail. */
function Checks({ of: checks }: { of: Check[] }) {
  if (checks.length === 0) return null
  const failed = checks.filter(({ state }) => state === 'failed')
  const numberOf = (state: Check['state']) => checks.filter((check) => check.state === state).length
  const [passed, skipped] = [numberOf('passed'), numberOf('skipped')]
  const shown = firstOf(failed, ({ name, url, detail }) => [name, url, detail && excerpt(detail)])
  return (
    <>
      <h3>Checks</h3>
      {failed.length > 0 && (
        <ul class="list card">
          {shown.map((check) => (
            <FailedCheck of={check} />
          ))}
        </ul>
      )}
      <More count={failed.length - shown.length} />
      <p class="buttons">
        {passed > 0 && <State of="passed" tone="good" text={counted(passed, 'passed')} />}
        {skipped > 0 && <State of="skipped" text={counted(skipped, 'skipped')} />}
      </p>
    </>
  )
}

/** Metrics, each with what changed since the execution before. */
function Metrics({ of: metrics, before }: { of: Record<string, number>; before: Circumstances['previous_metrics'] }) {
  const entries = metricsOf(metrics, before)
  if (entries.length === 0) return null
  return (
    <>
      <h3>Metrics</h3>
      <Facts
        of={entries.slice(0, MAX_SHOWN).map(({ name, value, changed }): [string, ComponentChildren] => [
          name,
          <>
            <span class="number">{numberText(value)}</span>
            {changed !== null && <span class="hint"> {changed}</span>}
          </>,
        ])}
      />
      <More count={entries.length - MAX_SHOWN} />
      {before !== null && <p class="hint">Differences are to the previous execution of the requirement.</p>}
    </>
  )
}

function Links({ of: links }: { of: Evidence['links'] }) {
  if (links.length === 0) return null
  const shown = firstOf(links, ({ label, url }) => [label, url])
  return (
    <>
      <h3>Links</h3>
      <ul>
        {shown.map(({ label, url }) => (
          <li>
            <WebLink href={url}>{label}</WebLink>
          </li>
        ))}
      </ul>
      <More count={links.length - shown.length} />
    </>
  )
}

/** The environment of a gate, with its page if it has one: nothing may have been set up for it yet. */
function EnvironmentLink({ gate, circumstances }: { gate: Gate; circumstances: Circumstances }) {
  const { environment, project_id } = gate
  if (environment === null) return null
  const isReported = circumstances.hooks.some((hook) => hook.environment === environment && hook.report_within_seconds !== null)
  const name = <bdi>{environment}</bdi>
  if (circumstances.running === null && !isReported) return name
  return <a href={environmentPath(project_id, environment)}>{name}</a>
}

const environmentOf = (gate: Gate, circumstances: Circumstances): ComponentChildren =>
  gate.environment === null ? null : <EnvironmentLink gate={gate} circumstances={circumstances} />

interface ChangedProps {
  gate: Gate
  circumstances: Circumstances
  /** Of the execution; null if it has none, or reported none. */
  cost_usd: number | null
}

/** What changed, and where it is to go: the subject, and the evidence for it. Nothing for a gate that has neither. */
export function Changed({ gate, circumstances, cost_usd }: ChangedProps) {
  const { subject, evidence } = gate
  if (subject === null && evidence === null) return null
  return (
    <Section title="What changed">
      {subject !== null && <SubjectFacts of={subject} environment={environmentOf(gate, circumstances)} />}
      {evidence !== null && (
        <>
          <Checks of={evidence.checks} />
          {evidence.summary !== null && <Summary of={evidence.summary} />}
          <Metrics of={evidence.metrics} before={circumstances.previous_metrics} />
          <Links of={evidence.links} />
          {cost_usd !== null && <Facts of={[['Cost', <Money usd={cost_usd} />]]} />}
        </>
      )}
    </Section>
  )
}

function Triggered({ gate, hooks }: { gate: Gate; hooks: ReturnType<typeof triggeredHooks> }) {
  if (hooks.length === 0) return <p>It sends nothing: no enabled hook of the project would be triggered.</p>
  const sent = sentText(gate)
  return (
    <ul>
      {hooks.slice(0, MAX_SHOWN).map((hook) => (
        <li>
          {isAtOnce(hook) ? (
            <>Sends {sent === null ? 'the approval' : <bdi>{sent}</bdi>}</>
          ) : (
            'When the workflow is completed, it is sent'
          )}{' '}
          to <a href={`/app/deployment-hooks/${hook.id}`}>{hook.name}</a> for <bdi>{hook.environment}</bdi>
        </li>
      ))}
    </ul>
  )
}

/** What an approval does, and what is missing until then. */
export function Effects({ gate, circumstances }: { gate: Gate; circumstances: Circumstances }) {
  const { running, held_until, missing } = effectsOf(gate, circumstances)
  const hooks = triggeredHooks(gate, circumstances)
  const { change_failure_rate: rate, others } = circumstances
  return (
    <Section title="What an approval does" live="effects">
      {others.length > 0 ? (
        <p>It sends nothing yet: other gates for the same environment are pending.</p>
      ) : (
        <Triggered gate={gate} hooks={hooks} />
      )}
      {hooks.length > MAX_SHOWN && <More count={hooks.length - MAX_SHOWN} />}
      <Facts
        of={[
          // Beside the subject, if there is one.
          ['Environment', gate.subject === null ? environmentOf(gate, circumstances) : null],
          [
            'Runs there now',
            running && (
              <>
                {running.version === null ? 'no version reported' : <bdi>{running.version}</bdi>}
                {running.digest !== null && (
                  <>
                    {' '}
                    (<code title={running.digest.gitCommit ?? running.digest.sha256}>{shortDigest(running.digest)}</code>)
                  </>
                )}
                , deployed <Time at={running.since} />
              </>
            ),
          ],
          ['Held until', held_until && <Time at={held_until} exact />],
          ['Failure rate', rate === null ? null : `${percentText(rate)} of rollouts in 30 days`],
        ]}
      />
      <h3>Still missing</h3>
      <ul>
        {missing.map((text) => (
          <li>{text}</li>
        ))}
      </ul>
    </Section>
  )
}

/** The same in short, where a mailed link leads. */
export function ShortEvidence({ gate }: { gate: Gate }) {
  const { subject, evidence, environment } = gate
  return (
    <>
      {subject !== null ? (
        <SubjectFacts of={subject} environment={environment && <bdi>{environment}</bdi>} />
      ) : (
        <Facts of={[['Environment', environment && <bdi>{environment}</bdi>]]} />
      )}
      {evidence !== null && <Checks of={evidence.checks} />}
    </>
  )
}
