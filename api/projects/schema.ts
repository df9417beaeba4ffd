import { VERSION_SCHEMES } from '../../core/deliverables.ts'
import { canonicalAddress } from '../../core/values/email-addresses.ts'
import {
  ActorShape,
  Instant,
  isWebUrl,
  Maybe,
  Name,
  Nullable,
  OneOf,
  Shape,
  type Static,
  Text,
  Type,
  Uuid,
  WebUrl,
} from '../../core/values/schema.ts'

const Support = Type.Refine(
  Name(200, {
    description: 'Where users of the project get help: an http(s) URL or an e-mail address. Documents name it.',
    examples: ['https://help.example.com/'],
  }),
  (text) => isWebUrl(text) || canonicalAddress(text) !== null,
  () => 'must be an http or https URL, or an e-mail address',
)

const VersionScheme = OneOf(VERSION_SCHEMES, {
  description:
    'How the releases in changelogs are named. `numbered`: 1, 2, 3. `calver`: the date of publication, such as `2026.11.22`; a second one on that day is `2026.11.22.2`. `semver`: from 0.1.0; from 1.0.0 on a `removal` raises the first number, before that the second; a `feature`, `change` or `deprecation` raises the second, anything else the third.',
  examples: ['semver'],
})

export const ProjectInput = Shape({
  name: Name(200, { examples: ['Checkout'] }),
  description: Maybe(Nullable(Text(10_000))),
  repository_url: Maybe(Nullable(WebUrl())),
  support: Maybe(Nullable(Support)),
  version_scheme: Maybe(VersionScheme),
})
export type ProjectInput = Static<typeof ProjectInput>

export const ProjectUpdate = Shape({
  name: Maybe(Name(200)),
  description: Maybe(Nullable(Text(10_000))),
  repository_url: Maybe(Nullable(WebUrl())),
  support: Maybe(Nullable(Support)),
  version_scheme: Maybe(VersionScheme),
})
export type ProjectUpdate = Static<typeof ProjectUpdate>

export const Project = Shape(
  {
    id: Uuid,
    organization_id: Uuid,
    workspace_id: Uuid,
    name: Type.String(),
    description: Nullable(Type.String()),
    repository_url: Nullable(Type.String()),
    support: Nullable(Type.String({ description: 'A URL or an e-mail address.' })),
    version_scheme: VersionScheme,
    created_by: Uuid,
    actor: ActorShape,
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Project' },
)
export type Project = Static<typeof Project>
