/** One event to every channel of a workspace, until the last of them has it. */
import type { Thing } from '../support/api-client.ts'
import { milliseconds, percentile, roundedEach } from './figures.ts'
import type { Part } from './part.ts'
import { idle, makeProjects, type Stage, until } from './stage.ts'

/** The most that a workspace can have. */
const CHANNELS = 100
const LIMIT_MS = 500

interface Notifying {
  /** Milliseconds since the answer of the request that raised the event was read, until the last channel had it. */
  p50: number
  slowest: number
}

/** The receiver is in this process, so that one clock sees both ends. Half are rooms of a chat tool, half are webhooks. */
async function measureChannels(stage: Stage, rounds: number): Promise<Notifying> {
  const { api, sql, tenant } = stage
  let arrived = 0
  let last = 0
  const receiver = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      await request.text()
      arrived += 1
      last = performance.now()
      return new Response('ok')
    },
  })
  try {
    const [project] = await makeProjects(stage, 1)
    for (let number = 0; number < CHANNELS; number++) {
      const url = `${receiver.url.href}${number}`
      const channel = await api.post<Thing>(`/workspaces/${tenant.workspace.id}/notification-channels`, {
        name: `Bench ${number}`,
        ...(number % 2 ? { channel_type: 'webhook', config: { url } } : { channel_type: 'slack', config: { webhook_url: url } }),
      })
      await api.post(`/notification-channels/${channel.id}/subscriptions`, {
        event_pattern: 'gate.pending',
        filter_project_id: project?.id,
      })
    }
    const requirement = await api.post(`/projects/${project?.id}/requirements`, { title: 'Bench' })
    const execution = await api.post(`/requirements/${requirement.id}/executions`, { agent: 'bench' })
    await api.post(`/executions/${execution.id}/start`, {})
    const samples: number[] = []
    for (let round = 0; round <= rounds; round++) {
      await idle(sql)
      arrived = 0
      await api.post(`/executions/${execution.id}/gates`, { name: 'Bench' })
      const answered = performance.now()
      await until('Every channel has it', async () => arrived === CHANNELS, 30_000, 2)
      // The first round warms up.
      if (round > 0) samples.push(Math.max(0, last - answered))
    }
    return { p50: percentile(samples, 0.5), slowest: Math.max(...samples) }
  } finally {
    await receiver.stop(true)
  }
}

const eventsOf = (quick: boolean): number => (quick ? 3 : 20)

export const channels: Part = {
  name: 'channels',
  thorough: true,
  conditions: (quick) =>
    `channels  ${eventsOf(quick)} events, one after another, each to ${CHANNELS} channels of one workspace (half Slack, half webhooks), until the last of them is in the receiver, since the API's answer was read.`,
  async run(stage, quick) {
    const measured = await measureChannels(stage, eventsOf(quick))
    const limit = `≤ ${LIMIT_MS} ms`
    return {
      rows: [
        { name: `event to ${CHANNELS} channels, p50`, ours: milliseconds(measured.p50), limit },
        { name: `event to ${CHANNELS} channels, slowest`, ours: milliseconds(measured.slowest), limit },
      ],
      figures: { event_to_channels_ms: { channels: CHANNELS, ...roundedEach(measured) } },
    }
  },
}
