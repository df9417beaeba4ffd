/** A thread whose module takes longer to load than its tasks may take. */
import { serveThread } from '../../api/plugins/thread.ts'

Bun.sleepSync(1_000)
serveThread((task: string) => `${task} done`)
