/** A site with three admins and a member, and what they do with gates. */

import { moveExpiry } from '../support/fixed-gates.ts'
import { Actor, type Answer, type Box, PASSWORD, type Site, signalbox } from '../support/signalbox.ts'
import { waits } from '../support/waiting-locks.ts'

type Body = Answer['body']

/** A gate, or what identifies it. */
interface GateRef {
  id: string
}

interface ExecutionRef {
  execution_id: string
}

export const approve = (by: Actor, { id }: GateRef, body?: object) => by.post(`/api/v1/gates/${id}/approve`, body)

export const reject = (by: Actor, { id }: GateRef, body?: object) => by.post(`/api/v1/gates/${id}/reject`, body)

/** A person who calls with a personal token that can decide. */
export const byTokenOf = async (person: Actor): Promise<Actor> =>
  person.as((await person.make('/api/v1/auth/tokens', { name: 'CI', scope: 'decide' })).token)

export class Committee {
  private constructor(
    readonly box: Box,
    readonly site: Site,
    readonly ada: Actor,
    readonly grace: Actor,
    readonly mary: Actor,
    readonly member: Actor,
  ) {}

  static async meet(options: { workers: number; environment?: Record<string, string> }): Promise<Committee> {
    const box = await signalbox(options)
    const [ada, grace, mary, member] = [
      await box.user('Ada'),
      await box.user('Grace'),
      await box.user('Mary'),
      await box.user('Max'),
    ]
    const site = await box.site(ada)
    await box.join(grace, site, 'admin')
    await box.join(mary, site, 'admin')
    await box.join(member, site, 'member', 'member')
    return new Committee(box, site, ada, grace, mary, member)
  }

  /** A workspace of its own with a policy, and a project in it. */
  async withPolicy(gate_policy: object): Promise<Site> {
    const { ada, site } = this
    const workspace = await ada.make(`/api/v1/organizations/${site.organization.id}/workspaces`, { name: 'Platform' })
    const { status } = await ada.put(`/api/v1/workspaces/${workspace.id}`, { gate_policy })
    if (status !== 200) throw new Error(`The policy was refused with ${status}`)
    const project = await ada.make(`/api/v1/workspaces/${workspace.id}/projects`, { name: 'Checkout' })
    return { ...site, workspace, project }
  }

  /** Opens a gate in a new execution. */
  async opened(input: object = {}, project = this.site.project, by = this.ada): Promise<Body> {
    const execution = await this.box.running(by, project.id)
    return by.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Release review', ...input })
  }

  async gateOf({ id }: GateRef): Promise<Body> {
    return (await this.ada.get(`/api/v1/gates/${id}`)).body
  }

  async executionOf({ execution_id }: ExecutionRef): Promise<Body> {
    return (await this.ada.get(`/api/v1/executions/${execution_id}`)).body
  }

  /** The events about a gate or its execution, oldest first. */
  eventsOf(gate: ExecutionRef) {
    return this.box.sql<{ name: string; data: Body }[]>`
      select name, data
      from outbox
      where organization_id = ${this.site.organization.id}
        and ${gate.execution_id} in (data -> 'execution' ->> 'id', data -> 'gate' ->> 'execution_id')
        and name <> 'execution.started'
      order by id
    `
  }

  /** Makes a change while a request about a gate waits for its execution. @returns the response to the request */
  async whileItWaits(gate: ExecutionRef, ask: () => Promise<Answer>, change: () => Promise<unknown>): Promise<Answer> {
    const { box, site } = this
    const held = Promise.withResolvers<void>()
    const waiting = Promise.withResolvers<void>()
    const holding = box.sql.begin(async (tx) => {
      await tx`
        select from executions where id = ${gate.execution_id} and organization_id = ${site.organization.id} for update
      `
      held.resolve()
      await waiting.promise
    })
    await held.promise
    const answer = ask()
    await box.until('the request waits', () => waits(box.sql, '%from executions%for no key update%'))
    await change()
    waiting.resolve()
    await holding
    return answer
  }

  /** Moves the expiry of a gate into the past. */
  async passExpiry({ id }: GateRef): Promise<void> {
    await this.box.sql`update gates set created_at = now() - interval '1 day' where id = ${id}`
    await moveExpiry(this.box.sql, id, -1)
  }

  /** Waits until a worker has expired a gate. */
  expired(gate: GateRef): Promise<void> {
    return this.box.until('the gate is expired', async () => (await this.gateOf(gate)).status === 'expired')
  }

  close(): Promise<void> {
    return this.box.close()
  }
}

/** Another account of a person: they change their address, and register again with the former one. */
export async function anotherAccountOf(box: Box, person: Actor): Promise<Actor> {
  const { email, name } = person
  const moved = await person.put('/api/v1/users/me', { email: `moved.${email}`, current_password: PASSWORD })
  if (moved.status !== 200) throw new Error(`The address was not changed: ${JSON.stringify(moved.body)}`)
  const { body } = await box.request('POST', '/api/v1/auth/register', { email, name, password: PASSWORD })
  return new Actor(box, name, email, body.user.id, body.access_token, body.refresh_token)
}
