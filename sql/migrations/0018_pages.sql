-- The web app: its sessions, and indexes for its page of what needs a person.

-- One row is the cookie of a session of the web app; only its SHA-256 is stored. A session without one is that of an API
-- client. It expires 30 days after its last use (`sessions.last_used_at`).
create table session_cookies (
  hash       bytea primary key,
  session_id uuid not null unique references sessions on delete cascade
);

-- The gates that wait for a decision, in the workspaces of a person.
create index gates_pending on gates (organization_id, workspace_id, created_at, id) where status = 'pending';

-- The hooks and channels that the service disabled, in the workspaces of a person.
create index deployment_hooks_disabled on deployment_hooks (organization_id, workspace_id) where disabled_reason is not null;
create index notification_channels_disabled on notification_channels (organization_id, workspace_id)
  where disabled_reason is not null;
