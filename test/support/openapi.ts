/** Validates the responses that tests get against the OpenAPI document. */
import Ajv, { type ValidateFunction } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'

interface Media {
  schema: object
}

export interface Operation {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  security?: unknown[]
  parameters?: { name: string; in: string; required: boolean; schema: object }[]
  requestBody?: { content: Record<string, Media & { example?: unknown }> }
  responses: Record<string, { description: string; content?: Record<string, Media & { example?: unknown }> }>
  'x-signalbox-confidential'?: number[]
  'x-signalbox-access'?: { kind: string; role?: string; only_reads?: true; scopes?: 'any' | string[] }
}

export interface Document {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: Record<string, object> }
}

/** An OpenAPI document with compiled schemas. */
export class Contract {
  #ajv = new Ajv({ strict: false, allErrors: true })
  /** By schema, and by its text: many operations have the same. */
  #validators = new WeakMap<object, ValidateFunction>()
  #compiled = new Map<string, ValidateFunction>()
  #routes: { method: string; path: string; pattern: RegExp; operation: Operation }[]

  constructor(readonly document: Document) {
    addFormats(this.#ajv)
    this.#ajv.addSchema({ $id: 'signalbox', ...document })
    this.#routes = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
        operation,
      })),
    )
  }

  /** The error of a value by a schema of the document; null if it is valid. */
  faults(schema: object, value: unknown): string | null {
    const validate = this.#validators.get(schema) ?? this.#compile(schema)
    this.#validators.set(schema, validate)
    return validate(value) ? null : this.#ajv.errorsText(validate.errors)
  }

  #compile(schema: object): ValidateFunction {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"signalbox#/components/')
    const validate = this.#compiled.get(text) ?? this.#ajv.compile(JSON.parse(text))
    this.#compiled.set(text, validate)
    return validate
  }

  /** The documented operation of a request, if there is one. */
  operation(method: string, pathname: string): Operation | undefined {
    return this.#routes.find((route) => route.method === method && route.pattern.test(pathname))?.operation
  }

  /**
   * Validates a response.
   *
   * @throws Error if its status is not documented, or its body does not match the schema
   */
  check(method: string, pathname: string, status: number, type: string, body: unknown): void {
    const operation = this.operation(method === 'HEAD' ? 'GET' : method, pathname)
    if (!operation || method === 'HEAD' || status === 304) return
    const response = operation.responses[String(status)]
    if (!response) throw new Error(`${method} ${pathname} answered ${status}, which is not documented: ${JSON.stringify(body)}`)
    const media = response.content?.[type.split(';')[0] ?? '']
    if (body === null && !response.content) return
    if (!media) throw new Error(`${method} ${pathname} answered ${status} as ${type || 'nothing'}, which is not documented`)
    const faults = this.faults(media.schema, body)
    if (faults)
      throw new Error(`${method} ${pathname} answered ${status} with an undocumented shape: ${faults}\n${JSON.stringify(body)}`)
  }
}
