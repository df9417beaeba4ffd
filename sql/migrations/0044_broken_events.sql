-- "Which events could not be fanned out?", over all tenants, whatever waits beside them.
create index outbox_broken on outbox (failed_at) where drained_at is null and failed_at is not null;
