/** The page of an attestation: what was signed, by which key, and the envelope to verify it with. */
import type { ComponentChildren } from 'preact'
import { type Statement, statementIn } from '../../core/gates/attestations.ts'
import type { Gate } from '../../core/gates/gates.ts'
import { sql } from '../../core/platform/database.ts'
import { pemOf } from '../../core/security/signing-keys.ts'
import { getGate } from '../gates/gates.ts'
import { WAY_PHRASES } from '../gates/words.ts'
import { distinctNames } from '../members/namesakes.ts'
import { Empty, Facts, Section } from '../pages/components/structure.tsx'
import { Notice, State, Time } from '../pages/components/text.tsx'
import { excerptOf, Verbatim } from '../pages/components/verbatim.tsx'
import { page, pageRoutes } from '../pages/page.tsx'
import { findAttestation, type SignedAttestation } from './attestations.ts'

/** Bytes of the envelope in the page. */
const MAX_ENVELOPE = 30_000

type Signed = Statement['predicate']['signalbox']

const PROOFS: Record<string, string> = { passkey: ', proven with a passkey' }

function Approvals({ of: { approvals }, names }: { of: Signed; names: Map<string, string> }) {
  if (approvals.length === 0) return <Empty>No approval counted.</Empty>
  return (
    <ul class="list card">
      {approvals.map(({ user_id, via, proof, at }) => (
        <li>
          <strong>{names.get(user_id)}</strong> approved {WAY_PHRASES[via]}
          {proof !== null && (PROOFS[proof] ?? `, proven by ${proof}`)}, <Time at={at} exact />
        </li>
      ))}
    </ul>
  )
}

function Said({ statement: { subject, predicate }, names }: { statement: Statement; names: Map<string, string> }) {
  const { verifier, timeCreated, properties, signalbox } = predicate
  return (
    <>
      <Section title="What it says">
        <Facts
          of={[
            ...subject.flatMap(({ uri, digest, annotations }): [string, ComponentChildren][] => [
              ['Version', annotations && <bdi>{annotations.version}</bdi>],
              ...Object.entries(digest).map(([algorithm, hex]): [string, ComponentChildren] => [
                algorithm === 'gitCommit' ? 'Commit' : 'SHA-256',
                <code class="address">{hex}</code>,
              ]),
              ['From', <bdi class="address">{uri}</bdi>],
            ]),
            ['May go to', signalbox.environment === null ? 'any environment' : <bdi>{signalbox.environment}</bdi>],
            ['Approved', <Time at={timeCreated} exact="seconds" />],
            ['Verified by', <bdi class="address">{verifier.id}</bdi>],
            [
              'Properties',
              properties.map((property) => (
                <div>
                  <code>{property}</code>
                </div>
              )),
            ],
            ['Binding', <code class="address">{signalbox.binding}</code>],
            ['Audit log entry', <span class="number">{signalbox.audit.seq}</span>],
            ['Its hash', <code class="address">{signalbox.audit.hash}</code>],
          ]}
        />
      </Section>
      <Section title="Approvals that counted" count={signalbox.approvals.length}>
        <Approvals of={signalbox} names={names} />
      </Section>
    </>
  )
}

function Signature({ of, organization_id }: { of: SignedAttestation; organization_id: string }) {
  const { key_id, public_key, retired_at, created_at } = of
  return (
    <Section
      title="Signature"
      aside={
        <State of={retired_at === null ? 'enabled' : 'retired'} text={retired_at === null ? 'current key' : 'retired key'} />
      }
    >
      <Facts
        of={[
          ['Signed', <Time at={created_at} exact="seconds" />],
          ['Algorithm', 'ECDSA P-256 with SHA-256'],
          [
            'Key',
            <a href={`/app/organizations/${organization_id}/signing-keys`}>
              <code class="address">{key_id}</code>
            </a>,
          ],
        ]}
      />
      {public_key === null ? (
        <p>This key is not among the signing keys of the organization: the attestation cannot be verified.</p>
      ) : (
        <Verbatim label="Public key" excerpt={excerptOf(pemOf(public_key), MAX_ENVELOPE)} whole="GET …/signing-keys" />
      )}
    </Section>
  )
}

function Missing({ of: { attestation_url, status } }: { of: Gate }) {
  if (attestation_url !== null) return <Empty>It is being signed, which takes seconds. Load this page again.</Empty>
  return (
    <Empty>
      {status === 'approved' ? 'This gate has no subject, so there is nothing to attest.' : 'Only approved gates have one.'}
    </Empty>
  )
}

const attestationPage = page('/app/gates/:gate_id/attestation', { gate: 'member' }, async ({ gate }) => {
  const [shown, signed] = await Promise.all([getGate(sql, gate), findAttestation(sql, gate)])
  const statement = signed && statementIn(signed.envelope)
  const approvers = statement?.predicate.signalbox.approvals.map(({ user_id }) => user_id) ?? []
  const names = await distinctNames(sql, gate.organization_id, approvers)
  return {
    title: 'Attestation',
    crumbs: [{ href: `/app/gates/${gate.id}`, text: shown.name }],
    main:
      signed && statement ? (
        <>
          {shown.revoked_at !== null && (
            <Notice tone="warn">
              The approval was revoked. The attestation stays valid, because what was signed cannot be taken back: ask{' '}
              <code>verify</code> before you deploy.
            </Notice>
          )}
          <Said statement={statement} names={names} />
          <Signature of={signed} organization_id={gate.organization_id} />
          <Section title="Envelope">
            <p>
              Anyone who has the public key can verify this, without Signalbox. <a href="/docs/verify">How to verify it</a>
            </p>
            <Verbatim
              label="Envelope"
              excerpt={excerptOf(JSON.stringify(signed.envelope, null, 2), MAX_ENVELOPE)}
              whole={`GET /api/v1/gates/${gate.id}/attestation`}
            />
          </Section>
        </>
      ) : (
        <Missing of={shown} />
      ),
  }
})

export const attestationPages = pageRoutes('attestation-pages', attestationPage)
