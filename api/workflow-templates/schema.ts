import { Shape, type Static, Type } from '../../core/values/schema.ts'

const MAX_BYTES = 262_144

const Text = Type.String({
  minLength: 1,
  description: 'The text of a workflow definition file. Stored as it is, without parsing. At most 256 KiB.',
  examples: ['version: 1\nsteps:\n  build: { agent: claude-code }\n'],
})

export const WorkflowTemplateInput = Shape({
  template: Type.Refine(
    Text,
    (text) => Buffer.byteLength(text) <= MAX_BYTES,
    () => 'must not be larger than 262144 bytes',
  ),
})
export type WorkflowTemplateInput = Static<typeof WorkflowTemplateInput>

export const WorkflowTemplate = Shape({ template: Text }, { title: 'WorkflowTemplate' })
export type WorkflowTemplate = Static<typeof WorkflowTemplate>
