/**
 * Creates a build of BUILDKITE_PIPELINE in BUILDKITE_ORGANIZATION on BUILDKITE_BRANCH; BUILDKITE_TOKEN needs the scope
 * write_builds. Steps get the event in their environment.
 * https://buildkite.com/docs/apis/rest-api/builds#create-a-build
 */
import { send, serve, setting, variables } from './receiver.mjs'

const api = setting('BUILDKITE_API_URL', 'https://api.buildkite.com')
const [organization, pipeline] = [setting('BUILDKITE_ORGANIZATION'), setting('BUILDKITE_PIPELINE')].map(encodeURIComponent)
const [token, branch] = [setting('BUILDKITE_TOKEN'), setting('BUILDKITE_BRANCH', 'main')]

serve((event) =>
  send(`${api}/v2/organizations/${organization}/pipelines/${pipeline}/builds`, {
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      commit: 'HEAD',
      branch,
      message: `${event.event} for ${event.environment} (#${event.sequence})`,
      env: variables(event),
    }),
  }),
)
