-- Made from core/dispatches/approval.ts by `bun run generate`: the question of the API, for operators.
create or replace function ops.refusal_of(work_id uuid) returns text
  language plpgsql stable
  set search_path = pg_catalog, public, pg_temp
  as $$
    declare
      tenant uuid := (select organization_id from dispatches where dispatches.id = work_id);
    begin
      return (
        select
          case
          when exists (
          select from gates as gate
          where gate.id = dispatch.gate_id
          and gate.organization_id = dispatch.organization_id
          and gate.revoked_at is not null
          ) then 'approval_revoked'::text
          when
          exists (
          select from environment_policies as policy
          where policy.project_id = hook.project_id
          and policy.environment = hook.environment
          and policy.organization_id = hook.organization_id
          and policy.gate_required
          )
          and
          case
          when dispatch.event = 'gate.approved' then
          not exists (
          select from gates as gate
          where gate.id = dispatch.gate_id
          and gate.organization_id = dispatch.organization_id
          and (gate.environment = hook.environment and
          (gate.status = 'approved' and gate.revoked_at is null)
          and not
          exists (
          select from gates as other
          where other.execution_id = gate.execution_id
          and other.organization_id = gate.organization_id
          and other.environment = gate.environment
          and other.revoked_at >= case when gate.decided_via = 'override' then gate.decided_at else gate.created_at end
          )
          )
          )
          when dispatch.event = 'workflow.completed' then not coalesce(
          (
          select
          (gate.status = 'approved' and gate.revoked_at is null)
          from executions as execution
          join gates as gate on gate.execution_id = execution.id and gate.organization_id = execution.organization_id
          where execution.project_id = dispatch.project_id
          and execution.graph_id = dispatch.graph_id
          and execution.completion_id = dispatch.event_id
          and execution.organization_id = dispatch.organization_id
          and gate.environment = hook.environment
          and
          gate.status <> 'cancelled'
          and (execution.status = 'completed' or not
          (gate.status = 'approved' and gate.revoked_at is null)
          )
          order by gate.created_at desc, gate.id desc
          limit 1
          )
          , false)
          when dispatch.event = 'manual.trigger' then dispatch.override_reason is null or not true::boolean
          when dispatch.event = 'test.ping' then false
          when dispatch.event = 'deployment.rollback' then false
          else true
          end
          then 'not_approved'::text
          when
          (
          dispatch.promoted_from is not null
          and not exists (
          select from environment_runs as run
          where run.project_id = dispatch.project_id
          and run.environment = dispatch.promoted_from
          and run.digest = dispatch.promoted_digest
          and run.organization_id = dispatch.organization_id
          and (run.since is not null and run.ended_at is null)
          and run.since <= dispatch.created_at
          )
          )
          then 'not_promoted'::text
          end
        from dispatches as dispatch
        join deployment_hooks as hook on hook.id = dispatch.hook_id and hook.organization_id = dispatch.organization_id
        where dispatch.id = work_id
          and dispatch.organization_id = tenant
      );
    end
  $$;

comment on function ops.refusal_of(uuid) is 'Why a dispatch must not be sent again: approval_revoked, not_approved or not_promoted; null if it may be. ops.retry asks it.';
