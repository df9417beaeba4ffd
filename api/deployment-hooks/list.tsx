import { Outcome } from '../dispatches/outcome.tsx'
import { Rows } from '../pages/components/structure.tsx'
import { State, Time } from '../pages/components/text.tsx'
import type { Hook } from './schema.ts'
import type { HookSummary } from './summaries.ts'

const TRIGGERS: Record<Hook['trigger_on'], string> = { workflow_done: 'workflow completed', gate_approved: 'gate approved' }

const hookState = ({ enabled, paused }: Pick<HookSummary, 'enabled' | 'paused'>): string =>
  !enabled ? 'disabled' : paused ? 'paused' : 'enabled'

/** The last dispatch: its outcome, version and time. */
const LastOutcome = ({ of: last }: { of: HookSummary['last'] }) =>
  last && (
    <a href={`/app/dispatches/${last.id}`}>
      <Outcome of={last} /> {last.version !== null && <bdi>{last.version}</bdi>} <Time at={last.at} />
    </a>
  )

export const HookList = ({ hooks }: { hooks: HookSummary[] }) => (
  <Rows
    label="Hooks"
    of={hooks}
    row={({ id, name, environment, url, trigger_on, disabled_reason, last, ...hook }) => ({
      state: <State of={hookState(hook)} />,
      href: `/app/deployment-hooks/${id}`,
      what: name,
      beside: (
        <>
          <bdi>{environment}</bdi> · {TRIGGERS[trigger_on]} ·{' '}
          {url === null ? 'claims its dispatches' : (URL.parse(url)?.host ?? url)}
        </>
      ),
      below: disabled_reason,
      end: <LastOutcome of={last} />,
    })}
  />
)
