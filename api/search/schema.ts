import { Maybe, Nullable, OneOf, Shape, type Static, Type, Uuid } from '../../core/values/schema.ts'

/** What can be found, in the order in which equally good results are listed. */
export const FOUND_TYPES = ['organization', 'project', 'requirement', 'gate', 'deployment_hook'] as const
export type FoundType = (typeof FOUND_TYPES)[number]

export const SearchQuery = Shape({
  q: Type.String({
    maxLength: 200,
    default: '',
    description:
      'Words, or their beginnings; all of them must occur; without any, nothing is found. `12` and `#12` also find requirements by their number.',
    examples: ['check inv'],
  }),
  type: Maybe(OneOf(FOUND_TYPES, { description: 'Only results of this type.' })),
  limit: Type.Integer({ minimum: 1, maximum: 50, default: 10, description: 'Maximum number of results of each type.' }),
})
export type SearchQuery = Static<typeof SearchQuery>

export const SearchResult = Shape(
  {
    type: OneOf(FOUND_TYPES),
    id: Uuid,
    name: Type.String({ description: 'The name or, of a requirement, the title.', examples: ['Pay by invoice'] }),
    number: Nullable(Type.Integer({ description: 'Of a requirement.', examples: [12] })),
    status: Nullable(
      Type.String({ description: 'Of a requirement or gate. Of a hook: `enabled`, `paused` or `disabled`.', examples: ['open'] }),
    ),
    organization_id: Uuid,
    organization_name: Type.String({ examples: ['Acme Robotics'] }),
    workspace_id: Nullable(Uuid),
    workspace_name: Nullable(Type.String({ examples: ['Web shop'] })),
    project_id: Nullable(Uuid),
    project_name: Nullable(Type.String({ examples: ['Checkout'] })),
    url: Type.String({
      description: 'Its page.',
      examples: ['https://signalbox.example.com/app/requirements/019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d'],
    }),
  },
  { title: 'SearchResult' },
)
export type SearchResult = Static<typeof SearchResult>
