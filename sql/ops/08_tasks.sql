create view ops.tasks as
  with described (task, description) as (
    values
      ('drain_outbox', 'Fans events out to hooks, channels and people.'),
      ('dispatch_hook', 'Sends what is due to one deployment hook.'),
      ('deliver_channel', 'Sends what is due to one notification channel.'),
      ('compare_tracks', 'Judges the two tracks of a comparison.'),
      ('generate_deliverable', 'Writes a document.'),
      ('mail_verification', 'Mails somebody a link that proves their address.'),
      ('mail_password_reset', 'Mails somebody a link to a new password.'),
      ('mail_security_notice', 'Mails somebody that their account was changed.'),
      ('mail_hook_disabled', 'Mails the admins that a hook was switched off.'),
      ('mail_invitation', 'Mails an invitation.'),
      ('mail_channel_disabled', 'Mails the admins that a channel was switched off.'),
      ('mail_notification', 'Mails somebody a notification.'),
      ('purge_organization', 'Takes away what lay in an organization that was deleted.'),
      ('forget_expired', 'Every night: deletes what nobody will ask for again.')
  )
  select coalesce(described.task, known.task) as task, described.description
  from described
  full join queue.tasks as known on known.task = described.task;

comment on view ops.tasks is 'Every kind of work; task:<name> is the flag that pauses it.';
comment on column ops.tasks.task is 'Its name.';
comment on column ops.tasks.description is 'What it does; null for a kind of another version.';
