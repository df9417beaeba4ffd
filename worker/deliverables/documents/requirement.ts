/** References to requirements in documents, and the rollouts that brought them to their users. */
import { pageUrl } from '../../../core/tenants/links.ts'
import { inline, link, withCode } from '../markdown.ts'
import type { FinishedRollout, ProjectData, Requirement } from '../project-data.ts'
import { isRollback, PRODUCTION } from '../releases.ts'

export const numbered = ({ id, number }: Requirement): string => link(`#${number}`, pageUrl('requirement', id) ?? '')

export const named = (requirement: Requirement): string => `${numbered(requirement)} ${inline(requirement.title)}`

/** The requirement that a document is limited to; null if the document covers the whole project. */
export const onlyRequirement = ({ only, requirements: [requirement] }: ProjectData): Requirement | null =>
  only === null ? null : (requirement ?? null)

/** Requirements that are done, the newest first. */
export const doneOf = (requirements: Requirement[]): Requirement[] =>
  requirements
    .filter(({ status }) => status === 'done')
    .sort((one, other) => Date.parse(other.completed_at ?? '') - Date.parse(one.completed_at ?? '') || other.number - one.number)

/** The end of the title of a document: the requirement that it is limited to, as plain text. */
export function subject(data: ProjectData): string {
  const requirement = onlyRequirement(data)
  return requirement ? ` (#${requirement.number} ${requirement.title})` : ''
}

export function limitedTo(data: ProjectData): string | false {
  const requirement = onlyRequirement(data)
  return requirement !== null && `Limited to one requirement: ${named(requirement)}`
}

/** Kinds whose descriptions tell how it was before. */
const BEFORE = new Set<Requirement['kind']>(['fix', 'security'])

export const described = ({ kind }: Requirement, sentence: string): string =>
  `${BEFORE.has(kind) ? 'Before: ' : ''}${withCode(sentence)}`

const carriesNews = (rollout: FinishedRollout): boolean => rollout.state === 'succeeded' && !isRollback(rollout)

/** The first successful rollout to each environment since a done requirement was ready for it, oldest first. */
export function firstRollouts({ completions, rollouts }: ProjectData, { id }: { id: string }): FinishedRollout[] {
  const ready_at = completions.find((each) => each.id === id)?.ready_at
  if (ready_at === undefined) return []
  const first = new Map<string, FinishedRollout>()
  for (const rollout of rollouts) {
    if (carriesNews(rollout) && rollout.reported_at >= ready_at && !first.has(rollout.environment)) {
      first.set(rollout.environment, rollout)
    }
  }
  return [...first.values()]
}

/**
 * The version in which each done requirement was rolled out first, by its id: in production, or in the environment of the last
 * rollout where nothing was rolled out to production. It agrees with `firstRollouts`.
 */
export function firstVersions({ completions, rollouts }: ProjectData): Map<string, string> {
  const news = rollouts.filter(carriesNews)
  const environment = news.some((each) => each.environment === PRODUCTION) ? PRODUCTION : news.at(-1)?.environment
  const there = news.filter((each) => each.environment === environment)
  const ready = [...completions].sort((one, other) => (one.ready_at < other.ready_at ? -1 : 1))
  const versions = new Map<string, string>()
  let index = 0
  for (const { id, ready_at } of ready) {
    while (index < there.length && (there[index] as FinishedRollout).reported_at < ready_at) index++
    const version = there[index]?.version
    if (version != null) versions.set(id, version)
  }
  return versions
}
