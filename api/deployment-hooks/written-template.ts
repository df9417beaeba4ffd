import { parseExactly } from '../../core/values/exact-json.ts'
import { normalized } from '../plugins/body.ts'
import { contextOf } from '../plugins/request-context.ts'

/** The valid body of a request, with the numbers of its template as they were written. */
export function withWrittenTemplate<Input extends { body_template?: unknown }>(request: Request, input: Input): Input {
  if (input.body_template == null) return input
  const { body_template } = parseExactly(new TextDecoder().decode(contextOf(request).bytes)) as Input
  return { ...input, body_template: normalized(body_template, '/body_template', 1) }
}
