/** api_docs: the API reference of the project, from its OpenAPI document (3.0 or 3.1, validated when it was stored). */
import { anchors } from '../../../core/markdown/anchors.ts'
import { needsBaseUrl, variablesOf } from '../../../core/openapi/curl.ts'
import type { Node, Operation } from '../../../core/openapi/document.ts'
import { node, nodes, operationsOf, resolved, webhooksOf, words } from '../../../core/openapi/document.ts'
import { isObject } from '../../../core/values/json.ts'
import { counted } from '../format.ts'
import type { Block } from '../markdown.ts'
import { block, bullets, code, flat, heading, inline, link, linkWithin, prose, shortened, table, withCode } from '../markdown.ts'
import type { ProjectData } from '../project-data.ts'
import { cutLine, cutProse, fieldTable, type Reference, Space, schemaSentence } from './api-docs-fields.ts'
import { operationBlocks, tagsOf } from './api-docs-operation.ts'
import { type Document, documentOf, mailTo } from './document.ts'
import { onlyRequirement, subject } from './requirement.ts'

const servers = (document: Node): string =>
  bullets(
    nodes(document.servers).map(({ url, description, variables }) => {
      const values = Object.entries(node(variables)).map(([name, each]) => `${code(name)} is ${code(words(node(each).default))}`)
      const about = [withCode(words(description)), values.join(', ')].filter(Boolean).join('; ')
      return `${code(words(url)) || '–'}${about ? `: ${about}` : ''}`
    }),
  )

function howOf({ type, scheme, in: where, name, openIdConnectUrl }: Node): string {
  const field = code(words(name))
  switch (type) {
    case 'apiKey':
      return `${where === 'header' ? 'header' : where === 'cookie' ? 'cookie' : 'query parameter'} ${field}`
    case 'http':
      return /^basic$/i.test(words(scheme))
        ? 'user and password (HTTP Basic)'
        : `header ${code('Authorization')} (${inline(words(scheme))})`
    case 'mutualTLS':
      return 'client certificate'
    case 'openIdConnect':
      return `OpenID Connect, ${code(words(openIdConnectUrl))}`
    default:
      return 'OAuth 2.0 token'
  }
}

function flowsOf({ flows }: Node): Block[] {
  return Object.entries(node(flows)).flatMap(([name, each]) => {
    const { authorizationUrl, tokenUrl, scopes } = node(each)
    const addresses = [authorizationUrl, tokenUrl].map(words).filter((url) => /^https?:\/\//.test(url))
    const granted = Object.entries(node(scopes)).map(([scope, about]) => `${code(scope)} (${inline(words(about)) || '–'})`)
    const title = inline(name.replaceAll(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))
    return [
      addresses.length > 0 && `${title}: ${addresses.map((url) => link(url, url)).join(', ')}`,
      granted.length > 0 && `scopes: ${granted.join(', ')}`,
    ]
  })
}

function schemes({ document, variables, space }: Reference): Block {
  const all = Object.entries(node(node(document.components).securitySchemes))
  const rows = all.values().map(([name, each]) => {
    const scheme = resolved(document, each)
    const about = [withCode(words(scheme.description)), ...flowsOf(scheme)].filter(Boolean).join('; ')
    return [code(name), howOf(scheme), code(`$${variables.get(name) ?? 'TOKEN'}`), about || '–']
  })
  return space.table(['Scheme', 'Sent as', 'Variable', 'Description'], rows)
}

/** Sets the variables that calls use. Secrets are read, so that they stay out of the shell's history. */
function exports(names: string[]): Block {
  const lines = names.map((name) =>
    name === 'BASE_URL'
      ? "export BASE_URL='https://api.example.com'"
      : `read -r${name.startsWith('CERTIFICATE') ? '' : 's'} ${name} && export ${name}`,
  )
  return lines.length > 0 && block(lines.join('\n'), 'sh')
}

/** How a client authenticates, and what it sets before the calls of this document; empty if nothing. */
function accessBlocks(reference: Reference, operations: Operation[]): Block[] {
  const isRelative = operations.some((operation) => needsBaseUrl(operation.servers))
  const names = [...(isRelative ? ['BASE_URL'] : []), ...reference.variables.values()]
  if (names.length === 0) return []
  return [
    schemes(reference),
    names.length === 1
      ? 'Set this variable in your shell; the calls below use it. What you enter is not shown:'
      : 'Set these variables in your shell, one line at a time; the calls below use them. What you enter is not shown:',
    exports(names),
  ]
}

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
  /** What links lead to: an operation, or the name of a schema. */
  about?: unknown
  blocks: (anchorOf: Map<unknown, string>) => Block[]
}

const nameOf = ({ method, path }: Operation): string => `${method} ${path}`

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

function contactOf({ name, email, url }: Node): Block {
  const ways = [
    inline(cutLine(words(name))),
    words(email) !== '' && mailTo(words(email)),
    /^https?:\/\//.test(words(url)) && link(words(url), words(url)),
  ].filter(Boolean)
  return ways.length > 0 && `Contact: ${ways.join(', ')}.`
}

function missingOf(document: Node, operations: Operation[]): Block[] {
  const unexplained = operations.filter(({ operation }) => !words(operation.summary) && !words(operation.description)).length
  const unrefused = operations.filter(
    ({ security, operation }) =>
      security.length > 0 &&
      security.every((schemes) => Object.keys(schemes).length > 0) &&
      !['401', '4XX', 'default'].some((status) => Object.hasOwn(node(operation.responses), status)),
  )
  const isRelative = operations.some(({ servers: of }) => needsBaseUrl(of))
  const more = unrefused.length > 10 ? `, and ${unrefused.length - 10} more` : ''
  return [
    operations.length === 0 && 'The API description has no operations.',
    isRelative && 'The API description names no server with an absolute URL: add one, so that the calls run as they stand.',
    unexplained > 0 &&
      `${counted(unexplained, 'operation')} of the API description ${unexplained === 1 ? 'has' : 'have'} no summary.`,
    unrefused.length > 0 &&
      `These operations need authentication and describe no response 401: ${unrefused.slice(0, 10).map(nameOf).join(', ')}${more}.`,
    words(node(document.info).description) === '' &&
      'The API description does not say what the API is for: add `info.description`.',
  ]
}

function sectionsOf(reference: Reference, operations: Operation[]): Section[] {
  const { document } = reference
  const webhooks = [...webhooksOf(document)]
  const addresses = servers(document)
  const access = accessBlocks(reference, operations)
  const about = new Map(nodes(document.tags).map(({ name, description }) => [words(name), words(description)]))
  const first: (Section | false)[] = [
    addresses !== '' && { level: 2, title: 'Servers', blocks: () => [addresses] },
    access.length > 0 && { level: 2, title: 'Authentication', blocks: () => access },
    operations.length > 0 && { level: 2, title: 'Operations', blocks: (anchorOf) => operationList(anchorOf, operations) },
  ]
  return [
    ...first.filter((section) => section !== false),
    ...[...tagsOf(document, operations)].flatMap(([tag, of]) => operationSections(reference, tag, of, true, about.get(tag))),
    ...(webhooks.length > 0 ? operationSections(reference, 'Webhooks', webhooks, false) : []),
    ...schemaSections(reference),
  ]
}

function setAnchors(anchorOf: Map<unknown, string>, title: string, sections: Section[]): void {
  const name = anchors()
  name(title)
  for (const section of sections) {
    const anchor = name(flat(section.title))
    if (section.about !== undefined) anchorOf.set(section.about, anchor)
  }
}

function described(data: ProjectData, { title, version, document }: NonNullable<ProjectData['api_description']>): Document {
  const operations = [...operationsOf(document)]
  const anchorOf = new Map<unknown, string>()
  const linkTo = (name: string) => {
    const anchor = anchorOf.get(name)
    return anchor === undefined ? code(name) : linkWithin(name, anchor)
  }
  const reference: Reference = { document, linkTo, space: new Space(MAX_CHARACTERS), variables: variablesOf(document) }
  const heads = /\bAPI$/i.test(flat(title)) ? `${title}: documentation` : `${title}: API documentation`
  const sections = sectionsOf(reference, operations)
  setAnchors(anchorOf, flat(heads + subject(data)), sections)
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
  const { id, name } = data.project
  const blocks = ['The project has no API description yet, so there is nothing to document.']
  const missing = `The project has no API description: store its OpenAPI document with PUT /api/v1/projects/${id}/api-description.`
  return documentOf(data, 'customers', `${name}: API documentation`, blocks, [missing])
}
