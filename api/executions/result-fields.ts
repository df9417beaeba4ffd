/** What an agent reports about its work: in the result of an execution, and as the evidence of a gate. */
import { isPlainLine } from '../../core/values/plain-text.ts'
import { Maybe, Name, Shape, Text, Type, WebUrl } from '../../core/values/schema.ts'

/** The pattern of a record does not match names with line breaks, whose values would not be checked. */
export const Metrics = Type.Refine(
  Type.Record(Type.String({ maxLength: 200 }), Type.Number({ minimum: 0, maximum: 1e15 }), {
    maxProperties: 100,
    description: 'Known names: `tests_passed`, `tests_failed`, `lines_added`, `lines_removed`, `duration_seconds`, `retries`.',
    examples: [{ tests_passed: 42, tests_failed: 0 }],
  }),
  (metrics) => Object.keys(metrics).every(isPlainLine),
  () => 'must have names of one line without line breaks, control, invisible or direction-changing characters',
)

export const Artifact = Shape({ name: Name(200), kind: Maybe(Text(120)), url: Maybe(WebUrl()), content: Maybe(Text(65_536)) })
