/**
 * Queues a build of the parameterized job JENKINS_JOB (in folders: deploy/checkout) at JENKINS_URL, as JENKINS_USER with an
 * API token in JENKINS_TOKEN; requests with a token need no crumb. The job must declare the parameters that it reads.
 * https://www.jenkins.io/doc/book/using/remote-access-api/
 */
import { send, serve, setting, variables } from './receiver.mjs'

const [url, job] = [setting('JENKINS_URL').replace(/\/$/, ''), setting('JENKINS_JOB')]
const [user, token] = [setting('JENKINS_USER'), setting('JENKINS_TOKEN')]
const path = job.split('/').map((part) => `/job/${encodeURIComponent(part)}`)

serve((event) =>
  send(`${url}${path.join('')}/buildWithParameters`, {
    headers: {
      Authorization: `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`,
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(variables(event)).toString(),
  }),
)
