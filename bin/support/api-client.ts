/** A client of the HTTP API. */
import { Failure } from './failure.ts'

/** What all resources of the API have. */
export interface Resource {
  id: string
}

interface Problem {
  code?: string
  detail?: string
  errors?: { pointer: string; code: string; detail: string }[]
}

/** The API answered with an error. */
export class Refusal extends Failure {
  constructor(
    request: string,
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(`${request} was answered ${status}${problem.code ? ` (${problem.code}): ${problem.detail}` : ''}`)
  }
}

export interface ApiClient {
  get<Answer>(path: string): Promise<Answer>
  post<Answer = Resource>(path: string, body?: object, headers?: Record<string, string>): Promise<Answer>
  put<Answer = Resource>(path: string, body: object): Promise<Answer>
  delete(path: string): Promise<void>
  /** The `Authorization` header; empty before signing in. */
  authorization: string
}

/** @param origin of the API, such as `http://localhost:8080` */
export function apiClient(origin: string): ApiClient {
  async function call<Answer>(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers: {
        ...(client.authorization && { Authorization: client.authorization }),
        ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    })
    const text = await response.text()
    if (!response.ok) throw new Refusal(`${method} ${path}`, response.status, problemIn(text))
    return (text ? JSON.parse(text) : undefined) as Answer
  }
  const client: ApiClient = {
    authorization: '',
    get: (path) => call('GET', path),
    post: (path, body, headers) => call('POST', path, body, headers),
    put: (path, body) => call('PUT', path, body),
    delete: (path) => call('DELETE', path),
  }
  return client
}

function problemIn(text: string): Problem {
  try {
    return JSON.parse(text)
  } catch {
    return { code: 'no_json', detail: text.slice(0, 200) }
  }
}
