/** Facts about what a dispatch comes from, for its page and the page of its environment. */
import type { ComponentChildren } from 'preact'
import { State, Time } from '../pages/components/text.tsx'
import { RequirementLink } from '../requirements/list.tsx'
import type { Origin, OriginGate } from './origin.ts'

/** Who let it pass, if someone did. */
function Approvers({ of: { approved_by, decided_via, decided_by_name, decided_at } }: { of: OriginGate }) {
  const isOverride = decided_via === 'override'
  const names = isOverride ? decided_by_name : approved_by.join(', ')
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
      {': '}
    </>
  )
}

type Fact = [name: string, value: ComponentChildren]

const several = (count: number, noun: string): string => `${noun}${count > 1 ? 's' : ''}`

/**
 * Facts about what a dispatch comes from: who approved it first. Values that are not known are null.
 *
 * @param event the event of the dispatch
 */
export function originFacts({ gates, executions, requested_by_name, rollback }: Origin, event: string): Fact[] {
  const requirements = new Map(executions.map(({ requirement }) => [requirement.id, requirement]))
  return [
    [
      'Approved by',
      gates.length > 0
        ? gates.map((gate) => (
            <div>
              <Approvers of={gate} />
              <a href={`/app/gates/${gate.id}`}>{gate.name}</a> <State of={gate.status} />
            </div>
          ))
        : event === 'deployment.rollback'
          ? 'not needed: this is a rollback'
          : null,
    ],
    ['Requested by', requested_by_name],
    ['Request', rollback],
    [
      several(requirements.size, 'Requirement'),
      requirements.size === 0
        ? null
        : [...requirements.values()].map((requirement) => (
            <div>
              <RequirementLink of={requirement} />
            </div>
          )),
    ],
    [
      several(executions.length, 'Execution'),
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
