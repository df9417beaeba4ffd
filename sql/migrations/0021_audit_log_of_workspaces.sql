-- The audit log of one workspace, as a page shows it.
create index audit_log_entries_workspace on audit_log_entries (organization_id, workspace_id, created_at desc, id desc)
  where workspace_id is not null;
