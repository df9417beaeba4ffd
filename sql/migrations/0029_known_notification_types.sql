-- Preferences say which types they know. A type that was added after a user saved them is on until the user turns it off.
-- The default is what the version before this migration knows, whose processes still insert rows.
alter table notification_preferences
  add column known_types text[] not null default array[
    'gate_pending', 'execution_completed', 'execution_failed', 'budget_alert', 'invitation_received', 'member_added',
    'deployment_failed'
  ];
