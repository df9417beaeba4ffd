create view ops.paused_detail as
  select
    pause.flag,
    organization.slug                                                            as organization,
    pause.reason,
    pause.paused_at,
    pause.until,
    pause.paused_by,
    pause.application_name,
    format('select ops.resume(%L);', pause.flag)                                 as resume_sql
  from ops.pauses as pause
  left join organizations as organization on organization.id = ops.tenant_of(pause.flag)
  where pause.until is null
    or pause.until > now()
  order by pause.paused_at;

comment on view ops.paused_detail is 'Work that ops have stopped. Workers begin none of it, from 10 seconds after it was paused; what they had begun they finish.';
comment on column ops.paused_detail.flag is 'org:<id> of a tenant, or task:<name>.';
comment on column ops.paused_detail.organization is 'Slug of the tenant.';
comment on column ops.paused_detail.reason is 'Why.';
comment on column ops.paused_detail.paused_at is 'Since when.';
comment on column ops.paused_detail.until is 'When it goes on by itself; null: when somebody resumes it.';
comment on column ops.paused_detail.paused_by is 'The role that did it.';
comment on column ops.paused_detail.application_name is 'The program that it was done with.';
comment on column ops.paused_detail.resume_sql is 'Paste this to let it go on.';

create view ops.action_log_detail as
  select id, at, actor, application_name, action, targets, affected, reason
  from ops.actions
  order by id desc;

comment on view ops.action_log_detail is 'What ops have changed by the functions of this schema, newest first. Reads all of it, which is little; where it is not, there is limit.';
comment on column ops.action_log_detail.id is 'The entry.';
comment on column ops.action_log_detail.at is 'When.';
comment on column ops.action_log_detail.actor is 'The role that did it.';
comment on column ops.action_log_detail.application_name is 'The program that it was done with; bun run ops says who sits before it.';
comment on column ops.action_log_detail.action is 'The function: retry, retry_failed, discard, pause, resume or unlock_dead_workers.';
comment on column ops.action_log_detail.targets is 'What it was done to: ids, or flags.';
comment on column ops.action_log_detail.affected is 'How many it changed.';
comment on column ops.action_log_detail.reason is 'Why.';
