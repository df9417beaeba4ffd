import { expect, test } from 'bun:test'
import { PassThrough } from 'node:stream'
import { runCommand } from '../../cli/agent/run-command.js'

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('A command that has ended is not stopped, although what it left running holds its output open', async () => {
  const stop = new AbortController()
  const stdout = new PassThrough()
  const said = new Promise<string>((resolve) => stdout.once('data', (chunk) => resolve(String(chunk))))
  const script = 'sleep 60 & echo "$$ $!"'
  const claimed = { payload: '', headers: {} }
  const running = runCommand(['sh', '-c', script], claimed, stop.signal, stdout as unknown as NodeJS.WriteStream)
  const [command = 0, left = 0] = (await said).split(' ').map(Number)
  try {
    while (isRunning(command)) await Bun.sleep(10)
    // Its exit is reported a moment after it is gone.
    await Bun.sleep(100)
    stop.abort()
    expect(await running).toEqual({ exitCode: 0, output: `${command} ${left}` })
  } finally {
    if (isRunning(left)) process.kill(left)
  }
})
