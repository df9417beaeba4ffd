-- Notifications, and what pages and documents keep.

-- Preferences say which types they know. A type that was added after a user saved them is on until the user turns it off.
-- The default is what the version before this migration knows, whose processes still insert rows.
alter table notification_preferences
  add column known_types text[] not null default array[
    'gate_pending', 'execution_completed', 'execution_failed', 'budget_alert', 'invitation_received', 'member_added',
    'deployment_failed'
  ];

-- Two more types of notifications, in the app and by mail as the others.
alter table notifications
  drop constraint notifications_type_check,
  add constraint notifications_type_check check (type in (
    'gate_pending', 'changes_requested', 'gate_overridden', 'execution_completed', 'execution_failed',
    'budget_alert', 'invitation_received', 'member_added', 'deployment_failed'
  ));

-- A gate without an execution has a Slack thread of its own: its message is the root. The row is created with the first message, as
-- that of an execution's thread is, and has what identifies the message once it is posted.
alter table slack_gate_messages
  alter column execution_id drop not null,
  alter column event_id drop not null,
  alter column slack_channel drop not null,
  alter column ts drop not null,
  alter column shown drop not null,
  alter column token_hash drop not null,
  add constraint slack_gate_messages_posted check (num_nulls(event_id, slack_channel, ts, shown, token_hash) in (0, 5)),
  -- Only messages in threads of executions are deleted with the thread.
  add constraint slack_gate_messages_channel foreign key (channel_id, organization_id)
    references notification_channels (id, organization_id) on delete cascade;

-- The list of what a new organization still lacks, which the person who made it sees on the first page of the app: until when a member sees
-- it; null: they do not, or have dismissed it. With the membership, which every page reads anyway.
alter table organization_members add column setup_until timestamptz(3);

-- The copy of the members that a cluster has.
alter table if exists member_organizations add column setup_until timestamptz(3);

-- What is looked up before an organization is known. On a cluster it is that copy.
create view member_organizations as
  select user_id, organization_id, role, second_factor_required, setup_until from organization_members;

-- The name of a release, as it was when its changelog was published. Storing it makes no new version of the document.
alter table deliverables add column release_name text check (length(release_name) <= 200);
drop trigger deliverables_touch on deliverables;
create trigger deliverables_touch before update on deliverables
  for each row when (new.release_name is not distinct from old.release_name) execute function touch();

-- The page of a project: what happened in it, and its figures.

-- The project whose activity lists the entry; null for others, and for those from before. Not part of what is sealed.
alter table audit_log_entries add column activity_project_id uuid;

-- The activity of a project, newest first: its entries, and its rollouts that have ended.
create index audit_log_entries_activity on audit_log_entries (organization_id, activity_project_id, created_at desc, id desc)
  where activity_project_id is not null;
create index rollouts_activity on rollouts (project_id, at desc, id desc) include (organization_id)
  where state in ('succeeded', 'failed', 'unknown', 'not_delivered');

-- The gates of a project that people decided, and its executions that ended, since a time.
create index gates_judged_in_project on gates (project_id, decided_at) include (organization_id, created_at)
  where status in ('approved', 'rejected', 'changes_requested');
create index executions_finished on executions (project_id, finished_at) include (organization_id, status, cost_usd)
  where finished_at is not null;

-- The requirements of a project that were completed since a time, the last one first.
create index requirements_completed on requirements (project_id, completed_at desc, id desc) include (organization_id)
  where completed_at is not null;
