/** What changed in an API since its documentation was last published. */

import { node, words } from '../../../core/openapi/document.ts'
import { counted, day } from '../format.ts'
import { bullets, inline, linkWithin, strong } from '../markdown.ts'
import { type Change, changesBetween } from '../openapi/changes.ts'
import type { PublishedDescription } from '../project-data.ts'

/** More than a reader would look at are counted. */
const MAX_SHOWN = 200
const MAX_VERSION = 100

/** What changed since a published version. */
export interface ApiChanges {
  title: string
  /** The version that was published. */
  since: string
  changes: Change[]
  published: PublishedDescription
}

/** Compares the description with the one that was published. */
export function apiChanges(published: PublishedDescription, document: Record<string, unknown>): ApiChanges {
  const changes = changesBetween(published.document, document)
  const since = words(node(published.document.info).version).slice(0, MAX_VERSION)
  return { title: `Changes since ${since}`, since, changes, published }
}

/** A sentence on how much changed, and whether it breaks clients. */
export function changesSentence({ title, since: version, changes, published }: ApiChanges, anchor: string): string {
  const since = `${inline(version)}, published on ${day(published.published_at)}`
  if (changes.length === 0) return `Nothing changed for clients since version ${since}.`
  const breaking = changes.filter((change) => change.breaking).length
  const much = `${counted(changes.length, 'change')} since version ${since}`
  return `${much}, ${breaking === 0 ? 'none' : breaking} of them breaking: see ${linkWithin(title, anchor)}.`
}

/** The changes in one list, breaking ones first. */
export function changeBlocks({ changes }: ApiChanges): string[] {
  const sorted = [...changes].sort((one, other) => Number(other.breaking) - Number(one.breaking))
  const shown = sorted.slice(0, MAX_SHOWN)
  const list = bullets(shown.map(({ breaking, what }) => `${breaking ? `${strong('Breaking:')} ` : ''}${what}.`))
  const more = changes.length - shown.length
  return more > 0 ? [list, `${counted(more, 'more change')}.`] : [list]
}
