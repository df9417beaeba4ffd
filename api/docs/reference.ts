/** The API reference: one page with all operations and schemas of the OpenAPI document, rendered on the server. */
import { html, type Markup, markdown } from './html.ts'
import { layout } from './layout.ts'
import type { JsonSchema } from './sample.ts'
import { constraintsOf, fieldsOf, typeOf } from './schemas.ts'

interface Media {
  schema?: JsonSchema
  example?: unknown
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
}

/** An operation of the document. */
export interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: unknown[]
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, { description: string; content?: Record<string, Media> }>
}

/** The parts of the document that the reference uses. */
export interface ReferenceDocument {
  info: { description: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema> }
}

interface Listed {
  path: string
  method: string
  operation: Operation
}

const JSON_TYPE = 'application/json'

const pretty = (value: unknown): string => JSON.stringify(value, null, 2)

const method = (name: string): Markup => html`<span class="method ${name}">${name.toUpperCase()}</span>`

/** The text that the filter searches. */
const searchable = ({ path, method, operation }: Listed): string =>
  [method, path, operation.summary, operation.operationId, operation.tags[0]].join(' ').toLowerCase()

/** The parameters, with input fields. */
function parameterFields({ operationId, parameters }: Operation): Markup | null {
  if (parameters.length === 0) return null
  const fields = parameters.map(({ name, in: place, required, description, schema }) => {
    const id = `${operationId}-${name}`
    return html`<div class="parameter">
<label for="${id}"><code>${name}</code> <span class="hint">${place}, ${typeOf(schema)}${required ? ', required' : null}</span></label>
<input id="${id}" data-in="${place}" name="${name}" autocomplete="off" spellcheck="false">
<div class="hint">${markdown([description ?? schema.description, constraintsOf(schema)].filter(Boolean).join(' '))}</div>
</div>`
  })
  return html`<h3>Parameters</h3>${fields}`
}

function bodyFields({ operationId, requestBody }: Operation): Markup | null {
  if (!requestBody) return null
  const id = `${operationId}-body`
  const types = Object.keys(requestBody.content)
  const json = requestBody.content[JSON_TYPE]
  const example = json?.example === undefined ? '' : pretty(json.example)
  const isText = types.every((type) => !type.startsWith('image/'))
  const field = isText
    ? html`<textarea id="${id}" name="body" data-type="${types[0]}" rows="${Math.min(example.split('\n').length, 16)}" spellcheck="false">${example}</textarea>`
    : html`<input id="${id}" name="body" type="file" accept="${types.join()}">`
  return html`<h3>Body</h3>
${json?.schema ? fieldsOf(json.schema) : html`<p>${types.join(' or ')}</p>`}
<label for="${id}">${json ? 'Example' : 'Content'}</label>
${field}`
}

/** The operation as a curl command. */
function curl({ path, method, operation }: Listed): Markup {
  const example = operation.requestBody?.content[JSON_TYPE]?.example
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)
  const lines = [
    `curl --request ${method.toUpperCase()} "$SIGNALBOX_URL${address}"`,
    ...(operation.security.length > 0 ? ['--header "Authorization: Bearer $SIGNALBOX_TOKEN"'] : []),
    ...(example === undefined
      ? []
      : [`--header "Content-Type: ${JSON_TYPE}"`, `--data '${JSON.stringify(example).replaceAll("'", "'\\''")}'`]),
  ]
  return html`<details class="more"><summary>curl</summary><pre><code>${lines.join(' \\\n  ')}</code></pre></details>`
}

function responseItems({ responses }: Operation): Markup {
  const items = Object.entries(responses).map(([status, { description, content = {} }]) => {
    const isProblem = Number(status) >= 400
    const [[type, media] = []] = Object.entries(content)
    const shape = media?.schema && !isProblem ? html`${type === JSON_TYPE ? typeOf(media.schema) : type}` : null
    const example =
      media?.example === undefined || isProblem
        ? null
        : html`<details class="more"><summary>Example of ${status}</summary><pre><code>${pretty(media.example)}</code></pre></details>`
    return html`<dt><code>${status}</code></dt><dd>${markdown(description)}${shape && html`<p class="hint">${shape}</p>`}${example}</dd>`
  })
  return html`<h3>Responses</h3><dl>${items}</dl>`
}

function operationItem(listed: Listed): Markup {
  const { path, method: verb, operation } = listed
  return html`<details class="operation" id="${operation.operationId}" data-search="${searchable(listed)}">
<summary>${method(verb)} <code>${path.replaceAll('/', '/\u200b')}</code> <span>${operation.summary}</span></summary>
${markdown(operation.description)}
<form data-method="${verb}" data-path="${path}">
${parameterFields(operation)}
${bodyFields(operation)}
<button hidden>Send</button>
<output></output>
</form>
${curl(listed)}
${responseItems(operation)}
</details>
`
}

const slug = (text: string): string => text.toLowerCase().replaceAll(/\W+/g, '-')

function navigation(tags: Map<string, Listed[]>, schemas: string[]): Markup {
  const group = (name: string, items: Markup[]) =>
    html`<details class="group"><summary>${name}</summary><ul>${items}</ul></details>`
  const operations = [...tags].map(([tag, listed]) =>
    group(
      tag,
      listed.map(
        (each) =>
          html`<li data-search="${searchable(each)}"><a href="#${each.operation.operationId}">${method(each.method)} <span>${each.operation.summary}</span></a></li>`,
      ),
    ),
  )
  const shapes = schemas.map(
    (name) => html`<li data-search="${name.toLowerCase()} schema"><a href="#schema-${name}">${name}</a></li>`,
  )
  return html`<aside>
<div class="tools">
<label for="filter">Filter <kbd>/</kbd></label>
<input id="filter" type="search" autocomplete="off" spellcheck="false">
<label for="token">Access token, for <em>Send</em></label>
<input id="token" type="password" autocomplete="off" spellcheck="false" placeholder="sbx_pat_…">
</div>
<nav aria-label="Operations" id="contents">${operations}${group('Schemas', shapes)}</nav>
<p id="found" role="status" class="hint"></p>
</aside>`
}

/** The reference page. */
export function reference({ info, paths, components }: ReferenceDocument): string {
  const listed: Listed[] = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const tags = Map.groupBy(listed, ({ operation }) => operation.tags[0] ?? '')
  const sections = [...tags].map(
    ([tag, some]) => html`<section id="${slug(tag)}" class="group"><h2>${tag}</h2>${some.map(operationItem)}</section>`,
  )
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => html`<details class="operation" id="schema-${name}" data-search="${name.toLowerCase()} schema">
<summary><code>${name}</code></summary>
${schema.description ? markdown(schema.description) : null}${fieldsOf(schema)}
</details>
`,
  )
  const main = html`<h1>Signalbox API</h1>
${markdown(info.description)}
<noscript><p>Without JavaScript, filtering and sending requests are not available.</p></noscript>
${sections}
<section id="schemas" class="group"><h2>Schemas</h2>${schemas}</section>`
  return layout('/docs', 'API', main, { script: 'reference.js', side: navigation(tags, Object.keys(components.schemas)) })
}
