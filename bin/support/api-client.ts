/** A client of the HTTP API. */
import { Failure } from './command.ts'

/** What all resources of the API have. */
export interface Resource {
  id: string
}

export interface ApiClient {
  get<Answer>(path: string): Promise<Answer>
  post<Answer = Resource>(path: string, body?: object, headers?: Record<string, string>): Promise<Answer>
  put<Answer = Resource>(path: string, body: object): Promise<Answer>
  delete(path: string): Promise<void>
  /** The `Authorization` header; empty before signing in. */
  authorization: string
}

/** @param origin of the API, such as `http://localhost:8080` @param token of a program */
export function apiClient(origin: string, token = ''): ApiClient {
  /** @throws {Failure} with the status and the code of the problem */
  async function call(method: string, path: string, body?: object, more: Record<string, string> = {}) {
    const { authorization: Authorization } = client
    const headers = { ...(Authorization && { Authorization }), ...(body && { 'Content-Type': 'application/json' }), ...more }
    const signal = AbortSignal.timeout(30_000)
    const response = await fetch(`${origin}/api/v1${path}`, { method, headers, body: body && JSON.stringify(body), signal })
    const text = await response.text()
    if (response.ok) return text ? JSON.parse(text) : undefined
    const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json')
    const { code, detail, errors = [] } = isProblem ? JSON.parse(text) : { code: 'no_problem', detail: text.slice(0, 200) }
    const fields = errors.map((each: { pointer: string; detail: string }) => `\n  ${each.pointer} ${each.detail}`)
    const { status } = response
    throw new Failure(`${method} ${path} was answered ${status} (${code}): ${detail}${fields.join('')}`, { status, code })
  }
  const client: ApiClient = {
    authorization: token && `Bearer ${token}`,
    get: (path) => call('GET', path),
    post: (path, body, headers) => call('POST', path, body, headers),
    put: (path, body) => call('PUT', path, body),
    delete: (path) => call('DELETE', path),
  }
  return client
}

/** Whether a Signalbox answers at this origin and is ready. */
export const isReady = (origin: string): Promise<boolean> =>
  fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(2000) })
    .then(async (response) => response.ok && ((await response.json()) as { status?: string }).status === 'ready')
    .catch(() => false)
