/** What a client needs before the first call: the address of the API, and credentials. */

import { needsBaseUrl } from '../../../core/openapi/curl.ts'
import { type Node, node, nodes, type Operation, resolved, words } from '../../../core/openapi/document.ts'
import { block, bullets, code, inline, link, table, withCode } from '../markdown.ts'
import type { Reference } from './api-docs-fields.ts'

type Block = string | null | false

/** The servers of the API; null if it names none. */
export function servers(document: Node): string | null {
  const items = nodes(document.servers).map(({ url, description, variables }) => {
    const values = Object.entries(node(variables)).map(([name, each]) => `${code(name)} is ${code(words(node(each).default))}`)
    const about = [withCode(words(description)), values.join(', ')].filter(Boolean).join('; ')
    return `${code(words(url)) || '–'}${about ? `: ${about}` : ''}`
  })
  return items.length > 0 ? bullets(items) : null
}

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

/** Where an OAuth token comes from, and what its scopes allow. */
function flowsOf({ flows }: Node): string[] {
  return Object.entries(node(flows)).flatMap(([name, each]) => {
    const { authorizationUrl, tokenUrl, scopes } = node(each)
    const addresses = [authorizationUrl, tokenUrl].map(words).filter((url) => /^https?:\/\//.test(url))
    const granted = Object.entries(node(scopes)).map(([scope, about]) => `${code(scope)} (${inline(words(about)) || '–'})`)
    return [
      ...(addresses.length > 0
        ? [
            `${inline(name.replaceAll(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))}: ${addresses.map((url) => link(url, url)).join(', ')}`,
          ]
        : []),
      ...(granted.length > 0 ? [`scopes: ${granted.join(', ')}`] : []),
    ]
  })
}

/** The security schemes, each with the shell variable that the calls take it from. */
function schemes({ document, variables, space }: Reference): Block {
  const all = Object.entries(node(node(document.components).securitySchemes))
  const rows = all.values().map(([name, each]) => {
    const scheme = resolved(document, each)
    const about = [withCode(words(scheme.description)), ...flowsOf(scheme)].filter(Boolean).join('; ')
    return [code(name), howOf(scheme), code(`$${variables.get(name) ?? 'TOKEN'}`), about || '–']
  })
  const fitting = space.fitting(rows)
  return fitting.length > 0 && table(['Scheme', 'Sent as', 'Variable', 'Description'], fitting)
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
export function accessBlocks(reference: Reference, operations: Operation[]): Block[] {
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
