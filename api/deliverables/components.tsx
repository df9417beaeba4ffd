/** Parts of pages that list documents, or generate one. */
import type { ComponentChildren } from 'preact'
import { FOCUSABLE, restored, type StoredElement, type StoredNode } from '../../core/markdown/markdown.tsx'
import { DELIVERABLE_TITLES, type DeliverableType } from '../../core/records/deliverables.ts'
import { Form, Select, Submit } from '../pages/components/forms.tsx'
import { Rows } from '../pages/components/structure.tsx'
import { State, Time } from '../pages/components/text.tsx'
import type { RequirementName } from '../requirements/list.tsx'
import type { DeliverableSummary } from './schema.ts'

export function deliverableTitle(type: DeliverableType): string {
  const title = DELIVERABLE_TITLES[type]
  return title.charAt(0).toUpperCase() + title.slice(1)
}

export type DeliverableRow = Pick<DeliverableSummary, 'id' | 'deliverable_type' | 'version' | 'status' | 'created_at'> & {
  /** Absent where the page is about the requirement. */
  requirement_id?: string | null
}

const About = ({ requirement_id }: { requirement_id: string | null }) =>
  requirement_id === null ? 'the whole project' : <a href={`/app/requirements/${requirement_id}`}>one requirement</a>

export const DeliverableList = ({ of }: { of: DeliverableRow[] }) => (
  <Rows
    label="Documents"
    of={of}
    row={({ id, deliverable_type, version, status, requirement_id, created_at }) => ({
      state: <State of={status} />,
      href: `/app/deliverables/${id}`,
      what: deliverableTitle(deliverable_type),
      beside: (
        <>
          version {version}
          {requirement_id !== undefined && (
            <>
              , about <About requirement_id={requirement_id} />
            </>
          )}
        </>
      ),
      end: <Time at={created_at} exact="date" />,
    })}
  />
)

type GenerateFormProps = { project_id: string; requirements: RequirementName[]; requirement_id: string | undefined }

/** The form that generates a document, of the project or of one of these requirements. @param requirement_id what is chosen at first */
export function GenerateForm({ project_id, requirements, requirement_id }: GenerateFormProps) {
  const types = Object.keys(DELIVERABLE_TITLES) as DeliverableType[]
  return (
    <Form action={`/app/projects/${project_id}/deliverables`}>
      <Select
        name="deliverable_type"
        label="Document"
        required
        value="changelog"
        options={types.map((type) => [type, deliverableTitle(type)])}
      />
      <Select
        name="requirement_id"
        label="About"
        required
        value={requirement_id}
        hint="To choose an older requirement, start from its page."
        options={[
          ['', 'The whole project'],
          ...requirements.map(({ id, number, title }): [string, string] => [id, `#${number} ${title}`]),
        ]}
      />
      <Submit>Generate</Submit>
    </Form>
  )
}

/** Headings of a document are below the one of the page. */
const HEADINGS: Record<string, string> = { h1: 'h2', h2: 'h3', h3: 'h4', h4: 'h5', h5: 'h6' }

const hasText = (node: StoredNode): boolean =>
  typeof node === 'string' ? node.trim() !== '' : node.slice(2).some((child) => hasText(child as StoredNode))

function onPage(element: StoredElement): StoredElement | null {
  const [name, attributes, ...children] = element
  // The contents lead to other parts. Tables of names and values have no heads.
  if (name === 'nav' || (name === 'thead' && !hasText(element))) return null
  const { id, href, ...others } = attributes
  return [
    HEADINGS[name] ?? name,
    {
      ...others,
      // The page has ids of its own.
      ...(id !== undefined && { id: `document-${id}` }),
      ...(href !== undefined && { href: String(href).replace(/^#/, '#document-') }),
      ...((name === 'pre' || others.class === 'wide') && FOCUSABLE),
    },
    ...children,
  ]
}

/** @param part JSON, as the worker stored it */
export const nodesOf = (part: string): ComponentChildren[] =>
  (JSON.parse(part) as StoredNode[]).map((node) => restored(node, onPage))
