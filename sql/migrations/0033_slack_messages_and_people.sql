-- Slack: which messages are the service's own, and who asked for a link.

-- The Slack workspace that a message was posted to, and a hash of the API and the bot token that it was posted with: a click counts only
-- there, and another token cannot change it. Null for messages of earlier versions, and where Slack did not say.
alter table slack_threads
  add column team_id    text,
  add column token_hash bytea;

alter table slack_gate_messages
  add column team_id    text,
  add column token_hash bytea;

-- What Slack calls the person who clicked, and the domain of their Slack workspace.
alter table slack_clicks
  add column user_name   text,
  add column team_domain text;

-- The person and the Slack workspace as the page of a link names them, and the person's address in Slack. Null where Slack did not say.
alter table slack_link_tokens
  add column user_name text,
  add column team_name text,
  add column email     text;
