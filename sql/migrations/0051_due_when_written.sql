-- A dispatch is due when it is written, and not when its transaction began, which may have waited for locks since. So the dispatches of a lane
-- become visible in the order in which they are due, and a worker that has read a lane need not look for older ones. The column would round
-- the time up, so that a read just after the commit would not find it.
alter table deliveries alter column due_at set default date_trunc('milliseconds', statement_timestamp());
