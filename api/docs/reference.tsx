/** The API reference: one page with all operations and schemas of the OpenAPI document, rendered on the server. */
import type { ComponentChildren } from 'preact'
import { curl } from '../../core/openapi/curl.ts'
import { type Node, node, type Operation, operationsOf, words } from '../../core/openapi/document.ts'
import { examplesOf } from '../../core/openapi/examples.ts'
import { isObject } from '../../core/values/json.ts'
import { layout, Markdown } from './layout.tsx'
import { Fields, Meaning, TypeOf } from './schemas.tsx'

interface Listed {
  id: string
  summary: string
  /** In lower case, as its style is named. */
  name: string
  of: Operation
  document: Node
}

const JSON_TYPE = 'application/json'

const pretty = (value: unknown): string => JSON.stringify(value, null, 2)

const Method = ({ name }: { name: string }) => <span class={`method ${name}`}>{name.toUpperCase()}</span>

const searchable = ({ id, summary, name, of: { path, tag } }: Listed): string =>
  [name, path, summary, id, tag].join(' ').toLowerCase()

function Parameters({ id: operation, of: { parameters } }: Listed) {
  if (parameters.length === 0) return null
  return (
    <>
      <h3>Parameters</h3>
      {parameters.map((parameter) => {
        const [name, source] = [words(parameter.name), words(parameter.in)]
        const id = `${operation}-${name}`
        return (
          <div class="parameter">
            <label for={id}>
              <code>{name}</code>
            </label>
            <input id={id} data-in={source} name={name} autocomplete="off" spellcheck={false} />
            <div class="hint">
              <Meaning
                schema={node(parameter.schema)}
                description={words(parameter.description)}
                notes={[source, parameter.required === true && 'required']}
              />
            </div>
          </div>
        )
      })}
    </>
  )
}

const contentOf = ({ of: { operation } }: Listed): [types: string[], json: Node | null] => {
  const { content } = node(operation.requestBody)
  return [Object.keys(node(content)), isObject(node(content)[JSON_TYPE]) ? node(node(content)[JSON_TYPE]) : null]
}

function Body(listed: Listed) {
  const [types, json] = contentOf(listed)
  if (types.length === 0) return null
  const id = `${listed.id}-body`
  const example = json?.example === undefined ? '' : pretty(json.example)
  const isText = types.every((type) => !type.startsWith('image/'))
  return (
    <>
      <h3>Body</h3>
      {json?.schema ? <Fields schema={node(json.schema)} /> : <p>{types.join(' or ')}</p>}
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

function Curl(listed: Listed) {
  const [, media] = contentOf(listed)
  const [example] = media ? examplesOf(listed.document, media, 'request').shown : []
  const command = curl(listed.document, listed.of, {
    body: media && example ? { type: JSON_TYPE, media, example } : null,
    variables: new Map([['bearer', 'SIGNALBOX_TOKEN']]),
    baseUrl: 'SIGNALBOX_URL',
    pathVariable: (name) => name.toUpperCase(),
  })
  return (
    <details class="more">
      <summary>curl</summary>
      <pre>
        <code>{command}</code>
      </pre>
    </details>
  )
}

function Responses({ of: { operation } }: Listed) {
  return (
    <>
      <h3>Responses</h3>
      <dl>
        {Object.entries(node(operation.responses)).map(([status, response]) => {
          const { description, content } = node(response)
          const [type = '', value] = Number(status) >= 400 ? [] : (Object.entries(node(content))[0] ?? [])
          const media = node(value)
          return (
            <>
              <dt>
                <code>{status}</code>
              </dt>
              <dd>
                <Markdown text={words(description)} />
                {media.schema && <p class="hint">{type === JSON_TYPE ? <TypeOf schema={media.schema} /> : type}</p>}
                {media.example !== undefined && (
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
  const { id, summary, name, of } = listed
  return (
    <details class="operation" id={id} data-search={searchable(listed)}>
      <summary>
        <Method name={name} /> <code>{of.path.replaceAll('/', '/\u200b')}</code> <span>{summary}</span>
      </summary>
      <Markdown text={words(of.operation.description)} />
      <form data-method={name} data-path={of.path}>
        <Parameters {...listed} />
        <Body {...listed} />
        <button hidden type="submit">
          Send
        </button>
        <output />
      </form>
      <Curl {...listed} />
      <Responses {...listed} />
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
                <a href={`#${each.id}`}>
                  <Method name={each.name} /> <span>{each.summary}</span>
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

export function reference(document: Node): string {
  const listed = [...operationsOf(document)].map((of): Listed => {
    const { operationId, summary } = of.operation
    return { id: words(operationId), summary: words(summary), name: of.method.toLowerCase(), of, document }
  })
  const tags = Map.groupBy(listed, ({ of }) => of.tag)
  const schemas = Object.entries(node(node(document.components).schemas)).map(([name, schema]) => ({
    name,
    schema: node(schema),
  }))
  const side = <Side tags={tags} schemas={schemas.map(({ name }) => name)} />
  const main = (
    <>
      <h1>Signalbox API</h1>
      <Markdown text={words(node(document.info).description)} />
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
        {schemas.map(({ name, schema }) => (
          <details class="operation" id={`schema-${name}`} data-search={`${name.toLowerCase()} schema`}>
            <summary>
              <code>{name}</code>
            </summary>
            {schema.description && <Markdown text={words(schema.description)} />}
            <Fields schema={schema} />
          </details>
        ))}
      </section>
    </>
  )
  return layout('/docs', 'API', main, { script: 'reference.js', side })
}
