-- The work of agents: what models cost, with prices and limits per execution and agent, and its outcomes.

alter table executions
  -- Which completion of its workflow an execution belongs to, so that what was approved for one completion is not taken for the next: the
  -- first event `workflow.completed` after it ended; null before.
  add column completion_id uuid,
  -- What adds to cost_usd: the amounts that are reported, or the usage of models.
  add column cost_from text not null default 'reports' check (cost_from in ('reports', 'telemetry')),
  add column max_cost_usd numeric(19, 6),
  -- With `telemetry`: the amounts that were reported and did not add to cost_usd.
  add column reported_cost_usd numeric(19, 6),
  -- How many of its usage records have no cost, because no price was known.
  add column unpriced integer not null default 0,
  -- When `execution.over_budget` was emitted.
  add column over_budget_at timestamptz(3),
  -- As the domain `usd`, which would rewrite the table.
  add constraint usd_range check (max_cost_usd between 0 and 1e12 and reported_cost_usd between 0 and 1e12);

-- Neither what completes a workflow, after the execution has ended, nor the event about its cost, after a change of it, changes its
-- entity tag.
drop trigger executions_touch on executions;
create trigger executions_touch before update on executions
  for each row
  when (
    old.completion_id is not distinct from new.completion_id
    and old.over_budget_at is not distinct from new.over_budget_at
  )
  execute function touch();

-- One row is one use of a model by an execution, or an amount that was reported for it. The row stays as long as its execution, so that
-- the same usage never counts twice.
create table usage_records (
  organization_id     uuid not null,
  execution_id        uuid not null,
  -- Derived from what identifies the usage (a span, a request, a key of the client); the same usage has the same id.
  id                  uuid not null,
  -- Of an event: the id that the usage of its span has. Both may arrive, and one counts.
  span_usage_id       uuid,
  source              text not null check (source in ('reports', 'telemetry')),
  -- Null: an amount without a model.
  model               text check (length(model) between 1 and 200),
  -- Includes what was read from and written to the cache.
  input_tokens        integer not null check (input_tokens >= 0),
  cached_input_tokens integer not null check (cached_input_tokens >= 0),
  cache_write_tokens  integer not null check (cache_write_tokens >= 0),
  -- Includes reasoning.
  output_tokens       integer not null check (output_tokens >= 0),
  reasoning_tokens    integer not null check (reasoning_tokens >= 0),
  -- Null: no price was known.
  cost_usd            usd,
  -- By the clock of the client, and never in the future. The price is the one of this time.
  used_at             timestamptz(3) not null,
  created_at          timestamptz(3) not null default now(),
  primary key (organization_id, execution_id, id),
  constraint usage_records_execution foreign key (execution_id, organization_id)
    references executions (id, organization_id) on delete cascade
);

-- "Did an event count this span?"
create index usage_records_span on usage_records (organization_id, execution_id, span_usage_id) where span_usage_id is not null;

-- One row is what an execution used of one model, from one source: the sums of its usage records.
create table execution_usage (
  organization_id     uuid not null,
  execution_id        uuid not null,
  source              text not null check (source in ('reports', 'telemetry')),
  model               text not null,
  input_tokens        bigint not null,
  cached_input_tokens bigint not null,
  cache_write_tokens  bigint not null,
  output_tokens       bigint not null,
  reasoning_tokens    bigint not null,
  -- The sum of the records that have a cost; null if none has.
  cost_usd            usd,
  primary key (organization_id, execution_id, source, model),
  constraint execution_usage_execution foreign key (execution_id, organization_id)
    references executions (id, organization_id) on delete cascade
);

-- One row is the part of a row of `agent_spend` that is known to be for one model. What is left has no model.
create table model_spend (
  organization_id uuid not null references organizations on delete cascade,
  month           date not null check (extract(day from month) = 1),
  workspace_id    uuid not null,
  project_id      uuid not null,
  agent           text not null,
  model           text not null,
  used_usd        usd not null default 0,
  primary key (organization_id, month, workspace_id, project_id, agent, model)
);

-- What an execution used, by model. A function, because it is used behind `returning`. Executions use a few models, but their names are what
-- clients send: 100 are shown.
create function usage_of(of_execution uuid, in_organization uuid) returns jsonb
  language plpgsql stable
  as $$
    begin
      return (
        select coalesce(jsonb_agg(to_jsonb(used) order by used.cost_usd desc nulls last, used.model, used.source), '[]')
        from (
          select
            model, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens,
            tally.cost_usd, tally.source
          from execution_usage as tally
          where tally.organization_id = in_organization
            and tally.execution_id = of_execution
          order by tally.cost_usd desc nulls last, tally.model, tally.source
          limit 100
        ) as used
      );
    end
  $$;

-- One row is the price of a model from a moment on, in USD per million tokens.
create table model_prices (
  organization_id uuid not null references organizations on delete cascade,
  -- The name of a model, or the beginning of names and `*`.
  model           text not null check (length(model) between 1 and 200),
  valid_from      timestamptz(3) not null,
  input           usd not null,
  -- Null: as input.
  cached_input    usd,
  cache_write     usd,
  output          usd not null,
  primary key (organization_id, model, valid_from)
);

-- One row is what an agent may spend in a calendar month (UTC) in all projects of the organization.
create table agent_limits (
  organization_id uuid not null references organizations on delete cascade,
  agent           text not null check (length(agent) between 1 and 120),
  max_cost_usd    usd not null,
  primary key (organization_id, agent)
);

-- "What has this agent spent this month?", asked for agents that have a limit.
create index agent_spend_agent on agent_spend (organization_id, agent, month);

-- One row is what agents have sent in a project: calls of tools, or telemetry; when first, and when last, to the minute.
create table agent_activity (
  project_id      uuid not null,
  organization_id uuid not null,
  kind            text not null check (kind in ('call', 'telemetry')),
  first_at        timestamptz(3) not null default now(),
  last_at         timestamptz(3) not null default now(),
  primary key (project_id, organization_id, kind),
  constraint agent_activity_project foreign key (project_id, organization_id)
    references projects (id, organization_id) on delete cascade
);

-- Reports on agents.

-- The executions of an organization in a span of time. It has a condition, which is always true, so that PostgreSQL does not use it to find
-- one execution while the table is small, with a plan that is kept when it has grown.
create index executions_organization on executions (organization_id, created_at) where created_at is not null;

-- Its gates that people decided, since a time.
create index gates_judged on gates (organization_id, decided_at) where status in ('approved', 'rejected', 'changes_requested');

-- Its requirements that are done.
create index requirements_done on requirements (organization_id, id) where status = 'done';

-- Its comparisons that were decided for one of the tracks.
create index dual_track_comparisons_won on dual_track_comparisons (organization_id, created_at) where winner in ('a', 'b');

-- The rollouts of an organization that have ended, since a time.
create index rollouts_ended on rollouts (organization_id, reported_at) where state in ('succeeded', 'failed');
