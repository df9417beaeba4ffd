-- Signatures that receivers verify with a public key: no secret is shared with them.

-- With `ed25519`, `secret` and `previous_secret` contain private keys, encrypted as the secrets are.
alter table deployment_hooks
  add column signature  text not null default 'hmac' check (signature in ('hmac', 'ed25519')),
  add column public_key text check (public_key ~ '^whpk_[A-Za-z0-9+/]{43}=$'),
  add constraint deployment_hooks_key_pair check (
    case signature when 'hmac' then public_key is null else public_key is not null and secret is not null end
  );

-- A receiver knows from its settings which signature to expect.
create function refuse_other_signature() returns trigger
  language plpgsql
  as $$
    begin
      raise exception 'The signature of hook % is %, which is fixed.', old.id, old.signature
        using errcode = 'integrity_constraint_violation';
    end
  $$;

create trigger deployment_hooks_signature before update of signature on deployment_hooks
  for each row when (new.signature <> old.signature)
  execute function refuse_other_signature();
