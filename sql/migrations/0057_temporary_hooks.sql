-- Temporary hooks: pull hooks of programs that may vanish, such as `signalbox listen` on a laptop. One from which nobody claims for 24 hours
-- is removed.
alter table deployment_hooks
  add column temporary  boolean not null default false,
  -- Of a temporary hook: about when somebody last claimed from it. Writing it changes nothing that a response shows, so it keeps the version.
  add column claimed_at timestamptz(3) not null default now(),
  add constraint deployment_hooks_temporary check (not temporary or mode = 'pull');

-- Those to remove.
create index deployment_hooks_temporary on deployment_hooks (claimed_at) where temporary;
