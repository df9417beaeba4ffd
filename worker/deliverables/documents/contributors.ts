/** Who worked on requirements. */
import { counted } from '../format.ts'
import { bullets, inline } from '../markdown.ts'
import type { ProjectData, Requirement } from '../project-data.ts'

/** Agents and people that are named, each. */
const MAX_NAMES = 20

/** Names, the most frequent first. */
function listed(names: Map<string, Set<string>>, noun: string): string {
  const sorted = [...names].sort(([a, as], [b, bs]) => bs.size - as.size || (a < b ? -1 : 1))
  const shown = sorted.slice(0, MAX_NAMES).map(([name, ids], index) => {
    const count = index === 0 ? counted(ids.size, noun) : String(ids.size)
    return `${inline(name)} (${count})`
  })
  const more = sorted.length - shown.length
  return `${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}`
}

/**
 * The agents whose executions were completed for requirements, and the people who asked for them, started agents or decided gates; each
 * with the number of requirements. Null if there is nobody.
 */
export function contributors({ executions, gates }: ProjectData, requirements: Requirement[]): string | null {
  const ids = new Set(requirements.map(({ id }) => id))
  const agents = new Map<string, Set<string>>()
  const people = new Map<string, Set<string>>()
  const add = (to: Map<string, Set<string>>, name: string | null, id: string) => {
    if (name === null || !ids.has(id)) return
    const known = to.get(name)
    if (known) known.add(id)
    else to.set(name, new Set([id]))
  }
  for (const { id, created_by } of requirements) add(people, created_by, id)
  for (const { requirement_id, status, agent, started_by } of executions) {
    if (status === 'completed') add(agents, agent, requirement_id)
    add(people, started_by, requirement_id)
  }
  for (const { requirement_id, decided_by } of gates) add(people, decided_by, requirement_id)
  const lines = [
    ...(agents.size > 0 ? [`Agents: ${listed(agents, 'change')}`] : []),
    ...(people.size > 0 ? [`People: ${listed(people, 'change')}`] : []),
  ]
  return lines.length > 0 ? bullets(lines) : null
}
