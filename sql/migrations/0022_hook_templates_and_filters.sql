-- Body templates and filters of deployment hooks. `body_template` and `filter` are the JSON that was sent, in its order (jsonb
-- would reorder it). `template_secrets` is encrypted by the application, as `headers` is; the names are not secret.
alter table deployment_hooks
  add column body_template         json check (octet_length(body_template::text) <= 32768),
  add column template_secrets      bytea,
  add column template_secret_names text[] not null default '{}',
  add column filter                json check (octet_length(filter::text) <= 8192);

-- A trigger of its own: the list of columns of deployment_hooks_touch is that of the first version.
create trigger deployment_hooks_touch_template
  before update of body_template, template_secrets, filter
  on deployment_hooks
  for each row execute function touch();

-- The bytes of a body that contains secrets, encrypted by the application, with the list of these secrets; `body` is then what
-- may be shown, with the secrets masked. Null: `body` is what is sent. `has_report`: it contains the report URL or token of its
-- dispatch. Those of a redelivery, which has the same bytes, are then of the first dispatch.
alter table dispatch_bodies
  add column encrypted_body bytea,
  add column has_report     boolean not null default false;

-- A preview shows what a hook would send for the newest event of its project. Only the events that hooks receive are indexed.
create index outbox_newest on outbox (project_id, name, id)
  where name in ('workflow.completed', 'gate.approved', 'deployment.rollback', 'manual.trigger', 'test.ping');
