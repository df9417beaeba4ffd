import { onTerminal, printJson, printResult } from '../support/terminal.js'

/** @param {import('../main.js').Invocation} invocation */
export async function run({ json, api, url }) {
  const client = await api()
  const me = await client.ask('GET', '/users/me')
  if (json) return void printJson({ ...me, url, token_from: client.credentials.source })
  const who =
    me.type === 'service_account' ? `${me.name}, a service account: ${me.scopes.join(', ')}` : `${me.name} <${me.email}>`
  printResult([onTerminal(who), `at  ${url}`, `by  ${client.credentials.source}`].join('\n'))
}
