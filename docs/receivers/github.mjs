/**
 * Starts workflows with `on: repository_dispatch` (types: signalbox). GITHUB_TOKEN needs write access to
 * the contents of GITHUB_REPOSITORY, such as acme/checkout.
 * https://docs.github.com/rest/repos/repos#create-a-repository-dispatch-event
 */
import { send, serve, setting, variables } from './receiver.mjs'

const api = setting('GITHUB_API_URL', 'https://api.github.com')
const [token, repository] = [setting('GITHUB_TOKEN'), setting('GITHUB_REPOSITORY')]

serve((event) =>
  send(`${api}/repos/${repository}/dispatches`, {
    headers: {
      Accept: 'application/vnd.github+json',
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'User-Agent': 'signalbox-receiver',
      'X-GitHub-Api-Version': '2022-11-28',
    },
    // GitHub accepts at most ten properties.
    body: JSON.stringify({ event_type: 'signalbox', client_payload: variables(event) }),
  }),
)
