/**
 * A small receiver of deployment hooks, for Node 18 or newer, or Bun; no dependencies. It verifies both
 * signatures, and ignores repeats and late dispatches. The recipes in this folder use it.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { refusal } from './verify.mjs'

const LARGEST_BODY = 4 * 1024 * 1024
const REMEMBERED = 10_000

/** What has been processed: ids of dispatches, and the highest sequence of each hook. With a file, it survives a restart. */
export function memoryIn(file) {
  const { ids = [], newest = {} } = file && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const done = new Set(ids)
  return {
    has: (id) => done.has(id),
    newest: (hook_id) => newest[hook_id] ?? 0,
    keep(id, hook_id, sequence) {
      done.add(id)
      if (done.size > REMEMBERED) done.delete(done.values().next().value)
      newest[hook_id] = Math.max(newest[hook_id] ?? 0, sequence ?? 0)
      if (!file) return
      // Rename is atomic: a crash never leaves half a file.
      writeFileSync(`${file}.new`, JSON.stringify({ ids: [...done], newest }))
      renameSync(`${file}.new`, file)
    },
  }
}

/**
 * Verifies a request, and processes its event unless that is a repeat or late.
 *
 * @param {string} secret of the hook
 * @param {(event: any) => Promise<unknown>} act processes an event; if it throws, Signalbox retries
 */
export function taker(secret, act, memory = memoryIn(null)) {
  const underWay = new Map()

  /** @returns {Promise<{ status: number, text: string, headers?: Record<string, string> }>} the answer */
  return async function take(headers, body) {
    const fault = refusal(secret, headers, body)
    if (fault) return { status: 401, text: fault }
    const event = JSON.parse(body.toString())
    if (event.event === 'test.ping') return { status: 200, text: 'pong' }

    const id = headers['webhook-id']
    if (memory.has(id)) return { status: 200, text: 'already processed' }
    // The first request may still fail, so ask for a retry.
    if (underWay.has(id)) return { status: 503, text: 'in progress', headers: { 'Retry-After': '5' } }

    const { hook, sequence } = event
    const begun = [...underWay.values()].filter((each) => each.hook_id === hook.id).map((each) => each.sequence)
    const newest = Math.max(memory.newest(hook.id), ...begun)
    if (sequence < newest) return { status: 200, text: `late: ${newest} arrived before ${sequence}` }

    underWay.set(id, { hook_id: hook.id, sequence })
    try {
      await act(event)
      memory.keep(id, hook.id, sequence)
      return { status: 200, text: 'done' }
    } catch (error) {
      const wait = error.retryAfter ? { 'Retry-After': error.retryAfter } : {}
      return { status: error.retryAfter ? 503 : 502, text: String(error.message), headers: wait }
    } finally {
      underWay.delete(id)
    }
  }
}

/** The raw body; null unless the request is a POST with a Content-Length, as all requests of hooks are. */
async function rawBody(request) {
  if (request.method !== 'POST' || !(Number(request.headers['content-length']) <= LARGEST_BODY)) return null
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Serves one hook on `$PORT`, with its secret in `$SIGNALBOX_SECRET`; stores what it has processed in `$STATE_FILE`. */
export function serve(act) {
  const { SIGNALBOX_SECRET, PORT = '8787', HOST = '0.0.0.0', STATE_FILE = 'signalbox-receiver.json' } = process.env
  if (!SIGNALBOX_SECRET) throw new Error('Set SIGNALBOX_SECRET to the secret of the hook.')
  const take = taker(SIGNALBOX_SECRET, act, memoryIn(STATE_FILE))
  const server = createServer(async (request, response) => {
    const body = await rawBody(request).catch(() => null)
    const answer = body ? await take(request.headers, body) : { status: 400, text: 'not a request from a deployment hook' }
    console.log(`${request.headers['x-signalbox-event']} ${request.headers['webhook-id']}: ${answer.status} ${answer.text}`)
    response.writeHead(answer.status, { 'Content-Type': 'text/plain', ...answer.headers }).end(`${answer.text}\n`)
  })
  server.listen(Number(PORT), HOST, () => console.log(`listening on port ${server.address().port}`))
}

/** The variables for a pipeline, as text. */
export const variables = ({ event, environment, sequence, project, data }) => ({
  SIGNALBOX_EVENT: event,
  SIGNALBOX_ENVIRONMENT: environment,
  SIGNALBOX_SEQUENCE: String(sequence),
  SIGNALBOX_PROJECT: project.name,
  // For an approval: the commit that was approved, if the gate names one. The tip of the branch may have moved on since.
  SIGNALBOX_COMMIT: data.gate?.subject?.digest.gitCommit ?? '',
  // For a rollback: the version to deploy again.
  SIGNALBOX_TARGET_VERSION: data.target_version ?? '',
})

/** Sends a request to a CI/CD system. Throws if it is rejected, so that Signalbox retries. */
export async function send(url, { headers, body }) {
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: AbortSignal.timeout(10_000) })
  if (response.ok) return
  const refused = new Error(`${new URL(url).host} answered ${response.status}: ${(await response.text()).slice(0, 200)}`)
  throw Object.assign(refused, { retryAfter: response.headers.get('retry-after') })
}

/** A required setting of the environment. */
export function setting(name, fallback) {
  const value = process.env[name] || fallback
  if (!value) throw new Error(`Set ${name}.`)
  return value
}
