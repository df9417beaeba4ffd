/** Runs the command of the agent for one dispatch. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { endWithParent } from './parent-watch.js'

const MAX_DETAIL_BYTES = 16_384
/** How long a command, and what it started, may take to end after SIGTERM, before it is killed. */
const KILL_MS = 3_000

/** Headers that the command gets as variables. */
const PASSED = /^X-Signalbox-(Event|Delivery|Attempt|Sequence|Report-Url|Report-Token)$/i

/**
 * `X-Signalbox-Report-Url` becomes `SIGNALBOX_REPORT_URL`.
 *
 * @param {Record<string, string>} headers
 */
const variablesOf = (headers) =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => PASSED.test(name))
      .map(([name, value]) => [name.slice(2).toUpperCase().replaceAll('-', '_'), value]),
  )

/**
 * Passes output on, and keeps its end.
 *
 * @param {import('node:stream').Readable} from
 * @param {NodeJS.WriteStream} to
 * @param {Buffer[]} kept
 */
function copy(from, to, kept) {
  from.on('data', (/** @type {Buffer} */ chunk) => {
    to.write(chunk)
    kept.push(chunk)
    if (kept.length > 64) kept.splice(0, kept.length, Buffer.concat(kept).subarray(-MAX_DETAIL_BYTES))
  })
  return new Promise((resolve) => from.once('close', resolve))
}

/**
 * The end of some text as it can be stored: valid, and not longer than allowed.
 *
 * @param {Buffer} bytes
 */
export function endOf(bytes) {
  const text = bytes.subarray(-MAX_DETAIL_BYTES).toString()
  // A character that was cut became U+FFFD, which is longer.
  let end = text.replaceAll('\0', '').normalize('NFC').trim()
  while (Buffer.byteLength(end) > MAX_DETAIL_BYTES) end = end.slice(16)
  return end.toWellFormed()
}

/**
 * Sends a signal to a process group.
 *
 * @param {number} group
 * @param {NodeJS.Signals | 0} signal
 * @returns {boolean} whether any process of it was left
 */
function signalGroup(group, signal) {
  try {
    return process.kill(-group, signal)
  } catch {
    return false
  }
}

/**
 * Kills what is left of a process group some time after SIGTERM.
 *
 * @param {number} group
 */
async function killLeft(group) {
  for (let waited = 0; waited < KILL_MS && signalGroup(group, 0); waited += 50) await sleep(50)
  signalGroup(group, 'SIGKILL')
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>} its exit code; as shells have it, if it was ended by a signal
 */
const exitOf = (child) =>
  new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  })

/**
 * Runs a command with the payload on its standard input. It ends with this process, however that ends.
 *
 * @param {string[]} command
 * @param {{ payload: string, headers: Record<string, string> }} claimed
 * @param {AbortSignal} stop ends the command: SIGTERM, then SIGKILL. It runs in a process group of its own, which a signal reaches as a whole
 * @param {NodeJS.WriteStream} stdout where its standard output goes
 * @returns {Promise<{ exitCode: number | null, output: string }>} its exit code, null if it was ended; and the end of its output
 */
export async function runCommand([program = '', ...args], { payload, headers }, stop, stdout) {
  // The command must not see what the agent signs in with.
  const { SIGNALBOX_TOKEN: _, SIGNALBOX_ID_TOKEN: __, ...inherited } = process.env
  const started = spawn(program, args, { env: { ...inherited, ...variablesOf(headers) }, detached: process.platform !== 'win32' })
  const exited = exitOf(started)
  const group = started.pid
  // It could not be started: `exited` says why.
  if (group === undefined) return { exitCode: await exited, output: '' }
  const release = endWithParent(-group, 'TERM', 'KILL')
  let ended = Promise.resolve()
  const end = () => {
    if (!signalGroup(group, 'SIGTERM')) started.kill()
    ended = killLeft(group)
  }
  if (stop.aborted) end()
  else stop.addEventListener('abort', end, { once: true })
  /** @type {Buffer[]} */
  const kept = []
  const copied = Promise.all([copy(started.stdout, stdout, kept), copy(started.stderr, process.stderr, kept)])
  // A command need not read its input.
  started.stdin.on('error', () => {})
  started.stdin.end(payload)
  const exitCode = await exited
  // What ended by itself was not stopped, even if the lease ends a moment later.
  stop.removeEventListener('abort', end)
  const isStopped = stop.aborted
  // What it left running in the background may keep the pipes open.
  await Promise.race([copied, sleep(1_000, undefined, { ref: false })])
  // Another agent may run the command next: nothing of this run may continue alongside it.
  await ended
  release()
  return { exitCode: isStopped ? null : exitCode, output: endOf(Buffer.concat(kept)) }
}
