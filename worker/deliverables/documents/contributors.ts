/** Who worked on requirements. */
import { counted } from '../format.ts'
import { bullets, inline } from '../markdown.ts'
import type { ProjectData, Requirement } from '../project-data.ts'

/** Agents and people that are named, each. */
const MAX_NAMES = 20

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** An agent or a person, and the requirements that they worked on. */
interface Contributor {
  name: string
  requirements: Set<string>
}

/** Names, the most frequent first. */
function listed(contributors: Map<string, Contributor>): string {
  const sorted = [...contributors].sort(
    ([id, one], [otherId, other]) =>
      other.requirements.size - one.requirements.size || compare(one.name, other.name) || compare(id, otherId),
  )
  const shown = sorted.slice(0, MAX_NAMES).map(([, { name, requirements }], index) => {
    const count = index === 0 ? counted(requirements.size, 'change') : String(requirements.size)
    return `${inline(name)} (${count})`
  })
  const more = sorted.length - shown.length
  return `${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}`
}

/**
 * The agents whose executions were completed for requirements, and the people who asked for them, started agents or decided gates; each
 * with the number of requirements. Null if there are none.
 */
export function contributors({ executions, gates }: ProjectData, requirements: Requirement[]): string | null {
  const ids = new Set(requirements.map(({ id }) => id))
  const agents = new Map<string, Contributor>()
  const people = new Map<string, Contributor>()
  const add = (to: Map<string, Contributor>, key: string | null, name: string | null, requirement: string | null) => {
    if (key === null || name === null || requirement === null || !ids.has(requirement)) return
    const known = to.get(key)
    if (known) known.requirements.add(requirement)
    else to.set(key, { name, requirements: new Set([requirement]) })
  }
  for (const { id, created_by_id, created_by } of requirements) add(people, created_by_id, created_by, id)
  for (const { requirement_id, status, agent, started_by_id, started_by } of executions) {
    if (status === 'completed') add(agents, agent, agent, requirement_id)
    add(people, started_by_id, started_by, requirement_id)
  }
  for (const { requirement_id, decided_by_id, decided_by } of gates) add(people, decided_by_id, decided_by, requirement_id)
  const lines = [
    ...(agents.size > 0 ? [`Agents: ${listed(agents)}`] : []),
    ...(people.size > 0 ? [`People: ${listed(people)}`] : []),
  ]
  return lines.length > 0 ? bullets(lines) : null
}
