create view ops.tasks as
  with described (task, description) as (
    values
      ('drain_outbox', 'Fans events out to hooks, channels and inboxes.'),
      ('dispatch_hook', 'Wakes the lane of one deployment hook: a worker then sends its due dispatches.'),
      ('deliver_channel', 'Wakes the lane of one notification channel: a worker then sends its due messages.'),
      ('serve_github', 'Wakes the lane of one installation at GitHub: a worker then answers its workflow runs.'),
      ('sync_github', 'Asks GitHub about one installation and its repositories.'),
      ('refuse_github_run', 'Rejects a workflow run about which no project decides.'),
      ('compare_tracks', 'Compares the two tracks of a comparison.'),
      ('generate_deliverable', 'Generates a document.'),
      ('mail_verification', 'Mails a user the link that verifies their address.'),
      ('mail_password_reset', 'Mails a user the link to a new password.'),
      ('mail_security_notice', 'Mails a user that their account was changed.'),
      ('mail_hook_disabled', 'Mails the admins that a hook was disabled.'),
      ('mail_invitation', 'Mails an invitation.'),
      ('mail_channel_disabled', 'Mails the admins that a channel was disabled.'),
      ('mail_sso_notice', 'Mails the admins about single sign-on.'),
      ('mail_notification', 'Mails a user a notification.'),
      ('attest_gates', 'Signs the attestations of approved gates.'),
      ('answer_slack_click', 'Answers a click on a button in Slack.'),
      ('purge_organization', 'Deletes everything in a deleted organization.'),
      ('forget_expired', 'Every night: deletes expired rows.')
  )
  select coalesce(described.task, known.task) as task, described.description
  from described
  full join queue.tasks as known on known.task = described.task;

comment on view ops.tasks is 'Every task; task:<name> is the flag that pauses it.';
comment on column ops.tasks.task is 'Its name.';
comment on column ops.tasks.description is 'What it does; null for a task of another version.';
