/** Gates with a subject, and what is known of their attestations. */
import { createPublicKey, verify } from 'node:crypto'
import { Committee } from '../gates/committee.ts'
import { type Authenticator, registerPasskey } from '../support/authenticator.ts'
import type { Actor, Answer, Site } from '../support/signalbox.ts'

type Body = Answer['body']

let commits = 0

/** The id of a commit that no other test uses. */
export const newCommit = (): string => (++commits).toString(16).padStart(40, '0')

export const gitSubject = (gitCommit: string, more: object = {}) => ({
  uri: 'git+https://git.example.com/acme/checkout',
  digest: { gitCommit },
  ...more,
})

/** The bytes that DSSE signs, as https://github.com/secure-systems-lab/dsse/blob/master/protocol.md says. */
export const preAuthentication = (type: string, payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `), payload])

export const statementIn = ({ payload }: Body): Body => JSON.parse(Buffer.from(payload, 'base64').toString())

/** Whether a public key verifies an envelope. */
export function verifies({ payloadType, payload, signatures }: Body, public_key_pem: string): boolean {
  const signed = preAuthentication(payloadType, Buffer.from(payload, 'base64'))
  return verify('sha256', signed, createPublicKey(public_key_pem), Buffer.from(signatures[0].sig, 'base64'))
}

export class Approvals {
  private readonly passkeys = new Map<Actor, Authenticator>()

  private constructor(
    readonly committee: Committee,
    readonly site: Site,
  ) {}

  static async begin(options: { workers?: number; environment?: Record<string, string> } = {}): Promise<Approvals> {
    const committee = await Committee.meet({ workers: 1, ...options })
    return new Approvals(committee, committee.site)
  }

  get box() {
    return this.committee.box
  }

  get publicUrl(): string {
    return this.box.base.replace('127.0.0.1', 'localhost')
  }

  get ada() {
    return this.committee.ada
  }

  /** Opens a gate in a project, for production. */
  open(input: object = {}, by: Actor = this.committee.member, project_id: string = this.site.project.id): Promise<Body> {
    return by.make(`/api/v1/projects/${project_id}/gates`, {
      name: `Release ${commits}`,
      environment: 'production',
      subject: gitSubject(newCommit()),
      ...input,
    })
  }

  async approve({ id, binding }: Body, by: Actor = this.ada, body: object = {}): Promise<Body> {
    return by.make(`/api/v1/gates/${id}/approve`, { binding, ...body })
  }

  async approveWithPasskey(gate: Body, by: Actor = this.ada): Promise<Body> {
    const passkey = this.passkeys.get(by) ?? (await registerPasskey(this.box, by))
    this.passkeys.set(by, passkey)
    const options = await by.make(`/api/v1/gates/${gate.id}/challenge`, { decision: 'approve' })
    return this.approve(gate, by, { assertion: await passkey.get(options) })
  }

  /** Opens and approves a gate. */
  async approved(input: object = {}): Promise<Body> {
    return this.approve(await this.open(input))
  }

  /** The attestation of a gate, once it is signed. */
  async attestation({ id }: Body): Promise<Body> {
    let found: Answer | undefined
    await this.box.until('the attestation is signed', async () => {
      found = await this.ada.get(`/api/v1/gates/${id}/attestation`)
      return found.status === 200
    })
    return found?.body
  }

  async keys(): Promise<Body[]> {
    return (await this.ada.get(`/api/v1/organizations/${this.site.organization.id}/signing-keys`)).body
  }

  rotate(by: Actor = this.ada): Promise<Answer> {
    return by.post(`/api/v1/organizations/${this.site.organization.id}/signing-keys/rotate`)
  }

  async verdict(digest: string, environment = 'production', by: Actor = this.committee.member): Promise<Body> {
    const { status, body } = await by.post(`/api/v1/projects/${this.site.project.id}/verify`, { environment, digest })
    if (status !== 200) throw new Error(`verify answered ${status}: ${JSON.stringify(body)}`)
    return body
  }

  verdictOf({ subject: { digest } }: Body, environment?: string): Promise<Body> {
    const [[algorithm, hex] = []] = Object.entries(digest)
    return this.verdict(`${algorithm}:${hex}`, environment)
  }

  /** The sealed entries of an action about a resource. */
  async entriesOf(action: string, resource_id: string): Promise<Body[]> {
    const { body } = await this.ada.get(
      `/api/v1/organizations/${this.site.organization.id}/audit-logs?action=${action}&page_size=100`,
    )
    return body.items.filter((entry: Body) => entry.resource_id === resource_id)
  }

  close(): Promise<void> {
    return this.committee.close()
  }
}
