/** The fixture of pull hook tests: hooks whose dispatches are claimed. */
import { expect } from 'bun:test'
import { RolloutWorkbench } from '../rollouts/workbench.ts'
import type { Answer } from '../support/signalbox.ts'

type Body = Answer['body']

export interface Pulled {
  project: Body
  hook: Body
  token: string
}

export class PullWorkbench extends RolloutWorkbench {
  /** Creates a project with a pull hook and its token. */
  async pulled(input: object = {}): Promise<Pulled> {
    const project = await this.project()
    const hook = await this.admin.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
      name: 'Deploy',
      mode: 'pull',
      trigger_on: 'gate_approved',
      ...input,
    })
    return { project, hook, token: await this.newToken(hook) }
  }

  newToken = async (hook: Body): Promise<string> => (await this.ask(hook, 'pull-token')).body.token

  /** Claims with a token. */
  claimWith = (token: string, hook: Body, input: object = {}, headers: Record<string, string> = {}): Promise<Answer> =>
    this.box.request('POST', `/api/v1/deployment-hooks/${hook.id}/claim`, input, { Authorization: `Bearer ${token}`, ...headers })

  /** Claims dispatches, waiting for them if there are none. */
  async claim({ hook, token }: Pulled, input: object = {}): Promise<Body[]> {
    const { status, body } = await this.claimWith(token, hook, { wait: 20, ...input })
    expect([status, body.code]).toEqual([200, undefined])
    return body
  }

  /** Claims one dispatch. */
  async claimOne(pulled: Pulled, input: object = {}): Promise<Body> {
    const claimed = await this.claim(pulled, input)
    expect(claimed).toHaveLength(1)
    return claimed[0]
  }

  /** Acknowledges a claimed dispatch with a token. */
  acknowledge = ({ token }: Pick<Pulled, 'token'>, { dispatch, lease_until }: Body, input: object): Promise<Answer> =>
    this.box.request(
      'POST',
      `/api/v1/dispatches/${dispatch.id}/acknowledge`,
      { lease_until, ...input },
      { Authorization: `Bearer ${token}` },
    )

  /** Triggers a hook. */
  async trigger({ hook }: Pick<Pulled, 'hook'>): Promise<Body> {
    const { status, body } = await this.ask(hook, 'trigger')
    expect(status).toBe(202)
    return body
  }

  /** Ends the lease of a dispatch, as if its time had passed. */
  async runOut({ dispatch }: Body): Promise<void> {
    await this.box.sql.begin(async (tx) => {
      // Two steps: a lease cannot be replaced by another one.
      await tx`update deliveries set leased_at = null, lease_until = null where id = ${dispatch.id}`
      await tx`
        update deliveries
        set
          leased_at   = now() - interval '1 minute',
          lease_until = now() - interval '1 millisecond',
          due_at      = now() - interval '1 millisecond'
        where id = ${dispatch.id}
      `
    })
  }
}
