/** Hooks of an environment whose policy requires an approved gate, and the outcomes of their dispatches. */
import { expect } from 'bun:test'
import type { Answer } from '../support/signalbox.ts'
import type { Workbench } from './workbench.ts'

export type Body = Answer['body']

export const YES = { name: 'Yes', environment: 'production' }

export const policyOf = ({ id }: Body) => `/api/v1/projects/${id}/environments/production/policy`

/** @param open the workbench, once it is open */
export function guardedHooks(open: () => Workbench) {
  /** Changes the policy of production. */
  async function policy(project: Body, input: object): Promise<void> {
    expect((await open().admin.put(policyOf(project), input)).status).toBe(200)
  }

  /** A hook whose environment requires an approved gate. */
  async function guarded(input: object = {}) {
    const made = await open().hooked(input)
    await policy(made.project, { gate_required: true })
    return made
  }

  /** Opens gates of one execution, and approves those whose name begins with "Yes". @returns the gates */
  async function gates(execution: Body, ...inputs: object[]): Promise<Body[]> {
    const opened: Body[] = []
    for (const input of inputs) opened.push(await open().admin.make(`/api/v1/executions/${execution.id}/gates`, input))
    for (const gate of opened) if (gate.name.startsWith('Yes')) await open().admin.make(`/api/v1/gates/${gate.id}/approve`, {})
    return opened
  }

  /** Waits until nothing is to be done but what paused hooks keep. */
  const settled = (): Promise<void> =>
    open().box.until('nothing waits but for paused hooks', async () => {
      const [{ idle }] = await open().box.sql<[{ idle: boolean }]>`
        select not exists (select 1 from waiting_events)
          and not exists (select 1 from deliveries where cancel_requested)
          and not exists (
            select 1
            from dispatches as dispatch
            join deployment_hooks as hook on hook.id = dispatch.hook_id and hook.organization_id = dispatch.organization_id
            where dispatch.status = 'pending'
              and not hook.paused
          ) as idle
      `
      return idle
    })

  /** The outcome of each dispatch of a hook, oldest first: its status, or the code of its error. */
  async function outcomes(hook: Body): Promise<string[]> {
    await settled()
    const { items } = await open().listed(hook)
    return items.map(({ status, error }: Body) => error?.code ?? status).reverse()
  }

  return { policy, guarded, gates, settled, outcomes }
}
