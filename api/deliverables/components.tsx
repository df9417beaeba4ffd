/** Parts of pages that list documents, or generate one. */
import type { ComponentChildren } from 'preact'
import { FOCUSABLE, restored, type StoredElement, type StoredNode } from '../../core/markdown/markdown.tsx'
import { DELIVERABLE_TITLES, type DeliverableType } from '../../core/records/deliverables.ts'
import { Form, Select, Submit } from '../pages/components/forms.tsx'
import { type Column, Table } from '../pages/components/structure.tsx'
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

const deliverableColumns: Column<DeliverableRow>[] = [
  {
    head: 'Document',
    main: true,
    cell: ({ id, deliverable_type }) => <a href={`/app/deliverables/${id}`}>{deliverableTitle(deliverable_type)}</a>,
  },
  { head: 'Version', numeric: true, cell: ({ version }) => version },
  { head: 'State', cell: ({ status }) => <State of={status} /> },
  {
    head: 'About',
    cell: ({ requirement_id }) =>
      !requirement_id ? 'the project' : <a href={`/app/requirements/${requirement_id}`}>one requirement</a>,
  },
  { head: 'Generated', cell: ({ created_at }) => <Time at={created_at} /> },
]

export function DeliverableTable({ deliverables }: { deliverables: DeliverableRow[] }) {
  const isOfProject = deliverables.some(({ requirement_id }) => requirement_id !== undefined)
  const columns = deliverableColumns.filter(({ head }) => isOfProject || head !== 'About')
  return <Table label="Deliverables" columns={columns} rows={deliverables} />
}

/** The form that generates a document, of the project or of one of these requirements. */
export function GenerateForm({ project_id, requirements }: { project_id: string; requirements: RequirementName[] }) {
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
        hint="The project, or one of the requirements listed on this page."
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
