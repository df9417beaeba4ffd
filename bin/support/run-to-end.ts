/** Runs a command to its end. */
import { Failure } from './failure.ts'
import { checked } from './timeline.ts'

/** Runs the work of a command, and exits. A failure is printed; one that a stop caused needs no message. */
export async function runToEnd(work: () => Promise<void>, stopping: AbortSignal): Promise<never> {
  try {
    console.log()
    await work()
    process.exit(0)
  } catch (error) {
    if (!stopping.aborted) console.error(`\n${checked(false, error instanceof Failure ? error.message : Bun.inspect(error))}\n`)
    process.exit(1)
  }
}
