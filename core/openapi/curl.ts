/**
 * Writes a call as a command for a shell. Everything in a description is input of a tenant: none of it may become syntax of
 * the shell, an option of curl, or a file that curl reads. Secrets of the reader go only to the variables named here, because a
 * description could name any variable of the reader's shell.
 */
import { isObject } from '../values/json.ts'
import { isJson, type Node, node, type Operation, resolved, words } from './document.ts'
import { type Example, examplesOf } from './examples.ts'

/** Control characters, which a terminal could act on when they are pasted, and characters that change the order of others. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed.
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g

type Part = string | { variable: string }

/** A word for the shell: texts are quoted, variables are expanded. */
function word(...parts: Part[]): string {
  const merged: Part[] = []
  for (const part of parts) {
    const last = merged.at(-1)
    if (typeof part === 'string' && typeof last === 'string') merged[merged.length - 1] = last + part
    else merged.push(part)
  }
  return merged
    .filter((part) => part !== '')
    .map((part) =>
      typeof part === 'string' ? `'${part.replaceAll(UNSAFE, '').replaceAll("'", "'\\''")}'` : `"$${part.variable}"`,
    )
    .join('')
}

export const prettyJson = (value: unknown): string =>
  (JSON.stringify(value, null, 2) ?? 'null').replaceAll(
    UNSAFE,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const text = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** Unlike `encodeURIComponent`, does not fail for half of a surrogate pair. */
const encoded = (value: unknown): string =>
  encodeURIComponent(text(value).toWellFormed()).replaceAll(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)

/** A name of a header. Anything else could be a file to curl (`@name`), or another header. The host comes from the address. */
const isHeaderName = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !/^host$/i.test(name)

function serverAddress([server]: Node[], baseUrl: Part): Part[] {
  const variables = node(server?.variables)
  const filled = words(server?.url).replaceAll(/\{([^{}]*)\}/g, (_, name: string) => text(node(variables[name]).default ?? ''))
  const url = filled.replace(/\/+$/, '')
  if (/^https?:\/\//i.test(url)) return isCallable(url) ? [escapedUrl(url)] : [baseUrl]
  return url.startsWith('/') ? [baseUrl, escapedUrl(url)] : [baseUrl]
}

/** Whether an absolute URL has a host that curl reads as browsers do: without `{a,b}`, which curl would expand to several hosts. */
const isCallable = (url: string): boolean =>
  /^https?:\/\/[^/]/i.test(url) && /^[a-z0-9._:[\]-]+$/.test(URL.parse(url)?.host ?? '')

export function needsBaseUrl(servers: Node[]): boolean {
  const baseUrl = { variable: 'BASE_URL' }
  return serverAddress(servers, baseUrl).includes(baseUrl)
}

/** Encodes what curl would expand (`{a,b}`, `[1-3]`), what ends an address, and what is not ASCII. The host stays as it is. */
function escapedUrl(url: string): string {
  const [, origin = '', rest = ''] = /^(https?:\/\/[^/?#]*)?(.*)$/is.exec(url) ?? []
  const host = origin === '' ? '' : new URL(origin).origin
  // What follows the host must not continue it once it is encoded.
  const separator = host !== '' && /^[^/?]/.test(rest) ? '/' : ''
  const path = rest.toWellFormed().replaceAll(/[^\w\-.~!$&'()*+,;=:@/?%]/gu, (letter) => encodeURIComponent(letter))
  return host + separator + path
}

/** A path with its parameters. It begins with a slash, because anything else would continue the host before it. */
const filledPath = (path: string, partFor: (parameter: string) => Part): Part[] =>
  `/${path.replace(/^\//, '')}`
    .split(/(\{[^{}]*\})/)
    .map((part, index) => (index % 2 === 1 ? partFor(part.slice(1, -1)) : escapedUrl(part)))

/** A value as one text: lists are joined by commas. */
const single = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(text).join(',')
    : isObject(value)
      ? Object.entries(value)
          .flatMap((pair) => pair.map(text))
          .join(',')
      : text(value)

const SEPARATORS: Record<string, string> = { spaceDelimited: ' ', pipeDelimited: '|' }

/** The pairs of a query, by the style of the parameter. */
function queryPairs({ name, style, explode }: Node, value: unknown): string[] {
  const key = words(name)
  const pair = (each: unknown, of = key) => `${encoded(of)}=${encoded(each)}`
  const isExploded = explode !== false && !Object.hasOwn(SEPARATORS, words(style))
  if (Array.isArray(value)) {
    if (isExploded) return value.map((each) => pair(each))
    return [pair(value.map(text).join(SEPARATORS[words(style)] ?? ','))]
  }
  if (!isObject(value)) return [pair(value)]
  const entries = Object.entries(value)
  if (style === 'deepObject') return entries.map(([field, each]) => pair(each, `${key}[${field}]`))
  return isExploded ? entries.map(([field, each]) => pair(each, field)) : [pair(single(value))]
}

interface Credentials {
  options: string[]
  headers: Part[][]
  query: Part[][]
  cookies: Part[][]
}

/** The shell variable of each scheme: `TOKEN`, or `API_KEY`, `API_KEY_2`. Names from the description are never used. */
export function variablesOf(document: Node): Map<string, string> {
  const variables = new Map<string, string>()
  const counts = new Map<string, number>()
  for (const [name, each] of Object.entries(node(node(document.components).securitySchemes))) {
    const { type, scheme } = resolved(document, each)
    const isBasic = type === 'http' && /^(basic|digest)$/i.test(words(scheme))
    const kind = type === 'apiKey' ? 'API_KEY' : isBasic ? 'USER_AND_PASSWORD' : type === 'mutualTLS' ? 'CERTIFICATE' : 'TOKEN'
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    variables.set(name, count === 1 ? kind : `${kind}_${count}`)
  }
  return variables
}

function credentialsOf(document: Node, security: Node[], variables: Map<string, string>): Credentials {
  const result: Credentials = { options: [], headers: [], query: [], cookies: [] }
  const required = security.find((schemes) => Object.keys(schemes).length > 0) ?? {}
  for (const name of Object.keys(required)) {
    const { type, scheme, in: where, name: key } = resolved(document, node(node(document.components).securitySchemes)[name])
    const variable = { variable: variables.get(name) ?? 'TOKEN' }
    const field = words(key)
    if (type === 'mutualTLS') result.options.push(`--cert ${word(variable)}`)
    else if (type === 'http' && /^basic$/i.test(words(scheme))) result.options.push(`--user ${word(variable)}`)
    else if (type === 'http' && /^digest$/i.test(words(scheme))) result.options.push(`--digest --user ${word(variable)}`)
    else if (type !== 'apiKey') result.headers.push([authorizationPrefix(type, scheme), variable])
    else if (where === 'query') result.query.push([`${encoded(field)}=`, variable])
    else if (where === 'cookie') result.cookies.push([`${encoded(field)}=`, variable])
    else if (isHeaderName(field)) result.headers.push([`${field}: `, variable])
  }
  return result
}

const authorizationPrefix = (type: unknown, scheme: unknown): string =>
  `Authorization: ${type === 'http' && isHeaderName(words(scheme)) && !/^bearer$/i.test(words(scheme)) ? words(scheme) : 'Bearer'} `

/** How a multipart field is sent. Only names without special characters are written as `--form`, which could read files. */
function multipart(document: Node, media: Node, fields: Node): string[] {
  const properties = node(resolved(document, media.schema).properties)
  return Object.entries(fields).map(([name, value]) => {
    const { format, contentMediaType } = resolved(document, properties[name])
    const isFile = format === 'binary' || contentMediaType !== undefined
    return isFile && /^[\w.-]+$/.test(name)
      ? `--form ${word(`${name}=example;filename=example.txt`)}`
      : `--form-string ${word(`${name}=${text(value)}`)}`
  })
}

const isMediaType = (type: string): boolean => /^[\w!#$&^.+-]+\/[\w!#$&^.+*-]+(;[\w=." -]*)?$/.test(type)

type CallBody = { type: string; media: Node; example: Example }

/** The options that send a body. `--data-raw` sends texts that begin with `@` as they are, instead of reading a file. */
function bodyOptions(document: Node, { type, media, example: { value } }: CallBody): string[] {
  if (/^multipart\//i.test(type)) return multipart(document, media, node(value))
  const header = isMediaType(type) ? [`--header ${word(`Content-Type: ${type}`)}`] : []
  if (isJson(type)) return [...header, `--data-raw ${word(prettyJson(value))}`]
  if (!/x-www-form-urlencoded/i.test(type)) return [...header, `--data-raw ${word(text(value))}`]
  const pairs = Object.entries(node(value)).map(([name, each]) => `${encoded(name)}=${encoded(single(each))}`)
  return [...header, `--data-raw ${word(pairs.join('&'))}`]
}

interface CallOptions {
  variables: Map<string, string>
  body: CallBody | null
  values?: Map<string, unknown>
  /** The shell variable of a parameter of the path; without it, a value is shown. */
  pathVariable?: (parameter: string) => string
  baseUrl?: string
}

/**
 * A command that runs as it stands once its variables are set. Optional parameters are left out. The name of a required one stands for
 * its value if there is no example.
 */
export function curl(
  document: Node,
  { method, path, parameters, security, servers }: Operation,
  { variables, body, values = new Map(), pathVariable, baseUrl = 'BASE_URL' }: CallOptions,
): string {
  const credentials = credentialsOf(document, security, variables)
  const query: Part[][] = []
  const headers: Part[][] = []
  const cookies: Part[][] = []
  const inPath = new Map<string, unknown>()
  for (const parameter of parameters) {
    const { name, in: where, required } = parameter
    if (where !== 'path' && required !== true) continue
    const known = where === 'path' ? values.get(words(name)) : undefined
    const value = known ?? examplesOf(document, parameter, 'request').shown[0]?.value ?? words(name)
    if (where === 'path') inPath.set(words(name), value)
    else if (where === 'query') query.push(...queryPairs(parameter, value).map((pair) => [pair]))
    else if (where === 'cookie') cookies.push([`${encoded(name)}=${encoded(value)}`])
    else if (isHeaderName(words(name))) headers.push([`${words(name)}: ${single(value).replaceAll(/\s+/g, ' ')}`])
  }
  query.push(...credentials.query)
  cookies.push(...credentials.cookies)
  if (cookies.length > 0) headers.push(['Cookie: ', ...joinedBy('; ', cookies)])
  const partFor = (parameter: string): Part =>
    pathVariable ? { variable: pathVariable(parameter) } : encoded(single(inPath.get(parameter) ?? parameter))
  const address = [
    ...serverAddress(servers, { variable: baseUrl }),
    ...filledPath(path, partFor),
    ...(query.length > 0 ? ['?', ...joinedBy('&', query)] : []),
  ]
  return [
    `curl --fail-with-body -sS ${word(...address)}`,
    ...(method === 'HEAD' ? ['--head'] : method === 'GET' && !body ? [] : [`--request ${method}`]),
    ...credentials.options,
    ...[...credentials.headers, ...headers].map((header) => `--header ${word(...header)}`),
    ...(body ? bodyOptions(document, body) : []),
  ].join(' \\\n  ')
}

const joinedBy = (separator: string, parts: Part[][]): Part[] =>
  parts.flatMap((part, index) => (index === 0 ? part : [separator, ...part]))
