/** Looks up processes that other programs started. */
import { readFile } from 'node:fs/promises'

// Containers often lack ps; on Linux /proc is always there.
const onLinux = process.platform === 'linux'

/** The command line of a running process; undefined if there is none. */
export async function commandOf(pid: number): Promise<string | undefined> {
  const command = onLinux ? (await procFile(pid, 'cmdline')).replaceAll('\0', ' ') : ps(pid, 'command')
  return command.trim() || undefined
}

/** The parent of a running process. */
export async function parentOf(pid: number): Promise<number | undefined> {
  // The second field is a name in parentheses, which may itself contain parentheses and spaces.
  const parent = onLinux ? (await procFile(pid, 'stat')).replace(/^.*\)/s, '').trim().split(' ')[1] : ps(pid, 'ppid')
  return Number(parent) || undefined
}

/** Whether a process with this id runs. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function ps(pid: number, column: string): string {
  return Bun.spawnSync(['ps', '-o', `${column}=`, '-p', String(pid)]).stdout.toString()
}

async function procFile(pid: number, name: string): Promise<string> {
  try {
    return await readFile(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
