/** Changes a trust of a service account. */
import { sql } from '../../core/platform/database.ts'
import { Shape, Text } from '../../core/values/schema.ts'
import { Form, Submit } from '../pages/components/forms.tsx'
import { action, page, pageRoutes } from '../pages/page.tsx'
import { notFound } from '../problems.ts'
import { claimLines, claimsIn, TrustFields } from './fields.tsx'
import { TrustInput } from './schema.ts'
import { listTrusts, MAX_TRUSTS, updateTrust } from './trusts.ts'

const editPage = page(
  '/app/service-accounts/:service_account_id/trusts/:trust_id',
  { service_account: 'admin' },
  async ({ service_account, params }) => {
    const trusts = await listTrusts(sql, service_account, { limit: MAX_TRUSTS, after: null })
    const trust = trusts.find(({ id }) => id === params.trust_id?.toLowerCase())
    if (!trust) throw notFound('trust')
    const path = `/app/service-accounts/${service_account.id}/trusts`
    return {
      title: 'Edit the trust',
      crumbs: [{ href: path, text: 'Trusts' }],
      main: (
        <div class="card">
          <Form action={`${path}/${trust.id}`} updated_at={trust.updated_at}>
            <TrustFields of={{ ...trust, claims: claimLines(trust.claims) }} />
            <Submit>Save</Submit>
            <p class="hint">It counts for the next sign-in. Access that was given before works until it expires.</p>
          </Form>
        </div>
      ),
    }
  },
)

const save = action(
  '/app/service-accounts/:service_account_id/trusts/:trust_id',
  { service_account: 'admin' },
  { on: editPage, body: Shape({ ...TrustInput.properties, claims: Text(20_000) }) },
  async ({ request, caller, service_account, params, change }, { claims, ...input }) => {
    const changed = { ...input, claims: claimsIn(claims) }
    await change((tx) => updateTrust(tx, caller, service_account, params.trust_id ?? '', changed, request))
    return { to: `/app/service-accounts/${service_account.id}/trusts`, notice: 'The trust was saved.' }
  },
)

export const trustEditPages = pageRoutes('trust-edit-pages', editPage, save)
