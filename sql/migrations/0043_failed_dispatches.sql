-- "What failed for good in the last day?", over all tenants. Failures are few, and nothing else pays for this.
create index dispatches_failed on dispatches (completed_at) where status = 'failed';

-- "How did the last hour go?": attempts are written in the order of their time, so that one entry stands for many pages.
-- Whoever writes both tables writes dispatches first, as they are locked here.
create index dispatch_attempts_started on dispatch_attempts using brin (started_at) with (pages_per_range = 32, autosummarize = on);
