create view ops.paused_detail as
  select
    pause.flag,
    organization.slug                                                            as organization,
    pause.reason, pause.paused_at, pause.until, pause.paused_by, pause.application_name,
    format('select ops.resume(%L);', pause.flag)                                 as resume_sql
  from ops.pauses as pause
  left join organizations as organization on organization.id = ops.tenant_of(pause.flag)
  where pause.until is null
    or pause.until > now()
  order by pause.paused_at;

comment on view ops.paused_detail is 'Paused work. Workers start none of it from 10 seconds after the pause on; they finish what they have started.';
comment on column ops.paused_detail.flag is 'org:<id> of a tenant, or task:<name>.';
comment on column ops.paused_detail.organization is 'The slug of the tenant.';
comment on column ops.paused_detail.reason is 'Why.';
comment on column ops.paused_detail.paused_at is 'Since when.';
comment on column ops.paused_detail.until is 'When the pause ends; null if only ops.resume ends it.';
comment on column ops.paused_detail.paused_by is 'The database role that paused it.';
comment on column ops.paused_detail.application_name is 'The program that was used.';
comment on column ops.paused_detail.resume_sql is 'Paste this to end the pause.';

create view ops.action_log_detail as
  select id, at, actor, application_name, action, targets, affected, reason
  from ops.actions
  order by id desc;

comment on view ops.action_log_detail is 'Changes made with the functions of this schema, newest first. Reads the whole log; add a limit if it is long.';
comment on column ops.action_log_detail.id is 'The entry.';
comment on column ops.action_log_detail.at is 'When.';
comment on column ops.action_log_detail.actor is 'The database role that made the change.';
comment on column ops.action_log_detail.application_name is 'The program that was used; bun run ops adds the user of the machine.';
comment on column ops.action_log_detail.action is 'The function: retry, retry_failed, discard, pause, resume, unlock_dead_workers or wake_stranded.';
comment on column ops.action_log_detail.targets is 'What it was applied to: ids, or flags.';
comment on column ops.action_log_detail.affected is 'How many jobs, events, dispatches, messages or workers it changed.';
comment on column ops.action_log_detail.reason is 'Why.';
