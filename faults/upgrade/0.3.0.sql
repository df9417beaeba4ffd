set session_replication_role = replica;

insert into graphile_worker._private_job_queues (id, queue_name, locked_at, locked_by) overriding system value values
  ('1', 'generate_deliverable:01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL),
  ('2', 'compare_tracks:01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL);

insert into graphile_worker._private_jobs (id, job_queue_id, task_id, payload, priority, run_at, attempts, max_attempts, last_error, created_at, updated_at, key, locked_at, locked_by, revision, flags) overriding system value values
  ('136', NULL, '2', '{"lane_id": "01a20d6b-cbd6-7fd3-9f8f-2988fbd93796", "organization_id": "01a20d6b-3aa6-7f26-94f6-ac27e9f0c525"}', '0', '2026-11-24 11:59:19.362+00', '0', '25', NULL, '2026-11-24 11:58:19.50678+00', '2026-11-24 11:58:19.50678+00', 'deliver_channel:01a20d6b-cbd6-7fd3-9f8f-2988fbd93796', NULL, NULL, '0', '{"task:deliver_channel": true, "org:01a20d6b-3aa6-7f26-94f6-ac27e9f0c525": true, "lane:01a20d6b-3aa6-7f26-94f6-ac27e9f0c525": true}'),
  ('137', NULL, '2', '{"lane_id": "01a20d6b-cc00-7bfc-bcb7-2eeed5edd209", "organization_id": "01a20d6b-3aa6-7f26-94f6-ac27e9f0c525"}', '0', '2026-11-24 11:59:19.435+00', '0', '25', NULL, '2026-11-24 11:58:19.537754+00', '2026-11-24 11:58:19.537754+00', 'deliver_channel:01a20d6b-cc00-7bfc-bcb7-2eeed5edd209', NULL, NULL, '0', '{"task:deliver_channel": true, "org:01a20d6b-3aa6-7f26-94f6-ac27e9f0c525": true, "lane:01a20d6b-3aa6-7f26-94f6-ac27e9f0c525": true}'),
  ('138', NULL, '8', '{"lane_id": "01a20d6b-cb2d-7952-827d-5c98eb26d1ab", "organization_id": "01a20d6b-3aa6-7f26-94f6-ac27e9f0c525"}', '0', '2026-11-24 11:59:19.445+00', '0', '25', NULL, '2026-11-24 11:58:19.570987+00', '2026-11-24 11:58:19.570987+00', 'dispatch_hook:01a20d6b-cb2d-7952-827d-5c98eb26d1ab', NULL, NULL, '0', '{"task:dispatch_hook": true, "org:01a20d6b-3aa6-7f26-94f6-ac27e9f0c525": true, "lane:01a20d6b-3aa6-7f26-94f6-ac27e9f0c525": true}'),
  ('139', NULL, '2', '{"lane_id": "01a20d6b-cb97-7c14-bc41-c1cae72c796d", "organization_id": "01a20d6b-3aa6-7f26-94f6-ac27e9f0c525"}', '0', '2026-11-24 11:59:19.469+00', '0', '25', NULL, '2026-11-24 11:58:19.60536+00', '2026-11-24 11:58:19.60536+00', 'deliver_channel:01a20d6b-cb97-7c14-bc41-c1cae72c796d', NULL, NULL, '0', '{"task:deliver_channel": true, "org:01a20d6b-3aa6-7f26-94f6-ac27e9f0c525": true, "lane:01a20d6b-3aa6-7f26-94f6-ac27e9f0c525": true}'),
  ('140', NULL, '2', '{"lane_id": "01a20d6b-cc40-78a8-bda9-ab0175bb1ed7", "organization_id": "01a20d6b-3aa6-7f26-94f6-ac27e9f0c525"}', '0', '2026-11-24 11:59:19.514+00', '0', '25', NULL, '2026-11-24 11:58:19.659327+00', '2026-11-24 11:58:19.659327+00', 'deliver_channel:01a20d6b-cc40-78a8-bda9-ab0175bb1ed7', NULL, NULL, '0', '{"task:deliver_channel": true, "org:01a20d6b-3aa6-7f26-94f6-ac27e9f0c525": true, "lane:01a20d6b-3aa6-7f26-94f6-ac27e9f0c525": true}'),
  ('141', NULL, '2', '{"lane_id": "01a20d6b-cc20-7d65-88a4-c0575f24e034", "organization_id": "01a20d6b-3aa6-7f26-94f6-ac27e9f0c525"}', '0', '2026-11-24 11:59:19.469+00', '0', '25', NULL, '2026-11-24 11:58:19.658506+00', '2026-11-24 11:58:19.658506+00', 'deliver_channel:01a20d6b-cc20-7d65-88a4-c0575f24e034', NULL, NULL, '0', '{"task:deliver_channel": true, "org:01a20d6b-3aa6-7f26-94f6-ac27e9f0c525": true, "lane:01a20d6b-3aa6-7f26-94f6-ac27e9f0c525": true}'),
  ('142', '1', '4', '{"deliverable_id": "01a20d6b-d35f-7730-93bc-0121aa48e8f5", "organization_id": "01a20d6b-3aa6-7f26-94f6-ac27e9f0c525"}', '10', '2026-11-24 11:58:19.989469+00', '0', '25', NULL, '2026-11-24 11:58:19.989469+00', '2026-11-24 11:58:19.989469+00', NULL, NULL, NULL, '0', '{"task:generate_deliverable": true, "org:01a20d6b-3aa6-7f26-94f6-ac27e9f0c525": true}'),
  ('143', NULL, '5', '{"invitation_id": "01a20d6b-d392-725a-a50d-7d980fe6aa6a", "organization_id": "01a20d6b-3aa6-7f26-94f6-ac27e9f0c525"}', '0', '2026-11-24 11:58:20.028256+00', '0', '25', NULL, '2026-11-24 11:58:20.028256+00', '2026-11-24 11:58:20.028256+00', NULL, NULL, NULL, '0', '{"task:mail_invitation": true, "org:01a20d6b-3aa6-7f26-94f6-ac27e9f0c525": true}'),
  ('144', NULL, '13', '{"reset_id": "01a20d6b-d3bf-7ff9-a45b-a16960555a6c"}', '0', '2026-11-24 11:58:20.093648+00', '0', '25', NULL, '2026-11-24 11:58:20.093648+00', '2026-11-24 11:58:20.093648+00', NULL, NULL, NULL, '0', '{"task:mail_password_reset": true}'),
  ('145', '2', '12', '{"comparison_id": "01a20d6b-d463-7375-96c7-da67d0d4899a", "organization_id": "01a20d6b-3aa6-7f26-94f6-ac27e9f0c525"}', '10', '2026-11-24 11:58:20.284812+00', '0', '25', NULL, '2026-11-24 11:58:20.284812+00', '2026-11-24 11:58:20.284812+00', NULL, NULL, NULL, '0', '{"task:compare_tracks": true, "org:01a20d6b-3aa6-7f26-94f6-ac27e9f0c525": true}');

insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution) overriding system value values
  ('forget_expired', '2026-11-24 11:57:38.076+00', NULL);

insert into graphile_worker._private_tasks (id, identifier) overriding system value values
  ('1', 'forget_expired'),
  ('10', 'mail_notification'),
  ('11', 'drain_outbox'),
  ('12', 'compare_tracks'),
  ('13', 'mail_password_reset'),
  ('14', 'mail_channel_disabled'),
  ('15', 'answer_slack_click'),
  ('2', 'deliver_channel'),
  ('3', 'mail_hook_disabled'),
  ('4', 'generate_deliverable'),
  ('5', 'mail_invitation'),
  ('6', 'mail_verification'),
  ('7', 'purge_organization'),
  ('8', 'dispatch_hook'),
  ('9', 'mail_security_notice');

insert into ops.actions (id, at, actor, application_name, action, targets, affected, reason) overriding system value values
  ('01a20d6b-d1d2-77f5-aca1-3975759fc87f', '2026-11-24 11:58:19.585+00', 'signalbox', 'signalbox test', 'pause', '{org:01a20d6b-3aa6-7f26-94f6-ac27e9f0c525}', '1', 'The data of a release');

insert into ops.pauses (flag, reason, until, paused_at, paused_by, application_name) overriding system value values
  ('org:01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'The data of a release', NULL, '2026-11-24 11:58:19.585+00', 'signalbox', 'signalbox test');

insert into public.address_reversals (hash, user_id, entry_id, email, expires_at) overriding system value values
  (E'\\x8629fac5f892a5bffbf1436feff33981fba773c2f0886b2891a7954c9baa7a6d', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '01a20d6b-bf39-7a88-b55d-e57c3d571e0b', 'gracehopper.5@example.com', '2026-11-27 11:58:14.866+00');

insert into public.agent_spend (organization_id, month, workspace_id, project_id, agent, used_usd) overriding system value values
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '2026-11-01', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', 'claude', '91.000000'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '2026-11-01', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', 'codex', '2.000000'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '2026-11-01', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', 'model:judge-large', '0.006400');

insert into public.api_descriptions (project_id, organization_id, workspace_id, content_type, source, document, title, version, operation_count, updated_at) overriding system value values
  ('01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'application/json', E'{"openapi":"3.1.0","info":{"title":"Checkout API","version":"1.4.2","description":"Takes money.","license":{"name":"MIT","identifier":"MIT"}},"servers":[{"url":"https://shop.example.com/v1","description":"Production"}],"tags":[{"name":"Orders"},{"name":"Invoices"}],"paths":{"/orders":{"get":{"tags":["Orders"],"summary":"The orders of a customer","parameters":[{"name":"customer","in":"query","required":true,"schema":{"type":"string","format":"uuid"},"description":"Whose."},{"$ref":"#/components/parameters/Limit"}],"responses":{"200":{"description":"Newest first.","content":{"application/json":{"schema":{"type":"array","items":{"$ref":"#/components/schemas/Order"}}}}}}},"post":{"tags":["Orders"],"summary":"Place an order","description":"Totals are <b>computed</b>.\\n\\n- never sent","requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Order"}}}},"responses":{"201":{"description":"Placed."},"422":{"$ref":"#/components/responses/Invalid"}},"security":[{"key":[]}]}},"/invoices/{id}":{"parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"integer"}}],"get":{"tags":["Invoices"],"summary":"A customer''s invoice","deprecated":true,"responses":{"200":{"description":"The invoice | as it is."}}}}},"components":{"securitySchemes":{"key":{"type":"apiKey","in":"header","name":"X-Key","description":"Ask for one."}},"parameters":{"Limit":{"name":"limit","in":"query","schema":{"type":"integer"}}},"responses":{"Invalid":{"description":"A field is wrong."}},"schemas":{"Order":{"type":"object","required":["id"],"properties":{"id":{"type":"string","description":"Its id."},"state":{"enum":["open","paid"]},"parent":{"$ref":"#/components/schemas/Order"},"note":{"type":["string","null"]}}}}}}', E'{"openapi":"3.1.0","info":{"title":"Checkout API","version":"1.4.2","description":"Takes money.","license":{"name":"MIT","identifier":"MIT"}},"servers":[{"url":"https://shop.example.com/v1","description":"Production"}],"tags":[{"name":"Orders"},{"name":"Invoices"}],"paths":{"/orders":{"get":{"tags":["Orders"],"summary":"The orders of a customer","parameters":[{"name":"customer","in":"query","required":true,"schema":{"type":"string","format":"uuid"},"description":"Whose."},{"$ref":"#/components/parameters/Limit"}],"responses":{"200":{"description":"Newest first.","content":{"application/json":{"schema":{"type":"array","items":{"$ref":"#/components/schemas/Order"}}}}}}},"post":{"tags":["Orders"],"summary":"Place an order","description":"Totals are <b>computed</b>.\\n\\n- never sent","requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Order"}}}},"responses":{"201":{"description":"Placed."},"422":{"$ref":"#/components/responses/Invalid"}},"security":[{"key":[]}]}},"/invoices/{id}":{"parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"integer"}}],"get":{"tags":["Invoices"],"summary":"A customer''s invoice","deprecated":true,"responses":{"200":{"description":"The invoice | as it is."}}}}},"components":{"securitySchemes":{"key":{"type":"apiKey","in":"header","name":"X-Key","description":"Ask for one."}},"parameters":{"Limit":{"name":"limit","in":"query","schema":{"type":"integer"}}},"responses":{"Invalid":{"description":"A field is wrong."}},"schemas":{"Order":{"type":"object","required":["id"],"properties":{"id":{"type":"string","description":"Its id."},"state":{"enum":["open","paid"]},"parent":{"$ref":"#/components/schemas/Order"},"note":{"type":["string","null"]}}}}}}', 'Checkout API', '1.4.2', '3', '2026-11-24 11:57:45.279+00');

insert into public.audit_log_counts (organization_id, action, actor_id, day, entries) overriding system value values
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'api_description.updated', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'audit_log.exported', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '4'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'channel.disabled', NULL, '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'deliverable.archived', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'deliverable.generated', NULL, '2026-11-24', '6'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'deliverable.published', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'deliverable.requested', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '6'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'deployment.rollback', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'deployment_hook.created', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '5'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'deployment_hook.deleted', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'deployment_hook.pull_token_created', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'deployment_hook.recovered', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'deployment_hook.secret_rotated', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'deployment_hook.tested', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'deployment_hook.triggered', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '13'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'deployment_hook.updated', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '12'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'dispatch.cancelled', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'dispatch.redelivered', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'dispatch.retried', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'dual_track.cancelled', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'dual_track.compared', NULL, '2026-11-24', '2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'dual_track.created', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '4'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'dual_track.decided', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'dual_track.deleted', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'dual_track.started', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'execution.cancelled', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'execution.cancelled', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'execution.completed', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'execution.created', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '4'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'execution.created', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '2026-11-24', '6'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'execution.failed', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '3'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'execution.failed', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'execution.failed', NULL, '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'execution.started', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'execution.started', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '2026-11-24', '5'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'execution.usage_reported', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'gate.approval_added', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '4'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'gate.approved', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'gate.approved', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'gate.expired', NULL, '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'gate.pending', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '5'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'gate.pending', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '2026-11-24', '5'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'gate.rejected', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '3'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'hook.disabled', NULL, '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'invitation.accepted', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'invitation.accepted', '01a20d6b-417c-753d-beb2-d127144dce1d', '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'invitation.accepted', '01a20d6b-9f89-7af2-a166-5084cf04e31c', '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'invitation.accepted', '01a20d6b-9fe4-7006-a26a-7817087e019d', '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'invitation.accepted', '01a20d6b-a119-7e69-a00f-8ecc42599359', '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'invitation.created', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '9'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'invitation.declined', '01a20d6b-3f53-7eac-b1e7-3582695f587f', '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'invitation.resent', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'invitation.revoked', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'member.added', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'member.added', '01a20d6b-3a11-7306-94dc-1d16f7f12982', '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'member.added', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'member.added', '01a20d6b-417c-753d-beb2-d127144dce1d', '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'member.added', '01a20d6b-9f89-7af2-a166-5084cf04e31c', '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'member.added', '01a20d6b-9fe4-7006-a26a-7817087e019d', '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'member.added', '01a20d6b-a119-7e69-a00f-8ecc42599359', '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'member.removed', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'member.role_changed', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'notification_channel.created', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '9'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'notification_channel.deleted', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'notification_channel.tested', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '4'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'notification_channel.updated', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '3'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'organization.created', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'organization.updated', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'project.created', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'project.updated', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'requirement.created', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '5'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'requirement.deleted', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'requirement.updated', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'rollout.reported', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'rollout.reported', NULL, '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'runtime.deleted', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'runtime.online', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '2026-11-24', '2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'subscription.created', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '10'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'subscription.deleted', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'token.created', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'token.created', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '2026-11-24', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'token.revoked', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'workflow_template.updated', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '3'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'workspace.created', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'workspace.updated', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '3'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'workspace_member.added', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '3'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'workspace_member.removed', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'workspace_member.updated', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24', '2');

insert into public.audit_log_entries (id, organization_id, workspace_id, workspace_name, actor_type, actor_id, actor_name, action, resource_type, resource_id, detail, ip_address, created_at) overriding system value values
  ('01a20d6b-3af7-79dd-8f91-0150d5cf52bb', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'organization.created', 'organization', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'Ada King created the organization Acme Robotics.', '127.0.0.1', '2026-11-24 11:57:40.827+00'),
  ('01a20d6b-3bc7-7882-87eb-da9da2b3bcb1', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'organization.updated', 'organization', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'Ada King changed the organization Acme Robotics: registration_mode from "invite-only" to "open"; budget_monthly_limit_usd from none to 1000.', '127.0.0.1', '2026-11-24 11:57:41.142+00'),
  ('01a20d6b-3ce1-7764-b576-69c42040a7e6', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3a11-7306-94dc-1d16f7f12982', 'Joan', 'member.added', 'organization_member', '01a20d6b-3a11-7306-94dc-1d16f7f12982', 'Joan joined the organization Acme Robotics as member.', '127.0.0.1', '2026-11-24 11:57:41.34+00'),
  ('01a20d6b-3df1-7bd2-9fad-3ec2e98c9fc9', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'invitation.created', 'invitation', '01a20d6b-3d95-79ef-97e6-3a261b67b602', 'Ada King invited nobody@example.com to the organization Acme Robotics as member.', '127.0.0.1', '2026-11-24 11:57:41.572+00'),
  ('01a20d6b-3ed4-7c54-a3f1-60eb71f8bff8', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'invitation.resent', 'invitation', '01a20d6b-3d95-79ef-97e6-3a261b67b602', 'Ada King invited nobody@example.com to the organization Acme Robotics again.', '127.0.0.1', '2026-11-24 11:57:41.875+00'),
  ('01a20d6b-3f3a-7518-8260-73e124c9ca38', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'invitation.revoked', 'invitation', '01a20d6b-3d95-79ef-97e6-3a261b67b602', 'Ada King revoked the invitation of nobody@example.com to the organization Acme Robotics.', '127.0.0.1', '2026-11-24 11:57:42.028+00'),
  ('01a20d6b-3fdb-7749-ab53-b879d321de3a', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'invitation.created', 'invitation', '01a20d6b-3fa6-7e32-a369-181fd2c8948f', 'Ada King invited mary.4@example.com to the organization Acme Robotics as member.', '127.0.0.1', '2026-11-24 11:57:42.135+00'),
  ('01a20d6b-4044-7588-b44c-31b3d77447cf', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3f53-7eac-b1e7-3582695f587f', 'Mary', 'invitation.declined', 'invitation', '01a20d6b-3fa6-7e32-a369-181fd2c8948f', 'Mary declined the invitation to the organization Acme Robotics.', '127.0.0.1', '2026-11-24 11:57:42.308+00'),
  ('01a20d6b-40e3-712d-be68-f02c95dd15ee', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'invitation.created', 'invitation', '01a20d6b-40cb-7e3f-ac10-0d58b51866b7', 'Ada King invited gracehopper.5@example.com to the organization Acme Robotics as member.', '127.0.0.1', '2026-11-24 11:57:42.441+00'),
  ('01a20d6b-412e-7759-8df3-cc2dedb54782', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Grace Hopper', 'invitation.accepted', 'invitation', '01a20d6b-40cb-7e3f-ac10-0d58b51866b7', 'Grace Hopper accepted the invitation to the organization Acme Robotics.', '127.0.0.1', '2026-11-24 11:57:42.551+00'),
  ('01a20d6b-4159-7a87-8c81-c184c3a893b0', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Grace Hopper', 'member.added', 'organization_member', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Grace Hopper joined the organization Acme Robotics as member.', '127.0.0.1', '2026-11-24 11:57:42.551+00'),
  ('01a20d6b-41fa-7385-880e-162004353cf5', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'invitation.created', 'invitation', '01a20d6b-41d2-7275-8cf5-a31451043568', 'Ada King invited judy.6@example.com to the organization Acme Robotics as member.', '127.0.0.1', '2026-11-24 11:57:42.693+00'),
  ('01a20d6b-4347-7b6e-b8ca-2819939d3567', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-417c-753d-beb2-d127144dce1d', 'Judy', 'invitation.accepted', 'invitation', '01a20d6b-41d2-7275-8cf5-a31451043568', 'Judy accepted the invitation to the organization Acme Robotics.', '127.0.0.1', '2026-11-24 11:57:43.076+00'),
  ('01a20d6b-4357-7354-8811-18a53a4ffcdd', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-417c-753d-beb2-d127144dce1d', 'Judy', 'member.added', 'organization_member', '01a20d6b-417c-753d-beb2-d127144dce1d', 'Judy joined the organization Acme Robotics as member.', '127.0.0.1', '2026-11-24 11:57:43.076+00'),
  ('01a20d6b-4399-7feb-96e8-85b8ae1b1d3b', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'invitation.created', 'invitation', '01a20d6b-4389-74ad-9592-c838320f41ba', 'Ada King invited waiting@example.com to the organization Acme Robotics as member.', '127.0.0.1', '2026-11-24 11:57:43.157+00'),
  ('01a20d6b-43f3-7e50-b135-78fd7cb0b64e', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'member.role_changed', 'organization_member', '01a20d6b-417c-753d-beb2-d127144dce1d', 'Ada King changed Judy in the organization Acme Robotics: role from "member" to "admin".', '127.0.0.1', '2026-11-24 11:57:43.247+00'),
  ('01a20d6b-44e1-7b1e-8749-46cd7421f973', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'member.removed', 'organization_member', '01a20d6b-417c-753d-beb2-d127144dce1d', 'Ada King removed Judy from the organization Acme Robotics.', '127.0.0.1', '2026-11-24 11:57:43.359+00'),
  ('01a20d6b-4548-7c8c-b254-5bc4a2611930', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Grace Hopper', 'token.created', 'token', '01a20d6b-4539-7ec7-a891-2f9333364b9a', 'Grace Hopper created the personal token Bound for this organization, with the scope write.', '127.0.0.1', '2026-11-24 11:57:43.558+00'),
  ('01a20d6b-45af-76f7-925f-00f013a02fb3', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'token.revoked', 'token', '01a20d6b-4539-7ec7-a891-2f9333364b9a', 'Ada King revoked the personal token Bound of Grace Hopper.', '127.0.0.1', '2026-11-24 11:57:43.715+00'),
  ('01a20d6b-45e2-7ba8-b6ff-ea02426fb79a', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'token.created', 'token', '01a20d6b-45d9-70d1-9d6a-e17535064489', 'Ada King created the personal token Bound for this organization, with the scope write.', '127.0.0.1', '2026-11-24 11:57:43.737+00'),
  ('01a20d6b-4601-7008-b4c1-9b012c16cee4', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'token.revoked', 'token', '01a20d6b-45d9-70d1-9d6a-e17535064489', 'Ada King revoked the personal token Bound of Ada King.', '127.0.0.1', '2026-11-24 11:57:43.803+00'),
  ('01a20d6b-4633-7a18-81b1-a4864f2cca1a', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'token.created', 'token', '01a20d6b-462f-7e16-8b40-68ebbc471450', 'Ada King created the personal token Bound for this organization, with the scope write.', '127.0.0.1', '2026-11-24 11:57:43.823+00'),
  ('01a20d6b-46b3-73af-bfd9-d45daf23eb61', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'workspace.created', 'workspace', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Ada King created the workspace Platform.', '127.0.0.1', '2026-11-24 11:57:43.924+00'),
  ('01a20d6b-472a-7d9a-b8f3-fe23ba2bc4e1', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'workspace.updated', 'workspace', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Ada King changed the workspace Platform: description from none to "Everything"; budget_monthly_limit_usd from none to 100; gate_policy.required_approvals from 1 to 2; gate_policy.expires_in_seconds from none to 3600.', '127.0.0.1', '2026-11-24 11:57:44.083+00'),
  ('01a20d6b-477b-75b9-95d7-70da200db17c', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'workspace_member.added', 'workspace_member', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Ada King added Grace Hopper to the workspace Platform as member.', '127.0.0.1', '2026-11-24 11:57:44.179+00'),
  ('01a20d6b-47be-7f1b-ac74-6804050e14ec', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'workspace_member.updated', 'workspace_member', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Ada King changed Grace Hopper in the workspace Platform: role from "member" to "admin".', '127.0.0.1', '2026-11-24 11:57:44.234+00'),
  ('01a20d6b-47f5-777f-9ff0-3f39531d4e0f', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'workspace_member.removed', 'workspace_member', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Ada King removed Grace Hopper from the workspace Platform.', '127.0.0.1', '2026-11-24 11:57:44.282+00'),
  ('01a20d6b-4805-7967-ba5a-23bdd75b2515', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'workspace_member.added', 'workspace_member', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Ada King added Grace Hopper to the workspace Platform as admin.', '127.0.0.1', '2026-11-24 11:57:44.323+00'),
  ('01a20d6b-4821-7fe7-9470-9d9cf561976e', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'project.created', 'project', '01a20d6b-481d-790e-bfb5-ce63973b483f', 'Ada King created the project Checkout.', '127.0.0.1', '2026-11-24 11:57:44.347+00'),
  ('01a20d6b-4863-71f3-9eaa-1053b88412de', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'project.updated', 'project', '01a20d6b-481d-790e-bfb5-ce63973b483f', 'Ada King changed the project Checkout: description from none to "Payments".', '127.0.0.1', '2026-11-24 11:57:44.403+00'),
  ('01a20d6b-4bc8-76d9-9fc0-90e65ba9aac7', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'api_description.updated', 'api_description', '01a20d6b-481d-790e-bfb5-ce63973b483f', E'Ada King changed the API description of the project Checkout: title from none to "Checkout API"; version from none to "1.4.2"; operation_count from none to 3; content_type from none to "application/json"; source from none to "{\\"openapi\\":\\"3.1.0\\",\\"info\\":{\\"title\\":\\"Checkout API\\",\\"version\\":\\"1.4.2\\",\\"description…".', '127.0.0.1', '2026-11-24 11:57:45.279+00'),
  ('01a20d6b-4be8-73fd-8e5d-db3ceaefa75b', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'workflow_template.updated', 'workflow_template', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', E'Ada King changed the workflow template of the organization Acme Robotics: template from "# The workflow of a requirement, from planning to release.\\n#\\n# `steps` form a gr…" to "version: 1\\n".', '127.0.0.1', '2026-11-24 11:57:45.311+00'),
  ('01a20d6b-4c0a-778f-b90c-87fa2a47a491', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'workflow_template.updated', 'workflow_template', '01a20d6b-467f-7e38-a536-3c23e269efe0', E'Ada King changed the workflow template of the workspace Platform: template from "# The workflow of a requirement, from planning to release.\\n#\\n# `steps` form a gr…" to "version: 1\\n".', '127.0.0.1', '2026-11-24 11:57:45.35+00'),
  ('01a20d6b-4c21-7006-ad3a-b6320d07cc10', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'workflow_template.updated', 'workflow_template', '01a20d6b-481d-790e-bfb5-ce63973b483f', E'Ada King changed the workflow template of the project Checkout: template from "# The workflow of a requirement, from planning to release.\\n#\\n# `steps` form a gr…" to "version: 1\\n".', '127.0.0.1', '2026-11-24 11:57:45.37+00'),
  ('01a20d6b-4c44-78cb-9c83-087e6d087ee5', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Grace Hopper', 'runtime.online', 'runtime', '01a20d6b-4c38-7b31-9b44-16793a370718', 'Grace Hopper registered the runtime Farm on farm.example.com.', '127.0.0.1', '2026-11-24 11:57:45.397+00'),
  ('01a20d6b-4c78-768f-a2da-6eadcb4424c5', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'runtime.deleted', 'runtime', '01a20d6b-4c38-7b31-9b44-16793a370718', 'Ada King removed the runtime Farm.', '127.0.0.1', '2026-11-24 11:57:45.455+00'),
  ('01a20d6b-4c98-7a66-a536-e31a98a31618', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Grace Hopper', 'runtime.online', 'runtime', '01a20d6b-4c90-720a-b706-860b925cf14c', 'Grace Hopper registered the runtime Farm on farm.example.com.', '127.0.0.1', '2026-11-24 11:57:45.482+00'),
  ('01a20d6b-4cd1-769b-9d96-24a0d6beabb1', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'requirement.created', 'requirement', '01a20d6b-4ccd-7a0e-9b9d-21aec96b171b', 'Ada King created requirement #1, Not wanted.', '127.0.0.1', '2026-11-24 11:57:45.545+00'),
  ('01a20d6b-4cf9-7801-b6e2-adbbe2077343', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'requirement.deleted', 'requirement', '01a20d6b-4ccd-7a0e-9b9d-21aec96b171b', 'Ada King deleted requirement #1, Not wanted.', '127.0.0.1', '2026-11-24 11:57:45.59+00'),
  ('01a20d6b-4d3a-7bc2-9488-706d2a9b952a', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'requirement.created', 'requirement', '01a20d6b-4d2b-7988-8025-dea56b2e2416', 'Ada King created requirement #2, Pay by invoice.', '127.0.0.1', '2026-11-24 11:57:45.632+00'),
  ('01a20d6b-4d88-7ae0-a0bb-e0a9058eb77f', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'requirement.updated', 'requirement', '01a20d6b-4d2b-7988-8025-dea56b2e2416', 'Ada King changed requirement #2, Pay by invoice: kind from "feature" to "fix"; acceptance_criteria from [] to ["It pays"].', '127.0.0.1', '2026-11-24 11:57:45.71+00'),
  ('01a20d6b-4db4-7eed-aa34-ba4d51ff45f3', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Grace Hopper', 'execution.created', 'execution', '01a20d6b-4daf-772c-ab85-c54d99bb24b8', 'Grace Hopper queued an execution by claude.', '127.0.0.1', '2026-11-24 11:57:45.765+00'),
  ('01a20d6b-4e59-7779-8660-65979d3e3c19', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Grace Hopper', 'execution.started', 'execution', '01a20d6b-4daf-772c-ab85-c54d99bb24b8', 'Grace Hopper: the execution by claude is running.', '127.0.0.1', '2026-11-24 11:57:45.893+00'),
  ('01a20d6b-4ebb-7930-b995-c78d4ef43643', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Grace Hopper', 'execution.usage_reported', 'execution', '01a20d6b-4daf-772c-ab85-c54d99bb24b8', 'Grace Hopper reported 1 USD for the execution by claude.', '127.0.0.1', '2026-11-24 11:57:46+00'),
  ('01a20d6b-4f2c-7f8d-8a83-11246dd24c77', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Grace Hopper', 'gate.pending', 'gate', '01a20d6b-4f23-7353-857a-1bdf0b4ac899', 'Grace Hopper opened the gate Release review.', '127.0.0.1', '2026-11-24 11:57:46.113+00'),
  ('01a20d6b-5045-72af-9771-79f0e3765e1c', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'gate.approval_added', 'gate', '01a20d6b-4f23-7353-857a-1bdf0b4ac899', 'Ada King approved the gate Release review: 1 of 2.', '127.0.0.1', '2026-11-24 11:57:46.361+00'),
  ('01a20d6b-50b1-79ec-af20-f8d0db2b62fe', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Grace Hopper', 'gate.approved', 'gate', '01a20d6b-4f23-7353-857a-1bdf0b4ac899', 'Grace Hopper approved the gate Release review.', '127.0.0.1', '2026-11-24 11:57:46.498+00'),
  ('01a20d6b-5133-7a05-a1f0-d0ae8851e3f6', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Grace Hopper', 'execution.completed', 'execution', '01a20d6b-4daf-772c-ab85-c54d99bb24b8', 'Grace Hopper: the execution by claude is completed.', '127.0.0.1', '2026-11-24 11:57:46.645+00'),
  ('01a20d6b-51cd-77dd-bf21-b52532b2016a', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Grace Hopper', 'execution.created', 'execution', '01a20d6b-51c6-7d5a-ae43-b5bb80c9012f', 'Grace Hopper queued an execution by codex.', '127.0.0.1', '2026-11-24 11:57:46.794+00'),
  ('01a20d6b-5213-73c3-9970-7405c9c33e19', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Grace Hopper', 'execution.started', 'execution', '01a20d6b-51c6-7d5a-ae43-b5bb80c9012f', 'Grace Hopper: the execution by codex is running.', '127.0.0.1', '2026-11-24 11:57:46.88+00'),
  ('01a20d6b-5298-780c-a51e-18533116f297', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Grace Hopper', 'execution.failed', 'execution', '01a20d6b-51c6-7d5a-ae43-b5bb80c9012f', 'Grace Hopper: the execution by codex is failed.', '127.0.0.1', '2026-11-24 11:57:46.972+00'),
  ('01a20d6b-5311-77a1-a545-d3fd0e27240e', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Grace Hopper', 'execution.created', 'execution', '01a20d6b-5307-7cd3-a719-65e5113b8210', 'Grace Hopper queued an execution by claude.', '127.0.0.1', '2026-11-24 11:57:47.135+00'),
  ('01a20d6b-5361-7e03-bb27-04aa2adb1a28', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Grace Hopper', 'execution.cancelled', 'execution', '01a20d6b-5307-7cd3-a719-65e5113b8210', 'Grace Hopper: the execution by claude is cancelled.', '127.0.0.1', '2026-11-24 11:57:47.198+00'),
  ('01a20d6b-53d7-7066-bb48-f71bc08b065b', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Grace Hopper', 'execution.created', 'execution', '01a20d6b-53c9-773b-8644-4baf389cf8c4', 'Grace Hopper queued an execution by claude.', '127.0.0.1', '2026-11-24 11:57:47.323+00'),
  ('01a20d6b-5412-7bea-aadc-860d6e21d3e6', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Grace Hopper', 'execution.started', 'execution', '01a20d6b-53c9-773b-8644-4baf389cf8c4', 'Grace Hopper: the execution by claude is running.', '127.0.0.1', '2026-11-24 11:57:47.388+00'),
  ('01a20d6b-547e-7cc3-b148-a85dc44213f0', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Grace Hopper', 'gate.pending', 'gate', '01a20d6b-5470-7cd4-b6b4-466ef16c55b5', 'Grace Hopper opened the gate Release review.', '127.0.0.1', '2026-11-24 11:57:47.442+00'),
  ('01a20d6b-550b-7959-b666-becc928c9a13', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'gate.rejected', 'gate', '01a20d6b-5470-7cd4-b6b4-466ef16c55b5', 'Ada King rejected the gate Release review.', '127.0.0.1', '2026-11-24 11:57:47.599+00'),
  ('01a20d6b-551d-7aca-ac02-d7e2f2152007', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'execution.failed', 'execution', '01a20d6b-53c9-773b-8644-4baf389cf8c4', 'Ada King: the execution by claude is failed.', '127.0.0.1', '2026-11-24 11:57:47.599+00'),
  ('01a20d6b-5560-7baf-86fe-227474734ac7', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Grace Hopper', 'execution.created', 'execution', '01a20d6b-555d-7173-9149-b3aeaaebed9c', 'Grace Hopper queued an execution by claude.', '127.0.0.1', '2026-11-24 11:57:47.72+00'),
  ('01a20d6b-5575-78ed-bed7-56a8208b997a', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Grace Hopper', 'execution.started', 'execution', '01a20d6b-555d-7173-9149-b3aeaaebed9c', 'Grace Hopper: the execution by claude is running.', '127.0.0.1', '2026-11-24 11:57:47.761+00'),
  ('01a20d6b-5595-71fc-b74b-80e7d8624e63', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Grace Hopper', 'gate.pending', 'gate', '01a20d6b-5591-7574-8b65-7ddbd1bd9ab6', 'Grace Hopper opened the gate Legal.', '127.0.0.1', '2026-11-24 11:57:47.782+00'),
  ('01a20d6b-5c06-7d0e-a683-b703df07a3bf', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'system', NULL, 'Signalbox', 'gate.expired', 'gate', '01a20d6b-5591-7574-8b65-7ddbd1bd9ab6', 'The gate Legal expired without a decision.', NULL, '2026-11-24 11:57:49.403+00'),
  ('01a20d6b-5c0d-7750-99c9-8dc53c58b15b', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'system', NULL, 'Signalbox', 'execution.failed', 'execution', '01a20d6b-555d-7173-9149-b3aeaaebed9c', 'Signalbox: the execution by claude is failed.', NULL, '2026-11-24 11:57:49.403+00'),
  ('01a20d6b-5c33-70bf-ab42-503a04a24310', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'requirement.updated', 'requirement', '01a20d6b-4d2b-7988-8025-dea56b2e2416', 'Ada King changed requirement #2, Pay by invoice: status from "open" to "done".', '127.0.0.1', '2026-11-24 11:57:49.477+00'),
  ('01a20d6b-5cb0-7a5d-bc8f-5a55e5d01906', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.created', 'deployment_hook', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'Ada King created the deployment hook Deploy for production.', '127.0.0.1', '2026-11-24 11:57:49.554+00'),
  ('01a20d6b-5d3a-7e33-aea7-a003fdd11b91', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.updated', 'deployment_hook', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'Ada King changed the deployment hook Deploy: name from "Deploy" to "Deployment"; secret changed; headers.X-Key changed.', '127.0.0.1', '2026-11-24 11:57:49.724+00'),
  ('01a20d6b-5e76-7ebe-9a02-0a46bc3bea84', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.secret_rotated', 'deployment_hook', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'Ada King rotated the secret of the deployment hook Deployment; the old secret is valid until 2026-11-25T11:57:49.997Z.', '127.0.0.1', '2026-11-24 11:57:49.997+00'),
  ('01a20d6b-5f59-7c95-8dc0-bfd6ea54bdfb', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.tested', 'deployment_hook', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'Ada King tested the deployment hook Deployment.', '127.0.0.1', '2026-11-24 11:57:50.219+00'),
  ('01a20d6b-6105-75a0-b077-8ccbc0c98f82', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.triggered', 'deployment_hook', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'Ada King triggered the deployment hook Deployment.', '127.0.0.1', '2026-11-24 11:57:50.698+00'),
  ('01a20d6b-6253-7944-85b3-d6d027d85b0c', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.updated', 'deployment_hook', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'Ada King changed the deployment hook Deployment: report_within_seconds from none to 600.', '127.0.0.1', '2026-11-24 11:57:51.043+00'),
  ('01a20d6b-62a6-7ae1-8dca-47d089254da9', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.triggered', 'deployment_hook', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'Ada King triggered the deployment hook Deployment.', '127.0.0.1', '2026-11-24 11:57:51.091+00'),
  ('01a20d6b-6377-7618-9eba-0ba141a3a56f', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'token', NULL, 'The report token', 'rollout.reported', 'dispatch', '01a20d6b-627a-7381-9050-a0cfde2fb753', 'The report token reported that a rollout of the deployment hook Deployment to production is in progress.', '127.0.0.1', '2026-11-24 11:57:51.311+00'),
  ('01a20d6b-63b5-7fe9-a5a0-0f32e4babba1', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'rollout.reported', 'dispatch', '01a20d6b-627a-7381-9050-a0cfde2fb753', 'Ada King reported that a rollout of the deployment hook Deployment to production succeeded.', '127.0.0.1', '2026-11-24 11:57:51.366+00'),
  ('01a20d6b-640e-77c8-8a83-82eb1fa4b29b', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.triggered', 'deployment_hook', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'Ada King triggered the deployment hook Deployment.', '127.0.0.1', '2026-11-24 11:57:51.439+00'),
  ('01a20d6b-67aa-76b5-8e77-2dd1a4f89eeb', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.created', 'deployment_hook', '01a20d6b-67a2-7f85-abb3-8f9045eb05c9', 'Ada King created the deployment hook Pulled for production.', '127.0.0.1', '2026-11-24 11:57:52.414+00'),
  ('01a20d6b-67d3-707b-8a3c-8dd6192ff17d', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.pull_token_created', 'deployment_hook', '01a20d6b-67a2-7f85-abb3-8f9045eb05c9', 'Ada King created a pull token for the deployment hook Pulled; the one before no longer works.', '127.0.0.1', '2026-11-24 11:57:52.454+00'),
  ('01a20d6b-6807-7b61-b4ba-0c749431ae52', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.triggered', 'deployment_hook', '01a20d6b-67a2-7f85-abb3-8f9045eb05c9', 'Ada King triggered the deployment hook Pulled.', '127.0.0.1', '2026-11-24 11:57:52.505+00'),
  ('01a20d6b-6b6a-7754-be83-bee691d945e5', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.triggered', 'deployment_hook', '01a20d6b-67a2-7f85-abb3-8f9045eb05c9', 'Ada King triggered the deployment hook Pulled.', '127.0.0.1', '2026-11-24 11:57:53.38+00'),
  ('01a20d6b-7f04-744e-bb9d-e8a6f6c10980', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.updated', 'deployment_hook', '01a20d6b-67a2-7f85-abb3-8f9045eb05c9', 'Ada King changed the deployment hook Pulled: enabled from true to false.', '127.0.0.1', '2026-11-24 11:57:58.4+00'),
  ('01a20d6b-7f2a-70cc-acc3-40bbf3dd130a', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'dispatch.redelivered', 'dispatch', '01a20d6b-60ee-7357-8a4e-5f5e2feebc52', 'Ada King redelivered a manual.trigger to the deployment hook Deployment.', '127.0.0.1', '2026-11-24 11:57:58.43+00'),
  ('01a20d6b-7f7c-71e7-99b1-8ff73e145bd3', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.updated', 'deployment_hook', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'Ada King changed the deployment hook Deployment: supersede from false to true; max_age_seconds from none to 3600.', '127.0.0.1', '2026-11-24 11:57:58.517+00'),
  ('01a20d6b-7f9e-782f-9fd9-64e8ab77f0f3', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment.rollback', 'project', '01a20d6b-481d-790e-bfb5-ce63973b483f', 'Ada King requested a rollback to v1.4.2, sent to 1 deployment hook.', '127.0.0.1', '2026-11-24 11:57:58.545+00'),
  ('01a20d6b-8014-72f5-8df1-438dfdc6540e', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.triggered', 'deployment_hook', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'Ada King triggered the deployment hook Deployment.', '127.0.0.1', '2026-11-24 11:57:58.658+00'),
  ('01a20d6b-8058-76f0-87c2-0dbeb399bed0', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'dispatch.retried', 'dispatch', '01a20d6b-8004-7eff-ad22-7c15c5ff601a', 'Ada King retried a manual.trigger of the deployment hook Deployment.', '127.0.0.1', '2026-11-24 11:57:58.717+00'),
  ('01a20d6b-82e6-7ca5-aa2a-a5f793aa6c97', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.recovered', 'deployment_hook', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'Ada King redelivered 1 dispatches of the deployment hook Deployment.', '127.0.0.1', '2026-11-24 11:57:59.385+00'),
  ('01a20d6b-82fc-7fa9-a4b5-142af2a06f49', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.updated', 'deployment_hook', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'Ada King changed the deployment hook Deployment: paused from false to true.', '127.0.0.1', '2026-11-24 11:57:59.413+00'),
  ('01a20d6b-8310-771d-8b9d-dc9e5742f483', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.triggered', 'deployment_hook', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'Ada King triggered the deployment hook Deployment.', '127.0.0.1', '2026-11-24 11:57:59.431+00'),
  ('01a20d6b-8324-7598-9902-5745940b968f', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'dispatch.cancelled', 'dispatch', '01a20d6b-8308-7965-b5e0-2bce52a1c184', 'Ada King cancelled a manual.trigger of the deployment hook Deployment.', '127.0.0.1', '2026-11-24 11:57:59.455+00'),
  ('01a20d6b-833b-732c-893c-e9b48d0a45f8', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.triggered', 'deployment_hook', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'Ada King triggered the deployment hook Deployment.', '127.0.0.1', '2026-11-24 11:57:59.475+00'),
  ('01a20d6b-8344-76d1-9009-41bb0aea4321', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.updated', 'deployment_hook', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'Ada King changed the deployment hook Deployment: paused from true to false.', '127.0.0.1', '2026-11-24 11:57:59.49+00'),
  ('01a20d6b-83a3-732b-9f63-3dbf0aa03e4d', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'notification_channel.created', 'notification_channel', '01a20d6b-83a0-760a-a49a-1403df102f18', 'Ada King created the webhook channel Ops.', '127.0.0.1', '2026-11-24 11:57:59.579+00'),
  ('01a20d6b-83df-76c7-b688-2b37e924c075', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'notification_channel.updated', 'notification_channel', '01a20d6b-83a0-760a-a49a-1403df102f18', 'Ada King changed the notification channel Ops: name from "Ops" to "Operations".', '127.0.0.1', '2026-11-24 11:57:59.64+00'),
  ('01a20d6b-83f2-733d-a506-5f003600100a', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'subscription.created', 'subscription', '01a20d6b-83ef-7b90-816c-0f582cdbf0ec', 'Ada King subscribed the channel Operations to *.', '127.0.0.1', '2026-11-24 11:57:59.661+00'),
  ('01a20d6b-8427-7703-9a27-411da30156c4', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'subscription.deleted', 'subscription', '01a20d6b-83ef-7b90-816c-0f582cdbf0ec', 'Ada King ended the subscription of the channel Operations to *.', '127.0.0.1', '2026-11-24 11:57:59.696+00'),
  ('01a20d6b-843f-7570-94c5-3d790f9411c9', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'subscription.created', 'subscription', '01a20d6b-843c-7174-9ab3-ca39917a53f6', 'Ada King subscribed the channel Operations to *.', '127.0.0.1', '2026-11-24 11:57:59.725+00'),
  ('01a20d6b-8457-753a-8c43-4aea9aab81e4', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'notification_channel.tested', 'notification_channel', '01a20d6b-83a0-760a-a49a-1403df102f18', 'Ada King tested the notification channel Operations.', '127.0.0.1', '2026-11-24 11:57:59.754+00'),
  ('01a20d6b-84ca-784c-990a-741e860072a3', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.triggered', 'deployment_hook', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'Ada King triggered the deployment hook Deployment.', '127.0.0.1', '2026-11-24 11:57:59.852+00'),
  ('01a20d6b-8516-7b24-86bd-fb62e0461008', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'notification_channel.tested', 'notification_channel', '01a20d6b-83a0-760a-a49a-1403df102f18', 'Ada King tested the notification channel Operations.', '127.0.0.1', '2026-11-24 11:57:59.952+00'),
  ('01a20d6b-8546-7008-a8f1-58f51a8bf53b', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'notification_channel.created', 'notification_channel', '01a20d6b-8543-714d-8a9c-fc6e5b5de3f7', 'Ada King created the slack channel Slack.', '127.0.0.1', '2026-11-24 11:57:59.996+00'),
  ('01a20d6b-8557-7699-b0e7-0dca49f174f1', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'subscription.created', 'subscription', '01a20d6b-8555-7984-8a25-b06ebc21b5ee', 'Ada King subscribed the channel Slack to execution.*.', '127.0.0.1', '2026-11-24 11:58:00.016+00'),
  ('01a20d6b-8562-7feb-8efa-55e0945f9957', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'subscription.created', 'subscription', '01a20d6b-8561-71c4-aef9-c8269f93d67d', 'Ada King subscribed the channel Slack to gate.pending.', '127.0.0.1', '2026-11-24 11:58:00.028+00'),
  ('01a20d6b-8570-74f8-b04d-925fbe8a04db', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Grace Hopper', 'execution.created', 'execution', '01a20d6b-856f-7198-a12e-72f95b39c6c0', 'Grace Hopper queued an execution by claude.', '127.0.0.1', '2026-11-24 11:58:00.043+00'),
  ('01a20d6b-8581-70af-ab8e-c49b8d65a7aa', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Grace Hopper', 'execution.started', 'execution', '01a20d6b-856f-7198-a12e-72f95b39c6c0', 'Grace Hopper: the execution by claude is running.', '127.0.0.1', '2026-11-24 11:58:00.058+00'),
  ('01a20d6b-858c-74d9-9e09-978d54abc411', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Grace Hopper', 'gate.pending', 'gate', '01a20d6b-858a-7cc7-84e5-d53028817658', 'Grace Hopper opened the gate Release review.', '127.0.0.1', '2026-11-24 11:58:00.072+00'),
  ('01a20d6b-86c5-7d3b-ace2-ebc8415b3487', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'gate.approval_added', 'gate', '01a20d6b-858a-7cc7-84e5-d53028817658', 'Ada King approved the gate Release review: 1 of 2.', '127.0.0.1', '2026-11-24 11:58:00.36+00'),
  ('01a20d6b-8788-7eee-a5ac-000872f1b926', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Grace Hopper', 'gate.pending', 'gate', '01a20d6b-8784-734b-9419-aad670a7821a', 'Grace Hopper opened the gate Release review.', '127.0.0.1', '2026-11-24 11:58:00.566+00'),
  ('01a20d6b-882c-7f0c-a7ab-b0dbb4adc988', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'gate.rejected', 'gate', '01a20d6b-8784-734b-9419-aad670a7821a', 'Ada King rejected the gate Release review.', '127.0.0.1', '2026-11-24 11:58:00.737+00'),
  ('01a20d6b-8830-7ea4-ac50-0ccfad7538bd', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'execution.failed', 'execution', '01a20d6b-856f-7198-a12e-72f95b39c6c0', 'Ada King: the execution by claude is failed.', '127.0.0.1', '2026-11-24 11:58:00.737+00'),
  ('01a20d6b-892d-735e-81cf-3fe6c69c9eec', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'notification_channel.deleted', 'notification_channel', '01a20d6b-8543-714d-8a9c-fc6e5b5de3f7', 'Ada King deleted the notification channel Slack and its log.', '127.0.0.1', '2026-11-24 11:58:01.003+00'),
  ('01a20d6b-8965-7d47-9c7d-dbbf687430a1', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deliverable.requested', 'deliverable', '01a20d6b-8964-78e8-ab65-38671c1ad10c', 'Ada King requested the changelog of the project Checkout, version 1.', '127.0.0.1', '2026-11-24 11:58:01.053+00'),
  ('01a20d6b-8a70-703a-8593-efe67fe94223', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'system', NULL, 'Signalbox', 'deliverable.generated', 'deliverable', '01a20d6b-8964-78e8-ab65-38671c1ad10c', 'Signalbox generated Checkout: changelog, version 1.', NULL, '2026-11-24 11:58:01.322+00'),
  ('01a20d6b-8aa9-7700-a49f-1007f5a6b204', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deliverable.requested', 'deliverable', '01a20d6b-8aa8-7720-9061-0bf5f8cb398b', 'Ada King requested the summary of the project Checkout, version 1.', '127.0.0.1', '2026-11-24 11:58:01.379+00'),
  ('01a20d6b-8b88-71b9-bdb6-dc3a2c26c34f', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'system', NULL, 'Signalbox', 'deliverable.generated', 'deliverable', '01a20d6b-8aa8-7720-9061-0bf5f8cb398b', 'Signalbox generated Checkout: summary, version 1.', NULL, '2026-11-24 11:58:01.598+00'),
  ('01a20d6b-8bc9-7206-a2d7-5711acece33e', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deliverable.requested', 'deliverable', '01a20d6b-8bc8-7660-ad8d-6ee594824f18', 'Ada King requested the deployment guide of the project Checkout, version 1.', '127.0.0.1', '2026-11-24 11:58:01.666+00'),
  ('01a20d6b-8cb9-7e8f-bc75-d044c03a0862', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'system', NULL, 'Signalbox', 'deliverable.generated', 'deliverable', '01a20d6b-8bc8-7660-ad8d-6ee594824f18', 'Signalbox generated Checkout: deployment guide, version 1.', NULL, '2026-11-24 11:58:01.902+00'),
  ('01a20d6b-8d04-78a1-b556-a7f2670c7f06', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deliverable.requested', 'deliverable', '01a20d6b-8d03-7d15-805c-47956f7c0273', 'Ada King requested the API documentation of the project Checkout, version 1.', '127.0.0.1', '2026-11-24 11:58:01.98+00'),
  ('01a20d6b-8e53-772e-8c22-84515992145c', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'system', NULL, 'Signalbox', 'deliverable.generated', 'deliverable', '01a20d6b-8d03-7d15-805c-47956f7c0273', 'Signalbox generated Checkout: API documentation, version 1.', NULL, '2026-11-24 11:58:02.31+00'),
  ('01a20d6b-8e9d-734f-8dca-31b9c19eb4a3', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deliverable.requested', 'deliverable', '01a20d6b-8e99-7d11-84e5-2ddf69816bfe', 'Ada King requested the user manual of the project Checkout, version 1.', '127.0.0.1', '2026-11-24 11:58:02.377+00'),
  ('01a20d6b-8f70-7699-9089-d019b8cae8fa', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'system', NULL, 'Signalbox', 'deliverable.generated', 'deliverable', '01a20d6b-8e99-7d11-84e5-2ddf69816bfe', 'Signalbox generated Checkout: user manual, version 1.', NULL, '2026-11-24 11:58:02.6+00'),
  ('01a20d6b-8fa7-7c49-947b-b37edb2475ac', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deliverable.published', 'deliverable', '01a20d6b-8e99-7d11-84e5-2ddf69816bfe', 'Ada King published Checkout: user manual, version 1.', '127.0.0.1', '2026-11-24 11:58:02.645+00'),
  ('01a20d6b-8fef-72f6-998a-07afc47630be', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deliverable.archived', 'deliverable', '01a20d6b-8e99-7d11-84e5-2ddf69816bfe', 'Ada King archived Checkout: user manual, version 1.', '127.0.0.1', '2026-11-24 11:58:02.717+00'),
  ('01a20d6b-9042-7e07-9cbd-acbd96a63a9d', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'dual_track.created', 'dual_track', '01a20d6b-9034-7cda-aa64-19ba8deac80f', 'Ada King created a comparison of claude (a) and codex (b).', '127.0.0.1', '2026-11-24 11:58:02.772+00'),
  ('01a20d6b-9096-7c40-bef1-acdb2b9a4da8', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'dual_track.cancelled', 'dual_track', '01a20d6b-9034-7cda-aa64-19ba8deac80f', 'Ada King cancelled the comparison of claude (a) and codex (b).', '127.0.0.1', '2026-11-24 11:58:02.899+00'),
  ('01a20d6b-90a3-738f-9116-11c9a18dc289', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'dual_track.deleted', 'dual_track', '01a20d6b-9034-7cda-aa64-19ba8deac80f', 'Ada King deleted the comparison of claude (a) and codex (b).', '127.0.0.1', '2026-11-24 11:58:02.913+00'),
  ('01a20d6b-90af-7c01-b407-ffe4bf737aeb', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'dual_track.created', 'dual_track', '01a20d6b-90ad-729d-8904-3fec5ffdcdb5', 'Ada King created a comparison of claude (a) and codex (b).', '127.0.0.1', '2026-11-24 11:58:02.923+00'),
  ('01a20d6b-90ca-784c-88f2-fdb5258c622c', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'dual_track.started', 'dual_track', '01a20d6b-90ad-729d-8904-3fec5ffdcdb5', 'Ada King requested a comparison of claude (a) and codex (b).', '127.0.0.1', '2026-11-24 11:58:02.946+00'),
  ('01a20d6b-9155-7be4-a989-24e8ba135a01', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'system', NULL, 'Signalbox', 'dual_track.compared', 'dual_track', '01a20d6b-90ad-729d-8904-3fec5ffdcdb5', 'Signalbox compared claude (a) and codex (b).', NULL, '2026-11-24 11:58:03.09+00'),
  ('01a20d6b-918d-7285-9652-368e8fe31813', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'dual_track.decided', 'dual_track', '01a20d6b-90ad-729d-8904-3fec5ffdcdb5', 'Ada King decided for track a of claude (a) and codex (b).', '127.0.0.1', '2026-11-24 11:58:03.142+00'),
  ('01a20d6b-9480-7e5d-a36f-f238ef5c1342', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'audit_log.exported', 'audit_log', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'Ada King exported 128 entries of the audit log as ndjson.', '127.0.0.1', '2026-11-24 11:58:03.904+00'),
  ('01a20d6b-9497-7416-8085-fb6082289347', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'audit_log.exported', 'audit_log', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'Ada King exported 2 entries of the audit log as ndjson (action member.*, actor_id 01a20d6b-3123-79db-a1cd-35cd2f2726d5, start_date 2020-01-01T00:00:00.000Z, end_date 2099-01-01T00:00:00.000Z).', '127.0.0.1', '2026-11-24 11:58:03.926+00'),
  ('01a20d6b-949f-728f-8dab-abee902e9d25', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'audit_log.exported', 'audit_log', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'Ada King exported 2 entries of the audit log as csv (action member.*, actor_id 01a20d6b-3123-79db-a1cd-35cd2f2726d5, start_date 2020-01-01T00:00:00.000Z, end_date 2099-01-01T00:00:00.000Z).', '127.0.0.1', '2026-11-24 11:58:03.935+00'),
  ('01a20d6b-9ee6-7dde-83b1-13264812ac58', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'invitation.created', 'invitation', '01a20d6b-9ed8-7ed9-a585-b805af4e3c5e', 'Ada King invited invited@example.com to the organization Acme Robotics as member.', '127.0.0.1', '2026-11-24 11:58:06.538+00'),
  ('01a20d6b-9f9b-71f0-8551-ab0f73bf7b69', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-9f89-7af2-a166-5084cf04e31c', 'Guest', 'invitation.accepted', 'invitation', '01a20d6b-9ed8-7ed9-a585-b805af4e3c5e', 'Guest accepted the invitation to the organization Acme Robotics.', '127.0.0.1', '2026-11-24 11:58:06.743+00'),
  ('01a20d6b-9f9d-75e4-8449-e5e57f1df911', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-9f89-7af2-a166-5084cf04e31c', 'Guest', 'member.added', 'organization_member', '01a20d6b-9f89-7af2-a166-5084cf04e31c', 'Guest joined the organization Acme Robotics as member.', '127.0.0.1', '2026-11-24 11:58:06.743+00'),
  ('01a20d6b-9ff9-7943-ac31-0338f9bc2a52', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'invitation.created', 'invitation', '01a20d6b-9ff3-7166-ad00-988c76db3174', 'Ada King invited old.8@example.com to the organization Acme Robotics as member.', '127.0.0.1', '2026-11-24 11:58:06.83+00'),
  ('01a20d6b-a0b6-7ded-be05-148ae9b0cdfb', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-9fe4-7006-a26a-7817087e019d', 'Old', 'invitation.accepted', 'invitation', '01a20d6b-9ff3-7166-ad00-988c76db3174', 'Old accepted the invitation to the organization Acme Robotics.', '127.0.0.1', '2026-11-24 11:58:07.014+00'),
  ('01a20d6b-a0c0-7637-81c4-cd0fba96f0f7', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-9fe4-7006-a26a-7817087e019d', 'Old', 'member.added', 'organization_member', '01a20d6b-9fe4-7006-a26a-7817087e019d', 'Old joined the organization Acme Robotics as member.', '127.0.0.1', '2026-11-24 11:58:07.014+00'),
  ('01a20d6b-a132-7be2-a813-654dea76496b', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'invitation.created', 'invitation', '01a20d6b-a12f-7f16-a378-6a81b5dd08cb', 'Ada King invited late.9@example.com to the organization Acme Robotics as member.', '127.0.0.1', '2026-11-24 11:58:07.145+00'),
  ('01a20d6b-a178-7105-9af0-304dcc3bea79', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-a119-7e69-a00f-8ecc42599359', 'Late', 'invitation.accepted', 'invitation', '01a20d6b-a12f-7f16-a378-6a81b5dd08cb', 'Late accepted the invitation to the organization Acme Robotics.', '127.0.0.1', '2026-11-24 11:58:07.221+00'),
  ('01a20d6b-a17c-7022-b915-a60d4b0dfb80', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-a119-7e69-a00f-8ecc42599359', 'Late', 'member.added', 'organization_member', '01a20d6b-a119-7e69-a00f-8ecc42599359', 'Late joined the organization Acme Robotics as member.', '127.0.0.1', '2026-11-24 11:58:07.221+00'),
  ('01a20d6b-a1c6-735d-9f62-ff11eed92fe7', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'requirement.created', 'requirement', '01a20d6b-a1c4-7fe6-af1a-18bb5c2ba0b4', 'Ada King created requirement #3, Pay by invoice.', '127.0.0.1', '2026-11-24 11:58:07.3+00'),
  ('01a20d6b-a1cd-7b1c-a706-5abaca2a4169', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'execution.created', 'execution', '01a20d6b-a1cc-7b4a-aa85-39d605ae757e', 'Ada King queued an execution by claude.', '127.0.0.1', '2026-11-24 11:58:07.308+00'),
  ('01a20d6b-a1d4-7526-939e-7dd95cc9fc34', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'execution.started', 'execution', '01a20d6b-a1cc-7b4a-aa85-39d605ae757e', 'Ada King: the execution by claude is running.', '127.0.0.1', '2026-11-24 11:58:07.312+00'),
  ('01a20d6b-a1dd-7966-8450-396f2f263516', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'gate.pending', 'gate', '01a20d6b-a1db-7f8e-a2c7-97e9f666c035', 'Ada King opened the gate Page review.', '127.0.0.1', '2026-11-24 11:58:07.32+00'),
  ('01a20d6b-a293-7c4f-a807-0ad268d522a8', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'gate.approval_added', 'gate', '01a20d6b-a1db-7f8e-a2c7-97e9f666c035', 'Ada King approved the gate Page review: 1 of 2.', '127.0.0.1', '2026-11-24 11:58:07.503+00'),
  ('01a20d6b-a2da-737c-ada6-7a74178d270a', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'gate.pending', 'gate', '01a20d6b-a2d7-7c7c-85ca-5458374213a6', 'Ada King opened the gate Page review.', '127.0.0.1', '2026-11-24 11:58:07.566+00'),
  ('01a20d6b-a3d9-7f46-80d2-f9c852379ef7', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'gate.approval_added', 'gate', '01a20d6b-a2d7-7c7c-85ca-5458374213a6', 'Ada King approved the gate Page review: 1 of 2.', '127.0.0.1', '2026-11-24 11:58:07.799+00'),
  ('01a20d6b-a41b-7c99-994f-f3881023cfd1', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'gate.pending', 'gate', '01a20d6b-a41a-7488-a4ef-a040d87d43a4', 'Ada King opened the gate Page review.', '127.0.0.1', '2026-11-24 11:58:07.863+00'),
  ('01a20d6b-a431-75a3-846c-7c8105b2087b', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'gate.rejected', 'gate', '01a20d6b-a41a-7488-a4ef-a040d87d43a4', 'Ada King rejected the gate Page review.', '127.0.0.1', '2026-11-24 11:58:07.918+00'),
  ('01a20d6b-a436-722b-b948-953a84d196a1', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'execution.failed', 'execution', '01a20d6b-a1cc-7b4a-aa85-39d605ae757e', 'Ada King: the execution by claude is failed.', '127.0.0.1', '2026-11-24 11:58:07.918+00'),
  ('01a20d6b-a470-7c56-9145-a265958b2ee7', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'requirement.created', 'requirement', '01a20d6b-a46c-734f-aace-5230ec66d466', 'Ada King created requirement #4, Two tracks.', '127.0.0.1', '2026-11-24 11:58:07.978+00'),
  ('01a20d6b-a486-7e9a-af69-fd2fd62c5c0f', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'execution.created', 'execution', '01a20d6b-a484-71ad-bc65-fa21d4b70b52', 'Ada King queued an execution by alpha.', '127.0.0.1', '2026-11-24 11:58:07.994+00'),
  ('01a20d6b-a497-7ab7-b07e-17fbeb2e74f2', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'execution.created', 'execution', '01a20d6b-a495-7c97-b987-e0a6f3f129e9', 'Ada King queued an execution by beta.', '127.0.0.1', '2026-11-24 11:58:08.019+00'),
  ('01a20d6b-a58b-72a8-bf89-76feda3fffd5', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deliverable.requested', 'deliverable', '01a20d6b-a589-7a44-a1b7-d12a49176470', 'Ada King requested the changelog of the project Checkout, version 2.', '127.0.0.1', '2026-11-24 11:58:08.255+00'),
  ('01a20d6b-a6bc-7387-b2bd-6236aa81a286', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'system', NULL, 'Signalbox', 'deliverable.generated', 'deliverable', '01a20d6b-a589-7a44-a1b7-d12a49176470', 'Signalbox generated Checkout: changelog, version 2.', NULL, '2026-11-24 11:58:08.557+00'),
  ('01a20d6b-a7a8-76d4-bb6a-52cec8d05cd7', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deliverable.published', 'deliverable', '01a20d6b-a589-7a44-a1b7-d12a49176470', 'Ada King published Checkout: changelog, version 2.', '127.0.0.1', '2026-11-24 11:58:08.802+00'),
  ('01a20d6b-a7df-79eb-9db9-7e0d8a5d5b1b', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deliverable.archived', 'deliverable', '01a20d6b-a589-7a44-a1b7-d12a49176470', 'Ada King archived Checkout: changelog, version 2.', '127.0.0.1', '2026-11-24 11:58:08.859+00'),
  ('01a20d6b-a857-72f8-8314-94071e3e3545', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment.rollback', 'project', '01a20d6b-481d-790e-bfb5-ce63973b483f', 'Ada King requested a rollback to v1, sent to 1 deployment hook.', '127.0.0.1', '2026-11-24 11:58:08.97+00'),
  ('01a20d6b-a946-7c30-89fb-7100e390454e', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'execution.cancelled', 'execution', '01a20d6b-a484-71ad-bc65-fa21d4b70b52', 'Ada King: the execution by alpha is cancelled.', '127.0.0.1', '2026-11-24 11:58:09.204+00'),
  ('01a20d6b-a98a-7423-bc54-de6bb0a506ee', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'dual_track.created', 'dual_track', '01a20d6b-a987-7f37-81a8-21272648118f', 'Ada King created a comparison of alpha (a) and beta (b).', '127.0.0.1', '2026-11-24 11:58:09.283+00'),
  ('01a20d6b-a9e1-7be0-8a8d-3bc89a712e37', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'dual_track.started', 'dual_track', '01a20d6b-a987-7f37-81a8-21272648118f', 'Ada King requested a comparison of alpha (a) and beta (b).', '127.0.0.1', '2026-11-24 11:58:09.363+00'),
  ('01a20d6b-aa60-7605-8369-afebe90d4e69', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'system', NULL, 'Signalbox', 'dual_track.compared', 'dual_track', '01a20d6b-a987-7f37-81a8-21272648118f', 'Signalbox compared alpha (a) and beta (b).', NULL, '2026-11-24 11:58:09.5+00'),
  ('01a20d6b-aad1-739c-bf5d-89bfe5a18ae9', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'dual_track.decided', 'dual_track', '01a20d6b-a987-7f37-81a8-21272648118f', 'Ada King decided a tie between alpha (a) and beta (b).', '127.0.0.1', '2026-11-24 11:58:09.61+00'),
  ('01a20d6b-aaf2-714e-86f3-86a673390a49', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'dual_track.created', 'dual_track', '01a20d6b-aaee-7a46-94e6-85827481a90b', 'Ada King created a comparison of alpha (a) and beta (b).', '127.0.0.1', '2026-11-24 11:58:09.641+00'),
  ('01a20d6b-ab16-7ed1-9ea6-9223e3a8d558', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'dual_track.cancelled', 'dual_track', '01a20d6b-aaee-7a46-94e6-85827481a90b', 'Ada King cancelled the comparison of alpha (a) and beta (b).', '127.0.0.1', '2026-11-24 11:58:09.672+00'),
  ('01a20d6b-aeb5-72b8-a0c7-8f27610a79a8', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.tested', 'deployment_hook', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'Ada King tested the deployment hook Deployment.', '127.0.0.1', '2026-11-24 11:58:10.607+00'),
  ('01a20d6b-afb9-724d-b527-61fd4c14777f', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.triggered', 'deployment_hook', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'Ada King triggered the deployment hook Deployment.', '127.0.0.1', '2026-11-24 11:58:10.815+00'),
  ('01a20d6b-b03d-76d8-8faf-fd8775f92df4', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.recovered', 'deployment_hook', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'Ada King redelivered 2 dispatches of the deployment hook Deployment.', '127.0.0.1', '2026-11-24 11:58:10.999+00'),
  ('01a20d6b-b07b-7f5e-933d-d4ff17c145ce', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.updated', 'deployment_hook', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'Ada King changed the deployment hook Deployment: paused from false to true.', '127.0.0.1', '2026-11-24 11:58:11.063+00'),
  ('01a20d6b-b0ef-7543-9e64-bcb17977d2d9', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.triggered', 'deployment_hook', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'Ada King triggered the deployment hook Deployment.', '127.0.0.1', '2026-11-24 11:58:11.168+00'),
  ('01a20d6b-b12e-7f8b-8045-41e7dec285cc', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'dispatch.cancelled', 'dispatch', '01a20d6b-b0e6-74e2-8781-be943badce5e', 'Ada King cancelled a manual.trigger of the deployment hook Deployment.', '127.0.0.1', '2026-11-24 11:58:11.231+00'),
  ('01a20d6b-b15a-730e-86f8-04a259a2f380', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.updated', 'deployment_hook', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'Ada King changed the deployment hook Deployment: paused from true to false.', '127.0.0.1', '2026-11-24 11:58:11.284+00'),
  ('01a20d6b-b18e-7036-bb67-f55d84017a4e', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.updated', 'deployment_hook', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'Ada King changed the deployment hook Deployment: paused from false to true.', '127.0.0.1', '2026-11-24 11:58:11.338+00'),
  ('01a20d6b-b1ae-7a06-9dc9-7401f464ece4', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.triggered', 'deployment_hook', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'Ada King triggered the deployment hook Deployment.', '127.0.0.1', '2026-11-24 11:58:11.356+00'),
  ('01a20d6b-b1e3-71dd-a8ef-d4e6da3f5702', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.updated', 'deployment_hook', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'Ada King changed the deployment hook Deployment: paused from true to false.', '127.0.0.1', '2026-11-24 11:58:11.424+00'),
  ('01a20d6b-b20c-7aed-b2ed-9806a7dc1354', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'dispatch.retried', 'dispatch', '01a20d6b-b19d-768a-b74e-18e422fe9373', 'Ada King retried a manual.trigger of the deployment hook Deployment.', '127.0.0.1', '2026-11-24 11:58:11.452+00'),
  ('01a20d6b-b2e6-7aec-b766-b703c0925bdd', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'dispatch.redelivered', 'dispatch', '01a20d6b-b19d-768a-b74e-18e422fe9373', 'Ada King redelivered a manual.trigger to the deployment hook Deployment.', '127.0.0.1', '2026-11-24 11:58:11.671+00'),
  ('01a20d6b-b34d-7fed-83a0-a2abd4f8dbf1', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.updated', 'deployment_hook', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'Ada King changed the deployment hook Deployment: enabled from true to false.', '127.0.0.1', '2026-11-24 11:58:11.787+00'),
  ('01a20d6b-b383-7fea-a10e-ddfb453f5863', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.updated', 'deployment_hook', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'Ada King changed the deployment hook Deployment: enabled from false to true.', '127.0.0.1', '2026-11-24 11:58:11.839+00'),
  ('01a20d6b-b3c4-76f4-b3e2-dd634716cfc5', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.secret_rotated', 'deployment_hook', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'Ada King rotated the secret of the deployment hook Deployment.', '127.0.0.1', '2026-11-24 11:58:11.904+00'),
  ('01a20d6b-b3d3-7d7c-845e-b5a33d159e27', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.created', 'deployment_hook', '01a20d6b-b3d2-71e8-a939-890f9573c475', 'Ada King created the deployment hook Pulled for production.', '127.0.0.1', '2026-11-24 11:58:11.919+00'),
  ('01a20d6b-b3e0-71c8-9dfe-96c3da304b35', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.pull_token_created', 'deployment_hook', '01a20d6b-b3d2-71e8-a939-890f9573c475', 'Ada King created a pull token for the deployment hook Pulled; the one before no longer works.', '127.0.0.1', '2026-11-24 11:58:11.932+00'),
  ('01a20d6b-b3fe-74c6-8d02-95c8d013ab41', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'deployment_hook.deleted', 'deployment_hook', '01a20d6b-b3d2-71e8-a939-890f9573c475', 'Ada King deleted the deployment hook Pulled and its dispatches.', '127.0.0.1', '2026-11-24 11:58:11.958+00'),
  ('01a20d6b-b479-74ee-833a-20cdbb488295', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'notification_channel.tested', 'notification_channel', '01a20d6b-83a0-760a-a49a-1403df102f18', 'Ada King tested the notification channel Operations.', '127.0.0.1', '2026-11-24 11:58:12.075+00'),
  ('01a20d6b-b519-74a6-a10b-0e33a5df61e7', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'notification_channel.updated', 'notification_channel', '01a20d6b-83a0-760a-a49a-1403df102f18', 'Ada King changed the notification channel Operations: enabled from true to false.', '127.0.0.1', '2026-11-24 11:58:12.232+00'),
  ('01a20d6b-b52d-7636-b0c9-c9159d341435', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'notification_channel.updated', 'notification_channel', '01a20d6b-83a0-760a-a49a-1403df102f18', 'Ada King changed the notification channel Operations: enabled from false to true.', '127.0.0.1', '2026-11-24 11:58:12.264+00'),
  ('01a20d6b-b561-7353-9bce-4abec209625c', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'notification_channel.created', 'notification_channel', '01a20d6b-b55f-72e8-b336-43459a3ce872', 'Ada King created the slack channel Slack.', '127.0.0.1', '2026-11-24 11:58:12.314+00'),
  ('01a20d6b-b5d5-7093-afbb-83190d2e9801', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'notification_channel.deleted', 'notification_channel', '01a20d6b-b55f-72e8-b336-43459a3ce872', 'Ada King deleted the notification channel Slack and its log.', '127.0.0.1', '2026-11-24 11:58:12.436+00'),
  ('01a20d6b-b6c3-70b1-8675-c956682813bb', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'member.added', 'organization_member', '01a20d6b-b668-7af5-949a-4f4868968c6c', 'Ada King added Joining to the organization Acme Robotics as member.', '127.0.0.1', '2026-11-24 11:58:12.647+00'),
  ('01a20d6b-b70c-74c1-8710-ffcf03990b68', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'member.role_changed', 'organization_member', '01a20d6b-b668-7af5-949a-4f4868968c6c', 'Ada King changed Joining in the organization Acme Robotics: role from "member" to "admin".', '127.0.0.1', '2026-11-24 11:58:12.724+00'),
  ('01a20d6b-b72e-758d-9121-ef3f2e12b33a', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'member.removed', 'organization_member', '01a20d6b-b668-7af5-949a-4f4868968c6c', 'Ada King removed Joining from the organization Acme Robotics.', '127.0.0.1', '2026-11-24 11:58:12.774+00'),
  ('01a20d6b-b745-7d77-ad80-6a6bdc0cd3fe', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'invitation.created', 'invitation', '01a20d6b-b741-764e-b88d-abaf4c357922', 'Ada King invited page-guest@example.com to the organization Acme Robotics as member.', '127.0.0.1', '2026-11-24 11:58:12.799+00'),
  ('01a20d6b-b767-75d5-8df1-f2a9462064ae', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'invitation.resent', 'invitation', '01a20d6b-b741-764e-b88d-abaf4c357922', 'Ada King invited page-guest@example.com to the organization Acme Robotics as member.', '127.0.0.1', '2026-11-24 11:58:12.816+00'),
  ('01a20d6b-b7b6-71f2-83da-e95b248aeebd', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'invitation.revoked', 'invitation', '01a20d6b-b741-764e-b88d-abaf4c357922', 'Ada King revoked the invitation of page-guest@example.com to the organization Acme Robotics.', '127.0.0.1', '2026-11-24 11:58:12.902+00'),
  ('01a20d6b-b937-788e-a273-ccea73a76c92', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'audit_log.exported', 'audit_log', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'Ada King exported 150 entries of the audit log as csv (workspace_id 01a20d6b-467f-7e38-a536-3c23e269efe0).', '127.0.0.1', '2026-11-24 11:58:13.303+00'),
  ('01a20d6b-b9dd-767a-8391-0cd44ebf978c', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'workspace.updated', 'workspace', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Ada King changed the workspace Platform: gate_policy.required_approvals from 2 to 1; gate_policy.expires_in_seconds from 3600 to 86400.', '127.0.0.1', '2026-11-24 11:58:13.463+00'),
  ('01a20d6b-ba15-7c25-8830-ea657d627326', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'workspace.updated', 'workspace', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Ada King changed the workspace Platform: gate_policy.expires_in_seconds from 86400 to none.', '127.0.0.1', '2026-11-24 11:58:13.509+00'),
  ('01a20d6b-ba79-70b7-b142-fefc1905b029', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'member.added', 'organization_member', '01a20d6b-ba27-7728-a50e-9a33a00b4429', 'Ada King added Added to the organization Acme Robotics as member.', '127.0.0.1', '2026-11-24 11:58:13.595+00'),
  ('01a20d6b-babf-7297-b567-03874b739b3d', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'workspace_member.added', 'workspace_member', '01a20d6b-ba27-7728-a50e-9a33a00b4429', 'Ada King added Added to the workspace Platform as member.', '127.0.0.1', '2026-11-24 11:58:13.685+00'),
  ('01a20d6b-baf9-77c6-8ffa-b78b75e59e34', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'workspace_member.updated', 'workspace_member', '01a20d6b-ba27-7728-a50e-9a33a00b4429', 'Ada King changed Added in the workspace Platform: role from "member" to "admin".', '127.0.0.1', '2026-11-24 11:58:13.744+00'),
  ('01a20d6b-bb29-744c-b78f-bc535700e8ff', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada King', 'workspace_member.removed', 'workspace_member', '01a20d6b-ba27-7728-a50e-9a33a00b4429', 'Ada King removed Added from the workspace Platform.', '127.0.0.1', '2026-11-24 11:58:13.793+00'),
  ('01a20d6b-bdac-7d34-90f3-d43d9989af2f', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'notification_channel.tested', 'notification_channel', '01a20d6b-83a0-760a-a49a-1403df102f18', 'Ada Lovelace tested the notification channel Operations.', '127.0.0.1', '2026-11-24 11:58:14.427+00'),
  ('01a20d6b-bde3-7d8d-894b-a1698a5ebf46', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'deployment_hook.triggered', 'deployment_hook', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'Ada Lovelace triggered the deployment hook Deployment.', '127.0.0.1', '2026-11-24 11:58:14.473+00'),
  ('01a20d6b-be1a-781f-9278-e6946ca8f322', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'system', NULL, 'Signalbox', 'hook.disabled', 'deployment_hook', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'Signalbox disabled the deployment hook Deployment: The receiver answered 410 Gone.', NULL, '2026-11-24 11:58:14.54+00'),
  ('01a20d6b-be85-727f-a02d-8fae0eb4c7ec', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Platform', 'system', NULL, 'Signalbox', 'channel.disabled', 'notification_channel', '01a20d6b-83a0-760a-a49a-1403df102f18', 'Signalbox disabled the notification channel Operations: The receiver answered 410. It does not want any more messages.', NULL, '2026-11-24 11:58:14.623+00'),
  ('01a20d6b-ca94-7546-9203-554842a8168e', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'workspace.created', 'workspace', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Ada Lovelace created the workspace Release train.', '127.0.0.1', '2026-11-24 11:58:17.663+00'),
  ('01a20d6b-caf3-719c-bd9c-c45f644818f3', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'project.created', 'project', '01a20d6b-cae4-76ed-bb36-f1fc30366363', 'Ada Lovelace created the project Basket.', '127.0.0.1', '2026-11-24 11:58:17.822+00'),
  ('01a20d6b-cb37-716d-84b6-6861ddff93de', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'deployment_hook.created', 'deployment_hook', '01a20d6b-cb2d-7952-827d-5c98eb26d1ab', 'Ada Lovelace created the deployment hook Deploy to production for production.', '127.0.0.1', '2026-11-24 11:58:17.88+00'),
  ('01a20d6b-cb65-745c-8110-4d7f0b8b93f3', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'deployment_hook.created', 'deployment_hook', '01a20d6b-cb5f-7648-9214-31802a2e5a85', 'Ada Lovelace created the deployment hook Deploy to the factory for production.', '127.0.0.1', '2026-11-24 11:58:17.935+00'),
  ('01a20d6b-cb9d-7214-bcfc-96a39e0a2888', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'notification_channel.created', 'notification_channel', '01a20d6b-cb97-7c14-bc41-c1cae72c796d', 'Ada Lovelace created the webhook channel webhook.', '127.0.0.1', '2026-11-24 11:58:17.989+00'),
  ('01a20d6b-cbc0-7ba7-b430-dcaae5b2a785', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'subscription.created', 'subscription', '01a20d6b-cbbe-7f2c-b64a-823c02876b86', 'Ada Lovelace subscribed the channel webhook to gate.approved.', '127.0.0.1', '2026-11-24 11:58:18.033+00'),
  ('01a20d6b-cbda-71a7-b09e-d05b01eac7a3', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'notification_channel.created', 'notification_channel', '01a20d6b-cbd6-7fd3-9f8f-2988fbd93796', 'Ada Lovelace created the slack channel slack.', '127.0.0.1', '2026-11-24 11:58:18.061+00'),
  ('01a20d6b-cbe9-72ac-af61-a67ecaf6f7a6', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'subscription.created', 'subscription', '01a20d6b-cbe4-78da-8222-d6c4ec3b981d', 'Ada Lovelace subscribed the channel slack to gate.approved.', '127.0.0.1', '2026-11-24 11:58:18.081+00'),
  ('01a20d6b-cc05-745e-9b82-fb2165ed431e', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'notification_channel.created', 'notification_channel', '01a20d6b-cc00-7bfc-bcb7-2eeed5edd209', 'Ada Lovelace created the teams channel teams.', '127.0.0.1', '2026-11-24 11:58:18.102+00'),
  ('01a20d6b-cc15-7a2a-a6fe-80c5e80547c3', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'subscription.created', 'subscription', '01a20d6b-cc14-7342-a4f6-bb5bc694fed1', 'Ada Lovelace subscribed the channel teams to gate.approved.', '127.0.0.1', '2026-11-24 11:58:18.128+00'),
  ('01a20d6b-cc22-7563-9398-5491ff9242d1', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'notification_channel.created', 'notification_channel', '01a20d6b-cc20-7d65-88a4-c0575f24e034', 'Ada Lovelace created the feishu channel feishu.', '127.0.0.1', '2026-11-24 11:58:18.141+00'),
  ('01a20d6b-cc32-703e-8b92-16630381de02', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'subscription.created', 'subscription', '01a20d6b-cc2f-75b5-b652-df69c2cf1f00', 'Ada Lovelace subscribed the channel feishu to gate.approved.', '127.0.0.1', '2026-11-24 11:58:18.153+00'),
  ('01a20d6b-cc42-77ac-961b-0c0f3896e028', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'notification_channel.created', 'notification_channel', '01a20d6b-cc40-78a8-bda9-ab0175bb1ed7', 'Ada Lovelace created the email channel email.', '127.0.0.1', '2026-11-24 11:58:18.169+00'),
  ('01a20d6b-cc4e-7cbc-8e9e-237a56adf1f9', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'subscription.created', 'subscription', '01a20d6b-cc4d-725d-95ef-79ad9c152e43', 'Ada Lovelace subscribed the channel email to gate.approved.', '127.0.0.1', '2026-11-24 11:58:18.186+00'),
  ('01a20d6b-cc6d-79f9-8c86-aefee6f74a92', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'notification_channel.created', 'notification_channel', '01a20d6b-cc69-7a67-9fcb-10018227a033', 'Ada Lovelace created the slack channel slack.', '127.0.0.1', '2026-11-24 11:58:18.208+00'),
  ('01a20d6b-cc93-7f34-929c-1559ced60af4', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'subscription.created', 'subscription', '01a20d6b-cc91-7889-9d54-6f2d575f7742', 'Ada Lovelace subscribed the channel slack to gate.pending.', '127.0.0.1', '2026-11-24 11:58:18.25+00'),
  ('01a20d6b-ccc1-7b5e-a8a1-38296821a420', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'requirement.created', 'requirement', '01a20d6b-ccb7-71f1-a3df-adfdb2817e3a', 'Ada Lovelace created requirement #1, Pay by invoice.', '127.0.0.1', '2026-11-24 11:58:18.289+00'),
  ('01a20d6b-ccf8-7c53-8af6-aad6bf884525', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'execution.created', 'execution', '01a20d6b-ccf2-7a87-b1de-bec5414bd342', 'Ada Lovelace queued an execution by claude.', '127.0.0.1', '2026-11-24 11:58:18.34+00'),
  ('01a20d6b-cd50-7e63-a88e-0deb32ecc53b', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'execution.started', 'execution', '01a20d6b-ccf2-7a87-b1de-bec5414bd342', 'Ada Lovelace: the execution by claude is running.', '127.0.0.1', '2026-11-24 11:58:18.404+00'),
  ('01a20d6b-cd8c-7fc0-8ec1-99dceac5ef0e', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'gate.pending', 'gate', '01a20d6b-cd86-7a6e-9e94-491eeada9950', 'Ada Lovelace opened the gate Legal.', '127.0.0.1', '2026-11-24 11:58:18.484+00'),
  ('01a20d6b-cf20-71e9-a6a9-75a1020e0cc1', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'gate.pending', 'gate', '01a20d6b-cf16-7fea-8249-00a4cec37321', 'Ada Lovelace opened the gate Release review.', '127.0.0.1', '2026-11-24 11:58:18.898+00'),
  ('01a20d6b-cf59-764e-a241-4271caaee956', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'gate.approved', 'gate', '01a20d6b-cf16-7fea-8249-00a4cec37321', 'Ada Lovelace approved the gate Release review.', '127.0.0.1', '2026-11-24 11:58:18.942+00'),
  ('01a20d6b-d2da-7d51-b206-aee9b4b24d0f', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'gate.pending', 'gate', '01a20d6b-d2d7-75a6-95c3-12ee493fe145', 'Ada Lovelace opened the gate Release review.', '127.0.0.1', '2026-11-24 11:58:19.851+00'),
  ('01a20d6b-d2ef-7c3f-9a7e-9e76829edd5b', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'gate.approved', 'gate', '01a20d6b-d2d7-75a6-95c3-12ee493fe145', 'Ada Lovelace approved the gate Release review.', '127.0.0.1', '2026-11-24 11:58:19.879+00'),
  ('01a20d6b-d33e-7c01-99d5-1308765c813c', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'deployment_hook.triggered', 'deployment_hook', '01a20d6b-cb2d-7952-827d-5c98eb26d1ab', 'Ada Lovelace triggered the deployment hook Deploy to production.', '127.0.0.1', '2026-11-24 11:58:19.915+00'),
  ('01a20d6b-d361-72cc-bbc7-091d8b88429d', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'deliverable.requested', 'deliverable', '01a20d6b-d35f-7730-93bc-0121aa48e8f5', 'Ada Lovelace requested the summary of the project Basket, version 1.', '127.0.0.1', '2026-11-24 11:58:19.989+00'),
  ('01a20d6b-d3ac-7815-a1d0-6d8913f08d02', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'invitation.created', 'invitation', '01a20d6b-d392-725a-a50d-7d980fe6aa6a', 'Ada Lovelace invited somebody@example.com to the organization Acme Robotics as member.', '127.0.0.1', '2026-11-24 11:58:20.028+00'),
  ('01a20d6b-d3d3-7e3a-9241-9132ab79be2c', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'execution.created', 'execution', '01a20d6b-d3d1-7707-a9a7-b238e36528ab', 'Ada Lovelace queued an execution by claude.', '127.0.0.1', '2026-11-24 11:58:20.107+00'),
  ('01a20d6b-d3e4-7d82-873d-de3d5932f9c2', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'execution.started', 'execution', '01a20d6b-d3d1-7707-a9a7-b238e36528ab', 'Ada Lovelace: the execution by claude is running.', '127.0.0.1', '2026-11-24 11:58:20.122+00'),
  ('01a20d6b-d3fe-7508-b27a-1d112536c5bb', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'execution.completed', 'execution', '01a20d6b-d3d1-7707-a9a7-b238e36528ab', 'Ada Lovelace: the execution by claude is completed.', '127.0.0.1', '2026-11-24 11:58:20.151+00'),
  ('01a20d6b-d415-7682-8618-641864451b8f', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'execution.created', 'execution', '01a20d6b-d413-7875-8ec4-c4cf8bc95783', 'Ada Lovelace queued an execution by codex.', '127.0.0.1', '2026-11-24 11:58:20.178+00'),
  ('01a20d6b-d42b-7144-8d6d-a12075d45e74', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'execution.started', 'execution', '01a20d6b-d413-7875-8ec4-c4cf8bc95783', 'Ada Lovelace: the execution by codex is running.', '127.0.0.1', '2026-11-24 11:58:20.191+00'),
  ('01a20d6b-d438-7038-bbe9-610fe7b78a95', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'execution.completed', 'execution', '01a20d6b-d413-7875-8ec4-c4cf8bc95783', 'Ada Lovelace: the execution by codex is completed.', '127.0.0.1', '2026-11-24 11:58:20.211+00'),
  ('01a20d6b-d466-7698-912c-3f25764c817e', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'dual_track.created', 'dual_track', '01a20d6b-d463-7375-96c7-da67d0d4899a', 'Ada Lovelace created a comparison of claude (a) and codex (b).', '127.0.0.1', '2026-11-24 11:58:20.248+00'),
  ('01a20d6b-d483-7352-8208-74a10301ad5d', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Release train', 'human', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Ada Lovelace', 'dual_track.started', 'dual_track', '01a20d6b-d463-7375-96c7-da67d0d4899a', 'Ada Lovelace requested a comparison of claude (a) and codex (b).', '127.0.0.1', '2026-11-24 11:58:20.285+00');

insert into public.audit_log_seals (organization_id, seq, entry_id, hash) overriding system value values
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '01a20d6b-3af7-79dd-8f91-0150d5cf52bb', E'\\x001d80a2c3c608064d36c3ca10a6f585b11f0218056481c54b1cb959b69a107b'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '10', '01a20d6b-412e-7759-8df3-cc2dedb54782', E'\\x1d3f9a453a62dd7048cd6a7ac75946048f25a6194fb0a9bb7c0897d6574bf075'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '100', '01a20d6b-8557-7699-b0e7-0dca49f174f1', E'\\x0216ee84289eb982da269bf513e16f442de44549ecea645b8d97a841f4479c25'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '101', '01a20d6b-8562-7feb-8efa-55e0945f9957', E'\\x6ae124af8bebfb8033eed3e8c59b16764e220e76617d62f44c192b355e0ea56f'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '102', '01a20d6b-8570-74f8-b04d-925fbe8a04db', E'\\x146e65c8dcff4d56f3a69cfce60f5f702f4149920822506a709da636bc1dd2a2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '103', '01a20d6b-8581-70af-ab8e-c49b8d65a7aa', E'\\x6d2614bfde4a37140762aef18b8122bd9a00696eb2f84841ac51df3bee59a047'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '104', '01a20d6b-858c-74d9-9e09-978d54abc411', E'\\x9ca24fa30414e36349ae3a26f6dc8de13c627d0854113ed827c522940c1f400e'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '105', '01a20d6b-86c5-7d3b-ace2-ebc8415b3487', E'\\xc3deec99890ef333ab4bd8da89ee92f9d4c5d0fd352213d7266cfd2992c494cb'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '106', '01a20d6b-8788-7eee-a5ac-000872f1b926', E'\\x556b5a99ebce2809da6c82d15a818339207fc8e78a26da36553534a0fa951d82'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '107', '01a20d6b-882c-7f0c-a7ab-b0dbb4adc988', E'\\x41125c527b8cbc70c2a19e4c86be28b367b130d8f049e20f2bc1057164f473db'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '108', '01a20d6b-8830-7ea4-ac50-0ccfad7538bd', E'\\x0f1b559080412c44d6585775d38a9ecd58599b1e412cfabd72a4c06a57a3c145'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '109', '01a20d6b-892d-735e-81cf-3fe6c69c9eec', E'\\x1d39f82dd94a3e44fcf8ca8cf73a3478b44acbaaad28816e8b66ffbc10a633a0'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '11', '01a20d6b-4159-7a87-8c81-c184c3a893b0', E'\\xdfd50bbda5b32d3e3063fe9cc4d8e877ad51c5366e45a59afd1a6b60e43fe3f5'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '110', '01a20d6b-8965-7d47-9c7d-dbbf687430a1', E'\\x3655d392b1e7863f6931e3be698706ed90295e492788649d955236a894eefa54'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '111', '01a20d6b-8a70-703a-8593-efe67fe94223', E'\\xcc1fb8c6e2a5fdc558dc6fd1b4613631f2cbadf82a8cfee66ab78bbeeec94c2b'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '112', '01a20d6b-8aa9-7700-a49f-1007f5a6b204', E'\\x8757364c0be471234ea1784e8939ba3b2bdfc0200595374489d46d5c0c7ed7d4'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '113', '01a20d6b-8b88-71b9-bdb6-dc3a2c26c34f', E'\\xd980ca14bb15a6500d245aaabb6174593e78cbdae1defc5e740b92ed50474ab8'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '114', '01a20d6b-8bc9-7206-a2d7-5711acece33e', E'\\x3a3d20f417e30dcb152b0d39d921779e45fe9586099dedd85c86e967bd078271'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '115', '01a20d6b-8cb9-7e8f-bc75-d044c03a0862', E'\\x22785136cad037975d2851eb1d7da2432a78d077d1e929213782346d63f2a1ff'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '116', '01a20d6b-8d04-78a1-b556-a7f2670c7f06', E'\\x80a1da909f26c2332390d1b5c1570e19d35dde845a54fe28037ef6877c9095ea'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '117', '01a20d6b-8e53-772e-8c22-84515992145c', E'\\x71737e24a6bcf8b4c288ab3cd3f67ec16e6d14993c65d16f001d504a77e76ac4'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '118', '01a20d6b-8e9d-734f-8dca-31b9c19eb4a3', E'\\xaf3b1d8bb1fa09a4dc3285412957fc1e1a1257a57e58f42d5aea411f5ac2eb0c'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '119', '01a20d6b-8f70-7699-9089-d019b8cae8fa', E'\\x6092b8e8958072dec65800c174f69662356a9e8a8f3f98250084a4c583973110'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '12', '01a20d6b-41fa-7385-880e-162004353cf5', E'\\xd8b646ea43df7088d4a359811ad5625b96899c1d94ee3e92eb777f9f78c11e04'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '120', '01a20d6b-8fa7-7c49-947b-b37edb2475ac', E'\\x0a3f8398eb0f8e9f573428d3f46a0f265e8e868a6eebf02df88dc0c24764577b'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '121', '01a20d6b-8fef-72f6-998a-07afc47630be', E'\\xca1cb52a09a73bcee220c7e35916cb367177c100dbf8b54600bb4bc57d39511a'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '122', '01a20d6b-9042-7e07-9cbd-acbd96a63a9d', E'\\x103f6f17cdbf88be30ac82a8e950d8d065d3c89bb231fbfa44a57b1a0e99d9a6'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '123', '01a20d6b-9096-7c40-bef1-acdb2b9a4da8', E'\\x06d911add8d7998b5896bd078fb375ff1a1f0bf2ea372b971f4e1ca3aab187e1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '124', '01a20d6b-90a3-738f-9116-11c9a18dc289', E'\\x30c4e70ce9bfc2bae48d7a0a40b1d4f11df633a54bea8d2689340c5ada5411c8'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '125', '01a20d6b-90af-7c01-b407-ffe4bf737aeb', E'\\x6aa21bfdd1d03087ffe17ae343f06802df9110f6a150f007b37d71668d345660'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '126', '01a20d6b-90ca-784c-88f2-fdb5258c622c', E'\\x57d7e3708ea01b83aa4603ae2086e0cab6ce058b4cbb5a18ae5a5d5acc612fe1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '127', '01a20d6b-9155-7be4-a989-24e8ba135a01', E'\\x1a9ed9d9338d3b9105b86c22ff8f9aaaf99c5909899a79019eea53046bd7bb18'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '128', '01a20d6b-918d-7285-9652-368e8fe31813', E'\\xf4ef0fd6b88e0759ae48de502124824f5780f4db1b2b1688eab9040c06cfdf2f'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '129', '01a20d6b-9480-7e5d-a36f-f238ef5c1342', E'\\x9f8b8711f26573940b01550263c67cd44452fc8424ba8847d44717e1e44fb3f9'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '13', '01a20d6b-4347-7b6e-b8ca-2819939d3567', E'\\xa16e296a96ea1a125581140cc76f68fcb3d40bda52eda47532882a203eea3fb7'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '130', '01a20d6b-9497-7416-8085-fb6082289347', E'\\xbc64a4cc5ee8307f1d57eb455e89a8d12ba9949e9ae666a4a5a76f375a02469b'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '131', '01a20d6b-949f-728f-8dab-abee902e9d25', E'\\x9b37b519cc5bf05dbea510f4d9c1f58f0de241b4056b7ea5ed723bc1b9c89a86'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '132', '01a20d6b-9ee6-7dde-83b1-13264812ac58', E'\\xab449add7884faad74ce78351930554fe97360cd2fbb9171e122ead1b63da5fe'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '133', '01a20d6b-9f9b-71f0-8551-ab0f73bf7b69', E'\\x762540b18e97a2ae300e4c3479e5fa8c1e2254f597ec0a15b24b96c5ddaa432f'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '134', '01a20d6b-9f9d-75e4-8449-e5e57f1df911', E'\\x5ad5e21f0264b4eb4560a9e2737f9ec91061ffff7e54ee2a6babf0b877de8a63'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '135', '01a20d6b-9ff9-7943-ac31-0338f9bc2a52', E'\\x5213487e5e2fe967bb05a6bc94aa0ce93c1ac9cf6aff410b55e58a9720ae9851'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '136', '01a20d6b-a0b6-7ded-be05-148ae9b0cdfb', E'\\xd6d1352a1edfc8b7ac5268382ca05610db7b97a69d4a73227bdfe3723cd74a92'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '137', '01a20d6b-a0c0-7637-81c4-cd0fba96f0f7', E'\\xfd1f28757a3b3fc94bc795acf3f5f37b6d5dfe3171c55a6174b4cdc94dd608ed'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '138', '01a20d6b-a132-7be2-a813-654dea76496b', E'\\xdad718c99de28e65aef33f48a15115f2ed9d7904a7cce2e620fb03b8ff748db8'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '139', '01a20d6b-a178-7105-9af0-304dcc3bea79', E'\\x70757b1159e5fab1e44b23a6a1fe905db807dcb8433836a4086d291742f3eeb2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '14', '01a20d6b-4357-7354-8811-18a53a4ffcdd', E'\\xee9be23a04c5720d2cd4e7200ecbb3da63e785068ea22b04d603ea30615ef5d2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '140', '01a20d6b-a17c-7022-b915-a60d4b0dfb80', E'\\x91491b5c09718cff992e11e299789421c64eb4dfd1c9dfefa293e6fce514900f'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '141', '01a20d6b-a1c6-735d-9f62-ff11eed92fe7', E'\\x1c1d7ed11473e7aa094715ca28aa7845fd03646002dafade32a4991e15246bcf'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '142', '01a20d6b-a1cd-7b1c-a706-5abaca2a4169', E'\\x940c4496b24413afdf7fa464ee5d3c04711d2ef8328c33632da5d0799533e209'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '143', '01a20d6b-a1d4-7526-939e-7dd95cc9fc34', E'\\xc02097fea92f4c4c9ddebcb1dbed1bc8710804394458d16e9b4b593bdb0f8fcb'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '144', '01a20d6b-a1dd-7966-8450-396f2f263516', E'\\xf94ceb834339e03ff125cba91b51821397e4dd35df1a1ed34e5840de3cfb36bd'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '145', '01a20d6b-a293-7c4f-a807-0ad268d522a8', E'\\xbbe4dd3d152bff3997d018045acfea05f8b39523074e6f72d5d50a6427daba25'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '146', '01a20d6b-a2da-737c-ada6-7a74178d270a', E'\\x739d13f0e8ddd835b502e607cebf94885b6c615e4d9890fb47b401de5ecde71e'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '147', '01a20d6b-a3d9-7f46-80d2-f9c852379ef7', E'\\xf468a3af8d64ad09131fab5d6af06b106ddc75b66eb18cd8b391bc9fcd0dbb43'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '148', '01a20d6b-a41b-7c99-994f-f3881023cfd1', E'\\x1c6528c0369a5861ff44c415230b3ad2a972793851535fa6dca9c94d8375d4e6'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '149', '01a20d6b-a431-75a3-846c-7c8105b2087b', E'\\x7f5c07491770b482c81ff27415ef9e140a2d92ed3a0cd52ab17f1db0c218ddd4'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '15', '01a20d6b-4399-7feb-96e8-85b8ae1b1d3b', E'\\xd716cdda6361483887963228fbad406fd33d6518ad6d06e10f4499c006d66732'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '150', '01a20d6b-a436-722b-b948-953a84d196a1', E'\\xf8b7a9860de75e87f59bcafea48d59d0d52aeba3be2b18feec9faf131ce74503'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '151', '01a20d6b-a470-7c56-9145-a265958b2ee7', E'\\xe42ea9e954aff871edfe8fd846d5173ddcb9fc5bda421d7796da3e13190f5da6'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '152', '01a20d6b-a486-7e9a-af69-fd2fd62c5c0f', E'\\xe22527f365c6c69c39107700f21d8816180b6ab68bd931f8ac63250f086b9372'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '153', '01a20d6b-a497-7ab7-b07e-17fbeb2e74f2', E'\\xb4419e6ec434d438ebacf6ad8e62be26ba6347f6a25f4c58b1d93f9910ebd57a'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '154', '01a20d6b-a58b-72a8-bf89-76feda3fffd5', E'\\xd0340de349f76c59dabbdb2e59f2dac6cc7f183d3c35849f7a9e706b8dc6bfb0'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '155', '01a20d6b-a6bc-7387-b2bd-6236aa81a286', E'\\xb6d514a94b16a7527e8516205e80040b516b4062a84f133b10e6367a01cc7810'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '156', '01a20d6b-a7a8-76d4-bb6a-52cec8d05cd7', E'\\x135888ed55aaa6171047eb52b3ed88510cbb6d094e7ceea9b19fec518efd30c7'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '157', '01a20d6b-a7df-79eb-9db9-7e0d8a5d5b1b', E'\\x0b1f196f63f47308df389a1ff7143d24d72435a708b127b4267c32d2016fd99e'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '158', '01a20d6b-a857-72f8-8314-94071e3e3545', E'\\x8ed5a8c871d6225e0c06a447bdfc71b7ea60182367e34ac44a8b91edf4e4dd83'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '159', '01a20d6b-a946-7c30-89fb-7100e390454e', E'\\x24ae01361a2861029f413666e462cb88060cecaf7036d863a77df22744c35eb3'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '16', '01a20d6b-43f3-7e50-b135-78fd7cb0b64e', E'\\x73d32dbcb9f9c77a470e20e7d288e23eed721320ae5006076e30849dbb941aa2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '160', '01a20d6b-a98a-7423-bc54-de6bb0a506ee', E'\\x065b1a74635e6b66b4c7e992e5d324d4d284e9c2c97fc5622e13f192fb257b04'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '161', '01a20d6b-a9e1-7be0-8a8d-3bc89a712e37', E'\\xe4c90e4a876c791c54898a476a31d49689fef090894d8fe2becb18525b111fc4'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '162', '01a20d6b-aa60-7605-8369-afebe90d4e69', E'\\x9dd6228418f3f4c71cdec1e6f351a2b393905cf8bb4f0e40052456bf3c297e1b'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '163', '01a20d6b-aad1-739c-bf5d-89bfe5a18ae9', E'\\xe474da13f03d06b14c1f121e92297c2ab9a76b82f7bf9605e92e7f54cb070711'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '164', '01a20d6b-aaf2-714e-86f3-86a673390a49', E'\\x2725d31e2abe5fd7d828bb79b2303a7a5079d3355d5deb26712522c4d8c4b112'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '165', '01a20d6b-ab16-7ed1-9ea6-9223e3a8d558', E'\\x4da51306ee6259525f86ad97a62d57a4551c3ea4f3d83102550400ce0cd9d352'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '166', '01a20d6b-aeb5-72b8-a0c7-8f27610a79a8', E'\\x85dbddaacccd63719036243861233d19d31fe31da110d14421f666c310c1963d'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '167', '01a20d6b-afb9-724d-b527-61fd4c14777f', E'\\xff62d867031cd150668c051594d6095a21a6fedb80af6c8c5a2032e07cc1dd04'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '168', '01a20d6b-b03d-76d8-8faf-fd8775f92df4', E'\\x926340163fd3645324929daa8972774a0fa23c1f6ccdbc43d391701712cde491'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '169', '01a20d6b-b07b-7f5e-933d-d4ff17c145ce', E'\\x6953ea12bdb82e2328e4eae421f6117012fa5a5aec20ac77107fee9240228324'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '17', '01a20d6b-44e1-7b1e-8749-46cd7421f973', E'\\xb092d952414d8e204d731f04efb1aa72e80ecd21aea69ce5662ef7c5850f1993'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '170', '01a20d6b-b0ef-7543-9e64-bcb17977d2d9', E'\\x90c25df4c85f8ed28786c157e27c8c7442a1a273ebaf3ef3754b75031a9483ae'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '171', '01a20d6b-b12e-7f8b-8045-41e7dec285cc', E'\\x4ef10557087e0a01177e61c0a705582fe19235d774c9f597fdea718d87d4591f'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '172', '01a20d6b-b15a-730e-86f8-04a259a2f380', E'\\x43b198e5e685a18c0f2536059900489f77455d2f584563aac260bb34bfba59ea'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '173', '01a20d6b-b18e-7036-bb67-f55d84017a4e', E'\\x687dc0744ad54079dd62d6dbd0b4fc29180db2f75c5defb4e4966ff3afac9e40'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '174', '01a20d6b-b1ae-7a06-9dc9-7401f464ece4', E'\\xfa241e4b6c06733c834acbd22f35b1a22ccacd538a218a5c30a2dd5b44968451'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '175', '01a20d6b-b1e3-71dd-a8ef-d4e6da3f5702', E'\\xf682dd40d8463dbbcfeb52bdf76004e9cd1168909841d36dc5399aee8222d0cf'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '176', '01a20d6b-b20c-7aed-b2ed-9806a7dc1354', E'\\xe9173c7d87c4cdab92769c6936d8e936fc11207e93d8e7c1bd4aa06a12c24917'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '177', '01a20d6b-b2e6-7aec-b766-b703c0925bdd', E'\\x91a6030edd5c633390771486dac488a0853cfa1d45b8d763451a4bf368f1a128'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '178', '01a20d6b-b34d-7fed-83a0-a2abd4f8dbf1', E'\\x19a0a3ecf0b022540f101a716b04478345e0c04a68b7a6374a3670066ab5736f'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '179', '01a20d6b-b383-7fea-a10e-ddfb453f5863', E'\\xef19076dc4f397d12e43f2dc10015cae6d5cbf7303ddb06207dbd1399d1fa96e'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '18', '01a20d6b-4548-7c8c-b254-5bc4a2611930', E'\\xa4c674b9df5ab22ddafd4819cda5f4322b359d9d77cdcacbc1c8390877793f66'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '180', '01a20d6b-b3c4-76f4-b3e2-dd634716cfc5', E'\\x5ae54aa7f0bb4d2443ae03f928818c0a3d39f2a173087b03f76734040ef9da75'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '181', '01a20d6b-b3d3-7d7c-845e-b5a33d159e27', E'\\x5f96502b49a78c7c2ef430946ffd28a7cab652f62bff96bcc154aa0bdcc546da'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '182', '01a20d6b-b3e0-71c8-9dfe-96c3da304b35', E'\\xf580895cba88c6e9b25009483631d53773d44cbc72f46b8a9813741c1e77801e'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '183', '01a20d6b-b3fe-74c6-8d02-95c8d013ab41', E'\\xdcc5c005b60729633ecd35f7df89d2d4e54005ae4695124e979d918e4c546982'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '184', '01a20d6b-b479-74ee-833a-20cdbb488295', E'\\x8f3f22a51159eac1f85b75cfbbcee05b84c94298c517f6d67c887c33561bb6c3'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '185', '01a20d6b-b519-74a6-a10b-0e33a5df61e7', E'\\x3f66cddfa5f0c4f3c398e5a567c6bc2a4775ad078e0d798a84c7d55b0d307c3c'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '186', '01a20d6b-b52d-7636-b0c9-c9159d341435', E'\\xfb8bdda3bf767beb4dbdac7627ace0158805abee0138ebf01d64ef041e31d135'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '187', '01a20d6b-b561-7353-9bce-4abec209625c', E'\\x8e38f9f847e46a91a11ffd88c2fbb9185866fb255d06f625e211b5a7bf467994'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '188', '01a20d6b-b5d5-7093-afbb-83190d2e9801', E'\\xb668cb4903987d7a17233e78505fa9bbdf12f7fa51954903692b1aaddb2f7e67'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '189', '01a20d6b-b6c3-70b1-8675-c956682813bb', E'\\x828c0ba6d691ee03f77aff48d8f1b80fca768a1455db54bf0f70bed9d5ed6e47'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '19', '01a20d6b-45af-76f7-925f-00f013a02fb3', E'\\x9261f9919643bbf8d82113c4f5707a4ad4c50748e85ec0642184887864e39963'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '190', '01a20d6b-b70c-74c1-8710-ffcf03990b68', E'\\xd3824acdb82beafc60745eb56676394c6073643b4e43d8020306ae319a1f75b3'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '191', '01a20d6b-b72e-758d-9121-ef3f2e12b33a', E'\\x58e9cfc430d4c18bb737be40b59b2cfc7abca2dc3b5890868f36c290604c5902'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '192', '01a20d6b-b745-7d77-ad80-6a6bdc0cd3fe', E'\\xc2a984d34d715801ebf6653719a4a756867fff2009d741655a51f8f57543f700'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '193', '01a20d6b-b767-75d5-8df1-f2a9462064ae', E'\\x6c749d847b521e1d1aecac3ccd07514cf21bd731952f85fae55d8c0a6dd2348b'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '194', '01a20d6b-b7b6-71f2-83da-e95b248aeebd', E'\\x6b8b91dfa9f1264c79659035cede3ef8dd2a1322169437f68a24371d5803599a'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '195', '01a20d6b-b937-788e-a273-ccea73a76c92', E'\\x9580127c791425d8467e0871e72ad69040077bfd5e8d375a78e853f7ce84c13e'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '196', '01a20d6b-b9dd-767a-8391-0cd44ebf978c', E'\\x08b092f1b90f8037ce07432fbe2723b3390e296dbd23f26af69c50dc01dcd303'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '197', '01a20d6b-ba15-7c25-8830-ea657d627326', E'\\x6bd3756532c5d2fb2916f08d4c3a6d746edb369823e43b9f77105a7d5bb7acea'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '198', '01a20d6b-ba79-70b7-b142-fefc1905b029', E'\\x3df2d7f82d2b45958830a8edb7dee5310edab892bfd95a2847c498e9bcde3f33'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '199', '01a20d6b-babf-7297-b567-03874b739b3d', E'\\xd1b85c475dbd19a2591afd8466e164ccce9c167f0ac9d03afb630f44d528c2d5'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '2', '01a20d6b-3bc7-7882-87eb-da9da2b3bcb1', E'\\xd3720c4f63c43314b51d51ed0a5b3dca86e607f87c5abc26f02bfdad2d4b6dd7'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '20', '01a20d6b-45e2-7ba8-b6ff-ea02426fb79a', E'\\x3f04fda96c301307d72b872ca1874093e2970e1d88b86879df75a50ce8062a0b'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '200', '01a20d6b-baf9-77c6-8ffa-b78b75e59e34', E'\\x35baff41587a3c2cbc79b0c30176ab15db4fce8050d3952b301a07ae6bb9d6f2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '201', '01a20d6b-bb29-744c-b78f-bc535700e8ff', E'\\x04af8d9ac0ce62c89e950b13f282ebeecf8878307e168918eff4df5eb4d1b4a1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '202', '01a20d6b-bdac-7d34-90f3-d43d9989af2f', E'\\x206dfebef6f850a9db745210fe906e9965f5083683f5de04c9dcf5afcb435758'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '203', '01a20d6b-bde3-7d8d-894b-a1698a5ebf46', E'\\xa402e6ea6687dd3707bcb40ab55063b3b74c85e62431cb2d3a503d37994b78c8'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '204', '01a20d6b-be1a-781f-9278-e6946ca8f322', E'\\xe79209a00db9da3d5f4ff0f008efaf56d9928f3004f6505fcc804e603ddab76b'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '205', '01a20d6b-be85-727f-a02d-8fae0eb4c7ec', E'\\x93078af3054d5a9eaa987c41d0e4ca9a7b1961edbd4e6ad2e4db595d900061ec'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '206', '01a20d6b-ca94-7546-9203-554842a8168e', E'\\x4b6fb466f0955ccd5ce060803679ee41f37cec808e8d49ea4cdf435e05624482'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '207', '01a20d6b-caf3-719c-bd9c-c45f644818f3', E'\\x35fe92622515fa5a2ca646a9ffd6f8601fe6edc832b4410b9f77192401b2b26e'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '208', '01a20d6b-cb37-716d-84b6-6861ddff93de', E'\\x9fe469cbf1d9ec1019bee6d6333a02e058fa8c7aa85d44f1b40b7c2379a4e27d'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '209', '01a20d6b-cb65-745c-8110-4d7f0b8b93f3', E'\\x537e8a3750b2fb0d5395875175099c86f33f8ee156088b01d2a77d4439c168a5'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '21', '01a20d6b-4601-7008-b4c1-9b012c16cee4', E'\\xa864e3396892dd4d578370fd99e591400e4eb85148c260d694dafb4aa13c9a23'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '210', '01a20d6b-cb9d-7214-bcfc-96a39e0a2888', E'\\x2a361b6bfd8db12bb54e3e5337f6e5164e7645db67e0fd6cb80f2adbd38fa69e'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '211', '01a20d6b-cbc0-7ba7-b430-dcaae5b2a785', E'\\x30042a9950bb2e754cc3292e90d3c020bbeed721765c321f0476d0b220f16a7b'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '212', '01a20d6b-cbda-71a7-b09e-d05b01eac7a3', E'\\x300ddb48c87ec6abf79e755d2df0a7cbd40c168175212fd6f69c23fbaedc11d8'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '213', '01a20d6b-cbe9-72ac-af61-a67ecaf6f7a6', E'\\x6ad5e470be4947425cd480ddf06160e797064b399fd0851839e2d2dc4f57244c'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '214', '01a20d6b-cc05-745e-9b82-fb2165ed431e', E'\\xa0592dc3e32699c4aa0400454bf5f4de3c3e6817cdfc48133d966df4ef35b22a'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '215', '01a20d6b-cc15-7a2a-a6fe-80c5e80547c3', E'\\xd4f6b540564da533310bef189e746e12909ac943a76c7999a84c8eadd7bae9da'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '216', '01a20d6b-cc22-7563-9398-5491ff9242d1', E'\\x5e23e5f675f0a364dbeb6411387550fc569f77bca399b684f0859be27dde02c9'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '217', '01a20d6b-cc32-703e-8b92-16630381de02', E'\\xff88cb25d1a97bf05b70729d1ecbc99e2c748a6f5b22f442b1b71e345795c852'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '218', '01a20d6b-cc42-77ac-961b-0c0f3896e028', E'\\x612ad8b5b6bd13a33adcb9129bf5d6e299fb1b12cd6e6d518628be71b780e6a0'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '219', '01a20d6b-cc4e-7cbc-8e9e-237a56adf1f9', E'\\x2c59f99b69a3c6833cc33ca45afe9d23ac058dadacda57d162b7d8e00c09c8e7'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '22', '01a20d6b-4633-7a18-81b1-a4864f2cca1a', E'\\xd438d4e9d6decfe04cb760e747ff224e053cd5faee8db7779e740651861fc39f'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '220', '01a20d6b-cc6d-79f9-8c86-aefee6f74a92', E'\\xe67824a75039099efc47d728be3f0ba0a15685e7e5fad032f5a2e14d3c82857a'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '221', '01a20d6b-cc93-7f34-929c-1559ced60af4', E'\\xb079a469752b589864b7cd7bfbfa879cb93fb59f6aede78edaaaf6805ccc9000'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '222', '01a20d6b-ccc1-7b5e-a8a1-38296821a420', E'\\xc13925b6fd0292ce600424f202497c2b4493bf1ee03e857f39d63a48bb19c2d5'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '223', '01a20d6b-ccf8-7c53-8af6-aad6bf884525', E'\\x2f17938ee701d8d44a4b8ddbd2b0b33474fe1ffff3ba4c5068fef1f7a71bb208'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '224', '01a20d6b-cd50-7e63-a88e-0deb32ecc53b', E'\\x653e507f835266414b9a091f841b332931e2e95baa462c8f6fb459ce416d7d09'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '225', '01a20d6b-cd8c-7fc0-8ec1-99dceac5ef0e', E'\\x1904eef7bcad8d0fd68ed51364448d4cc607c913627c95df1ff86584a7106e5c'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '226', '01a20d6b-cf20-71e9-a6a9-75a1020e0cc1', E'\\x5ee2d8b69aaf9a33c36b653cd67f293bde608da25fa4a2e1eb321b640a50b746'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '227', '01a20d6b-cf59-764e-a241-4271caaee956', E'\\x119c0217981c831129ef9b021a06d3f4de3a737a5d612c6afcdde0482394bd00'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '23', '01a20d6b-46b3-73af-bfd9-d45daf23eb61', E'\\xc0046b4da4ab875bdb0a4ea3b0b4653c500d6284fa9bed97ad821ff94f251ac3'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '24', '01a20d6b-472a-7d9a-b8f3-fe23ba2bc4e1', E'\\x4c424d83b09d62845cb8c8fa7f58ba566dcd80ddd48ba1438d34f5a9a035593a'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '25', '01a20d6b-477b-75b9-95d7-70da200db17c', E'\\xb458f2682ace33e5b221c44f609ae6640445eb0eb78532ece46a5759c9eff756'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '26', '01a20d6b-47be-7f1b-ac74-6804050e14ec', E'\\xc09fb174ad17ce9d0ef771d6459124216cf4cf78d2632b7f30864f3c190c84b9'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '27', '01a20d6b-47f5-777f-9ff0-3f39531d4e0f', E'\\x20ef79a6a6ead0a41bd0c0f3d0f7342462d553773f3f162b671b61376ba1f5fd'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '28', '01a20d6b-4805-7967-ba5a-23bdd75b2515', E'\\x2f2c88099f8362488d57a589b986ba478d22b35cfabc082826adcafd75215817'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '29', '01a20d6b-4821-7fe7-9470-9d9cf561976e', E'\\xbc2a31c31ca9eba757d8b6b9f5732de9f60429457cbdf5ac6266ab7cdc2dcaec'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '3', '01a20d6b-3ce1-7764-b576-69c42040a7e6', E'\\x482715d16350d136e2cacdd3d8a8cd73ad5a5e52ac28c52c1c23d96219c06e34'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '30', '01a20d6b-4863-71f3-9eaa-1053b88412de', E'\\x0247916de3439b9522ba16cfe576dea86a6aadca8b576b538073e8d50b735e30'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '31', '01a20d6b-4bc8-76d9-9fc0-90e65ba9aac7', E'\\xc35dbab715fdcfbcad91355a15b503e722e06db32b592b7f3f1a88eb7451875c'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '32', '01a20d6b-4be8-73fd-8e5d-db3ceaefa75b', E'\\xd4fd077e879392bedd61c8c698d6e34c955a0c1ff90398774f5271310fe7f9d3'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '33', '01a20d6b-4c0a-778f-b90c-87fa2a47a491', E'\\x4e96c71cc0a88bf52a6df21fc9eac123d8b0df10c47ba52abf004565ec9ef752'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '34', '01a20d6b-4c21-7006-ad3a-b6320d07cc10', E'\\x4114c9858281326518dd003b9d69006eb565f6d97f91e9b52970f6975265583a'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '35', '01a20d6b-4c44-78cb-9c83-087e6d087ee5', E'\\x70cae8bf422fd2c382a3a0adbf4fa9bbf26f01c1585601e6a9d8bb89b82fd548'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '36', '01a20d6b-4c78-768f-a2da-6eadcb4424c5', E'\\x23e02962ddfc3204eb4c2e30a396564c2275ec3b222f1d7a80397c4e69fe7712'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '37', '01a20d6b-4c98-7a66-a536-e31a98a31618', E'\\xfc09e982e8dea12cc2d15f96641fedaf71205c70c1044d11f5a78077c6b6dea3'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '38', '01a20d6b-4cd1-769b-9d96-24a0d6beabb1', E'\\x47600c6ded2b878d916dd448a1ad7f3e1cfce2aee4e333159f48fc0b78d474bf'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '39', '01a20d6b-4cf9-7801-b6e2-adbbe2077343', E'\\x236769016e2253e24c04ccf7f29039cddd9d146e416c3f503ecc6d292700b5de'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '4', '01a20d6b-3df1-7bd2-9fad-3ec2e98c9fc9', E'\\x29acb650c6749d841259bcf95c1f5beda455f5fef8aac671d7bbc9da215a3b8a'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '40', '01a20d6b-4d3a-7bc2-9488-706d2a9b952a', E'\\x48102a2fde78031f3258740d0df5e2df6ddc60685f3de2922c7160cbb2165a6b'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '41', '01a20d6b-4d88-7ae0-a0bb-e0a9058eb77f', E'\\x71878ed6d4f0bb2f259042ec51c75522ea892ae886699993ee69251014d9c52b'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '42', '01a20d6b-4db4-7eed-aa34-ba4d51ff45f3', E'\\x309f1079421e5411857d6e1c35403b23c7edb0ddb9ec76dc0b41917ee542abd1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '43', '01a20d6b-4e59-7779-8660-65979d3e3c19', E'\\xc96c6040adf9acefbf1ddebc581dedcd16f6a492f172e3736eee42ec369695e1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '44', '01a20d6b-4ebb-7930-b995-c78d4ef43643', E'\\x1156121d1637adafc4277cb1704d55aebbbe77090b952de8ab7a71e594967e32'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '45', '01a20d6b-4f2c-7f8d-8a83-11246dd24c77', E'\\xc2442f3dcf5626a837ea650510ca547ea3d52b8aa9dd2d3f31081cc107822c11'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '46', '01a20d6b-5045-72af-9771-79f0e3765e1c', E'\\xa7602acbf1d98602b9a5893bb4e2bc5fe933725b0972ac3644ab6c8dedd83e42'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '47', '01a20d6b-50b1-79ec-af20-f8d0db2b62fe', E'\\x5184963efb0611b45cbc7644732911c5a41828a0060658950dea70c4c797940d'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '48', '01a20d6b-5133-7a05-a1f0-d0ae8851e3f6', E'\\xb0bc61c7651985686729200e93579a3a8c5d4f0a544b69612bb3836fa6536d74'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '49', '01a20d6b-51cd-77dd-bf21-b52532b2016a', E'\\x22a76b2f19496f549501b26503695942e9398b707ea86e9f16892e830f4895e2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '5', '01a20d6b-3ed4-7c54-a3f1-60eb71f8bff8', E'\\x933c9db22c3fbafac74e29d266609167efb034af53f27c2af3533a119116401a'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '50', '01a20d6b-5213-73c3-9970-7405c9c33e19', E'\\x22096289fd1b3402fc2b932f1b8dbb631e6025b5dcd7fccecf7d1cf171ca12c4'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '51', '01a20d6b-5298-780c-a51e-18533116f297', E'\\x51e7fb2ca969f9b9892fe4d851f179fab5e136cefebf6c92928c8d53b719660f'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '52', '01a20d6b-5311-77a1-a545-d3fd0e27240e', E'\\xa5a85c408a180439878f2324329046be8182c412ee88ebdd583f78265a206994'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '53', '01a20d6b-5361-7e03-bb27-04aa2adb1a28', E'\\x5ba53a019b19142f1470347c57056b4b60b653fd2b16979e405324c5fc83bb65'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '54', '01a20d6b-53d7-7066-bb48-f71bc08b065b', E'\\x4e08cffc162709a40347b7063541eec0602054c8bd182d3fbbb42ebc6b2215fe'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '55', '01a20d6b-5412-7bea-aadc-860d6e21d3e6', E'\\x34624eaa79556d1affe231b7ad821812d594c3f2e7fbd658ecbaa02af7941c69'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '56', '01a20d6b-547e-7cc3-b148-a85dc44213f0', E'\\x41cc145241d3db17cf8b2114007bbe0476c2767268407817c8bc2562c1d825ec'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '57', '01a20d6b-550b-7959-b666-becc928c9a13', E'\\x25f7ebed4cc1fdba1c424fa857afdc50bacab00fd96376ecd55edbe1b633370b'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '58', '01a20d6b-551d-7aca-ac02-d7e2f2152007', E'\\x9562a05f82cf94df2fb562d8f63f9aa1b304765013e9f2e9d52fd9a9d569e875'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '59', '01a20d6b-5560-7baf-86fe-227474734ac7', E'\\x5cc176016ef0947899b5d4ca10124d3c811857a8a30ccf67a323c94fd9a555fa'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '6', '01a20d6b-3f3a-7518-8260-73e124c9ca38', E'\\x90ba141ce02497e92248f1b732edf3b4bda92c8001e713d676171b9ffeeae5a7'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '60', '01a20d6b-5575-78ed-bed7-56a8208b997a', E'\\x6c3d16605767cdf3aebfacd15f37236fd887dbf537082597ee7d611d9073842d'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '61', '01a20d6b-5595-71fc-b74b-80e7d8624e63', E'\\x58ad0e8f145145862dbe4965244d2b4a44fb4d4c1da493ad14bcbd90d34330ce'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '62', '01a20d6b-5c06-7d0e-a683-b703df07a3bf', E'\\x73ac8c8024e75943d39a04dd031b7648dacf5bbc3dc4e8271526fdd8626a39ef'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '63', '01a20d6b-5c0d-7750-99c9-8dc53c58b15b', E'\\x5d4302a4f509c219fad0666ddc5753cf63062ec5548fa55557be1eacaa62bb3e'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '64', '01a20d6b-5c33-70bf-ab42-503a04a24310', E'\\x003af48e6e8118817622f4da5a6c49d372dd2528c1229b5e84241715b620c3dd'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '65', '01a20d6b-5cb0-7a5d-bc8f-5a55e5d01906', E'\\xd6903decd32b1ddc60f2670b283452566bdabfb486c9428f3ae3e0b74a30f913'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '66', '01a20d6b-5d3a-7e33-aea7-a003fdd11b91', E'\\x095f3c60f79e46b3680c73bd35678ef8c4aaefb755932a4f539bd178d502e904'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '67', '01a20d6b-5e76-7ebe-9a02-0a46bc3bea84', E'\\x416620304fb48b2f511e8dc2fe9104fa169f1791cdb7228bed42fbbd7961e607'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '68', '01a20d6b-5f59-7c95-8dc0-bfd6ea54bdfb', E'\\x17b99964304de5706c50dfd7b36c11ccadfc5e4cba8626a47ec629b720569cc9'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '69', '01a20d6b-6105-75a0-b077-8ccbc0c98f82', E'\\x089687a82f786d59b5d1cc7eb9e4656b672bf1271ba02e7379e95e42aa6b191b'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '7', '01a20d6b-3fdb-7749-ab53-b879d321de3a', E'\\xb718921a9b5953d3d009a09d2c11d3cf493b335ec57917b14294218766e802fa'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '70', '01a20d6b-6253-7944-85b3-d6d027d85b0c', E'\\x9015b6483b30b7abc9fa8df27aa361b34af1661bc64f7df396667e68f586931b'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '71', '01a20d6b-62a6-7ae1-8dca-47d089254da9', E'\\x314813dcdfc5a8a5ac5f6d8a2e76dd31406be7528fb486a8f43556d8e8b5b00d'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '72', '01a20d6b-6377-7618-9eba-0ba141a3a56f', E'\\xbf99f880a4a19f928415cb81ac2090763dbbcf8c0bd0fa776e6d98f97a2ceb38'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '73', '01a20d6b-63b5-7fe9-a5a0-0f32e4babba1', E'\\x2835368401e78fb34f563356f8b7fbbc611a8e1d35bcce45d62db947f2adf8c7'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '74', '01a20d6b-640e-77c8-8a83-82eb1fa4b29b', E'\\x5b158395fbba189e7fa1563f176e10832d6418df82484e4b9b8e5c2253460cec'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '75', '01a20d6b-67aa-76b5-8e77-2dd1a4f89eeb', E'\\x81b19db52e0fa9de5e2985674f89e757aae548cde52a73f0601912c143b87e6f'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '76', '01a20d6b-67d3-707b-8a3c-8dd6192ff17d', E'\\x1108b1ff842ddda5abbd9470d4f111dc53c50607be4dd494874880eb08aea99f'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '77', '01a20d6b-6807-7b61-b4ba-0c749431ae52', E'\\xd9f5e6d2546eb52789f7d63274a9d54957a3a5268c62b5fd2ce366567a646682'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '78', '01a20d6b-6b6a-7754-be83-bee691d945e5', E'\\xe2182c4bb8337b6aab40f9afe2f0d79a471df8b386cc00229e7eee79175cafdc'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '79', '01a20d6b-7f04-744e-bb9d-e8a6f6c10980', E'\\xe3fac347d4fe2a0840758bef06b3c836c4c300660cdcfdac01c6c56e148b47cd'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '8', '01a20d6b-4044-7588-b44c-31b3d77447cf', E'\\x5ed9f0a314af00dd5fdc7b77a39e1369630ebd87042e8282407f3e9476da5579'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '80', '01a20d6b-7f2a-70cc-acc3-40bbf3dd130a', E'\\x35edb06c6653df774197681819e73520c89432dfd483258da3f6a9be5b2b9905'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '81', '01a20d6b-7f7c-71e7-99b1-8ff73e145bd3', E'\\xf702c3548a0a4237eee9e51e748d94fb0807de38be5801ecbfff3a45b5ed9a06'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '82', '01a20d6b-7f9e-782f-9fd9-64e8ab77f0f3', E'\\x2f5caa001d768e9879f7e2784fb0a1732f49a05d37970066369217ce4e2910b5'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '83', '01a20d6b-8014-72f5-8df1-438dfdc6540e', E'\\x80c87c296e2c3e9ed994597f16690b9c70d3aeea6d0ba309f41addb83cb0b393'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '84', '01a20d6b-8058-76f0-87c2-0dbeb399bed0', E'\\x5d5824ab8d8f5153c40253f86a141d2d32820f47cd0c6c59af90f8c24be15b27'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '85', '01a20d6b-82e6-7ca5-aa2a-a5f793aa6c97', E'\\x5da195858c6b493e60baf0af424e0e938bfd2dfd488a0a36d9c4cc2feea5f461'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '86', '01a20d6b-82fc-7fa9-a4b5-142af2a06f49', E'\\xe10834e622b5753333589d55b90df9e00fae9c5bc3b278cc5b3f2b208e1df5eb'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '87', '01a20d6b-8310-771d-8b9d-dc9e5742f483', E'\\x8cc50c6bc8423655df84f4b30c6834160cb5a41a3c3bcd0643d1b8ca1c48c1ee'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '88', '01a20d6b-8324-7598-9902-5745940b968f', E'\\x992ef8064261335d82e92487ee0a0635bc23c300c83b6308402549cdf5bfdaa1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '89', '01a20d6b-833b-732c-893c-e9b48d0a45f8', E'\\x25f8b6213980c358a232c3a57dc54d727cd7b15d28e5d60860905daa05e9e68e'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '9', '01a20d6b-40e3-712d-be68-f02c95dd15ee', E'\\x396d9d64d22bd2f448c9d6e6de9b4d661527cc4ab34b2c5d57644c12dae9ce73'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '90', '01a20d6b-8344-76d1-9009-41bb0aea4321', E'\\x24b96d6bd364a59f2729743a0a60888c67b47e2a1b182f0139026165545d6b63'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '91', '01a20d6b-83a3-732b-9f63-3dbf0aa03e4d', E'\\xfb2575727a84953faa3d7f4cb29245f2a4a3e1f21ffbdc3102cf0a132aa72ca3'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '92', '01a20d6b-83df-76c7-b688-2b37e924c075', E'\\xb3f2bbd5c4b1e6ae407d3e385068dbd1eaa3636c0a563624b8174e69fe8e8c1c'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '93', '01a20d6b-83f2-733d-a506-5f003600100a', E'\\x6892f03275bd6fff6b2703919ee52bdf53fc942d192879adb9423e3be6381647'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '94', '01a20d6b-8427-7703-9a27-411da30156c4', E'\\x9bcab63e4dd7e44ff86bf70a0e484fd5e7793e3b3b7f3d53f1acd593f39c2ad8'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '95', '01a20d6b-843f-7570-94c5-3d790f9411c9', E'\\x61b0bcb0877840eff4448b5b2a18a1e8ca51da91cdc887fa99f5c107fd2663b4'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '96', '01a20d6b-8457-753a-8c43-4aea9aab81e4', E'\\x1dcfce93e36871f3e4577b80038944b794e37ceda8b9457c351bd40bdbfef9aa'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '97', '01a20d6b-84ca-784c-990a-741e860072a3', E'\\x7aba17074a0abcb72836f3035db729bddfb5078dfa5aad8360227cf8beb2e11b'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '98', '01a20d6b-8516-7b24-86bd-fb62e0461008', E'\\x7bc5b15eddf30687034c8a1a6a02f4737a3a9cd516631829924be8f7c9c36b4d'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '99', '01a20d6b-8546-7008-a8f1-58f51a8bf53b', E'\\xf56de28e2fca0f70e24f659d5ec192b26c2124be11311c142c19819dcfc664c1');

insert into public.audit_log_unsealed (organization_id, entry_id) overriding system value values
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-d2da-7d51-b206-aee9b4b24d0f'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-d2ef-7c3f-9a7e-9e76829edd5b'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-d33e-7c01-99d5-1308765c813c'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-d361-72cc-bbc7-091d8b88429d'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-d3ac-7815-a1d0-6d8913f08d02'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-d3d3-7e3a-9241-9132ab79be2c'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-d3e4-7d82-873d-de3d5932f9c2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-d3fe-7508-b27a-1d112536c5bb'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-d415-7682-8618-641864451b8f'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-d42b-7144-8d6d-a12075d45e74'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-d438-7038-bbe9-610fe7b78a95'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-d466-7698-912c-3f25764c817e'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-d483-7352-8208-74a10301ad5d');

insert into public.budget_crossings (organization_id, workspace_id, month, kind, epoch, crossed_at) overriding system value values
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '2026-11-01', 'alert', '1', '2026-11-24 11:57:46.645+00');

insert into public.channel_attempts (message_id, organization_id, number, started_at, duration_ms, response_status, error, accepted, refused) overriding system value values
  ('01a20d6b-aa64-7453-a1ca-16bb52cca530', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:58:09.536+00', '4', '200', NULL, '{}', '{}'),
  ('01a20d6b-aad1-7f42-8318-bc53ac5c65a7', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:58:09.672+00', '7', '200', NULL, '{}', '{}'),
  ('01a20d6b-ab17-7d27-bf8a-3dd8262529c3', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:58:09.748+00', '2', '200', NULL, '{}', '{}'),
  ('01a20d6b-affe-7a06-96e7-aecad4cf53ae', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:58:10.964+00', '3', '200', NULL, '{}', '{}'),
  ('01a20d6b-b089-70ca-a828-a3fbde97fe8a', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:58:11.151+00', '3', '200', NULL, '{}', '{}'),
  ('01a20d6b-b089-73bc-8a7d-cf3f9bbbbae2', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:58:11.151+00', '2', '200', NULL, '{}', '{}'),
  ('01a20d6b-b25c-74c6-8e35-27889748357c', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:58:11.593+00', '1', '200', NULL, '{}', '{}'),
  ('01a20d6b-b312-73ba-a457-2ec3c718f457', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:58:11.782+00', '5', '200', NULL, '{}', '{}'),
  ('01a20d6b-b46d-78a4-b351-b8b5290b93c4', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:58:12.105+00', '5', '200', NULL, '{}', '{}'),
  ('01a20d6b-bd9c-7a3b-a061-7b27b0f0a419', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:58:14.475+00', '23', '410', '{"code": "gone", "detail": "The receiver answered 410. It does not want any more messages."}', '{}', '{}'),
  ('01a20d6b-be13-7ebe-8073-9c6569b8eb74', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:58:14.615+00', '3', '410', '{"code": "gone", "detail": "The receiver answered 410. It does not want any more messages."}', '{}', '{}'),
  ('01a20d6b-be1a-737b-ab3b-561f226917da', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:58:14.615+00', '2', '410', '{"code": "gone", "detail": "The receiver answered 410. It does not want any more messages."}', '{}', '{}'),
  ('01a20d6b-cd89-7875-9f8b-ad7ad6d98626', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:58:18.807+00', '10', '200', NULL, '{1700000001.000100}', '{}'),
  ('01a20d6b-cf1c-78fe-ba0b-3d58fe147818', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:58:19.159+00', '3', '200', NULL, '{1700000002.000100}', '{}'),
  ('01a20d6b-cf5c-77b0-8188-8dfc81ab4042', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:58:19.45+00', '0', NULL, NULL, '{}', '{}'),
  ('01a20d6b-cf5c-77b0-8c1f-30e441a727a8', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:58:19.336+00', '24', '503', '{"code": "http_error", "detail": "The receiver answered 503."}', '{}', '{}'),
  ('01a20d6b-cf5c-77b0-9cf2-9cac5a1a6149', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:58:19.329+00', '50', '503', '{"code": "http_error", "detail": "Teams answered 503."}', '{}', '{}'),
  ('01a20d6b-cf5c-77b0-9f77-2ed588bc5a74', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:58:19.321+00', '30', '503', '{"code": "http_error", "detail": "Feishu answered 503."}', '{}', '{}'),
  ('01a20d6b-cf5c-77b0-a973-e455980589fe', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:58:19.316+00', '6', '503', '{"code": "http_error", "detail": "Slack answered 503 no."}', '{}', '{}'),
  ('01a20d6b-cf5c-77b0-afc6-42db5e268e29', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:58:19.339+00', '113', '450', '{"code": "smtp_error", "detail": "The mail server answered: 450 4.2.0 Come back later"}', '{}', '{}');

insert into public.channel_events (id, organization_id, project_id, body, created_at) overriding system value values
  ('01a20d6b-aa64-7453-b789-315035bc1ecd', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-481d-790e-bfb5-ce63973b483f', E'{"id":"01a20d6b-aa64-7453-b789-315035bc1ecd","event":"dual_track.compared","created_at":"2026-11-24T11:58:09.500Z","url":"https://signalbox.example.com/app/dual-track/01a20d6b-a987-7f37-81a8-21272648118f","organization":{"id":"01a20d6b-3aa6-7f26-94f6-ac27e9f0c525","name":"Acme Robotics"},"workspace":{"id":"01a20d6b-467f-7e38-a536-3c23e269efe0","name":"Platform"},"project":{"id":"01a20d6b-481d-790e-bfb5-ce63973b483f","name":"Checkout"},"data":{"comparison":{"id":"01a20d6b-a987-7f37-81a8-21272648118f","error":null,"result":{"judge":{"kind":"model","model":"judge-large","prompt_version":"judge/1","fallback_reason":null,"order_consistent":true},"cost_usd":0.0032,"coverage":1,"criteria":[{"a":null,"b":null,"name":"correctness","weight":0.35,"score_a":0.6,"score_b":0.6,"evidence":"With track a as first: Seen in the summary.\\nWith track b as first: Seen in the summary."},{"a":null,"b":null,"name":"completeness","weight":0.25,"score_a":0.6,"score_b":0.6,"evidence":"With track a as first: Seen in the summary.\\nWith track b as first: Seen in the summary."},{"a":null,"b":null,"name":"verification","weight":0.2,"score_a":0.6,"score_b":0.6,"evidence":"With track a as first: Seen in the summary.\\nWith track b as first: Seen in the summary."},{"a":null,"b":null,"name":"maintainability","weight":0.1,"score_a":0.6,"score_b":0.6,"evidence":"With track a as first: Seen in the summary.\\nWith track b as first: Seen in the summary."},{"a":null,"b":null,"name":"security","weight":0.1,"score_a":0.6,"score_b":0.6,"evidence":"With track a as first: Seen in the summary.\\nWith track b as first: Seen in the summary."}],"rationale":"A tie: alpha and beta are about equally good.\\nThe model recommended a tie in both orders.\\nWith track a as first: Both do it.\\nWith track b as first: Both do it.","confidence":0.8,"recommendation":"tie"},"status":"compared","winner":null,"created_at":"2026-11-24T11:58:09.283Z","created_by":"01a20d6b-3123-79db-a1cd-35cd2f2726d5","decided_at":null,"decided_by":null,"project_id":"01a20d6b-481d-790e-bfb5-ce63973b483f","updated_at":"2026-11-24T11:58:09.502Z","work_item_id":"01a20d6b-a46c-734f-aace-5230ec66d466","track_a_agent":"alpha","track_b_agent":"beta","track_a_graph_id":"01a20d6b-a484-7214-90be-a49116f34f0d","track_b_graph_id":"01a20d6b-a495-7da3-a59b-a68357124485"},"requirement":{"id":"01a20d6b-a46c-734f-aace-5230ec66d466","title":"Two tracks","number":4}}}', '2026-11-24 11:58:09.515+00'),
  ('01a20d6b-aad1-7f42-b630-8d652f5797ad', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-481d-790e-bfb5-ce63973b483f', E'{"id":"01a20d6b-aad1-7f42-b630-8d652f5797ad","event":"dual_track.decided","created_at":"2026-11-24T11:58:09.610Z","url":"https://signalbox.example.com/app/dual-track/01a20d6b-a987-7f37-81a8-21272648118f","organization":{"id":"01a20d6b-3aa6-7f26-94f6-ac27e9f0c525","name":"Acme Robotics"},"workspace":{"id":"01a20d6b-467f-7e38-a536-3c23e269efe0","name":"Platform"},"project":{"id":"01a20d6b-481d-790e-bfb5-ce63973b483f","name":"Checkout"},"data":{"comparison":{"id":"01a20d6b-a987-7f37-81a8-21272648118f","error":null,"result":{"judge":{"kind":"model","model":"judge-large","prompt_version":"judge/1","fallback_reason":null,"order_consistent":true},"cost_usd":0.0032,"coverage":1,"criteria":[{"a":null,"b":null,"name":"correctness","weight":0.35,"score_a":0.6,"score_b":0.6,"evidence":"With track a as first: Seen in the summary.\\nWith track b as first: Seen in the summary."},{"a":null,"b":null,"name":"completeness","weight":0.25,"score_a":0.6,"score_b":0.6,"evidence":"With track a as first: Seen in the summary.\\nWith track b as first: Seen in the summary."},{"a":null,"b":null,"name":"verification","weight":0.2,"score_a":0.6,"score_b":0.6,"evidence":"With track a as first: Seen in the summary.\\nWith track b as first: Seen in the summary."},{"a":null,"b":null,"name":"maintainability","weight":0.1,"score_a":0.6,"score_b":0.6,"evidence":"With track a as first: Seen in the summary.\\nWith track b as first: Seen in the summary."},{"a":null,"b":null,"name":"security","weight":0.1,"score_a":0.6,"score_b":0.6,"evidence":"With track a as first: Seen in the summary.\\nWith track b as first: Seen in the summary."}],"rationale":"A tie: alpha and beta are about equally good.\\nThe model recommended a tie in both orders.\\nWith track a as first: Both do it.\\nWith track b as first: Both do it.","confidence":0.8,"recommendation":"tie"},"status":"decided","winner":"tie","created_at":"2026-11-24T11:58:09.283Z","created_by":"01a20d6b-3123-79db-a1cd-35cd2f2726d5","decided_at":"2026-11-24T11:58:09.610Z","decided_by":"01a20d6b-3123-79db-a1cd-35cd2f2726d5","project_id":"01a20d6b-481d-790e-bfb5-ce63973b483f","updated_at":"2026-11-24T11:58:09.616Z","work_item_id":"01a20d6b-a46c-734f-aace-5230ec66d466","track_a_agent":"alpha","track_b_agent":"beta","track_a_graph_id":"01a20d6b-a484-7214-90be-a49116f34f0d","track_b_graph_id":"01a20d6b-a495-7da3-a59b-a68357124485"},"requirement":{"id":"01a20d6b-a46c-734f-aace-5230ec66d466","title":"Two tracks","number":4}}}', '2026-11-24 11:58:09.624+00'),
  ('01a20d6b-ab17-7d27-820e-ffee700ca98e', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-481d-790e-bfb5-ce63973b483f', '{"id":"01a20d6b-ab17-7d27-820e-ffee700ca98e","event":"dual_track.cancelled","created_at":"2026-11-24T11:58:09.672Z","url":"https://signalbox.example.com/app/dual-track/01a20d6b-aaee-7a46-94e6-85827481a90b","organization":{"id":"01a20d6b-3aa6-7f26-94f6-ac27e9f0c525","name":"Acme Robotics"},"workspace":{"id":"01a20d6b-467f-7e38-a536-3c23e269efe0","name":"Platform"},"project":{"id":"01a20d6b-481d-790e-bfb5-ce63973b483f","name":"Checkout"},"data":{"comparison":{"id":"01a20d6b-aaee-7a46-94e6-85827481a90b","error":null,"result":null,"status":"cancelled","winner":null,"created_at":"2026-11-24T11:58:09.641Z","created_by":"01a20d6b-3123-79db-a1cd-35cd2f2726d5","decided_at":null,"decided_by":null,"project_id":"01a20d6b-481d-790e-bfb5-ce63973b483f","updated_at":"2026-11-24T11:58:09.676Z","work_item_id":"01a20d6b-a46c-734f-aace-5230ec66d466","track_a_agent":"alpha","track_b_agent":"beta","track_a_graph_id":"01a20d6b-a484-7214-90be-a49116f34f0d","track_b_graph_id":"01a20d6b-a495-7da3-a59b-a68357124485"},"requirement":{"id":"01a20d6b-a46c-734f-aace-5230ec66d466","title":"Two tracks","number":4}}}', '2026-11-24 11:58:09.711+00'),
  ('01a20d6b-affe-7a06-83a0-6a1052e78c86', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-481d-790e-bfb5-ce63973b483f', '{"id":"01a20d6b-affe-7a06-83a0-6a1052e78c86","event":"deployment.succeeded","created_at":"2026-11-24T11:58:10.934Z","url":"https://signalbox.example.com/app/dispatches/01a20d6b-af83-7361-b683-879f9e99cd8e","organization":{"id":"01a20d6b-3aa6-7f26-94f6-ac27e9f0c525","name":"Acme Robotics"},"workspace":{"id":"01a20d6b-467f-7e38-a536-3c23e269efe0","name":"Platform"},"project":{"id":"01a20d6b-481d-790e-bfb5-ce63973b483f","name":"Checkout"},"data":{"hook":{"id":"01a20d6b-5c93-7ce3-bc90-a943f501bb81","name":"Deployment"},"dispatch":{"id":"01a20d6b-af83-7361-b683-879f9e99cd8e","error":null,"event":"manual.trigger","status":"succeeded","hook_id":"01a20d6b-5c93-7ce3-bc90-a943f501bb81","rollout":{"url":null,"state":"awaiting","version":null,"deadline_at":"2026-11-24T12:08:10.934Z","description":null,"reported_at":null,"reported_by":null},"sequence":10,"created_at":"2026-11-24T11:58:10.815Z","project_id":"01a20d6b-481d-790e-bfb5-ce63973b483f","duration_ms":3,"environment":"production","completed_at":"2026-11-24T11:58:10.934Z","max_attempts":3,"attempt_count":1,"redelivery_of":null,"superseded_by":null,"next_attempt_at":null,"response_status":200}}}', '2026-11-24 11:58:10.949+00'),
  ('01a20d6b-b089-70ca-9258-6b9d856c68d3', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-481d-790e-bfb5-ce63973b483f', '{"id":"01a20d6b-b089-70ca-9258-6b9d856c68d3","event":"deployment.succeeded","created_at":"2026-11-24T11:58:11.056Z","url":"https://signalbox.example.com/app/dispatches/01a20d6b-b03b-75e7-acdc-6baff5bb6e57","organization":{"id":"01a20d6b-3aa6-7f26-94f6-ac27e9f0c525","name":"Acme Robotics"},"workspace":{"id":"01a20d6b-467f-7e38-a536-3c23e269efe0","name":"Platform"},"project":{"id":"01a20d6b-481d-790e-bfb5-ce63973b483f","name":"Checkout"},"data":{"hook":{"id":"01a20d6b-5c93-7ce3-bc90-a943f501bb81","name":"Deployment"},"dispatch":{"id":"01a20d6b-b03b-75e7-acdc-6baff5bb6e57","error":null,"event":"manual.trigger","status":"succeeded","hook_id":"01a20d6b-5c93-7ce3-bc90-a943f501bb81","rollout":{"url":null,"state":"awaiting","version":null,"deadline_at":"2026-11-24T12:08:11.056Z","description":null,"reported_at":null,"reported_by":null},"sequence":6,"created_at":"2026-11-24T11:58:10.999Z","project_id":"01a20d6b-481d-790e-bfb5-ce63973b483f","duration_ms":11,"environment":"production","completed_at":"2026-11-24T11:58:11.056Z","max_attempts":3,"attempt_count":1,"redelivery_of":"01a20d6b-8308-7965-b5e0-2bce52a1c184","superseded_by":null,"next_attempt_at":null,"response_status":200}}}', '2026-11-24 11:58:11.119+00'),
  ('01a20d6b-b089-73bc-a40e-f06e7c77c71f', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-481d-790e-bfb5-ce63973b483f', '{"id":"01a20d6b-b089-73bc-a40e-f06e7c77c71f","event":"deployment.succeeded","created_at":"2026-11-24T11:58:11.056Z","url":"https://signalbox.example.com/app/dispatches/01a20d6b-b03b-75e6-b43b-635fd2817b58","organization":{"id":"01a20d6b-3aa6-7f26-94f6-ac27e9f0c525","name":"Acme Robotics"},"workspace":{"id":"01a20d6b-467f-7e38-a536-3c23e269efe0","name":"Platform"},"project":{"id":"01a20d6b-481d-790e-bfb5-ce63973b483f","name":"Checkout"},"data":{"hook":{"id":"01a20d6b-5c93-7ce3-bc90-a943f501bb81","name":"Deployment"},"dispatch":{"id":"01a20d6b-b03b-75e6-b43b-635fd2817b58","error":null,"event":"manual.trigger","status":"succeeded","hook_id":"01a20d6b-5c93-7ce3-bc90-a943f501bb81","rollout":{"url":null,"state":"awaiting","version":null,"deadline_at":"2026-11-24T12:08:11.056Z","description":null,"reported_at":null,"reported_by":null},"sequence":5,"created_at":"2026-11-24T11:58:10.999Z","project_id":"01a20d6b-481d-790e-bfb5-ce63973b483f","duration_ms":21,"environment":"production","completed_at":"2026-11-24T11:58:11.056Z","max_attempts":3,"attempt_count":1,"redelivery_of":"01a20d6b-8004-7eff-ad22-7c15c5ff601a","superseded_by":null,"next_attempt_at":null,"response_status":200}}}', '2026-11-24 11:58:11.119+00'),
  ('01a20d6b-b25c-74c6-ace3-d59d1de399b9', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-481d-790e-bfb5-ce63973b483f', '{"id":"01a20d6b-b25c-74c6-ace3-d59d1de399b9","event":"deployment.succeeded","created_at":"2026-11-24T11:58:11.533Z","url":"https://signalbox.example.com/app/dispatches/01a20d6b-b19d-768a-b74e-18e422fe9373","organization":{"id":"01a20d6b-3aa6-7f26-94f6-ac27e9f0c525","name":"Acme Robotics"},"workspace":{"id":"01a20d6b-467f-7e38-a536-3c23e269efe0","name":"Platform"},"project":{"id":"01a20d6b-481d-790e-bfb5-ce63973b483f","name":"Checkout"},"data":{"hook":{"id":"01a20d6b-5c93-7ce3-bc90-a943f501bb81","name":"Deployment"},"dispatch":{"id":"01a20d6b-b19d-768a-b74e-18e422fe9373","error":null,"event":"manual.trigger","status":"succeeded","hook_id":"01a20d6b-5c93-7ce3-bc90-a943f501bb81","rollout":{"url":null,"state":"awaiting","version":null,"deadline_at":"2026-11-24T12:08:11.533Z","description":null,"reported_at":null,"reported_by":null},"sequence":12,"created_at":"2026-11-24T11:58:11.356Z","project_id":"01a20d6b-481d-790e-bfb5-ce63973b483f","duration_ms":6,"environment":"production","completed_at":"2026-11-24T11:58:11.533Z","max_attempts":3,"attempt_count":1,"redelivery_of":null,"superseded_by":null,"next_attempt_at":null,"response_status":200}}}', '2026-11-24 11:58:11.561+00'),
  ('01a20d6b-b312-73ba-b5f3-9b19a51eb558', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-481d-790e-bfb5-ce63973b483f', '{"id":"01a20d6b-b312-73ba-b5f3-9b19a51eb558","event":"deployment.succeeded","created_at":"2026-11-24T11:58:11.714Z","url":"https://signalbox.example.com/app/dispatches/01a20d6b-b2df-724e-b025-39d39f52e77a","organization":{"id":"01a20d6b-3aa6-7f26-94f6-ac27e9f0c525","name":"Acme Robotics"},"workspace":{"id":"01a20d6b-467f-7e38-a536-3c23e269efe0","name":"Platform"},"project":{"id":"01a20d6b-481d-790e-bfb5-ce63973b483f","name":"Checkout"},"data":{"hook":{"id":"01a20d6b-5c93-7ce3-bc90-a943f501bb81","name":"Deployment"},"dispatch":{"id":"01a20d6b-b2df-724e-b025-39d39f52e77a","error":null,"event":"manual.trigger","status":"succeeded","hook_id":"01a20d6b-5c93-7ce3-bc90-a943f501bb81","rollout":{"url":null,"state":"awaiting","version":null,"deadline_at":"2026-11-24T12:08:11.714Z","description":null,"reported_at":null,"reported_by":null},"sequence":12,"created_at":"2026-11-24T11:58:11.671Z","project_id":"01a20d6b-481d-790e-bfb5-ce63973b483f","duration_ms":1,"environment":"production","completed_at":"2026-11-24T11:58:11.714Z","max_attempts":3,"attempt_count":1,"redelivery_of":"01a20d6b-b19d-768a-b74e-18e422fe9373","superseded_by":null,"next_attempt_at":null,"response_status":200}}}', '2026-11-24 11:58:11.738+00'),
  ('01a20d6b-b46d-78a4-a9a4-753773719892', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, '{"id":"01a20d6b-b46d-78a4-a9a4-753773719892","event":"test.ping","created_at":"2026-11-24T11:58:12.075Z","url":"https://signalbox.example.com/app/notification-channels/01a20d6b-83a0-760a-a49a-1403df102f18","organization":{"id":"01a20d6b-3aa6-7f26-94f6-ac27e9f0c525","name":"Acme Robotics"},"workspace":{"id":"01a20d6b-467f-7e38-a536-3c23e269efe0","name":"Platform"},"project":null,"data":{"channel":{"id":"01a20d6b-83a0-760a-a49a-1403df102f18","workspace_id":"01a20d6b-467f-7e38-a536-3c23e269efe0","name":"Operations","channel_type":"webhook","config":{"url":"http://127.0.0.1:40771"},"enabled":true,"disabled_reason":null,"created_at":"2026-11-24T11:57:59.579Z","updated_at":"2026-11-24T11:57:59.646Z"}}}', '2026-11-24 11:58:12.075+00'),
  ('01a20d6b-bd9c-7a3b-b962-9461b2f1100e', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, '{"id":"01a20d6b-bd9c-7a3b-b962-9461b2f1100e","event":"test.ping","created_at":"2026-11-24T11:58:14.427Z","url":"https://signalbox.example.com/app/notification-channels/01a20d6b-83a0-760a-a49a-1403df102f18","organization":{"id":"01a20d6b-3aa6-7f26-94f6-ac27e9f0c525","name":"Acme Robotics"},"workspace":{"id":"01a20d6b-467f-7e38-a536-3c23e269efe0","name":"Platform"},"project":null,"data":{"channel":{"id":"01a20d6b-83a0-760a-a49a-1403df102f18","workspace_id":"01a20d6b-467f-7e38-a536-3c23e269efe0","name":"Operations","channel_type":"webhook","config":{"url":"http://127.0.0.1:40771"},"enabled":true,"disabled_reason":null,"created_at":"2026-11-24T11:57:59.579Z","updated_at":"2026-11-24T11:58:12.269Z"}}}', '2026-11-24 11:58:14.427+00'),
  ('01a20d6b-be13-7ebe-840d-7fec472026ba', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-481d-790e-bfb5-ce63973b483f', '{"id":"01a20d6b-be13-7ebe-840d-7fec472026ba","event":"deployment.failed","created_at":"2026-11-24T11:58:14.540Z","url":"https://signalbox.example.com/app/dispatches/01a20d6b-bdcc-77de-b21f-03adc3aee7e7","organization":{"id":"01a20d6b-3aa6-7f26-94f6-ac27e9f0c525","name":"Acme Robotics"},"workspace":{"id":"01a20d6b-467f-7e38-a536-3c23e269efe0","name":"Platform"},"project":{"id":"01a20d6b-481d-790e-bfb5-ce63973b483f","name":"Checkout"},"data":{"hook":{"id":"01a20d6b-5c93-7ce3-bc90-a943f501bb81","name":"Deployment"},"dispatch":{"id":"01a20d6b-bdcc-77de-b21f-03adc3aee7e7","error":{"code":"gone","detail":"The receiver answered 410. It does not want any more dispatches."},"event":"manual.trigger","status":"failed","hook_id":"01a20d6b-5c93-7ce3-bc90-a943f501bb81","rollout":{"url":null,"state":"not_delivered","version":null,"deadline_at":null,"description":null,"reported_at":null,"reported_by":null},"sequence":13,"created_at":"2026-11-24T11:58:14.473Z","project_id":"01a20d6b-481d-790e-bfb5-ce63973b483f","duration_ms":1,"environment":"production","completed_at":"2026-11-24T11:58:14.540Z","max_attempts":3,"attempt_count":1,"redelivery_of":null,"superseded_by":null,"next_attempt_at":null,"response_status":410}}}', '2026-11-24 11:58:14.566+00'),
  ('01a20d6b-be1a-737b-be68-a2f43e4f8f62', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-481d-790e-bfb5-ce63973b483f', '{"id":"01a20d6b-be1a-737b-be68-a2f43e4f8f62","event":"hook.disabled","created_at":"2026-11-24T11:58:14.540Z","url":"https://signalbox.example.com/app/deployment-hooks/01a20d6b-5c93-7ce3-bc90-a943f501bb81","organization":{"id":"01a20d6b-3aa6-7f26-94f6-ac27e9f0c525","name":"Acme Robotics"},"workspace":{"id":"01a20d6b-467f-7e38-a536-3c23e269efe0","name":"Platform"},"project":{"id":"01a20d6b-481d-790e-bfb5-ce63973b483f","name":"Checkout"},"data":{"hook":{"id":"01a20d6b-5c93-7ce3-bc90-a943f501bb81","url":"http://127.0.0.1:40771","mode":"push","name":"Deployment","filter":{},"paused":false,"enabled":false,"headers":{"X-Key":"********"},"signature":"hmac","supersede":true,"created_at":"2026-11-24T11:57:49.554Z","has_secret":true,"project_id":"01a20d6b-481d-790e-bfb5-ce63973b483f","public_key":null,"trigger_on":"gate_approved","updated_at":"2026-11-24T11:58:14.550Z","environment":"production","body_template":"{{/event}} {{secret:a}}","disabled_reason":"The receiver answered 410 Gone.","max_age_seconds":3600,"template_secrets":{"a":"********"},"report_within_seconds":600},"reason":"The receiver answered 410 Gone."}}', '2026-11-24 11:58:14.566+00'),
  ('01a20d6b-cd89-7875-974e-25ef69a2f04e', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-cae4-76ed-bb36-f1fc30366363', '{"id":"01a20d6b-cd89-7875-974e-25ef69a2f04e","event":"gate.pending","created_at":"2026-11-24T11:58:18.484Z","url":"https://signalbox.example.com/app/gates/01a20d6b-cd86-7a6e-9e94-491eeada9950","organization":{"id":"01a20d6b-3aa6-7f26-94f6-ac27e9f0c525","name":"Acme Robotics"},"workspace":{"id":"01a20d6b-ca72-7d77-b874-7372404374d5","name":"Release train"},"project":{"id":"01a20d6b-cae4-76ed-bb36-f1fc30366363","name":"Basket"},"data":{"gate":{"id":"01a20d6b-cd86-7a6e-9e94-491eeada9950","name":"Legal","status":"pending","comment":null,"approvals":[],"created_at":"2026-11-24T11:58:18.484Z","created_by":"01a20d6b-3123-79db-a1cd-35cd2f2726d5","decide_via":["api","app","slack","mail"],"decided_at":null,"decided_by":null,"expires_at":null,"project_id":"01a20d6b-cae4-76ed-bb36-f1fc30366363","updated_at":"2026-11-24T11:58:18.484Z","decided_via":null,"description":null,"execution_id":"01a20d6b-ccf2-7a87-b1de-bec5414bd342","workspace_id":"01a20d6b-ca72-7d77-b874-7372404374d5","organization_id":"01a20d6b-3aa6-7f26-94f6-ac27e9f0c525","required_approvals":1,"prevent_self_approval":false},"requirement":{"id":"01a20d6b-ccb7-71f1-a3df-adfdb2817e3a","title":"Pay by invoice","number":1}}}', '2026-11-24 11:58:18.536+00'),
  ('01a20d6b-cf1c-78fe-b250-faa361462181', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-cae4-76ed-bb36-f1fc30366363', '{"id":"01a20d6b-cf1c-78fe-b250-faa361462181","event":"gate.pending","created_at":"2026-11-24T11:58:18.898Z","url":"https://signalbox.example.com/app/gates/01a20d6b-cf16-7fea-8249-00a4cec37321","organization":{"id":"01a20d6b-3aa6-7f26-94f6-ac27e9f0c525","name":"Acme Robotics"},"workspace":{"id":"01a20d6b-ca72-7d77-b874-7372404374d5","name":"Release train"},"project":{"id":"01a20d6b-cae4-76ed-bb36-f1fc30366363","name":"Basket"},"data":{"gate":{"id":"01a20d6b-cf16-7fea-8249-00a4cec37321","name":"Release review","status":"pending","comment":null,"approvals":[],"created_at":"2026-11-24T11:58:18.898Z","created_by":"01a20d6b-3123-79db-a1cd-35cd2f2726d5","decide_via":["api","app","slack","mail"],"decided_at":null,"decided_by":null,"expires_at":null,"project_id":"01a20d6b-cae4-76ed-bb36-f1fc30366363","updated_at":"2026-11-24T11:58:18.898Z","decided_via":null,"description":null,"execution_id":"01a20d6b-ccf2-7a87-b1de-bec5414bd342","workspace_id":"01a20d6b-ca72-7d77-b874-7372404374d5","organization_id":"01a20d6b-3aa6-7f26-94f6-ac27e9f0c525","required_approvals":1,"prevent_self_approval":false},"requirement":{"id":"01a20d6b-ccb7-71f1-a3df-adfdb2817e3a","title":"Pay by invoice","number":1}}}', '2026-11-24 11:58:18.932+00'),
  ('01a20d6b-cf5c-77b0-89f9-fef68b1786f1', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-cae4-76ed-bb36-f1fc30366363', '{"id":"01a20d6b-cf5c-77b0-89f9-fef68b1786f1","event":"gate.approved","created_at":"2026-11-24T11:58:18.942Z","url":"https://signalbox.example.com/app/gates/01a20d6b-cf16-7fea-8249-00a4cec37321","organization":{"id":"01a20d6b-3aa6-7f26-94f6-ac27e9f0c525","name":"Acme Robotics"},"workspace":{"id":"01a20d6b-ca72-7d77-b874-7372404374d5","name":"Release train"},"project":{"id":"01a20d6b-cae4-76ed-bb36-f1fc30366363","name":"Basket"},"data":{"gate":{"id":"01a20d6b-cf16-7fea-8249-00a4cec37321","name":"Release review","status":"approved","comment":null,"approvals":[{"via":"api","name":"Ada Lovelace","comment":null,"user_id":"01a20d6b-3123-79db-a1cd-35cd2f2726d5","created_at":"2026-11-24T11:58:18.942Z"}],"created_at":"2026-11-24T11:58:18.898Z","created_by":"01a20d6b-3123-79db-a1cd-35cd2f2726d5","decide_via":["api","app","slack","mail"],"decided_at":"2026-11-24T11:58:18.942Z","decided_by":"01a20d6b-3123-79db-a1cd-35cd2f2726d5","expires_at":null,"project_id":"01a20d6b-cae4-76ed-bb36-f1fc30366363","updated_at":"2026-11-24T11:58:18.965Z","decided_via":"api","description":null,"execution_id":"01a20d6b-ccf2-7a87-b1de-bec5414bd342","workspace_id":"01a20d6b-ca72-7d77-b874-7372404374d5","organization_id":"01a20d6b-3aa6-7f26-94f6-ac27e9f0c525","required_approvals":1,"prevent_self_approval":false},"execution":{"id":"01a20d6b-ccf2-7a87-b1de-bec5414bd342","agent":"claude","error":null,"status":"awaiting_gate","metrics":{},"summary":null,"cost_usd":null,"graph_id":"01a20d6b-ccf2-7aec-bfdf-c991fad75093","created_at":"2026-11-24T11:58:18.340Z","created_by":"01a20d6b-3123-79db-a1cd-35cd2f2726d5","project_id":"01a20d6b-cae4-76ed-bb36-f1fc30366363","runtime_id":null,"started_at":"2026-11-24T11:58:18.404Z","started_by":"01a20d6b-3123-79db-a1cd-35cd2f2726d5","updated_at":"2026-11-24T11:58:18.492Z","finished_at":null,"workspace_id":"01a20d6b-ca72-7d77-b874-7372404374d5","requirement_id":"01a20d6b-ccb7-71f1-a3df-adfdb2817e3a","organization_id":"01a20d6b-3aa6-7f26-94f6-ac27e9f0c525"},"requirement":{"id":"01a20d6b-ccb7-71f1-a3df-adfdb2817e3a","title":"Pay by invoice","number":1}}}', '2026-11-24 11:58:19.125+00');

insert into public.channel_messages (id, organization_id, workspace_id, channel_id, event_id, event, is_update, status, attempt_count, max_attempts, error, request_id, traceparent, created_at, completed_at) overriding system value values
  ('01a20d6b-aa64-7453-a1ca-16bb52cca530', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-83a0-760a-a49a-1403df102f18', '01a20d6b-aa64-7453-b789-315035bc1ecd', 'dual_track.compared', 'false', 'succeeded', '1', '3', NULL, '3962d730-dcc3-4924-b4e7-1b03d1abc518', NULL, '2026-11-24 11:58:09.515+00', '2026-11-24 11:58:09.546+00'),
  ('01a20d6b-aad1-7f42-8318-bc53ac5c65a7', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-83a0-760a-a49a-1403df102f18', '01a20d6b-aad1-7f42-b630-8d652f5797ad', 'dual_track.decided', 'false', 'succeeded', '1', '3', NULL, 'c261ae19-0583-45c4-85a4-d9c3032b5a34', NULL, '2026-11-24 11:58:09.624+00', '2026-11-24 11:58:09.689+00'),
  ('01a20d6b-ab17-7d27-bf8a-3dd8262529c3', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-83a0-760a-a49a-1403df102f18', '01a20d6b-ab17-7d27-820e-ffee700ca98e', 'dual_track.cancelled', 'false', 'succeeded', '1', '3', NULL, 'a03ef679-c50b-43dd-bfb9-1649c0da7253', NULL, '2026-11-24 11:58:09.711+00', '2026-11-24 11:58:09.766+00'),
  ('01a20d6b-affe-7a06-96e7-aecad4cf53ae', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-83a0-760a-a49a-1403df102f18', '01a20d6b-affe-7a06-83a0-6a1052e78c86', 'deployment.succeeded', 'false', 'succeeded', '1', '3', NULL, '8de02c2e-7638-4750-97b3-2025b0e9f5be', NULL, '2026-11-24 11:58:10.949+00', '2026-11-24 11:58:10.974+00'),
  ('01a20d6b-b089-70ca-a828-a3fbde97fe8a', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-83a0-760a-a49a-1403df102f18', '01a20d6b-b089-70ca-9258-6b9d856c68d3', 'deployment.succeeded', 'false', 'succeeded', '1', '3', NULL, '09368d59-a783-421a-bbe0-fc3bcc15d5af', NULL, '2026-11-24 11:58:11.119+00', '2026-11-24 11:58:11.16+00'),
  ('01a20d6b-b089-73bc-8a7d-cf3f9bbbbae2', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-83a0-760a-a49a-1403df102f18', '01a20d6b-b089-73bc-a40e-f06e7c77c71f', 'deployment.succeeded', 'false', 'succeeded', '1', '3', NULL, '09368d59-a783-421a-bbe0-fc3bcc15d5af', NULL, '2026-11-24 11:58:11.119+00', '2026-11-24 11:58:11.16+00'),
  ('01a20d6b-b25c-74c6-8e35-27889748357c', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-83a0-760a-a49a-1403df102f18', '01a20d6b-b25c-74c6-ace3-d59d1de399b9', 'deployment.succeeded', 'false', 'succeeded', '1', '3', NULL, 'c3d42c5a-bf30-4751-97ea-870e424c3724', NULL, '2026-11-24 11:58:11.561+00', '2026-11-24 11:58:11.6+00'),
  ('01a20d6b-b312-73ba-a457-2ec3c718f457', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-83a0-760a-a49a-1403df102f18', '01a20d6b-b312-73ba-b5f3-9b19a51eb558', 'deployment.succeeded', 'false', 'succeeded', '1', '3', NULL, '35fe913a-29e4-4458-9301-1634f2cd1a06', NULL, '2026-11-24 11:58:11.738+00', '2026-11-24 11:58:11.793+00'),
  ('01a20d6b-b46d-78a4-b351-b8b5290b93c4', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-83a0-760a-a49a-1403df102f18', '01a20d6b-b46d-78a4-a9a4-753773719892', 'test.ping', 'false', 'succeeded', '1', '1', NULL, 'ceb8dfec-f7fd-4462-a4bc-d9e2863bda57', NULL, '2026-11-24 11:58:12.075+00', '2026-11-24 11:58:12.116+00'),
  ('01a20d6b-bd9c-7a3b-a061-7b27b0f0a419', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-83a0-760a-a49a-1403df102f18', '01a20d6b-bd9c-7a3b-b962-9461b2f1100e', 'test.ping', 'false', 'failed', '1', '1', '{"code": "gone", "detail": "The receiver answered 410. It does not want any more messages."}', '47c78d0b-0164-444e-8f55-23e916fa2960', NULL, '2026-11-24 11:58:14.427+00', '2026-11-24 11:58:14.504+00'),
  ('01a20d6b-be13-7ebe-8073-9c6569b8eb74', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-83a0-760a-a49a-1403df102f18', '01a20d6b-be13-7ebe-840d-7fec472026ba', 'deployment.failed', 'false', 'failed', '1', '3', '{"code": "gone", "detail": "The receiver answered 410. It does not want any more messages."}', 'e1bfa953-a85a-48c1-98c8-d603c90bfda6', NULL, '2026-11-24 11:58:14.566+00', '2026-11-24 11:58:14.623+00'),
  ('01a20d6b-be1a-737b-ab3b-561f226917da', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-83a0-760a-a49a-1403df102f18', '01a20d6b-be1a-737b-be68-a2f43e4f8f62', 'hook.disabled', 'false', 'failed', '1', '3', '{"code": "gone", "detail": "The receiver answered 410. It does not want any more messages."}', NULL, NULL, '2026-11-24 11:58:14.566+00', '2026-11-24 11:58:14.623+00'),
  ('01a20d6b-cd89-7875-9f8b-ad7ad6d98626', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cc69-7a67-9fcb-10018227a033', '01a20d6b-cd89-7875-974e-25ef69a2f04e', 'gate.pending', 'false', 'succeeded', '1', '3', NULL, '0e813d78-0903-4cc1-8ae1-35368108e1eb', NULL, '2026-11-24 11:58:18.536+00', '2026-11-24 11:58:18.903+00'),
  ('01a20d6b-cf1c-78fe-ba0b-3d58fe147818', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cc69-7a67-9fcb-10018227a033', '01a20d6b-cf1c-78fe-b250-faa361462181', 'gate.pending', 'false', 'succeeded', '1', '3', NULL, 'b8e4abe0-063f-4213-98d1-bc35f748ae21', NULL, '2026-11-24 11:58:18.932+00', '2026-11-24 11:58:19.204+00'),
  ('01a20d6b-cf5c-77b0-8188-8dfc81ab4042', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cc69-7a67-9fcb-10018227a033', '01a20d6b-cf5c-77b0-89f9-fef68b1786f1', 'gate.approved', 'true', 'succeeded', '1', '3', NULL, '9338b153-0602-410e-a8da-6f68d0ebfcd7', NULL, '2026-11-24 11:58:19.125+00', '2026-11-24 11:58:19.514+00'),
  ('01a20d6b-cf5c-77b0-8c1f-30e441a727a8', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cb97-7c14-bc41-c1cae72c796d', '01a20d6b-cf5c-77b0-89f9-fef68b1786f1', 'gate.approved', 'false', 'pending', '0', '3', NULL, '9338b153-0602-410e-a8da-6f68d0ebfcd7', NULL, '2026-11-24 11:58:19.125+00', NULL),
  ('01a20d6b-cf5c-77b0-9cf2-9cac5a1a6149', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cc00-7bfc-bcb7-2eeed5edd209', '01a20d6b-cf5c-77b0-89f9-fef68b1786f1', 'gate.approved', 'false', 'pending', '0', '3', NULL, '9338b153-0602-410e-a8da-6f68d0ebfcd7', NULL, '2026-11-24 11:58:19.125+00', NULL),
  ('01a20d6b-cf5c-77b0-9f77-2ed588bc5a74', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cc20-7d65-88a4-c0575f24e034', '01a20d6b-cf5c-77b0-89f9-fef68b1786f1', 'gate.approved', 'false', 'pending', '0', '3', NULL, '9338b153-0602-410e-a8da-6f68d0ebfcd7', NULL, '2026-11-24 11:58:19.125+00', NULL),
  ('01a20d6b-cf5c-77b0-a973-e455980589fe', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cbd6-7fd3-9f8f-2988fbd93796', '01a20d6b-cf5c-77b0-89f9-fef68b1786f1', 'gate.approved', 'false', 'pending', '0', '3', NULL, '9338b153-0602-410e-a8da-6f68d0ebfcd7', NULL, '2026-11-24 11:58:19.125+00', NULL),
  ('01a20d6b-cf5c-77b0-afc6-42db5e268e29', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cc40-78a8-bda9-ab0175bb1ed7', '01a20d6b-cf5c-77b0-89f9-fef68b1786f1', 'gate.approved', 'false', 'pending', '0', '3', NULL, '9338b153-0602-410e-a8da-6f68d0ebfcd7', NULL, '2026-11-24 11:58:19.125+00', NULL);

insert into public.decision_links (hash, organization_id, gate_id, user_id, email, expires_at) overriding system value values
  (E'\\x20aae5d224c1bea351ddf6f9cb4024b4da241f8bb67e204e22bdfc68fddb6edc', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-a1db-7f8e-a2c7-97e9f666c035', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'ada@example.com', '2026-11-24 12:58:07.32+00'),
  (E'\\x36497c2f79ddca7b707f2ba2f1299f2ada8290d0c8cf158a2aba05fbcae76a46', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-4f23-7353-857a-1bdf0b4ac899', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'ada@example.com', '2026-11-24 12:57:46.113+00'),
  (E'\\x6b1b0164d61b57affa1e3da18dd9fe6a88bcc648fc36b05fe74983e3a80590c4', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-4f23-7353-857a-1bdf0b4ac899', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'gracehopper.5@example.com', '2026-11-24 12:57:46.113+00'),
  (E'\\x8365b364fee35059f1313072f538f8bbfd8592a5874f785354116847aac6eba5', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-8784-734b-9419-aad670a7821a', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'ada@example.com', '2026-11-24 12:58:00.566+00'),
  (E'\\x8e53bfde38ba89866e3aceb54d5a7d8dc9a0dc92f2e9212e1766a9c4434a7ba3', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-858a-7cc7-84e5-d53028817658', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'gracehopper.5@example.com', '2026-11-24 12:58:00.072+00'),
  (E'\\x981acd645a6ea7335ccc301745849333a6194756c4e204e4da2fb26818a84118', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-5591-7574-8b65-7ddbd1bd9ab6', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'ada@example.com', '2026-11-24 12:57:47.782+00'),
  (E'\\xa52a7ca2d14ea83f455750660d0442e2cac42fc5f42391e32d45630d0ea4c9f6', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-a2d7-7c7c-85ca-5458374213a6', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'ada@example.com', '2026-11-24 11:58:06.799+00'),
  (E'\\xacb1e0aee2fa39726ab804a2e56afb84c19f023bdf0df80421e12df881f5998b', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-5591-7574-8b65-7ddbd1bd9ab6', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'gracehopper.5@example.com', '2026-11-24 12:57:47.782+00'),
  (E'\\xb9ca047250452a7a38b2762c3ec0200dcc4de5d9d2005465958572197293da06', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-a1db-7f8e-a2c7-97e9f666c035', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'gracehopper.5@example.com', '2026-11-24 12:58:07.32+00'),
  (E'\\xd8cda2d1fc437772fe1010bd29dd1ade2d4dc4c89ba604615f58885c342f9a14', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-858a-7cc7-84e5-d53028817658', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'ada@example.com', '2026-11-24 12:58:00.072+00'),
  (E'\\xf538d8610596859842a74d8c19f6449f8e88dc0371a2b0981894ac555853bd2c', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-8784-734b-9419-aad670a7821a', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'gracehopper.5@example.com', '2026-11-24 12:58:00.566+00'),
  (E'\\xf7669e8e240a75859027b6518f56eb19b2fcc7a6b4066ccac4cdc4849b298d3a', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-a2d7-7c7c-85ca-5458374213a6', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'gracehopper.5@example.com', '2026-11-24 12:58:07.566+00');

insert into public.deliverable_versions (organization_id, workspace_id, project_id, deliverable_type, requirement_id, version) overriding system value values
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', 'api_docs', '00000000-0000-0000-0000-000000000000', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', 'changelog', '00000000-0000-0000-0000-000000000000', '2'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', 'deployment_guide', '00000000-0000-0000-0000-000000000000', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', 'project_summary', '00000000-0000-0000-0000-000000000000', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', 'user_manual', '00000000-0000-0000-0000-000000000000', '1'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cae4-76ed-bb36-f1fc30366363', 'project_summary', '00000000-0000-0000-0000-000000000000', '1');

insert into public.deliverables (id, organization_id, workspace_id, project_id, requirement_id, deliverable_type, title, status, version, content, html, api_description, generator, source, error, request_id, created_by, created_at, updated_at, published_at, archived_at) overriding system value values
  ('01a20d6b-8964-78e8-ab65-38671c1ad10c', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', NULL, 'changelog', 'Checkout: changelog', 'draft', '1', E'# Changelog

All notable changes to Checkout. The format is [Keep a Changelog](https://keepachangelog.com/en/1.1.0/).

## Unreleased

Not in a release yet. Last rolled out as v1.5.0.

### Fixed

- Pay by invoice ([\\#2](<https://signalbox.example.com/app/requirements/01a20d6b-4d2b-7988-8025-dea56b2e2416>))

## Contributors

- Agents: claude (1 change)
- People: Ada King (1 change), Grace Hopper (1)

---

1 change, from completed requirements.
', E'{"<h1>Changelog</h1>
<p>All notable changes to Checkout. The format is <a href=\\"https://keepachangelog.com/en/1.1.0/\\" rel=\\"noopener noreferrer\\">Keep a Changelog</a>.</p>
<nav aria-label=\\"Contents\\"><details><summary>Contents</summary><ul>
<li><a href=\\"#unreleased\\">Unreleased</a></li>
<li class=\\"inner\\"><a href=\\"#fixed\\">Fixed</a></li>
<li><a href=\\"#contributors\\">Contributors</a></li>
</ul></details></nav>
<h2 id=\\"unreleased\\">Unreleased</h2>
<p>Not in a release yet. Last rolled out as v1.5.0.</p>
<h3 id=\\"fixed\\">Fixed</h3>
<ul>
<li>Pay by invoice (<a href=\\"https://signalbox.example.com/app/requirements/01a20d6b-4d2b-7988-8025-dea56b2e2416\\" rel=\\"noopener noreferrer\\">#2</a>)</li>
</ul>
<h2 id=\\"contributors\\">Contributors</h2>
<ul>
<li>Agents: claude (1 change)</li>
<li>People: Ada King (1 change), Grace Hopper (1)</li>
</ul>
<hr />
<p>1 change, from completed requirements.</p>
"}', NULL, 'template/1', '{"as_of": "2026-11-24T11:58:01.075Z", "counts": {"gates": 5, "hooks": 2, "members": 2, "dispatches": 12, "executions": 6, "requirements": 1}, "missing": [], "data_hash": "4399cadb82542f247bae56bbc6a97fda64ba5c8c2a1f81abe9d70e541ef042a7", "execution_ids": ["01a20d6b-4daf-772c-ab85-c54d99bb24b8", "01a20d6b-51c6-7d5a-ae43-b5bb80c9012f", "01a20d6b-5307-7cd3-a719-65e5113b8210", "01a20d6b-53c9-773b-8644-4baf389cf8c4", "01a20d6b-555d-7173-9149-b3aeaaebed9c", "01a20d6b-856f-7198-a12e-72f95b39c6c0"], "requirement_ids": ["01a20d6b-4d2b-7988-8025-dea56b2e2416"]}', NULL, 'b6b3773b-be0a-4d09-8257-60cc2a424afd', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:01.053+00', '2026-11-24 11:58:01.326+00', NULL, NULL),
  ('01a20d6b-8aa8-7720-9061-0bf5f8cb398b', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', NULL, 'project_summary', 'Checkout: summary', 'draft', '1', E'# Checkout: summary

Checkout has 1 of 1 requirement done (100%), all of them in the last four weeks. No risks are known; agents spent \\$93.00 on it in November 2026, the workspace \\$93.00 of its \\$100.00 budget (93%) and the organization \\$93.00 of its \\$1,000.00 budget (9%).

## What was delivered

### Fixes (1)

- **Pay by invoice** ([\\#2](<https://signalbox.example.com/app/requirements/01a20d6b-4d2b-7988-8025-dea56b2e2416>), 2026-11-24): Before: Done

## What is open

Nothing is open.

## The last eight weeks

Last four weeks: 1 done (0 in the four weeks before), median lead time 4 s (none), cost \\$93.00 (\\$0.00).

```mermaid
xychart-beta
  title "Done per week"
  x-axis ["2026-09-30", "2026-10-07", "2026-10-14", "2026-10-21", "2026-10-28", "2026-11-04", "2026-11-11", "2026-11-18"]
  y-axis "requirements" 0 --> 1
  bar [0, 0, 0, 0, 0, 0, 0, 1]
```

```mermaid
xychart-beta
  title "Median lead time (hours)"
  x-axis ["2026-09-30", "2026-10-07", "2026-10-14", "2026-10-21", "2026-10-28", "2026-11-04", "2026-11-11", "2026-11-18"]
  y-axis "hours" 0 --> 1
  bar [0, 0, 0, 0, 0, 0, 0, 0]
```

```mermaid
xychart-beta
  title "Cost per week (USD)"
  x-axis ["2026-09-30", "2026-10-07", "2026-10-14", "2026-10-21", "2026-10-28", "2026-11-04", "2026-11-11", "2026-11-18"]
  y-axis "USD" 0 --> 93
  bar [0, 0, 0, 0, 0, 0, 0, 93]
```

| Week from | Done | Median lead time | Cost |
| --- | ---: | ---: | ---: |
| 2026-09-30 | 0 | – | \\$0.00 |
| 2026-10-07 | 0 | – | \\$0.00 |
| 2026-10-14 | 0 | – | \\$0.00 |
| 2026-10-21 | 0 | – | \\$0.00 |
| 2026-10-28 | 0 | – | \\$0.00 |
| 2026-11-04 | 0 | – | \\$0.00 |
| 2026-11-11 | 0 | – | \\$0.00 |
| 2026-11-18 | 1 | 4 s | \\$93.00 |

Lead time is from the creation of a requirement to its completion.

## Decisions

- 2026-11-24: Unnamed user cancelled **Release review** of [\\#2](<https://signalbox.example.com/app/requirements/01a20d6b-4d2b-7988-8025-dea56b2e2416>) Pay by invoice
- 2026-11-24: Ada King rejected **Release review** of [\\#2](<https://signalbox.example.com/app/requirements/01a20d6b-4d2b-7988-8025-dea56b2e2416>) Pay by invoice
- 2026-11-24: Unnamed user expired **Legal** of [\\#2](<https://signalbox.example.com/app/requirements/01a20d6b-4d2b-7988-8025-dea56b2e2416>) Pay by invoice
- 2026-11-24: Ada King rejected **Release review** of [\\#2](<https://signalbox.example.com/app/requirements/01a20d6b-4d2b-7988-8025-dea56b2e2416>) Pay by invoice: Not yet
- 2026-11-24: Grace Hopper approved **Release review** of [\\#2](<https://signalbox.example.com/app/requirements/01a20d6b-4d2b-7988-8025-dea56b2e2416>) Pay by invoice

## Agents and cost

| Agent | Executions | Completed | Failed | Cancelled | Unfinished | Cost | Median time |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| claude | 5 | 1 | 3 | 1 | 0 | \\$91.00 | 1 s |
| codex | 1 | 0 | 1 | 0 | 0 | \\$2.00 | 0 s |

## What runs where

| Environment | Running | Since |
| --- | --- | --- |
| production | **v1.5.0** | 2026-11-24 11:57 UTC |

## About the project

Payments

|  |  |
| --- | --- |
| Organization | Acme Robotics |
| Workspace | Platform |
| Started | 2026-11-24 |
| Repository | – |
| Executions | 6 |
| Gates approved | 1 of 3 decided (33%) |
| Spent on this project | \\$93.00 |

```mermaid
pie showData title Requirements by status
  "Done" : 1
```

## People

- Ada King, owner of the organization
- Grace Hopper, admin

---

**What would make this document better:** 1 of the requirements that are done has no description, so only their titles can be told.
', E'{"<h1>Checkout: summary</h1>
<p>Checkout has 1 of 1 requirement done (100%), all of them in the last four weeks. No risks are known; agents spent $93.00 on it in November 2026, the workspace $93.00 of its $100.00 budget (93%) and the organization $93.00 of its $1,000.00 budget (9%).</p>
<nav aria-label=\\"Contents\\"><details><summary>Contents</summary><ul>
<li><a href=\\"#what-was-delivered\\">What was delivered</a></li>
<li class=\\"inner\\"><a href=\\"#fixes-1\\">Fixes (1)</a></li>
<li><a href=\\"#what-is-open\\">What is open</a></li>
<li><a href=\\"#the-last-eight-weeks\\">The last eight weeks</a></li>
<li><a href=\\"#decisions\\">Decisions</a></li>
<li><a href=\\"#agents-and-cost\\">Agents and cost</a></li>
<li><a href=\\"#what-runs-where\\">What runs where</a></li>
<li><a href=\\"#about-the-project\\">About the project</a></li>
<li><a href=\\"#people\\">People</a></li>
</ul></details></nav>
<h2 id=\\"what-was-delivered\\">What was delivered</h2>
<h3 id=\\"fixes-1\\">Fixes (1)</h3>
<ul>
<li><strong>Pay by invoice</strong> (<a href=\\"https://signalbox.example.com/app/requirements/01a20d6b-4d2b-7988-8025-dea56b2e2416\\" rel=\\"noopener noreferrer\\">#2</a>, <span class=\\"date\\">2026-11-24</span>): Before: Done</li>
</ul>
<h2 id=\\"what-is-open\\">What is open</h2>
<p>Nothing is open.</p>
<h2 id=\\"the-last-eight-weeks\\">The last eight weeks</h2>
<p>Last four weeks: 1 done (0 in the four weeks before), median lead time 4 s (none), cost $93.00 ($0.00).</p>
<figure class=\\"bars\\"><figcaption>Done per week</figcaption><svg xmlns=\\"http://www.w3.org/2000/svg\\" viewBox=\\"0 0 240 130\\" width=\\"100%\\" role=\\"img\\" aria-label=\\"Done per week. 2026-09-30: 0, 2026-10-07: 0, 2026-10-14: 0, 2026-10-21: 0, 2026-10-28: 0, 2026-11-04: 0, 2026-11-11: 0, 2026-11-18: 1\\"><rect x=\\"3\\" y=\\"107\\" width=\\"24\\" height=\\"1\\" rx=\\"2\\"/><text x=\\"15\\" y=\\"102\\" text-anchor=\\"middle\\"></text><text x=\\"3\\" y=\\"124\\" text-anchor=\\"start\\">2026-09-30</text><rect x=\\"33\\" y=\\"107\\" width=\\"24\\" height=\\"1\\" rx=\\"2\\"/><text x=\\"45\\" y=\\"102\\" text-anchor=\\"middle\\"></text><rect x=\\"63\\" y=\\"107\\" width=\\"24\\" height=\\"1\\" rx=\\"2\\"/><text x=\\"75\\" y=\\"102\\" text-anchor=\\"middle\\"></text><rect x=\\"93\\" y=\\"107\\" width=\\"24\\" height=\\"1\\" rx=\\"2\\"/><text x=\\"105\\" y=\\"102\\" text-anchor=\\"middle\\"></text><rect x=\\"123\\" y=\\"107\\" width=\\"24\\" height=\\"1\\" rx=\\"2\\"/><text x=\\"135\\" y=\\"102\\" text-anchor=\\"middle\\"></text><rect x=\\"153\\" y=\\"107\\" width=\\"24\\" height=\\"1\\" rx=\\"2\\"/><text x=\\"165\\" y=\\"102\\" text-anchor=\\"middle\\"></text><rect x=\\"183\\" y=\\"107\\" width=\\"24\\" height=\\"1\\" rx=\\"2\\"/><text x=\\"195\\" y=\\"102\\" text-anchor=\\"middle\\"></text><rect x=\\"213\\" y=\\"18\\" width=\\"24\\" height=\\"90\\" rx=\\"2\\"/><text x=\\"225\\" y=\\"13\\" text-anchor=\\"middle\\">1</text><text x=\\"237\\" y=\\"124\\" text-anchor=\\"end\\">2026-11-18</text></svg></figure>
<figure class=\\"bars\\"><figcaption>Median lead time (hours)</figcaption><svg xmlns=\\"http://www.w3.org/2000/svg\\" viewBox=\\"0 0 240 130\\" width=\\"100%\\" role=\\"img\\" aria-label=\\"Median lead time (hours). 2026-09-30: 0, 2026-10-07: 0, 2026-10-14: 0, 2026-10-21: 0, 2026-10-28: 0, 2026-11-04: 0, 2026-11-11: 0, 2026-11-18: 0\\"><rect x=\\"3\\" y=\\"107\\" width=\\"24\\" height=\\"1\\" rx=\\"2\\"/><text x=\\"15\\" y=\\"102\\" text-anchor=\\"middle\\"></text><text x=\\"3\\" y=\\"124\\" text-anchor=\\"start\\">2026-09-30</text><rect x=\\"33\\" y=\\"107\\" width=\\"24\\" height=\\"1\\" rx=\\"2\\"/><text x=\\"45\\" y=\\"102\\" text-anchor=\\"middle\\"></text><rect x=\\"63\\" y=\\"107\\" width=\\"24\\" height=\\"1\\" rx=\\"2\\"/><text x=\\"75\\" y=\\"102\\" text-anchor=\\"middle\\"></text><rect x=\\"93\\" y=\\"107\\" width=\\"24\\" height=\\"1\\" rx=\\"2\\"/><text x=\\"105\\" y=\\"102\\" text-anchor=\\"middle\\"></text><rect x=\\"123\\" y=\\"107\\" width=\\"24\\" height=\\"1\\" rx=\\"2\\"/><text x=\\"135\\" y=\\"102\\" text-anchor=\\"middle\\"></text><rect x=\\"153\\" y=\\"107\\" width=\\"24\\" height=\\"1\\" rx=\\"2\\"/><text x=\\"165\\" y=\\"102\\" text-anchor=\\"middle\\"></text><rect x=\\"183\\" y=\\"107\\" width=\\"24\\" height=\\"1\\" rx=\\"2\\"/><text x=\\"195\\" y=\\"102\\" text-anchor=\\"middle\\"></text><rect x=\\"213\\" y=\\"107\\" width=\\"24\\" height=\\"1\\" rx=\\"2\\"/><text x=\\"225\\" y=\\"102\\" text-anchor=\\"middle\\"></text><text x=\\"237\\" y=\\"124\\" text-anchor=\\"end\\">2026-11-18</text></svg></figure>
<figure class=\\"bars\\"><figcaption>Cost per week (USD)</figcaption><svg xmlns=\\"http://www.w3.org/2000/svg\\" viewBox=\\"0 0 240 130\\" width=\\"100%\\" role=\\"img\\" aria-label=\\"Cost per week (USD). 2026-09-30: 0, 2026-10-07: 0, 2026-10-14: 0, 2026-10-21: 0, 2026-10-28: 0, 2026-11-04: 0, 2026-11-11: 0, 2026-11-18: 93\\"><rect x=\\"3\\" y=\\"107\\" width=\\"24\\" height=\\"1\\" rx=\\"2\\"/><text x=\\"15\\" y=\\"102\\" text-anchor=\\"middle\\"></text><text x=\\"3\\" y=\\"124\\" text-anchor=\\"start\\">2026-09-30</text><rect x=\\"33\\" y=\\"107\\" width=\\"24\\" height=\\"1\\" rx=\\"2\\"/><text x=\\"45\\" y=\\"102\\" text-anchor=\\"middle\\"></text><rect x=\\"63\\" y=\\"107\\" width=\\"24\\" height=\\"1\\" rx=\\"2\\"/><text x=\\"75\\" y=\\"102\\" text-anchor=\\"middle\\"></text><rect x=\\"93\\" y=\\"107\\" width=\\"24\\" height=\\"1\\" rx=\\"2\\"/><text x=\\"105\\" y=\\"102\\" text-anchor=\\"middle\\"></text><rect x=\\"123\\" y=\\"107\\" width=\\"24\\" height=\\"1\\" rx=\\"2\\"/><text x=\\"135\\" y=\\"102\\" text-anchor=\\"middle\\"></text><rect x=\\"153\\" y=\\"107\\" width=\\"24\\" height=\\"1\\" rx=\\"2\\"/><text x=\\"165\\" y=\\"102\\" text-anchor=\\"middle\\"></text><rect x=\\"183\\" y=\\"107\\" width=\\"24\\" height=\\"1\\" rx=\\"2\\"/><text x=\\"195\\" y=\\"102\\" text-anchor=\\"middle\\"></text><rect x=\\"213\\" y=\\"18\\" width=\\"24\\" height=\\"90\\" rx=\\"2\\"/><text x=\\"225\\" y=\\"13\\" text-anchor=\\"middle\\">93</text><text x=\\"237\\" y=\\"124\\" text-anchor=\\"end\\">2026-11-18</text></svg></figure>
<div class=\\"wide\\"><table>
<thead>
<tr>
<th>Week from</th>
<th align=\\"right\\">Done</th>
<th align=\\"right\\">Median lead time</th>
<th align=\\"right\\">Cost</th>
</tr>
</thead>
<tbody><tr>
<td><span class=\\"date\\">2026-09-30</span></td>
<td align=\\"right\\">0</td>
<td align=\\"right\\">–</td>
<td align=\\"right\\">$0.00</td>
</tr>
<tr>
<td><span class=\\"date\\">2026-10-07</span></td>
<td align=\\"right\\">0</td>
<td align=\\"right\\">–</td>
<td align=\\"right\\">$0.00</td>
</tr>
<tr>
<td><span class=\\"date\\">2026-10-14</span></td>
<td align=\\"right\\">0</td>
<td align=\\"right\\">–</td>
<td align=\\"right\\">$0.00</td>
</tr>
<tr>
<td><span class=\\"date\\">2026-10-21</span></td>
<td align=\\"right\\">0</td>
<td align=\\"right\\">–</td>
<td align=\\"right\\">$0.00</td>
</tr>
<tr>
<td><span class=\\"date\\">2026-10-28</span></td>
<td align=\\"right\\">0</td>
<td align=\\"right\\">–</td>
<td align=\\"right\\">$0.00</td>
</tr>
<tr>
<td><span class=\\"date\\">2026-11-04</span></td>
<td align=\\"right\\">0</td>
<td align=\\"right\\">–</td>
<td align=\\"right\\">$0.00</td>
</tr>
<tr>
<td><span class=\\"date\\">2026-11-11</span></td>
<td align=\\"right\\">0</td>
<td align=\\"right\\">–</td>
<td align=\\"right\\">$0.00</td>
</tr>
<tr>
<td><span class=\\"date\\">2026-11-18</span></td>
<td align=\\"right\\">1</td>
<td align=\\"right\\">4 s</td>
<td align=\\"right\\">$93.00</td>
</tr>
</tbody></table></div>
<p>Lead time is from the creation of a requirement to its completion.</p>
<h2 id=\\"decisions\\">Decisions</h2>
<ul>
<li><span class=\\"date\\">2026-11-24</span>: Unnamed user cancelled <strong>Release review</strong> of <a href=\\"https://signalbox.example.com/app/requirements/01a20d6b-4d2b-7988-8025-dea56b2e2416\\" rel=\\"noopener noreferrer\\">#2</a> Pay by invoice</li>
<li><span class=\\"date\\">2026-11-24</span>: Ada King rejected <strong>Release review</strong> of <a href=\\"https://signalbox.example.com/app/requirements/01a20d6b-4d2b-7988-8025-dea56b2e2416\\" rel=\\"noopener noreferrer\\">#2</a> Pay by invoice</li>
<li><span class=\\"date\\">2026-11-24</span>: Unnamed user expired <strong>Legal</strong> of <a href=\\"https://signalbox.example.com/app/requirements/01a20d6b-4d2b-7988-8025-dea56b2e2416\\" rel=\\"noopener noreferrer\\">#2</a> Pay by invoice</li>
<li><span class=\\"date\\">2026-11-24</span>: Ada King rejected <strong>Release review</strong> of <a href=\\"https://signalbox.example.com/app/requirements/01a20d6b-4d2b-7988-8025-dea56b2e2416\\" rel=\\"noopener noreferrer\\">#2</a> Pay by invoice: Not yet</li>
<li><span class=\\"date\\">2026-11-24</span>: Grace Hopper approved <strong>Release review</strong> of <a href=\\"https://signalbox.example.com/app/requirements/01a20d6b-4d2b-7988-8025-dea56b2e2416\\" rel=\\"noopener noreferrer\\">#2</a> Pay by invoice</li>
</ul>
<h2 id=\\"agents-and-cost\\">Agents and cost</h2>
<div class=\\"wide\\"><table>
<thead>
<tr>
<th>Agent</th>
<th align=\\"right\\">Executions</th>
<th align=\\"right\\">Completed</th>
<th align=\\"right\\">Failed</th>
<th align=\\"right\\">Cancelled</th>
<th align=\\"right\\">Unfinished</th>
<th align=\\"right\\">Cost</th>
<th align=\\"right\\">Median time</th>
</tr>
</thead>
<tbody><tr>
<td>claude</td>
<td align=\\"right\\">5</td>
<td align=\\"right\\">1</td>
<td align=\\"right\\">3</td>
<td align=\\"right\\">1</td>
<td align=\\"right\\">0</td>
<td align=\\"right\\">$91.00</td>
<td align=\\"right\\">1 s</td>
</tr>
<tr>
<td>codex</td>
<td align=\\"right\\">1</td>
<td align=\\"right\\">0</td>
<td align=\\"right\\">1</td>
<td align=\\"right\\">0</td>
<td align=\\"right\\">0</td>
<td align=\\"right\\">$2.00</td>
<td align=\\"right\\">0 s</td>
</tr>
</tbody></table></div>
<h2 id=\\"what-runs-where\\">What runs where</h2>
<div class=\\"wide\\"><table>
<thead>
<tr>
<th>Environment</th>
<th>Running</th>
<th>Since</th>
</tr>
</thead>
<tbody><tr>
<td>production</td>
<td><strong>v1.5.0</strong></td>
<td><span class=\\"date\\">2026-11-24</span> 11:57 UTC</td>
</tr>
</tbody></table></div>
<h2 id=\\"about-the-project\\">About the project</h2>
<p>Payments</p>
<div class=\\"wide\\"><table>
<thead>
<tr>
<th></th>
<th></th>
</tr>
</thead>
<tbody><tr>
<td>Organization</td>
<td>Acme Robotics</td>
</tr>
<tr>
<td>Workspace</td>
<td>Platform</td>
</tr>
<tr>
<td>Started</td>
<td><span class=\\"date\\">2026-11-24</span></td>
</tr>
<tr>
<td>Repository</td>
<td>–</td>
</tr>
<tr>
<td>Executions</td>
<td>6</td>
</tr>
<tr>
<td>Gates approved</td>
<td>1 of 3 decided (33%)</td>
</tr>
<tr>
<td>Spent on this project</td>
<td>$93.00</td>
</tr>
</tbody></table></div>
<figure><figcaption>Requirements by status</figcaption><svg xmlns=\\"http://www.w3.org/2000/svg\\" viewBox=\\"0 0 560 30\\" width=\\"100%\\" role=\\"img\\" aria-label=\\"Requirements by status. Done: 1\\"><text x=\\"120\\" y=\\"20\\" text-anchor=\\"end\\">Done</text><rect x=\\"130\\" y=\\"5\\" width=\\"370\\" height=\\"20\\" rx=\\"3\\" fill=\\"#2f7d4f\\"/><text x=\\"508\\" y=\\"20\\">1</text></svg></figure>
<h2 id=\\"people\\">People</h2>
<ul>
<li>Ada King, owner of the organization</li>
<li>Grace Hopper, admin</li>
</ul>
<hr />
<p><strong>What would make this document better:</strong> 1 of the requirements that are done has no description, so only their titles can be told.</p>
"}', NULL, 'template/1', '{"as_of": "2026-11-24T11:58:01.395Z", "counts": {"gates": 5, "hooks": 2, "members": 2, "dispatches": 12, "executions": 6, "requirements": 1}, "missing": ["1 of the requirements that are done has no description, so only their titles can be told."], "data_hash": "4399cadb82542f247bae56bbc6a97fda64ba5c8c2a1f81abe9d70e541ef042a7", "execution_ids": ["01a20d6b-4daf-772c-ab85-c54d99bb24b8", "01a20d6b-51c6-7d5a-ae43-b5bb80c9012f", "01a20d6b-5307-7cd3-a719-65e5113b8210", "01a20d6b-53c9-773b-8644-4baf389cf8c4", "01a20d6b-555d-7173-9149-b3aeaaebed9c", "01a20d6b-856f-7198-a12e-72f95b39c6c0"], "requirement_ids": ["01a20d6b-4d2b-7988-8025-dea56b2e2416"]}', NULL, 'f85c7064-88e4-41e5-b095-24af4e1f93b1', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:01.379+00', '2026-11-24 11:58:01.604+00', NULL, NULL),
  ('01a20d6b-8bc8-7660-ad8d-6ee594824f18', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', NULL, 'deployment_guide', 'Checkout: deployment guide', 'draft', '1', E'# Checkout: deployment guide

**production** has run v1.5.0 since 2026-11-24 11:57 UTC. If something breaks, read the [warning](<#roll-back>), then roll back. Contact the owner of the workspace: Ada King, [ada@example.com](<mailto:ada@example.com>).

## What runs where

| Environment | Running | Since | Last report | Version before |
| --- | --- | --- | --- | --- |
| **production** | **v1.5.0** | 2026-11-24 11:57 UTC | v1.5.0: succeeded, 2026-11-24 11:57 UTC | – |

## Roll back

> [!WARNING]
> One version goes to **all environments**, also where it never ran: **production** (1 hook). Nothing undoes database changes.

You need the role admin in the workspace Platform, and a token of your [account](<https://signalbox.example.com/app/account>): `read -rs SIGNALBOX_TOKEN && export SIGNALBOX_TOKEN`. Check first that the database still fits the older version, and that no rollout is under way. The [rollback page](<https://signalbox.example.com/app/projects/01a20d6b-481d-790e-bfb5-ce63973b483f/rollback>) does the same without a shell.

No earlier version is known to be fit. Enter the one to go back to; your deployment systems do the rollback:

```sh
read -r VERSION
```

```sh
curl --fail-with-body -sS -X POST ''https://signalbox.example.com/api/v1/projects/01a20d6b-481d-790e-bfb5-ce63973b483f/deployment-rollback'' \\
  -H "Authorization: Bearer $SIGNALBOX_TOKEN" \\
  -H ''Prefer: wait=25'' \\
  -H ''Content-Type: application/json'' \\
  -d ''{"reason":"Errors after the deployment","target_version":"''"${VERSION:?is empty}"''"}''
```

The response lists one dispatch for each hook: `status` is `succeeded` where the receiver took it. Then check as [after a deployment](<#check>).

The next time a gate is approved, Deployment deploys again. To keep the version until the fault is mended, pause the hook, and set `paused` to `false` afterwards:

```sh
curl --fail-with-body -sS -X PUT ''https://signalbox.example.com/api/v1/deployment-hooks/01a20d6b-5c93-7ce3-bc90-a943f501bb81'' \\
  -H "Authorization: Bearer $SIGNALBOX_TOKEN" \\
  -H ''Content-Type: application/json'' \\
  -d ''{"paused":true}''
```

## Before you deploy

You need the role admin in the workspace Platform, and a token of your [account](<https://signalbox.example.com/app/account>). Enter it once; it is not shown:

```sh
read -rs SIGNALBOX_TOKEN && export SIGNALBOX_TOKEN
```

- Hooks: Pulled is disabled.
- Gates: none waits for a decision.

Is the receiver of Deployment (production) up? A test deploys nothing; expect `"status":"succeeded"`:

```sh
curl --fail-with-body -sS -X POST ''https://signalbox.example.com/api/v1/deployment-hooks/01a20d6b-5c93-7ce3-bc90-a943f501bb81/test'' \\
  -H "Authorization: Bearer $SIGNALBOX_TOKEN" \\
  -H ''Prefer: wait=10''
```

## Deploy

Signalbox deploys by itself:

- When a gate is approved: Deployment (production).

### Deploy by hand

This sends a manual event to one hook; it names no version, so the receiver decides what it deploys.

**production**, with Deployment:

```sh
curl --fail-with-body -sS -X POST ''https://signalbox.example.com/api/v1/deployment-hooks/01a20d6b-5c93-7ce3-bc90-a943f501bb81/trigger'' \\
  -H "Authorization: Bearer $SIGNALBOX_TOKEN" \\
  -H ''Prefer: wait=10'' \\
  -H ''Content-Type: application/json'' \\
  -d ''{}''
```

## Check

What runs where: `current.version` is the new version, and `latest.state` is `succeeded`.

```sh
curl --fail-with-body -sS ''https://signalbox.example.com/api/v1/projects/01a20d6b-481d-790e-bfb5-ce63973b483f/environments'' \\
  -H "Authorization: Bearer $SIGNALBOX_TOKEN"
```

What was sent, newest first: `status` is `succeeded`; a `pending` one is retried for about 28 hours.

```sh
curl --fail-with-body -sS ''https://signalbox.example.com/api/v1/deployment-hooks/01a20d6b-5c93-7ce3-bc90-a943f501bb81/dispatches?page_size=5'' \\
  -H "Authorization: Bearer $SIGNALBOX_TOKEN"
```

Then look at the service itself: error rate, latency and logs for ten minutes. Roll back if they get worse.

## Failures of the last 30 days

From 2026-10-25 to 2026-11-24, the most frequent first:

| Cause | Times | Environment | Where | First | Last | What to do |
| --- | ---: | --- | --- | --- | --- | --- |
| The receiver answered 500 | 1 | production | [Deployment](<https://signalbox.example.com/app/dispatches/01a20d6b-8004-7eff-ad22-7c15c5ff601a>) | 2026-11-24 11:57 UTC | 2026-11-24 11:57 UTC | Read the receiver''s log at that time, then redeliver. |
| Rollout without a report in time | 1 | production | the receiver | 2026-11-24 11:57 UTC | 2026-11-24 11:57 UTC | Read the log of the run. |

Once the cause is removed, send again what Deployment missed:

```sh
curl --fail-with-body -sS -X POST ''https://signalbox.example.com/api/v1/deployment-hooks/01a20d6b-5c93-7ce3-bc90-a943f501bb81/recover'' \\
  -H "Authorization: Bearer $SIGNALBOX_TOKEN" \\
  -H ''Content-Type: application/json'' \\
  -d ''{"since":"2026-10-25T11:58:00.737Z"}''
```

## Who can help

- If something breaks: the owner of the workspace, Ada King, [ada@example.com](<mailto:ada@example.com>).
- May deploy and roll back: Ada King, Grace Hopper.

## Hooks

| Hook | Environment | Receiver | Triggered when | State | Delivered (last 100) |
| --- | --- | --- | --- | --- | --- |
| [Deployment](<https://signalbox.example.com/app/deployment-hooks/01a20d6b-5c93-7ce3-bc90-a943f501bb81>) | production | `http://127.0.0.1:40771` | a gate is approved | enabled, signed | 7 of 8, last 2026-11-24 11:57 UTC |
| [Pulled](<https://signalbox.example.com/app/deployment-hooks/01a20d6b-67a2-7f85-abb3-8f9045eb05c9>) | production | fetches its dispatches itself | a gate is approved | disabled, signed | 1 of 1, last 2026-11-24 11:57 UTC |

## Gates to pass

| Gate | Approved | Rejected | Pending | Decided by |
| --- | ---: | ---: | ---: | --- |
| Release review | 1 | 2 | 0 | Ada King, Grace Hopper, Unnamed user |
| Legal | 0 | 0 | 0 | Unnamed user |

## The workflow

```yaml
version: 1
```

---

**What would make this document better:** Not every hook (1 of 2 do not) has report\\_within\\_seconds: set it, and let the receivers report, so that this guide says what runs where. The project has no support: set it to a URL or an e-mail address at which readers get help.
', E'{"<h1>Checkout: deployment guide</h1>
<p><strong>production</strong> has run v1.5.0 since <span class=\\"date\\">2026-11-24</span> 11:57 UTC. If something breaks, read the <a href=\\"#roll-back\\" rel=\\"noopener noreferrer\\">warning</a>, then roll back. Contact the owner of the workspace: Ada King, <a href=\\"mailto:ada@example.com\\" rel=\\"noopener noreferrer\\">ada@example.com</a>.</p>
<nav aria-label=\\"Contents\\"><details><summary>Contents</summary><ul>
<li><a href=\\"#what-runs-where\\">What runs where</a></li>
<li><a href=\\"#roll-back\\">Roll back</a></li>
<li><a href=\\"#before-you-deploy\\">Before you deploy</a></li>
<li><a href=\\"#deploy\\">Deploy</a></li>
<li class=\\"inner\\"><a href=\\"#deploy-by-hand\\">Deploy by hand</a></li>
<li><a href=\\"#check\\">Check</a></li>
<li><a href=\\"#failures-of-the-last-30-days\\">Failures of the last 30 days</a></li>
<li><a href=\\"#who-can-help\\">Who can help</a></li>
<li><a href=\\"#hooks\\">Hooks</a></li>
<li><a href=\\"#gates-to-pass\\">Gates to pass</a></li>
<li><a href=\\"#the-workflow\\">The workflow</a></li>
</ul></details></nav>
<h2 id=\\"what-runs-where\\">What runs where</h2>
<div class=\\"wide\\"><table>
<thead>
<tr>
<th>Environment</th>
<th>Running</th>
<th>Since</th>
<th>Last report</th>
<th>Version before</th>
</tr>
</thead>
<tbody><tr>
<td><strong>production</strong></td>
<td><strong>v1.5.0</strong></td>
<td><span class=\\"date\\">2026-11-24</span> 11:57 UTC</td>
<td>v1.5.0: succeeded, <span class=\\"date\\">2026-11-24</span> 11:57 UTC</td>
<td>–</td>
</tr>
</tbody></table></div>
<h2 id=\\"roll-back\\">Roll back</h2>
<blockquote class=\\"warning\\">
<p><strong>Warning</strong></p>
<p>One version goes to <strong>all environments</strong>, also where it never ran: <strong>production</strong> (1 hook). Nothing undoes database changes.</p>
</blockquote>
<p>You need the role admin in the workspace Platform, and a token of your <a href=\\"https://signalbox.example.com/app/account\\" rel=\\"noopener noreferrer\\">account</a>: <code>read -rs SIGNALBOX_TOKEN &amp;&amp; export SIGNALBOX_TOKEN</code>. Check first that the database still fits the older version, and that no rollout is under way. The <a href=\\"https://signalbox.example.com/app/projects/01a20d6b-481d-790e-bfb5-ce63973b483f/rollback\\" rel=\\"noopener noreferrer\\">rollback page</a> does the same without a shell.</p>
<p>No earlier version is known to be fit. Enter the one to go back to; your deployment systems do the rollback:</p>
<pre class=\\"sh\\"><code>read -r VERSION
</code></pre>
<pre class=\\"sh\\"><code>curl --fail-with-body -sS -X POST ''https://signalbox.example.com/api/v1/projects/01a20d6b-481d-790e-bfb5-ce63973b483f/deployment-rollback'' \\\\
  -H \\"Authorization: Bearer $SIGNALBOX_TOKEN\\" \\\\
  -H ''Prefer: wait=25'' \\\\
  -H ''Content-Type: application/json'' \\\\
  -d ''{\\"reason\\":\\"Errors after the deployment\\",\\"target_version\\":\\"''\\"${VERSION:?is empty}\\"''\\"}''
</code></pre>
<p>The response lists one dispatch for each hook: <code>status</code> is <code>succeeded</code> where the receiver took it. Then check as <a href=\\"#check\\" rel=\\"noopener noreferrer\\">after a deployment</a>.</p>
<p>The next time a gate is approved, Deployment deploys again. To keep the version until the fault is mended, pause the hook, and set <code>paused</code> to <code>false</code> afterwards:</p>
<pre class=\\"sh\\"><code>curl --fail-with-body -sS -X PUT ''https://signalbox.example.com/api/v1/deployment-hooks/01a20d6b-5c93-7ce3-bc90-a943f501bb81'' \\\\
  -H \\"Authorization: Bearer $SIGNALBOX_TOKEN\\" \\\\
  -H ''Content-Type: application/json'' \\\\
  -d ''{\\"paused\\":true}''
</code></pre>
<h2 id=\\"before-you-deploy\\">Before you deploy</h2>
<p>You need the role admin in the workspace Platform, and a token of your <a href=\\"https://signalbox.example.com/app/account\\" rel=\\"noopener noreferrer\\">account</a>. Enter it once; it is not shown:</p>
<pre class=\\"sh\\"><code>read -rs SIGNALBOX_TOKEN &amp;&amp; export SIGNALBOX_TOKEN
</code></pre>
<ul>
<li>Hooks: Pulled is disabled.</li>
<li>Gates: none waits for a decision.</li>
</ul>
<p>Is the receiver of Deployment (production) up? A test deploys nothing; expect <code>\\"status\\":\\"succeeded\\"</code>:</p>
<pre class=\\"sh\\"><code>curl --fail-with-body -sS -X POST ''https://signalbox.example.com/api/v1/deployment-hooks/01a20d6b-5c93-7ce3-bc90-a943f501bb81/test'' \\\\
  -H \\"Authorization: Bearer $SIGNALBOX_TOKEN\\" \\\\
  -H ''Prefer: wait=10''
</code></pre>
<h2 id=\\"deploy\\">Deploy</h2>
<p>Signalbox deploys by itself:</p>
<ul>
<li>When a gate is approved: Deployment (production).</li>
</ul>
<h3 id=\\"deploy-by-hand\\">Deploy by hand</h3>
<p>This sends a manual event to one hook; it names no version, so the receiver decides what it deploys.</p>
<p><strong>production</strong>, with Deployment:</p>
<pre class=\\"sh\\"><code>curl --fail-with-body -sS -X POST ''https://signalbox.example.com/api/v1/deployment-hooks/01a20d6b-5c93-7ce3-bc90-a943f501bb81/trigger'' \\\\
  -H \\"Authorization: Bearer $SIGNALBOX_TOKEN\\" \\\\
  -H ''Prefer: wait=10'' \\\\
  -H ''Content-Type: application/json'' \\\\
  -d ''{}''
</code></pre>
<h2 id=\\"check\\">Check</h2>
<p>What runs where: <code>current.version</code> is the new version, and <code>latest.state</code> is <code>succeeded</code>.</p>
<pre class=\\"sh\\"><code>curl --fail-with-body -sS ''https://signalbox.example.com/api/v1/projects/01a20d6b-481d-790e-bfb5-ce63973b483f/environments'' \\\\
  -H \\"Authorization: Bearer $SIGNALBOX_TOKEN\\"
</code></pre>
<p>What was sent, newest first: <code>status</code> is <code>succeeded</code>; a <code>pending</code> one is retried for about 28 hours.</p>
<pre class=\\"sh\\"><code>curl --fail-with-body -sS ''https://signalbox.example.com/api/v1/deployment-hooks/01a20d6b-5c93-7ce3-bc90-a943f501bb81/dispatches?page_size=5'' \\\\
  -H \\"Authorization: Bearer $SIGNALBOX_TOKEN\\"
</code></pre>
<p>Then look at the service itself: error rate, latency and logs for ten minutes. Roll back if they get worse.</p>
<h2 id=\\"failures-of-the-last-30-days\\">Failures of the last 30 days</h2>
<p>From <span class=\\"date\\">2026-10-25</span> to <span class=\\"date\\">2026-11-24</span>, the most frequent first:</p>
<div class=\\"wide\\"><table>
<thead>
<tr>
<th>Cause</th>
<th align=\\"right\\">Times</th>
<th>Environment</th>
<th>Where</th>
<th>First</th>
<th>Last</th>
<th>What to do</th>
</tr>
</thead>
<tbody><tr>
<td>The receiver answered 500</td>
<td align=\\"right\\">1</td>
<td>production</td>
<td><a href=\\"https://signalbox.example.com/app/dispatches/01a20d6b-8004-7eff-ad22-7c15c5ff601a\\" rel=\\"noopener noreferrer\\">Deployment</a></td>
<td><span class=\\"date\\">2026-11-24</span> 11:57 UTC</td>
<td><span class=\\"date\\">2026-11-24</span> 11:57 UTC</td>
<td>Read the receiver''s log at that time, then redeliver.</td>
</tr>
<tr>
<td>Rollout without a report in time</td>
<td align=\\"right\\">1</td>
<td>production</td>
<td>the receiver</td>
<td><span class=\\"date\\">2026-11-24</span> 11:57 UTC</td>
<td><span class=\\"date\\">2026-11-24</span> 11:57 UTC</td>
<td>Read the log of the run.</td>
</tr>
</tbody></table></div>
<p>Once the cause is removed, send again what Deployment missed:</p>
<pre class=\\"sh\\"><code>curl --fail-with-body -sS -X POST ''https://signalbox.example.com/api/v1/deployment-hooks/01a20d6b-5c93-7ce3-bc90-a943f501bb81/recover'' \\\\
  -H \\"Authorization: Bearer $SIGNALBOX_TOKEN\\" \\\\
  -H ''Content-Type: application/json'' \\\\
  -d ''{\\"since\\":\\"2026-10-25T11:58:00.737Z\\"}''
</code></pre>
<h2 id=\\"who-can-help\\">Who can help</h2>
<ul>
<li>If something breaks: the owner of the workspace, Ada King, <a href=\\"mailto:ada@example.com\\" rel=\\"noopener noreferrer\\">ada@example.com</a>.</li>
<li>May deploy and roll back: Ada King, Grace Hopper.</li>
</ul>
<h2 id=\\"hooks\\">Hooks</h2>
<div class=\\"wide\\"><table>
<thead>
<tr>
<th>Hook</th>
<th>Environment</th>
<th>Receiver</th>
<th>Triggered when</th>
<th>State</th>
<th>Delivered (last 100)</th>
</tr>
</thead>
<tbody><tr>
<td><a href=\\"https://signalbox.example.com/app/deployment-hooks/01a20d6b-5c93-7ce3-bc90-a943f501bb81\\" rel=\\"noopener noreferrer\\">Deployment</a></td>
<td>production</td>
<td><code>http://127.0.0.1:40771</code></td>
<td>a gate is approved</td>
<td>enabled, signed</td>
<td>7 of 8, last <span class=\\"date\\">2026-11-24</span> 11:57 UTC</td>
</tr>
<tr>
<td><a href=\\"https://signalbox.example.com/app/deployment-hooks/01a20d6b-67a2-7f85-abb3-8f9045eb05c9\\" rel=\\"noopener noreferrer\\">Pulled</a></td>
<td>production</td>
<td>fetches its dispatches itself</td>
<td>a gate is approved</td>
<td>disabled, signed</td>
<td>1 of 1, last <span class=\\"date\\">2026-11-24</span> 11:57 UTC</td>
</tr>
</tbody></table></div>
<h2 id=\\"gates-to-pass\\">Gates to pass</h2>
<div class=\\"wide\\"><table>
<thead>
<tr>
<th>Gate</th>
<th align=\\"right\\">Approved</th>
<th align=\\"right\\">Rejected</th>
<th align=\\"right\\">Pending</th>
<th>Decided by</th>
</tr>
</thead>
<tbody><tr>
<td>Release review</td>
<td align=\\"right\\">1</td>
<td align=\\"right\\">2</td>
<td align=\\"right\\">0</td>
<td>Ada King, Grace Hopper, Unnamed user</td>
</tr>
<tr>
<td>Legal</td>
<td align=\\"right\\">0</td>
<td align=\\"right\\">0</td>
<td align=\\"right\\">0</td>
<td>Unnamed user</td>
</tr>
</tbody></table></div>
<h2 id=\\"the-workflow\\">The workflow</h2>
<pre><code>version: 1
</code></pre>
<hr />
<p><strong>What would make this document better:</strong> Not every hook (1 of 2 do not) has report_within_seconds: set it, and let the receivers report, so that this guide says what runs where. The project has no support: set it to a URL or an e-mail address at which readers get help.</p>
"}', NULL, 'template/1', '{"as_of": "2026-11-24T11:58:01.681Z", "counts": {"gates": 5, "hooks": 2, "members": 2, "dispatches": 12, "executions": 6, "requirements": 1}, "missing": ["Not every hook (1 of 2 do not) has report_within_seconds: set it, and let the receivers report, so that this guide says what runs where.", "The project has no support: set it to a URL or an e-mail address at which readers get help."], "data_hash": "4399cadb82542f247bae56bbc6a97fda64ba5c8c2a1f81abe9d70e541ef042a7", "execution_ids": ["01a20d6b-4daf-772c-ab85-c54d99bb24b8", "01a20d6b-51c6-7d5a-ae43-b5bb80c9012f", "01a20d6b-5307-7cd3-a719-65e5113b8210", "01a20d6b-53c9-773b-8644-4baf389cf8c4", "01a20d6b-555d-7173-9149-b3aeaaebed9c", "01a20d6b-856f-7198-a12e-72f95b39c6c0"], "requirement_ids": ["01a20d6b-4d2b-7988-8025-dea56b2e2416"]}', NULL, 'fc063906-6ff1-46d3-b110-a49f519a4f1f', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:01.666+00', '2026-11-24 11:58:01.908+00', NULL, NULL),
  ('01a20d6b-8d03-7d15-805c-47956f7c0273', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', NULL, 'api_docs', 'Checkout: API documentation', 'draft', '1', E'# Checkout API: documentation

Version 1.4.2. License: MIT.

No earlier version was published, so changes are not listed.

Takes money.

## Servers

- `https://shop.example.com/v1`: Production

## Authentication

| Scheme | Sent as | Variable | Description |
| --- | --- | --- | --- |
| `key` | header `X-Key` | `$API_KEY` | Ask for one. |

Set this variable in your shell; the calls below use it. What you enter is not shown:

```sh
read -rs API_KEY && export API_KEY
```

## Operations

| Operation | What it does |
| --- | --- |
| [GET /orders](<#get-orders>) | The orders of a customer |
| [POST /orders](<#post-orders>) | Place an order |
| [GET /invoices/{id}](<#get-invoicesid>) | A customer''s invoice (deprecated) |

## Orders

### GET /orders

The orders of a customer

Authentication: none.

| Parameter | Type | Description |
| --- | --- | --- |
| `customer` (query, required) | string (uuid) | Whose. |
| `limit` (query) | integer |  |

```sh
curl --fail-with-body -sS ''https://shop.example.com/v1/orders?customer=00000000-0000-4000-8000-000000000000''
```

| Status | Body | Description |
| --- | --- | --- |
| `200` | array of [Order](<#order>) | Newest first. |

Response `200`:

```json
[
  {
    "id": "string",
    "state": "open",
    "note": "string"
  }
]
```

### POST /orders

Place an order

Totals are \\<b\\>computed\\</b\\>.

- never sent

Authentication: `key`.

Request body (required): `application/json`, [Order](<#order>).

```sh
curl --fail-with-body -sS ''https://shop.example.com/v1/orders'' \\
  --request POST \\
  --header ''X-Key: ''"$API_KEY" \\
  --header ''Content-Type: application/json'' \\
  --data-raw ''{
  "id": "string",
  "state": "open",
  "note": "string"
}''
```

| Status | Body | Description |
| --- | --- | --- |
| `201` | – | Placed. |
| `422` | – | A field is wrong. |

## Invoices

### GET /invoices/{id}

A customer''s invoice

> [!WARNING]
> Deprecated: it may be removed.

Authentication: none.

| Parameter | Type | Description |
| --- | --- | --- |
| `id` (path, required) | integer |  |

```sh
curl --fail-with-body -sS ''https://shop.example.com/v1/invoices/1''
```

| Status | Body | Description |
| --- | --- | --- |
| `200` | – | The invoice \\| as it is. |

## Schemas

### Order

| Field | Type | Description |
| --- | --- | --- |
| `id` (required) | string | Its id. |
| `state` | one of `open` or `paid` |  |
| `parent` | [Order](<#order>) |  |
| `note` | string or null |  |

---

*Parts of this document are short or missing, because its sources say no more about them.*
', E'{"<h1>Checkout API: documentation</h1>
<p>Version 1.4.2. License: MIT.</p>
<p>No earlier version was published, so changes are not listed.</p>
<p>Takes money.</p>
<nav aria-label=\\"Contents\\"><details><summary>Contents</summary><ul>
<li><a href=\\"#servers\\">Servers</a></li>
<li><a href=\\"#authentication\\">Authentication</a></li>
<li><a href=\\"#operations\\">Operations</a></li>
<li><a href=\\"#orders\\">Orders</a></li>
<li class=\\"inner\\"><a href=\\"#get-orders\\">GET /orders</a></li>
<li class=\\"inner\\"><a href=\\"#post-orders\\">POST /orders</a></li>
<li><a href=\\"#invoices\\">Invoices</a></li>
<li class=\\"inner\\"><a href=\\"#get-invoicesid\\">GET /invoices/{id}</a></li>
<li><a href=\\"#schemas\\">Schemas</a></li>
<li class=\\"inner\\"><a href=\\"#order\\">Order</a></li>
</ul></details></nav>
<h2 id=\\"servers\\">Servers</h2>
<ul>
<li><code>https://shop.example.com/v1</code>: Production</li>
</ul>
<h2 id=\\"authentication\\">Authentication</h2>
<div class=\\"wide\\"><table>
<thead>
<tr>
<th>Scheme</th>
<th>Sent as</th>
<th>Variable</th>
<th>Description</th>
</tr>
</thead>
<tbody><tr>
<td><code>key</code></td>
<td>header <code>X-Key</code></td>
<td><code>$API_KEY</code></td>
<td>Ask for one.</td>
</tr>
</tbody></table></div>
<p>Set this variable in your shell; the calls below use it. What you enter is not shown:</p>
<pre class=\\"sh\\"><code>read -rs API_KEY &amp;&amp; export API_KEY
</code></pre>
<h2 id=\\"operations\\">Operations</h2>
<div class=\\"wide\\"><table>
<thead>
<tr>
<th>Operation</th>
<th>What it does</th>
</tr>
</thead>
<tbody><tr>
<td><a href=\\"#get-orders\\" rel=\\"noopener noreferrer\\">GET /orders</a></td>
<td>The orders of a customer</td>
</tr>
<tr>
<td><a href=\\"#post-orders\\" rel=\\"noopener noreferrer\\">POST /orders</a></td>
<td>Place an order</td>
</tr>
<tr>
<td><a href=\\"#get-invoicesid\\" rel=\\"noopener noreferrer\\">GET /invoices/{id}</a></td>
<td>A customer''s invoice (deprecated)</td>
</tr>
</tbody></table></div>
<h2 id=\\"orders\\">Orders</h2>
<h3 id=\\"get-orders\\">GET /orders</h3>
<p>The orders of a customer</p>
<p>Authentication: none.</p>
<div class=\\"wide\\"><table>
<thead>
<tr>
<th>Parameter</th>
<th>Type</th>
<th>Description</th>
</tr>
</thead>
<tbody><tr>
<td><code>customer</code> (query, required)</td>
<td>string (uuid)</td>
<td>Whose.</td>
</tr>
<tr>
<td><code>limit</code> (query)</td>
<td>integer</td>
<td></td>
</tr>
</tbody></table></div>
<pre class=\\"sh\\"><code>curl --fail-with-body -sS ''https://shop.example.com/v1/orders?customer=00000000-0000-4000-8000-000000000000''
</code></pre>
<div class=\\"wide\\"><table>
<thead>
<tr>
<th>Status</th>
<th>Body</th>
<th>Description</th>
</tr>
</thead>
<tbody><tr>
<td><code>200</code></td>
<td>array of <a href=\\"#order\\" rel=\\"noopener noreferrer\\">Order</a></td>
<td>Newest first.</td>
</tr>
</tbody></table></div>
<p>Response <code>200</code>:</p>
<pre><code>[
  {
    \\"id\\": \\"string\\",
    \\"state\\": \\"open\\",
    \\"note\\": \\"string\\"
  }
]
</code></pre>
<h3 id=\\"post-orders\\">POST /orders</h3>
<p>Place an order</p>
<p>Totals are &lt;b&gt;computed&lt;/b&gt;.</p>
<ul>
<li>never sent</li>
</ul>
<p>Authentication: <code>key</code>.</p>
<p>Request body (required): <code>application/json</code>, <a href=\\"#order\\" rel=\\"noopener noreferrer\\">Order</a>.</p>
<pre class=\\"sh\\"><code>curl --fail-with-body -sS ''https://shop.example.com/v1/orders'' \\\\
  --request POST \\\\
  --header ''X-Key: ''\\"$API_KEY\\" \\\\
  --header ''Content-Type: application/json'' \\\\
  --data-raw ''{
  \\"id\\": \\"string\\",
  \\"state\\": \\"open\\",
  \\"note\\": \\"string\\"
}''
</code></pre>
<div class=\\"wide\\"><table>
<thead>
<tr>
<th>Status</th>
<th>Body</th>
<th>Description</th>
</tr>
</thead>
<tbody><tr>
<td><code>201</code></td>
<td>–</td>
<td>Placed.</td>
</tr>
<tr>
<td><code>422</code></td>
<td>–</td>
<td>A field is wrong.</td>
</tr>
</tbody></table></div>
<h2 id=\\"invoices\\">Invoices</h2>
<h3 id=\\"get-invoicesid\\">GET /invoices/{id}</h3>
<p>A customer''s invoice</p>
<blockquote class=\\"warning\\">
<p><strong>Warning</strong></p>
<p>Deprecated: it may be removed.</p>
</blockquote>
<p>Authentication: none.</p>
<div class=\\"wide\\"><table>
<thead>
<tr>
<th>Parameter</th>
<th>Type</th>
<th>Description</th>
</tr>
</thead>
<tbody><tr>
<td><code>id</code> (path, required)</td>
<td>integer</td>
<td></td>
</tr>
</tbody></table></div>
<pre class=\\"sh\\"><code>curl --fail-with-body -sS ''https://shop.example.com/v1/invoices/1''
</code></pre>
<div class=\\"wide\\"><table>
<thead>
<tr>
<th>Status</th>
<th>Body</th>
<th>Description</th>
</tr>
</thead>
<tbody><tr>
<td><code>200</code></td>
<td>–</td>
<td>The invoice | as it is.</td>
</tr>
</tbody></table></div>
<h2 id=\\"schemas\\">Schemas</h2>
<h3 id=\\"order\\">Order</h3>
<div class=\\"wide\\"><table>
<thead>
<tr>
<th>Field</th>
<th>Type</th>
<th>Description</th>
</tr>
</thead>
<tbody><tr>
<td><code>id</code> (required)</td>
<td>string</td>
<td>Its id.</td>
</tr>
<tr>
<td><code>state</code></td>
<td>one of <code>open</code> or <code>paid</code></td>
<td></td>
</tr>
<tr>
<td><code>parent</code></td>
<td><a href=\\"#order\\" rel=\\"noopener noreferrer\\">Order</a></td>
<td></td>
</tr>
<tr>
<td><code>note</code></td>
<td>string or null</td>
<td></td>
</tr>
</tbody></table></div>
<hr />
<p><em>Parts of this document are short or missing, because its sources say no more about them.</em></p>
"}', E'{"openapi":"3.1.0","info":{"title":"Checkout API","version":"1.4.2","description":"Takes money.","license":{"name":"MIT","identifier":"MIT"}},"servers":[{"url":"https://shop.example.com/v1","description":"Production"}],"tags":[{"name":"Orders"},{"name":"Invoices"}],"paths":{"/orders":{"get":{"tags":["Orders"],"summary":"The orders of a customer","parameters":[{"name":"customer","in":"query","required":true,"schema":{"type":"string","format":"uuid"},"description":"Whose."},{"$ref":"#/components/parameters/Limit"}],"responses":{"200":{"description":"Newest first.","content":{"application/json":{"schema":{"type":"array","items":{"$ref":"#/components/schemas/Order"}}}}}}},"post":{"tags":["Orders"],"summary":"Place an order","description":"Totals are <b>computed</b>.\\n\\n- never sent","requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Order"}}}},"responses":{"201":{"description":"Placed."},"422":{"$ref":"#/components/responses/Invalid"}},"security":[{"key":[]}]}},"/invoices/{id}":{"parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"integer"}}],"get":{"tags":["Invoices"],"summary":"A customer''s invoice","deprecated":true,"responses":{"200":{"description":"The invoice | as it is."}}}}},"components":{"securitySchemes":{"key":{"type":"apiKey","in":"header","name":"X-Key","description":"Ask for one."}},"parameters":{"Limit":{"name":"limit","in":"query","schema":{"type":"integer"}}},"responses":{"Invalid":{"description":"A field is wrong."}},"schemas":{"Order":{"type":"object","required":["id"],"properties":{"id":{"type":"string","description":"Its id."},"state":{"enum":["open","paid"]},"parent":{"$ref":"#/components/schemas/Order"},"note":{"type":["string","null"]}}}}}}', 'template/1', '{"as_of": "2026-11-24T11:58:02.003Z", "counts": {"gates": 5, "hooks": 2, "members": 2, "dispatches": 12, "executions": 6, "requirements": 1}, "missing": ["These operations need authentication and describe no response 401: POST /orders."], "data_hash": "4399cadb82542f247bae56bbc6a97fda64ba5c8c2a1f81abe9d70e541ef042a7", "execution_ids": ["01a20d6b-4daf-772c-ab85-c54d99bb24b8", "01a20d6b-51c6-7d5a-ae43-b5bb80c9012f", "01a20d6b-5307-7cd3-a719-65e5113b8210", "01a20d6b-53c9-773b-8644-4baf389cf8c4", "01a20d6b-555d-7173-9149-b3aeaaebed9c", "01a20d6b-856f-7198-a12e-72f95b39c6c0"], "requirement_ids": ["01a20d6b-4d2b-7988-8025-dea56b2e2416"]}', NULL, 'd8a8e41e-0b5f-41b9-bea9-5eceb01774bd', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:01.98+00', '2026-11-24 11:58:02.32+00', NULL, NULL),
  ('01a20d6b-8e99-7d11-84e5-2ddf69816bfe', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', NULL, 'user_manual', 'Checkout: user manual', 'archived', '1', '# Checkout: user manual

## What it is

Payments

## What you can do

Nothing is ready for use yet.

## Help

Contact the owner of the workspace: Ada King, [ada@example.com](<mailto:ada@example.com>)

---

*Parts of this document are short or missing, because its sources say no more about them.*
', E'{"<h1>Checkout: user manual</h1>
<nav aria-label=\\"Contents\\"><details><summary>Contents</summary><ul>
<li><a href=\\"#what-it-is\\">What it is</a></li>
<li><a href=\\"#what-you-can-do\\">What you can do</a></li>
<li><a href=\\"#help\\">Help</a></li>
</ul></details></nav>
<h2 id=\\"what-it-is\\">What it is</h2>
<p>Payments</p>
<h2 id=\\"what-you-can-do\\">What you can do</h2>
<p>Nothing is ready for use yet.</p>
<h2 id=\\"help\\">Help</h2>
<p>Contact the owner of the workspace: Ada King, <a href=\\"mailto:ada@example.com\\" rel=\\"noopener noreferrer\\">ada@example.com</a></p>
<hr />
<p><em>Parts of this document are short or missing, because its sources say no more about them.</em></p>
"}', NULL, 'template/1', '{"as_of": "2026-11-24T11:58:02.413Z", "counts": {"gates": 5, "hooks": 2, "members": 2, "dispatches": 12, "executions": 6, "requirements": 1}, "missing": ["No feature is done yet.", "The project has no support: set it to a URL or an e-mail address at which readers get help."], "data_hash": "4399cadb82542f247bae56bbc6a97fda64ba5c8c2a1f81abe9d70e541ef042a7", "execution_ids": ["01a20d6b-4daf-772c-ab85-c54d99bb24b8", "01a20d6b-51c6-7d5a-ae43-b5bb80c9012f", "01a20d6b-5307-7cd3-a719-65e5113b8210", "01a20d6b-53c9-773b-8644-4baf389cf8c4", "01a20d6b-555d-7173-9149-b3aeaaebed9c", "01a20d6b-856f-7198-a12e-72f95b39c6c0"], "requirement_ids": ["01a20d6b-4d2b-7988-8025-dea56b2e2416"]}', NULL, '4557bc48-2ba9-47ff-a620-f78f088bdba5', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:02.377+00', '2026-11-24 11:58:02.728+00', '2026-11-24 11:58:02.645+00', '2026-11-24 11:58:02.717+00'),
  ('01a20d6b-a589-7a44-a1b7-d12a49176470', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', NULL, 'changelog', 'Checkout: changelog', 'archived', '2', E'# Changelog

All notable changes to Checkout. The format is [Keep a Changelog](https://keepachangelog.com/en/1.1.0/).

## Unreleased

Not in a release yet. Last rolled out as v1.5.0.

### Fixed

- Pay by invoice ([\\#2](<https://signalbox.example.com/app/requirements/01a20d6b-4d2b-7988-8025-dea56b2e2416>))

## Contributors

- Agents: claude (1 change)
- People: Ada King (1 change), Grace Hopper (1)

---

1 change, from completed requirements.
', E'{"<h1>Changelog</h1>
<p>All notable changes to Checkout. The format is <a href=\\"https://keepachangelog.com/en/1.1.0/\\" rel=\\"noopener noreferrer\\">Keep a Changelog</a>.</p>
<nav aria-label=\\"Contents\\"><details><summary>Contents</summary><ul>
<li><a href=\\"#unreleased\\">Unreleased</a></li>
<li class=\\"inner\\"><a href=\\"#fixed\\">Fixed</a></li>
<li><a href=\\"#contributors\\">Contributors</a></li>
</ul></details></nav>
<h2 id=\\"unreleased\\">Unreleased</h2>
<p>Not in a release yet. Last rolled out as v1.5.0.</p>
<h3 id=\\"fixed\\">Fixed</h3>
<ul>
<li>Pay by invoice (<a href=\\"https://signalbox.example.com/app/requirements/01a20d6b-4d2b-7988-8025-dea56b2e2416\\" rel=\\"noopener noreferrer\\">#2</a>)</li>
</ul>
<h2 id=\\"contributors\\">Contributors</h2>
<ul>
<li>Agents: claude (1 change)</li>
<li>People: Ada King (1 change), Grace Hopper (1)</li>
</ul>
<hr />
<p>1 change, from completed requirements.</p>
"}', NULL, 'template/1', '{"as_of": "2026-11-24T11:58:08.272Z", "counts": {"gates": 8, "hooks": 2, "members": 2, "dispatches": 12, "executions": 9, "requirements": 3}, "missing": [], "data_hash": "94841ae3a08f8b8a27ed8fa2150d07cb70de7884e5e6166441bb2645f155329a", "execution_ids": ["01a20d6b-4daf-772c-ab85-c54d99bb24b8", "01a20d6b-51c6-7d5a-ae43-b5bb80c9012f", "01a20d6b-5307-7cd3-a719-65e5113b8210", "01a20d6b-53c9-773b-8644-4baf389cf8c4", "01a20d6b-555d-7173-9149-b3aeaaebed9c", "01a20d6b-856f-7198-a12e-72f95b39c6c0", "01a20d6b-a1cc-7b4a-aa85-39d605ae757e", "01a20d6b-a484-71ad-bc65-fa21d4b70b52", "01a20d6b-a495-7c97-b987-e0a6f3f129e9"], "requirement_ids": ["01a20d6b-4d2b-7988-8025-dea56b2e2416", "01a20d6b-a1c4-7fe6-af1a-18bb5c2ba0b4", "01a20d6b-a46c-734f-aace-5230ec66d466"]}', NULL, '5ae4ea7d-f30f-4434-a746-963813acf9b7', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:08.255+00', '2026-11-24 11:58:08.863+00', '2026-11-24 11:58:08.802+00', '2026-11-24 11:58:08.859+00'),
  ('01a20d6b-d35f-7730-93bc-0121aa48e8f5', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cae4-76ed-bb36-f1fc30366363', NULL, 'project_summary', 'Basket: summary', 'generating', '1', NULL, NULL, NULL, 'template/1', NULL, NULL, 'e23bb96c-2359-4568-ab02-e7cdfc3e008c', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:19.989+00', '2026-11-24 11:58:19.989+00', NULL, NULL);

insert into public.deliveries (id, organization_id, lane_id, kind, event, due_at, attempt_count, is_test, cancel_requested, leased_at, lease_until) overriding system value values
  ('01a20d6b-cf5c-77b0-8ae7-a19dddfc1cba', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-cb5f-7648-9214-31802a2e5a85', 'dispatch', 'gate.approved', '2026-11-24 11:58:19.125+00', '0', 'false', 'false', NULL, NULL),
  ('01a20d6b-cf5c-77b0-8c1f-30e441a727a8', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-cb97-7c14-bc41-c1cae72c796d', 'message', 'gate.approved', '2026-11-24 11:59:19.469+00', '1', 'false', 'false', NULL, NULL),
  ('01a20d6b-cf5c-77b0-8f98-0dc06216ceb1', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-cb2d-7952-827d-5c98eb26d1ab', 'dispatch', 'gate.approved', '2026-11-24 11:59:19.445+00', '1', 'false', 'false', NULL, NULL),
  ('01a20d6b-cf5c-77b0-9cf2-9cac5a1a6149', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-cc00-7bfc-bcb7-2eeed5edd209', 'message', 'gate.approved', '2026-11-24 11:59:19.435+00', '1', 'false', 'false', NULL, NULL),
  ('01a20d6b-cf5c-77b0-9f77-2ed588bc5a74', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-cc20-7d65-88a4-c0575f24e034', 'message', 'gate.approved', '2026-11-24 11:59:19.469+00', '1', 'false', 'false', NULL, NULL),
  ('01a20d6b-cf5c-77b0-a973-e455980589fe', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-cbd6-7fd3-9f8f-2988fbd93796', 'message', 'gate.approved', '2026-11-24 11:59:19.362+00', '1', 'false', 'false', NULL, NULL),
  ('01a20d6b-cf5c-77b0-afc6-42db5e268e29', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-cc40-78a8-bda9-ab0175bb1ed7', 'message', 'gate.approved', '2026-11-24 11:59:19.514+00', '1', 'false', 'false', NULL, NULL),
  ('01a20d6b-d30e-7112-9115-44ebcf01e356', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-cb2d-7952-827d-5c98eb26d1ab', 'dispatch', 'manual.trigger', '2026-11-24 11:58:19.915+00', '0', 'false', 'false', NULL, NULL);

insert into public.deployment_hooks (id, organization_id, workspace_id, project_id, name, url, target_since, secret, previous_secret, previous_secret_until, headers, header_names, trigger_on, environment, max_age_seconds, supersede, paused, enabled, disabled_reason, created_by, created_at, updated_at, report_within_seconds, body_template, template_secrets, template_secret_names, filter, mode, pull_token_hash, signature, public_key) overriding system value values
  ('01a20d6b-5c93-7ce3-bc90-a943f501bb81', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', 'Deployment', 'http://127.0.0.1:40771', '2026-11-24 11:57:49.554+00', E'\\xc7c35a7e88a33abe66f045468c3a6c0a6a8f1288a671a4c3f3b59dc97f541c728c32e9672dfc03680ae652cd41965afea0df1d90ce819b8d2d9633f719caefb7f7c121a95362c9a9c941ec3b7728', E'\\x0589d8796a6c1a33db867c8ab320373041f31d710f97589cc79f73f7edcc4955d360c318523139f7fc94e196e6ff52a844f1062c471608a2b8b29648ae3a1dd1d4f361c9bc6c3c38e97db7a2bcfd', '2026-11-24 11:58:11.904+00', E'\\xe282e7947d41734ae79393774fbe62b52f294139946fedd7604f539d84b4d843c12e161f038b3fa4cf', '{X-Key}', 'gate_approved', 'production', '3600', 'true', 'false', 'false', 'The receiver answered 410 Gone.', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:57:49.554+00', '2026-11-24 11:58:14.55+00', '600', '"{{/event}} {{secret:a}}"', E'\\x8c57d8a130cc839926280b927b5ec3dfcc419c55082b78dd7dc546899e132c2131a3f427a2', '{a}', '{}', 'push', NULL, 'hmac', NULL),
  ('01a20d6b-67a2-7f85-abb3-8f9045eb05c9', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', 'Pulled', NULL, '2026-11-24 11:57:52.414+00', E'\\x281350da2f89195ce434b983f34749ff0e2cc54f441b0428c1b3b9b6addf10346a021035bd466952664410bffbb0e68e7b3b466adc01c07b2701bde568fe2914f1a06e27419d24c92273cc589502', NULL, NULL, NULL, '{}', 'gate_approved', 'production', '60', 'true', 'false', 'false', NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:57:52.414+00', '2026-11-24 11:57:58.403+00', NULL, NULL, NULL, '{}', NULL, 'pull', E'\\x4ddc2d00cce5aafc6264f6907f0995c1dff3eb0e25004259f065ad8d1e832c32', 'hmac', NULL),
  ('01a20d6b-cb2d-7952-827d-5c98eb26d1ab', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cae4-76ed-bb36-f1fc30366363', 'Deploy to production', 'http://127.0.0.1:23171/waiting', '2026-11-24 11:58:17.88+00', E'\\x5de740e36a1c59a7e4385e5a0801744576d2b282a4b7c93ed2d689b4563c04ec9958b11b0024b93b1e915497343b30e695b505b38233ec14e8260acbd99c6f95f5a97019e312ef481a0d1243ee34', NULL, NULL, E'\\x61cce5793eb4f89dea84ce4a40d6bb8ed378769a61a17dddcd8828d9afaf5334108f99e8b5014deee0', '{X-Key}', 'gate_approved', 'production', NULL, 'false', 'false', 'true', NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:17.88+00', '2026-11-24 11:58:17.88+00', '604800', '{"gate":"{{/data/gate/name}}","token":"{{secret:token}}"}', E'\\x4510e74bc31510f5808ea19b9bdfb4ea339a716d78424c15a24383dd50d1c79fb12f09ad32f8ba5ad95cc64ce84ae403f73666ad18c58435c625fd149f7d38ed', '{token}', NULL, 'push', NULL, 'hmac', NULL),
  ('01a20d6b-cb5f-7648-9214-31802a2e5a85', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cae4-76ed-bb36-f1fc30366363', 'Deploy to the factory', NULL, '2026-11-24 11:58:17.935+00', E'\\x3c0a25e190f3b6bb8c1a850e01622a0ddf74bb844669af7e96763a62f91ccbf0dc57380effc176c9562754bcf114e7d9cf6a8c8c57966baab0c343299687eb55ad4c4ef824e392d0d05680edf7d2', NULL, NULL, NULL, '{}', 'gate_approved', 'production', NULL, 'false', 'false', 'true', NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:17.935+00', '2026-11-24 11:58:17.935+00', NULL, NULL, NULL, '{}', NULL, 'pull', NULL, 'hmac', NULL);

insert into public.dispatch_attempts (dispatch_id, organization_id, number, started_at, address, dns_ms, first_byte_ms, duration_ms, response_status, response_headers, response_body, error, lease_until) overriding system value values
  ('01a20d6b-5f17-7623-8fa1-c535b40090c6', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:57:50.351+00', '127.0.0.1', '2', '22', '23', '200', '{"date": "Tue, 24 Nov 2026 11:57:50 GMT", "content-type": "text/plain;charset=utf-8", "content-length": "2"}', 'ok', NULL, NULL),
  ('01a20d6b-60ee-7357-8a4e-5f5e2feebc52', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:57:50.748+00', '127.0.0.1', '0', '2', '2', '200', '{"date": "Tue, 24 Nov 2026 11:57:50 GMT", "content-type": "text/plain;charset=utf-8", "content-length": "2"}', 'ok', NULL, NULL),
  ('01a20d6b-627a-7381-9050-a0cfde2fb753', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:57:51.177+00', '127.0.0.1', '0', '1', '1', '200', '{"date": "Tue, 24 Nov 2026 11:57:50 GMT", "content-type": "text/plain;charset=utf-8", "content-length": "2"}', 'ok', NULL, NULL),
  ('01a20d6b-63d4-7057-a0b5-186aee50c788', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:57:51.538+00', '127.0.0.1', '0', '1', '1', '200', '{"date": "Tue, 24 Nov 2026 11:57:51 GMT", "content-type": "text/plain;charset=utf-8", "content-length": "2"}', 'ok', NULL, NULL),
  ('01a20d6b-67fc-732b-985c-ebd8ca86bd41', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:57:52.699+00', NULL, NULL, NULL, '142', NULL, NULL, NULL, '{"code": "retry_requested", "detail": "The claimer asked for another attempt."}', '2026-11-24 11:58:52.699+00'),
  ('01a20d6b-67fc-732b-985c-ebd8ca86bd41', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '2', '2026-11-24 11:57:53.342+00', NULL, NULL, NULL, '21', NULL, NULL, NULL, NULL, '2026-11-24 11:58:53.342+00'),
  ('01a20d6b-6b65-76fc-8834-88c2b29e6658', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:56:53.429+00', NULL, NULL, NULL, '60000', NULL, NULL, NULL, '{"code": "lease_expired", "detail": "The lease ran out before the dispatch was acknowledged."}', '2026-11-24 11:57:53.429+00'),
  ('01a20d6b-7f25-730b-91fb-21a5991827ce', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:57:58.461+00', '127.0.0.1', '0', '2', '2', '200', '{"date": "Tue, 24 Nov 2026 11:57:58 GMT", "content-type": "text/plain;charset=utf-8", "content-length": "2"}', 'ok', NULL, NULL),
  ('01a20d6b-7f93-7658-abdb-e794ee674929', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:57:58.585+00', '127.0.0.1', '0', '1', '1', '200', '{"date": "Tue, 24 Nov 2026 11:57:58 GMT", "content-type": "text/plain;charset=utf-8", "content-length": "2"}', 'ok', NULL, NULL),
  ('01a20d6b-8004-7eff-ad22-7c15c5ff601a', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:57:58.727+00', '127.0.0.1', '0', '5', '5', '500', '{"date": "Tue, 24 Nov 2026 11:57:58 GMT", "content-type": "text/plain;charset=utf-8", "content-length": "2"}', 'no', '{"code": "http_error", "detail": "The receiver answered 500."}', NULL),
  ('01a20d6b-8004-7eff-ad22-7c15c5ff601a', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '2', '2026-11-24 11:57:59.012+00', '127.0.0.1', '0', '4', '4', '500', '{"date": "Tue, 24 Nov 2026 11:57:58 GMT", "content-type": "text/plain;charset=utf-8", "content-length": "2"}', 'no', '{"code": "http_error", "detail": "The receiver answered 500."}', NULL),
  ('01a20d6b-8004-7eff-ad22-7c15c5ff601a', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '3', '2026-11-24 11:57:59.318+00', '127.0.0.1', '0', '1', '1', '500', '{"date": "Tue, 24 Nov 2026 11:57:59 GMT", "content-type": "text/plain;charset=utf-8", "content-length": "2"}', 'no', '{"code": "http_error", "detail": "The receiver answered 500."}', NULL),
  ('01a20d6b-8334-7624-a56f-7c09740421ca', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:57:59.528+00', '127.0.0.1', '0', '1', '1', '200', '{"date": "Tue, 24 Nov 2026 11:57:59 GMT", "content-type": "text/plain;charset=utf-8", "content-length": "2"}', 'ok', NULL, NULL),
  ('01a20d6b-84ae-70e0-9375-fcf481149ca3', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:57:59.9+00', '127.0.0.1', '0', '1', '1', '200', '{"date": "Tue, 24 Nov 2026 11:57:59 GMT", "content-type": "text/plain;charset=utf-8", "content-length": "2"}', 'ok', NULL, NULL),
  ('01a20d6b-a84b-79ff-92fb-3563edfabe2d', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:58:09.031+00', '127.0.0.1', '0', '21', '21', '200', '{"date": "Tue, 24 Nov 2026 11:58:08 GMT", "content-type": "text/plain;charset=utf-8", "content-length": "2"}', 'ok', NULL, NULL),
  ('01a20d6b-aeb0-7d55-9f76-320ce0fee9f9', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:58:10.63+00', '127.0.0.1', '0', '10', '10', '200', '{"date": "Tue, 24 Nov 2026 11:58:10 GMT", "content-type": "text/plain;charset=utf-8", "content-length": "2"}', 'ok', NULL, NULL),
  ('01a20d6b-af83-7361-b683-879f9e99cd8e', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:58:10.919+00', '127.0.0.1', '0', '3', '3', '200', '{"date": "Tue, 24 Nov 2026 11:58:10 GMT", "content-type": "text/plain;charset=utf-8", "content-length": "2"}', 'ok', NULL, NULL),
  ('01a20d6b-b03b-75e6-b43b-635fd2817b58', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:58:11.033+00', '127.0.0.1', '0', '21', '21', '200', '{"date": "Tue, 24 Nov 2026 11:58:10 GMT", "content-type": "text/plain;charset=utf-8", "content-length": "2"}', 'ok', NULL, NULL),
  ('01a20d6b-b03b-75e7-acdc-6baff5bb6e57', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:58:11.033+00', '127.0.0.1', '0', '11', '11', '200', '{"date": "Tue, 24 Nov 2026 11:58:10 GMT", "content-type": "text/plain;charset=utf-8", "content-length": "2"}', 'ok', NULL, NULL),
  ('01a20d6b-b19d-768a-b74e-18e422fe9373', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:58:11.504+00', '127.0.0.1', '0', '6', '6', '200', '{"date": "Tue, 24 Nov 2026 11:58:11 GMT", "content-type": "text/plain;charset=utf-8", "content-length": "2"}', 'ok', NULL, NULL),
  ('01a20d6b-b2df-724e-b025-39d39f52e77a', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:58:11.705+00', '127.0.0.1', '0', '1', '1', '200', '{"date": "Tue, 24 Nov 2026 11:58:11 GMT", "content-type": "text/plain;charset=utf-8", "content-length": "2"}', 'ok', NULL, NULL),
  ('01a20d6b-bdcc-77de-b21f-03adc3aee7e7', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:58:14.532+00', '127.0.0.1', '0', '1', '1', '410', '{"date": "Tue, 24 Nov 2026 11:58:14 GMT", "content-type": "text/plain;charset=utf-8", "content-length": "4"}', 'gone', '{"code": "gone", "detail": "The receiver answered 410. It does not want any more dispatches."}', NULL),
  ('01a20d6b-cf5c-77b0-8f98-0dc06216ceb1', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '1', '2026-11-24 11:58:19.357+00', '127.0.0.1', '0', '11', '11', '503', '{"date": "Tue, 24 Nov 2026 11:58:19 GMT", "content-type": "text/plain;charset=utf-8", "content-length": "2"}', 'no', '{"code": "http_error", "detail": "The receiver answered 503."}', NULL);

insert into public.dispatch_bodies (dispatch_id, organization_id, body, encrypted_body, has_report) overriding system value values
  ('01a20d6b-5f17-7623-8fa1-c535b40090c6', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '"test.ping ********"', E'\\x9f910d9bc550dd9f4d2da272ec5ceae73ab731c8a0f93fc20875cf515dca99d4eb2d1dc0fa8e25d2ba3c6875719b6518148322ef7bee3702dbfb1526e03405aa17c63c879559de557bc1b1f41c10cdb86d8e1dad16d4f7bd88ed80a2cdd2cf80d471c73395018ff7', 'false'),
  ('01a20d6b-60ee-7357-8a4e-5f5e2feebc52', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '"manual.trigger ********"', E'\\x4f3a4e5d527475e1dd75139f7cb7c75f1528140c2628fd1307c27b20fbfac9eb88edc3a9dc3c07becdd3bd26634f183433b208cb912c5f5eed200acfc6a980914f81139ab4c595787e89c38bb171433eeb3879487769e346874f9f4f9becb0f87173c10486c0235edd95102b76', 'false'),
  ('01a20d6b-627a-7381-9050-a0cfde2fb753', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '"manual.trigger ********"', E'\\x525c38fcaa485ea371cff1419aa58e058362cc06b72a04fd4848297cf4a4a293a468fa51b79780da76d01e5d4a98a25fc912b66755bae63c09c159eb5f1f85c57139af4eeb809678652af0ec6420018bfaca548f84c1ce07326e91ac2b76c78a46a821dad9a84c107853289853', 'false'),
  ('01a20d6b-63d4-7057-a0b5-186aee50c788', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '"manual.trigger ********"', E'\\x4589f3d63d82099d28d5595179ff7df7f0b9668abc3642416dd364e3d71e245109b8663d87d1cc74ba831f06b3efff48a4cf87875bcb352ee9c893543dd6d445b6bc6f2145103458d65086b117a2100363d4f7ca2d881071cde44173a1651364c09ec4b47e648ccedd05b8cbd9', 'false'),
  ('01a20d6b-67fc-732b-985c-ebd8ca86bd41', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '{"id":"01a20d6b-67fc-732b-8756-37e79dd5bdc8","event":"manual.trigger","created_at":"2026-11-24T11:57:52.505Z","url":"https://signalbox.example.com/app/deployment-hooks/01a20d6b-67a2-7f85-abb3-8f9045eb05c9","organization":{"id":"01a20d6b-3aa6-7f26-94f6-ac27e9f0c525","name":"Acme Robotics"},"workspace":{"id":"01a20d6b-467f-7e38-a536-3c23e269efe0","name":"Platform"},"project":{"id":"01a20d6b-481d-790e-bfb5-ce63973b483f","name":"Checkout"},"hook":{"id":"01a20d6b-67a2-7f85-abb3-8f9045eb05c9","name":"Pulled"},"environment":"production","sequence":1,"data":{"hook":{"id":"01a20d6b-67a2-7f85-abb3-8f9045eb05c9","project_id":"01a20d6b-481d-790e-bfb5-ce63973b483f","name":"Pulled","mode":"pull","url":null,"trigger_on":"gate_approved","environment":"production","headers":{},"enabled":true,"disabled_reason":null,"max_age_seconds":60,"supersede":true,"paused":false,"report_within_seconds":null,"body_template":null,"template_secrets":{},"filter":null,"signature":"hmac","public_key":null,"has_secret":true,"created_at":"2026-11-24T11:57:52.414Z","updated_at":"2026-11-24T11:57:52.414Z"}}}', NULL, 'false'),
  ('01a20d6b-6b65-76fc-8834-88c2b29e6658', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '{"id":"01a20d6b-6b65-76fc-a419-30e06e9a1dcc","event":"manual.trigger","created_at":"2026-11-24T11:57:53.380Z","url":"https://signalbox.example.com/app/deployment-hooks/01a20d6b-67a2-7f85-abb3-8f9045eb05c9","organization":{"id":"01a20d6b-3aa6-7f26-94f6-ac27e9f0c525","name":"Acme Robotics"},"workspace":{"id":"01a20d6b-467f-7e38-a536-3c23e269efe0","name":"Platform"},"project":{"id":"01a20d6b-481d-790e-bfb5-ce63973b483f","name":"Checkout"},"hook":{"id":"01a20d6b-67a2-7f85-abb3-8f9045eb05c9","name":"Pulled"},"environment":"production","sequence":2,"data":{"hook":{"id":"01a20d6b-67a2-7f85-abb3-8f9045eb05c9","project_id":"01a20d6b-481d-790e-bfb5-ce63973b483f","name":"Pulled","mode":"pull","url":null,"trigger_on":"gate_approved","environment":"production","headers":{},"enabled":true,"disabled_reason":null,"max_age_seconds":60,"supersede":true,"paused":false,"report_within_seconds":null,"body_template":null,"template_secrets":{},"filter":null,"signature":"hmac","public_key":null,"has_secret":true,"created_at":"2026-11-24T11:57:52.414Z","updated_at":"2026-11-24T11:57:52.414Z"}}}', NULL, 'false'),
  ('01a20d6b-7f25-730b-91fb-21a5991827ce', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '"manual.trigger ********"', E'\\x4f3a4e5d527475e1dd75139f7cb7c75f1528140c2628fd1307c27b20fbfac9eb88edc3a9dc3c07becdd3bd26634f183433b208cb912c5f5eed200acfc6a980914f81139ab4c595787e89c38bb171433eeb3879487769e346874f9f4f9becb0f87173c10486c0235edd95102b76', 'false'),
  ('01a20d6b-7f93-7658-abdb-e794ee674929', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '"deployment.rollback ********"', E'\\x0f21e83e5f9c73e98fa87152a2736be495b1929e29aba76eeba5706758099ab58cdd751047ed67bdfed39aaf1ba86d6d0abf7f5b45c8637b059a5b6a03432560aa68705adad6df1eb2e3ef9ed5c27bdd2cf1983bbe5debf0c527a2cd03ce237e027ee243dbc485b3b22d2f524c32cbb907ed', 'false'),
  ('01a20d6b-8004-7eff-ad22-7c15c5ff601a', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '"manual.trigger ********"', E'\\x62f7783548224d7b997a139304d90dfb8323346b9128a12bc3114907e799be13ff1287f0e059be006d0cf518625e157e5532c48b7500696230a119a06c68e72b0ed1e43ce64e5bf7c45a3608a15e5f4db0bbaef82fb444ae18c7e3644e01cddb1d1286761b7651868406fe8230', 'false'),
  ('01a20d6b-82e1-7305-84df-33e08d9120b4', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '"manual.trigger ********"', E'\\x62f7783548224d7b997a139304d90dfb8323346b9128a12bc3114907e799be13ff1287f0e059be006d0cf518625e157e5532c48b7500696230a119a06c68e72b0ed1e43ce64e5bf7c45a3608a15e5f4db0bbaef82fb444ae18c7e3644e01cddb1d1286761b7651868406fe8230', 'false'),
  ('01a20d6b-8308-7965-b5e0-2bce52a1c184', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '"manual.trigger ********"', E'\\x0b6a4a623b5087e60d55ed35de66d394da5b1cac356b493defca77a92271d773a45d008cd8e0f0f25c750f1677012972886b67219b6196c7bf27fb185d45e44c04ff549c88492750a0cbb61c9c6f8872ea0d391e992ea256e085f57c92db87898a8fcd4c3f7dbcc5cee86f4bfc', 'false'),
  ('01a20d6b-8334-7624-a56f-7c09740421ca', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '"manual.trigger ********"', E'\\xefa6ae71e6476a953eabab8045cf1a685ef31fdd6bf33cbc2a482cc77399e4132fd3031e43007379d52672ac4edeedf540a476e39734ded98833f841f2f3dd5923b087fbabefdbe7569b58d7f19244eb49522cdf1ca80ea2c8306d3f847e23036f420912f6bf562626907ae64c', 'false'),
  ('01a20d6b-84ae-70e0-9375-fcf481149ca3', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '"manual.trigger ********"', E'\\x19026ca98b390cf8ab7d59b25378d95373386c4a340b23ea113941d3f3215f21397c3a3d46a11e93ca495804b187a7da03bfb6683aa3ecd56631378d0b040c3085dde354cda45cc06a07ac87754c0935583fe37658f4daa64381eceb9376f98c1f26adffe22bfc8a83882a2c21', 'false'),
  ('01a20d6b-a84b-79ff-92fb-3563edfabe2d', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '"deployment.rollback ********"', E'\\x217a5348df4e9d2c4103fcb60e5e48ef40ea004d116d483b89b72b7c12965d330823f72e4f8a0b621095a63f554b26659746f9478eca2a5e00656c348e7b938fca2c8e9476dfa6a74965501dce4430e7c181d1a4b41ab30323cb7c80fb2fb48dac9f5767c42be8f6e176d5c61806a4c35d6a', 'false'),
  ('01a20d6b-aeb0-7d55-9f76-320ce0fee9f9', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '"test.ping ********"', E'\\x4a633d43d579b1f54fd392f0d4e768552b165ef8c0301412255daa59553e1f88debdb30e8afaadd5b1c6738a7688491bec838abef713fed8c3dba10bc55aff003be5d72d2fb8addf3c2badee659910312e9f5396d17bc71e4e8054b8ca7e15450399cfce8f49d591', 'false'),
  ('01a20d6b-af83-7361-b683-879f9e99cd8e', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '"manual.trigger ********"', E'\\x983761ac324ef4b5757204e57978a822dae20f276b895233a7485102a39298133776a68daf897e8de7dbe8e151148be325335b67a68c824e2c3f08baadf1c93b1b5c0e13334ce96175d4f318856a6a686293cf9b9e7bbdf203046bee4efddd0e3f4a0dbce5eb63457108db5f84', 'false'),
  ('01a20d6b-b03b-75e6-b43b-635fd2817b58', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '"manual.trigger ********"', E'\\x62f7783548224d7b997a139304d90dfb8323346b9128a12bc3114907e799be13ff1287f0e059be006d0cf518625e157e5532c48b7500696230a119a06c68e72b0ed1e43ce64e5bf7c45a3608a15e5f4db0bbaef82fb444ae18c7e3644e01cddb1d1286761b7651868406fe8230', 'false'),
  ('01a20d6b-b03b-75e7-acdc-6baff5bb6e57', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '"manual.trigger ********"', E'\\x0b6a4a623b5087e60d55ed35de66d394da5b1cac356b493defca77a92271d773a45d008cd8e0f0f25c750f1677012972886b67219b6196c7bf27fb185d45e44c04ff549c88492750a0cbb61c9c6f8872ea0d391e992ea256e085f57c92db87898a8fcd4c3f7dbcc5cee86f4bfc', 'false'),
  ('01a20d6b-b0e6-74e2-8781-be943badce5e', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '"manual.trigger ********"', E'\\xae71af35bb315894a918392a425fec1bf36d11b4a8cd77395296131fcaf3efab65e9370ba55f3e67cf861293dafe2bd08a56e6ecb935e7d5e8b2b2c8c3b8fe9776e4ed3416367c91d07d331cea4ea6c4ac21552d9bcd125b78dd1f5e5ad65d31245976192cfeb60e4e31e723df', 'false'),
  ('01a20d6b-b19d-768a-b74e-18e422fe9373', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '"manual.trigger ********"', E'\\xa5b444f77c624b80f789e085e933012f4153ce1a2ff3b4989306042c75dec3fa1fcdfd2ad591253cfda768f97fe8d108f8023f921610d773606f9472a387cda1bf34b46444b1dee3c54163f6811aee5f8207d1132676c1e979042754b8e6e2cea1545e6d2b540ea23af6dffaec', 'false'),
  ('01a20d6b-b2df-724e-b025-39d39f52e77a', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '"manual.trigger ********"', E'\\xa5b444f77c624b80f789e085e933012f4153ce1a2ff3b4989306042c75dec3fa1fcdfd2ad591253cfda768f97fe8d108f8023f921610d773606f9472a387cda1bf34b46444b1dee3c54163f6811aee5f8207d1132676c1e979042754b8e6e2cea1545e6d2b540ea23af6dffaec', 'false'),
  ('01a20d6b-bdcc-77de-b21f-03adc3aee7e7', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '"manual.trigger ********"', E'\\x7025ff6aa93401853f760f238429cbb3757d0b1a2cd229351b57157dec023aba2cccd4454137038f7742e6f730bca44340f9b26174b8acb1c827a3ef36b09d3f5dce74e13e5c5fff34a40596cd04c6490f55eaec396e24c07faf3e23419bc10f19e52b6b6b18048f0eecb1d0cf', 'false'),
  ('01a20d6b-cf5c-77b0-8ae7-a19dddfc1cba', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '{"id":"01a20d6b-cf5c-77b0-89f9-fef68b1786f1","event":"gate.approved","created_at":"2026-11-24T11:58:18.942Z","url":"https://signalbox.example.com/app/gates/01a20d6b-cf16-7fea-8249-00a4cec37321","organization":{"id":"01a20d6b-3aa6-7f26-94f6-ac27e9f0c525","name":"Acme Robotics"},"workspace":{"id":"01a20d6b-ca72-7d77-b874-7372404374d5","name":"Release train"},"project":{"id":"01a20d6b-cae4-76ed-bb36-f1fc30366363","name":"Basket"},"hook":{"id":"01a20d6b-cb5f-7648-9214-31802a2e5a85","name":"Deploy to the factory"},"environment":"production","sequence":1,"data":{"gate":{"id":"01a20d6b-cf16-7fea-8249-00a4cec37321","name":"Release review","status":"approved","comment":null,"approvals":[{"via":"api","name":"Ada Lovelace","comment":null,"user_id":"01a20d6b-3123-79db-a1cd-35cd2f2726d5","created_at":"2026-11-24T11:58:18.942Z"}],"created_at":"2026-11-24T11:58:18.898Z","created_by":"01a20d6b-3123-79db-a1cd-35cd2f2726d5","decide_via":["api","app","slack","mail"],"decided_at":"2026-11-24T11:58:18.942Z","decided_by":"01a20d6b-3123-79db-a1cd-35cd2f2726d5","expires_at":null,"project_id":"01a20d6b-cae4-76ed-bb36-f1fc30366363","updated_at":"2026-11-24T11:58:18.965Z","decided_via":"api","description":null,"execution_id":"01a20d6b-ccf2-7a87-b1de-bec5414bd342","workspace_id":"01a20d6b-ca72-7d77-b874-7372404374d5","organization_id":"01a20d6b-3aa6-7f26-94f6-ac27e9f0c525","required_approvals":1,"prevent_self_approval":false},"execution":{"id":"01a20d6b-ccf2-7a87-b1de-bec5414bd342","agent":"claude","error":null,"status":"awaiting_gate","metrics":{},"summary":null,"cost_usd":null,"graph_id":"01a20d6b-ccf2-7aec-bfdf-c991fad75093","created_at":"2026-11-24T11:58:18.340Z","created_by":"01a20d6b-3123-79db-a1cd-35cd2f2726d5","project_id":"01a20d6b-cae4-76ed-bb36-f1fc30366363","runtime_id":null,"started_at":"2026-11-24T11:58:18.404Z","started_by":"01a20d6b-3123-79db-a1cd-35cd2f2726d5","updated_at":"2026-11-24T11:58:18.492Z","finished_at":null,"workspace_id":"01a20d6b-ca72-7d77-b874-7372404374d5","requirement_id":"01a20d6b-ccb7-71f1-a3df-adfdb2817e3a","organization_id":"01a20d6b-3aa6-7f26-94f6-ac27e9f0c525"},"requirement":{"id":"01a20d6b-ccb7-71f1-a3df-adfdb2817e3a","title":"Pay by invoice","number":1}}}', NULL, 'false'),
  ('01a20d6b-cf5c-77b0-8f98-0dc06216ceb1', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '{"gate":"Release review","token":"********"}', E'\\xa7537902702ad712bc1fb08d028b3fb271e17e0ceb5daebe1d581128d61240751579848c21ec4c45b628306e3f80e501c757a22d21da37ec2dc74596f3c7f22d9b7275bb9b14262e9982cf8ac3093f9bd0416fc4add9ef53d94821610f48e547ce1503f7c27641912d94b0e4706df4cde0cd377f40429b02ff9aff17f2eb781872bd4fa00fb3fb5b86c33bc8a8244256d1556953d01bb15ff01ec68c3c45d1507d519074f6cf7e5025dae152a3496afaaffbe6f5', 'false'),
  ('01a20d6b-d30e-7112-9115-44ebcf01e356', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '{"gate":null,"token":"********"}', E'\\x423cb14d9a392a1b1715dea2b8f50eecc066b446e55e4fec23fbddce07acdcab17200e9e5652981e54ecb29ea2ab14cc21e8875dd34b15479725e8479c9e48f98c2c57cb589a0be359a5624f4f3f619f70fc88bd3c44ee7c5c466bb23e438be0bffe826307a922ee57a89c11bd01605344b75d3c2f1c7209cd0bc231f306ac6faf66789ccfb580cb03234a75306e64da516e9189190a078d8b25a0a02ce9eaab49a17f7de2c8', 'false');

insert into public.dispatch_counts (hook_id, organization_id, week, event, status, count) overriding system value values
  ('01a20d6b-5c93-7ce3-bc90-a943f501bb81', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '151', 'deployment.rollback', 'created', '2'),
  ('01a20d6b-5c93-7ce3-bc90-a943f501bb81', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '151', 'manual.trigger', 'cancelled', '3'),
  ('01a20d6b-5c93-7ce3-bc90-a943f501bb81', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '151', 'manual.trigger', 'created', '16'),
  ('01a20d6b-5c93-7ce3-bc90-a943f501bb81', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '151', 'manual.trigger', 'failed', '2'),
  ('01a20d6b-5c93-7ce3-bc90-a943f501bb81', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '151', 'test.ping', 'created', '2'),
  ('01a20d6b-67a2-7f85-abb3-8f9045eb05c9', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '151', 'manual.trigger', 'cancelled', '1'),
  ('01a20d6b-67a2-7f85-abb3-8f9045eb05c9', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '151', 'manual.trigger', 'created', '2'),
  ('01a20d6b-cb2d-7952-827d-5c98eb26d1ab', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '151', 'gate.approved', 'created', '1'),
  ('01a20d6b-cb2d-7952-827d-5c98eb26d1ab', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '151', 'manual.trigger', 'created', '1'),
  ('01a20d6b-cb5f-7648-9214-31802a2e5a85', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '151', 'gate.approved', 'created', '1');

insert into public.dispatches (id, organization_id, workspace_id, project_id, hook_id, event_id, event, environment, sequence, status, attempt_count, max_attempts, error, redelivery_of, gate_id, graph_id, requested_by, made_after_sequence, superseded_by, request_id, traceparent, created_at, completed_at, report_within_seconds) overriding system value values
  ('01a20d6b-5f17-7623-8fa1-c535b40090c6', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', '01a20d6b-5f17-7623-99a0-f1dcc4cc139c', 'test.ping', 'production', NULL, 'succeeded', '1', '1', NULL, NULL, NULL, NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, NULL, 'c502f73b-af99-4f75-9247-91ff2ce7f72a', NULL, '2026-11-24 11:57:50.219+00', '2026-11-24 11:57:50.431+00', NULL),
  ('01a20d6b-60ee-7357-8a4e-5f5e2feebc52', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', '01a20d6b-60ee-7357-8813-185167a9437c', 'manual.trigger', 'production', '1', 'succeeded', '1', '3', NULL, NULL, NULL, NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, NULL, 'c2fc35ae-afba-417c-8969-b40ee0ee1f75', NULL, '2026-11-24 11:57:50.698+00', '2026-11-24 11:57:50.777+00', NULL),
  ('01a20d6b-627a-7381-9050-a0cfde2fb753', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', '01a20d6b-627a-7381-bb5e-766f59b2465d', 'manual.trigger', 'production', '2', 'succeeded', '1', '3', NULL, NULL, NULL, NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, NULL, 'e0243c02-ea93-4269-b1c6-256922ef735a', NULL, '2026-11-24 11:57:51.091+00', '2026-11-24 11:57:51.192+00', '600'),
  ('01a20d6b-63d4-7057-a0b5-186aee50c788', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', '01a20d6b-63d4-7057-aa6c-0455094deb8b', 'manual.trigger', 'production', '3', 'succeeded', '1', '3', NULL, NULL, NULL, NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, NULL, 'b3807c25-117b-4c41-a74b-5340b71addec', NULL, '2026-11-24 11:57:51.439+00', '2026-11-24 11:57:51.549+00', '600'),
  ('01a20d6b-67fc-732b-985c-ebd8ca86bd41', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-67a2-7f85-abb3-8f9045eb05c9', '01a20d6b-67fc-732b-8756-37e79dd5bdc8', 'manual.trigger', 'production', '1', 'succeeded', '2', '3', NULL, NULL, NULL, NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, NULL, '79a0ceb7-c672-416f-9422-65cf8ed0f5b6', NULL, '2026-11-24 11:57:52.505+00', '2026-11-24 11:57:53.363+00', NULL),
  ('01a20d6b-6b65-76fc-8834-88c2b29e6658', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-67a2-7f85-abb3-8f9045eb05c9', '01a20d6b-6b65-76fc-a419-30e06e9a1dcc', 'manual.trigger', 'production', '2', 'cancelled', '1', '3', '{"code": "expired", "detail": "The dispatch was older than the hook''s max_age_seconds."}', NULL, NULL, NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, NULL, '070612e2-38b8-47cb-adf7-6a9f0a1c5065', NULL, '2026-11-24 11:55:54.438+00', '2026-11-24 11:57:58.369+00', NULL),
  ('01a20d6b-7f25-730b-91fb-21a5991827ce', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', '01a20d6b-60ee-7357-8813-185167a9437c', 'manual.trigger', 'production', '1', 'succeeded', '1', '3', NULL, '01a20d6b-60ee-7357-8a4e-5f5e2feebc52', NULL, NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '3', NULL, 'ed281000-d538-4ffc-aec2-09e11f833c70', NULL, '2026-11-24 11:57:58.43+00', '2026-11-24 11:57:58.474+00', '600'),
  ('01a20d6b-7f93-7658-abdb-e794ee674929', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', '01a20d6b-7f93-7658-8da5-4a9372d041b0', 'deployment.rollback', 'production', '4', 'succeeded', '1', '3', NULL, NULL, NULL, NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, NULL, '521f69b6-e94e-4d6c-b789-459cb28cad7f', NULL, '2026-11-24 11:57:58.545+00', '2026-11-24 11:57:58.602+00', '600'),
  ('01a20d6b-8004-7eff-ad22-7c15c5ff601a', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', '01a20d6b-8004-7eff-8621-fedcf6bd5f40', 'manual.trigger', 'production', '5', 'failed', '3', '3', '{"code": "http_error", "detail": "The receiver answered 500."}', NULL, NULL, NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, NULL, 'f8c0d1af-754c-4df5-ae0b-794e2ec1f18a', NULL, '2026-11-24 11:57:58.658+00', '2026-11-24 11:57:59.329+00', '600'),
  ('01a20d6b-82e1-7305-84df-33e08d9120b4', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', '01a20d6b-8004-7eff-8621-fedcf6bd5f40', 'manual.trigger', 'production', '5', 'cancelled', '0', '3', '{"code": "superseded", "detail": "A newer dispatch of the hook superseded this one."}', '01a20d6b-8004-7eff-ad22-7c15c5ff601a', NULL, NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '5', '01a20d6b-8308-7965-b5e0-2bce52a1c184', 'e5d1e47f-3465-4c4b-9aec-894d3ae3c862', NULL, '2026-11-24 11:57:59.385+00', '2026-11-24 11:57:59.452+00', '600'),
  ('01a20d6b-8308-7965-b5e0-2bce52a1c184', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', '01a20d6b-8308-7965-93e2-d6cb1b052d4a', 'manual.trigger', 'production', '6', 'cancelled', '0', '3', '{"code": "cancelled", "detail": "The dispatch was cancelled."}', NULL, NULL, NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, NULL, '45e7a16b-e36f-4355-b284-375f6ddb2e4e', NULL, '2026-11-24 11:57:59.431+00', '2026-11-24 11:57:59.463+00', '600'),
  ('01a20d6b-8334-7624-a56f-7c09740421ca', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', '01a20d6b-8334-7624-bc9c-1e8f61061e52', 'manual.trigger', 'production', '7', 'succeeded', '1', '3', NULL, NULL, NULL, NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, NULL, '313ec425-c99b-41e6-a250-7f2adfc8f2ca', NULL, '2026-11-24 11:57:59.475+00', '2026-11-24 11:57:59.539+00', '600'),
  ('01a20d6b-84ae-70e0-9375-fcf481149ca3', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', '01a20d6b-84ae-70e0-a650-36cc9790cd08', 'manual.trigger', 'production', '8', 'succeeded', '1', '3', NULL, NULL, NULL, NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, NULL, '07bc55f5-e765-44ad-9ddb-366b7e9aec65', NULL, '2026-11-24 11:57:59.852+00', '2026-11-24 11:57:59.91+00', '600'),
  ('01a20d6b-a84b-79ff-92fb-3563edfabe2d', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', '01a20d6b-a84b-79ff-842e-dbb44ecb3f14', 'deployment.rollback', 'production', '9', 'succeeded', '1', '3', NULL, NULL, NULL, NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, NULL, '99968d84-ad65-4185-bd07-abbc4b98da33', NULL, '2026-11-24 11:58:08.97+00', '2026-11-24 11:58:09.062+00', '600'),
  ('01a20d6b-aeb0-7d55-9f76-320ce0fee9f9', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', '01a20d6b-aeb0-7d55-a84b-e8a9f2074abc', 'test.ping', 'production', NULL, 'succeeded', '1', '1', NULL, NULL, NULL, NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, NULL, 'b85b5a9e-2277-4a10-a6de-ef83aecf5ac0', NULL, '2026-11-24 11:58:10.607+00', '2026-11-24 11:58:10.66+00', NULL),
  ('01a20d6b-af83-7361-b683-879f9e99cd8e', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', '01a20d6b-af83-7361-9453-4f037d6e5330', 'manual.trigger', 'production', '10', 'succeeded', '1', '3', NULL, NULL, NULL, NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, NULL, '8de02c2e-7638-4750-97b3-2025b0e9f5be', NULL, '2026-11-24 11:58:10.815+00', '2026-11-24 11:58:10.934+00', '600'),
  ('01a20d6b-b03b-75e6-b43b-635fd2817b58', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', '01a20d6b-8004-7eff-8621-fedcf6bd5f40', 'manual.trigger', 'production', '5', 'succeeded', '1', '3', NULL, '01a20d6b-8004-7eff-ad22-7c15c5ff601a', NULL, NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '10', NULL, '09368d59-a783-421a-bbe0-fc3bcc15d5af', NULL, '2026-11-24 11:58:10.999+00', '2026-11-24 11:58:11.056+00', '600'),
  ('01a20d6b-b03b-75e7-acdc-6baff5bb6e57', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', '01a20d6b-8308-7965-93e2-d6cb1b052d4a', 'manual.trigger', 'production', '6', 'succeeded', '1', '3', NULL, '01a20d6b-8308-7965-b5e0-2bce52a1c184', NULL, NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '10', NULL, '09368d59-a783-421a-bbe0-fc3bcc15d5af', NULL, '2026-11-24 11:58:10.999+00', '2026-11-24 11:58:11.056+00', '600'),
  ('01a20d6b-b0e6-74e2-8781-be943badce5e', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', '01a20d6b-b0e6-74e2-a421-d9d828ebe6e6', 'manual.trigger', 'production', '11', 'cancelled', '0', '3', '{"code": "cancelled", "detail": "The dispatch was cancelled."}', NULL, NULL, NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, NULL, 'b819afb0-8453-40cc-9572-0f55b96b4032', NULL, '2026-11-24 11:58:11.168+00', '2026-11-24 11:58:11.231+00', '600'),
  ('01a20d6b-b19d-768a-b74e-18e422fe9373', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', '01a20d6b-b19d-768a-8d24-0395f17e201c', 'manual.trigger', 'production', '12', 'succeeded', '1', '3', NULL, NULL, NULL, NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, NULL, 'c3d42c5a-bf30-4751-97ea-870e424c3724', NULL, '2026-11-24 11:58:11.356+00', '2026-11-24 11:58:11.533+00', '600'),
  ('01a20d6b-b2df-724e-b025-39d39f52e77a', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', '01a20d6b-b19d-768a-8d24-0395f17e201c', 'manual.trigger', 'production', '12', 'succeeded', '1', '3', NULL, '01a20d6b-b19d-768a-b74e-18e422fe9373', NULL, NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '12', NULL, '35fe913a-29e4-4458-9301-1634f2cd1a06', NULL, '2026-11-24 11:58:11.671+00', '2026-11-24 11:58:11.714+00', '600'),
  ('01a20d6b-bdcc-77de-b21f-03adc3aee7e7', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', '01a20d6b-bdcc-77de-9d43-ec7554df9b5b', 'manual.trigger', 'production', '13', 'failed', '1', '3', '{"code": "gone", "detail": "The receiver answered 410. It does not want any more dispatches."}', NULL, NULL, NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, NULL, 'e1bfa953-a85a-48c1-98c8-d603c90bfda6', NULL, '2026-11-24 11:58:14.473+00', '2026-11-24 11:58:14.54+00', '600'),
  ('01a20d6b-cf5c-77b0-8ae7-a19dddfc1cba', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cae4-76ed-bb36-f1fc30366363', '01a20d6b-cb5f-7648-9214-31802a2e5a85', '01a20d6b-cf5c-77b0-89f9-fef68b1786f1', 'gate.approved', 'production', '1', 'pending', '0', '3', NULL, NULL, '01a20d6b-cf16-7fea-8249-00a4cec37321', NULL, NULL, NULL, NULL, '9338b153-0602-410e-a8da-6f68d0ebfcd7', NULL, '2026-11-24 11:58:19.125+00', NULL, NULL),
  ('01a20d6b-cf5c-77b0-8f98-0dc06216ceb1', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cae4-76ed-bb36-f1fc30366363', '01a20d6b-cb2d-7952-827d-5c98eb26d1ab', '01a20d6b-cf5c-77b0-89f9-fef68b1786f1', 'gate.approved', 'production', '1', 'pending', '0', '3', NULL, NULL, '01a20d6b-cf16-7fea-8249-00a4cec37321', NULL, NULL, NULL, NULL, '9338b153-0602-410e-a8da-6f68d0ebfcd7', NULL, '2026-11-24 11:58:19.125+00', NULL, '604800'),
  ('01a20d6b-d30e-7112-9115-44ebcf01e356', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cae4-76ed-bb36-f1fc30366363', '01a20d6b-cb2d-7952-827d-5c98eb26d1ab', '01a20d6b-d30e-7112-8d01-91aa2fd0cf03', 'manual.trigger', 'production', '2', 'pending', '0', '3', NULL, NULL, NULL, NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, NULL, 'f346624d-ad79-47d1-83c7-8ec219ce1658', NULL, '2026-11-24 11:58:19.915+00', NULL, '604800');

insert into public.dual_track_comparisons (id, organization_id, workspace_id, project_id, work_item_id, track_a_graph_id, track_b_graph_id, track_a_agent, track_b_agent, status, result, winner, decided_by, decided_at, error, run, model_answers, cost_usd, request_id, created_by, created_at, updated_at) overriding system value values
  ('01a20d6b-90ad-729d-8904-3fec5ffdcdb5', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-4d2b-7988-8025-dea56b2e2416', '01a20d6b-4daf-779d-b0a1-656e07bbfe10', '01a20d6b-51c6-7dba-973e-b7c49628a481', 'claude', 'codex', 'decided', E'{"judge": {"kind": "model", "model": "judge-large", "prompt_version": "judge/1", "fallback_reason": null, "order_consistent": true}, "cost_usd": 0.003200, "coverage": 1, "criteria": [{"a": null, "b": null, "name": "correctness", "weight": 0.35, "score_a": 0.6, "score_b": 0.6, "evidence": "With track a as first: Seen in the summary.\\nWith track b as first: Seen in the summary."}, {"a": null, "b": null, "name": "completeness", "weight": 0.25, "score_a": 0.6, "score_b": 0.6, "evidence": "With track a as first: Seen in the summary.\\nWith track b as first: Seen in the summary."}, {"a": null, "b": null, "name": "verification", "weight": 0.2, "score_a": 0.6, "score_b": 0.6, "evidence": "With track a as first: Seen in the summary.\\nWith track b as first: Seen in the summary."}, {"a": null, "b": null, "name": "maintainability", "weight": 0.1, "score_a": 0.6, "score_b": 0.6, "evidence": "With track a as first: Seen in the summary.\\nWith track b as first: Seen in the summary."}, {"a": null, "b": null, "name": "security", "weight": 0.1, "score_a": 0.6, "score_b": 0.6, "evidence": "With track a as first: Seen in the summary.\\nWith track b as first: Seen in the summary."}], "rationale": "A tie: claude and codex are about equally good.\\nThe model recommended a tie in both orders.\\nWith track a as first: Both do it.\\nWith track b as first: Both do it.", "confidence": 0.8, "recommendation": "tie"}', 'a', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:03.142+00', NULL, '1', '{"ab": {"hash": "3ac763bbdb82a7c045dcdd50c04c627d8da77c6cb4305a8a77863e6edc4c9cd3", "answer": {"criteria": {"security": {"first": 6, "second": 6, "evidence": "Seen in the summary."}, "correctness": {"first": 6, "second": 6, "evidence": "Seen in the summary."}, "completeness": {"first": 6, "second": 6, "evidence": "Seen in the summary."}, "verification": {"first": 6, "second": 6, "evidence": "Seen in the summary."}, "maintainability": {"first": 6, "second": 6, "evidence": "Seen in the summary."}}, "rationale": "Both do it.", "confidence": 0.8, "recommendation": "tie"}}, "ba": {"hash": "cde0971f68924ee61bf71436ab4513aa466b2c28c08ef1b8343a0b7bfc088b73", "answer": {"criteria": {"security": {"first": 6, "second": 6, "evidence": "Seen in the summary."}, "correctness": {"first": 6, "second": 6, "evidence": "Seen in the summary."}, "completeness": {"first": 6, "second": 6, "evidence": "Seen in the summary."}, "verification": {"first": 6, "second": 6, "evidence": "Seen in the summary."}, "maintainability": {"first": 6, "second": 6, "evidence": "Seen in the summary."}}, "rationale": "Both do it.", "confidence": 0.8, "recommendation": "tie"}}}', '0.003200', '8f3001a5-9689-4280-868c-c33fad43feaa', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:02.923+00', '2026-11-24 11:58:03.147+00'),
  ('01a20d6b-a987-7f37-81a8-21272648118f', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-a46c-734f-aace-5230ec66d466', '01a20d6b-a484-7214-90be-a49116f34f0d', '01a20d6b-a495-7da3-a59b-a68357124485', 'alpha', 'beta', 'decided', E'{"judge": {"kind": "model", "model": "judge-large", "prompt_version": "judge/1", "fallback_reason": null, "order_consistent": true}, "cost_usd": 0.003200, "coverage": 1, "criteria": [{"a": null, "b": null, "name": "correctness", "weight": 0.35, "score_a": 0.6, "score_b": 0.6, "evidence": "With track a as first: Seen in the summary.\\nWith track b as first: Seen in the summary."}, {"a": null, "b": null, "name": "completeness", "weight": 0.25, "score_a": 0.6, "score_b": 0.6, "evidence": "With track a as first: Seen in the summary.\\nWith track b as first: Seen in the summary."}, {"a": null, "b": null, "name": "verification", "weight": 0.2, "score_a": 0.6, "score_b": 0.6, "evidence": "With track a as first: Seen in the summary.\\nWith track b as first: Seen in the summary."}, {"a": null, "b": null, "name": "maintainability", "weight": 0.1, "score_a": 0.6, "score_b": 0.6, "evidence": "With track a as first: Seen in the summary.\\nWith track b as first: Seen in the summary."}, {"a": null, "b": null, "name": "security", "weight": 0.1, "score_a": 0.6, "score_b": 0.6, "evidence": "With track a as first: Seen in the summary.\\nWith track b as first: Seen in the summary."}], "rationale": "A tie: alpha and beta are about equally good.\\nThe model recommended a tie in both orders.\\nWith track a as first: Both do it.\\nWith track b as first: Both do it.", "confidence": 0.8, "recommendation": "tie"}', 'tie', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:09.61+00', NULL, '1', '{"ab": {"hash": "97889b9f39749be5c7349d2136f2b7d51d9ec0c202a6180c726a781c3ca7d25c", "answer": {"criteria": {"security": {"first": 6, "second": 6, "evidence": "Seen in the summary."}, "correctness": {"first": 6, "second": 6, "evidence": "Seen in the summary."}, "completeness": {"first": 6, "second": 6, "evidence": "Seen in the summary."}, "verification": {"first": 6, "second": 6, "evidence": "Seen in the summary."}, "maintainability": {"first": 6, "second": 6, "evidence": "Seen in the summary."}}, "rationale": "Both do it.", "confidence": 0.8, "recommendation": "tie"}}, "ba": {"hash": "f26e80d1af26c5d33f70f536d9c07a468dfb65bbcf7e0257a562a1354ee4dc6c", "answer": {"criteria": {"security": {"first": 6, "second": 6, "evidence": "Seen in the summary."}, "correctness": {"first": 6, "second": 6, "evidence": "Seen in the summary."}, "completeness": {"first": 6, "second": 6, "evidence": "Seen in the summary."}, "verification": {"first": 6, "second": 6, "evidence": "Seen in the summary."}, "maintainability": {"first": 6, "second": 6, "evidence": "Seen in the summary."}}, "rationale": "Both do it.", "confidence": 0.8, "recommendation": "tie"}}}', '0.003200', '3962d730-dcc3-4924-b4e7-1b03d1abc518', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:09.283+00', '2026-11-24 11:58:09.616+00'),
  ('01a20d6b-aaee-7a46-94e6-85827481a90b', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-a46c-734f-aace-5230ec66d466', '01a20d6b-a484-7214-90be-a49116f34f0d', '01a20d6b-a495-7da3-a59b-a68357124485', 'alpha', 'beta', 'cancelled', NULL, NULL, NULL, NULL, NULL, '0', '{}', '0.000000', NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:09.641+00', '2026-11-24 11:58:09.676+00'),
  ('01a20d6b-d463-7375-96c7-da67d0d4899a', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cae4-76ed-bb36-f1fc30366363', '01a20d6b-ccb7-71f1-a3df-adfdb2817e3a', '01a20d6b-d3d1-7766-bb49-1bd2bd4f612c', '01a20d6b-d413-78d2-b869-956c97b9324b', 'claude', 'codex', 'comparing', NULL, NULL, NULL, NULL, NULL, '1', '{}', '0.000000', 'cdf5dff7-77a3-47bf-89e0-2a95e73a5515', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:20.248+00', '2026-11-24 11:58:20.29+00');

insert into public.email_verifications (hash, user_id, email, expires_at) overriding system value values
  (E'\\x24c59bd71d6a957dbd77fcaac575c13d36bfcec4191d9736c52992707f3bfd60', '01a20d6b-a119-7e69-a00f-8ecc42599359', 'late.9@example.com', '2026-11-25 11:58:07.143+00'),
  (E'\\x51b002e0d656f9f224947d3f9425b9da46f72e0a08a11074f53cb79f6e206dce', '01a20d6b-3912-77f4-a248-9ecc3f5ace52', 'stranger.2@example.com', '2026-11-25 11:57:40.634+00'),
  (E'\\x7a636418baec32afa0eee74490e2cd4bfa3ff27b5bb35407a514aeed1c66de99', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'hopper@example.com', '2026-11-25 11:58:14.867+00'),
  (E'\\xa5f24e5fd7bb6a5f2603f70e604d63e978a2548ccceace7c0d4d8175a99837e1', '01a20d6b-3912-77f4-a248-9ecc3f5ace52', 'stranger.2@example.com', '2026-11-25 11:57:40.562+00'),
  (E'\\xb5b7f852e39e4ad75683300ad5d4423a84239246bb6c99cb0b42d1e2a75a3366', '01a20d6b-3f53-7eac-b1e7-3582695f587f', 'mary.4@example.com', '2026-11-25 11:57:42.174+00');

insert into public.environments (organization_id, workspace_id, project_id, environment, current_id, previous_id, latest_id, failing_since, rollout_count, frequency_30d, change_failure_rate_30d, lead_time_median_seconds_30d, restore_time_median_seconds_30d, figures_until) overriding system value values
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', 'production', '01a20d6b-627a-7381-9050-a0cfde2fb753', NULL, '01a20d6b-627a-7381-9050-a0cfde2fb753', NULL, '17', '0.03333333333333333333', '0.00000000000000000000', '0.275', NULL, '2026-12-24 11:57:51.373+00'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cae4-76ed-bb36-f1fc30366363', 'production', NULL, NULL, NULL, NULL, '2', NULL, NULL, NULL, NULL, NULL);

insert into public.executions (id, organization_id, workspace_id, project_id, requirement_id, graph_id, agent, runtime_id, status, summary, error, cost_usd, metrics, artifacts, created_by, started_by, created_at, updated_at, started_at, finished_at) overriding system value values
  ('01a20d6b-4daf-772c-ab85-c54d99bb24b8', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-4d2b-7988-8025-dea56b2e2416', '01a20d6b-4daf-779d-b0a1-656e07bbfe10', 'claude', '01a20d6b-4c90-720a-b706-860b925cf14c', 'completed', 'Done', NULL, '91.000000', '{"tests_passed": 3}', '[]', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '2026-11-24 11:57:45.765+00', '2026-11-24 11:57:46.665+00', '2026-11-24 11:57:45.893+00', '2026-11-24 11:57:46.645+00'),
  ('01a20d6b-51c6-7d5a-ae43-b5bb80c9012f', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-4d2b-7988-8025-dea56b2e2416', '01a20d6b-51c6-7dba-973e-b7c49628a481', 'codex', '01a20d6b-4c90-720a-b706-860b925cf14c', 'failed', NULL, 'It did not build', '2.000000', '{}', '[]', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '2026-11-24 11:57:46.794+00', '2026-11-24 11:57:47.007+00', '2026-11-24 11:57:46.88+00', '2026-11-24 11:57:46.972+00'),
  ('01a20d6b-5307-7cd3-a719-65e5113b8210', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-4d2b-7988-8025-dea56b2e2416', '01a20d6b-5307-7d3c-9e27-532e9e315390', 'claude', '01a20d6b-4c90-720a-b706-860b925cf14c', 'cancelled', NULL, NULL, NULL, '{}', '[]', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', NULL, '2026-11-24 11:57:47.135+00', '2026-11-24 11:57:47.215+00', NULL, '2026-11-24 11:57:47.198+00'),
  ('01a20d6b-53c9-773b-8644-4baf389cf8c4', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-4d2b-7988-8025-dea56b2e2416', '01a20d6b-53c9-779d-b816-518f81f12c1c', 'claude', '01a20d6b-4c90-720a-b706-860b925cf14c', 'failed', NULL, 'The gate Release review was rejected.', NULL, '{}', '[]', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '2026-11-24 11:57:47.323+00', '2026-11-24 11:57:47.663+00', '2026-11-24 11:57:47.388+00', '2026-11-24 11:57:47.599+00'),
  ('01a20d6b-555d-7173-9149-b3aeaaebed9c', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-4d2b-7988-8025-dea56b2e2416', '01a20d6b-555d-71ed-8650-76f7e2f0707d', 'claude', '01a20d6b-4c90-720a-b706-860b925cf14c', 'failed', NULL, 'The gate Legal expired without a decision.', NULL, '{}', '[]', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '2026-11-24 11:57:47.72+00', '2026-11-24 11:57:49.427+00', '2026-11-24 11:57:47.761+00', '2026-11-24 11:57:49.403+00'),
  ('01a20d6b-856f-7198-a12e-72f95b39c6c0', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-4d2b-7988-8025-dea56b2e2416', '01a20d6b-856f-71f3-8ac8-f4f75df98b81', 'claude', NULL, 'failed', NULL, 'The gate Release review was rejected.', NULL, '{}', '[]', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '2026-11-24 11:58:00.043+00', '2026-11-24 11:58:00.75+00', '2026-11-24 11:58:00.058+00', '2026-11-24 11:58:00.737+00'),
  ('01a20d6b-a1cc-7b4a-aa85-39d605ae757e', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-a1c4-7fe6-af1a-18bb5c2ba0b4', '01a20d6b-a1cc-7b8f-881d-24ff8cf5080f', 'claude', NULL, 'failed', NULL, 'The gate Page review was rejected.', NULL, '{}', '[]', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:07.308+00', '2026-11-24 11:58:07.922+00', '2026-11-24 11:58:07.312+00', '2026-11-24 11:58:07.918+00'),
  ('01a20d6b-a484-71ad-bc65-fa21d4b70b52', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-a46c-734f-aace-5230ec66d466', '01a20d6b-a484-7214-90be-a49116f34f0d', 'alpha', NULL, 'cancelled', NULL, NULL, NULL, '{}', '[]', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, '2026-11-24 11:58:07.994+00', '2026-11-24 11:58:09.215+00', NULL, '2026-11-24 11:58:09.204+00'),
  ('01a20d6b-a495-7c97-b987-e0a6f3f129e9', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-a46c-734f-aace-5230ec66d466', '01a20d6b-a495-7da3-a59b-a68357124485', 'beta', NULL, 'queued', NULL, NULL, NULL, '{}', '[]', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, '2026-11-24 11:58:08.019+00', '2026-11-24 11:58:08.019+00', NULL, NULL),
  ('01a20d6b-ccf2-7a87-b1de-bec5414bd342', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cae4-76ed-bb36-f1fc30366363', '01a20d6b-ccb7-71f1-a3df-adfdb2817e3a', '01a20d6b-ccf2-7aec-bfdf-c991fad75093', 'claude', NULL, 'awaiting_gate', NULL, NULL, NULL, '{}', '[]', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:18.34+00', '2026-11-24 11:58:18.492+00', '2026-11-24 11:58:18.404+00', NULL),
  ('01a20d6b-d3d1-7707-a9a7-b238e36528ab', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cae4-76ed-bb36-f1fc30366363', '01a20d6b-ccb7-71f1-a3df-adfdb2817e3a', '01a20d6b-d3d1-7766-bb49-1bd2bd4f612c', 'claude', NULL, 'completed', 'Done by claude', NULL, NULL, '{}', '[]', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:20.107+00', '2026-11-24 11:58:20.153+00', '2026-11-24 11:58:20.122+00', '2026-11-24 11:58:20.151+00'),
  ('01a20d6b-d413-7875-8ec4-c4cf8bc95783', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cae4-76ed-bb36-f1fc30366363', '01a20d6b-ccb7-71f1-a3df-adfdb2817e3a', '01a20d6b-d413-78d2-b869-956c97b9324b', 'codex', NULL, 'completed', 'Done by codex', NULL, NULL, '{}', '[]', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:20.178+00', '2026-11-24 11:58:20.213+00', '2026-11-24 11:58:20.191+00', '2026-11-24 11:58:20.211+00');

insert into public.former_addresses (user_id, digest) overriding system value values
  ('01a20d6b-3912-77f4-a248-9ecc3f5ace52', E'\\x609266223414363c44e856db131cffad9a7849e1d6b6f733b1587700194654da');

insert into public.gate_approvals (gate_id, organization_id, user_id, comment, via, created_at) overriding system value values
  ('01a20d6b-4f23-7353-857a-1bdf0b4ac899', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Fine', 'api', '2026-11-24 11:57:46.361+00'),
  ('01a20d6b-4f23-7353-857a-1bdf0b4ac899', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', NULL, 'api', '2026-11-24 11:57:46.498+00'),
  ('01a20d6b-858a-7cc7-84e5-d53028817658', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, 'slack', '2026-11-24 11:58:00.36+00'),
  ('01a20d6b-a1db-7f8e-a2c7-97e9f666c035', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Fine', 'app', '2026-11-24 11:58:07.503+00'),
  ('01a20d6b-a2d7-7c7c-85ca-5458374213a6', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, 'mail', '2026-11-24 11:58:07.799+00'),
  ('01a20d6b-cf16-7fea-8249-00a4cec37321', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, 'api', '2026-11-24 11:58:18.942+00'),
  ('01a20d6b-d2d7-75a6-95c3-12ee493fe145', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, 'api', '2026-11-24 11:58:19.879+00');

insert into public.gates (id, organization_id, workspace_id, project_id, execution_id, name, description, status, comment, created_by, decided_by, created_at, updated_at, decided_at, required_approvals, prevent_self_approval, decide_via, decided_via, expires_at, remind_at) overriding system value values
  ('01a20d6b-4f23-7353-857a-1bdf0b4ac899', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-4daf-772c-ab85-c54d99bb24b8', 'Release review', NULL, 'approved', NULL, '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '2026-11-24 11:57:46.113+00', '2026-11-24 11:57:46.541+00', '2026-11-24 11:57:46.498+00', '2', 'false', '{api,app,slack,mail}', 'api', '2026-11-24 12:57:46.113+00', '2026-11-24 12:45:46.113+00'),
  ('01a20d6b-5470-7cd4-b6b4-466ef16c55b5', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-53c9-773b-8644-4baf389cf8c4', 'Release review', NULL, 'rejected', 'Not yet', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:57:47.442+00', '2026-11-24 11:57:47.652+00', '2026-11-24 11:57:47.599+00', '2', 'false', '{api,app,slack,mail}', 'api', '2026-11-24 12:57:47.442+00', '2026-11-24 12:45:47.442+00'),
  ('01a20d6b-5591-7574-8b65-7ddbd1bd9ab6', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-555d-7173-9149-b3aeaaebed9c', 'Legal', NULL, 'expired', NULL, '01a20d6b-4077-7d5b-addc-87fc9a86b17b', NULL, '2026-11-24 11:57:47.782+00', '2026-11-24 11:57:49.409+00', '2026-11-24 11:57:49.403+00', '2', 'false', '{api,app,slack,mail}', NULL, '2026-11-24 11:57:48.423+00', NULL),
  ('01a20d6b-858a-7cc7-84e5-d53028817658', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-856f-7198-a12e-72f95b39c6c0', 'Release review', NULL, 'cancelled', NULL, '01a20d6b-4077-7d5b-addc-87fc9a86b17b', NULL, '2026-11-24 11:58:00.072+00', '2026-11-24 11:58:00.75+00', '2026-11-24 11:58:00.737+00', '2', 'false', '{api,app,slack,mail}', NULL, '2026-11-24 12:58:00.072+00', '2026-11-24 12:46:00.072+00'),
  ('01a20d6b-8784-734b-9419-aad670a7821a', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-856f-7198-a12e-72f95b39c6c0', 'Release review', NULL, 'rejected', NULL, '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:00.566+00', '2026-11-24 11:58:00.748+00', '2026-11-24 11:58:00.737+00', '2', 'false', '{api,app,slack,mail}', 'slack', '2026-11-24 12:58:00.566+00', '2026-11-24 12:46:00.566+00'),
  ('01a20d6b-a1db-7f8e-a2c7-97e9f666c035', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-a1cc-7b4a-aa85-39d605ae757e', 'Page review', NULL, 'cancelled', NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, '2026-11-24 11:58:07.32+00', '2026-11-24 11:58:07.922+00', '2026-11-24 11:58:07.918+00', '2', 'false', '{api,app,slack,mail}', NULL, '2026-11-24 12:58:07.32+00', '2026-11-24 12:46:07.32+00'),
  ('01a20d6b-a2d7-7c7c-85ca-5458374213a6', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-a1cc-7b4a-aa85-39d605ae757e', 'Page review', NULL, 'cancelled', NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, '2026-11-24 11:58:07.566+00', '2026-11-24 11:58:07.923+00', '2026-11-24 11:58:07.918+00', '2', 'false', '{api,app,slack,mail}', NULL, '2026-11-24 12:58:07.566+00', '2026-11-24 12:46:07.566+00'),
  ('01a20d6b-a41a-7488-a4ef-a040d87d43a4', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-a1cc-7b4a-aa85-39d605ae757e', 'Page review', NULL, 'rejected', NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:07.863+00', '2026-11-24 11:58:07.92+00', '2026-11-24 11:58:07.918+00', '2', 'false', '{api,app,slack,mail}', 'app', '2026-11-24 12:58:07.863+00', '2026-11-24 12:46:07.863+00'),
  ('01a20d6b-cd86-7a6e-9e94-491eeada9950', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cae4-76ed-bb36-f1fc30366363', '01a20d6b-ccf2-7a87-b1de-bec5414bd342', 'Legal', NULL, 'pending', NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, '2026-11-24 11:58:18.484+00', '2026-11-24 11:58:18.484+00', NULL, '1', 'false', '{api,app,slack,mail}', NULL, NULL, NULL),
  ('01a20d6b-cf16-7fea-8249-00a4cec37321', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cae4-76ed-bb36-f1fc30366363', '01a20d6b-ccf2-7a87-b1de-bec5414bd342', 'Release review', NULL, 'approved', NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:18.898+00', '2026-11-24 11:58:18.965+00', '2026-11-24 11:58:18.942+00', '1', 'false', '{api,app,slack,mail}', 'api', NULL, NULL),
  ('01a20d6b-d2d7-75a6-95c3-12ee493fe145', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cae4-76ed-bb36-f1fc30366363', '01a20d6b-ccf2-7a87-b1de-bec5414bd342', 'Release review', NULL, 'approved', NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:19.851+00', '2026-11-24 11:58:19.887+00', '2026-11-24 11:58:19.879+00', '1', 'false', '{api,app,slack,mail}', 'api', NULL, NULL);

insert into public.idempotency_keys (caller_id, key, fingerprint, status, location, response, created_at) overriding system value values
  ('01a20d6b-3123-79db-a1cd-35cd2f2726d5', '246c42df-8ee9-4726-baab-f8a2cdb4a7e9', E'\\x4b2cc848d45024d075281162a0a724414ce059c1b6ee5c5500189dfb46015597', '200', NULL, E'\\xe66ebff7a4e5efc7c6148c7035480e4101856e8030ff5ae3af076250ea045900b6d91898720080c437bb', '2026-11-24 11:58:05.636+00'),
  ('01a20d6b-3123-79db-a1cd-35cd2f2726d5', '90840eda-0626-4183-aa12-4dc2a6f32e5a', E'\\x174602a964c4b98899ffa116744142b4e2edf5011de29be0a068fb3ad8fac988', '200', NULL, E'\\xdcac70fcae947342152a7ca0010829ee9b40af430f31d497f5c2cd1dc836eb47e1dec65a3c71fc260ed4d153452802678a12c80c3e97f0593562b147654e0a29513d1fd2c5f8a6f4e34e23388f4797fa333a17097d76982d5968a4803c4742c67e24a80fc7594a195e31e9fadaf6445ba0d61a87d8c6c4251164579fb6457f62ed77feed223c37a87e462e673c9ee1a6d0e61e27ea7e64ea94724628ba9d80fd1271b6edbb4b59bb4ab82baaf53025b836d4861111e6266d4ab4687e94b1730f69cb7daee17a2d2f97d06ece7c33185d9aced17e418d59fc65cd4d8d977751d72bbc6272d1de4ddbb60afbb1250b8808e7ba8114f2a6478fab507a541e21dd7627be2b793ebb39e16fc820c3feb342d77d02aa1313529ee34ce80e159a96ee0e13792125f0f859d85c5c9d4c33aef7f5d35c9a27816a2bacf1c4ea5d76ce88e26e71cc29871af015623886beef28e143e5ffd9560720ee680e627dd017689e39594fa18b81b6084e3b69d9e8818ac3605b91afe149e718833dc577878a83d1acf0d729fa822277f92884248d8d7456e04026ab4e605b55293f9f66756f40061f0d2b8052205f6651acfb23765f961f256c9d996402f1d1aa760a59df6a04a23aad98f10884eba2a24ef1abe2614c1fca1c989c2062ea3c06cc0a3c20066844ff9c25d1d33676d1dceb1526bee59cb04ed1a3819e5e8f424b2b502fa49e9b8036cef56b794771ad245b811a8f3f9290f36718b247329eeb58579576f57dd2bb03e81be6c16cf24d6e00c7973af97383121832ca5440bdc662abec50d8f6e77efcdbd97438dc1d55d8457f15598247e99f9001da4bcddb2269d76dc33b418bf8ab9e78efe50bd71893624159f26c43b34b6d9e94f95e32604eca4f63ad71ea850cb3e2f225c415eddae124dce68cf8efe911af7cb22a726e9c0a2c92c6e26caa6e5fbcea89971d9afa73c97a96f63aecaa1605fd13469b7a366765795f3a8a376982d175172dae4efbbc81df2ba6f1b30376868ede649abd8d6cdda85d4032b92296abf4b2b0273d28b8851cd07fd1c33d597976816493022d0b3535ae74e3a298e9a9e6c1b539508205d073c85e4b5bea3b9706fcd4aa3280b72ae6176de09298a15d43d15cf2dda11c580ea7181a3f41f2273b0b5bc593e8692c97ef3df01a7743c59dd8e247eaadb8edb875caadf8807efde2f13ffdf1dea8af70a3223706b8940f444ca5e1b8c1ebf830e330dcbe6e7862a7df0f05ea5fa136cc85783b2654bbf6a56449a186dc4a8d78278dbfbc1c0331a7268bf13d57d0031895a253fdc1cc0321be5cffa0860d460be4f52e3904f69d88d371f4915f6ceb4302fb83a1f9429729ea514abb03b5023dff67fb8477b55a108962896386f4d879487de215ef9c06f32055d56875cabc8f49d6764e9004d626e106d0f31436ee77b9fde34f0cb7eb3fe42b2a8aee97502c527855e933dfd45d6a148fe966db179eea3069d438d36a1519a2f548cd97b663561bc78fb9b7e0b0f5e644c71f2603b623086977601be68b80fe70ef18027fabfee1423f4396a0de2a6643c8d6739a71aa7b8975e9cab2f3e03175e7c1e20b7913093ed75ad2285f8f48c9ca51bac76499382ea848c1421c4d27a1cf4718ddeff73a6de8aac3ebcb4eac37b9e48887b390acfddb14d8a3b77afe98c339bdff25e3ac284b0d54ee8b2651bcd98b1ea9b2ca4c94899bd82c85e48aaef70330a521130492128dfb7d3034f70c99b2beb83ed922f124446dd9b040ae16b8fbdd23fcc38363d558e83c4f003bd7c38a5738ff531bdcb682d0317bf781d316fae58b8727bf5dd72e2958330dcba54f3a106f397602414e63362c5b25d04dab404aba915fddbccd0b39de6b2f296a5ce207efef2a51994a187567919fa57f07c0ce7cb4db9d27c1353ef8eda970ec01c7176ccc94b706edc1b3b5fb0c9d36ff9c8b8943ef533286eb81b415f4ecf16b8751a5380ae56d025e1bf081d39ea53f1faddddf2069b23990de3212aa67a391c48ecd562da4ae058887c55b4854fab12d4777e311bf123cbd3e4a2541518c05e1e7ea4794003905b74fafb08c76e65a3ecefdb4360b4d2780a328883554f28262a2b78fba2745b5e0dcaa58a65838692e8e85adbdad9f7134593933534dd510ee2413378fb7039e4e384270c504200aaf75ed5cc4b52107bcae14df915f0d268d572412a111325f12a00a4ef5b5318b095ff59d2917a74973a3724585276e497269545ff48627617c1a9eeba1ae8260746f31a031190f2a2b0ef4935385a9963d63261379b98d0d71a6941d24df16fde85b3a31294486bafc8390adf1a6462253af5820b6df41f62c36c141ac77597e327f3338b59d503c94c66587bc8d32dfa695fbe5120493a0a6d1e3d7c103dc8a2dc9fd8c25b56fc19dd573bf68c17a8ff8f6cd30d732c65a278f4d17d07ade175fcd23c070ed196a38e12af0740be1ab9743bd831459507525c279980875404db7590a97957950a9eb2436fcdba8637d0876c0ac5a57e80f345f7c6ac302eee6279a4b9827befe1d7287387524824e020fd3f124516acea17e098c80e2c9d9dfd4fcbf66341e9df076ca6a8cf0dda2cbb94e3dc763c73ed3fc9e18af3d8caea79b15ac661edb8cbaba239d3690e12c6922c0e660e4ba0625501ac1b7c8b9e6f2f731988b839c31d150c07ba849985ab012ffe6e8226f76f194d47e74d6f78891010a4b9f3b1b', '2026-11-24 11:58:03.142+00'),
  ('01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'bbd103cd-6b52-4a52-b437-417be869d57a', E'\\x6513b585e0d4ee7c59e470bafe2809833c681e21675becabefc64075b407ea32', '200', NULL, E'\\x2e019db2edab32de21c93536082360721c4c27e8c6d3b18b9fcfd8e365644784d887b4af9bb53a44104bdaa789f09dd5df38f08f3e5ea2f819e3f9b3f1991f5b1fa52a176bc95225d36723ce274175f9c27993ea3a052d52e0e72bd4de279bb9d908ceea09e74f029e0b4e10ee436aa25e3908b3bfa0f17e57062a2877c594936cf41958cbc41e954d3a4e7d8f07400b9405e8be8573199f2584329250f18cf7ef49ade01192e564a3830467c0ed8e1a16c8fcab68099be875344da8e0c8d05af23d5ae998846d2a56d41618ff06026885a5f2add544111831fd128914ff04771b0869942ed1b1ec1ee9a3ce6b9b08115b267d85fdfee57892661bec4f15d11306b25ebeb8955bf78a6b742672a016a1c2811cba5229b8bab757754465db69f42a5acddf60b8b85d6a7e445e4f20359d41a6f4ee7d5ceb90c08a6ad045281c28c7e3613cdf2e2b2b9fe8f7db5f632c63f4c484855f182a557b16f60578d3fd67625a68a54db5426f8be8d86474dc982513db4aefe205660cef5924002848460a122b27fae5209bb02261846783a900fbdc0dbbb7c6c3743404da39f798604ed59c82cefe7a37cbc6f66933f51880864ce0750f47530549513b23cacce8fefda422b0c4458805edb0c1ef78a5bcf060905843565eba02ab76eae495c9b38f2b2eb7511f68140e6ffa53a3bcd1e99952a3ef67e69420530ba212464199baedf027b6c033b049edaafe415835e1a93385c262b525c635f6bc067d94556eac3a5ccc0211a1bd4291b52d704e7896d63497e03af5575b8ce56165678fb8a3061d4d26ad0398a1ec025795aae0d09c963f4ac06444b4a9c34e5466cf0455d08cacdc5e9f6c797177e260b2126d5c8a66698fad871d0eb3a31e1e19ff394a2f4b9a612e659033cb1acce02c63db87dc47c4a493c40167bc95765b2bafcd4a162ca75be9d951649e4668887386763fcc27a8ec0a1d7981b36efa5d630c02d5c9c1e2b0d4f7ee739ea99fe53e8eb62d1d7263bd53d8a3484c78257c3cd243d9768c102a35c97ed4374fd787a37c9bf409c41bc8812a01698f583db23c58258cef7a5279ebb250cf699f90f9013d9d197e398d611127816c34fabe1971af0ee7fd9658d938cd6e111021e41ff886fc258c098b0ee72f604c01ef246d81ae252547c4e3bf75c015821396a38ced24798ccd48592c00712b12afc5ecccb8a4868b63d5a63cf5831e87c2b96fc717afc922e67a080694ed32517495f5afc600b600d375b6558af82e24030497547d00780a9de2e5888689307846af78a21b27f70576733283719673df49ddbf3049e4a3811af271061e8e2d40e38786235459c67790b27c76f72df546092366', '2026-11-24 11:58:05.613+00'),
  ('01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'd369a840-46fa-4131-84cf-4fe27b503786', E'\\xd8b216d7c7f3648edc1b52f39c44119f56486e5a930928ab97327365f505c218', '202', '/api/v1/dispatches/01a20d6b-bdcc-77de-b21f-03adc3aee7e7', E'\\x2a649701c6ed1b15aa79d9e8cc8cd9ea7e60f1a1b12e8229bdc0f21db1ce14cbb1526a29520967080f6650f3b4dfd1c3d57f91dcab0e5e9ff0457bb7a43e5f391dc05e83851bc0ffb67e916124cc55f7f46164047f8ff0f8369aebd3f8be687c224974a6c5fac3d06a89fd36f725796df8623e5c7ed483beb98b519e236b4995f6ffdbda5c92e93eb310030faeef9424a2f6dbb5cc4317e086025cc07c53d9d24f30d1116a8c30c922c2070e8bc0d89610dbc86cdd958443c3fd73ca353236a9e3039dcfa4b4d7cb1100bdacdb880d4dd2fdf91d7f82867d9b6b6494b5df4e8861f1635fa2c48c7cb17906bb9f2ff14deb39ae5edbd3706f191a8ea6ec30c2232f4cabb50c1075eb12d64bac562e332d1b62336111680be94cfa94d604618fd166b9d735c22926f927898b1ab306353a6e19674844aef1d899c1c82b85b8d53b76ebbf5b3a09f7140cf919d807f3da1f373467d8198ba5bbfb6e04ad452022868a928d67136dd969730a65698935fb68e9afd5892403d6f67c5412a7c0af2adb9b4fbd981bd7155ebe36beb0fced756f73cae50b782fd676265af4a86e505226c74f9a6f891093b13018dbc1bcecc7b2d2bb31551f294e4e0989daf786bddf9cbea086bd7cdb5a5948aad53aba92869623ff0d7e8e0480989537635e651bc1b0d2769e7a81eec1d0ebb1b5ca9d90a6474b5062eb154a70ec505f87a1da2fbb984a2d93168fdb621dd886ae25f93b02d342b51fadab83ae14025d961a3df07ec9b0ec416bf413e4c6c70d23d4ae1b620e9c54e32487d514381f69090ce46e2915f4baac81f35c72a8f26b9e38c86efc776c5f6911aabdfd0a986a129b8abb38808f37aaaa28b0b3a41424ea0344a2492562a45effdf6aa5f465fdbfee1a751182608ade5b513f802dfec1', '2026-11-24 11:58:14.473+00'),
  ('01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'f610b83e-a5d6-4501-8b12-02a75c4ff322', E'\\xa4646a7c48c1918d22b0022ad14da869ed22c99a35f5bb1fe73425e7424655fd', '202', NULL, E'\\x42039c24e5b904f30d4bb24baea394abd8e7df453f2cd9fa9168493f8bdb6ad2db5da0854ba61b419f66312b18aa7ec168a9467f3284bafb5a542258e2ebf93d86feb6ecc6556b5ffea53ba3ff832635083134a33cee73d82b2bda0dc983d19e48a2f92aed20329f9c2366e38207dc70f97a6bbc34a842f63e08cd268249cd401f0fc28fac1cc1caa86baafc790bf3b4b6eea19999decb9d1adee93fd1b5e013a049871897a6b3e1f6e3164449c0a64cfc6f8788e687798358b01cb20706bada27b88616d3a249fe6cd2ad1c182ed69630446b3ede50d40049584c77870128b5772553fcbe42439e6bdfb9fd218c8171f60275ce5353df8862de5ff5c0cdcc09b4208e162ab3edb88a3ef543c5730f59f3691ba500cd7175596fe58613bdb3457d840aec997db8b549017039565982c471e40c43a31e3223d0759b224b1aa41f766f035dcb71397825ab5dabc9595925f065193c051da12b856712', '2026-11-24 11:58:14.427+00');

insert into public.invitations (id, organization_id, email, role, status, invited_by, token_hash, expires_at, created_at) overriding system value values
  ('01a20d6b-3d95-79ef-97e6-3a261b67b602', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'nobody@example.com', 'member', 'revoked', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, '2026-12-01 11:57:41.875+00', '2026-11-24 11:57:41.572+00'),
  ('01a20d6b-3fa6-7e32-a369-181fd2c8948f', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'mary.4@example.com', 'member', 'declined', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, '2026-12-01 11:57:42.135+00', '2026-11-24 11:57:42.135+00'),
  ('01a20d6b-40cb-7e3f-ac10-0d58b51866b7', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'gracehopper.5@example.com', 'member', 'accepted', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, '2026-12-01 11:57:42.441+00', '2026-11-24 11:57:42.441+00'),
  ('01a20d6b-41d2-7275-8cf5-a31451043568', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'judy.6@example.com', 'member', 'accepted', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, '2026-12-01 11:57:42.693+00', '2026-11-24 11:57:42.693+00'),
  ('01a20d6b-4389-74ad-9592-c838320f41ba', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'waiting@example.com', 'member', 'pending', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', E'\\x53a3eca2358bde64039476dfb41e1918f06d6942a51a97e553fcd6c42585dd30', '2026-12-01 11:57:43.157+00', '2026-11-24 11:57:43.157+00'),
  ('01a20d6b-9ed8-7ed9-a585-b805af4e3c5e', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'invited@example.com', 'member', 'accepted', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, '2026-12-01 11:58:06.538+00', '2026-11-24 11:58:06.538+00'),
  ('01a20d6b-9ff3-7166-ad00-988c76db3174', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'old.8@example.com', 'member', 'accepted', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, '2026-12-01 11:58:06.83+00', '2026-11-24 11:58:06.83+00'),
  ('01a20d6b-a12f-7f16-a378-6a81b5dd08cb', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'late.9@example.com', 'member', 'accepted', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, '2026-12-01 11:58:07.145+00', '2026-11-24 11:58:07.145+00'),
  ('01a20d6b-b741-764e-b88d-abaf4c357922', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'page-guest@example.com', 'member', 'revoked', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, '2026-12-01 11:58:12.816+00', '2026-11-24 11:58:12.799+00'),
  ('01a20d6b-d392-725a-a50d-7d980fe6aa6a', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'somebody@example.com', 'member', 'pending', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, '2026-12-01 11:58:20.028+00', '2026-11-24 11:58:20.028+00');

insert into public.lane_health (lane_id, organization_id, last_success_at, failures, first_failure_at, last_failure_at, timed_out, held_until) overriding system value values
  ('01a20d6b-83a0-760a-a49a-1403df102f18', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, '2', '2026-11-24 11:58:14.623+00', '2026-11-24 11:58:14.623+00', 'false', NULL),
  ('01a20d6b-cb2d-7952-827d-5c98eb26d1ab', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, '1', '2026-11-24 11:58:19.445+00', '2026-11-24 11:58:19.445+00', 'false', NULL),
  ('01a20d6b-cb97-7c14-bc41-c1cae72c796d', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, '1', '2026-11-24 11:58:19.469+00', '2026-11-24 11:58:19.469+00', 'false', NULL),
  ('01a20d6b-cbd6-7fd3-9f8f-2988fbd93796', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, '1', '2026-11-24 11:58:19.362+00', '2026-11-24 11:58:19.362+00', 'false', NULL),
  ('01a20d6b-cc00-7bfc-bcb7-2eeed5edd209', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, '1', '2026-11-24 11:58:19.435+00', '2026-11-24 11:58:19.435+00', 'false', NULL),
  ('01a20d6b-cc20-7d65-88a4-c0575f24e034', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, '1', '2026-11-24 11:58:19.469+00', '2026-11-24 11:58:19.469+00', 'false', NULL),
  ('01a20d6b-cc40-78a8-bda9-ab0175bb1ed7', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, '1', '2026-11-24 11:58:19.514+00', '2026-11-24 11:58:19.514+00', 'false', NULL),
  ('01a20d6b-cc69-7a67-9fcb-10018227a033', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '2026-11-24 11:58:19.514+00', '0', NULL, NULL, 'false', NULL);

insert into public.lanes (id, organization_id, kind, sequence, version, revision, owner_id, error_code, is_pull) overriding system value values
  ('01a20d6b-5c93-7ce3-bc90-a943f501bb81', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'hook', '13', '50', '47', NULL, NULL, 'false'),
  ('01a20d6b-67a2-7f85-abb3-8f9045eb05c9', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'hook', '2', '7', '7', NULL, NULL, 'true'),
  ('01a20d6b-83a0-760a-a49a-1403df102f18', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'channel', '0', '42', '42', NULL, NULL, 'false'),
  ('01a20d6b-cb2d-7952-827d-5c98eb26d1ab', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'hook', '2', '2', '0', NULL, NULL, 'false'),
  ('01a20d6b-cb5f-7648-9214-31802a2e5a85', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'hook', '1', '1', '0', NULL, NULL, 'true'),
  ('01a20d6b-cb97-7c14-bc41-c1cae72c796d', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'channel', '0', '1', '1', NULL, NULL, 'false'),
  ('01a20d6b-cbd6-7fd3-9f8f-2988fbd93796', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'channel', '0', '1', '1', NULL, NULL, 'false'),
  ('01a20d6b-cc00-7bfc-bcb7-2eeed5edd209', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'channel', '0', '1', '1', NULL, NULL, 'false'),
  ('01a20d6b-cc20-7d65-88a4-c0575f24e034', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'channel', '0', '1', '1', NULL, NULL, 'false'),
  ('01a20d6b-cc40-78a8-bda9-ab0175bb1ed7', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'channel', '0', '1', '1', NULL, NULL, 'false'),
  ('01a20d6b-cc69-7a67-9fcb-10018227a033', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'channel', '0', '3', '3', NULL, NULL, 'false');

insert into public.notification_channels (id, organization_id, workspace_id, name, channel_type, config, secrets, target_since, enabled, disabled_reason, created_by, created_at, updated_at) overriding system value values
  ('01a20d6b-83a0-760a-a49a-1403df102f18', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Operations', 'webhook', '{"url": "http://127.0.0.1:40771"}', E'\\xb1d5bcfd405c3b992e33dbb162d5aa4adac9c863264cd5831d903ddde9dc', '2026-11-24 11:57:59.579+00', 'false', 'The receiver answered 410. It does not want any more messages.', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:57:59.579+00', '2026-11-24 11:58:14.656+00'),
  ('01a20d6b-cb97-7c14-bc41-c1cae72c796d', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'webhook', 'webhook', '{"url": "http://127.0.0.1:23171/channel"}', E'\\xc37862d498f1ba9ff2c3a737f682e8ef1df8a01b9153e9836089df31d697', '2026-11-24 11:58:17.989+00', 'true', NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:17.989+00', '2026-11-24 11:58:17.989+00'),
  ('01a20d6b-cbd6-7fd3-9f8f-2988fbd93796', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'slack', 'slack', '{"webhook_url": "********"}', E'\\xc1a5c80531e6e4ee34218ad843b7d34558b9a37e43146b35c9e2de6f2583d922359b01aa49494bf12a00dfd882999f6b497dd9680f96dd80e2790c935a4641d9c6ae1ff7', '2026-11-24 11:58:18.061+00', 'true', NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:18.061+00', '2026-11-24 11:58:18.061+00'),
  ('01a20d6b-cc00-7bfc-bcb7-2eeed5edd209', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'teams', 'teams', '{"webhook_url": "********"}', E'\\xd063fbbb7f7b4795f27876405e8f86e8c7cfac2dba0272b4bdb9e176311f39cb017cf9a5396d39de872377258fcfa9f63cbefe46ec814d788eb7b7f4a20fdf71616bb0ab', '2026-11-24 11:58:18.102+00', 'true', NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:18.102+00', '2026-11-24 11:58:18.102+00'),
  ('01a20d6b-cc20-7d65-88a4-c0575f24e034', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'feishu', 'feishu', '{"webhook_url": "********"}', E'\\x9711eec516620b464711afbfd5d23823d1f8fee2e2ede84a29b80b030a9cd2cce904675a85bf904465269a858141ec7048b13a99437a3175587d82f48fd0d709e41bb5b1', '2026-11-24 11:58:18.141+00', 'true', NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:18.141+00', '2026-11-24 11:58:18.141+00'),
  ('01a20d6b-cc40-78a8-bda9-ab0175bb1ed7', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'email', 'email', '{"smtp_host": "127.0.0.1", "smtp_port": 23175, "from_address": "box@example.com", "to_addresses": ["team@example.com"]}', E'\\xa5f7d368597e43aa952d40745e68ed0bbe4aaf1b0d2f372dc62684cf6166', '2026-11-24 11:58:18.169+00', 'true', NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:18.169+00', '2026-11-24 11:58:18.169+00'),
  ('01a20d6b-cc69-7a67-9fcb-10018227a033', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'slack', 'slack', '{"api_url": "http://127.0.0.1:23176/api", "bot_token": "********", "slack_channel": "C0RELEASES"}', E'\\x9107807c30aa45ecf05e761685d6829eec9b806d9d7ab9bf8cffab1fd935178bd15eb2b69a2ce0acb01a7667890030c5bc7b2acafcd165e89da92c0dda79336b7199a5d0fe840633', '2026-11-24 11:58:18.208+00', 'true', NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:18.208+00', '2026-11-24 11:58:18.208+00');

insert into public.notification_inboxes (user_id, sequence, read_through, notified_at, total, unread) overriding system value values
  ('01a20d6b-3123-79db-a1cd-35cd2f2726d5', '26', '24', '2026-11-24 11:58:19.082+00', '26', '1'),
  ('01a20d6b-3a11-7306-94dc-1d16f7f12982', '1', '0', '2026-11-24 11:57:41.793+00', '1', '1'),
  ('01a20d6b-4077-7d5b-addc-87fc9a86b17b', '16', '0', '2026-11-24 11:58:07.952+00', '16', '7'),
  ('01a20d6b-417c-753d-beb2-d127144dce1d', '1', '0', '2026-11-24 11:57:43.322+00', '1', '1'),
  ('01a20d6b-9f89-7af2-a166-5084cf04e31c', '1', '0', '2026-11-24 11:58:06.773+00', '1', '1'),
  ('01a20d6b-9fe4-7006-a26a-7817087e019d', '1', '0', '2026-11-24 11:58:07.065+00', '1', '1'),
  ('01a20d6b-a119-7e69-a00f-8ecc42599359', '1', '0', '2026-11-24 11:58:07.247+00', '1', '1'),
  ('01a20d6b-b668-7af5-949a-4f4868968c6c', '1', '0', '2026-11-24 11:58:12.701+00', '1', '1'),
  ('01a20d6b-ba27-7728-a50e-9a33a00b4429', '1', '0', '2026-11-24 11:58:13.683+00', '1', '1');

insert into public.notification_preferences (user_id, email_enabled, desktop_enabled, types, email_types, updated_at) overriding system value values
  ('01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'true', 'false', '{gate_pending}', '{}', '2026-11-24 11:58:14.383+00');

insert into public.notification_read_marks (user_id, through, read_at) overriding system value values
  ('01a20d6b-3123-79db-a1cd-35cd2f2726d5', '17', '2026-11-24 11:58:05.636+00'),
  ('01a20d6b-3123-79db-a1cd-35cd2f2726d5', '24', '2026-11-24 11:58:09.876+00');

insert into public.notifications (id, user_id, sequence, organization_id, workspace_id, project_id, source_id, type, title, body, resource_type, resource_id, data, read_at, created_at) overriding system value values
  ('01a20d6b-3e21-776b-b347-dc266715a998', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '1', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, '01a20d6b-3cd3-72dd-a038-270351190f1f', 'member_added', '“Joan” is now a member of “Acme Robotics”', 'joan.3@example.com, with the role member.', 'organization_member', '01a20d6b-3a11-7306-94dc-1d16f7f12982', '{"role": "member", "event": "member.added", "user_id": "01a20d6b-3a11-7306-94dc-1d16f7f12982", "event_id": "01a20d6b-3cd3-72dd-a038-270351190f1f", "user_name": "Joan", "project_name": null, "workspace_name": null, "organization_name": "Acme Robotics"}', NULL, '2026-11-24 11:57:41.792+00'),
  ('01a20d6b-3e34-70e8-8514-f7f9250f47cc', '01a20d6b-3a11-7306-94dc-1d16f7f12982', '1', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, '01a20d6b-3cd3-72dd-a038-270351190f1f', 'member_added', 'You are now a member of “Acme Robotics”', 'Your role is member.', 'organization_member', '01a20d6b-3a11-7306-94dc-1d16f7f12982', '{"role": "member", "event": "member.added", "user_id": "01a20d6b-3a11-7306-94dc-1d16f7f12982", "event_id": "01a20d6b-3cd3-72dd-a038-270351190f1f", "user_name": "Joan", "project_name": null, "workspace_name": null, "organization_name": "Acme Robotics"}', NULL, '2026-11-24 11:57:41.793+00'),
  ('01a20d6b-41e9-7843-b7b8-b6b0f35cae36', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, '01a20d6b-4155-7fe8-8dbb-e103909c436b', 'member_added', '“Grace Hopper” is now a member of “Acme Robotics”', 'gracehopper.5@example.com, with the role member.', 'organization_member', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '{"role": "member", "event": "member.added", "user_id": "01a20d6b-4077-7d5b-addc-87fc9a86b17b", "event_id": "01a20d6b-4155-7fe8-8dbb-e103909c436b", "user_name": "Grace Hopper", "project_name": null, "workspace_name": null, "organization_name": "Acme Robotics"}', NULL, '2026-11-24 11:57:42.761+00'),
  ('01a20d6b-41e9-7ac5-b00f-d0f57fe45986', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '1', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, '01a20d6b-4155-7fe8-8dbb-e103909c436b', 'member_added', 'You are now a member of “Acme Robotics”', 'Your role is member.', 'organization_member', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '{"role": "member", "event": "member.added", "user_id": "01a20d6b-4077-7d5b-addc-87fc9a86b17b", "event_id": "01a20d6b-4155-7fe8-8dbb-e103909c436b", "user_name": "Grace Hopper", "project_name": null, "workspace_name": null, "organization_name": "Acme Robotics"}', NULL, '2026-11-24 11:57:42.761+00'),
  ('01a20d6b-441a-775b-9e64-3757c5081f79', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '3', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, '01a20d6b-4355-7842-ae14-5355490f158d', 'member_added', '“Judy” is now a member of “Acme Robotics”', 'judy.6@example.com, with the role member.', 'organization_member', '01a20d6b-417c-753d-beb2-d127144dce1d', '{"role": "member", "event": "member.added", "user_id": "01a20d6b-417c-753d-beb2-d127144dce1d", "event_id": "01a20d6b-4355-7842-ae14-5355490f158d", "user_name": "Judy", "project_name": null, "workspace_name": null, "organization_name": "Acme Robotics"}', NULL, '2026-11-24 11:57:43.322+00'),
  ('01a20d6b-442b-73bd-8eb0-3b5e5628ec25', '01a20d6b-417c-753d-beb2-d127144dce1d', '1', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, '01a20d6b-4355-7842-ae14-5355490f158d', 'member_added', 'You are now a member of “Acme Robotics”', 'Your role is member.', 'organization_member', '01a20d6b-417c-753d-beb2-d127144dce1d', '{"role": "member", "event": "member.added", "user_id": "01a20d6b-417c-753d-beb2-d127144dce1d", "event_id": "01a20d6b-4355-7842-ae14-5355490f158d", "user_name": "Judy", "project_name": null, "workspace_name": null, "organization_name": "Acme Robotics"}', NULL, '2026-11-24 11:57:43.322+00'),
  ('01a20d6b-4f77-7186-8a1e-ed8deae9e31f', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '4', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-4f28-7059-bfcf-0bed7bec693e', 'gate_pending', 'The gate Release review awaits your review: #2 Pay by invoice', 'Checkout · Platform · Acme Robotics

Grace Hopper opened it. It is open for 1 hour in all and expires at 2026-11-24 12:57:46 UTC; its execution fails then.', 'gate', '01a20d6b-4f23-7353-857a-1bdf0b4ac899', '{"event": "gate.pending", "event_id": "01a20d6b-4f28-7059-bfcf-0bed7bec693e", "gate_name": "Release review", "execution_id": "01a20d6b-4daf-772c-ab85-c54d99bb24b8", "project_name": "Checkout", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', '2026-11-24 11:57:46.633+00', '2026-11-24 11:57:46.231+00'),
  ('01a20d6b-4f77-7778-81a6-a8256af0052e', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '2', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-4f28-7059-bfcf-0bed7bec693e', 'gate_pending', 'The gate Release review awaits your review: #2 Pay by invoice', 'Checkout · Platform · Acme Robotics

Grace Hopper opened it. It is open for 1 hour in all and expires at 2026-11-24 12:57:46 UTC; its execution fails then.', 'gate', '01a20d6b-4f23-7353-857a-1bdf0b4ac899', '{"event": "gate.pending", "event_id": "01a20d6b-4f28-7059-bfcf-0bed7bec693e", "gate_name": "Release review", "execution_id": "01a20d6b-4daf-772c-ab85-c54d99bb24b8", "project_name": "Checkout", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', '2026-11-24 11:57:46.633+00', '2026-11-24 11:57:46.231+00'),
  ('01a20d6b-521d-7e01-8288-f8f644b025b7', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '5', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5133-73a4-ac29-b7107cdbb54e', 'execution_completed', 'The execution by claude is completed: #2 Pay by invoice', 'Checkout · Platform · Acme Robotics

Done

Grace Hopper started it. It cost $91.00.', 'execution', '01a20d6b-4daf-772c-ab85-c54d99bb24b8', '{"agent": "claude", "event": "execution.completed", "cost_usd": 91, "event_id": "01a20d6b-5133-73a4-ac29-b7107cdbb54e", "project_name": "Checkout", "requirement_id": "01a20d6b-4d2b-7988-8025-dea56b2e2416", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', NULL, '2026-11-24 11:57:46.91+00'),
  ('01a20d6b-521e-7133-8e35-eb960ad7981a', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '6', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', NULL, '01a20d6b-518f-7f53-8aee-3d80fe7a4bb3', 'budget_alert', 'Platform has used 91 % of its budget', 'Platform · Acme Robotics

$91.00 of $100.00 spent this month.', 'workspace', '01a20d6b-467f-7e38-a536-3c23e269efe0', '{"event": "budget.alert", "event_id": "01a20d6b-518f-7f53-8aee-3d80fe7a4bb3", "project_name": null, "usage_percent": 0.91, "workspace_name": "Platform", "budget_used_usd": 91, "organization_name": "Acme Robotics", "budget_alert_threshold": 0.8, "budget_monthly_limit_usd": 100}', NULL, '2026-11-24 11:57:46.91+00'),
  ('01a20d6b-521e-716c-b75c-d1de51a2c80f', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '3', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5133-73a4-ac29-b7107cdbb54e', 'execution_completed', 'The execution by claude is completed: #2 Pay by invoice', 'Checkout · Platform · Acme Robotics

Done

Grace Hopper started it. It cost $91.00.', 'execution', '01a20d6b-4daf-772c-ab85-c54d99bb24b8', '{"agent": "claude", "event": "execution.completed", "cost_usd": 91, "event_id": "01a20d6b-5133-73a4-ac29-b7107cdbb54e", "project_name": "Checkout", "requirement_id": "01a20d6b-4d2b-7988-8025-dea56b2e2416", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', NULL, '2026-11-24 11:57:46.91+00'),
  ('01a20d6b-521e-71ef-9870-dace9aa5ead6', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '4', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', NULL, '01a20d6b-518f-7f53-8aee-3d80fe7a4bb3', 'budget_alert', 'Platform has used 91 % of its budget', 'Platform · Acme Robotics

$91.00 of $100.00 spent this month.', 'workspace', '01a20d6b-467f-7e38-a536-3c23e269efe0', '{"event": "budget.alert", "event_id": "01a20d6b-518f-7f53-8aee-3d80fe7a4bb3", "project_name": null, "usage_percent": 0.91, "workspace_name": "Platform", "budget_used_usd": 91, "organization_name": "Acme Robotics", "budget_alert_threshold": 0.8, "budget_monthly_limit_usd": 100}', NULL, '2026-11-24 11:57:46.91+00'),
  ('01a20d6b-53a1-7847-9375-8142af1dbefd', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '7', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5287-7a78-bd33-74e7118cd268', 'execution_failed', 'The execution by codex failed: #2 Pay by invoice', 'Checkout · Platform · Acme Robotics

It did not build

Grace Hopper started it. It cost $2.00.', 'execution', '01a20d6b-51c6-7d5a-ae43-b5bb80c9012f', '{"agent": "codex", "event": "execution.failed", "cost_usd": 2, "event_id": "01a20d6b-5287-7a78-bd33-74e7118cd268", "project_name": "Checkout", "requirement_id": "01a20d6b-4d2b-7988-8025-dea56b2e2416", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', NULL, '2026-11-24 11:57:47.297+00'),
  ('01a20d6b-53a1-7b02-bef7-bcb978245c4a', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '5', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5287-7a78-bd33-74e7118cd268', 'execution_failed', 'The execution by codex failed: #2 Pay by invoice', 'Checkout · Platform · Acme Robotics

It did not build

Grace Hopper started it. It cost $2.00.', 'execution', '01a20d6b-51c6-7d5a-ae43-b5bb80c9012f', '{"agent": "codex", "event": "execution.failed", "cost_usd": 2, "event_id": "01a20d6b-5287-7a78-bd33-74e7118cd268", "project_name": "Checkout", "requirement_id": "01a20d6b-4d2b-7988-8025-dea56b2e2416", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', NULL, '2026-11-24 11:57:47.297+00'),
  ('01a20d6b-5568-71ea-bb40-561c8e3c3d80', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '8', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5479-7ab5-ad8a-ebdc3612156e', 'gate_pending', 'The gate Release review awaits your review: #2 Pay by invoice', 'Checkout · Platform · Acme Robotics

Grace Hopper opened it. It is open for 1 hour in all and expires at 2026-11-24 12:57:47 UTC; its execution fails then.', 'gate', '01a20d6b-5470-7cd4-b6b4-466ef16c55b5', '{"event": "gate.pending", "event_id": "01a20d6b-5479-7ab5-ad8a-ebdc3612156e", "gate_name": "Release review", "execution_id": "01a20d6b-53c9-773b-8644-4baf389cf8c4", "project_name": "Checkout", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', '2026-11-24 11:57:47.792+00', '2026-11-24 11:57:47.752+00'),
  ('01a20d6b-5568-7b5a-acf3-7d1fac7fb2e4', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '6', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5479-7ab5-ad8a-ebdc3612156e', 'gate_pending', 'The gate Release review awaits your review: #2 Pay by invoice', 'Checkout · Platform · Acme Robotics

Grace Hopper opened it. It is open for 1 hour in all and expires at 2026-11-24 12:57:47 UTC; its execution fails then.', 'gate', '01a20d6b-5470-7cd4-b6b4-466ef16c55b5', '{"event": "gate.pending", "event_id": "01a20d6b-5479-7ab5-ad8a-ebdc3612156e", "gate_name": "Release review", "execution_id": "01a20d6b-53c9-773b-8644-4baf389cf8c4", "project_name": "Checkout", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', '2026-11-24 11:57:47.792+00', '2026-11-24 11:57:47.752+00'),
  ('01a20d6b-55ec-732f-80e7-4d8d108b7b13', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '9', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-551d-7668-aff3-61e27fbd522c', 'execution_failed', 'The execution by claude failed: #2 Pay by invoice', 'Checkout · Platform · Acme Robotics

The gate Release review was rejected.

Grace Hopper started it.', 'execution', '01a20d6b-53c9-773b-8644-4baf389cf8c4', '{"agent": "claude", "event": "execution.failed", "cost_usd": null, "event_id": "01a20d6b-551d-7668-aff3-61e27fbd522c", "project_name": "Checkout", "requirement_id": "01a20d6b-4d2b-7988-8025-dea56b2e2416", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', NULL, '2026-11-24 11:57:47.884+00'),
  ('01a20d6b-55ec-7503-9fce-709f03be36fb', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '10', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5593-7a36-81bd-3d00d8704d6b', 'gate_pending', 'The gate Legal awaits your review: #2 Pay by invoice', 'Checkout · Platform · Acme Robotics

Grace Hopper opened it. It is open for 1 hour in all and expires at 2026-11-24 12:57:47 UTC; its execution fails then.', 'gate', '01a20d6b-5591-7574-8b65-7ddbd1bd9ab6', '{"event": "gate.pending", "event_id": "01a20d6b-5593-7a36-81bd-3d00d8704d6b", "gate_name": "Legal", "execution_id": "01a20d6b-555d-7173-9149-b3aeaaebed9c", "project_name": "Checkout", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', '2026-11-24 11:57:49.467+00', '2026-11-24 11:57:47.884+00'),
  ('01a20d6b-55ec-7939-bbee-a56abcb06db8', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '7', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-551d-7668-aff3-61e27fbd522c', 'execution_failed', 'The execution by claude failed: #2 Pay by invoice', 'Checkout · Platform · Acme Robotics

The gate Release review was rejected.

Grace Hopper started it.', 'execution', '01a20d6b-53c9-773b-8644-4baf389cf8c4', '{"agent": "claude", "event": "execution.failed", "cost_usd": null, "event_id": "01a20d6b-551d-7668-aff3-61e27fbd522c", "project_name": "Checkout", "requirement_id": "01a20d6b-4d2b-7988-8025-dea56b2e2416", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', NULL, '2026-11-24 11:57:47.884+00'),
  ('01a20d6b-55ec-7a39-9ba4-e8f74bc5be92', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '8', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5593-7a36-81bd-3d00d8704d6b', 'gate_pending', 'The gate Legal awaits your review: #2 Pay by invoice', 'Checkout · Platform · Acme Robotics

Grace Hopper opened it. It is open for 1 hour in all and expires at 2026-11-24 12:57:47 UTC; its execution fails then.', 'gate', '01a20d6b-5591-7574-8b65-7ddbd1bd9ab6', '{"event": "gate.pending", "event_id": "01a20d6b-5593-7a36-81bd-3d00d8704d6b", "gate_name": "Legal", "execution_id": "01a20d6b-555d-7173-9149-b3aeaaebed9c", "project_name": "Checkout", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', '2026-11-24 11:57:49.467+00', '2026-11-24 11:57:47.884+00'),
  ('01a20d6b-581e-7a5e-9b5b-97aec82c0bce', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '11', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-57fe-7d60-928a-7484dbd84d9b', 'gate_pending', 'The gate Legal expires soon: #2 Pay by invoice', 'Checkout · Platform · Acme Robotics

Grace Hopper opened it. It is open for 1 hour in all and expires at 2026-11-24 12:57:47 UTC; its execution fails then.', 'gate', '01a20d6b-5591-7574-8b65-7ddbd1bd9ab6', '{"event": "gate.expiring", "event_id": "01a20d6b-57fe-7d60-928a-7484dbd84d9b", "reminder": true, "gate_name": "Legal", "execution_id": "01a20d6b-555d-7173-9149-b3aeaaebed9c", "project_name": "Checkout", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', '2026-11-24 11:57:49.467+00', '2026-11-24 11:57:48.446+00'),
  ('01a20d6b-581e-7d84-b66d-3b8f3ba0560d', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '9', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-57fe-7d60-928a-7484dbd84d9b', 'gate_pending', 'The gate Legal expires soon: #2 Pay by invoice', 'Checkout · Platform · Acme Robotics

Grace Hopper opened it. It is open for 1 hour in all and expires at 2026-11-24 12:57:47 UTC; its execution fails then.', 'gate', '01a20d6b-5591-7574-8b65-7ddbd1bd9ab6', '{"event": "gate.expiring", "event_id": "01a20d6b-57fe-7d60-928a-7484dbd84d9b", "reminder": true, "gate_name": "Legal", "execution_id": "01a20d6b-555d-7173-9149-b3aeaaebed9c", "project_name": "Checkout", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', '2026-11-24 11:57:49.467+00', '2026-11-24 11:57:48.446+00'),
  ('01a20d6b-5c3c-7b94-a5d2-a1d7d80df5b7', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '12', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c0b-72a2-a951-927a27264523', 'execution_failed', 'The execution by claude failed: #2 Pay by invoice', 'Checkout · Platform · Acme Robotics

The gate Legal expired without a decision.

Grace Hopper started it.', 'execution', '01a20d6b-555d-7173-9149-b3aeaaebed9c', '{"agent": "claude", "event": "execution.failed", "cost_usd": null, "event_id": "01a20d6b-5c0b-72a2-a951-927a27264523", "project_name": "Checkout", "requirement_id": "01a20d6b-4d2b-7988-8025-dea56b2e2416", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', NULL, '2026-11-24 11:57:49.5+00'),
  ('01a20d6b-5c3c-7ecd-a334-5b771bb14a76', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '10', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c0b-72a2-a951-927a27264523', 'execution_failed', 'The execution by claude failed: #2 Pay by invoice', 'Checkout · Platform · Acme Robotics

The gate Legal expired without a decision.

Grace Hopper started it.', 'execution', '01a20d6b-555d-7173-9149-b3aeaaebed9c', '{"agent": "claude", "event": "execution.failed", "cost_usd": null, "event_id": "01a20d6b-5c0b-72a2-a951-927a27264523", "project_name": "Checkout", "requirement_id": "01a20d6b-4d2b-7988-8025-dea56b2e2416", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', NULL, '2026-11-24 11:57:49.501+00'),
  ('01a20d6b-67db-70d9-badf-487bc53ac0c0', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '13', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-678b-787b-b2f7-13486044e697', 'deployment_failed', 'It is not known whether the deployment to production succeeded', 'Checkout · Platform · Acme Robotics

Its receiver did not report an outcome in time.', 'dispatch', '01a20d6b-63d4-7057-a0b5-186aee50c788', '{"event": "rollout.unknown", "hook_id": "01a20d6b-5c93-7ce3-bc90-a943f501bb81", "version": null, "event_id": "01a20d6b-678b-787b-b2f7-13486044e697", "hook_name": null, "environment": "production", "project_name": "Checkout", "rollout_state": "unknown", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', NULL, '2026-11-24 11:57:52.475+00'),
  ('01a20d6b-82c3-7671-9105-f84a88809971', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '14', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-82ab-7934-bbf7-3367a616a200', 'deployment_failed', 'The deployment to production was not delivered', 'Checkout · Platform · Acme Robotics

The hook Deployment gave it up after 3 attempts.

The receiver answered 500.', 'dispatch', '01a20d6b-8004-7eff-ad22-7c15c5ff601a', '{"event": "deployment.failed", "hook_id": "01a20d6b-5c93-7ce3-bc90-a943f501bb81", "version": null, "event_id": "01a20d6b-82ab-7934-bbf7-3367a616a200", "hook_name": "Deployment", "environment": "production", "project_name": "Checkout", "rollout_state": "not_delivered", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', NULL, '2026-11-24 11:57:59.363+00'),
  ('01a20d6b-85c7-7fb6-a450-6f1f4f0a1f64', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '15', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-858b-7c03-bdf7-85e7bb3d9c5e', 'gate_pending', 'The gate Release review awaits your review: #2 Pay by invoice', 'Checkout · Platform · Acme Robotics

Grace Hopper opened it. It is open for 1 hour in all and expires at 2026-11-24 12:58:00 UTC; its execution fails then.', 'gate', '01a20d6b-858a-7cc7-84e5-d53028817658', '{"event": "gate.pending", "event_id": "01a20d6b-858b-7c03-bdf7-85e7bb3d9c5e", "gate_name": "Release review", "execution_id": "01a20d6b-856f-7198-a12e-72f95b39c6c0", "project_name": "Checkout", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', '2026-11-24 11:58:00.765+00', '2026-11-24 11:58:00.136+00'),
  ('01a20d6b-85c8-7341-bea8-f3a617d405d1', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '11', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-858b-7c03-bdf7-85e7bb3d9c5e', 'gate_pending', 'The gate Release review awaits your review: #2 Pay by invoice', 'Checkout · Platform · Acme Robotics

Grace Hopper opened it. It is open for 1 hour in all and expires at 2026-11-24 12:58:00 UTC; its execution fails then.', 'gate', '01a20d6b-858a-7cc7-84e5-d53028817658', '{"event": "gate.pending", "event_id": "01a20d6b-858b-7c03-bdf7-85e7bb3d9c5e", "gate_name": "Release review", "execution_id": "01a20d6b-856f-7198-a12e-72f95b39c6c0", "project_name": "Checkout", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', '2026-11-24 11:58:00.765+00', '2026-11-24 11:58:00.136+00'),
  ('01a20d6b-87ab-7953-a263-6310388496b0', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '16', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-8788-782a-90b0-ec99bca3258b', 'gate_pending', 'The gate Release review awaits your review: #2 Pay by invoice', 'Checkout · Platform · Acme Robotics

Grace Hopper opened it. It is open for 1 hour in all and expires at 2026-11-24 12:58:00 UTC; its execution fails then.', 'gate', '01a20d6b-8784-734b-9419-aad670a7821a', '{"event": "gate.pending", "event_id": "01a20d6b-8788-782a-90b0-ec99bca3258b", "gate_name": "Release review", "execution_id": "01a20d6b-856f-7198-a12e-72f95b39c6c0", "project_name": "Checkout", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', '2026-11-24 11:58:00.765+00', '2026-11-24 11:58:00.618+00'),
  ('01a20d6b-87ab-7d3b-adf3-6bb4ac019835', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '12', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-8788-782a-90b0-ec99bca3258b', 'gate_pending', 'The gate Release review awaits your review: #2 Pay by invoice', 'Checkout · Platform · Acme Robotics

Grace Hopper opened it. It is open for 1 hour in all and expires at 2026-11-24 12:58:00 UTC; its execution fails then.', 'gate', '01a20d6b-8784-734b-9419-aad670a7821a', '{"event": "gate.pending", "event_id": "01a20d6b-8788-782a-90b0-ec99bca3258b", "gate_name": "Release review", "execution_id": "01a20d6b-856f-7198-a12e-72f95b39c6c0", "project_name": "Checkout", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', '2026-11-24 11:58:00.765+00', '2026-11-24 11:58:00.618+00'),
  ('01a20d6b-8851-7e78-929e-fca807ae5f7a', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '17', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-8830-7ca4-8e0a-70147b856e68', 'execution_failed', 'The execution by claude failed: #2 Pay by invoice', 'Checkout · Platform · Acme Robotics

The gate Release review was rejected.

Grace Hopper started it.', 'execution', '01a20d6b-856f-7198-a12e-72f95b39c6c0', '{"agent": "claude", "event": "execution.failed", "cost_usd": null, "event_id": "01a20d6b-8830-7ca4-8e0a-70147b856e68", "project_name": "Checkout", "requirement_id": "01a20d6b-4d2b-7988-8025-dea56b2e2416", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', '2026-11-24 11:58:05.613+00', '2026-11-24 11:58:00.786+00'),
  ('01a20d6b-8852-7251-99db-4263d878d09a', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '13', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-8830-7ca4-8e0a-70147b856e68', 'execution_failed', 'The execution by claude failed: #2 Pay by invoice', 'Checkout · Platform · Acme Robotics

The gate Release review was rejected.

Grace Hopper started it.', 'execution', '01a20d6b-856f-7198-a12e-72f95b39c6c0', '{"agent": "claude", "event": "execution.failed", "cost_usd": null, "event_id": "01a20d6b-8830-7ca4-8e0a-70147b856e68", "project_name": "Checkout", "requirement_id": "01a20d6b-4d2b-7988-8025-dea56b2e2416", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', NULL, '2026-11-24 11:58:00.786+00'),
  ('01a20d6b-9fb5-71fa-9634-dfb1f3b696dd', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '18', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, '01a20d6b-9f9d-70ea-ab5b-b0449b0b4847', 'member_added', '“Guest” is now a member of “Acme Robotics”', 'invited@example.com, with the role member.', 'organization_member', '01a20d6b-9f89-7af2-a166-5084cf04e31c', '{"role": "member", "event": "member.added", "user_id": "01a20d6b-9f89-7af2-a166-5084cf04e31c", "event_id": "01a20d6b-9f9d-70ea-ab5b-b0449b0b4847", "user_name": "Guest", "project_name": null, "workspace_name": null, "organization_name": "Acme Robotics"}', NULL, '2026-11-24 11:58:06.773+00'),
  ('01a20d6b-9fb5-759a-901d-64b637a92d4d', '01a20d6b-9f89-7af2-a166-5084cf04e31c', '1', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, '01a20d6b-9f9d-70ea-ab5b-b0449b0b4847', 'member_added', 'You are now a member of “Acme Robotics”', 'Your role is member.', 'organization_member', '01a20d6b-9f89-7af2-a166-5084cf04e31c', '{"role": "member", "event": "member.added", "user_id": "01a20d6b-9f89-7af2-a166-5084cf04e31c", "event_id": "01a20d6b-9f9d-70ea-ab5b-b0449b0b4847", "user_name": "Guest", "project_name": null, "workspace_name": null, "organization_name": "Acme Robotics"}', NULL, '2026-11-24 11:58:06.773+00'),
  ('01a20d6b-a0d9-7a35-84e0-ca5d8e393b96', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '19', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, '01a20d6b-a0be-7582-88ff-79110b5e843b', 'member_added', '“Old” is now a member of “Acme Robotics”', 'old.8@example.com, with the role member.', 'organization_member', '01a20d6b-9fe4-7006-a26a-7817087e019d', '{"role": "member", "event": "member.added", "user_id": "01a20d6b-9fe4-7006-a26a-7817087e019d", "event_id": "01a20d6b-a0be-7582-88ff-79110b5e843b", "user_name": "Old", "project_name": null, "workspace_name": null, "organization_name": "Acme Robotics"}', NULL, '2026-11-24 11:58:07.065+00'),
  ('01a20d6b-a0d9-7c44-b4fb-04fdccceb449', '01a20d6b-9fe4-7006-a26a-7817087e019d', '1', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, '01a20d6b-a0be-7582-88ff-79110b5e843b', 'member_added', 'You are now a member of “Acme Robotics”', 'Your role is member.', 'organization_member', '01a20d6b-9fe4-7006-a26a-7817087e019d', '{"role": "member", "event": "member.added", "user_id": "01a20d6b-9fe4-7006-a26a-7817087e019d", "event_id": "01a20d6b-a0be-7582-88ff-79110b5e843b", "user_name": "Old", "project_name": null, "workspace_name": null, "organization_name": "Acme Robotics"}', NULL, '2026-11-24 11:58:07.065+00'),
  ('01a20d6b-a18e-7f2a-8c68-d7152276be8b', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '20', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, '01a20d6b-a17b-780e-8bfd-3a2238c2148b', 'member_added', '“Late” is now a member of “Acme Robotics”', 'late.9@example.com, with the role member.', 'organization_member', '01a20d6b-a119-7e69-a00f-8ecc42599359', '{"role": "member", "event": "member.added", "user_id": "01a20d6b-a119-7e69-a00f-8ecc42599359", "event_id": "01a20d6b-a17b-780e-8bfd-3a2238c2148b", "user_name": "Late", "project_name": null, "workspace_name": null, "organization_name": "Acme Robotics"}', NULL, '2026-11-24 11:58:07.247+00'),
  ('01a20d6b-a18f-707e-a0f6-25064a6c33c8', '01a20d6b-a119-7e69-a00f-8ecc42599359', '1', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, '01a20d6b-a17b-780e-8bfd-3a2238c2148b', 'member_added', 'You are now a member of “Acme Robotics”', 'Your role is member.', 'organization_member', '01a20d6b-a119-7e69-a00f-8ecc42599359', '{"role": "member", "event": "member.added", "user_id": "01a20d6b-a119-7e69-a00f-8ecc42599359", "event_id": "01a20d6b-a17b-780e-8bfd-3a2238c2148b", "user_name": "Late", "project_name": null, "workspace_name": null, "organization_name": "Acme Robotics"}', NULL, '2026-11-24 11:58:07.247+00'),
  ('01a20d6b-a20c-70ae-8c1b-1aeebcd40801', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '21', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-a1dd-72d9-87e7-b77ed456bf6b', 'gate_pending', 'The gate Page review awaits your review: #3 Pay by invoice', 'Checkout · Platform · Acme Robotics

Ada King opened it. It is open for 1 hour in all and expires at 2026-11-24 12:58:07 UTC; its execution fails then.', 'gate', '01a20d6b-a1db-7f8e-a2c7-97e9f666c035', '{"event": "gate.pending", "event_id": "01a20d6b-a1dd-72d9-87e7-b77ed456bf6b", "gate_name": "Page review", "execution_id": "01a20d6b-a1cc-7b4a-aa85-39d605ae757e", "project_name": "Checkout", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', '2026-11-24 11:58:07.941+00', '2026-11-24 11:58:07.372+00'),
  ('01a20d6b-a20c-7231-8d6d-c2020b8a0af6', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '14', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-a1dd-72d9-87e7-b77ed456bf6b', 'gate_pending', 'The gate Page review awaits your review: #3 Pay by invoice', 'Checkout · Platform · Acme Robotics

Ada King opened it. It is open for 1 hour in all and expires at 2026-11-24 12:58:07 UTC; its execution fails then.', 'gate', '01a20d6b-a1db-7f8e-a2c7-97e9f666c035', '{"event": "gate.pending", "event_id": "01a20d6b-a1dd-72d9-87e7-b77ed456bf6b", "gate_name": "Page review", "execution_id": "01a20d6b-a1cc-7b4a-aa85-39d605ae757e", "project_name": "Checkout", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', '2026-11-24 11:58:07.941+00', '2026-11-24 11:58:07.372+00'),
  ('01a20d6b-a2f6-7713-a521-b52577733135', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '22', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-a2da-7094-901a-cecf9f30dfd3', 'gate_pending', 'The gate Page review awaits your review: #3 Pay by invoice', 'Checkout · Platform · Acme Robotics

Ada King opened it. It is open for 1 hour in all and expires at 2026-11-24 12:58:07 UTC; its execution fails then.', 'gate', '01a20d6b-a2d7-7c7c-85ca-5458374213a6', '{"event": "gate.pending", "event_id": "01a20d6b-a2da-7094-901a-cecf9f30dfd3", "gate_name": "Page review", "execution_id": "01a20d6b-a1cc-7b4a-aa85-39d605ae757e", "project_name": "Checkout", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', '2026-11-24 11:58:07.941+00', '2026-11-24 11:58:07.606+00'),
  ('01a20d6b-a2f6-7b1d-ae38-aa85b8c304fc', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '15', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-a2da-7094-901a-cecf9f30dfd3', 'gate_pending', 'The gate Page review awaits your review: #3 Pay by invoice', 'Checkout · Platform · Acme Robotics

Ada King opened it. It is open for 1 hour in all and expires at 2026-11-24 12:58:07 UTC; its execution fails then.', 'gate', '01a20d6b-a2d7-7c7c-85ca-5458374213a6', '{"event": "gate.pending", "event_id": "01a20d6b-a2da-7094-901a-cecf9f30dfd3", "gate_name": "Page review", "execution_id": "01a20d6b-a1cc-7b4a-aa85-39d605ae757e", "project_name": "Checkout", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', '2026-11-24 11:58:07.941+00', '2026-11-24 11:58:07.606+00'),
  ('01a20d6b-a43f-7190-8425-41c5b4147671', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '23', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-a41b-75b2-b6b8-3c1028330703', 'gate_pending', 'The gate Page review awaits your review: #3 Pay by invoice', 'Checkout · Platform · Acme Robotics

Ada King opened it. It is open for 1 hour in all and expires at 2026-11-24 12:58:07 UTC; its execution fails then.', 'gate', '01a20d6b-a41a-7488-a4ef-a040d87d43a4', '{"event": "gate.pending", "event_id": "01a20d6b-a41b-75b2-b6b8-3c1028330703", "gate_name": "Page review", "execution_id": "01a20d6b-a1cc-7b4a-aa85-39d605ae757e", "project_name": "Checkout", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', '2026-11-24 11:58:07.941+00', '2026-11-24 11:58:07.935+00'),
  ('01a20d6b-a43f-731c-b037-e01a6d38435c', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', '16', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-a41b-75b2-b6b8-3c1028330703', 'gate_pending', 'The gate Page review awaits your review: #3 Pay by invoice', 'Checkout · Platform · Acme Robotics

Ada King opened it. It is open for 1 hour in all and expires at 2026-11-24 12:58:07 UTC; its execution fails then.', 'gate', '01a20d6b-a41a-7488-a4ef-a040d87d43a4', '{"event": "gate.pending", "event_id": "01a20d6b-a41b-75b2-b6b8-3c1028330703", "gate_name": "Page review", "execution_id": "01a20d6b-a1cc-7b4a-aa85-39d605ae757e", "project_name": "Checkout", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', '2026-11-24 11:58:07.941+00', '2026-11-24 11:58:07.935+00'),
  ('01a20d6b-a450-775b-b20e-93402a89c423', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '24', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-a436-70de-b819-46377fae6a22', 'execution_failed', 'The execution by claude failed: #3 Pay by invoice', 'Checkout · Platform · Acme Robotics

The gate Page review was rejected.

Ada King started it.', 'execution', '01a20d6b-a1cc-7b4a-aa85-39d605ae757e', '{"agent": "claude", "event": "execution.failed", "cost_usd": null, "event_id": "01a20d6b-a436-70de-b819-46377fae6a22", "project_name": "Checkout", "requirement_id": "01a20d6b-a1c4-7fe6-af1a-18bb5c2ba0b4", "workspace_name": "Platform", "organization_name": "Acme Robotics"}', NULL, '2026-11-24 11:58:07.952+00'),
  ('01a20d6b-b6dc-7d83-8af5-e2378dceed7b', '01a20d6b-b668-7af5-949a-4f4868968c6c', '1', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, '01a20d6b-b6c1-7525-9d7e-4eb6854658d5', 'member_added', 'You are now a member of “Acme Robotics”', 'Your role is member.', 'organization_member', '01a20d6b-b668-7af5-949a-4f4868968c6c', '{"role": "member", "event": "member.added", "user_id": "01a20d6b-b668-7af5-949a-4f4868968c6c", "event_id": "01a20d6b-b6c1-7525-9d7e-4eb6854658d5", "user_name": "Joining", "project_name": null, "workspace_name": null, "organization_name": "Acme Robotics"}', NULL, '2026-11-24 11:58:12.701+00'),
  ('01a20d6b-bab3-73d0-a5b8-212f59df0520', '01a20d6b-ba27-7728-a50e-9a33a00b4429', '1', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, '01a20d6b-ba78-7546-b36a-8b2a810a3b57', 'member_added', 'You are now a member of “Acme Robotics”', 'Your role is member.', 'organization_member', '01a20d6b-ba27-7728-a50e-9a33a00b4429', '{"role": "member", "event": "member.added", "user_id": "01a20d6b-ba27-7728-a50e-9a33a00b4429", "event_id": "01a20d6b-ba78-7546-b36a-8b2a810a3b57", "user_name": "Added", "project_name": null, "workspace_name": null, "organization_name": "Acme Robotics"}', NULL, '2026-11-24 11:58:13.683+00'),
  ('01a20d6b-ce14-7705-b42e-e2a355f8f71c', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '25', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cae4-76ed-bb36-f1fc30366363', '01a20d6b-cd89-7875-974e-25ef69a2f04e', 'gate_pending', 'The gate Legal awaits your review: #1 Pay by invoice', 'Basket · Release train · Acme Robotics

Ada Lovelace opened it.', 'gate', '01a20d6b-cd86-7a6e-9e94-491eeada9950', '{"event": "gate.pending", "event_id": "01a20d6b-cd89-7875-974e-25ef69a2f04e", "gate_name": "Legal", "execution_id": "01a20d6b-ccf2-7a87-b1de-bec5414bd342", "project_name": "Basket", "workspace_name": "Release train", "organization_name": "Acme Robotics"}', NULL, '2026-11-24 11:58:18.644+00'),
  ('01a20d6b-cfca-7004-84d9-7624d1aab7f8', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '26', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cae4-76ed-bb36-f1fc30366363', '01a20d6b-cf1c-78fe-b250-faa361462181', 'gate_pending', 'The gate Release review awaits your review: #1 Pay by invoice', 'Basket · Release train · Acme Robotics

Ada Lovelace opened it.', 'gate', '01a20d6b-cf16-7fea-8249-00a4cec37321', '{"event": "gate.pending", "event_id": "01a20d6b-cf1c-78fe-b250-faa361462181", "gate_name": "Release review", "execution_id": "01a20d6b-ccf2-7a87-b1de-bec5414bd342", "project_name": "Basket", "workspace_name": "Release train", "organization_name": "Acme Robotics"}', '2026-11-24 11:58:19.125+00', '2026-11-24 11:58:19.082+00');

insert into public.organization_members (organization_id, user_id, role, joined_at) overriding system value values
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'owner', '2026-11-24 11:57:40.827+00'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-3a11-7306-94dc-1d16f7f12982', 'member', '2026-11-24 11:57:41.34+00'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'member', '2026-11-24 11:57:42.551+00'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-9f89-7af2-a166-5084cf04e31c', 'member', '2026-11-24 11:58:06.743+00'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-9fe4-7006-a26a-7817087e019d', 'member', '2026-11-24 11:58:07.014+00'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-a119-7e69-a00f-8ecc42599359', 'member', '2026-11-24 11:58:07.221+00'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ba27-7728-a50e-9a33a00b4429', 'member', '2026-11-24 11:58:13.595+00');

insert into public.organization_names (organization_id, org_key, slug) overriding system value values
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'AR', 'acme-robotics');

insert into public.organization_spend (organization_id, month, used_usd) overriding system value values
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '2026-11-01', '93.006400');

insert into public.organizations (id, name, org_key, slug, owner_id, description, logo_url, settings, budget_monthly_limit_usd, budget_alert_threshold, budget_epoch, registration_mode, max_workspaces, max_members, member_count, workspace_count, created_at, updated_at, deleted_at) overriding system value values
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'Acme Robotics', 'AR', 'acme-robotics', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, NULL, '{}', '1000.000000', '0.80', '1', 'open', NULL, NULL, '7', '2', '2026-11-24 11:57:40.827+00', '2026-11-24 11:57:41.179+00', NULL);

insert into public.outbox (id, organization_id, workspace_id, project_id, name, data, actor_id, request_id, traceparent, created_at, drained_at, attempts, failed_at, retry_at, error) overriding system value values
  ('01a20d6b-d2da-7537-994b-f890646ef4ff', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cae4-76ed-bb36-f1fc30366363', 'gate.pending', '{"gate": {"id": "01a20d6b-d2d7-75a6-95c3-12ee493fe145", "name": "Release review", "status": "pending", "comment": null, "approvals": [], "created_at": "2026-11-24T11:58:19.851Z", "created_by": "01a20d6b-3123-79db-a1cd-35cd2f2726d5", "decide_via": ["api", "app", "slack", "mail"], "decided_at": null, "decided_by": null, "expires_at": null, "project_id": "01a20d6b-cae4-76ed-bb36-f1fc30366363", "updated_at": "2026-11-24T11:58:19.851Z", "decided_via": null, "description": null, "execution_id": "01a20d6b-ccf2-7a87-b1de-bec5414bd342", "workspace_id": "01a20d6b-ca72-7d77-b874-7372404374d5", "organization_id": "01a20d6b-3aa6-7f26-94f6-ac27e9f0c525", "required_approvals": 1, "prevent_self_approval": false}, "requirement": {"id": "01a20d6b-ccb7-71f1-a3df-adfdb2817e3a", "title": "Pay by invoice", "number": 1}}', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'eb4e41b8-11fe-4b50-b12b-a13eeb466ba8', NULL, '2026-11-24 11:58:19.851+00', NULL, '0', NULL, NULL, NULL),
  ('01a20d6b-d2f3-746c-b4e3-8f643e5cd120', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cae4-76ed-bb36-f1fc30366363', 'gate.approved', '{"gate": {"id": "01a20d6b-d2d7-75a6-95c3-12ee493fe145", "name": "Release review", "status": "approved", "comment": null, "approvals": [{"via": "api", "name": "Ada Lovelace", "comment": null, "user_id": "01a20d6b-3123-79db-a1cd-35cd2f2726d5", "created_at": "2026-11-24T11:58:19.879Z"}], "created_at": "2026-11-24T11:58:19.851Z", "created_by": "01a20d6b-3123-79db-a1cd-35cd2f2726d5", "decide_via": ["api", "app", "slack", "mail"], "decided_at": "2026-11-24T11:58:19.879Z", "decided_by": "01a20d6b-3123-79db-a1cd-35cd2f2726d5", "expires_at": null, "project_id": "01a20d6b-cae4-76ed-bb36-f1fc30366363", "updated_at": "2026-11-24T11:58:19.887Z", "decided_via": "api", "description": null, "execution_id": "01a20d6b-ccf2-7a87-b1de-bec5414bd342", "workspace_id": "01a20d6b-ca72-7d77-b874-7372404374d5", "organization_id": "01a20d6b-3aa6-7f26-94f6-ac27e9f0c525", "required_approvals": 1, "prevent_self_approval": false}, "execution": {"id": "01a20d6b-ccf2-7a87-b1de-bec5414bd342", "agent": "claude", "error": null, "status": "awaiting_gate", "metrics": {}, "summary": null, "cost_usd": null, "graph_id": "01a20d6b-ccf2-7aec-bfdf-c991fad75093", "created_at": "2026-11-24T11:58:18.340Z", "created_by": "01a20d6b-3123-79db-a1cd-35cd2f2726d5", "project_id": "01a20d6b-cae4-76ed-bb36-f1fc30366363", "runtime_id": null, "started_at": "2026-11-24T11:58:18.404Z", "started_by": "01a20d6b-3123-79db-a1cd-35cd2f2726d5", "updated_at": "2026-11-24T11:58:18.492Z", "finished_at": null, "workspace_id": "01a20d6b-ca72-7d77-b874-7372404374d5", "requirement_id": "01a20d6b-ccb7-71f1-a3df-adfdb2817e3a", "organization_id": "01a20d6b-3aa6-7f26-94f6-ac27e9f0c525"}, "requirement": {"id": "01a20d6b-ccb7-71f1-a3df-adfdb2817e3a", "title": "Pay by invoice", "number": 1}}', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '208be1e5-a802-466c-9e69-3d407b2ecbc6', NULL, '2026-11-24 11:58:19.879+00', NULL, '0', NULL, NULL, NULL),
  ('01a20d6b-d30e-7112-8d01-91aa2fd0cf03', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cae4-76ed-bb36-f1fc30366363', 'manual.trigger', '{"hook": {"id": "01a20d6b-cb2d-7952-827d-5c98eb26d1ab", "url": "http://127.0.0.1:23171/waiting", "mode": "push", "name": "Deploy to production", "filter": null, "paused": false, "enabled": true, "headers": {"X-Key": "********"}, "signature": "hmac", "supersede": false, "created_at": "2026-11-24T11:58:17.880Z", "has_secret": true, "project_id": "01a20d6b-cae4-76ed-bb36-f1fc30366363", "public_key": null, "trigger_on": "gate_approved", "updated_at": "2026-11-24T11:58:17.880Z", "environment": "production", "body_template": {"gate": "{{/data/gate/name}}", "token": "{{secret:token}}"}, "disabled_reason": null, "max_age_seconds": null, "template_secrets": {"token": "********"}, "report_within_seconds": 604800}}', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'f346624d-ad79-47d1-83c7-8ec219ce1658', NULL, '2026-11-24 11:58:19.915+00', NULL, '0', NULL, NULL, NULL),
  ('01a20d6b-d3e1-7409-abc3-5ebaea2eca4c', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cae4-76ed-bb36-f1fc30366363', 'execution.started', '{"execution": {"id": "01a20d6b-d3d1-7707-a9a7-b238e36528ab", "agent": "claude", "error": null, "status": "running", "metrics": {}, "summary": null, "cost_usd": null, "graph_id": "01a20d6b-d3d1-7766-bb49-1bd2bd4f612c", "created_at": "2026-11-24T11:58:20.107Z", "created_by": "01a20d6b-3123-79db-a1cd-35cd2f2726d5", "project_id": "01a20d6b-cae4-76ed-bb36-f1fc30366363", "runtime_id": null, "started_at": "2026-11-24T11:58:20.122Z", "started_by": "01a20d6b-3123-79db-a1cd-35cd2f2726d5", "updated_at": "2026-11-24T11:58:20.126Z", "finished_at": null, "workspace_id": "01a20d6b-ca72-7d77-b874-7372404374d5", "requirement_id": "01a20d6b-ccb7-71f1-a3df-adfdb2817e3a", "organization_id": "01a20d6b-3aa6-7f26-94f6-ac27e9f0c525"}, "requirement": {"id": "01a20d6b-ccb7-71f1-a3df-adfdb2817e3a", "title": "Pay by invoice", "number": 1}}', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '6fe4ed4e-4e84-45c3-9670-15c09fa32662', NULL, '2026-11-24 11:58:20.122+00', NULL, '0', NULL, NULL, NULL),
  ('01a20d6b-d3fd-790b-9624-410787c864d6', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cae4-76ed-bb36-f1fc30366363', 'execution.completed', '{"execution": {"id": "01a20d6b-d3d1-7707-a9a7-b238e36528ab", "agent": "claude", "error": null, "status": "completed", "metrics": {}, "summary": "Done by claude", "cost_usd": null, "graph_id": "01a20d6b-d3d1-7766-bb49-1bd2bd4f612c", "created_at": "2026-11-24T11:58:20.107Z", "created_by": "01a20d6b-3123-79db-a1cd-35cd2f2726d5", "project_id": "01a20d6b-cae4-76ed-bb36-f1fc30366363", "runtime_id": null, "started_at": "2026-11-24T11:58:20.122Z", "started_by": "01a20d6b-3123-79db-a1cd-35cd2f2726d5", "updated_at": "2026-11-24T11:58:20.153Z", "finished_at": "2026-11-24T11:58:20.151Z", "workspace_id": "01a20d6b-ca72-7d77-b874-7372404374d5", "requirement_id": "01a20d6b-ccb7-71f1-a3df-adfdb2817e3a", "organization_id": "01a20d6b-3aa6-7f26-94f6-ac27e9f0c525"}, "requirement": {"id": "01a20d6b-ccb7-71f1-a3df-adfdb2817e3a", "title": "Pay by invoice", "number": 1}}', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '7701db2e-b148-48d7-85eb-817551aead75', NULL, '2026-11-24 11:58:20.151+00', NULL, '0', NULL, NULL, NULL),
  ('01a20d6b-d407-756b-a6da-4d31ff471a7d', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cae4-76ed-bb36-f1fc30366363', 'workflow.completed', '{"graph_id": "01a20d6b-d3d1-7766-bb49-1bd2bd4f612c", "executions": [{"id": "01a20d6b-d3d1-7707-a9a7-b238e36528ab", "agent": "claude", "error": null, "status": "completed", "metrics": {}, "summary": "Done by claude", "cost_usd": null, "graph_id": "01a20d6b-d3d1-7766-bb49-1bd2bd4f612c", "created_at": "2026-11-24T11:58:20.107Z", "created_by": "01a20d6b-3123-79db-a1cd-35cd2f2726d5", "project_id": "01a20d6b-cae4-76ed-bb36-f1fc30366363", "runtime_id": null, "started_at": "2026-11-24T11:58:20.122Z", "started_by": "01a20d6b-3123-79db-a1cd-35cd2f2726d5", "updated_at": "2026-11-24T11:58:20.153Z", "finished_at": "2026-11-24T11:58:20.151Z", "workspace_id": "01a20d6b-ca72-7d77-b874-7372404374d5", "requirement_id": "01a20d6b-ccb7-71f1-a3df-adfdb2817e3a", "organization_id": "01a20d6b-3aa6-7f26-94f6-ac27e9f0c525"}], "requirements": [{"id": "01a20d6b-ccb7-71f1-a3df-adfdb2817e3a", "title": "Pay by invoice", "number": 1}]}', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '7701db2e-b148-48d7-85eb-817551aead75', NULL, '2026-11-24 11:58:20.151+00', NULL, '0', NULL, NULL, NULL),
  ('01a20d6b-d429-752e-ba76-c137c11721a1', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cae4-76ed-bb36-f1fc30366363', 'execution.started', '{"execution": {"id": "01a20d6b-d413-7875-8ec4-c4cf8bc95783", "agent": "codex", "error": null, "status": "running", "metrics": {}, "summary": null, "cost_usd": null, "graph_id": "01a20d6b-d413-78d2-b869-956c97b9324b", "created_at": "2026-11-24T11:58:20.178Z", "created_by": "01a20d6b-3123-79db-a1cd-35cd2f2726d5", "project_id": "01a20d6b-cae4-76ed-bb36-f1fc30366363", "runtime_id": null, "started_at": "2026-11-24T11:58:20.191Z", "started_by": "01a20d6b-3123-79db-a1cd-35cd2f2726d5", "updated_at": "2026-11-24T11:58:20.199Z", "finished_at": null, "workspace_id": "01a20d6b-ca72-7d77-b874-7372404374d5", "requirement_id": "01a20d6b-ccb7-71f1-a3df-adfdb2817e3a", "organization_id": "01a20d6b-3aa6-7f26-94f6-ac27e9f0c525"}, "requirement": {"id": "01a20d6b-ccb7-71f1-a3df-adfdb2817e3a", "title": "Pay by invoice", "number": 1}}', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'c70d9dfd-86e7-4396-af35-5e0abc53a9be', NULL, '2026-11-24 11:58:20.191+00', NULL, '0', NULL, NULL, NULL),
  ('01a20d6b-d437-78d9-87cb-005602efb84a', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cae4-76ed-bb36-f1fc30366363', 'execution.completed', '{"execution": {"id": "01a20d6b-d413-7875-8ec4-c4cf8bc95783", "agent": "codex", "error": null, "status": "completed", "metrics": {}, "summary": "Done by codex", "cost_usd": null, "graph_id": "01a20d6b-d413-78d2-b869-956c97b9324b", "created_at": "2026-11-24T11:58:20.178Z", "created_by": "01a20d6b-3123-79db-a1cd-35cd2f2726d5", "project_id": "01a20d6b-cae4-76ed-bb36-f1fc30366363", "runtime_id": null, "started_at": "2026-11-24T11:58:20.191Z", "started_by": "01a20d6b-3123-79db-a1cd-35cd2f2726d5", "updated_at": "2026-11-24T11:58:20.213Z", "finished_at": "2026-11-24T11:58:20.211Z", "workspace_id": "01a20d6b-ca72-7d77-b874-7372404374d5", "requirement_id": "01a20d6b-ccb7-71f1-a3df-adfdb2817e3a", "organization_id": "01a20d6b-3aa6-7f26-94f6-ac27e9f0c525"}, "requirement": {"id": "01a20d6b-ccb7-71f1-a3df-adfdb2817e3a", "title": "Pay by invoice", "number": 1}}', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '8f70b797-dd1c-4538-8032-075be6f03287', NULL, '2026-11-24 11:58:20.211+00', NULL, '0', NULL, NULL, NULL),
  ('01a20d6b-d43f-74cf-891c-07ca34e00447', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cae4-76ed-bb36-f1fc30366363', 'workflow.completed', '{"graph_id": "01a20d6b-d413-78d2-b869-956c97b9324b", "executions": [{"id": "01a20d6b-d413-7875-8ec4-c4cf8bc95783", "agent": "codex", "error": null, "status": "completed", "metrics": {}, "summary": "Done by codex", "cost_usd": null, "graph_id": "01a20d6b-d413-78d2-b869-956c97b9324b", "created_at": "2026-11-24T11:58:20.178Z", "created_by": "01a20d6b-3123-79db-a1cd-35cd2f2726d5", "project_id": "01a20d6b-cae4-76ed-bb36-f1fc30366363", "runtime_id": null, "started_at": "2026-11-24T11:58:20.191Z", "started_by": "01a20d6b-3123-79db-a1cd-35cd2f2726d5", "updated_at": "2026-11-24T11:58:20.213Z", "finished_at": "2026-11-24T11:58:20.211Z", "workspace_id": "01a20d6b-ca72-7d77-b874-7372404374d5", "requirement_id": "01a20d6b-ccb7-71f1-a3df-adfdb2817e3a", "organization_id": "01a20d6b-3aa6-7f26-94f6-ac27e9f0c525"}], "requirements": [{"id": "01a20d6b-ccb7-71f1-a3df-adfdb2817e3a", "title": "Pay by invoice", "number": 1}]}', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '8f70b797-dd1c-4538-8032-075be6f03287', NULL, '2026-11-24 11:58:20.211+00', NULL, '0', NULL, NULL, NULL);

insert into public.password_resets (id, email, user_id, hash, device, ip_address, expires_at) overriding system value values
  ('01a20d6b-38d9-7b93-b7e2-9cd6b4074aa4', 'moved.1@example.com', '01a20d6b-3730-7c6c-adb6-996704e680c5', NULL, 'Bun/1.4.5', '127.0.0.1', '2026-11-24 12:57:40.329+00'),
  ('01a20d6b-3932-7c50-aae9-3a5f7619f762', 'moved.1@example.com', '01a20d6b-3730-7c6c-adb6-996704e680c5', E'\\xb9661d594a0b6701b0748677a2468344ff418a5695d8a7416bdf021babd1a0c3', 'Bun/1.4.5', '127.0.0.1', '2026-11-24 12:57:40.499+00'),
  ('01a20d6b-9c97-78e5-8d55-044b12018d4d', 'visitor@example.com', '01a20d6b-9bac-7d56-a867-1db393a3444c', NULL, 'Bun/1.4.5', '127.0.0.1', '2026-11-24 12:58:05.975+00'),
  ('01a20d6b-9ca7-7661-9e17-64dcb44e8b50', 'visitor@example.com', '01a20d6b-9bac-7d56-a867-1db393a3444c', E'\\xb919f8c05527e08b4666ae69350bde28aac0992eacb830defe1bbc2f3c3225b0', 'Bun/1.4.5', '127.0.0.1', '2026-11-24 12:58:05.986+00'),
  ('01a20d6b-9e4e-716f-945e-59f0016d73fd', 'moved.7@example.com', '01a20d6b-9d92-7039-bf5d-9d98001bea3f', NULL, 'Bun/1.4.5', '127.0.0.1', '2026-11-24 12:58:06.397+00'),
  ('01a20d6b-9e66-70ce-bb92-82f4b9f334b5', 'moved.7@example.com', '01a20d6b-9d92-7039-bf5d-9d98001bea3f', E'\\xb346cdb9508bf1a2ba8831b28732a8fced23180bffbf591bace815caca8ffbda', 'Bun/1.4.5', '127.0.0.1', '2026-11-24 12:58:06.434+00'),
  ('01a20d6b-d3bf-7ff9-a45b-a16960555a6c', 'ada@example.com', NULL, NULL, 'Bun/1.4.5', '127.0.0.1', '2026-11-24 12:58:20.094+00');

insert into public.personal_tokens (id, user_id, organization_id, name, scope, hash, expires_at, last_used_at, created_at) overriding system value values
  ('01a20d6b-462f-7e16-8b40-68ebbc471450', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'Bound', 'write', E'\\x2ad9c54ba7fc3f1b6348e57dba6a7e0cf4214157973b7d737946186b809a36f9', NULL, '2026-11-24 11:57:43.876+00', '2026-11-24 11:57:43.823+00');

insert into public.projects (id, organization_id, workspace_id, name, description, repository_url, requirement_count, version_scheme, support, created_by, created_at, updated_at) overriding system value values
  ('01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', 'Checkout', 'Payments', NULL, '4', 'numbered', NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:57:44.347+00', '2026-11-24 11:57:44.415+00'),
  ('01a20d6b-cae4-76ed-bb36-f1fc30366363', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', 'Basket', NULL, NULL, '1', 'numbered', NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:17.822+00', '2026-11-24 11:58:17.822+00');

insert into public.recent_uses (subject, moments, forget_at) overriding system value values
  (E'\\x06b6eeb47059c1c20308737516a40c11b83cf7d3021721b206528870ce700c3a', '{"2026-11-24 11:57:42.693+00"}', '2026-11-25 11:57:42.693+00'),
  (E'\\x071982b955b6a424cf5333e4eb6b384e9707cec34443549673d35c10c634677d', '{"2026-11-24 11:57:42.441+00"}', '2026-11-25 11:57:42.441+00'),
  (E'\\x104b749050f4d7278cf47390db4d18cc416d564e19f42b871cb2b3bcad940c8f', '{"2026-11-24 11:57:41.572+00","2026-11-24 11:57:41.875+00"}', '2026-11-25 11:57:41.875+00'),
  (E'\\x1c33ea70c610bea693c883e72f8606584c1f6c42a16767d2c851c746c755f7d2', '{"2026-11-24 11:57:42.135+00"}', '2026-11-25 11:57:42.135+00'),
  (E'\\x267a58f49ac40804c22a87d9781b028dac889448ea80ea4918d08d134067a6a8', '{"2026-11-24 11:58:12.647+00"}', '2026-11-25 11:58:12.647+00'),
  (E'\\x358eee5cb819a04d76f63e15b2317b055d1c46322705fd35eaba08a240ed483b', '{"2026-11-24 11:58:20.028+00"}', '2026-11-25 11:58:20.028+00'),
  (E'\\x36e65abda5970926c04da9476ce7e6d9cf8d27884a20eb292782d005b8259d40', '{}', '2026-11-24 12:12:40.042+00'),
  (E'\\x38365d9d56239e46e92efdf03a1dcfcc469ec1b40428a62d826653cf711e7f15', '{}', '2026-11-24 12:12:40.595+00'),
  (E'\\x412f06f4efdf6b3cf56509e5b8c55e943663e10bba3d016a03c47d9a0cc0deb4', '{"2026-11-24 11:58:13.595+00"}', '2026-11-25 11:58:13.595+00'),
  (E'\\x54e0255dc9c988460e154b2c9085ac3346a4ddb2404cd69be1635b4d45dbe83c', '{"2026-11-24 11:57:39.08+00"}', '2026-11-24 12:57:39.08+00'),
  (E'\\x55e59d08e3ea52eef0e19f25a26fc6f525c0fc35f3f0adf1b56e1e7217396550', '{"2026-11-24 11:58:12.647+00","2026-11-24 11:58:13.595+00"}', '2026-11-25 11:58:13.595+00'),
  (E'\\x61a272450b82cb3823643d90a64c44883b5a7b7355b3e6456cb9e12aa571b1bf', '{"2026-11-24 11:58:14.878+00"}', '2026-11-24 12:13:14.878+00'),
  (E'\\x6a6909a9e11cb4d831ba124672f0d87d82e19fc4e796391e335957378d59a68d', '{"2026-11-24 11:58:06.83+00"}', '2026-11-25 11:58:06.83+00'),
  (E'\\x720be384e7892868d6c4e189317fdf8847fa6faae0d83012cf43f9aece6d4a89', '{"2026-11-24 11:58:06.434+00"}', '2026-11-24 12:58:06.434+00'),
  (E'\\x7793b3c9684fad3599a2136a84498780c844846fdd34746a7ce9f9cf6f002d83', '{}', '2026-11-24 12:13:07.002+00'),
  (E'\\x79f144a24f37d516bdc7176b0c0ee1b8f9dcefe6be17b319650dcce8d80aaf86', '{"2026-11-24 11:57:43.157+00"}', '2026-11-25 11:57:43.157+00'),
  (E'\\x82287ff2117d7ba5529d57e00782c9f77dbde814d7fa0f1a11f03d181e196870', '{"2026-11-24 11:57:40.499+00"}', '2026-11-24 12:57:40.499+00'),
  (E'\\x8b19a93fc702537b76110eb087f890073cb224c34609230d26c75c249adc8a7f', '{"2026-11-24 11:58:06.538+00"}', '2026-11-25 11:58:06.538+00'),
  (E'\\x8ef2bed9c23dd75df5cf1c90edf34964194a70221e34323fd12e612b6b3f3847', '{"2026-11-24 11:57:41.572+00","2026-11-24 11:57:41.875+00","2026-11-24 11:57:42.135+00","2026-11-24 11:57:42.441+00","2026-11-24 11:57:42.693+00","2026-11-24 11:57:43.157+00","2026-11-24 11:58:06.538+00","2026-11-24 11:58:06.83+00","2026-11-24 11:58:07.145+00","2026-11-24 11:58:12.799+00","2026-11-24 11:58:12.816+00","2026-11-24 11:58:20.028+00"}', '2026-11-25 11:58:20.028+00'),
  (E'\\xa98b09698e54289e45d536f33015be0d698a7781dffe889637b596cf0a347018', '{}', '2026-11-24 12:13:07.166+00'),
  (E'\\xb1a0ec0dd50b77b6c918e04f7f576035f456bc3180a18297f6774640f2e85701', '{}', '2026-11-24 12:13:06.177+00'),
  (E'\\xb1e61b34669ce5bbc6e83b4706c8cf6bd45fe07b121cf2804d3abb4e0107b467', '{}', '2026-11-24 12:13:06.237+00'),
  (E'\\xc5ba4e54eaa4272ab9e69d09f288a21ed1172e7f41f465b6f2df20685015c5d7', '{"2026-11-24 11:58:14.839+00"}', '2026-11-25 11:58:14.839+00'),
  (E'\\xd3bd645dc83b806a8d972d7fbb16111a1ef0fbb3cf240dd611f2db7f7958b840', '{"2026-11-24 11:57:40.047+00"}', '2026-11-25 11:57:40.047+00'),
  (E'\\xe3413434a3e61ccf75c21a7e638e3de2253e42bafac4d60a5441da9854767507', '{"2026-11-24 11:58:12.799+00","2026-11-24 11:58:12.816+00"}', '2026-11-25 11:58:12.816+00'),
  (E'\\xe50ae3cb5c476297a4574baa0660d24d7945687e23f3e4ff89eedd613436f050', '{"2026-11-24 11:58:06.239+00"}', '2026-11-25 11:58:06.239+00'),
  (E'\\xe5a7f8b05395a028e2c38b9789181561be585b76064f791b3749a274c0cd70e1', '{}', '2026-11-24 12:13:14.837+00'),
  (E'\\xf4b1e8b5da161b9592cc44343941fcdfe189797a6365d26c0ecb90d46fa12daf', '{"2026-11-24 11:58:05.986+00"}', '2026-11-24 12:58:05.986+00'),
  (E'\\xfcebc5550d95bc8cf641304cdb4aeffe33881e4db2302d4c7db45a71616b7adc', '{"2026-11-24 11:58:07.145+00"}', '2026-11-25 11:58:07.145+00');

insert into public.refresh_tokens (hash, session_id, expires_at, used_at) overriding system value values
  (E'\\x0c060ced3e6989d31a6eb2b5e258be8edc93ae9b19bed6abdff381294148e6f2', '01a20d6b-b668-7d53-8b5a-d9c62e2d74b1', '2026-11-24 12:58:12.584+00', '2026-11-24 11:58:12.593+00'),
  (E'\\x14508c6d1abb8bac4fe7cd4796f76f41520e2578778cb0ca222a75c32e668e2f', '01a20d6b-ba2a-7e03-84b3-67c05f78ff66', '2026-12-24 11:58:13.557+00', NULL),
  (E'\\x1697383aff1314f114d72e9a62877453aed85ae0d090a89ab675d71b37229d87', '01a20d6b-9d92-7331-962e-a42429a28f6e', '2026-11-24 12:58:06.225+00', '2026-11-24 11:58:06.229+00'),
  (E'\\x1cb06b41fa62d251467fa96e5de1e12f7af83a7e8b83cf86d7dae242730c5c36', '01a20d6b-34ad-7b4c-b09b-0fdbba4cc7b7', '2026-12-24 11:57:39.369+00', '2026-11-24 11:57:39.431+00'),
  (E'\\x291af01ccb38f5e8f124d730c5d728d12c4101d6d4cd98e1828efa87351cc7a0', '01a20d6b-36f8-7d71-90d8-8d084311765b', '2026-12-24 11:57:39.956+00', NULL),
  (E'\\x5447bb50a95a3fbd3019a3456e970bce599b51f8a64df9b79dd151626088cf46', '01a20d6b-b668-7d53-8b5a-d9c62e2d74b1', '2026-12-24 11:58:12.593+00', NULL),
  (E'\\x562878c37116f19b2f0f10f4a4b9f98962ebdf25a6798a514bf4dec309f82b39', '01a20d6b-34ad-7b4c-b09b-0fdbba4cc7b7', '2026-12-24 11:57:39.431+00', NULL),
  (E'\\x5c491a78d61f6df310e72de9053a7b76cf564f03caa67968c71d31da1544d21f', '01a20d6b-a11c-7a62-aa75-eb60398e90d6', '2026-12-24 11:58:07.125+00', NULL),
  (E'\\x7775f0e143cd49433f4e494498b56fbb2722c3ea08828838cd8c1ecc7fc93d8f', '01a20d6b-418a-7bf2-b8b6-9ef3e3de9f6a', '2026-12-24 11:57:42.647+00', NULL),
  (E'\\x7b80b730c9912fbb64397583d09e615e0d9fc75a8a8e0150f11df5d26d3ce049', '01a20d6b-316a-7144-abd8-c0e896560ede', '2026-12-24 11:57:38.416+00', NULL),
  (E'\\x83fd38fc49af6d9a17e5802f4786eb510c0f527931eb2926d500ae8bce7f86aa', '01a20d6b-3a11-7933-acff-ca2d3a997ab0', '2026-12-24 11:57:40.759+00', NULL),
  (E'\\x84caef5d7ebec88e28ed96199a0a8b967e4cee2d67578c69683691d61a758928', '01a20d6b-9fe7-7230-a338-8e5e00cb4952', '2026-12-24 11:58:06.819+00', NULL),
  (E'\\x9ab23d8c440a91877d43370ec52193db1072c1dd960fdcf6198ec6cb66aaff75', '01a20d6b-3f60-7d00-9590-9c57a2799134', '2026-12-24 11:57:42.087+00', NULL),
  (E'\\xba098afff0443506f4508097e664ea62e61b8ab8d19631cbcc3b2b7138fa8785', '01a20d6b-ba2a-7e03-84b3-67c05f78ff66', '2026-11-24 12:58:13.543+00', '2026-11-24 11:58:13.557+00'),
  (E'\\xbfce3095c214b61531d76e71af2759b98fc2b494e5276fcd82867934f025e004', '01a20d6b-4089-71e9-b36b-439b01a48648', '2026-12-24 11:57:42.383+00', NULL),
  (E'\\xc222624d77c663ccb586f6617b007e9c33c406aa7f1f5e1621f436d275b64aaa', '01a20d6b-3731-776f-a564-d889a2db6b60', '2026-11-24 12:57:40.009+00', '2026-11-24 11:57:40.028+00'),
  (E'\\xe917a6dd05ce3947eab185dfdaa3534c1bdbb64f1aab0d35d85e111c4822b9be', '01a20d6b-9d92-7331-962e-a42429a28f6e', '2026-12-24 11:58:06.229+00', NULL),
  (E'\\xeb0b0852e1e4f906ba00fd973a64f65b89fb0768d2fd99d666533e758d973c1d', '01a20d6b-365e-709e-bfb9-7471e72d8098', '2026-12-24 11:57:39.8+00', NULL),
  (E'\\xf330f34d9e4cc47823ad4dcee8e17c438ef7d31b6ac75f8f8d090b81b4304dd3', '01a20d6b-3a11-7933-acff-ca2d3a997ab0', '2026-11-24 12:57:40.751+00', '2026-11-24 11:57:40.759+00'),
  (E'\\xf6bc1213e3ba6eba60b43a7de2c3e692fe82858e04b8663c2c8c8ba4705f18c0', '01a20d6b-3731-776f-a564-d889a2db6b60', '2026-12-24 11:57:40.028+00', NULL);

insert into public.requirement_changes (id, organization_id, project_id, requirement_id, from_status, to_status, changed_by, changed_at) overriding system value values
  ('01a20d6b-4d31-7f0a-82b5-c920ff74e91a', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-4d2b-7988-8025-dea56b2e2416', NULL, 'open', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:57:45.632+00'),
  ('01a20d6b-5c32-7c3b-8f68-ed58f557d247', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-4d2b-7988-8025-dea56b2e2416', 'open', 'done', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:57:49.477+00'),
  ('01a20d6b-a1c5-7e80-a83f-0fdde76c0bd7', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-a1c4-7fe6-af1a-18bb5c2ba0b4', NULL, 'open', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:07.3+00'),
  ('01a20d6b-a46e-7b0a-8a89-430b98a25dbf', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-a46c-734f-aace-5230ec66d466', NULL, 'open', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:07.978+00'),
  ('01a20d6b-ccbc-7f90-b79c-0050f24e2935', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-cae4-76ed-bb36-f1fc30366363', '01a20d6b-ccb7-71f1-a3df-adfdb2817e3a', NULL, 'open', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:18.289+00');

insert into public.requirements (id, organization_id, workspace_id, project_id, number, title, description, kind, acceptance_criteria, status, completed_at, created_by, created_at, updated_at) overriding system value values
  ('01a20d6b-4d2b-7988-8025-dea56b2e2416', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '2', 'Pay by invoice', NULL, 'fix', '{"It pays"}', 'done', '2026-11-24 11:57:49.477+00', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:57:45.632+00', '2026-11-24 11:57:49.487+00'),
  ('01a20d6b-a1c4-7fe6-af1a-18bb5c2ba0b4', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '3', 'Pay by invoice', NULL, 'feature', '{}', 'open', NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:07.3+00', '2026-11-24 11:58:07.3+00'),
  ('01a20d6b-a46c-734f-aace-5230ec66d466', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '4', 'Two tracks', NULL, 'feature', '{}', 'open', NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:07.978+00', '2026-11-24 11:58:07.978+00'),
  ('01a20d6b-ccb7-71f1-a3df-adfdb2817e3a', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cae4-76ed-bb36-f1fc30366363', '1', 'Pay by invoice', NULL, 'feature', '{}', 'open', NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:18.289+00', '2026-11-24 11:58:18.289+00');

insert into public.rollouts (id, organization_id, workspace_id, project_id, hook_id, environment, event, event_at, state, version, url, description, reported_by, reported_at, deadline_at, created_at, started_at, unknown_at, lead_ms, restore_ms) overriding system value values
  ('01a20d6b-627a-7381-9050-a0cfde2fb753', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'production', 'manual.trigger', '2026-11-24 11:57:51.098+00', 'succeeded', 'v1.5.0', NULL, NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:57:51.373+00', '2026-11-24 12:07:51.326+00', '2026-11-24 11:57:51.091+00', '2026-11-24 11:57:51.326+00', NULL, '275', NULL),
  ('01a20d6b-63d4-7057-a0b5-186aee50c788', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'production', 'manual.trigger', '2026-11-24 11:57:51.444+00', 'unknown', NULL, NULL, NULL, NULL, NULL, '2026-11-24 11:57:51.628+00', '2026-11-24 11:57:51.439+00', NULL, '2026-11-24 11:57:52.38+00', NULL, NULL),
  ('01a20d6b-7f25-730b-91fb-21a5991827ce', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'production', 'manual.trigger', '2026-11-24 11:57:50.702+00', 'awaiting', NULL, NULL, NULL, NULL, NULL, '2026-11-24 12:07:58.474+00', '2026-11-24 11:57:58.43+00', NULL, NULL, NULL, NULL),
  ('01a20d6b-7f93-7658-abdb-e794ee674929', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'production', 'deployment.rollback', '2026-11-24 11:57:58.547+00', 'awaiting', NULL, NULL, NULL, NULL, NULL, '2026-11-24 12:07:58.602+00', '2026-11-24 11:57:58.545+00', NULL, NULL, NULL, NULL),
  ('01a20d6b-8004-7eff-ad22-7c15c5ff601a', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'production', 'manual.trigger', '2026-11-24 11:57:58.66+00', 'not_delivered', NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-24 11:57:58.658+00', NULL, '2026-11-24 11:57:59.329+00', NULL, NULL),
  ('01a20d6b-82e1-7305-84df-33e08d9120b4', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'production', 'manual.trigger', '2026-11-24 11:57:58.66+00', 'not_delivered', NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-24 11:57:59.385+00', NULL, '2026-11-24 11:57:59.452+00', NULL, NULL),
  ('01a20d6b-8308-7965-b5e0-2bce52a1c184', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'production', 'manual.trigger', '2026-11-24 11:57:59.432+00', 'not_delivered', NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-24 11:57:59.431+00', NULL, '2026-11-24 11:57:59.463+00', NULL, NULL),
  ('01a20d6b-8334-7624-a56f-7c09740421ca', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'production', 'manual.trigger', '2026-11-24 11:57:59.476+00', 'awaiting', NULL, NULL, NULL, NULL, NULL, '2026-11-24 12:07:59.539+00', '2026-11-24 11:57:59.475+00', NULL, NULL, NULL, NULL),
  ('01a20d6b-84ae-70e0-9375-fcf481149ca3', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'production', 'manual.trigger', '2026-11-24 11:57:59.854+00', 'awaiting', NULL, NULL, NULL, NULL, NULL, '2026-11-24 12:07:59.91+00', '2026-11-24 11:57:59.852+00', NULL, NULL, NULL, NULL),
  ('01a20d6b-a84b-79ff-92fb-3563edfabe2d', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'production', 'deployment.rollback', '2026-11-24 11:58:08.971+00', 'awaiting', NULL, NULL, NULL, NULL, NULL, '2026-11-24 12:08:09.062+00', '2026-11-24 11:58:08.97+00', NULL, NULL, NULL, NULL),
  ('01a20d6b-af83-7361-b683-879f9e99cd8e', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'production', 'manual.trigger', '2026-11-24 11:58:10.819+00', 'awaiting', NULL, NULL, NULL, NULL, NULL, '2026-11-24 12:08:10.934+00', '2026-11-24 11:58:10.815+00', NULL, NULL, NULL, NULL),
  ('01a20d6b-b03b-75e6-b43b-635fd2817b58', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'production', 'manual.trigger', '2026-11-24 11:57:58.66+00', 'awaiting', NULL, NULL, NULL, NULL, NULL, '2026-11-24 12:08:11.056+00', '2026-11-24 11:58:10.999+00', NULL, NULL, NULL, NULL),
  ('01a20d6b-b03b-75e7-acdc-6baff5bb6e57', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'production', 'manual.trigger', '2026-11-24 11:57:59.432+00', 'awaiting', NULL, NULL, NULL, NULL, NULL, '2026-11-24 12:08:11.056+00', '2026-11-24 11:58:10.999+00', NULL, NULL, NULL, NULL),
  ('01a20d6b-b0e6-74e2-8781-be943badce5e', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'production', 'manual.trigger', '2026-11-24 11:58:11.174+00', 'not_delivered', NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-24 11:58:11.168+00', NULL, '2026-11-24 11:58:11.231+00', NULL, NULL),
  ('01a20d6b-b19d-768a-b74e-18e422fe9373', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'production', 'manual.trigger', '2026-11-24 11:58:11.357+00', 'awaiting', NULL, NULL, NULL, NULL, NULL, '2026-11-24 12:08:11.533+00', '2026-11-24 11:58:11.356+00', NULL, NULL, NULL, NULL),
  ('01a20d6b-b2df-724e-b025-39d39f52e77a', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'production', 'manual.trigger', '2026-11-24 11:58:11.357+00', 'awaiting', NULL, NULL, NULL, NULL, NULL, '2026-11-24 12:08:11.714+00', '2026-11-24 11:58:11.671+00', NULL, NULL, NULL, NULL),
  ('01a20d6b-bdcc-77de-b21f-03adc3aee7e7', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'production', 'manual.trigger', '2026-11-24 11:58:14.476+00', 'not_delivered', NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-24 11:58:14.473+00', NULL, '2026-11-24 11:58:14.54+00', NULL, NULL),
  ('01a20d6b-cf5c-77b0-8f98-0dc06216ceb1', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cae4-76ed-bb36-f1fc30366363', '01a20d6b-cb2d-7952-827d-5c98eb26d1ab', 'production', 'gate.approved', '2026-11-24 11:58:18.972+00', 'awaiting', NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-24 11:58:19.125+00', NULL, NULL, NULL, NULL),
  ('01a20d6b-d30e-7112-9115-44ebcf01e356', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cae4-76ed-bb36-f1fc30366363', '01a20d6b-cb2d-7952-827d-5c98eb26d1ab', 'production', 'manual.trigger', '2026-11-24 11:58:19.918+00', 'awaiting', NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-24 11:58:19.915+00', NULL, NULL, NULL, NULL);

insert into public.runtimes (id, organization_id, name, hostname, agents, owner_id, owner_name, last_heartbeat, offline_at, created_at) overriding system value values
  ('01a20d6b-4c90-720a-b706-860b925cf14c', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'Farm', 'farm.example.com', '{claude,codex}', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Grace Hopper', '2026-11-24 11:57:45.521+00', NULL, '2026-11-24 11:57:45.482+00');

insert into public.security_log_entries (id, user_id, email, action, detail, device, ip_address, created_at) overriding system value values
  ('01a20d6b-a142-7ff2-bee1-1aba773e8df2', '01a20d6b-a119-7e69-a00f-8ecc42599359', 'late.9@example.com', 'sign_in.succeeded', 'Signed in.', 'Bun/1.4.5', '127.0.0.1', '2026-11-24 11:58:07.169+00'),
  ('01a20d6b-a1a6-7a55-8a0e-52f36b13031c', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'ada@example.com', 'sign_in.succeeded', 'Signed in.', 'Bun/1.4.5', '127.0.0.1', '2026-11-24 11:58:07.269+00'),
  ('01a20d6b-b60a-718a-88f5-a19942206544', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'ada@example.com', 'identity.linked', 'The Slack account U0PAGES of the Slack workspace T0ACME was linked: it can approve and reject gates as you.', 'Bun/1.4.5', '127.0.0.1', '2026-11-24 11:58:12.486+00'),
  ('01a20d6b-bbc7-73df-a53d-5118bf7ca916', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'ada@example.com', 'sign_in.succeeded', 'Signed in.', 'Bun/1.4.5', '127.0.0.1', '2026-11-24 11:58:13.954+00'),
  ('01a20d6b-bc0b-7dd4-b6f6-324d363b94c2', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'ada@example.com', 'session.ended', 'The session of Bun/1.4.5 was ended.', 'Bun/1.4.5', '127.0.0.1', '2026-11-24 11:58:14.025+00'),
  ('01a20d6b-bc27-728f-98f3-1f240804a454', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'ada@example.com', 'identity.unlinked', 'The Slack account U0000000PGE of the team T0000000PGE was unlinked.', 'Bun/1.4.5', '127.0.0.1', '2026-11-24 11:58:14.054+00'),
  ('01a20d6b-bc8b-7bd3-b4f7-878e6e537fdd', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'ada@example.com', 'token.created', 'The personal token Made on a page was created.', 'Bun/1.4.5', '127.0.0.1', '2026-11-24 11:58:14.131+00'),
  ('01a20d6b-bd0c-798c-8fd1-2379dcbd6939', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'ada@example.com', 'token.revoked', 'The personal token Made on a page was revoked.', 'Bun/1.4.5', '127.0.0.1', '2026-11-24 11:58:14.283+00'),
  ('01a20d6b-bf39-7a88-b55d-e57c3d571e0b', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'gracehopper.5@example.com', 'email.change_requested', 'A change of the address from gracehopper.5@example.com to hopper@example.com was requested; a link was mailed to the new address.', 'Bun/1.4.5', '127.0.0.1', '2026-11-24 11:58:14.839+00'),
  ('01a20d6b-bf65-75f0-bd75-bedbbafa62ac', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'ada@example.com', 'sign_in.failed', 'The password was wrong.', 'Bun/1.4.5', '127.0.0.1', '2026-11-24 11:58:14.883+00');

insert into public.session_cookies (hash, session_id) overriding system value values
  (E'\\x22ed8d2c47d6bb00cecace01195c052becf0fccd2695cc5afb32aa22c6ebb741', '01a20d6b-9d66-7814-bac5-77f7e831679b'),
  (E'\\x3202b4c9cdbaeb7897e7d334c9c598394bf8123908952048a9fd0a4fea4db5b5', '01a20d6b-bbc7-7d45-8273-aec6fb0862c4'),
  (E'\\x445251a2290099e110ea68cc7e6559ea614cd89b5e5b1b0f86076fd9b609ae78', '01a20d6b-9f93-7691-aad5-d7f3030bd706'),
  (E'\\x649b454ffb769e8b415bd5414fd2e66a9db32a727fae4cc527e41f85266e5086', '01a20d6b-a1a7-7115-a30d-877c54f5380a'),
  (E'\\x96f42866eff1fc8ed4d41c6ab66345d841409f9b71380dcf894ffb90e3ecff6b', '01a20d6b-a0a1-7345-93a6-5a786716786f'),
  (E'\\xa75a55631afd807ef6cc6140c2b811f4c17cfdd9eb2bc2f3007dbf4b3930a462', '01a20d6b-9baf-70a9-8521-2146558b8da3'),
  (E'\\xb4d48bab266419a734fb1ba2a3dd50952b2b82725650e749faf3e97567a96fce', '01a20d6b-a143-7586-85f0-c0c37e731067');

insert into public.sessions (id, user_id, device, ip_address, created_at, last_used_at, ended_at) overriding system value values
  ('01a20d6b-316a-7144-abd8-c0e896560ede', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Bun/1.4.5', '127.0.0.1', '2026-11-24 11:57:38.416+00', '2026-11-24 11:57:38.416+00', '2026-11-24 11:57:39.288+00'),
  ('01a20d6b-34ad-7b4c-b09b-0fdbba4cc7b7', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Bun/1.4.5', '127.0.0.1', '2026-11-24 11:57:39.369+00', '2026-11-24 11:57:39.431+00', NULL),
  ('01a20d6b-365e-709e-bfb9-7471e72d8098', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Bun/1.4.5', '127.0.0.1', '2026-11-24 11:57:39.8+00', '2026-11-24 11:57:39.8+00', '2026-11-24 11:57:39.911+00'),
  ('01a20d6b-36f8-7d71-90d8-8d084311765b', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Bun/1.4.5', '127.0.0.1', '2026-11-24 11:57:39.956+00', '2026-11-24 11:57:39.956+00', '2026-11-24 11:57:39.986+00'),
  ('01a20d6b-3731-776f-a564-d889a2db6b60', '01a20d6b-3730-7c6c-adb6-996704e680c5', 'Test', '127.0.0.1', '2026-11-24 11:57:40.009+00', '2026-11-24 11:57:40.028+00', '2026-11-24 11:57:40.329+00'),
  ('01a20d6b-3a11-7933-acff-ca2d3a997ab0', '01a20d6b-3a11-7306-94dc-1d16f7f12982', 'Test', '127.0.0.1', '2026-11-24 11:57:40.751+00', '2026-11-24 11:57:40.759+00', NULL),
  ('01a20d6b-3f60-7d00-9590-9c57a2799134', '01a20d6b-3f53-7eac-b1e7-3582695f587f', 'Bun/1.4.5', '127.0.0.1', '2026-11-24 11:57:42.087+00', '2026-11-24 11:57:42.087+00', NULL),
  ('01a20d6b-4089-71e9-b36b-439b01a48648', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'Bun/1.4.5', '127.0.0.1', '2026-11-24 11:57:42.383+00', '2026-11-24 11:57:42.383+00', NULL),
  ('01a20d6b-418a-7bf2-b8b6-9ef3e3de9f6a', '01a20d6b-417c-753d-beb2-d127144dce1d', 'Bun/1.4.5', '127.0.0.1', '2026-11-24 11:57:42.647+00', '2026-11-24 11:57:42.647+00', NULL),
  ('01a20d6b-9baf-70a9-8521-2146558b8da3', '01a20d6b-9bac-7d56-a867-1db393a3444c', 'Bun/1.4.5', '127.0.0.1', '2026-11-24 11:58:05.739+00', '2026-11-24 11:58:05.739+00', NULL),
  ('01a20d6b-9d66-7814-bac5-77f7e831679b', '01a20d6b-9bac-7d56-a867-1db393a3444c', 'Bun/1.4.5', '127.0.0.1', '2026-11-24 11:58:06.178+00', '2026-11-24 11:58:06.178+00', '2026-11-24 11:58:06.467+00'),
  ('01a20d6b-9d92-7331-962e-a42429a28f6e', '01a20d6b-9d92-7039-bf5d-9d98001bea3f', 'Test', '127.0.0.1', '2026-11-24 11:58:06.225+00', '2026-11-24 11:58:06.229+00', '2026-11-24 11:58:06.397+00'),
  ('01a20d6b-9f93-7691-aad5-d7f3030bd706', '01a20d6b-9f89-7af2-a166-5084cf04e31c', 'Bun/1.4.5', '127.0.0.1', '2026-11-24 11:58:06.725+00', '2026-11-24 11:58:06.725+00', NULL),
  ('01a20d6b-9fe7-7230-a338-8e5e00cb4952', '01a20d6b-9fe4-7006-a26a-7817087e019d', 'Bun/1.4.5', '127.0.0.1', '2026-11-24 11:58:06.819+00', '2026-11-24 11:58:06.819+00', NULL),
  ('01a20d6b-a0a1-7345-93a6-5a786716786f', '01a20d6b-9fe4-7006-a26a-7817087e019d', 'Bun/1.4.5', '127.0.0.1', '2026-11-24 11:58:07.006+00', '2026-11-24 11:58:07.006+00', NULL),
  ('01a20d6b-a11c-7a62-aa75-eb60398e90d6', '01a20d6b-a119-7e69-a00f-8ecc42599359', 'Bun/1.4.5', '127.0.0.1', '2026-11-24 11:58:07.125+00', '2026-11-24 11:58:07.125+00', NULL),
  ('01a20d6b-a143-7586-85f0-c0c37e731067', '01a20d6b-a119-7e69-a00f-8ecc42599359', 'Bun/1.4.5', '127.0.0.1', '2026-11-24 11:58:07.169+00', '2026-11-24 11:58:07.169+00', NULL),
  ('01a20d6b-a1a7-7115-a30d-877c54f5380a', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Bun/1.4.5', '127.0.0.1', '2026-11-24 11:58:07.269+00', '2026-11-24 11:58:07.269+00', NULL),
  ('01a20d6b-b668-7d53-8b5a-d9c62e2d74b1', '01a20d6b-b668-7af5-949a-4f4868968c6c', 'Test', '127.0.0.1', '2026-11-24 11:58:12.584+00', '2026-11-24 11:58:12.593+00', NULL),
  ('01a20d6b-ba2a-7e03-84b3-67c05f78ff66', '01a20d6b-ba27-7728-a50e-9a33a00b4429', 'Test', '127.0.0.1', '2026-11-24 11:58:13.543+00', '2026-11-24 11:58:13.557+00', NULL),
  ('01a20d6b-bbc7-7d45-8273-aec6fb0862c4', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'Bun/1.4.5', '127.0.0.1', '2026-11-24 11:58:13.954+00', '2026-11-24 11:58:13.954+00', '2026-11-24 11:58:14.025+00');

insert into public.slack_clicks (id, organization_id, digest, channel_id, event_id, gate_id, answer, detail, team_id, external_id, user_name, team_domain, response_url, answered_at, created_at) overriding system value values
  ('01a20d6b-8666-7b12-b5c7-eed6beb8ba62', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', E'\\x4180ce0c8993d2373b1dcf07e5da8348dbae5ac0fd7de8b88c13e1a1ed29bef5', '01a20d6b-8543-714d-8a9c-fc6e5b5de3f7', '01a20d6b-858b-7c03-bdf7-85e7bb3d9c5e', '01a20d6b-858a-7cc7-84e5-d53028817658', 'link', NULL, 'T0ACME', 'U0ADA', 'u0ada', 'acme', E'\\x49df5556138c5fcbab08f51e388ef63103b7ca6c1e0e2d284e11ef6e57e566950a42bcd68f543df5de7338e4048401c8c4d216e580186273ca576f91cb5bc7a64681da879d5c51f5cbe678e8719e62edaa821911ef9536deda749c4222a3a4', '2026-11-24 11:58:00.329+00', '2026-11-24 11:58:00.292+00'),
  ('01a20d6b-86ae-76b5-826a-42cf1eebd8aa', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', E'\\x919faaaad0869c33ce99674e4b05feffe5e88b5b411042824532fd569b9efebe', '01a20d6b-8543-714d-8a9c-fc6e5b5de3f7', '01a20d6b-858b-7c03-bdf7-85e7bb3d9c5e', '01a20d6b-858a-7cc7-84e5-d53028817658', 'gate', NULL, 'T0ACME', 'U0ADA', 'u0ada', 'acme', E'\\xd9b99c7cb7eb051aa80cc904501ed6dae685c7e27e4153ded3d366a6dfb7416d9ba68925cbcd9e4d816075706f1ae00be04ba2ed98904e88f2baf5a07bcad52f2855fa6db225bd063770b91a8b25484e2c7ea646706ba2cd228f9d38766591', '2026-11-24 11:58:00.499+00', '2026-11-24 11:58:00.36+00'),
  ('01a20d6b-8753-7bea-bbe8-ea6b2a1c8ea1', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', E'\\x0f00e43ae1eb015ee9bc9715da6157285b4c4577f3e2ed0c17b68b001d41a0ec', '01a20d6b-8543-714d-8a9c-fc6e5b5de3f7', '01a20d6b-858b-7c03-bdf7-85e7bb3d9c5e', '01a20d6b-858a-7cc7-84e5-d53028817658', 'refusal', 'You have already approved this gate. You approved this gate in Slack on 2026-11-24 11:58:00 UTC. Another person has to approve it as well.', 'T0ACME', 'U0ADA', 'u0ada', 'acme', E'\\x173edd1120aebe4d53290aaa430d54a4e14406ff337f07e60e7af3f3bbaffc65cd40c591a88d277c6bc3b1bad9849064bdb65519a94751e555d6ee6c210580a16e908834bd71ba58d756459241d370fccb8f3ad730cb410bbea1b613884425', '2026-11-24 11:58:00.551+00', '2026-11-24 11:58:00.522+00'),
  ('01a20d6b-8828-74b3-af87-274f3ae447a8', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', E'\\x6d10054e449e23848ee62aabc6ac06942afb318bbbc3f57a975819fb66b9fffc', '01a20d6b-8543-714d-8a9c-fc6e5b5de3f7', '01a20d6b-8788-782a-90b0-ec99bca3258b', '01a20d6b-8784-734b-9419-aad670a7821a', 'gate', NULL, 'T0ACME', 'U0ADA', 'u0ada', 'acme', E'\\x8702bd23dc632fbe5d4bd46892a9fdc40c9572f7d36f1539bd464dc52cbf694a9cca39d78471c1bba0bd603ef52f203d2e593af229304f1d5624840debb1058bb1adffd32495017f9f565cc633ffa9a8eaf0dfb4b901afd42959769346b5e3', '2026-11-24 11:58:00.847+00', '2026-11-24 11:58:00.737+00');

insert into public.slack_gate_messages (channel_id, gate_id, organization_id, execution_id, event_id, slack_channel, ts, shown, team_id, token_hash, created_at) overriding system value values
  ('01a20d6b-cc69-7a67-9fcb-10018227a033', '01a20d6b-cf16-7fea-8249-00a4cec37321', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ccf2-7a87-b1de-bec5414bd342', '01a20d6b-cf1c-78fe-b250-faa361462181', 'C0RELEASES', '1700000002.000100', E'\\x42ba0910f577e7871d193e577ee3fc884221f00e6682fff565701cedc2e4c10f', 'T0ACME', E'\\xa4629f7aa7cd4c2b61d125398d032e20f6493838589552d06be9152ea4201e03', '2026-11-24 11:58:19.204+00');

insert into public.slack_link_tokens (hash, team_id, external_id, user_name, team_name, email, expires_at) overriding system value values
  (E'\\xea0ef1cb3be2e15296b6f6c93d2e82659535ba384e7618d6e2a58ee9b64e4f0f', 'T0ACME', 'U0ADA', 'u0ada', 'acme.slack.com', NULL, '2026-11-24 12:08:00.323+00');

insert into public.slack_threads (channel_id, execution_id, organization_id, event_id, slack_channel, ts, shown, team_id, token_hash, created_at) overriding system value values
  ('01a20d6b-cc69-7a67-9fcb-10018227a033', '01a20d6b-ccf2-7a87-b1de-bec5414bd342', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-cd89-7875-974e-25ef69a2f04e', 'C0RELEASES', '1700000001.000100', E'\\x37e71921e07212f4ab569c371abcf3cd3c2b15f3d9c319f927e95f147e7afeca', 'T0ACME', E'\\xa4629f7aa7cd4c2b61d125398d032e20f6493838589552d06be9152ea4201e03', '2026-11-24 11:58:18.536+00');

insert into public.slack_used_states (hash, expires_at) overriding system value values
  (E'\\x6285e68956df81194cd95b8f8d1da3469aac865de0990f7b4829db94e91cc4db', '2026-11-24 12:08:12+00');

insert into public.subscriptions (id, organization_id, workspace_id, channel_id, event_pattern, filter_project_id, created_by, created_at) overriding system value values
  ('01a20d6b-843c-7174-9ab3-ca39917a53f6', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-83a0-760a-a49a-1403df102f18', '*', '01a20d6b-481d-790e-bfb5-ce63973b483f', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:57:59.725+00'),
  ('01a20d6b-cbbe-7f2c-b64a-823c02876b86', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cb97-7c14-bc41-c1cae72c796d', 'gate.approved', NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:18.033+00'),
  ('01a20d6b-cbe4-78da-8222-d6c4ec3b981d', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cbd6-7fd3-9f8f-2988fbd93796', 'gate.approved', NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:18.081+00'),
  ('01a20d6b-cc14-7342-a4f6-bb5bc694fed1', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cc00-7bfc-bcb7-2eeed5edd209', 'gate.approved', NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:18.128+00'),
  ('01a20d6b-cc2f-75b5-b652-df69c2cf1f00', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cc20-7d65-88a4-c0575f24e034', 'gate.approved', NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:18.153+00'),
  ('01a20d6b-cc4d-725d-95ef-79ad9c152e43', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cc40-78a8-bda9-ab0175bb1ed7', 'gate.approved', NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:18.186+00'),
  ('01a20d6b-cc91-7889-9d54-6f2d575f7742', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cc69-7a67-9fcb-10018227a033', 'gate.pending', NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '2026-11-24 11:58:18.25+00');

insert into public.unsuccessful_deliveries (id, organization_id, lane_id, kind, event, status, first_id, created_at, completed_at) overriding system value values
  ('01a20d6b-6b65-76fc-8834-88c2b29e6658', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-67a2-7f85-abb3-8f9045eb05c9', 'dispatch', 'manual.trigger', 'cancelled', '01a20d6b-6b65-76fc-8834-88c2b29e6658', '2026-11-24 11:55:54.438+00', '2026-11-24 11:57:58.369+00'),
  ('01a20d6b-8004-7eff-ad22-7c15c5ff601a', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'dispatch', 'manual.trigger', 'failed', '01a20d6b-8004-7eff-ad22-7c15c5ff601a', '2026-11-24 11:57:58.658+00', '2026-11-24 11:57:59.329+00'),
  ('01a20d6b-82e1-7305-84df-33e08d9120b4', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'dispatch', 'manual.trigger', 'cancelled', '01a20d6b-8004-7eff-ad22-7c15c5ff601a', '2026-11-24 11:57:59.385+00', '2026-11-24 11:57:59.452+00'),
  ('01a20d6b-8308-7965-b5e0-2bce52a1c184', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'dispatch', 'manual.trigger', 'cancelled', '01a20d6b-8308-7965-b5e0-2bce52a1c184', '2026-11-24 11:57:59.431+00', '2026-11-24 11:57:59.463+00'),
  ('01a20d6b-b0e6-74e2-8781-be943badce5e', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'dispatch', 'manual.trigger', 'cancelled', '01a20d6b-b0e6-74e2-8781-be943badce5e', '2026-11-24 11:58:11.168+00', '2026-11-24 11:58:11.231+00'),
  ('01a20d6b-bd9c-7a3b-a061-7b27b0f0a419', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-83a0-760a-a49a-1403df102f18', 'message', 'test.ping', 'failed', '01a20d6b-bd9c-7a3b-a061-7b27b0f0a419', '2026-11-24 11:58:14.427+00', '2026-11-24 11:58:14.504+00'),
  ('01a20d6b-bdcc-77de-b21f-03adc3aee7e7', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-5c93-7ce3-bc90-a943f501bb81', 'dispatch', 'manual.trigger', 'failed', '01a20d6b-bdcc-77de-b21f-03adc3aee7e7', '2026-11-24 11:58:14.473+00', '2026-11-24 11:58:14.54+00'),
  ('01a20d6b-be13-7ebe-8073-9c6569b8eb74', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-83a0-760a-a49a-1403df102f18', 'message', 'deployment.failed', 'failed', '01a20d6b-be13-7ebe-8073-9c6569b8eb74', '2026-11-24 11:58:14.566+00', '2026-11-24 11:58:14.623+00'),
  ('01a20d6b-be1a-737b-ab3b-561f226917da', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-83a0-760a-a49a-1403df102f18', 'message', 'hook.disabled', 'failed', '01a20d6b-be1a-737b-ab3b-561f226917da', '2026-11-24 11:58:14.566+00', '2026-11-24 11:58:14.623+00');

insert into public.user_avatars (user_id, content_type, bytes, created_at, updated_at) overriding system value values
  ('01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'image/png', E'\\x89504e470d0a1a0a0000000d4948445200000001000000010804000000b51c0c020000000b4944415478da6364600000000600023081d02f0000000049454e44ae426082', '2026-11-24 11:58:14.823+00', '2026-11-24 11:58:14.823+00');

insert into public.user_identities (id, user_id, provider, team_id, external_id, created_at) overriding system value values
  ('01a20d6b-b609-73de-8171-aeced92c31a4', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'slack', 'T0ACME', 'U0PAGES', '2026-11-24 11:58:12.486+00');

insert into public.users (id, email, email_verified, pending_email, name, password_hash, created_at, updated_at, deleted_at) overriding system value values
  ('01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'ada@example.com', 'true', NULL, 'Ada Lovelace', '$argon2id$v=19$m=8,t=1,p=1$8uf6p2nBc/Y+ceUThj9lS6H4tpViWYemEKdOuhntbS4$Uakvn7cQQ+qZ7Z5LZap+9BUsqrwZ9whBCCImR9S9UX8', '2026-11-24 11:57:38.416+00', '2026-11-24 11:58:13.922+00', NULL),
  ('01a20d6b-3730-7c6c-adb6-996704e680c5', 'moved.1@example.com', 'true', NULL, 'Moved', '$argon2id$v=19$m=8,t=1,p=1$sXARMtdr1JSMBWji1pe2QfwXVZ4XIBEKEE4ggGB8dhs$Fqh57hENVsmgwA0R3rSVM7Lj5xyz1iot+/X8/GktZ9Q', '2026-11-24 11:57:40.009+00', '2026-11-24 11:57:40.347+00', NULL),
  ('01a20d6b-3912-77f4-a248-9ecc3f5ace52', '01a20d6b-3912-77f4-a248-9ecc3f5ace52@deleted.invalid', 'false', NULL, 'Stranger', '', '2026-11-24 11:57:40.492+00', '2026-11-24 11:57:40.719+00', '2026-11-24 11:57:40.608+00'),
  ('01a20d6b-3a11-7306-94dc-1d16f7f12982', 'joan.3@example.com', 'true', NULL, 'Joan', '$argon2id$v=19$m=8,t=1,p=1$sXARMtdr1JSMBWji1pe2QfwXVZ4XIBEKEE4ggGB8dhs$Fqh57hENVsmgwA0R3rSVM7Lj5xyz1iot+/X8/GktZ9Q', '2026-11-24 11:57:40.751+00', '2026-11-24 11:57:40.751+00', NULL),
  ('01a20d6b-3f53-7eac-b1e7-3582695f587f', 'mary.4@example.com', 'true', NULL, 'Mary', '$argon2id$v=19$m=8,t=1,p=1$1WuXw2WZXlRQkvelfL5di/AW+tH0wLbEDsvB3JUBzqo$J3/+TC2qzOFWNhqV+J80PIZBftY3ptKY7dZZwpLh9tM', '2026-11-24 11:57:42.087+00', '2026-11-24 11:57:42.268+00', NULL),
  ('01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'gracehopper.5@example.com', 'true', 'hopper@example.com', 'Grace Hopper', '$argon2id$v=19$m=8,t=1,p=1$x1Z/0BbBqdMCRQtBLNg72ulMQ+lG5tSME+NjjWnIlBA$tGZ2l6/awdVLgfv0xlg2qeEolp0oshn/sxOqd41N6TA', '2026-11-24 11:57:42.383+00', '2026-11-24 11:58:14.856+00', NULL),
  ('01a20d6b-417c-753d-beb2-d127144dce1d', 'judy.6@example.com', 'true', NULL, 'Judy', '$argon2id$v=19$m=8,t=1,p=1$OxFtsqI3aO0jP3TDggpPAJP+uduUTWufo1SeAti23UQ$KYPhNRelz7dsWp0S/33qkkg78UJbN1nF4cIH/chjgKk', '2026-11-24 11:57:42.647+00', '2026-11-24 11:57:42.796+00', NULL),
  ('01a20d6b-9bac-7d56-a867-1db393a3444c', 'visitor@example.com', 'true', NULL, 'PageClient', '$argon2id$v=19$m=8,t=1,p=1$TtP9qk5niATPui5zVdkwkAUvquZWMJvxta9NE4bQEJ4$TvYqCuSescjwmUux1nV8rqVvG6detNF3OWA1FVRKthA', '2026-11-24 11:58:05.739+00', '2026-11-24 11:58:05.913+00', NULL),
  ('01a20d6b-9d92-7039-bf5d-9d98001bea3f', 'moved.7@example.com', 'true', NULL, 'Moved', '$argon2id$v=19$m=8,t=1,p=1$sXARMtdr1JSMBWji1pe2QfwXVZ4XIBEKEE4ggGB8dhs$Fqh57hENVsmgwA0R3rSVM7Lj5xyz1iot+/X8/GktZ9Q', '2026-11-24 11:58:06.225+00', '2026-11-24 11:58:06.402+00', NULL),
  ('01a20d6b-9f89-7af2-a166-5084cf04e31c', 'invited@example.com', 'true', NULL, 'Guest', '$argon2id$v=19$m=8,t=1,p=1$uiIJqIDCfYxFasX0swTlyN64xy72rJkMVlJtBJDMouQ$vOErutDMTq/+hqPCzHjaUxdoObM+iiWn07jlJ/uhJBs', '2026-11-24 11:58:06.725+00', '2026-11-24 11:58:06.746+00', NULL),
  ('01a20d6b-9fe4-7006-a26a-7817087e019d', 'old.8@example.com', 'true', NULL, 'Old', '$argon2id$v=19$m=8,t=1,p=1$WOwKBHh5urycgn84cJh54bVtvzyUXlmo4aeLU/I53gQ$iPUb6Co668Jdi8Wt2kHAHivm58BPEVte/OGU+N0h8lU', '2026-11-24 11:58:06.819+00', '2026-11-24 11:58:07.029+00', NULL),
  ('01a20d6b-a119-7e69-a00f-8ecc42599359', 'late.9@example.com', 'true', NULL, 'Late', '$argon2id$v=19$m=8,t=1,p=1$2PsrB+rxrPSaaGaskZsvrHgDVTbO/wpphVCuQ+OoNJM$lhGG2XO03IlbTDFgLl4jdaRHZWxlrEOQSQnTKeU7a4U', '2026-11-24 11:58:07.125+00', '2026-11-24 11:58:07.158+00', NULL),
  ('01a20d6b-b668-7af5-949a-4f4868968c6c', 'joining.10@example.com', 'true', NULL, 'Joining', '$argon2id$v=19$m=8,t=1,p=1$sXARMtdr1JSMBWji1pe2QfwXVZ4XIBEKEE4ggGB8dhs$Fqh57hENVsmgwA0R3rSVM7Lj5xyz1iot+/X8/GktZ9Q', '2026-11-24 11:58:12.584+00', '2026-11-24 11:58:12.584+00', NULL),
  ('01a20d6b-ba27-7728-a50e-9a33a00b4429', 'added.11@example.com', 'true', NULL, 'Added', '$argon2id$v=19$m=8,t=1,p=1$sXARMtdr1JSMBWji1pe2QfwXVZ4XIBEKEE4ggGB8dhs$Fqh57hENVsmgwA0R3rSVM7Lj5xyz1iot+/X8/GktZ9Q', '2026-11-24 11:58:13.543+00', '2026-11-24 11:58:13.543+00', NULL);

insert into public.workflow_templates (organization_id, workspace_id, project_id, template, created_at, updated_at) overriding system value values
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-481d-790e-bfb5-ce63973b483f', 'version: 1
', '2026-11-24 11:57:45.37+00', '2026-11-24 11:57:45.37+00'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-467f-7e38-a536-3c23e269efe0', NULL, 'version: 1
', '2026-11-24 11:57:45.35+00', '2026-11-24 11:57:45.35+00'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-cae4-76ed-bb36-f1fc30366363', 'version: 1
', '2026-11-24 11:58:17.822+00', '2026-11-24 11:58:17.822+00'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-ca72-7d77-b874-7372404374d5', NULL, 'version: 1
', '2026-11-24 11:58:17.663+00', '2026-11-24 11:58:17.663+00'),
  ('01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', NULL, NULL, 'version: 1
', '2026-11-24 11:57:45.311+00', '2026-11-24 11:57:45.311+00');

insert into public.workspace_members (workspace_id, organization_id, user_id, role, joined_at) overriding system value values
  ('01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'admin', '2026-11-24 11:57:43.924+00'),
  ('01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-4077-7d5b-addc-87fc9a86b17b', 'admin', '2026-11-24 11:57:44.323+00'),
  ('01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', 'admin', '2026-11-24 11:58:17.663+00');

insert into public.workspace_spend (workspace_id, organization_id, month, used_usd) overriding system value values
  ('01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', '2026-11-01', '93.006400');

insert into public.workspaces (id, organization_id, name, workspace_key, description, owner_id, budget_monthly_limit_usd, budget_alert_threshold, budget_epoch, created_at, updated_at, gate_required_approvals, gate_prevent_self_approval, gate_expires_in_seconds, gate_decide_via) overriding system value values
  ('01a20d6b-467f-7e38-a536-3c23e269efe0', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'Platform', 'PLAT', 'Everything', '01a20d6b-3123-79db-a1cd-35cd2f2726d5', '100.000000', '0.8', '1', '2026-11-24 11:57:43.924+00', '2026-11-24 11:58:13.518+00', '1', 'false', NULL, '{api,app,slack,mail}'),
  ('01a20d6b-ca72-7d77-b874-7372404374d5', '01a20d6b-3aa6-7f26-94f6-ac27e9f0c525', 'Release train', 'RT', NULL, '01a20d6b-3123-79db-a1cd-35cd2f2726d5', NULL, '0.8', '0', '2026-11-24 11:58:17.663+00', '2026-11-24 11:58:17.663+00', '1', 'false', NULL, '{api,app,slack,mail}');

select setval('graphile_worker.job_queues_id_seq', 2);
select setval('graphile_worker.jobs_id_seq1', 145);
select setval('graphile_worker.tasks_id_seq', 15);

set session_replication_role = origin;
