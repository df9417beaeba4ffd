-- The executions of a project that have not ended, newest first, for its page.
create index executions_unfinished on executions (project_id, created_at desc, id desc)
  where status in ('queued', 'running', 'awaiting_gate');

-- The requirements of a project by status: how many there are, and those of one status, newest first.
create index requirements_status on requirements (project_id, status, created_at desc, id desc) include (organization_id);
