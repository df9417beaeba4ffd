/** Reads a thread in a process with its own settings, and prints its state as JSON. The thread is the argument, as JSON. */
import { readThread } from '../../worker/notification-channels/slack/threads.ts'

console.log(JSON.stringify(await readThread(JSON.parse(process.argv.at(-1) ?? ''))))
process.exit(0)
