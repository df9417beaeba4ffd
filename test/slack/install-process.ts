/** Runs the operations of "Add to Slack" in a process with its own settings: an operation per line of standard input, as JSON. */
import type { Caller } from '../../api/plugins/request-context.ts'
import { completeInstall, installUrl } from '../../api/slack/exchange.ts'
import { forEachLine } from '../../bin/support/lines.ts'

interface Input {
  /** Repeated in the result. */
  id: number
  by: Caller
  channel_id?: string
  code?: string
  state?: string
}

async function perform({ id, by, channel_id = '', code = '', state }: Input): Promise<void> {
  const work = state === undefined ? Promise.resolve(installUrl(by, channel_id)) : completeInstall(by, { code, state })
  const output = await work.then(
    (result) => ({ id, result }),
    (error: { code?: string; message?: string }) => ({ id, code: error.code, message: error.message }),
  )
  console.log(JSON.stringify(output))
}

await forEachLine(Bun.stdin.stream(), (line) => void perform(JSON.parse(line)))
process.exit(0)
