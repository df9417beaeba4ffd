/** Runs the command line as a process, on Bun and on Node, and stands between it and the service. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Process } from '../support/signalbox.ts'

const root = join(import.meta.dir, '../..')
const PROGRAM = join(root, 'cli/signalbox.js')

/** Both runtimes; Bun alone where there is no Node. */
export const RUNTIMES: [name: string, path: string][] = [
  ['Bun', process.execPath],
  ...(Bun.which('node') ? [['Node', Bun.which('node') as string] as [string, string]] : []),
]

export interface Ran {
  code: number
  stdout: string
  stderr: string
}

export interface Call {
  runtime?: string
  environment?: Record<string, string>
  stdin?: string
}

/** A home folder without any configuration, and what runs in it. */
export class Home implements AsyncDisposable {
  #processes: Process[] = []
  private constructor(readonly path: string) {}

  static make = async (): Promise<Home> => new Home(await mkdtemp(join(tmpdir(), 'signalbox-cli-')))

  get configFile(): string {
    return join(this.path, 'config/signalbox/config.json')
  }

  #environment = (own: Record<string, string> = {}): Record<string, string> => ({
    PATH: process.env.PATH ?? '',
    HOME: this.path,
    XDG_CONFIG_HOME: join(this.path, 'config'),
    ...own,
  })

  /** Runs a command until it ends. */
  async run(args: string[], { runtime = process.execPath, environment, stdin = '' }: Call = {}): Promise<Ran> {
    const child = Bun.spawn([runtime, PROGRAM, ...args], {
      env: this.#environment(environment),
      cwd: this.path,
      stdin: Buffer.from(stdin),
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [stdout, stderr, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    return { code, stdout, stderr }
  }

  /** Starts a command that goes on. */
  start(args: string[], { runtime = process.execPath, environment }: Call = {}): Process {
    const started = new Process([PROGRAM, ...args], this.#environment(environment), runtime)
    this.#processes.push(started)
    return started
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const each of this.#processes) each.kill('SIGKILL')
    await Promise.all(this.#processes.map(({ exited }) => exited))
    await rm(this.path, { recursive: true, force: true })
  }
}

/** What a gateway does with a request: a response of its own, or what happens before and after the service answers. */
interface Turn {
  instead?: Response | undefined
  /** What the client gets although the service has answered. */
  lost?: Response | undefined
  before?: () => unknown
  after?: () => unknown
}

interface Details {
  url: string
  headers: Headers
  form: URLSearchParams
}

/** Stands between the command line and the service. */
export class Gateway implements AsyncDisposable {
  readonly requests: string[] = []
  /** What happens to a request, such as `POST /api/v1/…/claim`; tests replace it. */
  turn: (request: string, number: number, details: Details) => Turn = () => ({})
  readonly #server: Bun.Server<undefined>

  constructor(target: string) {
    this.#server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      idleTimeout: 120,
      fetch: async (request) => {
        const { pathname, search } = new URL(request.url)
        const name = `${request.method} ${pathname.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')}`
        this.requests.push(name)
        const { method, headers, signal, url } = request
        const body = method === 'GET' ? undefined : await request.text()
        const details = { url, headers, form: new URLSearchParams(body ?? '') }
        const { instead, before, after, lost } = this.turn(name, this.requests.length, details)
        await before?.()
        if (instead) return instead
        const response = await fetch(`${target}${pathname}${search}`, { method, headers, body, signal, redirect: 'manual' })
        const bytes = await response.arrayBuffer()
        await after?.()
        if (lost) return lost
        const kept = new Headers(response.headers)
        for (const each of ['content-encoding', 'content-length', 'transfer-encoding']) kept.delete(each)
        return new Response(response.status === 304 || response.status === 204 ? null : bytes, {
          status: response.status,
          headers: kept,
        })
      },
    })
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true)
  }
}

/** Answers that are not those of Signalbox: to sign in first, nothing, pages, and JSON of something else. */
export const STRANGERS: [name: string, answer: () => Response][] = [
  ['a redirect', () => new Response(null, { status: 302, headers: { Location: 'https://sign-in.example.com/' } })],
  ['204', () => new Response(null, { status: 204 })],
  ['an empty body', () => new Response('')],
  ['a page', () => new Response('<h1>Welcome</h1>', { headers: { 'Content-Type': 'text/html' } })],
  ['a list', () => Response.json(['sign in'])],
  ['another object', () => Response.json({ status: 'ok', id: 1, name: null })],
  ['null', () => Response.json(null)],
  ['a page that is not found', () => new Response('404 page not found', { status: 404 })],
  ['an error of something else', () => Response.json({ code: 'Forbidden' }, { status: 403 })],
  ['a page that asks for a password', () => new Response('<h1>Sign in</h1>', { status: 401 })],
]

/** Variables that make a command one of a user without a name. Only root can become another user. */
export const NAMELESS =
  process.getuid?.() === 0
    ? {
        BUN_OPTIONS: `--preload ${join(root, 'test/support/nameless-user.mjs')}`,
        NODE_OPTIONS: `--import ${join(root, 'test/support/nameless-user.mjs')}`,
      }
    : null

/** An address at which nothing listens. */
export const NOWHERE = 'http://127.0.0.1:9'
