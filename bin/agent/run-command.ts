/** Runs the command of the agent for one dispatch. */
import { endGroupWithParent } from '../support/leash.ts'
import type { ClaimedDispatch } from './client.ts'

const MAX_DETAIL_BYTES = 16_384
/** How long a command, and what it started, may take to end after SIGTERM, before it is killed. */
const KILL_MS = 3_000

/** Headers that the command gets as variables. */
const PASSED = /^X-Signalbox-(Event|Delivery|Attempt|Sequence|Report-Url|Report-Token)$/i

/** `X-Signalbox-Report-Url` becomes `SIGNALBOX_REPORT_URL`. */
const variablesOf = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => PASSED.test(name))
      .map(([name, value]) => [name.slice(2).toUpperCase().replaceAll('-', '_'), value]),
  )

/** Passes output on, and keeps its end. */
async function copy(from: ReadableStream<Uint8Array>, to: NodeJS.WriteStream, kept: Buffer[]): Promise<void> {
  for await (const chunk of from) {
    to.write(chunk)
    kept.push(Buffer.from(chunk))
    if (kept.length > 64) kept.splice(0, kept.length, Buffer.concat(kept).subarray(-MAX_DETAIL_BYTES))
  }
}

/** The end of the output as text that can be stored: valid, and not longer than allowed. */
function endOf(kept: Buffer[]): string {
  const text = Buffer.concat(kept).subarray(-MAX_DETAIL_BYTES).toString()
  // A character that was cut became U+FFFD, which is longer.
  let end = text.replaceAll('\0', '').normalize('NFC').trim()
  while (Buffer.byteLength(end) > MAX_DETAIL_BYTES) end = end.slice(16)
  return end.toWellFormed()
}

/** Sends a signal to a process group. @returns whether any process of it was left */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal)
  } catch {
    return false
  }
}

/** Kills what is left of a process group some time after SIGTERM. */
async function killLeft(group: number): Promise<void> {
  for (let waited = 0; waited < KILL_MS && signalGroup(group, 0); waited += 50) await Bun.sleep(50)
  signalGroup(group, 'SIGKILL')
}

/**
 * Runs a command with the payload on its standard input. It ends with this process, however that ends.
 *
 * @param stop ends the command: SIGTERM, then SIGKILL. It runs in a process group of its own, which a signal reaches as a whole
 * @returns its exit code, null if it was ended; and the end of its output
 */
export async function runCommand(
  command: string[],
  { payload, headers }: ClaimedDispatch,
  stop: AbortSignal,
): Promise<{ exitCode: number | null; output: string }> {
  // The command must not see the token of the agent.
  const { SIGNALBOX_TOKEN: _, ...inherited } = process.env
  const started = Bun.spawn(command, {
    stdin: Buffer.from(payload),
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...inherited, ...variablesOf(headers) },
    detached: true,
  })
  const release = endGroupWithParent(started.pid, KILL_MS / 1_000)
  let ended = Promise.resolve()
  const end = () => {
    signalGroup(started.pid, 'SIGTERM')
    ended = killLeft(started.pid)
  }
  if (stop.aborted) end()
  else stop.addEventListener('abort', end, { once: true })
  const kept: Buffer[] = []
  const copied = Promise.all([copy(started.stdout, process.stdout, kept), copy(started.stderr, process.stderr, kept)])
  const exitCode = await started.exited
  // What it left running in the background may keep the pipes open.
  await Promise.race([copied, Bun.sleep(1_000)])
  stop.removeEventListener('abort', end)
  // Another agent may run the command next: nothing of this run may go on beside it.
  await ended
  release()
  return { exitCode: stop.aborted ? null : exitCode, output: endOf(kept) }
}
