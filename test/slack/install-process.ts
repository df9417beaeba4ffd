/** Runs the operations of "Add to Slack" in a process with its own settings: `url` or `complete`, as JSON on standard input. */
import type { Caller } from '../../api/plugins/request-context.ts'
import { completeInstall, installUrl } from '../../api/slack/install.ts'

interface Input {
  by: Caller
  channel_id?: string
  code?: string
  state?: string
}

const { by, channel_id = '', code = '', state } = (await Bun.stdin.json()) as Input
const work = state === undefined ? Promise.resolve(installUrl(by, channel_id)) : completeInstall(by, { code, state })
const output = await work.then(
  (result) => ({ result }),
  (error: { code?: string; message?: string }) => ({ code: error.code, message: error.message }),
)
console.log(JSON.stringify(output))
process.exit(0)
