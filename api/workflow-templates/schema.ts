import { Shape, type Static, Type } from '../../core/values/schema.ts'

const MAX_BYTES = 262_144

const Text = Type.String({
  minLength: 1,
  description: 'Text of a workflow definition file: kept as it is, not parsed. At most 256 KiB.',
  examples: ['version: 1\nsteps:\n  build: { agent: claude-code }\n'],
})

export const WorkflowTemplateInput = Shape({
  template: Type.Refine(
    Text,
    (text) => Buffer.byteLength(text) <= MAX_BYTES,
    () => 'must have at most 262144 bytes',
  ),
})
export type WorkflowTemplateInput = Static<typeof WorkflowTemplateInput>

export const WorkflowTemplate = Shape({ template: Text }, { title: 'WorkflowTemplate' })
export type WorkflowTemplate = Static<typeof WorkflowTemplate>
