/**
 * Ends a process when this one is killed with -9 and so cannot do it: a shell waits on a pipe
 * that only this process holds, and its end is the kernel's word that this process is gone.
 */
export function endWithParent(pid: number, signal: 'INT' | 'TERM'): () => void {
  const leash = Bun.spawn(['/bin/sh', '-c', 'read -r released || kill -s "$1" "$2"', 'leash', signal, String(pid)], {
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
