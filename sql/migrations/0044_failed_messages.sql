-- The same for messages; by itself, because the drain writes dispatches and messages in one transaction and in any order.
create index channel_messages_failed on channel_messages (completed_at) where status = 'failed';
create index channel_attempts_started on channel_attempts using brin (started_at) with (pages_per_range = 32, autosummarize = on);
