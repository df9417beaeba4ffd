/**
 * Forwards the dispatches of a pull hook of its own to a URL, usually on this machine. The hook is found again by its name, so
 * that what happened while nothing ran is forwarded later, even if this process was killed or the machine was asleep.
 */
import { createHash } from 'node:crypto'
import { hostname, userInfo } from 'node:os'
import { endOf } from '../agent/run-command.js'
import { acknowledge, claim } from '../support/dispatches.js'
import { Failure, wrongUsage } from '../support/failure.js'
import { send } from '../support/http.js'
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
const MAX_NAME = 120

/**
 * The name of the hook: who forwards from where to what. Another person or machine has another hook.
 *
 * @param {string} target
 */
function nameFor(target) {
  const name = `listen: ${userInfo().username}@${hostname()} → ${target}`.normalize('NFC')
  if ([...name].length <= MAX_NAME) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 12)
  return `${[...name].slice(0, MAX_NAME - 14).join('')}… ${hash}`
}

/**
 * Finds the hook that an earlier run has left, or makes one.
 *
 * @param {import('../support/api.js').Api} client
 * @param {Record<string, string>} options
 * @param {string} target
 */
async function takeUpHook(client, { project = '', 'trigger-on': trigger_on, environment, secret }, target) {
  const path = `/projects/${encodeURIComponent(project)}/deployment-hooks`
  const name = nameFor(target)
  const fields = { trigger_on, environment, ...(secret && { secret }) }
  const hooks = await client.ask('GET', path)
  const left = hooks.find((/** @type {any} */ each) => each.mode === 'pull' && each.name === name)
  if (left) return { hook: await client.ask('PUT', `/deployment-hooks/${left.id}`, { body: fields }), isNew: false }
  return { hook: await client.ask('POST', path, { body: { name, mode: 'pull', ...fields } }), isNew: true }
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
 * Posts a dispatch as Signalbox would, and acknowledges what came back.
 *
 * @param {import('../support/api.js').Api} client
 * @param {string} target
 * @param {import('../support/dispatches.js').Claimed} claimed
 * @param {AbortSignal} givenUp
 * @param {boolean} json
 */
async function pass(client, target, claimed, givenUp, json) {
  const { dispatch, payload, headers } = claimed
  const lease = AbortSignal.timeout(LEASE_SECONDS * 1000)
  const begun = performance.now()
  /** @type {import('../support/dispatches.js').Outcome} */
  let outcome = 'retry'
  let answer = ''
  let detail = ''
  let status = null
  try {
    const signals = [AbortSignal.timeout(ANSWER_MS), givenUp]
    const response = await send(target, { method: 'POST', headers, body: payload, signals, direct: true })
    status = response.status
    outcome = outcomeOf(response)
    answer = String(status)
    detail = `${status}\n\n${response.text}`
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
    answer = message === 'aborted' ? 'no answer in time' : `${code ?? message}`
    detail = answer
  }
  const ms = Math.round(performance.now() - begun)
  const refusal = await acknowledge(client, claimed, outcome, endOf(Buffer.from(detail)), lease)
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
    process.stdout,
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
 * Removes the hook.
 *
 * @param {import('../support/api.js').Api} client
 * @param {string} hook
 */
async function remove(client, hook) {
  const refusal = await client.ask('DELETE', `/deployment-hooks/${hook}`, { patience: { ms: GRACE_MS } }).catch((error) => error)
  if (!(refusal instanceof Failure) || refusal.status === 404) return void printProgress('  The hook was removed.')
  throw new Failure(`The hook ${hook} could not be removed: ${refusal.message}`, {
    code: refusal.code,
    next: 'It collects dispatches until you remove it, or run the same command again.',
  })
}

/** @param {import('../main.js').Invocation} invocation */
export async function forward({ options, json, api }) {
  const target = options.forward ?? ''
  if (!/^https?:\/\//.test(target) || !URL.canParse(target)) throw wrongUsage('--forward must be an http or https URL.')
  const stopping = stopSignal()
  const client = await api()
  const { hook, isNew } = await takeUpHook(client, options, target)
  printProgress(
    `\n  Forwarding ${err.strong(hook.trigger_on)} of ${onTerminal(hook.environment)} to ${err.strong(onTerminal(target))} ${err.dim('Ctrl-C stops, and removes the hook.')}`,
  )
  printProgress(`  Hook ${hook.id}${isNew ? '' : ', which was left by an earlier run'}: npx signalbox trigger ${hook.id}`)
  if (hook.secret) printProgress(`  Its secret, which is shown only now: ${onTerminal(hook.secret)}`)
  printProgress('')
  try {
    await forwardAll(client, hook.id, target, stopping, json)
  } catch (error) {
    if (error instanceof Failure && error.status === 404) error.next = 'Someone removed the hook. Start the command again.'
    throw error
  }
  await remove(client, hook.id)
}
