/** Facts about what a dispatch comes from, for its page and for that of its environment. */
import type { ComponentChildren } from 'preact'
import { State, Time } from '../pages/components/text.tsx'
import { RequirementLink } from '../requirements/list.tsx'
import type { Origin, OriginGate } from './origin.ts'

const list = (texts: string[]): string => texts.join(', ')

/** Who let it pass. The state of the gate says if that was revoked since. */
function Approvers({ of: { approved_by, decided_via, decided_by_name, decided_at } }: { of: OriginGate }) {
  const isOverride = decided_via === 'override'
  const names = isOverride ? decided_by_name : list(approved_by)
  if (!names) return null
  return (
    <>
      {names}
      {isOverride && ' by an override'}
      {decided_at !== null && (
        <>
          , <Time at={decided_at} />
        </>
      )}
    </>
  )
}

type Fact = [name: string, value: ComponentChildren]

/**
 * Facts about what a dispatch comes from: who approved it first. Values that are not known are null.
 *
 * @param event that of the dispatch
 */
export function originFacts({ gate, executions, requested_by_name }: Origin, event: string): Fact[] {
  const requirements = new Map(executions.map(({ requirement }) => [requirement.id, requirement]))
  const isDecided = gate !== null && (gate.decided_via === 'override' || gate.approved_by.length > 0)
  return [
    [
      'Approved by',
      isDecided ? <Approvers of={gate} /> : event === 'deployment.rollback' ? 'nobody: a rollback needs no approval' : null,
    ],
    [
      'Gate',
      gate && (
        <>
          <a href={`/app/gates/${gate.id}`}>{gate.name}</a> <State of={gate.status} />
        </>
      ),
    ],
    ['Requested by', requested_by_name],
    [
      requirements.size > 1 ? 'Requirements' : 'Requirement',
      requirements.size === 0
        ? null
        : [...requirements.values()].map((requirement) => (
            <div>
              <RequirementLink of={requirement} />
            </div>
          )),
    ],
    [
      executions.length > 1 ? 'Executions' : 'Execution',
      executions.length === 0
        ? null
        : executions.map(({ id, agent, status }) => (
            <div>
              <a href={`/app/executions/${id}`}>by {agent}</a> <State of={status} />
            </div>
          )),
    ],
  ]
}
