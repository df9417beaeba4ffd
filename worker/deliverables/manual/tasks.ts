/** The tasks of a manual: what users can do since a requirement is done. */
import type { Artifact, Requirement } from '../project-data.ts'
import { numberedLines, withoutTitle } from '../sentences.ts'
import { isAboutTheWork, isTechnical } from './audience.ts'
import { isStory, type Reading, readingOf, taskTitle } from './wording.ts'

/** A page, or an image, that an execution made. */
interface Reference {
  name: string
  url: string
}

/** What a user can do. All texts are as they were entered. */
export interface Task {
  requirement: Requirement
  title: string
  /** Text with paragraphs; empty if nothing is known. */
  purpose: string
  before: string[]
  steps: string[]
  /** How a user sees that it worked. */
  results: string[]
  /** What the product does by criteria that do not speak of the user. */
  behaviour: string[]
  guides: Reference[]
  pictures: Reference[]
}

/** Steps, or results, that a reader would still follow. */
const MAX_ITEMS = 30

const GUIDE = /\b(?:guide|manual|how-?to|usage|instructions?|tutorial|walkthrough|docs?|documentation|readme)\b/iu
const PICTURE = /\b(?:screenshots?|screencasts?|images?|pictures?|previews?|demo|video|recording)\b/iu

/** Underscores separate words in the names of files. */
const isAbout = ({ name, kind }: Artifact, what: RegExp): boolean => what.test(`${kind ?? ''} ${name}`.replaceAll('_', ' '))

const references = (artifacts: Artifact[]): Reference[] =>
  artifacts.flatMap(({ name, url }) => (url === null ? [] : [{ name, url }]))

/** A step as text: its emphasis and links would be shown as they were typed. */
const plainStep = (text: string): string =>
  text.replaceAll(/(\*\*|__)(?=\S)((?:(?!\1).)+)(?<=\S)\1/gu, '$2').replaceAll(/\[([^\][]+)\]\([^()\s]+\)/gu, '$1')

/** What it is for: the description without its steps; before it the title, if that is a user story which the task shortens. */
function purposeOf(description: string, title: string): string {
  const lead = isStory(title) && taskTitle(title) !== title && !isStory(description.trim().split(/\n\s*\n/)[0] ?? '')
  return [lead ? title : '', withoutTitle(title, description.trim())].filter((text) => text !== '').join('\n\n')
}

const unique = (texts: string[]): string[] => [...new Set(texts)].slice(0, MAX_ITEMS)

type Told = Pick<Task, 'results' | 'behaviour'>

/** Criteria without steps: what a user sees, and what the product does. */
const toldWithout = (criteria: string[]): Told => ({
  results: unique(criteria.filter((criterion) => !isTechnical(criterion))),
  behaviour: unique(criteria.filter(isTechnical)),
})

/**
 * Steps from criteria that speak to or of a user, with what is seen after them; where there are several steps, a result says after
 * which. The other criteria are results beside steps, and without any step what the product does.
 */
function toldBy(readings: Reading[]): Told & Pick<Task, 'steps'> {
  const steps = unique(readings.flatMap(({ step }) => step ?? []))
  const behaviour = readings.filter(({ step, isTechnical }) => isTechnical || (step === null && steps.length === 0))
  const results = readings.flatMap((reading) => {
    const { step, result } = reading
    if (result === null || behaviour.includes(reading)) return []
    return step !== null && steps.length > 1 && steps.includes(step) ? `After step ${steps.indexOf(step) + 1}: ${result}` : result
  })
  return { steps, results: unique(results), behaviour: unique(behaviour.flatMap(({ result }) => result ?? [])) }
}

/** Whether a task says no more than its title. */
export const isBare = ({ purpose, steps, results, behaviour, guides, pictures }: Task): boolean =>
  purpose === '' && [steps, results, behaviour, guides, pictures].every(({ length }) => length === 0)

/** The steps that the first criterion with numbered lines lists, and the criteria without them; no steps if none does. */
function fromList(criteria: string[]): { steps: string[] | null; criteria: string[] } {
  const at = criteria.findIndex((criterion) => !isTechnical(criterion) && numberedLines(criterion).steps.length > 0)
  if (at === -1) return { steps: null, criteria }
  const { steps, rest } = numberedLines(criteria[at] ?? '')
  // What introduces the steps, such as "Pay by invoice:", says nothing without them.
  const others = rest.trim() === '' || rest.trim().endsWith(':') ? [] : [rest.trim()]
  return { steps, criteria: criteria.toSpliced(at, 1, ...others) }
}

/**
 * The task of a finished requirement.
 *
 * @param artifacts what its newest completed execution made
 */
export function taskOf(requirement: Requirement, artifacts: Artifact[]): Task {
  const { title, description, acceptance_criteria } = requirement
  const { steps, rest } = numberedLines(description ?? '')
  const criteria = acceptance_criteria.filter((criterion) => !isAboutTheWork(criterion))
  const guides = artifacts.filter((artifact) => isAbout(artifact, GUIDE))
  const written = [steps, ...guides.map(({ content }) => numberedLines(content ?? '').steps)].find(({ length }) => length > 0)
  const told = written ? { steps: written, criteria } : fromList(criteria)
  const readings = told.criteria.map(readingOf)
  return {
    requirement,
    title: taskTitle(title),
    purpose: purposeOf(rest, title),
    before: told.steps ? [] : unique(readings.flatMap(({ before }) => before ?? [])),
    ...(told.steps ? { steps: unique(told.steps.map(plainStep)), ...toldWithout(told.criteria) } : toldBy(readings)),
    guides: references(guides),
    pictures: references(artifacts.filter((artifact) => !guides.includes(artifact) && isAbout(artifact, PICTURE))),
  }
}
