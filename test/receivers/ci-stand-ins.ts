/** Stand-ins of CI systems: each answers a request as its API documents, and rejects what that API would reject. */
import { parse } from 'yaml'
import type { Received } from '../support/receiver.ts'

/** A pipeline that a request starts: its variables, as the pipeline on the page names them. */
export interface Run {
  variables: Record<string, unknown>
}

/** A reason to reject a request, with the status of the API. */
class Rejection extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

function requires(holds: boolean, status: number, message: string): asserts holds {
  if (!holds) throw new Rejection(status, message)
}

type Fields = Record<string, unknown>

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

const object = (value: unknown, name: string, status = 422): Fields => {
  requires(isObject(value), status, `${name} is not an object`)
  return value
}

const text = (value: unknown, name: string, [least, most]: [number, number], status = 422): string => {
  requires(typeof value === 'string', status, `${name} is not a string`)
  const { length } = [...value]
  requires(length >= least && length <= most, status, `${name} has ${length} characters`)
  return value
}

const onlyKnown = (value: Fields, known: string[], status: number): void => {
  const unknown = Object.keys(value).filter((name) => !known.includes(name))
  requires(unknown.length === 0, status, `${unknown} is not permitted`)
}

const strings = (value: unknown, name: string, most: number, status: number): Fields => {
  const fields = object(value, name, status)
  for (const [key, item] of Object.entries(fields)) text(item, `${name}.${key}`, [0, most], status)
  return fields
}

/** GitHub's REST API: a bearer token, its media type and version, a user agent. */
function github({ headers }: Received): void {
  requires(/^Bearer \S+$/.test(headers.authorization ?? ''), 401, 'Requires authentication')
  requires(headers.accept === 'application/vnd.github+json', 415, 'Unsupported Accept')
  requires(/^\d{4}-\d\d-\d\d$/.test(headers['x-github-api-version'] ?? ''), 400, 'No API version')
  requires((headers['user-agent'] ?? '') !== '', 403, 'Administrative rules: a User-Agent is required')
}

const size = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** A CI system. */
export interface StandIn {
  /** The heading of its part of the page. */
  heading: string
  /** The path of the hook's URL. */
  path: RegExp
  /** @throws Rejection */
  start: (request: Received, body: Fields, pipeline: Fields) => Run
  /** The status of its success. */
  status: number
}

export const STAND_INS: StandIn[] = [
  {
    heading: 'GitHub Actions: repository_dispatch',
    path: /^\/repos\/[^/]+\/[^/]+\/dispatches$/,
    status: 204,
    start(request, body, pipeline) {
      github(request)
      onlyKnown(body, ['event_type', 'client_payload'], 422)
      const type = text(body.event_type, 'event_type', [1, 100])
      const payload = object(body.client_payload, 'client_payload')
      requires(Object.keys(payload).length <= 10, 422, 'No more than 10 properties are allowed')
      requires(size(payload) < 65_536, 422, 'client_payload is too large')
      const on = object(object(pipeline.on, 'on').repository_dispatch, 'on.repository_dispatch')
      requires((on.types as string[]).includes(type), 500, 'No workflow is started by this type')
      return { variables: payload }
    },
  },
  {
    heading: 'GitHub Actions: deployments',
    path: /^\/repos\/[^/]+\/[^/]+\/deployments$/,
    status: 201,
    start(request, body, pipeline) {
      github(request)
      const known = ['ref', 'task', 'auto_merge', 'required_contexts', 'payload', 'environment', 'description']
      onlyKnown(body, [...known, 'transient_environment', 'production_environment'], 422)
      text(body.ref, 'ref', [1, 255])
      text(body.environment, 'environment', [1, 255])
      text(body.description, 'description', [0, 140])
      requires(typeof body.auto_merge === 'boolean', 422, 'auto_merge is not a boolean')
      requires(Array.isArray(body.required_contexts), 422, 'required_contexts is not an array')
      requires(pipeline.on === 'deployment', 500, 'No workflow is started by a deployment')
      return { variables: object(body.payload, 'payload') }
    },
  },
  {
    heading: 'GitLab',
    path: /^\/api\/v4\/projects\/\d+\/trigger\/pipeline$/,
    status: 201,
    start(_, body) {
      requires(body.token === 'glptt-...', 404, '404 Not Found')
      text(body.ref, 'ref', [1, 255], 400)
      return { variables: strings(body.variables, 'variables', 65_536, 400) }
    },
  },
  {
    heading: 'Buildkite',
    path: /^\/v2\/organizations\/[^/]+\/pipelines\/[^/]+\/builds$/,
    status: 201,
    start({ headers }, body) {
      requires(/^Bearer \S+$/.test(headers.authorization ?? ''), 401, 'Authentication required')
      for (const name of ['commit', 'branch', 'message']) text(body[name], name, [1, 65_536])
      return { variables: strings(body.env, 'env', 65_536, 422) }
    },
  },
  {
    heading: 'CircleCI',
    path: /^\/api\/v2\/project\/(gh|bb)\/[^/]+\/[^/]+\/pipeline$/,
    status: 201,
    start({ headers }, body, pipeline) {
      requires((headers['circle-token'] ?? '') !== '', 401, 'You must log in first.')
      onlyKnown(body, ['branch', 'tag', 'parameters'], 400)
      requires((body.branch === undefined) !== (body.tag === undefined), 400, 'Either branch or tag')
      const parameters = strings(body.parameters, 'parameters', 512, 400)
      const declared = object(pipeline.parameters, 'parameters', 400)
      onlyKnown(parameters, Object.keys(declared), 400)
      return { variables: parameters }
    },
  },
  {
    heading: 'Azure Pipelines',
    path: /^\/[^/]+\/[^/]+\/_apis\/pipelines\/\d+\/runs$/,
    status: 200,
    start({ headers }, body, pipeline) {
      requires(/^Basic [A-Za-z0-9+/]+=*$/.test(headers.authorization ?? ''), 401, 'Unauthorized')
      onlyKnown(body, ['previewRun', 'resources', 'stagesToSkip', 'templateParameters', 'variables', 'yamlOverride'], 400)
      const self = object(object(object(body.resources, 'resources', 400).repositories, 'repositories', 400).self, 'self', 400)
      requires(/^refs\/(heads|tags)\//.test(String(self.refName)), 400, 'refName is not a ref')
      const parameters = strings(body.templateParameters, 'templateParameters', 65_536, 400)
      const declared = (pipeline.parameters as { name: string; default?: string }[]).map(({ name }) => name)
      onlyKnown(parameters, declared, 400)
      requires(
        declared.every((name) => name in parameters),
        400,
        'A value for a parameter without default is missing',
      )
      return { variables: parameters }
    },
  },
]

/** The hook and the pipeline below a heading of the page. */
export function exampleOf(page: string, heading: string): { hook: Fields; pipeline: Fields; pipelineText: string } {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  const block = (language: string) => new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(own)?.[1] ?? ''
  const pipelineText = block('yaml')
  return { hook: JSON.parse(block('json')), pipeline: parse(pipelineText) as Fields, pipelineText }
}

/** Answers requests as the system would, and notes the runs that they start. */
export function answerAs(standIn: StandIn, pipeline: Fields, runs: Run[]): (request: Received) => Response {
  return (request) => {
    try {
      requires(request.method === 'POST' && standIn.path.test(request.path), 404, 'Not Found')
      requires(request.headers['content-type'] === 'application/json', 415, 'Unsupported Media Type')
      runs.push(standIn.start(request, object(JSON.parse(request.body), 'The body', 400), pipeline))
      return standIn.status === 204 ? new Response(null, { status: 204 }) : Response.json({ id: 1 }, { status: standIn.status })
    } catch (error) {
      if (error instanceof Rejection) return Response.json({ message: error.message }, { status: error.status })
      return new Response(String(error), { status: 500 })
    }
  }
}
