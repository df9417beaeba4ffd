import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from '../../bin/support/ports.ts'
import { nodeHere } from '../support/node.ts'
import { type Box, signalbox } from '../support/signalbox.ts'

const root = join(import.meta.dir, '../..')

let box: Box
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-quickstart-'))
  // `npx --yes bun` runs the Bun of this test.
  await Bun.write(join(folder, 'npx'), `#!/bin/sh\nshift 2\nexec "${process.execPath}" "$@"\n`, { mode: 0o755 })
  box = await signalbox()
})
afterAll(async () => {
  await box?.close()
  await rm(folder, { recursive: true })
})

/** An interactive shell, with the output of it and its jobs. */
class Terminal {
  printed = ''
  #child: Bun.Subprocess<'pipe', 'pipe', 'pipe'>

  constructor(PATH: string) {
    const { HOME = folder } = process.env
    this.#child = Bun.spawn(['bash'], { cwd: root, env: { PATH, HOME }, stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' })
    for (const stream of [this.#child.stdout, this.#child.stderr]) void this.#read(stream)
  }

  async #read(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    for await (const chunk of stream) this.printed += decoder.decode(chunk, { stream: true })
  }

  /** Types a command, and waits for output that matches. */
  async type(text: string, awaited: string | RegExp): Promise<string> {
    const before = this.printed.length
    this.#child.stdin.write(`${text}\n`)
    this.#child.stdin.flush()
    const since = () => this.printed.slice(before)
    await box.until(`${awaited} in ${since()}`, async () => since().search(awaited) >= 0)
    return since()
  }

  async close(): Promise<void> {
    this.#child.stdin.write('kill $(jobs -p); wait\nexit\n')
    this.#child.stdin.end()
    await this.#child.exited
  }
}

test('the quickstart leads from a new account to dispatches with valid signatures', async () => {
  const page = await Bun.file(join(root, 'docs/quickstart.md')).text()
  const listening = await freePort('127.0.0.1')
  // Unchanged except for the two ports.
  const steps = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) =>
    text.replaceAll('localhost:8080', `localhost:${box.port}`).replaceAll('9000', String(listening)),
  )
  const PATH = [folder, dirname(process.execPath), await nodeHere(), process.env.PATH].join(':')
  const terminal = new Terminal(PATH)
  try {
    let printed = ''
    for (const [index, step] of steps.entries()) {
      const end = step.includes('bun run listen') ? /Ctrl-C stops/ : new RegExp(`^end of ${index}$`, 'm')
      printed += await terminal.type(`${step}\necho end of ${index}`, end)
    }
    await box.until('the approval has arrived', async () => /gate\.approved[\s\S]*answered 200/.test(terminal.printed))
    const lines = terminal.printed.split('\n')
    expect(printed.split('\n').filter((line) => /^[a-z]+$/.test(line))).toEqual(['succeeded', 'running', 'approved'])
    expect(lines.filter((line) => line.includes('dispatch ')).map((line) => line.replace(/^.*?dispatch +/, ''))).toEqual([
      'test.ping          Deploy to staging → staging, attempt 1',
      'gate.approved      Deploy to staging → staging, sequence 1, attempt 1',
    ])
    const proofs = lines.filter((line) => line.includes('answered'))
    for (const proof of proofs) expect(proof).toEndWith('✓ X-Signalbox-Signature  ✓ webhook-signature  answered 200')
    expect(proofs).toHaveLength(2)
  } finally {
    await terminal.close()
  }
})
