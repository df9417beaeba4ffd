import { spawn } from 'node:child_process'

/**
 * Ends another process when this one ends, even with SIGKILL: a shell reads from a pipe that only this process holds open, and sends
 * signals at the end of the pipe.
 *
 * @param {number} target process id, or a negative one for its group
 * @param {string[]} signals such as TERM, three seconds apart
 * @returns {() => void} releases the other process
 */
export function endWithParent(target, ...signals) {
  const script = 'read -r released && exit; target="$1"; shift; for signal; do kill -s "$signal" -- "$target"; sleep 3; done'
  const args = ['-c', script, 'parent-watch', String(target), ...signals]
  const watch = spawn('/bin/sh', args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  // Without a shell, as on Windows, the process is not ended with this one.
  watch.on('error', () => {})
  watch.stdin.on('error', () => {})
  watch.unref()
  return () => watch.stdin.end('released\n')
}
