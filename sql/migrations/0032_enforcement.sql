-- What the policy of an environment enforces where hooks are sent.

-- Why somebody may send a dispatch without an approval, and in a freeze; null if nobody said.
alter table dispatches add column override_reason text;

-- Until when freezes hold a dispatch back; in the past if they did. Null if none did.
alter table deliveries add column held_until timestamptz(3);
