/**
 * Syncs the application ARGOCD_APPLICATION at ARGOCD_SERVER, such as https://argocd.example.com, with the token of an
 * account that may sync it in ARGOCD_TOKEN. A rollback syncs the target version, which must be a revision of the
 * application's source; this needs the `override` action, and automated sync turned off, because it would undo the rollback.
 * https://argo-cd.readthedocs.io/en/stable/developer-guide/api-docs/
 */
import { send, serve, setting, variables } from './receiver.mjs'

const [server, token] = [setting('ARGOCD_SERVER').replace(/\/$/, ''), setting('ARGOCD_TOKEN')]
const application = encodeURIComponent(setting('ARGOCD_APPLICATION'))

serve((event) => {
  const { target_version: revision } = event.event === 'deployment.rollback' ? event.data : {}
  const infos = Object.entries(variables(event)).map(([name, value]) => ({ name, value }))
  return send(`${server}/api/v1/applications/${application}/sync`, {
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ infos, ...(revision && { revision }) }),
  })
})
