/** The tasks of a manual: what users can do since a requirement is done. */
import type { Artifact, Requirement } from '../project-data.ts'
import { asSentence, numberedLines, type Reading, readingOf, storyOf, taskTitle } from './wording.ts'

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
  text.replaceAll(/(\*\*|__)(?=\S)(.+?)(?<=\S)\1/gu, '$2').replaceAll(/\[([^\][]+)\]\([^()\s]+\)/gu, '$1')

const forWhat = (benefit: string): string => asSentence(`what it is for: ${benefit}`)

/** What it is for: the description without its steps, where a user story is told without its form. */
function purposeOf(description: string, title: string): string {
  const [first = '', ...others] = description.trim().split(/\n\s*\n/)
  const told = storyOf(first)
  const benefit = (told ?? storyOf(title))?.benefit ?? null
  const start = told ? (benefit ? forWhat(benefit) : '') : first
  const lead = !told && benefit ? forWhat(benefit) : ''
  return [lead, start, ...others].filter((paragraph) => paragraph.trim() !== '').join('\n\n')
}

const unique = (texts: string[]): string[] => [...new Set(texts)].slice(0, MAX_ITEMS)

/** Steps and results from criteria. Where there are several steps, a result says after which it is seen. */
function toldBy(readings: Reading[]): Pick<Task, 'steps' | 'results'> {
  const steps = unique(readings.flatMap(({ step }) => step ?? []))
  const results = readings.flatMap(({ step, result }) => {
    if (result === null) return []
    return step !== null && steps.length > 1 && steps.includes(step) ? `After step ${steps.indexOf(step) + 1}: ${result}` : result
  })
  return { steps, results: unique(results) }
}

/** Whether a task says no more than its title. */
export const isBare = ({ purpose, steps, results, guides, pictures }: Task): boolean =>
  purpose === '' && [steps, results, guides, pictures].every(({ length }) => length === 0)

/**
 * The task of a finished requirement.
 *
 * @param artifacts what its newest completed execution made
 */
export function taskOf(requirement: Requirement, artifacts: Artifact[]): Task {
  const { title, description, acceptance_criteria } = requirement
  const { steps, rest } = numberedLines(description ?? '')
  const readings = acceptance_criteria.map(readingOf)
  const guides = artifacts.filter((artifact) => isAbout(artifact, GUIDE))
  const written = [steps, ...guides.map(({ content }) => numberedLines(content ?? '').steps)].find(({ length }) => length > 0)
  return {
    requirement,
    title: taskTitle(title),
    purpose: purposeOf(rest, title),
    before: written ? [] : unique(readings.flatMap(({ before }) => before ?? [])),
    ...(written ? { steps: unique(written.map(plainStep)), results: unique(acceptance_criteria) } : toldBy(readings)),
    guides: references(guides),
    pictures: references(artifacts.filter((artifact) => !guides.includes(artifact) && isAbout(artifact, PICTURE))),
  }
}
