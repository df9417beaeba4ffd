/** Dispatches per second of hooks with a body template or a filter, against hooks without. */
import { medians } from './figures.ts'
import { createHooks, dispatchesIn, floodFromEvents, HOOKS, roundsIn, startReceiver } from './flood.ts'
import type { Part } from './part.ts'
import { settle } from './stage.ts'

/** About as large as the envelope. */
const TEMPLATE = {
  event_type: 'signalbox',
  client_payload: {
    event: '{{/event}}',
    environment: '{{/environment}}',
    title: 'Gate {{/data/gate/name}} of {{/project/name}} (#{{/sequence}})',
    gate: '{{/data/gate}}',
    organization: '{{/organization}}',
    project: '{{/project}}',
  },
}

const SECRET = { body_template: { ...TEMPLATE, token: '{{secret:token}}' }, template_secrets: { token: 'glptt-0f1e2d3c' } }

const FILTER = {
  '/environment': 'production',
  '/data/gate/name': { starts_with: 'Release' },
  '/data/gate/status': { not: 'rejected' },
}

export const templates: Part = {
  name: 'templates',
  describe: (quick) =>
    `templates   ${dispatchesIn(quick).toLocaleString('en')} events to ${HOOKS} hooks, from their commit to the record of the last dispatch; median of ${roundsIn(quick)}, in turns. The hooks have a body template of six placeholders, the same with a secret, or a filter of three conditions that lets every event pass.`,
  async run(stage, quick) {
    await using receiver = await startReceiver(stage.environment)
    const measured = async (more: object) => {
      const target = await createHooks(stage, receiver.url, HOOKS, more)
      return async (isWarmUp: boolean) => {
        await settle(stage.sql)
        return await floodFromEvents(stage, receiver, target, dispatchesIn(quick) / (isWarmUp ? 10 : 1))
      }
    }
    const { plain, template, secret, filter } = await medians(roundsIn(quick), {
      plain: await measured({}),
      template: await measured({ body_template: TEMPLATE }),
      secret: await measured(SECRET),
      filter: await measured({ filter: FILTER }),
    })
    return [
      { name: 'dispatches with a body template, to without', value: template, unit: '/s', baseline: plain },
      { name: 'dispatches with a secret in the body, to without', value: secret, unit: '/s', baseline: plain },
      { name: 'dispatches with a filter, to without', value: filter, unit: '/s', baseline: plain },
    ]
  },
}
