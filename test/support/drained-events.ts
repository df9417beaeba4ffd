/** When events were drained: the product does not keep it. */
import type { Sql } from '../../sql/index.ts'

/** Records the events that are drained from now on in the table `drained_events`; those of one drain have one time. */
export async function recordDrainedEvents(sql: Sql): Promise<void> {
  await sql`create table drained_events (id uuid, organization_id uuid, at timestamptz default now())`.simple()
  await sql`
    create function record_drained_events() returns trigger
      language plpgsql
      as $$
        begin
          insert into drained_events (id, organization_id) select id, organization_id from gone;
          return null;
        end
      $$;

    create trigger record_drained_events after delete on waiting_events
      referencing old table as gone
      for each statement execute function record_drained_events();
  `.simple()
}
