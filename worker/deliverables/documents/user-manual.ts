/** user_manual: what users can do with the project, one section per finished feature, in the words of its requirement. */
import { grouped } from '../format.ts'
import { type Block, bullets, heading, inline, line, link, prose, steps, strong } from '../markdown.ts'
import type { ProjectData, Requirement } from '../project-data.ts'
import { criterionItem } from '../sentences.ts'
import { deprecationAdvice, missingAdvice } from './deprecations.ts'
import { type Document, documentOf, help } from './document.ts'

const MAX_NAMED = 10

interface Feature {
  requirement: Requirement
  summary: string | null
  /** Pages, files and pictures that can be opened. */
  links: { name: string; url: string }[]
}

function featuresOf(requirements: Requirement[], { executions, artifacts }: ProjectData): Feature[] {
  const completed = executions.filter(({ status }) => status === 'completed')
  const summaries = new Map(completed.map(({ requirement_id, summary }) => [requirement_id, summary]))
  const made = new Map(grouped(artifacts, ({ requirement_id }) => requirement_id))
  return requirements.map((requirement) => ({
    requirement,
    summary: summaries.get(requirement.id) ?? null,
    links: (made.get(requirement.id) ?? []).flatMap(({ name, url }) => (url === null ? [] : [{ name, url }])),
  }))
}

/** Whether a feature says no more than its title. */
const isBare = ({ requirement: { description, acceptance_criteria }, summary, links }: Feature): boolean =>
  description === null && summary === null && acceptance_criteria.length + links.length === 0

const featureBlocks = ({ requirement: { title, description, acceptance_criteria }, summary, links }: Feature): Block[] => [
  heading(3, title),
  description !== null && prose(description),
  acceptance_criteria.length > 0 && strong('How it works'),
  steps(acceptance_criteria.map(criterionItem)),
  summary !== null && strong('What was delivered'),
  summary !== null && prose(summary),
  links.length > 0 && `See also: ${links.map(({ name, url }) => link(name, url)).join(', ')}`,
]

const more = (features: Feature[]): Block[] =>
  features.length > 0 ? [heading(3, 'More features'), bullets(features.map(({ requirement }) => inline(requirement.title)))] : []

const retired = (requirements: Requirement[], state: string): string[] =>
  requirements.map((each) => `${strong(inline(each.title))} (${state})${deprecationAdvice(each) || '.'}`)

/** `#3, #5 and 4 more`. */
function numbers(features: Feature[]): string {
  const named = features.slice(0, MAX_NAMED).map(({ requirement }) => `#${requirement.number}`)
  const more = features.length - named.length
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ')
}

function missingOf({ project }: ProjectData, features: Feature[], deprecations: Requirement[]): Block[] {
  const undescribed = features.filter(({ requirement }) => requirement.description === null)
  const unexplained = features.filter(({ requirement }) => requirement.acceptance_criteria.length === 0)
  return [
    project.description === null && 'The project has no description: say what it is and who it is for.',
    features.length === 0 && 'No feature is done yet.',
    undescribed.length > 0 && `What it is for is missing in ${numbers(undescribed)}: add a description.`,
    unexplained.length > 0 && `How it works is missing in ${numbers(unexplained)}: add acceptance criteria.`,
    ...missingAdvice(deprecations),
  ]
}

export function userManual(data: ProjectData): Document {
  const done = data.requirements.filter(({ status }) => status === 'done')
  const of = (...kinds: Requirement['kind'][]) => done.filter(({ kind }) => kinds.includes(kind))
  const features = featuresOf(of('feature', 'change'), data)
  const [deprecations, removals] = [of('deprecation'), of('removal')]
  // Open security requirements are not for users: they would tell attackers where to look.
  const limits = data.requirements.filter(({ kind, status }) => kind === 'fix' && (status === 'open' || status === 'in_progress'))
  const { contact, who, missing } = help(data)
  const retirement = bullets([...retired(deprecations, 'deprecated'), ...retired(removals, 'removed')])
  return documentOf(
    data,
    'customers',
    `${data.project.name}: user manual`,
    [
      heading(2, 'What it is'),
      data.project.description === null ? line(data.project.name) : prose(data.project.description),
      heading(2, 'What you can do'),
      features.length === 0 && 'Nothing is ready for use yet.',
      ...features.filter((feature) => !isBare(feature)).flatMap(featureBlocks),
      ...more(features.filter(isBare)),
      retirement && heading(2, 'What is going away'),
      retirement,
      limits.length > 0 && heading(2, 'Known limitations'),
      bullets(limits.map(({ title }) => inline(title))),
      heading(2, 'Help'),
      `${who === 'the repository' ? 'Ask in' : 'Contact'} ${who}: ${contact}`,
    ],
    [...missingOf(data, features, deprecations), ...missing],
  )
}
