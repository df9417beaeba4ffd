-- One row is two tracks of one requirement, held against each other: each track is all executions of that requirement
-- with its graph_id. A recommendation comes from a judge, the winner from a person.
create table dual_track_comparisons (
  id               uuid primary key default uuidv7(),
  organization_id  uuid not null,
  workspace_id     uuid not null,
  project_id       uuid not null,
  work_item_id     uuid not null,
  track_a_graph_id uuid not null,
  track_b_graph_id uuid not null,
  track_a_agent    text not null check (length(track_a_agent) between 1 and 120),
  track_b_agent    text not null check (length(track_b_agent) between 1 and 120),
  status           text not null default 'created'
                     check (status in ('created', 'comparing', 'compared', 'failed', 'decided', 'cancelled')),
  result           jsonb check (jsonb_typeof(result) = 'object'),
  winner           text check (winner in ('a', 'b', 'tie')),
  decided_by       uuid,
  decided_at       timestamptz(3),
  error            text,
  -- Counts how often it was compared, so that nobody writes down what an earlier run has found.
  run              integer not null default 0,
  -- What the model has answered in this run, by the order in which it saw the tracks: a run that another worker takes
  -- over pays for no answer twice.
  model_answers    jsonb not null default '{}' check (jsonb_typeof(model_answers) = 'object'),
  -- What this run has cost so far.
  cost_usd         numeric(15, 6) not null default 0 check (cost_usd >= 0),
  -- The request that asked for this run: it joins log lines and events to it.
  request_id       text,
  created_by       uuid not null,
  created_at       timestamptz(3) not null default now(),
  updated_at       timestamptz(3) not null default now(),
  constraint dual_track_comparisons_two_tracks check (track_a_graph_id <> track_b_graph_id),
  constraint dual_track_comparisons_decided check (
    (status = 'decided') = (winner is not null)
    and (status = 'decided') = (decided_by is not null)
    and (status = 'decided') = (decided_at is not null)
  ),
  constraint dual_track_comparisons_compared check (status <> 'compared' or result is not null),
  constraint dual_track_comparisons_comparing check (status not in ('created', 'comparing') or result is null),
  constraint dual_track_comparisons_failed check (status <> 'failed' or error is not null),
  constraint dual_track_comparisons_project foreign key (project_id, workspace_id, organization_id)
    references projects (id, workspace_id, organization_id) on delete cascade,
  constraint dual_track_comparisons_work_item foreign key (work_item_id, project_id)
    references requirements (id, project_id) on delete cascade
);

-- A project's comparisons, newest first.
create index dual_track_comparisons_project on dual_track_comparisons (project_id, created_at desc, id desc);

-- A requirement that is deleted takes its comparisons with it.
create index dual_track_comparisons_work_item on dual_track_comparisons (work_item_id);

-- What the model answers on the way is no change that anybody sees: it must not turn away an `If-Match`.
create trigger dual_track_comparisons_touch
  before update of status, result, winner, decided_by, decided_at, error
  on dual_track_comparisons
  for each row execute function touch();
