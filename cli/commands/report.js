import { apiClient } from '../support/api.js'
import { variable } from '../support/config.js'
import { digestOf } from '../support/digest.js'
import { printJson, printResult } from '../support/terminal.js'

/**
 * The client of a command that an agent runs: with the token for the report of this dispatch, unless there is another one.
 *
 * @param {string} dispatch
 */
function reportingClient(dispatch) {
  const [reportUrl, token] = [variable('SIGNALBOX_REPORT_URL'), variable('SIGNALBOX_REPORT_TOKEN')]
  const path = `/api/v1/dispatches/${dispatch}/report`
  if (variable('SIGNALBOX_TOKEN') !== '' || token === '' || !reportUrl.endsWith(path)) return null
  const source = 'SIGNALBOX_REPORT_TOKEN'
  const credentials = { token: async () => token, renew: async () => false, source, next: 'It is good for this dispatch alone.' }
  return apiClient(reportUrl.slice(0, -path.length), credentials)
}

/** @param {import('../main.js').Invocation} invocation */
export async function run({ options, args: [id = ''], json, api }) {
  const { state, version, digest, link, description } = options
  const body = {
    state,
    ...(version && { version }),
    ...(digest && { digest: digestOf(digest) }),
    ...(link && { url: link }),
    ...(description && { description }),
  }
  const client = reportingClient(id) ?? (await api())
  const dispatch = await client.ask('POST', `/dispatches/${encodeURIComponent(id)}/report`, {
    body,
    answer: { rollout: { state: '' } },
  })
  if (json) printJson(dispatch)
  else printResult(dispatch.rollout.state)
}
