/** Runs `listen --forward` against a service. */
import { PullWorkbench } from '../pull-hooks/workbench.ts'
import type { Receiver } from '../support/receiver.ts'
import type { Answer, Process } from '../support/signalbox.ts'
import { Home } from './support.ts'

type Body = Answer['body']

export interface Listening {
  project: Body
  receiver: Receiver
  start(...more: string[]): Process
  hooks(): Promise<Body[]>
}

export class Listeners {
  bench!: PullWorkbench
  home!: Home
  token!: string

  async open(): Promise<void> {
    this.bench = await PullWorkbench.open()
    this.home = await Home.make()
    ;({ token: this.token } = await this.bench.admin.make('/api/v1/auth/tokens', { name: 'Listener' }))
  }

  async close(): Promise<void> {
    await this.home[Symbol.asyncDispose]()
    await this.bench.close()
  }

  /** A project, a local server, and what forwards from one to the other. */
  async listening(runtime: string, url = this.bench.box.base): Promise<Listening> {
    const { bench, home, token } = this
    const project = await bench.project()
    const receiver = bench.receiver()
    const args = ['listen', '--project', project.id, '--forward', `${receiver.url}/hooks`]
    return {
      project,
      receiver,
      start: (...more) =>
        home.start([...args, ...more], { runtime, environment: { SIGNALBOX_URL: url, SIGNALBOX_TOKEN: token } }),
      hooks: async () => (await bench.admin.get(`/api/v1/projects/${project.id}/deployment-hooks`)).body,
    }
  }
}

/** Starts, and resolves with its hook. */
export async function started(
  { start, hooks }: Listening,
  ...more: string[]
): Promise<{ listener: Process; hook: Body; secret: string }> {
  const listener = start(...more)
  await listener.said('/cli.tgz" trigger')
  const secret = more.includes('--secret') ? '' : ((await listener.said('Its secret')).split(' ').at(-1) ?? '')
  const [hook] = await hooks()
  return { listener, hook, secret }
}
