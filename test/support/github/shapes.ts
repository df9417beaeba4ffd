/** The shapes of GitHub's REST API and webhooks, as GitHub describes them in OpenAPI. */
import type { components, paths } from '@octokit/openapi-types'

export type Schemas = components['schemas']
export type Paths = paths
export type Permissions = Schemas['app-permissions']

type Json<Answer> = Answer extends { content: { 'application/json': infer Body } } ? Body : undefined
type ResponsesOf<Operation> = Operation extends { responses: infer Responses } ? Responses : never

/** The answers that an operation may give, errors aside. */
export type Success<Operation> = {
  [Status in keyof ResponsesOf<Operation> & (200 | 201 | 202 | 204)]: {
    status: Status
    body: Json<ResponsesOf<Operation>[Status]>
    headers?: Record<string, string>
  }
}[keyof ResponsesOf<Operation> & (200 | 201 | 202 | 204)]

/** The JSON that an operation takes; `undefined` if it takes none. */
export type RequestOf<Operation> = Operation extends { requestBody?: { content: { 'application/json': infer Body } } }
  ? Body
  : undefined
