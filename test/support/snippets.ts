/** Runs programs of the documentation that verify something, as their readers do. */
import { expect } from 'bun:test'
import { join } from 'node:path'

/** Where their sources are, and a temporary folder. */
interface Folders {
  docs: string
  folder: string
}

/** A program of Go is compiled once: `go run` compiles at each start. */
export function compiled(command: string[], { docs, folder }: Folders): string[] {
  if (command[0] !== 'go') return command
  const program = join(folder, crypto.randomUUID())
  const { stderr, exitCode } = Bun.spawnSync(['go', 'build', '-o', program, ...command.slice(2)], { cwd: docs })
  expect([stderr.toString(), exitCode]).toEqual(['', 0])
  return [program]
}

/** What a program prints, and its exit code. */
export async function outputOf(
  command: string[],
  cwd: string,
  env: Record<string, string | undefined>,
): Promise<[output: string, exitCode: number]> {
  const child = Bun.spawn(command, { cwd, env, stdout: 'pipe', stderr: 'pipe' })
  const [said, complaint, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return [(said || complaint).trim(), code]
}

/** What a program says about a request, which it reads from a file with headers and one with the body. */
export async function judgementOf(
  command: string[],
  { headers, body }: { headers: Record<string, string>; body: string },
  { docs, folder }: Folders,
  settings: Record<string, string>,
): Promise<[output: string, exitCode: number]> {
  const [headersFile, bodyFile] = [join(folder, crypto.randomUUID()), join(folder, crypto.randomUUID())]
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  await Bun.write(headersFile, `${lines.join('')}\r\n`)
  await Bun.write(bodyFile, body)
  return outputOf([...command, headersFile, bodyFile], docs, { ...process.env, ...settings })
}
