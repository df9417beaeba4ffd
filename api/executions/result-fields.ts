/** What an agent reports about its work: in the result of an execution, and as the evidence of a gate. */
import { Maybe, Name, Shape, Text, Type, WebUrl } from '../../core/values/schema.ts'

export const Metrics = Type.Record(Type.String({ maxLength: 200 }), Type.Number({ minimum: 0, maximum: 1e15 }), {
  maxProperties: 100,
  description: 'Known names: `tests_passed`, `tests_failed`, `lines_added`, `lines_removed`, `duration_seconds`, `retries`.',
  examples: [{ tests_passed: 42, tests_failed: 0 }],
})

export const Artifact = Shape({ name: Name(200), kind: Maybe(Text(120)), url: Maybe(WebUrl()), content: Maybe(Text(65_536)) })
