/**
 * Triggers a pipeline of GITLAB_PROJECT (its id, or a path such as acme/checkout) on GITLAB_REF, with a pipeline trigger
 * token in GITLAB_TRIGGER_TOKEN. Jobs get the event in their variables.
 * https://docs.gitlab.com/api/pipeline_triggers/#trigger-a-pipeline-with-a-token
 */
import { send, serve, setting, variables } from './receiver.mjs'

const url = setting('GITLAB_URL', 'https://gitlab.com')
const [project, token, ref] = [setting('GITLAB_PROJECT'), setting('GITLAB_TRIGGER_TOKEN'), setting('GITLAB_REF', 'main')]

serve((event) => {
  const form = new URLSearchParams({ token, ref })
  for (const [name, value] of Object.entries(variables(event))) form.set(`variables[${name}]`, value)
  return send(`${url}/api/v4/projects/${encodeURIComponent(project)}/trigger/pipeline`, {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  })
})
