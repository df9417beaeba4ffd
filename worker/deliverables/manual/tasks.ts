/** The tasks of a manual: what users can do since a requirement is done. */
import type { Artifact, Requirement } from '../project-data.ts'
import { asSentence, numberedLines, readingOf, storyOf, taskTitle } from './wording.ts'

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

/** Markdown of a guide as text: its emphasis and links would be shown as they were typed. */
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
  const guided = guides.flatMap(({ content }) => numberedLines(content ?? '').steps.map(plainStep))
  const told = readings.flatMap(({ step }) => step ?? [])
  const all = steps.length > 0 ? steps : guided.length > 0 ? guided : told
  return {
    requirement,
    title: taskTitle(title),
    purpose: purposeOf(rest, title),
    before: [...new Set(readings.flatMap(({ before }) => before ?? []))].slice(0, MAX_ITEMS),
    steps: [...new Set(all)].slice(0, MAX_ITEMS),
    results: [...new Set(readings.flatMap(({ result }) => result ?? []))].slice(0, MAX_ITEMS),
    guides: references(guides),
    pictures: references(artifacts.filter((artifact) => !guides.includes(artifact) && isAbout(artifact, PICTURE))),
  }
}
