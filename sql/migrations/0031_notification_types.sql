-- Preferences say which types they know. A type that was added after a user saved them is on until the user turns it off.
-- The default is what the version before this migration knows, whose processes still insert rows.
alter table notification_preferences
  add column known_types text[] not null default array[
    'gate_pending', 'execution_completed', 'execution_failed', 'budget_alert', 'invitation_received', 'member_added',
    'deployment_failed'
  ];

-- Two more types of notifications, in the app and by mail as the others.
alter table notifications
  drop constraint notifications_type_check,
  add constraint notifications_type_check check (type in (
    'gate_pending', 'changes_requested', 'gate_overridden', 'execution_completed', 'execution_failed',
    'budget_alert', 'invitation_received', 'member_added', 'deployment_failed'
  ));
