/** Joins what lanes ask of the database at the same moment, such as after a drain: one statement for twenty costs little more than one. */
import { isOutage } from '../process/errors.ts'
import { ReadCursors } from '../process/read-cursors.ts'
import { groupOf } from '../process/tenant-groups.ts'

/** At most this many in one call, so that one with much to read delays few others. */
const MAX_BATCH = 20

interface Question<Input, Output> {
  input: Input
  answered: (output: Output) => void
  failed: (error: unknown) => void
}

/**
 * A function whose calls within one turn of the event loop become one call of another. If that fails for any reason but an outage,
 * each is queried alone, so that one cannot make the others fail.
 *
 * @param answer gets inputs of one group of tenants, and resolves with an output for each, in their order
 * @param keyOf what inputs of one call have in common
 */
export function batched<Input extends { organization_id: string }, Output>(
  answer: (inputs: Input[]) => Promise<Output[]>,
  keyOf: (input: Input) => string = () => '',
): (input: Input) => Promise<Output> {
  let asked: Question<Input, Output>[] = []

  async function ask(questions: Question<Input, Output>[]): Promise<void> {
    try {
      const outputs = await answer(questions.map(({ input }) => input))
      for (const [index, { answered }] of questions.entries()) answered(outputs[index] as Output)
    } catch (error) {
      if (questions.length > 1 && !isOutage(error)) for (const question of questions) void ask([question])
      else for (const { failed } of questions) failed(error)
    }
  }

  function askAll(): void {
    const groups = Map.groupBy(asked, ({ input }) => groupOf(input.organization_id) + keyOf(input))
    asked = []
    for (const group of groups.values()) while (group.length > 0) void ask(group.splice(0, MAX_BATCH))
  }

  return (input) =>
    new Promise((answered, failed) => {
      if (asked.length === 0) setImmediate(askAll)
      asked.push({ input, answered, failed })
    })
}

/** A delivery becomes visible with the commit that follows the statement which says when it is due. */
export const laneCursors = new ReadCursors(10_000, 60_000)
