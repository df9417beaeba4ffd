-- An event is written once, and changed once when it is drained. With room for that on its page, only the change is logged, and not the
-- whole row again. Vacuum frees the same amount of space as before.
alter table outbox set (fillfactor = 50);
