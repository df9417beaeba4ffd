-- What the policy of an environment enforces where hooks are sent.

-- Why somebody may send a dispatch without an approval, and in a freeze; null if nobody said.
alter table dispatches add column override_reason text;
