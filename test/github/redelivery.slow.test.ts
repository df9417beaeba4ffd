/** Deliveries that never succeed, and those of which GitHub knows the outcome late. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { GithubBench } from './workbench.ts'

const LIST = 'GET /app/hook/deliveries'

let bench: GithubBench

beforeAll(async () => {
  bench = await GithubBench.connected()
})
afterAll(() => bench.close())

/** Resolves when a worker has read the deliveries once more, from the beginning. */
async function readAgain(): Promise<void> {
  const { length } = bench.github.callsOf(LIST)
  await bench.github.waitForCalls(LIST, length + 2)
}

/** A run whose first delivery was refused. */
async function missed() {
  const { github, app } = bench
  const { project, repository } = await bench.linked()
  const secret = app.webhookSecret
  app.webhookSecret = 'unknown'
  github.startRun(repository, { environment: 'production' })
  const sent = () => github.webhooks.of('deployment_protection_rule').filter(({ repositoryId }) => repositoryId === repository.id)
  await github.until(() => sent()[0]?.statusCode === 401, 'the refusal')
  return { project, sent, secret }
}

test('A delivery that is refused each time is asked for at most five times', async () => {
  const { sent, secret } = await missed()
  await bench.github.until(() => sent().length === 6 && sent().every(({ statusCode }) => statusCode === 401), 'five more')
  await readAgain()
  await readAgain()
  expect(sent()).toHaveLength(6)
  bench.app.webhookSecret = secret
})

test('A delivery that ends after later ones were read is asked for again, too', async () => {
  const { project, sent, secret } = await missed()
  const [first] = sent()
  if (!first) throw new Error('No delivery')
  const { duration } = first
  first.duration = null
  bench.app.webhookSecret = secret
  await readAgain()
  first.duration = duration
  await bench.gateOf(project.id)
  expect(sent().at(-1)).toMatchObject({ isRedelivery: true, statusCode: 202 })
})
