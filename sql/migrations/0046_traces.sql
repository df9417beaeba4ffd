-- The place in a trace (W3C `traceparent`) from which an event, or what it leads to, came. Null where nobody named a
-- trace and none is exported, and for what an older version writes.
alter table outbox add column traceparent text;
alter table dispatches add column traceparent text;
alter table channel_messages add column traceparent text;
