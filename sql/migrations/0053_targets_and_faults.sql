-- Since when a hook or channel has led to where it leads now. An answer counts for the target that it came from: who
-- records one compares this moment with the one that was read before the request was sent.
alter table deployment_hooks add column target_since timestamptz(3) not null default now();
alter table notification_channels add column target_since timestamptz(3) not null default now();

-- Why a lane could not be served the last time, such as a secret that opens with no key; null where it could.
alter table hook_lanes add column fault text;
alter table channel_lanes add column fault text;
