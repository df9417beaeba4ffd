create view ops.job_counts as
  select task, tenant, ready, retrying, scheduled, estimated from queue.job_counts;

comment on view ops.job_counts is 'Waiting jobs in the queue, by task and tenant. Exact while the queue is small (about 10,000 jobs), an estimate from a sample beyond that, so that reading it always takes the same time. The estimate may miss a few jobs among a million; ops.backlog lists every tenant with waiting work.';
comment on column ops.job_counts.task is 'The task.';
comment on column ops.job_counts.tenant is 'The flag of the tenant, org:<id>; empty for jobs of the whole service or of one user.';
comment on column ops.job_counts.ready is 'Jobs that are due now.';
comment on column ops.job_counts.retrying is 'Jobs that failed before and are due later.';
comment on column ops.job_counts.scheduled is 'Jobs that are due later for the first time.';
comment on column ops.job_counts.estimated is 'Whether the numbers are estimates.';
