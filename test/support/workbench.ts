/** A box with an organization and its owner, and servers that stop with it: the common part of larger test fixtures. */
import { Receiver } from './receiver.ts'
import { type Actor, type Answer, type Box, type Options, type Site, signalbox } from './signalbox.ts'

interface Stoppable {
  stop(): Promise<unknown>
}

export class BaseWorkbench {
  readonly #servers: Stoppable[] = []

  constructor(
    readonly box: Box,
    readonly admin: Actor,
    readonly site: Site,
  ) {}

  /** Opens a workbench of the class that it is called on. */
  static async open<Bench extends BaseWorkbench>(
    this: new (
      box: Box,
      admin: Actor,
      site: Site,
    ) => Bench,
    options?: Options,
  ): Promise<Bench> {
    const box = await signalbox(options)
    const admin = await box.user('Ada Lovelace')
    return new this(box, admin, await box.site(admin))
  }

  async close(): Promise<void> {
    await this.box.close()
    await Promise.all(this.#servers.map((server) => server.stop()))
  }

  /** Stops a server when the workbench is closed. */
  with<Server extends Stoppable>(server: Server): Server {
    this.#servers.push(server)
    return server
  }

  receiver(receiver = new Receiver()): Receiver {
    return this.with(receiver)
  }

  /** Creates a project, so that events of one test do not reach the receivers of another. */
  project(name = 'Checkout'): Promise<Answer['body']> {
    return this.admin.make(`/api/v1/workspaces/${this.site.workspace.id}/projects`, { name })
  }
}
