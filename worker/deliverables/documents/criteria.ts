/** Acceptance criteria as items of a list. */
import { indented, steps, withCode } from '../markdown.ts'
import { numberedLines } from '../sentences.ts'

/** A criterion as the Markdown of an item of `bullets`. Its numbered lines stay steps, below it. */
export function criterionItem(criterion: string): string {
  const { steps: todo, rest } = numberedLines(criterion)
  if (todo.length === 0) return withCode(criterion)
  return `${withCode(rest) || 'In this order:'}\n${indented(steps(todo.map(withCode)))}`
}
