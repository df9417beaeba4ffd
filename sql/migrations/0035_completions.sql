-- Which completion of its workflow an execution belongs to, so that what was approved for one completion is not taken for the next.

alter table executions
  -- The first event `workflow.completed` after it ended; null before.
  add column completion_id uuid;

-- What completes a workflow does not change the executions that ended before: their entity tags stay.
drop trigger executions_touch on executions;
create trigger executions_touch before update on executions
  for each row when (old.completion_id is not distinct from new.completion_id) execute function touch();
