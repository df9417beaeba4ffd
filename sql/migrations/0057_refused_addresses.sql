-- The addresses of a message that a mail server refused for good, each with its code. A retry leaves them out, as it
-- does those in `accepted`; both hold addresses in their canonical form.
alter table channel_messages add column refused jsonb not null default '{}';
