-- A cancelled dispatch that is under way cannot be called back: the mark tells whoever serves the lane to try it no
-- more. Only they end what may be in flight, so nobody else needs to know what is.
alter table dispatches
  add column cancel_asked boolean not null default false,
  -- Of a redelivery: the hook's sequence when it was made. What came later supersedes it, what came before does not,
  -- though the redelivery bears the older number. The others stand where their own sequence does.
  add column made_after bigint,
  -- The name of the first dispatch outlives it: it is what `webhook-id` says, and clearing it would make a first
  -- dispatch of every redelivery, twice the same one.
  drop constraint dispatches_redelivery_of_fkey;

-- A lane asks with each look whether something was cancelled.
create index dispatches_cancel_asked on dispatches (hook_id) where status = 'pending' and cancel_asked;

-- The tests of a hook that is paused: they pass whatever waits.
create index dispatches_tests on dispatches (hook_id, next_attempt_at, id) where status = 'pending' and event = 'test.ping';
