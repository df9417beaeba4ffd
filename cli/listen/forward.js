/**
 * Forwards the dispatches of a pull hook of its own to a URL, usually on this machine. The hook is found again by its name, so
 * that what happened while nothing ran is forwarded later, even if this process was killed or the machine was asleep.
 */
import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { endOf } from '../agent/run-command.js'
import { failureOf } from '../support/api.js'
import { httpUrl } from '../support/config.js'
import { acknowledge, claim, doneBefore } from '../support/dispatches.js'
import { Failure, wrongUsage } from '../support/failure.js'
import { send } from '../support/http.js'
import { commandOf, isRunning, userName } from '../support/process-table.js'
import { programWith } from '../support/program.js'
import { stopSignal } from '../support/stop-signal.js'
import { err, onTerminal, out, printJson, printProgress, printStep } from '../support/terminal.js'

/** The longest that is allowed here: long enough for a debugger, and a killed process is missed no longer than that. */
const LEASE_SECONDS = 60
/** How long the local server may take, so that its answer is acknowledged within the lease. */
const ANSWER_MS = 55_000
/** As many as a hook that sends has in flight. */
const MAX_IN_FLIGHT = 10
/** How long the local server may take after Ctrl-C, and Signalbox to remove the hook. */
const GRACE_MS = 5_000
const MAX_NAME = 108
const HOOK = { id: '', name: '', mode: '', trigger_on: '', environment: '' }

/**
 * @typedef {object} Name
 * @property {string} own
 * @property {(hook: any) => boolean} isLeft whether a process that has ended left a hook for the same target
 */

/**
 * The name of the hook: who forwards from where to what, in which process. Another person, machine or process has another hook.
 *
 * @param {URL} target
 * @returns {Name}
 */
function nameFor({ origin, pathname, search }) {
  const full = `listen: ${userName()}@${hostname()} → ${origin}${pathname}${search}`.normalize('NFC')
  const hash = createHash('sha256').update(full).digest('hex').slice(0, 12)
  const name = [...full].length <= MAX_NAME ? full : `${[...full].slice(0, MAX_NAME - 14).join('')}… ${hash}`
  return {
    own: `${name} (${process.pid})`,
    isLeft: (hook) => hook.name.startsWith(`${name} (`) && hasEnded(hook),
  }
}

/**
 * Whether a hook is one of a process of this machine that has ended.
 *
 * @param {{ name: string, mode: string }} hook
 */
function hasEnded({ name, mode }) {
  const pid = / \((\d+)\)$/.exec(name)?.[1]
  return mode === 'pull' && pid !== undefined && !isListening(Number(pid))
}

/**
 * Whether another process forwards. Ids of processes are used again.
 *
 * @param {number} pid
 */
const isListening = (pid) =>
  pid !== process.pid && (process.platform === 'win32' ? isRunning(pid) : commandOf(pid).includes(' listen '))

/**
 * Finds the hook that an earlier run has left, or makes one, which the service removes when no run takes it up.
 *
 * @param {import('../support/api.js').Api} client
 * @param {Record<string, string>} options
 * @param {Name} name
 */
async function takeUpHook(client, { project = '', 'trigger-on': trigger_on, environment, secret }, name) {
  const path = `/projects/${encodeURIComponent(project)}/deployment-hooks`
  const body = { name: name.own, trigger_on, environment, ...(secret && { secret }) }
  const hooks = await client.ask('GET', path, { answer: [HOOK] })
  for (const { id } of hooks.filter(name.isLeft)) {
    const left = await readHook(client, id)
    // Another process may have taken it up at the same time.
    if (!left || !name.isLeft(left.body)) continue
    const options = { body, headers: { 'If-Match': left.headers.etag ?? '' }, answer: HOOK }
    const taken = await client.call('PUT', `/deployment-hooks/${id}`, options)
    if (taken.status === 200) return { hook: taken.body, isNew: false }
    if (taken.status !== 412 && taken.status !== 404) throw failureOf(taken, client)
  }
  return { hook: await client.ask('POST', path, { body: { ...body, mode: 'pull', temporary: true }, answer: HOOK }), isNew: true }
}

/**
 * @param {import('../support/api.js').Api} client
 * @param {string} id
 * @returns {Promise<import('../support/api.js').ApiResponse | null>} null if it is gone
 */
async function readHook(client, id) {
  const response = await client.call('GET', `/deployment-hooks/${id}`, { patience: { ms: GRACE_MS }, answer: HOOK })
  if (response.status === 404) return null
  if (response.status !== 200) throw failureOf(response, client)
  return response
}

/**
 * What an answer means, as it would for a hook that sends.
 *
 * @param {import('../support/http.js').HttpResponse} response
 * @returns {import('../support/dispatches.js').Outcome}
 */
function outcomeOf({ status, headers }) {
  if (status >= 200 && status < 300) return 'succeeded'
  return status === 410 || headers['x-signalbox-control'] === 'stop' ? 'failed' : 'retry'
}

/**
 * Posts a dispatch as Signalbox would.
 *
 * @param {string} target
 * @param {import('../support/dispatches.js').Claimed} claimed
 * @param {AbortSignal} givenUp
 * @returns {Promise<{ outcome: import('../support/dispatches.js').Outcome, status: number | null, answer: string, detail: string }>}
 */
async function post(target, { payload, headers }, givenUp) {
  try {
    const signals = [AbortSignal.timeout(ANSWER_MS), givenUp]
    const response = await send(target, { method: 'POST', headers, body: payload, signals, direct: true, statusDecides: true })
    const { status, text, isCut } = response
    const detail = endOf(Buffer.from(`${status}\n\n${text}${isCut ? '\n\n(the body was cut)' : ''}`))
    return { outcome: outcomeOf(response), status, answer: String(status), detail }
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
    const answer = message === 'aborted' ? 'no answer in time' : `${code ?? message}`
    return { outcome: 'retry', status: null, answer, detail: answer }
  }
}

/**
 * Posts a dispatch, unless it was answered before, and acknowledges what came back.
 *
 * @param {import('../support/api.js').Api} client
 * @param {string} target
 * @param {import('../support/dispatches.js').Claimed} claimed
 * @param {AbortSignal} givenUp
 * @param {boolean} json
 */
async function pass(client, target, claimed, givenUp, json) {
  const { dispatch, headers } = claimed
  const lease = AbortSignal.timeout(LEASE_SECONDS * 1000)
  const begun = performance.now()
  const before = doneBefore(claimed)
  const { outcome, status, answer, detail } = before
    ? { ...before, status: null, answer: 'answered before' }
    : await post(target, claimed, givenUp)
  const ms = Math.round(performance.now() - begun)
  const refusal = await acknowledge(client, claimed, outcome, detail, lease)
  const { id, event, sequence } = dispatch
  if (json)
    return printJson({
      dispatch_id: id,
      event,
      sequence,
      status,
      error: status === null ? answer : null,
      ms,
      outcome: refusal ? null : outcome,
    })
  const number = `${sequence === null ? '' : `sequence ${sequence}, `}attempt ${headers['X-Signalbox-Attempt']}`
  const color = outcome === 'succeeded' ? out.green : out.red
  const result = refusal
    ? `not acknowledged, so it comes again: ${onTerminal(refusal)}`
    : outcome === 'retry'
      ? 'is attempted again'
      : outcome
  printStep(
    'dispatch',
    `${out.strong(onTerminal(event).padEnd(18))} ${number}  ${color(onTerminal(answer))} in ${ms} ms  ${out.dim(result)}`,
  )
}

/**
 * Forwards until it is stopped, then lets what is in flight end.
 *
 * @param {import('../support/api.js').Api} client
 * @param {string} hook
 * @param {string} target
 * @param {AbortSignal} stopping
 * @param {boolean} json
 */
async function forwardAll(client, hook, target, stopping, json) {
  const givenUp = new AbortController()
  /** @type {Set<Promise<unknown>>} */
  const inFlight = new Set()
  while (!stopping.aborted) {
    const input = { limit: MAX_IN_FLIGHT - inFlight.size, lease_seconds: LEASE_SECONDS }
    for (const claimed of await claim(client, hook, input, stopping)) {
      const passing = pass(client, target, claimed, givenUp.signal, json).finally(() => inFlight.delete(passing))
      inFlight.add(passing)
    }
    if (inFlight.size === MAX_IN_FLIGHT) await Promise.race(inFlight)
  }
  const grace = setTimeout(() => givenUp.abort(), GRACE_MS)
  await Promise.all(inFlight)
  clearTimeout(grace)
}

/**
 * Removes the hook, unless another process has taken it up.
 *
 * @param {import('../support/api.js').Api} client
 * @param {string} id
 * @param {string} own its name
 */
async function remove(client, id, own) {
  try {
    for (;;) {
      const hook = await readHook(client, id)
      if (hook && hook.body.name !== own) return 'Another process has taken up the hook.'
      const options = { patience: { ms: GRACE_MS }, headers: { 'If-Match': hook?.headers.etag ?? '' } }
      const { status } = hook ? await client.call('DELETE', `/deployment-hooks/${id}`, options) : { status: 404 }
      if (status === 204 || status === 404) return 'The hook was removed.'
      if (status !== 412) throw new Failure(`Signalbox answered ${status}.`, { status })
    }
  } catch (error) {
    const { message, code } = /** @type {Failure} */ (error)
    throw new Failure(`The hook ${id} could not be removed: ${message}`, {
      code,
      next: 'It collects dispatches until you remove it, or run the same command again.',
    })
  }
}

/** @param {import('../main.js').Invocation} invocation */
export async function forward({ options, json, api }) {
  const url = httpUrl(options.forward ?? '')
  if (!url) throw wrongUsage('--forward must be an http or https URL, such as http://localhost:3000/hooks.')
  const target = url.href
  const stopping = stopSignal()
  const client = await api()
  const name = nameFor(url)
  const { hook, isNew } = await takeUpHook(client, options, name)
  printProgress(
    `\n  Forwarding ${err.strong(hook.trigger_on)} of ${onTerminal(hook.environment)} to ${err.strong(onTerminal(target))} ${err.dim('Ctrl-C stops, and removes the hook.')}`,
  )
  printProgress(
    `  Hook ${hook.id}${isNew ? '' : ', which was left by an earlier run'}: ${programWith(`trigger ${hook.id}`, client.url)}`,
  )
  if (hook.secret) printProgress(`  Its secret, which is shown only now: ${onTerminal(hook.secret)}`)
  printProgress('')
  try {
    await forwardAll(client, hook.id, target, stopping, json)
  } catch (error) {
    if (error instanceof Failure && error.status === 404) error.next = 'Someone removed the hook. Start the command again.'
    throw error
  }
  printProgress(`  ${await remove(client, hook.id, name.own)}`)
}
