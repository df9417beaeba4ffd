/** user_manual: what users can do with the project, one section per task. */
import { grouped } from '../format.ts'
import { isBare, type Task, taskOf } from '../manual/tasks.ts'
import { bullets, heading, inline, line, link, prose, steps, strong } from '../markdown.ts'
import type { ProjectData, Requirement } from '../project-data.ts'
import { criterionItem } from './criteria.ts'
import { deprecationAdvice, missingAdvice } from './deprecations.ts'
import { type Document, documentOf } from './document.ts'
import { help } from './help.ts'

type Block = string | null | false

/** Requirements named in a sentence on what is missing. */
const MAX_NAMED = 10

const linked = (references: { name: string; url: string }[]): string =>
  references.map(({ name, url }) => link(name, url)).join(', ')

/** A label with a list below it; empty without items. */
const labelled = (label: string, items: string[], list: (items: string[]) => string): Block[] =>
  items.length > 0 ? [strong(label), list(items.map(criterionItem))] : []

const taskBlocks = ({ title, purpose, before, steps: todo, results, behaviour, guides, pictures }: Task): Block[] => [
  heading(3, title),
  purpose !== '' && prose(purpose),
  ...labelled('Before you start', before, bullets),
  ...labelled('How to do it', todo, steps),
  guides.length > 0 && `Guide: ${linked(guides)}`,
  ...labelled('What you will see', results, bullets),
  ...labelled('What it does', behaviour, bullets),
  pictures.length > 0 && `It looks like this: ${linked(pictures)}`,
]

/** Tasks of which only the titles are known. */
const more = (tasks: Task[]): Block[] =>
  tasks.length > 0 ? [heading(3, 'More features'), bullets(tasks.map(({ title }) => inline(title)))] : []

/** What no longer works, or will not. */
const retired = (requirements: Requirement[], state: string): Block =>
  requirements.length > 0 &&
  bullets(
    requirements.map((requirement) => {
      const advice = deprecationAdvice(requirement)
      return `${strong(inline(requirement.title))} (${state})${advice || '.'}`
    }),
  )

/** `#3, #5 and 4 more`. */
function numbers(tasks: Task[]): string {
  const named = tasks.slice(0, MAX_NAMED).map(({ requirement }) => `#${requirement.number}`)
  const more = tasks.length - named.length
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ')
}

function missingOf({ project }: ProjectData, tasks: Task[], deprecations: Requirement[]): string[] {
  const without = (of: (task: Task) => boolean) => tasks.filter((task) => !of(task))
  const unexplained = without(({ purpose }) => purpose !== '')
  const untold = without(({ steps: todo, guides }) => todo.length > 0 || guides.length > 0)
  const unproven = without(({ results, behaviour, pictures }) => [results, behaviour, pictures].some(({ length }) => length > 0))
  return [
    ...(project.description === null ? ['The project has no description: say what it is and who it is for.'] : []),
    ...(tasks.length === 0 ? ['No feature is done yet.'] : []),
    ...(unexplained.length > 0 ? [`What it is for is missing in ${numbers(unexplained)}: add a description.`] : []),
    ...(untold.length > 0
      ? [
          `Steps are missing in ${numbers(untold)}: add numbered lines to the description, or criteria such as "When the user ..., then ...".`,
        ]
      : []),
    ...(unproven.length > 0
      ? [`What users see when it worked is missing in ${numbers(unproven)}: add acceptance criteria.`]
      : []),
    ...missingAdvice(deprecations),
  ]
}

export function userManual(data: ProjectData): Document {
  const done = data.requirements.filter(({ status }) => status === 'done')
  const of = (...kinds: Requirement['kind'][]) => done.filter(({ kind }) => kinds.includes(kind))
  const artifacts = new Map(grouped(data.artifacts, ({ requirement_id }) => requirement_id))
  const tasks = of('feature', 'change').map((requirement) => taskOf(requirement, artifacts.get(requirement.id) ?? []))
  const [deprecations, removals] = [of('deprecation'), of('removal')]
  // Open security requirements are not for users: they would tell attackers where to look.
  const limits = data.requirements.filter(({ kind, status }) => kind === 'fix' && (status === 'open' || status === 'in_progress'))
  const { contact, who, missing } = help(data)
  const retirement = [retired(deprecations, 'deprecated'), retired(removals, 'removed')].filter(Boolean).join('\n')
  return documentOf(
    data,
    'customers',
    `${data.project.name}: user manual`,
    [
      heading(2, 'What it is'),
      data.project.description === null ? line(data.project.name) : prose(data.project.description),
      heading(2, 'What you can do'),
      tasks.length === 0 && 'Nothing is ready for use yet.',
      ...tasks.filter((task) => !isBare(task)).flatMap(taskBlocks),
      ...more(tasks.filter(isBare)),
      retirement !== '' && heading(2, 'What is going away'),
      retirement !== '' && retirement,
      limits.length > 0 && heading(2, 'Known limitations'),
      limits.length > 0 && bullets(limits.map(({ title }) => inline(title))),
      heading(2, 'Help'),
      `${who === 'the repository' ? 'Ask in' : 'Contact'} ${who}: ${contact}`,
    ],
    [...missingOf(data, tasks, deprecations), ...missing],
  )
}
