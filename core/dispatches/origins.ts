/** What a dispatch comes from, which is stored with it: its event is forgotten after some days. */
import { type Event, TRIGGERS } from '../events/catalogue.ts'

/** The gate or workflow graph that a triggering event is about. */
export const originOf = ({ name, data }: Event) => ({
  gate_id: name === TRIGGERS.gate_approved ? ((data.gate as { id?: string } | undefined)?.id ?? null) : null,
  graph_id: name === TRIGGERS.workflow_done ? ((data.graph_id as string | undefined) ?? null) : null,
})
