/**
 * Ends another process when this one ends, even with SIGKILL: a shell reads from a pipe that only this process holds
 * open, and sends the signal at the end of the pipe.
 *
 * @returns releases the other process
 */
export function endWithParent(pid: number, signal: 'INT' | 'TERM'): () => void {
  const leash = Bun.spawn(['/bin/sh', '-c', 'read -r released && exit; kill -s "$1" "$2"', 'leash', signal, String(pid)], {
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
