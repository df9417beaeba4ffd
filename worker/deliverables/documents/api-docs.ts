/** api_docs: the API reference of the project, from its OpenAPI document (3.0 or 3.1, validated when it was stored). */
import { anchors } from '../../../core/markdown/anchors.ts'
import { needsBaseUrl, variablesOf } from '../../../core/openapi/curl.ts'
import {
  type Node,
  node,
  nodes,
  type Operation,
  operationsOf,
  resolved,
  webhooksOf,
  words,
} from '../../../core/openapi/document.ts'
import { isObject } from '../../../core/values/objects.ts'
import { counted } from '../format.ts'
import { code, flat, heading, inline, link, linkWithin, prose, shortened, table } from '../markdown.ts'
import { cutLine, cutProse, Space } from '../openapi/space.ts'
import type { ProjectData } from '../project-data.ts'
import { accessBlocks, servers } from './api-docs-access.ts'
import { type ApiChanges, apiChanges, changeBlocks, changesSentence } from './api-docs-changes.ts'
import { fieldTable, type Reference, schemaSentence } from './api-docs-fields.ts'
import { operationBlocks, tagsOf } from './api-docs-operation.ts'
import { type Document, documentOf } from './document.ts'
import { mailTo } from './help.ts'
import { onlyRequirement, subject } from './requirement.ts'

type Block = string | null | false

/** Characters of a document. Of sections that do not fit, only the headings are written. */
const MAX_CHARACTERS = 2_000_000
/** What an operation takes of them at least, which limits the time for operations that show little. */
const MIN_OPERATION = 1_000
const MAX_LISTED = 5_000
const SUMMARY_LENGTH = 120

const TOO_LARGE = 'Too large for this document: see the API description.'

/** A section. Its blocks are written when the anchors of all sections are known, because they link to others. */
interface Section {
  level: number
  title: string
  /** What links lead to: an operation, the name of a schema, or the changes. */
  about?: unknown
  blocks: (anchorOf: Map<unknown, string>) => Block[]
}

const nameOf = ({ method, path }: Operation): string => `${method} ${path}`

/** The operations with what they do, linked to their sections. */
function operationList(anchorOf: Map<unknown, string>, operations: Operation[]): Block[] {
  const rows = operations.slice(0, MAX_LISTED).map((each) => {
    const { summary, description, deprecated } = each.operation
    const about = inline(shortened(cutLine(words(summary) || words(description)), SUMMARY_LENGTH))
    const anchor = anchorOf.get(each)
    const name = anchor === undefined ? code(nameOf(each)) : linkWithin(nameOf(each), anchor)
    return [name, `${about || '–'}${deprecated === true ? ' (deprecated)' : ''}`]
  })
  const more = operations.length - rows.length
  return [table(['Operation', 'What it does'], rows), more > 0 && `${counted(more, 'more operation')}.`]
}

function operationSections(reference: Reference, tag: string, operations: Operation[], isCalled: boolean, about = ''): Section[] {
  return [
    {
      level: 2,
      title: flat(tag) || 'Other operations',
      blocks: () => [about !== '' && reference.space.text(prose(cutProse(about)))],
    },
    ...operations.map((operation) => ({
      level: 3,
      title: nameOf(operation),
      about: operation,
      blocks: () => (reference.space.take(MIN_OPERATION) ? operationBlocks(reference, operation, isCalled) : [TOO_LARGE]),
    })),
  ]
}

function schemaSections(reference: Reference): Section[] {
  const schemas = Object.entries(node(node(reference.document.components).schemas))
  if (schemas.length === 0) return []
  return [
    { level: 2, title: 'Schemas', blocks: () => [] },
    ...schemas.map(([name, schema]) => ({
      level: 3,
      title: name,
      about: name,
      blocks: () => {
        if (!reference.space.take(name.length)) return [TOO_LARGE]
        const whole = resolved(reference.document, schema)
        const description = words(node(schema).description)
        return [
          description !== '' && reference.space.text(prose(cutProse(description))),
          schemaSentence(reference, whole),
          fieldTable(reference, whole),
        ]
      },
    })),
  ]
}

/** The changes since the last published version; null if none is published. */
const changesOf = ({ published_description }: ProjectData, document: Node): ApiChanges | null =>
  published_description && apiChanges(published_description, document)

/** The contact that the description names; null if it names none. */
function contactOf({ name, email, url }: Node): Block {
  const ways = [
    inline(cutLine(words(name))),
    words(email) !== '' && mailTo(words(email)),
    /^https?:\/\//.test(words(url)) && link(words(url), words(url)),
  ].filter(Boolean)
  return ways.length > 0 && `Contact: ${ways.join(', ')}.`
}

function missingOf(document: Node, operations: Operation[]): string[] {
  const unexplained = operations.filter(({ operation }) => !words(operation.summary) && !words(operation.description)).length
  const unrefused = operations.filter(
    ({ security, operation }) =>
      security.length > 0 &&
      security.every((schemes) => Object.keys(schemes).length > 0) &&
      !['401', '4XX', 'default'].some((status) => Object.hasOwn(node(operation.responses), status)),
  )
  const isRelative = operations.some(({ servers: of }) => needsBaseUrl(of))
  return [
    ...(operations.length === 0 ? ['The API description has no operations.'] : []),
    ...(isRelative
      ? ['The API description names no server with an absolute URL: add one, so that the calls run as they stand.']
      : []),
    ...(unexplained > 0
      ? [`${counted(unexplained, 'operation')} of the API description ${unexplained === 1 ? 'has' : 'have'} no summary.`]
      : []),
    ...(unrefused.length > 0
      ? [
          `These operations need authentication and describe no response 401: ${unrefused.slice(0, 10).map(nameOf).join(', ')}${unrefused.length > 10 ? `, and ${unrefused.length - 10} more` : ''}.`,
        ]
      : []),
    ...(words(node(document.info).description) === ''
      ? ['The API description does not say what the API is for: add `info.description`.']
      : []),
  ]
}

function sectionsOf(reference: Reference, operations: Operation[], changes: ApiChanges | null): Section[] {
  const { document } = reference
  const webhooks = [...webhooksOf(document)]
  const addresses = servers(document)
  const access = accessBlocks(reference, operations)
  const about = new Map(nodes(document.tags).map(({ name, description }) => [words(name), words(description)]))
  return [
    ...(changes && changes.changes.length > 0
      ? [{ level: 2, title: changes.title, about: changes, blocks: () => changeBlocks(changes) }]
      : []),
    ...(addresses ? [{ level: 2, title: 'Servers', blocks: () => [addresses] }] : []),
    ...(access.length > 0 ? [{ level: 2, title: 'Authentication', blocks: () => access }] : []),
    ...(operations.length > 0
      ? [{ level: 2, title: 'Operations', blocks: (anchorOf: Map<unknown, string>) => operationList(anchorOf, operations) }]
      : []),
    ...[...tagsOf(document, operations)].flatMap(([tag, of]) => operationSections(reference, tag, of, true, about.get(tag))),
    ...(webhooks.length > 0 ? operationSections(reference, 'Webhooks', webhooks, false) : []),
    ...schemaSections(reference),
  ]
}

/** Names the anchor of each section that links lead to. */
function anchorsOf(title: string, sections: Section[]): Map<unknown, string> {
  const name = anchors()
  name(title)
  const anchorOf = new Map<unknown, string>()
  for (const section of sections) {
    const anchor = name(flat(section.title))
    if (section.about !== undefined) anchorOf.set(section.about, anchor)
  }
  return anchorOf
}

function described(data: ProjectData, { title, version, document }: NonNullable<ProjectData['api_description']>): Document {
  const operations = [...operationsOf(document)]
  const changes = changesOf(data, document)
  const anchorOf = new Map<unknown, string>()
  const linkTo = (name: string) => {
    const anchor = anchorOf.get(name)
    return anchor === undefined ? code(name) : linkWithin(name, anchor)
  }
  const reference: Reference = {
    document,
    linkTo,
    space: new Space(MAX_CHARACTERS),
    variables: variablesOf(document),
  }
  const heads = /\bAPI$/i.test(flat(title)) ? `${title}: documentation` : `${title}: API documentation`
  const sections = sectionsOf(reference, operations, changes)
  for (const [about, anchor] of anchorsOf(flat(heads + subject(data)), sections)) anchorOf.set(about, anchor)
  const { info, externalDocs } = document
  const license = words(node(node(info).license).name)
  const more = words(node(externalDocs).url)
  return documentOf(
    data,
    'customers',
    heads,
    [
      onlyRequirement(data) && 'An API description covers the whole project, and so does this document.',
      `Version ${inline(version)}.${license ? ` License: ${inline(license)}.` : ''}`,
      changes
        ? changesSentence(changes, anchorOf.get(changes) ?? '')
        : 'No earlier version was published, so changes are not listed.',
      words(node(info).description) !== '' && prose(cutProse(words(node(info).description))),
      contactOf(node(node(info).contact)),
      isObject(externalDocs) && /^https?:\/\//.test(more) && `More: ${link(more, more)}`,
      operations.length === 0 && 'The API description has no operations.',
      ...sections.flatMap(({ level, title: of, blocks }) => [heading(level, of), ...blocks(anchorOf)]),
    ],
    missingOf(document, operations),
  )
}

export function apiDocs(data: ProjectData): Document {
  if (data.api_description) return described(data, data.api_description)
  return documentOf(
    data,
    'customers',
    `${data.project.name}: API documentation`,
    ['The project has no API description yet, so there is nothing to document.'],
    [
      `The project has no API description: store its OpenAPI document with PUT /api/v1/projects/${data.project.id}/api-description.`,
    ],
  )
}
