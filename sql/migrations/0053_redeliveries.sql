-- Redeliveries of finished dispatches, in the order of new_ids: the same body and sequence, and all that says what they come from, so
-- that a revocation finds them as it finds their originals. The one way to make them, for the API and for operators: who calls has
-- locked the lanes, and asked whether the approval of each still holds.
--
-- attempts: as many as each gets at most; null: as many as its original. A test is sent once.
-- keeps_override: whether a copy passes freezes as its original does, because of an override.
create function redeliver_dispatches(
  tenant uuid, new_ids uuid[], original_ids uuid[], attempts integer, keeps_override boolean,
  asked_by uuid default null, of_request text default null, of_trace text default null
) returns void
  language plpgsql
  as $$
    begin
      insert into dispatches (
        id, organization_id, workspace_id, project_id, hook_id, event_id, event, environment, sequence,
        max_attempts, redelivery_of, made_after_sequence,
        report_within_seconds, gate_id, graph_id,
        override_reason, requested_by, request_id, traceparent
      )
      select
        made.id, original.organization_id, original.workspace_id, original.project_id, original.hook_id, original.event_id,
        original.event, original.environment, original.sequence,
        case when original.event = 'test.ping' then 1 else coalesce(attempts, original.max_attempts) end,
        coalesce(original.redelivery_of, original.id), coalesce(lane.sequence, 0),
        case when original.event <> 'test.ping' then hook.report_within_seconds end, original.gate_id, original.graph_id,
        case when keeps_override then original.override_reason end, asked_by, of_request, of_trace
      from unnest(new_ids, original_ids) as made (id, original_id)
      join dispatches as original on original.id = made.original_id and original.organization_id = tenant
      join deployment_hooks as hook on hook.id = original.hook_id and hook.organization_id = tenant
      left join lanes as lane on lane.id = original.hook_id and lane.organization_id = tenant
      order by made.id;

      -- Last: it needs the dispatches.
      insert into dispatch_bodies (dispatch_id, organization_id, body, encrypted_body, has_report)
      select made.id, body.organization_id, body.body, body.encrypted_body, body.has_report
      from unnest(new_ids, original_ids) as made (id, original_id)
      join dispatch_bodies as body on body.dispatch_id = made.original_id and body.organization_id = tenant;
    end
  $$;
