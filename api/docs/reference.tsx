/** The API reference: one page with all operations and schemas of the OpenAPI document, rendered on the server. */
import type { ComponentChildren } from 'preact'
import { layout } from './layout.tsx'
import { Markdown } from './markdown.tsx'
import type { JsonSchema } from './sample.ts'
import { constraintsOf, Fields, TypeOf } from './schemas.tsx'

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

const Method = ({ name }: { name: string }) => <span class={`method ${name}`}>{name.toUpperCase()}</span>

/** The text that the filter searches. */
const searchable = ({ path, method, operation }: Listed): string =>
  [method, path, operation.summary, operation.operationId, operation.tags[0]].join(' ').toLowerCase()

/** The parameters, with input fields. */
function Parameters({ operation: { operationId, parameters } }: { operation: Operation }) {
  if (parameters.length === 0) return null
  return (
    <>
      <h3>Parameters</h3>
      {parameters.map(({ name, in: place, required, description, schema }) => {
        const id = `${operationId}-${name}`
        return (
          <div class="parameter">
            <label for={id}>
              <code>{name}</code>{' '}
              <span class="hint">
                {place}, <TypeOf schema={schema} />
                {required && ', required'}
              </span>
            </label>
            <input id={id} data-in={place} name={name} autocomplete="off" spellcheck={false} />
            <div class="hint">
              <Markdown text={[description ?? schema.description, constraintsOf(schema)].filter(Boolean).join(' ')} />
            </div>
          </div>
        )
      })}
    </>
  )
}

function Body({ operation: { operationId, requestBody } }: { operation: Operation }) {
  if (!requestBody) return null
  const id = `${operationId}-body`
  const types = Object.keys(requestBody.content)
  const json = requestBody.content[JSON_TYPE]
  const example = json?.example === undefined ? '' : pretty(json.example)
  const isText = types.every((type) => !type.startsWith('image/'))
  return (
    <>
      <h3>Body</h3>
      {json?.schema ? <Fields schema={json.schema} /> : <p>{types.join(' or ')}</p>}
      <label for={id}>{json ? 'Example' : 'Content'}</label>
      {isText ? (
        <textarea id={id} name="body" data-type={types[0]} rows={Math.min(example.split('\n').length, 16)} spellcheck={false}>
          {example}
        </textarea>
      ) : (
        <input id={id} name="body" type="file" accept={types.join()} />
      )}
    </>
  )
}

/** The operation as a curl command. */
function Curl({ path, method, operation }: Listed) {
  const example = operation.requestBody?.content[JSON_TYPE]?.example
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)
  const lines = [
    `curl --request ${method.toUpperCase()} "$SIGNALBOX_URL${address}"`,
    ...(operation.security.length > 0 ? ['--header "Authorization: Bearer $SIGNALBOX_TOKEN"'] : []),
    ...(example === undefined
      ? []
      : [`--header "Content-Type: ${JSON_TYPE}"`, `--data '${JSON.stringify(example).replaceAll("'", "'\\''")}'`]),
  ]
  return (
    <details class="more">
      <summary>curl</summary>
      <pre>
        <code>{lines.join(' \\\n  ')}</code>
      </pre>
    </details>
  )
}

function Responses({ operation: { responses } }: { operation: Operation }) {
  return (
    <>
      <h3>Responses</h3>
      <dl>
        {Object.entries(responses).map(([status, { description, content = {} }]) => {
          const isProblem = Number(status) >= 400
          const [[type, media] = []] = isProblem ? [] : Object.entries(content)
          return (
            <>
              <dt>
                <code>{status}</code>
              </dt>
              <dd>
                <Markdown text={description} />
                {media?.schema && <p class="hint">{type === JSON_TYPE ? <TypeOf schema={media.schema} /> : type}</p>}
                {media?.example !== undefined && (
                  <details class="more">
                    <summary>Example of {status}</summary>
                    <pre>
                      <code>{pretty(media.example)}</code>
                    </pre>
                  </details>
                )}
              </dd>
            </>
          )
        })}
      </dl>
    </>
  )
}

function OperationItem(listed: Listed) {
  const { path, method, operation } = listed
  return (
    <details class="operation" id={operation.operationId} data-search={searchable(listed)}>
      <summary>
        <Method name={method} /> <code>{path.replaceAll('/', '/\u200b')}</code> <span>{operation.summary}</span>
      </summary>
      <Markdown text={operation.description} />
      <form data-method={method} data-path={path}>
        <Parameters operation={operation} />
        <Body operation={operation} />
        <button hidden type="submit">
          Send
        </button>
        <output />
      </form>
      <Curl {...listed} />
      <Responses operation={operation} />
    </details>
  )
}

const slug = (text: string): string => text.toLowerCase().replaceAll(/\W+/g, '-')

function Group({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <details class="group">
      <summary>{name}</summary>
      <ul>{children}</ul>
    </details>
  )
}

function Side({ tags, schemas }: { tags: Map<string, Listed[]>; schemas: string[] }) {
  return (
    <aside>
      <div class="tools">
        <label for="filter">
          Filter <kbd>/</kbd>
        </label>
        <input id="filter" type="search" autocomplete="off" spellcheck={false} />
        <label for="token">
          Access token, for <em>Send</em>
        </label>
        <input id="token" type="password" autocomplete="off" spellcheck={false} placeholder="sbx_pat_…" />
      </div>
      <nav aria-label="Operations" id="contents">
        {[...tags].map(([tag, listed]) => (
          <Group name={tag}>
            {listed.map((each) => (
              <li data-search={searchable(each)}>
                <a href={`#${each.operation.operationId}`}>
                  <Method name={each.method} /> <span>{each.operation.summary}</span>
                </a>
              </li>
            ))}
          </Group>
        ))}
        <Group name="Schemas">
          {schemas.map((name) => (
            <li data-search={`${name.toLowerCase()} schema`}>
              <a href={`#schema-${name}`}>{name}</a>
            </li>
          ))}
        </Group>
      </nav>
      <p id="found" role="status" class="hint" />
    </aside>
  )
}

/** The reference page. */
export function reference({ info, paths, components }: ReferenceDocument): string {
  const listed: Listed[] = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const tags = Map.groupBy(listed, ({ operation }) => operation.tags[0] ?? '')
  const side = <Side tags={tags} schemas={Object.keys(components.schemas)} />
  const main = (
    <>
      <h1>Signalbox API</h1>
      <Markdown text={info.description} />
      <noscript>
        <p>Without JavaScript, filtering and sending requests are not available.</p>
      </noscript>
      {[...tags].map(([tag, some]) => (
        <section id={slug(tag)} class="group">
          <h2>{tag}</h2>
          {some.map((each) => (
            <OperationItem {...each} />
          ))}
        </section>
      ))}
      <section id="schemas" class="group">
        <h2>Schemas</h2>
        {Object.entries(components.schemas).map(([name, schema]) => (
          <details class="operation" id={`schema-${name}`} data-search={`${name.toLowerCase()} schema`}>
            <summary>
              <code>{name}</code>
            </summary>
            {schema.description && <Markdown text={schema.description} />}
            <Fields schema={schema} />
          </details>
        ))}
      </section>
    </>
  )
  return layout('/docs', 'API', main, { script: 'reference.js', side })
}
