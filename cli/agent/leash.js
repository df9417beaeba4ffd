import { spawn } from 'node:child_process'

/**
 * Ends a process group when this process ends, even with SIGKILL: a shell reads from a pipe that only this process holds
 * open, and at its end sends SIGTERM, and some seconds later SIGKILL to what is left.
 *
 * @param {number} group
 * @param {number} killSeconds
 * @returns {() => void} releases the group
 */
export function endGroupWithParent(group, killSeconds) {
  const script = 'read -r released && exit; kill -s TERM -- "-$1"; sleep "$2"; kill -s KILL -- "-$1"'
  const args = ['-c', script, 'leash', String(group), String(killSeconds)]
  const leash = spawn('/bin/sh', args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  // Without a shell, as on Windows, the command is not ended with this process.
  leash.on('error', () => {})
  leash.stdin.on('error', () => {})
  leash.unref()
  return () => leash.stdin.end('released\n')
}
