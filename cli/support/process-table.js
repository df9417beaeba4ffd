/** Looks up processes that other programs started, and whose they are. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'

// Containers often lack ps; on Linux /proc is always there.
const onLinux = process.platform === 'linux'

/**
 * The command line of a running process; empty if there is none.
 *
 * @param {number} pid
 */
export const commandOf = (pid) => (onLinux ? procFile(pid, 'cmdline').replaceAll('\0', ' ') : ps(pid, 'command')).trim()

/**
 * The parent of a running process; 0 if it is not known.
 *
 * @param {number} pid
 */
export function parentOf(pid) {
  // The second field is a name in parentheses, which may itself contain parentheses and spaces.
  const parent = onLinux ? procFile(pid, 'stat').replace(/^.*\)/s, '').trim().split(' ')[1] : ps(pid, 'ppid')
  return Number(parent) || 0
}

/**
 * Whether a process with this id runs.
 *
 * @param {number} pid
 */
export function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}

/** The name of the user of this process, who in a container often has none. */
export function userName() {
  try {
    return userInfo().username
  } catch {
    return process.env.USER || `uid ${process.getuid?.()}`
  }
}

/**
 * @param {number} pid
 * @param {string} column
 */
const ps = (pid, column) => String(spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)]).stdout ?? '')

/**
 * @param {number} pid
 * @param {string} name
 */
function procFile(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
