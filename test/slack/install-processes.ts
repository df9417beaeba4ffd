/** Processes that run the operations of "Add to Slack", each with its own settings. */
import type { Subprocess } from 'bun'
import { forEachLine } from '../../bin/support/lines.ts'
import type { Answer } from '../support/signalbox.ts'

export interface Output {
  result?: Answer['body']
  code?: string
  message?: string
}

export class InstallProcess {
  readonly #process: Subprocess<'pipe', 'pipe', 'inherit'>
  readonly #waiting = new Map<number, PromiseWithResolvers<Output>>()
  #runs = 0

  constructor(settings: Record<string, string>) {
    this.#process = Bun.spawn([process.execPath, `${import.meta.dir}/install-process.ts`], {
      env: { PATH: process.env.PATH, ...settings },
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'inherit',
    })
    void forEachLine(this.#process.stdout, (line) => {
      const { id, ...output } = JSON.parse(line)
      this.#waiting.get(id)?.resolve(output)
    })
    void this.#process.exited.then(() => {
      for (const { reject } of this.#waiting.values()) reject(new Error('The process has ended.'))
    })
  }

  run(input: object): Promise<Output> {
    const id = this.#runs++
    const waiting = Promise.withResolvers<Output>()
    this.#waiting.set(id, waiting)
    void waiting.promise.catch(() => {}).finally(() => this.#waiting.delete(id))
    this.#process.stdin.write(`${JSON.stringify({ id, ...input })}\n`)
    void this.#process.stdin.flush()
    return waiting.promise
  }

  async end(): Promise<void> {
    await this.#process.stdin.end()
    await this.#process.exited
  }
}
