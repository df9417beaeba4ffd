import { Elysia } from 'elysia'
import { verifyDeployment } from '../../core/clearance/verification.ts'
import { sql } from '../../core/platform/database.ts'
import { access } from '../plugins/access.ts'
import { latestFirst, listedPage } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import {
  AttestationPage,
  AttestationQuery,
  Envelope,
  getAttestation,
  listAttestations,
  Verdict,
  VerifyInput,
} from './attestations.ts'

const BY_GATE = latestFirst(({ created_at, gate_id }: { created_at: string; gate_id: string }) => [created_at, gate_id])

export const attestations = new Elysia({ name: 'attestations', prefix: '/api/v1', tags: ['Attestations'] })
  .use(access)
  .get(
    '/gates/:gate_id/attestation',
    ({ gate }) => getAttestation(sql, gate),
    operation('gate', 'member', {
      scopes: ['gates:read'],
      id: 'getGateAttestation',
      summary: 'Get the attestation of a gate',
      description: [
        'A signed statement that the gate was approved, which can be verified without this service: see [Verify before you deploy](/docs/verify). A gate with a subject gets one within seconds of its approval, and this operation answers 404 until then.',
        'The envelope is DSSE, its payload an in-toto Statement v1 with the predicate `https://in-toto.io/attestation/svr/v0.1`. `properties` says what was verified: `SIGNALBOX_APPROVED`, `SIGNALBOX_APPROVALS_<n>` (the approvals that count), `SIGNALBOX_ENVIRONMENT_<name>`, and where it is true `SIGNALBOX_NO_SELF_APPROVAL`, `SIGNALBOX_PASSKEY` (every approval that counts has one) and `SIGNALBOX_OVERRIDE`. `signalbox`, next to them, has the gate, its binding, the approvals, and the place of its `gate.approved` in the audit log.',
        'An attestation stays valid after the approval is revoked, because what was signed cannot be taken back. Deployers therefore ask `verify`.',
      ].join('\n\n'),
      responses: { 200: Envelope },
    }),
  )
  .get(
    '/projects/:project_id/attestations',
    ({ request, project, query }) => listedPage(request, query, BY_GATE, (page) => listAttestations(sql, project, page)),
    operation('project', 'member', {
      scopes: ['gates:read'],
      id: 'listAttestations',
      summary: 'List the attestations of a project',
      description: 'Newest first, of all environments.',
      query: AttestationQuery,
      responses: { 200: AttestationPage },
    }),
  )
  .post(
    '/projects/:project_id/verify',
    ({ project, body }) => verifyDeployment(sql, project, body),
    operation('project', 'member', {
      scopes: ['gates:read'],
      onlyReads: true,
      id: 'verifyDeployment',
      summary: 'Verify that something may be deployed',
      description:
        'Allowed only if a gate of the environment for exactly this digest is approved and not revoked, the rules of the gate hold as they were when it was decided (of groups, the number of approvals is counted again), its attestation verifies, and no freeze of the environment holds (a gate that was overridden passes freezes). Of several gates, the newest approved one that is not revoked decides. Everything else is denied, with the reasons. It changes nothing, and its response is never replayed: `Idempotency-Key` has no effect.',
      body: VerifyInput,
      responses: { 200: Verdict },
    }),
  )
