import { onTerminal, printJson, printResult } from '../support/terminal.js'

/**
 * Where a service account works.
 *
 * @param {{ organization_id: string, workspace_id: string | null, project_id: string | null }} account
 */
function areaOf({ organization_id, workspace_id, project_id }) {
  if (project_id !== null) return `project ${project_id} of the workspace ${workspace_id}`
  return workspace_id === null ? `all workspaces of the organization ${organization_id}` : `workspace ${workspace_id}`
}

/** @param {import('../main.js').Invocation} invocation */
export async function run({ json, api, url }) {
  const client = await api()
  const me = await client.ask('GET', '/users/me', { answer: { name: '' } })
  if (json) return void printJson({ ...me, url, token_from: client.credentials.source })
  const who =
    me.type === 'service_account'
      ? [`${me.name}, a service account: ${me.scopes.join(', ')}`, `in  ${areaOf(me)}`]
      : [`${me.name} <${me.email}>`]
  printResult([...who.map(onTerminal), `at  ${url}`, `by  ${client.credentials.source}`].join('\n'))
}
