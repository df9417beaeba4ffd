/** One event to every channel of a workspace, until the last channel has received it. */
import { percentile } from './figures.ts'
import { localReceiver } from './local-receiver.ts'
import type { Part } from './part.ts'
import { createProjects, type Stage, startExecution, until, untilIdle } from './stage.ts'

/** The most that a workspace can have. */
const CHANNELS = 100

/** @returns milliseconds since the answer of the request that raised the event, for each round */
async function measure(stage: Stage, rounds: number): Promise<number[]> {
  const { api, sql, tenant } = stage
  let received = 0
  let lastAt = 0
  await using receiver = localReceiver((_, at) => {
    received++
    lastAt = at
  })
  const [project] = await createProjects(stage, 1)
  for (let number = 0; number < CHANNELS; number++) {
    const url = `${receiver.url}/${number}`
    const channel = await api.post(`/workspaces/${tenant.workspace.id}/notification-channels`, {
      name: `Bench ${number}`,
      ...(number % 2 ? { channel_type: 'webhook', config: { url } } : { channel_type: 'slack', config: { webhook_url: url } }),
    })
    const subscription = { event_pattern: 'gate.pending', filter_project_id: project?.id }
    await api.post(`/notification-channels/${channel.id}/subscriptions`, subscription)
  }
  const execution = await startExecution(stage, project?.id ?? '')
  const samples: number[] = []
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    await untilIdle(sql)
    received = 0
    await api.post(`/executions/${execution.id}/gates`, { name: 'Bench' })
    const answered = performance.now()
    await until('Every channel receives the event', async () => received === CHANNELS, 30_000, 2)
    if (round > 0) samples.push(Math.max(0, lastAt - answered))
  }
  return samples
}

const eventsIn = (quick: boolean): number => (quick ? 3 : 20)

export const channels: Part = {
  name: 'channels',
  slow: true,
  describe: (quick) =>
    `channels    ${eventsIn(quick)} events, one after another, each to ${CHANNELS} channels of one workspace (half Slack, half webhooks): from the API's answer until the last request reaches the receiver.`,
  async run(stage, quick) {
    const samples = await measure(stage, eventsIn(quick))
    return [
      { name: `event to ${CHANNELS} channels, p50`, value: percentile(samples, 0.5), unit: 'ms', atMost: 500 },
      { name: `event to ${CHANNELS} channels, slowest`, value: Math.max(...samples), unit: 'ms', atMost: 500 },
    ]
  },
}
