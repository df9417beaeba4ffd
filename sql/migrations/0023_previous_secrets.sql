-- A secret that was replaced is kept for a while after it stopped signing, to tell the owner of a receiver that a request
-- was signed with it. That it is forgotten then changes nothing that anybody sees, so it gives the hook no new version:
-- rotating writes `secret` as well, which does.
drop trigger deployment_hooks_touch on deployment_hooks;

create trigger deployment_hooks_touch
  before update of name, url, secret, trigger_on, environment, headers, enabled, disabled_reason,
                   max_age_seconds, supersede, paused
  on deployment_hooks
  for each row execute function touch();

-- Those that are to be forgotten.
create index deployment_hooks_previous on deployment_hooks (previous_secret_until) where previous_secret_until is not null;
