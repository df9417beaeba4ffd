-- Who may decide gates: the scope of personal tokens, groups of people, and the policies of environments.

-- Tokens from before cannot decide: scripts that approve need a token that was made to.
alter table personal_tokens
  drop constraint personal_tokens_scope_check,
  add constraint personal_tokens_scope_check check (scope in ('read', 'write', 'decide'));
