-- The tables of dispatches and of channel messages become partitions, the first of their kind, in the next migration,
-- and nothing of them is copied. That they hold only what is older than a moment must be known by then: a constraint
-- says so, of new rows at once, and of all once it has been checked, for which nobody has to wait. The moment lies
-- eight weeks ahead, lest a release that breaks off between the two leaves behind tables that refuse what is new.
do $$
  declare
    until uuid := partition_boundary(partition_start(now() + interval '8 weeks', '7 days'));
  begin
    execute format('alter table dispatches add constraint first_partition check (id < %L) not valid', until);
    execute format('alter table dispatch_attempts add constraint first_partition check (dispatch_id < %L) not valid', until);
    execute format('alter table channel_events add constraint first_partition check (id < %L) not valid', until);
    execute format('alter table channel_messages add constraint first_partition check (id < %L) not valid', until);
    execute format('alter table channel_attempts add constraint first_partition check (message_id < %L) not valid', until);
  end
$$;
