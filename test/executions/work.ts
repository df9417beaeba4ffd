/** The fixture of tests of executions: a project with a requirement, whose executions they queue, start and end. */
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'

type Body = Answer['body']

export class Work {
  private constructor(
    readonly box: Box,
    readonly ada: Actor,
    readonly site: Site,
    readonly requirement: Body,
  ) {}

  static async begin(): Promise<Work> {
    const box = await signalbox({ workers: 0 })
    const ada = await box.user('Ada')
    const site = await box.site(ada)
    const requirement = await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Pay by invoice' })
    return new Work(box, ada, site, requirement)
  }

  queue(input: object = {}, of: string = this.requirement.id): Promise<Body> {
    return this.ada.make(`/api/v1/requirements/${of}/executions`, { agent: 'claude-code', ...input })
  }

  act(id: string, action: string, body?: object): Promise<Answer> {
    return this.ada.post(`/api/v1/executions/${id}/${action}`, body)
  }

  /** The names of the events of a project, in order. */
  async events(project_id: string): Promise<string[]> {
    const events = await this.box.sql<{ name: string }[]>`select name from outbox where project_id = ${project_id} order by id`
    return events.map(({ name }) => name)
  }
}
