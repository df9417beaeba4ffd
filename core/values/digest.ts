/** What identifies content: the id of a Git commit, or a SHA-256. */
import { Form, Maybe, Nullable, Shape, type Static, Type } from './schema.ts'

export const Digest = Type.Refine(
  Shape(
    {
      gitCommit: Maybe(
        Form('^(?:[0-9a-f]{40}|[0-9a-f]{64})$', 'must be 40 or 64 hexadecimal digits in lower case', {
          description: 'The id of a Git commit.',
          examples: ['7d3f1f0b4a0f7d9d4f3a4f2f2a7c6f7e0f1d2c3b'],
        }),
      ),
      sha256: Maybe(
        Form('^[0-9a-f]{64}$', 'must be 64 hexadecimal digits in lower case', {
          description: 'The SHA-256 of an artifact, such as an OCI manifest.',
          examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
        }),
      ),
    },
    {
      description: 'What identifies the content: exactly one of `gitCommit` and `sha256`.',
      examples: [{ sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' }],
    },
  ),
  (digest) => Object.keys(digest as object).length === 1,
  () => 'must have exactly one of gitCommit and sha256',
)
export type Digest = Static<typeof Digest>

export const reportedDigestFields = {
  digest: Maybe(Type.Unsafe<Digest>({ ...Digest, description: 'What its receiver deployed. Absent unless it was reported.' })),
  approved_digest: Maybe(
    Nullable(
      Type.Unsafe<Digest>({
        ...Digest,
        description:
          'Next to `digest`: the digest of what was approved; null if that is not known. If they differ, `rollout.mismatch` was emitted.',
      }),
    ),
  ),
}
