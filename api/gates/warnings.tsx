/** What a gate's page begins with: what speaks against the gate, or against trusting what was decided. */

import type { Circumstances } from '../../core/dispatches/circumstances.ts'
import { failedChecks, warningsOf } from '../../core/dispatches/warnings.ts'
import { type Evidence, failedCount, type Gate } from '../../core/gates/gates.ts'
import { environmentPath } from '../environments/environments.ts'
import { WebLink } from '../pages/components/links.tsx'
import { Dot, Notice, Prose, Time } from '../pages/components/text.tsx'
import { countText, excerpt, firstOf, More } from './excerpts.tsx'
import { isOpen } from './words.ts'

type Check = Evidence['checks'][number]

function CheckName({ of: { name, url } }: { of: Check }) {
  const shown = (
    <strong>
      <bdi>{name}</bdi>
    </strong>
  )
  return url === null ? shown : <WebLink href={url}>{shown}</WebLink>
}

const Detail = ({ of: { detail } }: { of: Check }) =>
  detail === null ? null : (
    <div class="small">
      <Prose>{excerpt(detail)}</Prose>
    </div>
  )

/** One failed check in a sentence, several as a list. */
function FailedChecks({ of: failed, all }: { of: Check[]; all: number }) {
  const [first, ...others] = failed
  if (!first) return null
  const shown = firstOf(failed, ({ name, url, detail }) => [name, url, detail && excerpt(detail)])
  return (
    <div class="notice bad">
      <p>
        <strong>{failedCount(failed.length, all)}</strong>
        {others.length === 0 && (
          <>
            : <CheckName of={first} />
          </>
        )}
      </p>
      {others.length === 0 ? (
        <Detail of={first} />
      ) : (
        <ul class="list small">
          {shown.map((check) => (
            <li>
              <CheckName of={check} />
              <Detail of={check} />
            </li>
          ))}
        </ul>
      )}
      <More count={failed.length - shown.length} />
    </div>
  )
}

/** What stands in the way where the gate leads to: it changes, so a decided gate no longer shows it. */
function OfEnvironment({ gate, circumstances }: WarningsProps) {
  const { frozen_until, not_promoted, failing, unreviewed } = warningsOf(gate, circumstances)
  const environment = gate.environment && <bdi>{gate.environment}</bdi>
  return (
    <>
      {not_promoted && <Notice tone="warn">{not_promoted}</Notice>}
      {frozen_until && (
        <Notice tone="warn">
          {environment ?? 'An environment of its hooks'} is frozen until <Time at={frozen_until} exact />. What is approved waits
          until then.
        </Notice>
      )}
      {failing && gate.environment && (
        <Notice tone="warn">
          <a href={environmentPath(gate.project_id, gate.environment)}>The last rollout</a> in {environment} failed
          {failing.version && (
            <>
              : <bdi>{failing.version}</bdi>
            </>
          )}
          , <Time at={failing.at} />.
        </Notice>
      )}
      {unreviewed && (
        <Notice tone="warn">
          An override for {environment} has not been reviewed: <a href={`/app/gates/${unreviewed.id}`}>{unreviewed.name}</a>
        </Notice>
      )}
    </>
  )
}

/** Why a decision is not what it seems; null if it is. */
function ofOutcome(gate: Gate) {
  if (gate.revoked_at !== null) {
    return (
      <Notice tone="bad">
        <strong>The approval was revoked</strong>, <Time at={gate.revoked_at} />. It is no longer valid.
      </Notice>
    )
  }
  if (gate.superseded_by !== null) {
    return (
      <Notice tone="warn">
        <a href={`/app/gates/${gate.superseded_by}`}>A newer gate</a> has replaced this one. It cannot be approved any more.
      </Notice>
    )
  }
  if (gate.decided_via !== 'override' || gate.reviewed_at !== null) return null
  return <Notice tone="warn">It was approved by an override, which has not been reviewed.</Notice>
}

/** Where nothing speaks against a gate. */
function NoWarnings({ of: checks }: { of: Check[] }) {
  const counts = [countText(checks, 'passed'), countText(checks, 'skipped')].filter((text) => text !== null)
  return (
    <p class="buttons hint">
      <Dot tone={counts.length > 0 ? 'good' : 'off'} text="" /> No warnings
      {counts.length > 0 ? `: ${counts.join(', ')}` : '. No checks were reported'}.
    </p>
  )
}

interface WarningsProps {
  gate: Gate
  circumstances: Circumstances
}

/** @param decision what the link to the decision says, which a phone shows: there the decision comes last. Null: no link */
export function Warnings({ gate, circumstances, decision }: WarningsProps & { decision: string | null }) {
  const checks = gate.evidence?.checks ?? []
  const failed = failedChecks(gate)
  const open = isOpen(gate, circumstances.now)
  const { frozen_until, not_promoted, failing, unreviewed } = warningsOf(gate, circumstances)
  const outcome = ofOutcome(gate)
  const isQuiet =
    open &&
    [failed.length === 0, ...[not_promoted, frozen_until, failing, unreviewed].map((each) => each === null)].every(Boolean)
  if (!open && outcome === null && failed.length === 0) return null
  return (
    <section id="warnings">
      <h2 class="unseen">Warnings</h2>
      {outcome}
      <FailedChecks of={failed} all={checks.length} />
      {open && <OfEnvironment gate={gate} circumstances={circumstances} />}
      {isQuiet && <NoWarnings of={checks} />}
      {decision !== null && (
        <p class="to-decision">
          <a class="button quiet" href="#decision">
            {decision}
          </a>
        </p>
      )}
    </section>
  )
}
