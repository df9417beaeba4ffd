-- Attestations: signed statements that a gate for a subject was approved, which can be verified without this service.

-- One row is a key pair with which an organization signs attestations. It signs until another one replaces it; then only its public half
-- is kept, because what it has signed must be verifiable for ever.
create table signing_keys (
  id              uuid not null default uuidv7(),
  organization_id uuid not null references organizations on delete cascade,
  -- The SHA-256 of the public key.
  key_id          text not null check (key_id ~ '^[0-9a-f]{64}$'),
  -- DER (SubjectPublicKeyInfo).
  public_key      bytea not null,
  -- Encrypted: the private key; of a retired key the public one, which proves that this service wrote the row.
  secret          bytea not null,
  created_at      timestamptz(3) not null default now(),
  retired_at      timestamptz(3),
  primary key (id, organization_id),
  constraint signing_keys_key unique (organization_id, key_id)
);

-- The key that signs.
create unique index signing_keys_current on signing_keys (organization_id) where retired_at is null;

-- One row is the attestation of an approved gate. It never changes: what was signed cannot be taken back.
create table attestations (
  gate_id         uuid not null,
  organization_id uuid not null,
  project_id      uuid not null,
  environment     text,
  -- Of the subject: `gitCommit:…` or `sha256:…`.
  digest          text not null,
  key_id          text not null,
  -- DSSE.
  envelope        jsonb not null check (jsonb_typeof(envelope) = 'object'),
  created_at      timestamptz(3) not null default now(),
  primary key (gate_id, organization_id),
  constraint attestations_gate foreign key (gate_id, organization_id)
    references gates (id, organization_id) on delete cascade
);

-- The attestations of a project, newest first, of all subjects or of one.
create index attestations_project on attestations (project_id, created_at desc, gate_id desc);
create index attestations_digest on attestations (project_id, digest, created_at desc, gate_id desc);

create trigger attestations_no_update before update on attestations
  for each statement execute function refuse_change();

-- "Was this digest approved?"
create index gates_digest on gates (project_id, (subject -> 'digest')) where subject is not null;

-- Approved gates whose attestation may be missing, when a key is replaced.
create index gates_attestable on gates (organization_id, decided_at desc) where status = 'approved' and subject is not null;
