/** Events of runtimes. */
import type { Runtime } from '../records/runtimes.ts'
import { declare, messagesOf } from './declaration.ts'
import { quoted, text, time } from './words.ts'

const message = messagesOf<{ runtime: Runtime }>(({ runtime }, what) => ({
  sentence: `${quoted('runtime', runtime.name)} ${what}.`,
  subject: text(runtime.name),
  facts: [
    ['Host', text(runtime.hostname)],
    ['Last heartbeat', time(runtime.last_heartbeat)],
  ],
}))

const about = {
  data: { runtime: 'runtime' },
  scope: 'organization',
} as const

export const runtimeEvents = {
  'runtime.online': declare({
    ...about,
    when: 'A runtime is registered, or sends a heartbeat after it was offline.',
    sample: { runtime: { name: 'Build farm 1', status: 'online' } },
    message: message('Runtime online', 'good', 'is online'),
    hooks: null,
    slack: 'reply',
    notifies: null,
  }),
  'runtime.offline': declare({
    ...about,
    when: 'A runtime has not sent a heartbeat for `RUNTIME_OFFLINE_SECONDS` (default: 90).',
    sample: { runtime: { name: 'Build farm 1', status: 'offline' } },
    message: message('Runtime offline', 'warning', 'has stopped sending heartbeats', 'Check whether its host is running.'),
    hooks: null,
    slack: 'reply',
    notifies: null,
  }),
}
