-- Who did it: nobody is told what they did themselves. Null for the service, and for what an older version writes.
alter table outbox add column actor_id uuid;
