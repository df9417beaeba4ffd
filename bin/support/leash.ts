/**
 * Ends another process when this one ends, even with SIGKILL: a shell reads from a pipe that only this process holds
 * open, and sends the signal at the end of the pipe.
 *
 * @returns releases the other process
 */
export const endWithParent = (pid: number, signal: 'INT' | 'TERM'): (() => void) =>
  leash('kill -s "$1" "$2"', signal, String(pid))

/** The same for a process group, with SIGTERM, and with SIGKILL some seconds later for what is left of it. */
export const endGroupWithParent = (group: number, killSeconds: number): (() => void) =>
  leash('kill -s TERM -- "-$1"; sleep "$2"; kill -s KILL -- "-$1"', String(group), String(killSeconds))

/** @param script what the shell runs when this process has ended */
function leash(script: string, ...args: string[]): () => void {
  const leash = Bun.spawn(['/bin/sh', '-c', `read -r released && exit; ${script}`, 'leash', ...args], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
    detached: true,
  })
  leash.unref()
  return () => {
    leash.stdin.write('released\n')
    leash.stdin.end()
  }
}
