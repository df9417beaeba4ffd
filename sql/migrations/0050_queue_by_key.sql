-- A table that was vacuumed while it was empty is taken for empty until its next analysis, however much it grows. Then all indexes that
-- contain the id look alike to PostgreSQL, and it may read this one as a whole to find one id. With a condition, which always holds, it is
-- only used for the deliveries of a lane.
drop index deliveries_due;
create index deliveries_due on deliveries (lane_id, due_at, id) where lane_id is not null;
